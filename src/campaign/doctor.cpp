#include "campaign/doctor.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/rng.h"
#include "campaign/option_trials.h"
#include "campaign/seeds.h"
#include "knobs/catalogue.h"
#include "proc/open_files.h"
#include "smtlib/parser.h"

namespace elenchus::campaign {

using Level = Diagnosis::Level;
using solver::Outcome;

namespace {

// A script, and what every solver makes of it.
struct SimpleQuestion {
  std::string text;
  Outcome answer;
};

// Where there are no bit-vectors, about integers.
std::vector<SimpleQuestion> simple_questions(const solver::Solver& solver) {
  const auto& missing = solver.profile->theories_missing;
  const bool has_bits =
      std::find(missing.begin(), missing.end(), "FixedSizeBitVectors") == missing.end();
  const std::string start = has_bits ? "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))"
                                     : "(set-logic QF_LIA)(declare-fun x () Int)";
  const std::string equation = has_bits ? "(assert (= x #b1010))" : "(assert (= x 10))";
  return {{start + equation + "(check-sat)", Outcome::kSat},
          {start + "(assert (not (= x x)))(check-sat)", Outcome::kUnsat}};
}

}  // namespace

void Doctor::note(Level level, std::string what, std::string advice) {
  found_.push_back({level, std::move(what), std::move(advice)});
}

void Doctor::look_at_machine() {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  note(prospect_.jobs > cores ? Level::kWarning : Level::kGood,
       fmt::format("{} cores: --jobs {} is the default", cores, cores),
       prospect_.jobs > cores ? "more jobs than that make solvers time out" : "");
  if (access("/proc/self/statm", R_OK) != 0) {
    note(Level::kBad, "/proc is not there: the memory of solvers cannot be watched", "mount /proc");
  }
  const uint64_t pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const uint64_t bytes = pages * static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  if (bytes != 0 && bytes / prospect_.jobs < prospect_.limits.memory) {
    note(Level::kWarning,
         fmt::format("{} MB of memory for {} jobs of up to {} MB", bytes >> 20, prospect_.jobs,
                     prospect_.limits.memory >> 20),
         "use --memory or fewer --jobs");
  }
}

void Doctor::look_at_disk() {
  std::error_code error;
  const auto space = std::filesystem::space(prospect_.out, error);
  if (error) {
    note(Level::kBad, fmt::format("{}: {}", prospect_.out, error.message()),
         "choose another folder with --out");
    return;
  }
  constexpr uint64_t kEnough = 256ULL << 20;
  note(space.available < kEnough ? Level::kWarning : Level::kGood,
       fmt::format("{} MB free for results", space.available >> 20),
       space.available < kEnough ? "a long campaign needs some 100 MB" : "");
  if (access(prospect_.out.c_str(), W_OK) != 0) {
    note(Level::kBad, fmt::format("{} cannot be written", prospect_.out),
         "choose another folder with --out");
  }
}

// --- Solvers. ---

void Doctor::look_for_solvers(const solver::Profiles& profiles,
                              const std::vector<std::string>& specs) {
  std::vector<solver::Solver> solvers;
  if (specs.empty()) solvers = solver::find_all_solvers(profiles);
  for (const std::string& spec : specs) {
    auto found = solver::find_solver(profiles, spec);
    if (found) {
      solvers.push_back(std::move(*found));
    } else {
      note(Level::kBad, found.error().message, "elenchus solvers --all lists what is known");
    }
  }
  look_at_solvers(std::move(solvers));
}

void Doctor::look_at_solvers(std::vector<solver::Solver> solvers) {
  solvers_ = std::move(solvers);
  if (solvers_.empty()) {
    note(Level::kBad, "no solver", "install one (apt-get install z3 cvc5), or name it");
  } else if (solvers_.size() == 1) {
    note(Level::kWarning, "only one solver: answers cannot be compared",
         "models and crashes are still looked at; a second solver finds more");
  }
  if (const auto allowed = check_policy(prospect_.policy, solvers_); !allowed) {
    note(Level::kBad, allowed.error().message, "or leave the options out");
  }
  for (size_t i = solvers_.size(); i-- > 0;) {
    if (!look_at_solver(solvers_[i])) solvers_.erase(solvers_.begin() + static_cast<long>(i));
  }
}

lab::SolverLab Doctor::new_lab(const ir::TermStore& store, std::span<const solver::Solver> solvers,
                               bool fresh, const solver::RunLimits& limits) const {
  lab::SolverLab made(store, solvers, fresh, limits);
  if (prospect_.prepare) prospect_.prepare(made);
  return made;
}

bool Doctor::look_at_solver(const solver::Solver& solver) {
  if (!solver.refused.empty()) {
    note(Level::kWarning,
         fmt::format("{} {} does not take {}, which is left out", solver.name, solver.version,
                     fmt::join(solver.refused, " ")),
         "is it a version that the profile knows?");
  }
  bool has_models = false;
  if (!answers_simple_questions(solver, has_models)) return false;
  note(has_models ? Level::kGood : Level::kWarning,
       fmt::format("{} {} works{}", solver.name, solver.version,
                   has_models ? "" : ", but gives no models"),
       has_models ? "" : "its wrong answers can only be proven with the models of other solvers");
  for (const std::string& gap : knobs::catalogue_of(solver).gaps) {
    note(Level::kWarning, gap, "tests with options leave them out; is the profile right?");
  }
  return true;
}

// In a session and in fresh processes.
bool Doctor::answers_simple_questions(const solver::Solver& solver, bool& has_models) {
  ir::TermStore store;
  for (const bool fresh : {true, false}) {
    lab::SolverLab runs = new_lab(store, {&solver, 1}, fresh, {});
    for (const auto& [text, answer] : simple_questions(solver)) {
      const auto script = smtlib::parse_script(store, text);
      if (!script) continue;
      const solver::Run run = runs.run(0, *script, {});
      if (run.outcome != answer) {
        note(Level::kBad,
             fmt::format("{}: {} instead of {} on a simple question{}{}", solver.name,
                         to_string(run.outcome), to_string(answer), run.message.empty() ? "" : ": ",
                         run.message),
             "are its options right? Try it by hand");
        return false;
      }
      has_models = has_models || (!run.checks.empty() && !run.checks[0].model.empty());
    }
  }
  return true;
}

// The soft limit has been raised to the hard one. A worker has a session with each solver, and a
// second process of one of them while it confirms something.
void Doctor::look_at_open_files() {
  constexpr rlim_t kOthers = 32;  // the database, bugs being written, the terminal
  const rlim_t each =
      (std::max<size_t>(solvers_.size(), 1) + 1) * proc::kFilesOfProcess + proc::kFilesOfStart;
  const rlim_t wanted = kOthers + prospect_.jobs * each;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) return;
  note(Level::kWarning,
       fmt::format("only {} open files are allowed; {} jobs may want {}", files.rlim_cur,
                   prospect_.jobs, wanted),
       fmt::format("use fewer --jobs, or raise the hard limit (ulimit -H -n {})", wanted));
}

// --- Seeds. ---

void Doctor::look_at_seeds() {
  if (solvers_.empty()) return;
  auto list = find_seeds(prospect_.seeds);
  if (!list) {
    note(Level::kBad, list.error().message, "give .smt2 files or folders that have some");
    return;
  }
  base::Rng rng(prospect_.rng);
  rng.shuffle(std::span(list->files));
  const size_t count = std::min<size_t>(prospect_.sample, list->files.size());
  size_t read = 0;
  size_t accepted = 0;
  size_t decided = 0;
  std::vector<size_t> by_solver(solvers_.size());
  ir::TermStore store(prospect_.ops);
  const auto clean = store.mark();
  lab::SolverLab runs = new_lab(store, solvers_, false, prospect_.limits);
  for (size_t i = 0; i < count; ++i) {
    store.rollback(clean);
    const auto text = read_seed(list->files[i]);
    if (!text) continue;
    const auto script = smtlib::parse_script(store, *text);
    if (!script) continue;
    ++read;
    bool is_accepted = false;
    bool is_decided = false;
    for (size_t s = 0; s < solvers_.size(); ++s) {
      const solver::Run run = runs.run(s, *script, {});
      const bool is_taken = run.outcome != Outcome::kRejected && !run.internal_error;
      is_accepted = is_accepted || is_taken;
      is_decided = is_decided || solver::is_decided(run.outcome);
      by_solver[s] += is_taken ? 1 : 0;
    }
    accepted += is_accepted ? 1 : 0;
    decided += is_decided ? 1 : 0;
  }
  report_seeds(list->files.size(), count, read, accepted, decided);
  for (size_t s = 0; s < solvers_.size(); ++s) {
    if (by_solver[s] == 0) {
      note(Level::kWarning, fmt::format("{} accepts none of these seeds", solvers_[s].name),
           "leave it out, or give it seeds of logics that it knows");
    }
  }
}

void Doctor::report_seeds(size_t all, size_t count, size_t read, size_t accepted, size_t decided) {
  const Level level = accepted * 2 < count  ? Level::kBad
                      : decided * 2 < count ? Level::kWarning
                                            : Level::kGood;
  note(level,
       fmt::format("of {} of the {} seeds {} are read, {} accepted by a solver, {} decided "
                   "within {} s",
                   count, all, read, accepted, decided, prospect_.limits.seconds),
       level == Level::kGood ? "" : "a campaign from these seeds would test little");
}

}  // namespace elenchus::campaign
