#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proc/process.h"
#include "solver/outcome.h"
#include "solver/profile.h"

namespace elenchus::solver {

struct Transcript;

// A solver under test: a program, how to speak to it, and the options that it gets.
struct Solver {
  std::shared_ptr<const Profile> profile;
  std::string name;                  // "z3", "cvc5", "z3 sat.euf=true": unique within a campaign
  std::string spec;                  // a SPEC that finds it from any folder
  std::string program;               // absolute path
  std::vector<std::string> options;  // given by the user or a variant, beyond the profile's base
  std::string version;               // "4.8.12"; empty when it does not say
  std::vector<std::string> refused;  // the profile's base options that it does not take
};

// The solver that a SPEC means: a profile's name, a profile with options, or a whole command line
// (DESIGN: section 2). The error says what to do.
base::Result<Solver> find_solver(const Profiles& profiles, std::string_view spec);

// What a script needs that some solvers want to be told on their command line.
struct Needs {
  bool incremental = false;  // more than one check, or push and pop
  bool strings = false;      // strings, regular languages or sequences
};
Needs needs_of(std::string_view script);

// The command line of a run.
std::vector<std::string> command_line(const Solver& solver, bool session, const Needs& needs);

// Whether one of the solver's own options is among the names, and not off.
bool has_switched_on(const Solver& solver, const std::vector<std::string>& names);

// Whether they are one solver, in whatever version and with whatever options.
bool are_kin(const Solver& one, const Solver& other);

// Whether it may be another build of the solver that a bug names. Those without a profile are known
// by their program's name alone, which may be another for each build.
bool may_be(const Solver& solver, std::string_view name);

// What a bug's signature calls it: its profile and its options. The same solver has the same name
// in whatever folder it stands.
std::string name_in_signature(const Solver& solver);

// The same solver with further options, under a name that says so.
Solver with_options(const Solver& solver, const std::vector<std::string>& options);

// The same solver, refusing what its maintainers want no reports about; none where it has no way to
// say so.
std::optional<Solver> under_own_rules(const Solver& solver);

// How many of its options count as a departure from the default: none where they are a variant that
// maintainers ask to have tested.
size_t counted_options(const Solver& solver);

// Every known solver on PATH, in the order of the profiles.
std::vector<Solver> find_all_solvers(const Profiles& profiles);

struct RunLimits {
  double seconds = 2;             // for each check-sat, wall time
  uint64_t memory = 2ULL << 30;   // resident bytes of the process and what it started
  uint64_t output = 16ULL << 20;  // bytes of stdout and stderr each
};

// Runs queries on one solver, one after the other. Not thread-safe: each worker has its own.
class Runner {
 public:
  // `fresh`: a new process for every query, or a child of a fork server where the launch hook says
  // that the program is instrumented; else a session, where the profile allows one. Where its
  // options exclude sessions or models (profile), there are none.
  Runner(const Solver& solver, bool fresh);
  ~Runner();
  Runner(Runner&&) noexcept;
  Runner& operator=(Runner&&) noexcept;

  Run run(const Query& query, const RunLimits& limits);

  // Options beyond the solver's own, from the next query on. Where the profile allows it, a session
  // goes on and gets them as commands.
  void set_options(const std::vector<std::string>& options);

  // Ends the session's process and the fork servers, if there are any.
  void close();

  // Called before each process is started, to change how: under a tracer, with another environment.
  using LaunchHook = std::function<void(proc::Launch&)>;
  void set_launch_hook(LaunchHook hook);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What came of the queries of a transcript in one process of their own.
struct Replay {
  Run run;                // of the last query that was asked
  size_t asked = 0;       // queries
  bool is_whole = false;  // all of them were asked, so the run is that of the last one
  double seconds = 0;     // of all queries, like the next
  double cpu_seconds = 0;
};

// Asks one process the queries as the session was asked them, with the options that the transcript
// names in place of the solver's. Ends early where the process cannot take another query.
Replay replay(const Solver& solver, const Transcript& transcript, const RunLimits& limits,
              const Runner::LaunchHook& hook = {});

}  // namespace elenchus::solver
