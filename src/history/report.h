#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "history/knowledge.h"

namespace elenchus::history {

// A script that triggered a bug, or is said to.
struct Report {
  std::string name;  // for messages
  std::string text;
  Origin origin;
};

// "soundness", "invalid-model" or "crash", from the title of an issue; empty for other titles.
std::string_view kind_of_title(std::string_view title);

// The scripts in the fenced blocks of a Markdown text. Lines in a block that are no commands, such
// as a shell's prompt and the answers of a solver, are left out.
std::vector<std::string> scripts_in_markdown(std::string_view text);

// Sorts input files by what they are and gives the reports in them.
class ReportReader {
 public:
  // Adds what a file holds, by the end of its name: .md and .markdown are the text of an issue,
  // .json what a tracker's API gives, everything else is a script. Fails when the JSON is broken.
  base::Result<void> add(const std::string& path, std::string_view content);

  // The reports that are complete. Comments of an issue may come in another file than the issue, so
  // the last ones are ready only after finish().
  std::vector<Report> take() { return std::exchange(reports_, {}); }
  void finish();

  // Issues that were passed over.
  uint64_t unresolved() const { return unresolved_; }
  uint64_t other_kinds() const { return other_kinds_; }

 private:
  struct Issue {
    Origin origin;
    std::string name;
    bool is_wanted = false;
    bool is_known = false;  // false: only comments were seen so far
    std::vector<std::string> texts;
  };
  using Key = std::pair<std::string, uint64_t>;  // repository and number

  class Json;

  void add_script(const std::string& path, std::string_view content);
  void add_markdown(const std::string& path, std::string_view content);
  void add_texts(const std::string& name, const Origin& origin, std::string_view text);

  std::vector<Report> reports_;
  std::map<Key, Issue> issues_;
  uint64_t unresolved_ = 0;
  uint64_t other_kinds_ = 0;
};

}  // namespace elenchus::history
