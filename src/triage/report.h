#pragma once

#include <string>

#include "store/manifest.h"

namespace elenchus::triage {

// What a report tells beyond the manifest.
struct ReportParts {
  std::string script;      // as one would paste it
  std::string expected;    // what a right solver does
  std::string actual;      // what this one does
  std::string model;       // the witness, or the wrong model; may be empty
  std::string evaluation;  // the model's evaluation, step by step; may be empty
  std::string variant;     // the same question asked in another way; may be empty
  std::string other = {};  // the command whose answer contradicts it; may be empty
};

// "z3 4.8.12 answers unsat to a satisfiable formula (bvsmod)".
std::string report_title(const store::Manifest& manifest);

// The text of an issue, in Markdown, as maintainers want it.
std::string report_text(const store::Manifest& manifest, const ReportParts& parts);

}  // namespace elenchus::triage
