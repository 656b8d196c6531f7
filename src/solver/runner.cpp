// One query, part by part: the text up to and with a check-sat, then an echo of a sentinel. What
// stands before the sentinel in the output belongs to that part, so nothing has to be guessed about
// when a solver has finished. Models and cores are asked for in the same way, where there is one.
//
// A session is one process that gets query after query with (reset) between them. What fails in a
// session that has seen other queries is run again in a process of its own.
//
// A runner of fresh processes takes children of a fork server where its launch hook says that the
// program is instrumented: as fresh as a new process, in that no query has been there before, and
// cheaper. What has to be beyond doubt, such as a confirmation, runs without that hook: addresses
// and what depends on them are the same in all children of a server.

#include <algorithm>
#include <charconv>
#include <csignal>
#include <optional>

#include "proc/fork_servers.h"
#include "solver/reading.h"
#include "solver/solver.h"

namespace elenchus::solver {
namespace {

using proc::Clock;
using proc::Stop;

// How long a process may take to exit after its last answer.
constexpr double kExitSeconds = 2;
// Between two looks at the memory of a session.
constexpr uint32_t kMemoryLook = 64;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6)));
}

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool needs_incremental(const Query& query) {
  return query.check_ends.size() > 1 || query.text.find("\n(push ") != std::string::npos;
}

// Text for a solver that knows less than SMT-LIB. Commands start on lines of their own.
std::string adapted(const Profile& profile, std::string_view text) {
  constexpr std::string_view kDeclareConst = "(declare-const ";
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (!profile.has_set_option && line.starts_with("(set-option ")) continue;
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

// The whole query, for a solver that reads it at once.
std::string recital(const Profile& profile, const Query& query) {
  std::string text = adapted(profile, query.text);
  if (!text.ends_with('\n')) text += '\n';
  return text + "(exit)\n";
}

bool is_all_space(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The options that a query sets, which outlive it where (reset) keeps them.
std::string_view option_lines(std::string_view text) {
  size_t end = 0;
  while (text.substr(end).starts_with("(set-option ")) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  return text.substr(0, end);
}

// "--nl-ext=light", "--no-nl-cov" or "--nl-cov" as a command.
std::string set_option_command(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  const size_t equals = option.find('=');
  std::string_view value = "true";
  if (equals != std::string_view::npos) {
    value = option.substr(equals + 1);
  } else if (option.starts_with("no-")) {
    value = "false";
    option.remove_prefix(3);
  }
  std::string command = "(set-option :";
  command.append(option.substr(0, equals)).append(" ").append(value).append(")\n");
  return command;
}

std::string_view last_command(std::string_view part) {
  const size_t line = part.rfind("\n(check-sat");
  return line == std::string_view::npos ? part : part.substr(line + 1);
}

}  // namespace

struct Runner::State {
  Solver host;
  Solver solver;                       // the host with the options of set_options()
  std::string prologue = "(reset)\n";  // of queries in a session
  bool fresh;
  LaunchHook hook;
  proc::ForkServers servers;  // for fresh runs
  std::optional<proc::Process> session;
  std::string session_options;  // that its queries have set
  uint32_t queries = 0;         // that the session has begun
  uint64_t sentinels = 0;
};

namespace {

// Runs one query on one process.
class Execution {
 public:
  Execution(const Profile& profile, proc::Process& process, const RunLimits& limits,
            uint64_t& sentinels)
      : profile_(profile), process_(process), limits_(limits), sentinels_(sentinels) {
    process_.clear_output();
    cpu_start_ = process_.cpu_seconds();
  }

  // Part by part, with `prologue` before the first one.
  void converse(const Query& query, std::string_view prologue) {
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
  void recite(const Query& query) {
    const double checks = static_cast<double>(std::max<size_t>(query.check_ends.size(), 1));
    if (!profile_.input_is_file) process_.send(recital(profile_, query));
    process_.close_input();
    const Stop stop = process_.wait({.line = {},
                                     .deadline = after(limits_.seconds * checks),
                                     .memory = limits_.memory,
                                     .output = limits_.output});
    const std::string_view output = process_.out();
    const Reading reading = read_output(profile_, output);
    size_t from = 0;
    for (const Reading::Answer& answer : reading.answers) {
      if (reading.has_error() && reading.error_at < answer.at) break;
      const size_t end = std::min(output.find('\n', answer.at), output.size());
      answered(answer.outcome, std::string(output.substr(from, end - from)), since(start_));
      from = end;
    }
    run_.out = output;
    if (stop == Stop::kEnded) process_.kill();
    const bool complete = run_.checks.size() >= query.check_ends.size();
    settle(stop, reading, complete);
  }

  // Waits for the end of a process that has answered: it may still crash.
  void part_with() {
    if (!process_.is_open() || is_over_) return;
    process_.send("(exit)\n");
    process_.close_input();
    const size_t shown = process_.out().size();
    const Stop stop = process_.wait({.line = {},
                                     .deadline = after(std::max(limits_.seconds, kExitSeconds)),
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

  Run finish() {
    run_.seconds = since(start_);
    run_.err = process_.err();
    run_.cpu_seconds = std::max(process_.cpu_seconds() - cpu_start_, 0.0);
    if (!process_.is_open()) {
      const proc::Exit exit = process_.kill();
      run_.exit_code = exit.code;
      run_.signal = exit.signal;
    }
    return std::move(run_);
  }

 private:
  void append(std::string& part, std::string_view text) const {
    if (profile_.has_set_option && profile_.has_declare_const) {
      part += text;
    } else {
      part += adapted(profile_, text);
    }
  }

  // Sends a text and a sentinel, and gives what the process printed in between.
  Stop exchange(std::string_view text, std::string& said) {
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
                                     .deadline = after(limits_.seconds),
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
  bool check(std::string_view text) {
    const Clock::time_point start = Clock::now();
    std::string said;
    const Stop stop = exchange(text, said);
    // The usual case needs no reading.
    if (stop == Stop::kFound && process_.err().size() == err_read_) {
      if (const auto answer = read_answer(profile_, plain_line(said))) {
        return answered(*answer, std::move(said), since(start));
      }
    }
    const Reading reading = read_output(profile_, said);
    const bool has_answer = !reading.answers.empty() &&
                            (!reading.has_error() || reading.answers[0].at < reading.error_at);
    if (has_answer) answered(reading.answers[0].outcome, said, since(start));
    const size_t count = run_.checks.size();
    const bool goes_on = settle(stop, reading, has_answer);
    if (run_.checks.size() > count) {
      run_.checks.back().output = said;
      run_.checks.back().seconds = since(start);
    }
    return goes_on;
  }

  static std::string_view plain_line(std::string_view said) {
    if (said.ends_with('\n')) said.remove_suffix(1);
    if (said.ends_with('\r')) said.remove_suffix(1);
    return said;
  }

  bool answered(Outcome outcome, std::string output, double seconds) {
    run_.outcome = outcome;
    CheckResult& result = run_.checks.emplace_back();
    result.outcome = outcome;
    result.output = std::move(output);
    result.seconds = seconds;
    return true;
  }

  // Commands after the last check. Only their failure is of interest.
  void epilogue(std::string_view text) {
    std::string said;
    const Stop stop = exchange(text, said);
    const Reading reading = read_output(profile_, said);
    if (run_.checks.empty() || reading.has_error() || stop != Stop::kFound) {
      settle(stop, reading, !run_.checks.empty() || stop == Stop::kFound);
    }
  }

  // What to ask after an answer. False when the run is over.
  bool ask_more(const Query& query, std::string_view command) {
    CheckResult& result = run_.checks.back();
    if (query.want_models && profile_.has_models && result.outcome == Outcome::kSat) {
      if (!ask("(get-model)", result.model)) return false;
    }
    if (query.want_cores && profile_.has_cores && result.outcome == Outcome::kUnsat) {
      if (!ask("(get-unsat-core)", result.core)) return false;
      if (command.starts_with("(check-sat-assuming") &&
          !ask("(get-unsat-assumptions)", result.assumptions)) {
        return false;
      }
    }
    if (query.want_statistics && profile_.has_statistics) {
      return ask("(get-info :all-statistics)", result.statistics);
    }
    return true;
  }

  // Asks for something about the last answer. That it has none is no failure.
  bool ask(std::string_view request, std::string& into) {
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
  bool settle(Stop stop, const Reading& reading, bool has_answer) {
    std::string text(reading.error);
    for (const std::string_view line : reading.others) text.append("\n").append(line);
    text.append("\n").append(process_.err());
    const std::string_view skipped =
        find_skipped(std::string_view(process_.err()).substr(err_read_));
    err_read_ = process_.err().size();
    const Classified said = classify(profile_, text);
    const bool ended = stop == Stop::kEnded;
    const proc::Exit exit = ended ? process_.kill() : proc::Exit();
    is_over_ = stop != Stop::kFound;

    switch (said.complaint) {
      case Complaint::kUnsupported:
        // It may die of what it does not support after its answer, too: that is no crash.
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
      case Complaint::kCrash: return crash(said.message);
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
      // What it answered was another question.
      if (has_answer && !run_.checks.empty()) run_.checks.pop_back();
      return reject("unsupported: " + std::string(skipped.substr(2)));
    }
    if (has_answer) return true;
    if (reading.has_error()) return reject(first_line(reading.error));
    run_.outcome = Outcome::kUnknown;
    run_.message = "no answer";
    run_.checks.push_back({});
    return true;
  }

  // The process ended though more was to be said.
  bool ended_early(const proc::Exit& exit, const Reading& reading, bool has_answer) {
    if (exit.signal == SIGKILL) {
      return over(Outcome::kMemout, "killed from outside, perhaps for want of memory");
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

  std::string signal_message(int signal) const {
    const std::string line = first_telling_line(profile_, process_.err());
    return signal_name(signal) + (line.empty() ? "" : ": " + line);
  }

  void vote(std::string_view answer) {
    if (const auto outcome = read_answer(profile_, answer)) answered(*outcome, {}, 0);
  }

  bool over(Outcome outcome, std::string message) {
    run_.outcome = outcome;
    run_.message = std::move(message);
    is_over_ = true;
    return false;
  }
  bool crash(std::string message) { return over(Outcome::kCrash, std::move(message)); }

  bool reject(std::string message) {
    over(Outcome::kRejected, std::move(message));
    // It may still live, and do better with the next query.
    is_over_ = !process_.is_open();
    return false;
  }

  const Profile& profile_;
  proc::Process& process_;
  const RunLimits& limits_;
  uint64_t& sentinels_;
  Clock::time_point start_ = Clock::now();
  double cpu_start_ = 0;
  size_t err_read_ = 0;   // of the process's stderr, with nothing new to be said about it
  bool is_over_ = false;  // the process is of no use any more
  Run run_;
};

Run failed_start(const base::Error& error) {
  Run run;
  run.outcome = Outcome::kRejected;
  run.message = error.message;
  return run;
}

// A session empties its memory with each (reset) and fills it again. That glibc would give it back
// to the system meanwhile costs z3 up to 6 ms a query, more than many a query itself.
const std::vector<std::string>& keep_memory() {
  static const std::vector<std::string> settings = {"MALLOC_TRIM_THRESHOLD_=268435456",
                                                    "MALLOC_TOP_PAD_=16777216",
                                                    "MALLOC_MMAP_THRESHOLD_=33554432"};
  return settings;
}

proc::Launch launch_of(const Solver& solver, const Runner::LaunchHook& hook, bool session,
                       const Query& query) {
  proc::Launch launch;
  launch.command = command_line(solver, session, needs_incremental(query));
  if (solver.profile->input_is_file) launch.file = recital(*solver.profile, query);
  if (session) launch.environment = keep_memory();
  if (hook) hook(launch);
  return launch;
}

// `servers`: where to look for a fork server; null for a process of its own in any case.
base::Result<proc::Process> start_fresh(const proc::Launch& launch, proc::ForkServers* servers) {
  if (servers != nullptr) {
    if (auto child = servers->start(launch)) return std::move(*child);
  }
  return proc::Process::start(launch);
}

Run run_fresh(const Solver& solver, const proc::Launch& launch, proc::ForkServers* servers,
              const Query& query, const RunLimits& limits, uint64_t& sentinels) {
  auto process = start_fresh(launch, servers);
  if (!process) return failed_start(process.error());
  Execution execution(*solver.profile, *process, limits, sentinels);
  if (solver.profile->is_interactive) {
    execution.converse(query, "");
    execution.part_with();
  } else {
    execution.recite(query);
  }
  process->kill();
  Run run = execution.finish();
  run.fresh = true;
  return run;
}

}  // namespace

Runner::Runner(const Solver& solver, bool fresh) : state_(std::make_unique<State>()) {
  state_->host = solver;
  state_->solver = solver;
  state_->fresh = fresh || !solver.profile->has_sessions;
}
Runner::~Runner() = default;
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;

void Runner::set_launch_hook(LaunchHook hook) { state_->hook = std::move(hook); }

void Runner::set_options(const std::vector<std::string>& options) {
  State& state = *state_;
  state.solver = with_options(state.host, options);
  state.prologue = "(reset)\n";
  if (state.host.profile->options_by_command) {
    for (const std::string& option : options) state.prologue += set_option_command(option);
  } else {
    close();
  }
}

void Runner::close() {
  state_->session.reset();
  state_->queries = 0;
  state_->servers.close();
}

Run Runner::run(const Query& query, const RunLimits& limits) {
  State& state = *state_;
  const Profile& profile = *state.solver.profile;
  const auto launch = [&](bool session) {
    const bool by_command = session && profile.options_by_command;
    return launch_of(by_command ? state.host : state.solver, state.hook, session, query);
  };
  if (state.fresh) {
    return run_fresh(state.solver, launch(false), &state.servers, query, limits, state.sentinels);
  }

  const std::string_view options =
      profile.reset_keeps_options ? option_lines(query.text) : std::string_view();
  if (state.session.has_value()) {
    const bool is_big =
        state.queries % kMemoryLook == 0 && state.session->memory(false) > profile.session_bytes;
    if (state.queries >= profile.session_queries || is_big || options != state.session_options) {
      close();
    }
  }
  if (!state.session.has_value()) {
    auto process = proc::Process::start(launch(true));
    if (!process) return failed_start(process.error());
    state.session = std::move(*process);
    state.session_options = options;
    state.queries = 0;
  }
  Execution execution(profile, *state.session, limits, state.sentinels);
  execution.converse(query, state.prologue);
  Run run = execution.finish();
  run.fresh = false;
  ++state.queries;
  const bool is_first = state.queries == 1;
  const bool has_names =
      profile.reset_keeps_names && query.text.find(":named ") != std::string::npos;
  const bool is_lost = run.outcome == Outcome::kCrash || run.outcome == Outcome::kMemout;
  if (is_lost || run.outcome == Outcome::kTimeout || run.output_limit || has_names ||
      !state.session->is_open()) {
    close();
  }
  if (is_first || !is_lost) return run;
  Run second = run_fresh(state.solver, launch(false), nullptr, query, limits, state.sentinels);
  second.session_failed = true;
  second.session_outcome = run.outcome;
  second.session_message = std::move(run.message);
  return second;
}

}  // namespace elenchus::solver
