// Bug reports as trackers and people write them: scripts, Markdown, and the JSON of GitHub's and
// GitLab's interfaces. Of trackers only resolved issues are taken, as the paper does: what is open
// would find the same bug again.
#include "history/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "smtlib/lexer.h"

namespace elenchus::history {

using smtlib::Lexer;
using smtlib::TokenKind;

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool has_any(const std::string& text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The day of "2021-12-24T10:00:00Z".
std::string day_of(std::string_view time) {
  if (time.size() < 10 || time[4] != '-' || time[7] != '-') return {};
  const std::string_view day = time.substr(0, 10);
  const auto is_good = [](char c) { return c == '-' || (c >= '0' && c <= '9'); };
  return std::all_of(day.begin(), day.end(), is_good) ? std::string(day) : std::string();
}

// One word in lower case that can stand in a knowledge file.
std::string word_of(std::string_view text) {
  std::string word;
  for (const char c : lower(text)) {
    const bool is_good = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    if (is_good) word += c;
  }
  return word;
}

std::string solver_named(std::string_view text) {
  const std::string name = lower(text);
  constexpr std::string_view kNames[] = {
      "z3",      "cvc5", "cvc4",  "bitwuzla",    "boolector", "yices",  "mathsat",
      "opensmt", "stp",  "dreal", "smtinterpol", "princess",  "ostrich"};
  for (const std::string_view each : kNames) {
    if (name.find(each) != std::string::npos) return std::string(each);
  }
  return {};
}

// What "key: value" says of an input, in comments of a script or at the top of a text.
void read_field(std::string_view line, Origin& origin, bool& is_open) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon > 20) return;
  const std::string key = lower(trimmed(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (key == "solver" || key == "origin") origin.solver = word_of(value);
  if (key == "date") origin.date = day_of(value);
  if (key == "kind") origin.kind = word_of(value);
  if (key == "state") is_open = lower(value) == "open";
  if (key == "issue") {
    const std::string_view digits = value.substr(value.starts_with('#') ? 1 : 0);
    std::from_chars(digits.data(), digits.data() + digits.size(), origin.issue);
  }
}

// z3_1245_0.smt2, below a folder called cvc5...
Origin origin_of_path(const std::string& path) {
  Origin origin;
  const size_t slash = path.rfind('/');
  const std::string_view file =
      std::string_view(path).substr(slash == std::string::npos ? 0 : slash + 1);
  origin.solver = solver_named(file.substr(0, file.find_first_of("_-#.")));
  const size_t digits = file.find_first_of("_-#");
  if (!origin.solver.empty() && digits != std::string_view::npos) {
    std::from_chars(file.data() + digits + 1, file.data() + file.size(), origin.issue);
  }
  if (origin.solver.empty() && slash != std::string::npos) {
    const std::string_view folder = std::string_view(path).substr(0, slash);
    origin.solver = solver_named(folder.substr(folder.rfind('/') + 1));
  }
  return origin;
}

// Whether a command of SMT-LIB starts with this word. Solvers answer in parentheses, too.
bool is_command(std::string_view word) {
  constexpr std::string_view kStarts[] = {"set-",  "declare-", "define-", "check-",  "get-",
                                          "reset", "assert",   "echo",    "simplify"};
  constexpr std::string_view kWords[] = {"push", "pop", "exit", "minimize", "maximize", "apply"};
  return std::any_of(std::begin(kStarts), std::end(kStarts),
                     [&](std::string_view start) { return word.starts_with(start); }) ||
         std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// The commands of a block and nothing else.
std::string commands_in(std::string_view block) {
  // Looking for the end of what has none goes through the whole block.
  constexpr uint32_t kMostUnended = 8;
  std::string commands;
  uint32_t unended = 0;
  while (!block.empty() && unended < kMostUnended) {
    const size_t open = block.find('(');
    if (open == std::string_view::npos) break;
    // A command starts its line: what stands before it is a shell's prompt, or a sentence.
    const size_t line = block.rfind('\n', open);
    const auto before = block.substr(line == std::string_view::npos ? 0 : line + 1,
                                     open - (line == std::string_view::npos ? 0 : line + 1));
    block.remove_prefix(open);
    Lexer lexer(block);
    lexer.next();
    const auto word = lexer.next();
    lexer.rewind(0);
    const bool is_wanted = word.kind == TokenKind::kSymbol && is_command(word.text) &&
                           before.find_first_of("$%;") == std::string_view::npos;
    if (!is_wanted || !lexer.skip_expression()) {
      unended += is_wanted ? 1 : 0;
      const size_t end = block.find('\n');
      if (end == std::string_view::npos) break;
      block.remove_prefix(end);
      continue;
    }
    commands += block.substr(0, lexer.offset());
    commands += '\n';
    block.remove_prefix(lexer.offset());
  }
  return commands;
}

// The fence that a line opens or closes: its character and length, or 0.
std::pair<char, size_t> fence_of(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return {0, 0};
  const size_t length = std::min(text.find_first_not_of(text[0]), text.size());
  return length >= 3 ? std::pair{text[0], length} : std::pair{'\0', size_t{0}};
}

bool is_script(std::string_view commands) {
  return commands.find("(assert") != std::string_view::npos;
}

}  // namespace

std::string_view kind_of_title(std::string_view title) {
  constexpr std::string_view kModel[] = {
      "invalid model", "incorrect model", "wrong model",   "invalid-model",  "model is",
      "bad model",     "model unsound",   "model doesn't", "model does not", "model valid"};
  constexpr std::string_view kSound[] = {"soundness",   "unsound",       "incorrect",
                                         "wrong",       "refutation",    "inconsisten",
                                         "false unsat", "false sat",     "different result",
                                         "disagree",    "should be sat", "should be unsat",
                                         "instead of"};
  constexpr std::string_view kCrash[] = {
      "crash",          "segfault",       "segmentation", "sigsegv",        "assert",
      "abort",          "fatal",          "unreachable",  "internal error", "overflow",
      "use-after-free", "use after free", "leak",         "sanitizer",      "asan",
      "exception",      "violat",         "unhandled",    "null pointer",   "dereference",
      "invalid read",   "sigabrt",        "uncaught"};
  const std::string text = lower(title);
  if (has_any(text, kModel)) return "invalid-model";
  if (has_any(text, kSound)) return "soundness";
  if (has_any(text, kCrash)) return "crash";
  return {};
}

std::vector<std::string> scripts_in_markdown(std::string_view text) {
  std::vector<std::string> scripts;
  std::pair<char, size_t> open = {0, 0};
  std::string block;
  const auto close = [&] {
    std::string commands = commands_in(block);
    if (is_script(commands)) scripts.push_back(std::move(commands));
    block.clear();
    open = {0, 0};
  };
  while (!text.empty()) {
    const std::string_view line = base::take_plain_line(text);
    const auto fence = fence_of(line);
    if (open.second == 0) {
      open = fence;
      continue;
    }
    if (fence.first == open.first && fence.second >= open.second) {
      close();
      continue;
    }
    block += line;
    block += '\n';
  }
  if (open.second != 0) close();
  return scripts;
}

// --- Trackers. ---

// One value of a tracker's JSON: a list of issues or comments, or one of them.
class ReportReader::Json {
 public:
  using Value = nlohmann::json;

  Json(ReportReader& reader, std::string name) : reader_(reader), name_(std::move(name)) {}

  void add(const Value& document) {
    const bool is_search = document.is_object() && document.contains("items");
    const Value& value = is_search ? document["items"] : document;
    if (!value.is_array()) return add_object(value);
    for (const Value& each : value) {
      if (each.is_array()) {
        for (const Value& inner : each) add_object(inner);  // pages, one after the other
      } else {
        add_object(each);
      }
    }
  }

 private:
  static std::string text_of(const Value& object, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const auto found = object.find(name);
      if (found != object.end() && found->is_string()) return found->get<std::string>();
    }
    return {};
  }

  static uint64_t number_of(const Value& object) {
    for (const char* name : {"number", "iid"}) {
      const auto found = object.find(name);
      if (found != object.end() && found->is_number_unsigned()) return found->get<uint64_t>();
    }
    return 0;
  }

  // ".../repos/Z3Prover/z3/issues/12": the part before the number, and the number.
  static Key key_of_url(const std::string& url) {
    const size_t at = url.find("/issues/");
    if (at == std::string::npos) return {url, 0};
    uint64_t number = 0;
    std::from_chars(url.data() + at + 8, url.data() + url.size(), number);
    const size_t host = url.find("://");
    std::string repository = url.substr(0, at);
    if (host != std::string::npos) repository = repository.substr(host + 3);
    for (const std::string_view prefix : {"api.github.com/repos/", "github.com/"}) {
      if (repository.starts_with(prefix)) repository = repository.substr(prefix.size());
    }
    return {lower(repository), number};
  }

  void add_object(const Value& object) {
    if (!object.is_object()) return;
    if (object.contains("pull_request") && !object["pull_request"].is_null()) return;
    if (!object.contains("title")) return add_comment(object);
    const std::string url = text_of(object, {"html_url", "url", "web_url", "repository_url"});
    Key key = key_of_url(url);
    if (const uint64_t number = number_of(object); number != 0) key.second = number;
    Issue& issue = reader_.issues_[key];
    issue.is_known = true;
    issue.name = fmt::format("{}#{}", name_, key.second);
    const std::string title = text_of(object, {"title"});
    issue.origin.solver = solver_named(key.first.substr(key.first.rfind('/') + 1));
    if (issue.origin.solver.empty()) issue.origin.solver = solver_named(name_);
    issue.origin.issue = key.second;
    issue.origin.date = day_of(text_of(object, {"closed_at", "closedAt"}));
    issue.origin.kind = kind_of_title(title);
    const bool is_resolved = lower(text_of(object, {"state"})) == "closed" && !is_dismissed(object);
    if (!is_resolved) ++reader_.unresolved_;
    if (is_resolved && issue.origin.kind.empty()) ++reader_.other_kinds_;
    issue.is_wanted = is_resolved && !issue.origin.kind.empty();
    issue.texts.push_back(text_of(object, {"body", "description"}));
    const auto comments = object.find("comments");
    if (comments == object.end() || !comments->is_array()) return;
    for (const Value& comment : *comments) {
      if (comment.is_object()) issue.texts.push_back(text_of(comment, {"body"}));
    }
  }

  // Closed, but not because it was mended.
  static bool is_dismissed(const Value& object) {
    const std::string reason = lower(text_of(object, {"state_reason", "stateReason"}));
    return reason == "not_planned" || reason == "duplicate";
  }

  void add_comment(const Value& object) {
    const std::string url = text_of(object, {"issue_url"});
    if (url.empty()) return;
    reader_.issues_[key_of_url(url)].texts.push_back(text_of(object, {"body"}));
  }

  ReportReader& reader_;
  std::string name_;
};

// --- Files. ---

void ReportReader::add_texts(const std::string& name, const Origin& origin, std::string_view text) {
  for (std::string& script : scripts_in_markdown(text)) {
    reports_.push_back({name, std::move(script), origin});
  }
}

void ReportReader::add_script(const std::string& path, std::string_view content) {
  Report report{path, std::string(content), origin_of_path(path)};
  bool is_open = false;
  while (!content.empty()) {
    std::string_view line = trimmed(base::take_plain_line(content));
    if (line.empty()) continue;
    if (line[0] != ';') break;
    while (!line.empty() && line[0] == ';') line.remove_prefix(1);
    read_field(trimmed(line), report.origin, is_open);
  }
  if (is_open) {
    ++unresolved_;
    return;
  }
  reports_.push_back(std::move(report));
}

void ReportReader::add_markdown(const std::string& path, std::string_view content) {
  Origin origin = origin_of_path(path);
  bool is_open = false;
  std::string_view rest = content;
  std::string_view line = base::take_plain_line(rest);
  if (line == "---") {
    for (line = base::take_plain_line(rest); line != "---" && !rest.empty();
         line = base::take_plain_line(rest)) {
      read_field(line, origin, is_open);
    }
    line = base::take_plain_line(rest);
  }
  while (!line.starts_with("# ") && !rest.empty()) line = base::take_plain_line(rest);
  if (origin.kind.empty() && line.starts_with("# ")) origin.kind = kind_of_title(line);
  if (is_open) {
    ++unresolved_;
    return;
  }
  add_texts(path, origin, content);
}

base::Result<void> ReportReader::add(const std::string& path, std::string_view content) {
  if (path.ends_with(".md") || path.ends_with(".markdown")) {
    add_markdown(path, content);
  } else if (path.ends_with(".json")) {
    try {
      Json(*this, path).add(nlohmann::json::parse(content));
    } catch (const nlohmann::json::exception& error) {
      return base::Error{base::ErrorKind::kParse, base::shown(error.what(), 200), {}};
    }
  } else {
    add_script(path, content);
  }
  return {};
}

void ReportReader::finish() {
  for (const auto& [key, issue] : issues_) {
    if (!issue.is_known || !issue.is_wanted) continue;
    for (const std::string& text : issue.texts) add_texts(issue.name, issue.origin, text);
  }
  issues_.clear();
}

}  // namespace elenchus::history
