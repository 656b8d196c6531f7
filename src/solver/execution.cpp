// One query, part by part: the text up to and with a check-sat, then an echo of a sentinel. What
// stands before the sentinel in the output belongs to that part, so nothing has to be guessed about
// when a solver has finished. Models and cores are asked for in the same way, where there is one.

#include "solver/execution.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <utility>

#include "base/clock.h"
#include "ir/habits.h"
#include "solver/query.h"
#include "solver/readership.h"

namespace elenchus::solver {
namespace {

using proc::Clock;
using proc::Stop;

// How long a process may take to exit after its last answer.
constexpr double kExitSeconds = 2;

constexpr std::string_view kCheckByTactic = "(check-sat-using ";

constexpr std::string_view kSortParameter = "(declare-sort-parameter ";

bool has_habit(const Profile& profile, ir::Habit habit) {
  return ir::has_habit(reader_of(profile, {}), habit);
}

// Where the command ends with which the text begins.
size_t end_of_command(std::string_view text) {
  size_t open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')' && --open == 0) return i + 1;
    const char closing = text[i] == '|' || text[i] == '"' ? text[i] : text[i] == ';' ? '\n' : '\0';
    if (closing != '\0') i = std::min(text.find(closing, i + 1), text.size() - 1);
  }
  return text.size();
}

// Lines that are about objectives; a command goes on to its end.
constexpr std::string_view kObjectiveLines[] = {"(maximize ", "(minimize ", "(assert-soft ",
                                                "(set-option :opt."};

bool starts_objective(std::string_view text) {
  return std::any_of(std::begin(kObjectiveLines), std::end(kObjectiveLines),
                     [&](std::string_view start) { return text.starts_with(start); });
}

bool has_objectives(std::string_view text) {
  return std::any_of(
      std::begin(kObjectiveLines), std::end(kObjectiveLines),
      [&](std::string_view start) { return text.find(start) != std::string_view::npos; });
}

bool is_taken_as_it_is(const Profile& profile, std::string_view text) {
  if (!profile.has_set_option || !profile.has_declare_const) return false;
  if (!profile.has_objectives && has_objectives(text)) return false;
  const auto has = [&](std::string_view command) {
    return text.find(command) != std::string_view::npos;
  };
  if (has(kSortParameter) && has_habit(profile, ir::Habit::kTypeVariables)) return false;
  return !has(kCheckByTactic) || has_habit(profile, ir::Habit::kTactics);
}

// Text for a solver that knows less than SMT-LIB, or has no tactics or objectives. Commands start
// on lines of their own.
std::string adapted(const Profile& profile, std::string_view text) {
  constexpr std::string_view kDeclareConst = "(declare-const ";
  const bool has_tactics = has_habit(profile, ir::Habit::kTactics);
  const bool has_type_variables = has_habit(profile, ir::Habit::kTypeVariables);
  std::string result;
  while (!text.empty()) {
    if (!has_tactics && text.starts_with(kCheckByTactic)) {
      result += "(check-sat)";
      text.remove_prefix(end_of_command(text));
      continue;
    }
    if (!profile.has_objectives && starts_objective(text)) {
      text.remove_prefix(end_of_command(text));
      continue;
    }
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (!profile.has_set_option && line.starts_with("(set-option ")) continue;
    if (has_type_variables && line.starts_with(kSortParameter)) {
      result += "(declare-type-var ";
      line.remove_prefix(kSortParameter.size());
    }
    if (!profile.has_declare_const && line.starts_with(kDeclareConst)) {
      line.remove_prefix(kDeclareConst.size());
      const size_t quoted = line.starts_with('|') ? line.find('|', 1) : 0;
      const size_t space = line.find(' ', quoted == std::string_view::npos ? 0 : quoted);
      if (space != std::string_view::npos) {
        result.append("(declare-fun ").append(line.substr(0, space)).append(" ()");
        line.remove_prefix(space);
      }
    }
    result += line;
  }
  return result;
}

bool is_all_space(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string_view last_command(std::string_view part) {
  const size_t line = part.rfind("\n(check-sat");
  return line == std::string_view::npos ? part : part.substr(line + 1);
}

std::string_view plain_line(std::string_view said) {
  if (said.ends_with('\n')) said.remove_suffix(1);
  if (said.ends_with('\r')) said.remove_suffix(1);
  return said;
}

// Whether an error message only repeats a name that reads like a crash.
bool is_of_a_name(const Profile& profile, const Reading& reading, std::string_view text) {
  if (!reading.has_error()) return false;
  const std::string rest =
      without_quoted_names(reading.error) + std::string(text.substr(reading.error.size()));
  return classify(profile, rest).complaint != Complaint::kCrash;
}

}  // namespace

std::string recital(const Profile& profile, const Query& query) {
  std::string text = adapted(profile, query.text);
  if (!text.ends_with('\n')) text += '\n';
  return text + "(exit)\n";
}

Execution::Execution(const Profile& profile, proc::Process& process, const RunLimits& limits,
                     uint64_t& sentinels)
    : profile_(profile), process_(process), limits_(limits), sentinels_(sentinels) {
  process_.clear_output();
  cpu_start_ = process_.cpu_seconds();
}

// Part by part, with `prologue` before the first one.
void Execution::converse(const Query& query, std::string_view prologue) {
  const std::string_view text = query.text;
  std::string part(prologue);
  size_t start = 0;
  for (const uint32_t end : query.check_ends) {
    const std::string_view piece = text.substr(start, end - start);
    start = end;
    append(part, piece);
    if (!check(part)) return;
    part.clear();
    if (!ask_more(query, last_command(piece))) return;
  }
  const std::string_view rest = text.substr(start);
  if (is_all_space(rest) && !query.check_ends.empty()) return;
  append(part, rest);
  epilogue(part);
}

// Everything at once, to the end of the process.
void Execution::recite(const Query& query) {
  const double checks = static_cast<double>(std::max<size_t>(query.check_ends.size(), 1));
  if (!profile_.input_is_file) process_.send(recital(profile_, query));
  process_.close_input();
  const Stop stop = process_.wait({.line = {},
                                   .deadline = base::steady_after(limits_.seconds * checks),
                                   .memory = limits_.memory,
                                   .output = limits_.output});
  const std::string_view output = process_.out();
  const Reading reading = read_output(profile_, output);
  size_t from = 0;
  for (const Reading::Answer& answer : reading.answers) {
    if (reading.has_error() && reading.error_at < answer.at) break;
    const size_t end = std::min(output.find('\n', answer.at), output.size());
    answered(answer.outcome, std::string(output.substr(from, end - from)),
             base::seconds_since(start_));
    from = end;
  }
  run_.out = output;
  if (stop == Stop::kEnded) process_.kill();
  const bool complete = run_.checks.size() >= query.check_ends.size();
  settle(stop, reading, complete);
}

// Waits for the end of a process that has answered: it may still crash.
void Execution::part_with() {
  if (!process_.is_open() || is_over_) return;
  process_.send("(exit)\n");
  process_.close_input();
  const size_t shown = process_.out().size();
  const Stop stop =
      process_.wait({.line = {},
                     .deadline = base::steady_after(std::max(limits_.seconds, kExitSeconds)),
                     .memory = limits_.memory,
                     .output = limits_.output});
  run_.out += std::string_view(process_.out()).substr(shown);
  if (stop != Stop::kEnded) {
    if (run_.message.empty()) run_.message = "did not exit after its answer";
    process_.kill();
    return;
  }
  const proc::Exit exit = process_.kill();
  const Classified said = classify(profile_, process_.err());
  if (said.complaint == Complaint::kUnsupported) return;
  if (said.complaint == Complaint::kCrash || (exit.signal != 0 && exit.signal != SIGKILL)) {
    crash(said.complaint == Complaint::kCrash ? said.message : signal_message(exit.signal));
  }
}

Run Execution::finish() {
  run_.seconds = base::seconds_since(start_);
  run_.err = process_.err();
  run_.cpu_seconds = std::max(process_.cpu_seconds() - cpu_start_, 0.0);
  if (!process_.is_open()) {
    const proc::Exit exit = process_.kill();
    run_.exit_code = exit.code;
    run_.signal = exit.signal;
  }
  return std::move(run_);
}

void Execution::append(std::string& part, std::string_view text) const {
  if (is_taken_as_it_is(profile_, text)) {
    part += text;
  } else {
    part += adapted(profile_, text);
  }
}

// Sends a text and a sentinel, and gives what the process printed in between.
Stop Execution::exchange(std::string_view text, std::string& said) {
  const size_t from = process_.out().size();
  char number[24];
  const auto end = std::to_chars(number, number + sizeof number, ++sentinels_).ptr;
  std::string sentinel = "elenchus-";
  sentinel.append(number, end);
  process_.send(text);
  process_.send("\n(echo \"");
  process_.send(sentinel);
  process_.send("\")\n");
  const Stop stop = process_.wait({.line = sentinel,
                                   .deadline = base::steady_after(limits_.seconds),
                                   .memory = limits_.memory,
                                   .output = limits_.output});
  if (stop == Stop::kEnded) process_.kill();  // first, for what it wrote last
  std::string_view output = std::string_view(process_.out()).substr(from);
  if (stop == Stop::kFound) output = output.substr(0, output.rfind(sentinel));
  if (stop == Stop::kFound && output.ends_with('"')) output.remove_suffix(1);
  said = output;
  run_.out += said;
  return stop;
}

// One check. False when the run is over.
bool Execution::check(std::string_view text) {
  const Clock::time_point start = Clock::now();
  std::string said;
  const Stop stop = exchange(text, said);
  // The usual case needs no reading.
  if (stop == Stop::kFound && process_.err().size() == err_read_) {
    if (const auto answer = read_answer(profile_, plain_line(said))) {
      return answered(*answer, std::move(said), base::seconds_since(start));
    }
  }
  const Reading reading = read_output(profile_, said);
  const bool has_answer = !reading.answers.empty() &&
                          (!reading.has_error() || reading.answers[0].at < reading.error_at);
  if (has_answer) answered(reading.answers[0].outcome, said, base::seconds_since(start));
  const size_t count = run_.checks.size();
  const bool goes_on = settle(stop, reading, has_answer);
  if (run_.checks.size() > count) {
    run_.checks.back().output = said;
    run_.checks.back().seconds = base::seconds_since(start);
  }
  return goes_on;
}

bool Execution::answered(Outcome outcome, std::string output, double seconds) {
  run_.outcome = outcome;
  CheckResult& result = run_.checks.emplace_back();
  result.outcome = outcome;
  result.output = std::move(output);
  result.seconds = seconds;
  return true;
}

// Commands after the last check. Only their failure is of interest.
void Execution::epilogue(std::string_view text) {
  std::string said;
  const Stop stop = exchange(text, said);
  const Reading reading = read_output(profile_, said);
  if (run_.checks.empty() || reading.has_error() || stop != Stop::kFound) {
    settle(stop, reading, !run_.checks.empty() || stop == Stop::kFound);
  }
}

// What to ask after an answer. False when the run is over.
bool Execution::ask_more(const Query& query, std::string_view command) {
  CheckResult& result = run_.checks.back();
  if (query.want_models && profile_.has_models && result.outcome == Outcome::kSat) {
    if (!ask("(get-model)", result.model)) return false;
  }
  if (query.want_objectives && profile_.has_objectives && result.outcome == Outcome::kSat) {
    if (!ask("(get-objectives)", result.objectives)) return false;
  }
  if (query.want_cores && profile_.has_cores && result.outcome == Outcome::kUnsat) {
    if (!ask("(get-unsat-core)", result.core)) return false;
    if (command.starts_with("(check-sat-assuming") &&
        !ask("(get-unsat-assumptions)", result.assumptions)) {
      return false;
    }
  }
  const bool may_prove = query.want_proofs && result.outcome == Outcome::kUnsat;
  if (may_prove && !ask("(get-proof)", result.proof)) return false;
  if (query.want_statistics && profile_.has_statistics &&
      !ask("(get-info :all-statistics)", result.statistics)) {
    return false;
  }
  const bool is_last = run_.checks.size() == query.check_ends.size();
  const bool makes_sense = result.outcome == Outcome::kSat || !query.questions_need_model;
  if (query.questions.empty() || !is_last || !makes_sense) return true;
  return ask_all(query.questions);
}

// Each question with an echo after it, so that nothing has to be guessed about which reply is
// whose. What a solver does not like is a reply, too.
bool Execution::ask_all(const std::vector<std::string>& questions) {
  for (const std::string& question : questions) {
    if (!suits(question, run_.checks.back().outcome)) continue;
    std::string said;
    const Stop stop = exchange(question, said);
    run_.checks.back().output += said;
    const bool is_quiet = stop == Stop::kFound && process_.err().size() == err_read_;
    if (!is_quiet && !settle(stop, {}, true)) return false;
    run_.checks.back().replies.push_back(std::move(said));
  }
  return true;
}

// Asks for something about the last answer. That it has none is no failure.
bool Execution::ask(std::string_view request, std::string& into) {
  std::string said;
  const Stop stop = exchange(request, said);
  run_.checks.back().output += said;
  const bool is_refused = said.starts_with("(error") || said.starts_with("unsupported");
  if (stop == Stop::kFound && !is_refused && process_.err().size() == err_read_) {
    into = std::move(said);
    return true;
  }
  Reading reading;
  if (is_refused) reading = read_output(profile_, said);
  if (!is_refused && stop == Stop::kFound) into = std::move(said);
  return settle(stop, reading, true);
}

// Draws the conclusions where something is out of the ordinary. `has_answer`: to the last check;
// what came after it may still change the verdict. False when the run is over.
bool Execution::settle(Stop stop, const Reading& reading, bool has_answer) {
  std::string text(reading.error);
  for (const std::string_view line : reading.others) text.append("\n").append(line);
  text.append("\n").append(process_.err());
  std::string_view skipped =
      find_skipped(profile_, std::string_view(process_.err()).substr(err_read_));
  err_read_ = process_.err().size();
  // Bitwuzla warns on standard output. Beside an answer there stand no names of the script.
  for (size_t i = 0; has_answer && skipped.empty() && i < reading.others.size(); ++i) {
    if (!reading.answers.empty()) skipped = find_skipped(profile_, reading.others[i]);
  }
  const Classified said = classify(profile_, text);
  const bool ended = stop == Stop::kEnded;
  const proc::Exit exit = ended ? process_.kill() : proc::Exit();
  is_over_ = stop != Stop::kFound;

  switch (said.complaint) {
    case Complaint::kUnsupported:
      // It may die of what it does not support after its answer, too: that is no crash.
      if (has_answer && !skipped.empty()) return disown(said.message);
      if (has_answer && ended) return false;
      if (has_answer) break;
      return reject(said.message);
    case Complaint::kSelfCheck:
      run_.self_check = said.message;
      if (!has_answer) vote(said.answer);
      return !is_over_;
    case Complaint::kMemout:
      if (has_answer && is_decided(run_.outcome) && exit.signal == 0) break;
      return over(Outcome::kMemout, said.message);
    case Complaint::kTimeout:
      if (has_answer && is_decided(run_.outcome)) break;
      return over(Outcome::kTimeout, said.message);
    case Complaint::kCrash:
      if (is_of_a_name(profile_, reading, text)) break;
      return crash(said.message);
    case Complaint::kNone: break;
  }
  switch (stop) {
    case Stop::kTime: return over(Outcome::kTimeout, {});
    case Stop::kMemory: return over(Outcome::kMemout, {});
    case Stop::kOutput:
      run_.output_limit = true;
      if (!has_answer) run_.outcome = Outcome::kUnknown;
      run_.message = "wrote more than it may";
      return false;
    case Stop::kEnded: return ended_early(exit, reading, has_answer);
    case Stop::kFound: break;
  }
  if (!skipped.empty()) {
    std::string message = "unsupported: " + std::string(skipped);
    return has_answer ? disown(std::move(message)) : reject(std::move(message));
  }
  if (has_answer) return true;
  if (reading.has_error()) return reject(first_line(reading.error));
  run_.outcome = Outcome::kUnknown;
  run_.message = "no answer";
  run_.checks.push_back({});
  return true;
}

// The process ended though more was to be said.
bool Execution::ended_early(const proc::Exit& exit, const Reading& reading, bool has_answer) {
  if (exit.signal == SIGKILL) {
    return over(Outcome::kMemout, "killed from outside, perhaps because memory ran out");
  }
  if (exit.signal != 0) return crash(signal_message(exit.signal));
  if (has_answer) return false;
  if (reading.has_error()) return reject(first_line(reading.error));
  if (exit.killed) return crash("closed its output before it answered");
  std::string complaint = first_line(process_.err());
  if (complaint.empty() && !reading.others.empty()) complaint = reading.others[0];
  if (exit.code != 0 && !complaint.empty()) return reject(complaint);
  return crash("exited with code " + std::to_string(exit.code) + " before it answered");
}

std::string Execution::signal_message(int signal) const {
  const std::string line = first_telling_line(profile_, process_.err());
  return signal_name(signal) + (line.empty() ? "" : ": " + line);
}

void Execution::vote(std::string_view answer) {
  if (const auto outcome = read_answer(profile_, answer)) answered(*outcome, {}, 0);
}

bool Execution::over(Outcome outcome, std::string message) {
  run_.outcome = outcome;
  run_.message = std::move(message);
  is_over_ = true;
  return false;
}

// What it answered was another question; all of them where it answers only at its end.
bool Execution::disown(std::string message) {
  if (!profile_.is_interactive) run_.checks.clear();
  if (!run_.checks.empty()) run_.checks.pop_back();
  return reject(std::move(message));
}

bool Execution::reject(std::string message) {
  over(Outcome::kRejected, std::move(message));
  // It may still live, and do better with the next query.
  is_over_ = !process_.is_open();
  return false;
}

void await_start(const Profile& profile, proc::Process& process) {
  constexpr std::string_view kReady = "elenchus-reads";
  if (profile.start_seconds <= 0 || !profile.is_interactive) return;
  process.send("(echo \"" + std::string(kReady) + "\")\n");
  process.wait(
      {.line = kReady, .deadline = base::steady_after(profile.start_seconds), .output = 1 << 20});
}

}  // namespace elenchus::solver
