#include "docket/repro.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "docket/short_run.h"
#include "record/kind.h"

namespace elenchus::docket {
namespace {

using record::Kind;
using record::Shows;

constexpr std::string_view kWrongModel = "wrong.model";
constexpr std::string_view kWrongReply = "wrong.reply";

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Commands, which begin at the start of a line.
std::vector<std::string_view> commands_of(std::string_view script) {
  std::vector<std::string_view> commands;
  size_t start = 0;
  while (start < script.size()) {
    const size_t next = script.find("\n(", start);
    const size_t end = next == std::string_view::npos ? script.size() : next + 1;
    commands.push_back(script.substr(start, end - start));
    start = end;
  }
  return commands;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

// The words of a call with a variable in the place of the program.
std::string invocation(const Call& call, std::string_view program, std::string_view file) {
  std::string text(program);
  for (const std::string& option : call.options) text += ' ' + base::shell_word(option);
  return text + (call.by_file ? " " : " < ") + std::string(file);
}

// As a word for the shell, whatever is in it.
std::string in_quotes(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

// " elenchus_0 elenchus_3 ": the names in a list, as the shell puts them together.
std::string words_of(std::string_view list) {
  std::string words = " ";
  for (const char c : list) {
    const bool is_between = c == '(' || c == ')' || c == ' ' || c == '\n' || c == '\r';
    if (!is_between) words += c;
    if (is_between && !words.ends_with(' ')) words += ' ';
  }
  return words.ends_with(' ') ? words : words + ' ';
}

constexpr std::string_view kFunctions = R"(nl='
'
# The answer number $1 of what is read; what comes after an error answers another question.
nth() {
  left=$1
  while IFS= read -r line; do
    case $line in
      *'(error'*) return ;;
      sat | unsat | unknown)
        left=$((left - 1))
        [ $left -gt 0 ] || { printf '%s\n' "$line"; return; } ;;
    esac
  done
}
shows() { printf '%s\n' "the bug shows: $1"; exit 1; }
gone() { printf '%s\n' "the bug does not show: $1"; exit 0; }
unclear() { printf '%s\n' "cannot tell: $1"; exit 2; }
)";

Call call_with(const solver::Solver& solver, const solver::Needs& needs) {
  Call call{solver.program, {}, false};
  const auto words = solver::command_line(solver, false, needs);
  for (size_t i = 1; i < words.size(); ++i) {
    const bool is_file = words[i] == proc::kInputFile;
    if (!is_file) call.options.push_back(words[i]);
    call.by_file = call.by_file || is_file;
  }
  return call;
}

// repro.sh, kind by kind.
class Script {
 public:
  explicit Script(const Indictment& indictment)
      : one_(indictment), kind_(indictment.finding.kind) {}

  std::string text() {
    const solver::Solver& solver = one_.solver;
    text_ = fmt::format(
        "#!/bin/sh\n# {} {}: {}.\n# Expected: {}\n"
        "# Exits 1 while the bug shows, 0 when it does not, 2 when that cannot be told.\n"
        "# Usage: repro.sh [PROGRAM], another build of the solver.\n",
        solver.profile->name, solver.version, record::info(kind_).meaning,
        record::info(kind_).expected);
    if (!one_.shows_by_script) {
      text_ +=
          "# Not seen in this way so far: `elenchus bugs DIR replay ID` asks as it was "
          "found.\n";
    }
    text_ += fmt::format(
        "solver=${{1:-{}}}\ncase $solver in /*) ;; */*) solver=$PWD/$solver ;; esac\n"
        "cd \"$(dirname \"$0\")\" || exit 2\n{}",
        base::shell_word(one_.call.program), kFunctions);
    if (kind_ == Kind::kSlow) {
      slow();
    } else {
      ask();
      judge();
    }
    return text_;
  }

 private:
  void line(std::string_view text) { (text_ += text) += '\n'; }

  void ask() {
    line(fmt::format("said=$({} 2>&1)", invocation(one_.call, "\"$solver\"", "reduced.smt2")));
    line("code=$?");
    line("printf '%s\\n' \"$said\"");
    line("[ $code -ne 126 ] && [ $code -ne 127 ] || unclear \"no program $solver\"");
  }

  void judge() {
    switch (kind_) {
      case Kind::kRefutationUnsound: return wrong_answer("unsat");
      case Kind::kSolutionUnsound: return wrong_answer("sat");
      case Kind::kIncomplete: return wrong_answer("unknown");
      case Kind::kInvalidModel: return wrong_model();
      case Kind::kCrash: return crash();
      case Kind::kSelfCheck: return marks(one_.solver.profile->self_checks);
      case Kind::kWrongCore: return wrong_core();
      case Kind::kWrongRewrite: return wrong_rewrite();
      case Kind::kWrongValue: return wrong_value();
      case Kind::kWrongOptimum: return wrong_optimum();
      case Kind::kWrongElimination: return wrong_elimination();
      case Kind::kInconsistent:
      case Kind::kInconsistentOptions:
      case Kind::kDisagreement: return two_answers();
      // A kind needs no way of its own to be reported.
      default: return line("unclear 'only elenchus can tell: elenchus bugs DIR replay ID'");
    }
  }

  void take_answer(size_t number) {
    line(fmt::format("answer=$(printf '%s\\n' \"$said\" | nth {})", number));
    line("[ -n \"$answer\" ] || unclear 'no answer'");
  }

  void wrong_answer(std::string_view wrong) {
    take_answer(one_.finding.check + 1);
    line(fmt::format("[ \"$answer\" != {} ] || shows 'it answers {}'", wrong, wrong));
    line("gone \"it answers $answer\"");
  }

  void marks(const std::vector<solver::TextMark>& marks) {
    std::string patterns;
    for (const solver::TextMark& mark : marks) {
      patterns += fmt::format("{}*{}*", patterns.empty() ? "" : " | ", in_quotes(mark.text));
    }
    if (!patterns.empty()) {
      line(fmt::format("case $said in\n  {}) shows 'its own message says so' ;;\nesac", patterns));
    }
    take_answer(1);
    line("gone \"it answers $answer, without such a message\"");
  }

  void crash() {
    was_ended();
    line("[ $code -lt 128 ] || shows \"it dies, code $code\"");
    constexpr std::string_view kExit = "exited with code ";
    const size_t at = one_.finding.evidence.find(kExit);
    if (at != std::string::npos) {
      line("case $said in *'(error'*) unclear 'it reads something else' ;; esac");
      line("[ -n \"$(printf '%s\\n' \"$said\" | nth 1)\" ] || shows 'it ends without an answer'");
    }
    marks(one_.solver.profile->crashes);
  }

  // By a user or for want of memory: SIGINT, SIGKILL, SIGTERM.
  void was_ended() {
    line("case $code in 130 | 137 | 143) unclear \"it was ended, code $code\" ;; esac");
  }

  // Asks the solver about a text, which is in the variable `question`, as it was asked before. What
  // comes after an error would be answered all the same.
  void ask_itself() {
    line("room=$(mktemp -d) || unclear 'no place for a question'");
    line("printf '%s\\n' \"$question\" > \"$room/question.smt2\"");
    line(fmt::format("heard=$({} 2>&1)",
                     invocation(one_.call, "\"$solver\"", "\"$room/question.smt2\"")));
    line("rm -r \"$room\"");
    line(
        "case $heard in *'(error'* | *rror:* | *unsupported*)\n"
        "  unclear 'another output than before, about which it cannot be asked' ;;\nesac");
    line("answer=$(printf '%s\\n' \"$heard\" | nth 1)");
  }

  void take_rest(std::string_view answer) {
    line(fmt::format("rest=\"$nl$said\"\nrest=${{rest##*\"${{nl}}{}$nl\"}}", answer));
  }

  void wrong_model() {
    take_answer(std::max<size_t>(count_of(one_.told, "(check-sat"), 1));
    line("[ \"$answer\" = sat ] || gone \"it answers $answer\"");
    take_rest("sat");
    line(fmt::format("wrong=$(cat {})", kWrongModel));
    line(fmt::format(
        "[ \"$rest\" != \"$wrong\" ] || shows {}",
        in_quotes("under this model, " + std::string(base::first_line(one_.finding.evidence)))));
    std::string before;
    std::string after;
    if (!split_for_model(before, after)) return line("unclear 'another model than before'");
    // The lines between the first and the last define the functions.
    line("values=${rest#*\"$nl\"}\nvalues=${values%\"$nl\")*}");
    line(fmt::format("question={}$values\"$nl\"{}", in_quotes(before), in_quotes(after)));
    ask_itself();
    line("[ \"$answer\" != sat ] || gone 'the assertions hold with the values of this model'");
    line(
        "[ \"$answer\" != unsat ] || shows 'asked with the values of this model, it answers "
        "unsat'");
    line("unclear 'another model than before'");
  }

  // What the values of a model stand between; false where a model is not of the whole script.
  bool split_for_model(std::string& before, std::string& after) const {
    for (const std::string_view command : commands_of(one_.told)) {
      // Elements of a declared sort have names that mean nothing elsewhere.
      if (starts_with_any(command,
                          {"(push", "(pop", "(check-sat-assuming", "(reset", "(declare-sort"})) {
        return false;
      }
      if (starts_with_any(command, {"(declare-fun", "(declare-const", "(set-option"})) continue;
      const bool is_after = starts_with_any(command, {"(assert", "(check-sat", "(define-fun"});
      (is_after ? after : before) += command;
    }
    return count_of(after, "(check-sat") == 1;
  }

  // The reply comes before the answer; another one is judged by the solver itself, which is asked
  // whether it has the right value under the assignment.
  void wrong_rewrite() {
    look_for_reply();
    const std::string& doubt = one_.finding.doubt;
    const size_t place = doubt.find("{}");
    if (place == std::string::npos) return line("unclear 'another term than before'");
    // What comes after an error would be answered all the same.
    line("case $said in *'(error'* | *rror:*) unclear 'no reply that can be judged' ;; esac");
    line("reply=${said%\"$nl\"*}");
    line(fmt::format("question={}$reply{}", in_quotes(doubt.substr(0, place)),
                     in_quotes(doubt.substr(place + 2))));
    ask_itself();
    line("[ \"$answer\" != unsat ] || gone 'another term than before, with the right value'");
    line("[ \"$answer\" != sat ] || shows 'another term than before, with a wrong value'");
    line("unclear 'another term than before'");
  }

  // The value comes after the model.
  void wrong_value() {
    take_answer(std::max<size_t>(count_of(one_.told, "(check-sat"), 1));
    line("[ \"$answer\" = sat ] || gone \"it answers $answer\"");
    look_for_reply();
    std::string model = one_.finding.witness;
    while (model.ends_with('\n')) model.pop_back();
    line(fmt::format("case \"$nl$said\" in *{}*) gone 'another value in the same model' ;; esac",
                     in_quotes("\nsat\n" + model + "\n")));
    line("unclear 'another model than before'");
  }

  void look_for_reply() {
    line(fmt::format("wrong=$(cat {})", kWrongReply));
    line(fmt::format("case \"$nl$said$nl\" in *\"$nl$wrong$nl\"*) shows {} ;; esac",
                     in_quotes(base::first_line(one_.finding.claim))));
  }

  void wrong_core() {
    take_answer(1);
    line("[ \"$answer\" = unsat ] || gone \"it answers $answer\"");
    take_rest("unsat");
    line("rest=${rest#*(}\nrest=${rest%)*}");
    line("names=' '\nfor name in $rest; do names=\"$names$name \"; done");
    line(fmt::format("[ \"$names\" != {} ] || shows \"the core$names\"",
                     in_quotes(words_of(one_.core))));
    line("question=");
    for (const std::string_view command : commands_of(one_.told)) {
      const size_t at = command.rfind(":named ");
      const bool is_named = command.starts_with("(assert") && at != std::string_view::npos;
      if (!is_named) {
        line(fmt::format("question=$question{}", in_quotes(command)));
        continue;
      }
      const std::string_view name = command.substr(at + 7, command.find(')', at) - at - 7);
      line(fmt::format("case $names in *{}*) question=$question{} ;; esac",
                       in_quotes(fmt::format(" {} ", name)), in_quotes(command)));
    }
    ask_itself();
    line("[ \"$answer\" != sat ] || shows \"it answers sat to its core$names\"");
    line("[ \"$answer\" != unsat ] || gone \"it answers unsat to its core$names\"");
    line("unclear 'another core than before'");
  }

  void wrong_optimum() {
    take_answer(std::max<size_t>(count_of(one_.told, "(check-sat"), 1));
    line("[ \"$answer\" = sat ] || gone \"it answers $answer\"");
    take_rest("sat");
    std::string wrong = one_.objectives;
    while (wrong.ends_with('\n')) wrong.pop_back();
    line(fmt::format("[ \"$rest\" != {} ] || shows {}", in_quotes(wrong),
                     in_quotes(base::first_line(one_.finding.claim))));
    line("unclear 'other values than before'");
  }

  // The result stands before the answer.
  void wrong_elimination() {
    std::string wrong = one_.finding.reply;
    while (wrong.ends_with('\n')) wrong.pop_back();
    line(fmt::format("case $said in\n  {}*) shows {} ;;\nesac", in_quotes(wrong),
                     in_quotes(base::first_line(one_.finding.claim))));
    line("unclear 'another result than before'");
  }

  void two_answers() {
    const size_t checks = std::max<size_t>(count_of(one_.told, "(check-sat"), 1);
    const bool has_variant = !one_.variant.empty();
    take_answer(has_variant ? checks : one_.finding.check + 1);
    if (has_variant) {
      line(fmt::format("said=$({} 2>&1)", invocation(one_.call, "\"$solver\"", "variant.smt2")));
    } else if (one_.other) {
      const Call other = call_of(*one_.other, one_.told);
      const bool is_same = other.program == one_.call.program;
      const std::string program = is_same ? "\"$solver\"" : base::shell_word(other.program);
      line(fmt::format("said=$({} 2>&1)", invocation(other, program, "reduced.smt2")));
    } else {
      return line("unclear 'it takes more than one question'");
    }
    line("printf '%s\\n' \"$said\"");
    line(fmt::format("other=$(printf '%s\\n' \"$said\" | nth {})", one_.finding.check + 1));
    line(
        "case \"$answer $other\" in\n"
        "  'sat unsat' | 'unsat sat') shows \"$answer and $other\" ;;\n"
        "  *' ') unclear 'no second answer' ;;\n"
        "esac");
    line("gone \"$answer and $other\"");
  }

  void slow() {
    const auto limit = static_cast<uint64_t>(std::ceil(std::max(one_.seconds, 1.0)));
    line(fmt::format("{} &", invocation(one_.call, "\"$solver\"", "reduced.smt2")));
    line(fmt::format("pid=$!\n(sleep {}; kill $pid) > /dev/null 2>&1 &", limit));
    line("watch=$!\nwait $pid\ncode=$?\nkill $watch 2> /dev/null");
    line("[ $code -ne 126 ] && [ $code -ne 127 ] || unclear \"no program $solver\"");
    line(fmt::format("[ $code -ne 143 ] || shows 'no answer after {} s'", limit));
    line("[ $code -lt 128 ] || unclear \"it dies, code $code\"");
    line("gone 'it answers in time'");
  }

  const Indictment& one_;
  Kind kind_;
  std::string text_;
};

// What a term is rewritten to is asked before anything is asserted; its value, after the model.
std::string with_question(const std::string& script, const oracle::Finding& finding) {
  if (finding.kind == Kind::kWrongValue) {
    return "(set-option :produce-models true)\n" + script + "(get-model)\n" + finding.question +
           "\n";
  }
  const bool is_first = script.starts_with("(assert");
  const size_t place = is_first ? 0 : script.find("\n(assert");
  if (place == std::string::npos) return script + finding.question + "\n";
  const size_t at = is_first ? 0 : place + 1;
  return script.substr(0, at) + finding.question + "\n" + script.substr(at);
}

bool has_question(const oracle::Finding& finding) {
  return !finding.question.empty() && finding.kind != Kind::kRefutationUnsound;
}

std::string asking(const std::string& script, Requests requests) {
  constexpr std::string_view kModels = "(set-option :produce-models true)\n";
  constexpr std::string_view kCores = "(set-option :produce-unsat-cores true)\n";
  switch (requests) {
    case Requests::kModels: return std::string(kModels) + script;
    case Requests::kShownModel: return std::string(kModels) + script + "(get-model)\n";
    case Requests::kShownCore: return std::string(kCores) + script + "(get-unsat-core)\n";
    case Requests::kNone: break;
  }
  return script;
}

// Whether what was printed has the message of the crash, where it has one that can be printed: the
// name of a signal is ours.
bool is_same_place(const oracle::Finding& finding, std::string_view printed) {
  if (!record::info(finding.kind).has(record::kHasPlace)) return true;
  const std::string_view message = base::first_line(finding.evidence);
  const bool is_ours = starts_with_any(message, {"SIG", "signal ", "exit"});
  return is_ours || printed.find(message) != std::string_view::npos;
}

}  // namespace

Call call_of(const solver::Solver& solver, std::string_view script) {
  return call_with(solver, solver::needs_of(script));
}

std::string shell_command(const Call& call, std::string_view file, Naming naming) {
  const std::string program = naming == Naming::kPath
                                  ? call.program
                                  : std::filesystem::path(call.program).filename().string();
  return invocation(call, base::shell_word(program), file);
}

std::string with_requests(const Indictment& indictment) {
  const oracle::Finding& finding = indictment.finding;
  const std::string& script = indictment.told;
  if (has_question(finding)) return with_question(script, finding);
  switch (record::info(finding.kind).shows) {
    case Shows::kCore: return asking(script, Requests::kShownCore);
    case Shows::kModel: return asking(script, Requests::kShownModel);
    case Shows::kObjectives: return script + "(get-objectives)\n";
    case Shows::kTerm:
    case Shows::kAnswer: break;
  }
  return asking(script, indictment.requests);
}

std::vector<Requests> requests_for(const oracle::Finding& finding) {
  const bool is_answer = record::info(finding.kind).shows == Shows::kAnswer;
  if (!is_answer || has_question(finding)) return {Requests::kNone};
  return {Requests::kNone, Requests::kModels, Requests::kShownModel, Requests::kShownCore};
}

std::vector<store::RecordFile> repro_files(const Indictment& indictment) {
  const Kind kind = indictment.finding.kind;
  std::vector<store::RecordFile> files = {{"reduced.smt2", with_requests(indictment)}};
  if (!indictment.variant.empty()) files.push_back({"variant.smt2", indictment.variant});
  if (kind == Kind::kInvalidModel) {
    files.push_back({std::string(kWrongModel), indictment.finding.witness});
  }
  if (record::info(kind).shows == Shows::kTerm) {
    const std::string before =
        kind == Kind::kWrongValue ? "sat\n" + indictment.finding.witness : std::string();
    files.push_back({std::string(kWrongReply), before + indictment.finding.reply});
  }
  files.push_back({"repro.sh", Script(indictment).text(), true});
  return files;
}

Call plainest_call(const Call& call, size_t own, const std::function<bool(const Call&)>& shows) {
  Call best = call;
  const size_t given = call.options.size() - std::min(own, call.options.size());
  Call bare = call;
  bare.by_file = true;
  bare.options.erase(bare.options.begin(),
                     bare.options.begin() + static_cast<std::ptrdiff_t>(given));
  if (shows(bare) && shows(bare)) return bare;
  Call by_file = call;
  by_file.by_file = true;
  if (!call.by_file && shows(by_file)) best = by_file;
  for (size_t i = 0, left = given; i < left;) {
    Call fewer = best;
    fewer.options.erase(fewer.options.begin() + static_cast<std::ptrdiff_t>(i));
    if (shows(fewer)) {
      best = std::move(fewer);
      --left;
    } else {
      ++i;
    }
  }
  return best == call || shows(best) ? best : call;
}

bool shows_by_script(const Indictment& indictment, const Call& call,
                     const solver::RunLimits& limits, lab::Expense& expense) {
  constexpr double kQuestions = 3;  // that repro.sh asks at most, and the shell itself
  Indictment changed = indictment;
  changed.call = call;
  const ShortLivedFolder folder;
  if (!folder.put(repro_files(changed))) return false;
  const auto run = run_briefly({"/bin/sh", (folder.path() / "repro.sh").string()},
                               limits.seconds * kQuestions + 1, limits, expense);
  return run && run->exit.code == 1 && is_same_place(indictment.finding, run->out);
}

}  // namespace elenchus::docket
