// A session is one process that gets query after query with (reset) between them, and a log of
// them. What fails in a session that has seen other queries is run again in a process of its own.
//
// A runner of fresh processes takes children of a fork server where its launch hook says that the
// program is instrumented: as fresh as a new process, in that no query has been there before, and
// cheaper. What has to be beyond doubt, such as a confirmation, runs without that hook: addresses
// and what depends on them are the same in all children of a server.

#include <algorithm>
#include <optional>
#include <utility>

#include "proc/fork_servers.h"
#include "solver/execution.h"
#include "solver/solver.h"
#include "solver/transcript.h"

namespace elenchus::solver {
namespace {

// Between two looks at the memory of a session.
constexpr uint32_t kMemoryLook = 64;

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

// The query without models, and what needs them.
Query without_models(const Query& query) {
  constexpr std::string_view kLine = "(set-option :produce-models true)\n";
  Query changed = query;
  changed.want_models = changed.want_objectives = false;
  changed.questions.clear();
  for (size_t at = 0; (at = changed.text.find(kLine, at)) != std::string::npos;) {
    if (at > 0 && changed.text[at - 1] != '\n') {
      ++at;
      continue;
    }
    changed.text.erase(at, kLine.size());
    for (uint32_t& end : changed.check_ends) {
      if (end > at) end -= static_cast<uint32_t>(kLine.size());
    }
  }
  return changed;
}

// The solver was not asked at all, so nothing is said of it.
Run failed_start(const base::Error& error) {
  Run run;
  run.message = error.message;
  run.internal_error = error;
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
  Needs needs = needs_of(query.text);
  // Where a session can get them as commands, it does.
  if (session && solver.profile->options_by_command) needs.strings = false;
  launch.command = command_line(solver, session, needs);
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
  await_start(*solver.profile, *process);
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

// One process that takes query after query.
class Session {
 public:
  // `options`: those of its command line, beyond the profile's.
  Session(const Profile& profile, proc::Process process, std::vector<std::string> options)
      : profile_(profile),
        process_(std::move(process)),
        log_(std::make_shared<SessionLog>(std::move(options))) {}

  Run ask(const Query& query, std::string_view prologue, const RunLimits& limits) {
    Execution execution(profile_, process_, limits, sentinels_);
    execution.converse(query, prologue);
    Run run = execution.finish();
    run.fresh = false;
    run.session_number = log_->add(query, prologue, run);
    run.session = log_;
    ++queries_;
    return run;
  }

  // Whether it can take another query after that run.
  bool goes_on_after(const Run& run) const {
    const bool is_stuck = run.outcome == Outcome::kCrash || run.outcome == Outcome::kMemout ||
                          run.outcome == Outcome::kTimeout || run.output_limit;
    return !is_stuck && process_.is_open();
  }

  // Whether it should make way for another process.
  bool is_worn() const {
    const bool is_big = queries_ % kMemoryLook == 0 && process_.memory() > profile_.session_bytes;
    return queries_ >= profile_.session_queries || is_big;
  }

  uint32_t queries() const { return queries_; }

 private:
  const Profile& profile_;
  proc::Process process_;
  std::shared_ptr<SessionLog> log_;
  uint32_t queries_ = 0;  // that it has begun
  uint64_t sentinels_ = 0;
};

}  // namespace

struct Runner::State {
  Solver host;
  Solver solver;                       // the host with the options of set_options()
  std::string prologue = "(reset)\n";  // of queries in a session
  bool fresh;
  LaunchHook hook;
  proc::ForkServers servers;  // for fresh runs
  std::optional<Session> session;
  std::string session_options;          // that its queries have set
  bool session_is_for_strings = false;  // by its command line
  // Of fresh runs: children of one server share its streams, so none sees the sentinel of another.
  uint64_t sentinels = 0;

  // What a session's process is started as.
  const Solver& session_solver() const {
    return solver.profile->options_by_command ? host : solver;
  }

  Run run_fresh_process(const Query& query, const RunLimits& limits, proc::ForkServers* from) {
    return run_fresh(solver, launch_of(solver, hook, false, query), from, query, limits, sentinels);
  }

  Run run(const Query& query, const RunLimits& limits);
  // What comes before a query in a session.
  std::string prologue_of(const Query& query) const;
  // An error where there is none and none can be started.
  base::Result<void> need_session(const Query& query);
  Run run_in_session(const Query& query, const RunLimits& limits);
};

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
  state_->servers.close();
}

std::string Runner::State::prologue_of(const Query& query) const {
  const Profile& profile = *solver.profile;
  const bool adds_options = profile.options_by_command && !profile.strings_options.empty();
  std::string result = prologue;
  if (!adds_options || !needs_of(query.text).strings) return result;
  for (const std::string& option : profile.strings_options) result += set_option_command(option);
  return result;
}

base::Result<void> Runner::State::need_session(const Query& query) {
  const Profile& profile = *solver.profile;
  const bool is_for_strings = !profile.strings_options.empty() && !profile.options_by_command &&
                              needs_of(query.text).strings;
  const std::string_view options =
      profile.reset_keeps_options ? option_lines(query.text) : std::string_view();
  const bool is_another = options != session_options || is_for_strings != session_is_for_strings;
  if (session.has_value() && (session->is_worn() || is_another)) session.reset();
  if (session.has_value()) return {};
  const Solver& as = session_solver();
  ELENCHUS_ASSIGN_OR_RETURN(proc::Process process,
                            proc::Process::start(launch_of(as, hook, true, query)));
  await_start(profile, process);
  session.emplace(profile, std::move(process), as.options);
  session_options = options;
  session_is_for_strings = is_for_strings;
  return {};
}

Run Runner::State::run_in_session(const Query& query, const RunLimits& limits) {
  if (const auto there = need_session(query); !there) return failed_start(there.error());
  Run run = session->ask(query, prologue_of(query), limits);
  const bool is_first = session->queries() == 1;
  const bool has_names =
      solver.profile->reset_keeps_names && query.text.find(":named ") != std::string::npos;
  if (has_names || !session->goes_on_after(run)) session.reset();
  const bool is_lost = run.outcome == Outcome::kCrash || run.outcome == Outcome::kMemout;
  if (is_first || !is_lost) return run;
  Run second = run_fresh_process(query, limits, nullptr);
  second.session_run = std::make_shared<const Run>(std::move(run));
  return second;
}

// Sessions are incremental.
Run Runner::State::run(const Query& query, const RunLimits& limits) {
  const bool is_alone = has_switched_on(solver, solver.profile->knobs.without_incremental);
  if (fresh || is_alone) return run_fresh_process(query, limits, &servers);
  return run_in_session(query, limits);
}

Run Runner::run(const Query& query, const RunLimits& limits) {
  const Solver& solver = state_->solver;
  const bool is_mute = has_switched_on(solver, solver.profile->knobs.without_models);
  return state_->run(is_mute ? without_models(query) : query, limits);
}

Replay replay(const Solver& solver, const Transcript& transcript, const RunLimits& limits,
              const Runner::LaunchHook& hook) {
  Replay result;
  if (transcript.queries.empty()) return result;
  Solver as = solver;
  as.options = transcript.options;
  auto process = proc::Process::start(launch_of(as, hook, true, transcript.queries.front()->query));
  if (!process) {
    result.run = failed_start(process.error());
    return result;
  }
  await_start(*as.profile, *process);
  Session session(*as.profile, std::move(*process), as.options);
  do {
    const Asked& asked = *transcript.queries[result.asked++];
    result.run = session.ask(asked.query, asked.prologue, limits);
    result.seconds += result.run.seconds;
    result.cpu_seconds += result.run.cpu_seconds;
  } while (result.asked < transcript.queries.size() && session.goes_on_after(result.run));
  result.is_whole = result.asked == transcript.queries.size();
  return result;
}

}  // namespace elenchus::solver
