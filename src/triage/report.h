#pragma once

#include <string>
#include <vector>

#include "record/bug.h"

namespace elenchus::triage {

// What a report tells beyond the bug.
struct ReportParts {
  std::string script = {};                 // as one would paste it
  std::string expected = {};               // what a right solver does
  std::string actual = {};                 // what this one does
  std::string model = {};                  // the witness, or the wrong model; may be empty
  std::string evaluation = {};             // the model's evaluation, step by step; may be empty
  std::string variant = {};                // the same question asked in another way; may be empty
  std::string command = {};                // as one would type it
  std::string other = {};                  // the command whose answer contradicts it; may be empty
  std::string probably = {};               // why it is probably of a graver kind; may be empty
  std::vector<std::string> premises = {};  // on which the evaluation rests, with their source
  std::string beyond_rules = {};  // why nobody supports what is in the script; empty: somebody does
  bool has_fewest_options = true;  // none of the options can be left out
};

// The text of an issue, in Markdown, as maintainers want it.
std::string report_text(const record::Bug& bug, const ReportParts& parts);

}  // namespace elenchus::triage
