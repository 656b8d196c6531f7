#include "cli/doctor_command.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "campaign/option_trials.h"
#include "campaign/seeds.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "knobs/catalogue.h"
#include "lab/solver_lab.h"
#include "proc/open_files.h"
#include "smtlib/parser.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using solver::Outcome;

struct DoctorOptions {
  std::vector<std::string> seeds;
  std::vector<std::string> solvers;
  std::string profiles;
  std::string out = ".";
  std::string timeout = "1s";
  std::string memory = "2G";
  std::string policy = "regular";
  std::string operators;
  uint32_t jobs = std::max(1U, std::thread::hardware_concurrency());
  uint64_t rng = 0;
  uint32_t sample = 50;
  bool json = false;
  bool quiet = false;
};

// What a campaign would be given.
struct Terms {
  solver::RunLimits limits;
  campaign::Policy policy = campaign::Policy::kRegular;
  std::shared_ptr<const ir::OpTable> ops;
};

enum class Level : uint8_t { kGood, kWarning, kBad };

// One thing that was looked at.
struct Diagnosis {
  Level level = Level::kGood;
  std::string what;
  std::string advice;
};

class Doctor {
 public:
  Doctor(const DoctorOptions& options, const Terms& terms) : options_(options), terms_(terms) {}

  std::vector<Diagnosis> examine() {
    look_at_machine();
    look_at_disk();
    look_at_solvers();
    look_at_open_files();
    if (!solvers_.empty()) look_at_seeds();
    return std::move(found_);
  }

 private:
  void note(Level level, std::string what, std::string advice = {}) {
    found_.push_back({level, std::move(what), std::move(advice)});
  }

  void look_at_machine() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    note(options_.jobs > cores ? Level::kWarning : Level::kGood,
         fmt::format("{} cores: --jobs {} is the default", cores, cores),
         options_.jobs > cores ? "more jobs than that make solvers time out" : "");
    if (access("/proc/self/statm", R_OK) != 0) {
      note(Level::kBad, "/proc is not there: the memory of solvers cannot be watched",
           "mount /proc");
    }
    const uint64_t pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
    const uint64_t bytes = pages * static_cast<uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
    if (bytes != 0 && bytes / options_.jobs < terms_.limits.memory) {
      note(Level::kWarning,
           fmt::format("{} MB of memory for {} jobs of up to {} MB", bytes >> 20, options_.jobs,
                       terms_.limits.memory >> 20),
           "use --memory or fewer --jobs");
    }
  }

  void look_at_disk() {
    std::error_code error;
    const auto space = std::filesystem::space(options_.out, error);
    if (error) {
      note(Level::kBad, fmt::format("{}: {}", options_.out, error.message()),
           "choose another folder with --out");
      return;
    }
    constexpr uint64_t kEnough = 256ULL << 20;
    note(space.available < kEnough ? Level::kWarning : Level::kGood,
         fmt::format("{} MB free for results", space.available >> 20),
         space.available < kEnough ? "a long campaign needs some 100 MB" : "");
    if (access(options_.out.c_str(), W_OK) != 0) {
      note(Level::kBad, fmt::format("{} cannot be written", options_.out),
           "choose another folder with --out");
    }
  }

  void look_at_solvers() {
    const auto known = profiles_with(options_.profiles);
    if (!known) return note(Level::kBad, known.error().message, "correct it or leave it out");
    const solver::Profiles& profiles = *known;
    if (options_.solvers.empty()) solvers_ = solver::find_all_solvers(profiles);
    for (const std::string& spec : options_.solvers) {
      auto found = solver::find_solver(profiles, spec);
      if (found) {
        solvers_.push_back(std::move(*found));
      } else {
        note(Level::kBad, found.error().message, "elenchus solvers --all lists what is known");
      }
    }
    if (solvers_.empty()) {
      note(Level::kBad, "no solver", "install one (apt-get install z3 cvc5), or name it");
    } else if (solvers_.size() == 1) {
      note(Level::kWarning, "only one solver: answers cannot be compared",
           "models and crashes are still looked at; a second solver finds more");
    }
    if (const auto allowed = campaign::check_policy(terms_.policy, solvers_); !allowed) {
      note(Level::kBad, allowed.error().message, "or leave the options out");
    }
    for (size_t i = solvers_.size(); i-- > 0;) {
      if (!look_at_solver(solvers_[i])) solvers_.erase(solvers_.begin() + static_cast<long>(i));
    }
  }

  // The soft limit has been raised to the hard one. A worker has a session with each solver, and a
  // second process of one of them while it confirms something.
  void look_at_open_files() {
    constexpr rlim_t kOthers = 32;  // the database, bugs being written, the terminal
    const rlim_t each =
        (std::max<size_t>(solvers_.size(), 1) + 1) * proc::kFilesOfProcess + proc::kFilesOfStart;
    const rlim_t wanted = kOthers + options_.jobs * each;
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) return;
    note(Level::kWarning,
         fmt::format("only {} open files are allowed; {} jobs may want {}", files.rlim_cur,
                     options_.jobs, wanted),
         fmt::format("use fewer --jobs, or raise the hard limit (ulimit -H -n {})", wanted));
  }

  // Asks it two questions with known answers, in a session and in fresh processes.
  bool look_at_solver(const solver::Solver& solver) {
    // Where there are no bit-vectors, integers.
    const auto& missing = solver.profile->theories_missing;
    const bool has_bits =
        std::find(missing.begin(), missing.end(), "FixedSizeBitVectors") == missing.end();
    const std::string start = has_bits ? "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))"
                                       : "(set-logic QF_LIA)(declare-fun x () Int)";
    const std::string sat =
        start + (has_bits ? "(assert (= x #b1010))" : "(assert (= x 10))") + "(check-sat)";
    const std::string unsat = start + "(assert (not (= x x)))(check-sat)";
    ir::TermStore store;
    bool has_models = false;
    if (!solver.refused.empty()) {
      note(Level::kWarning,
           fmt::format("{} {} does not take {}, which is left out", solver.name, solver.version,
                       fmt::join(solver.refused, " ")),
           "is it a version that the profile knows?");
    }
    for (const bool fresh : {true, false}) {
      lab::SolverLab lab(store, {&solver, 1}, fresh, {});
      for (const auto& [text, expected] :
           {std::pair(sat, Outcome::kSat), std::pair(unsat, Outcome::kUnsat)}) {
        const auto script = smtlib::parse_script(store, text);
        if (!script) continue;
        const solver::Run run = lab.run(0, *script, {});
        if (run.outcome != expected) {
          note(Level::kBad,
               fmt::format("{}: {} instead of {} on a simple question{}{}", solver.name,
                           to_string(run.outcome), to_string(expected),
                           run.message.empty() ? "" : ": ", run.message),
               "are its options right? Try it by hand");
          return false;
        }
        has_models = has_models || (!run.checks.empty() && !run.checks[0].model.empty());
      }
    }
    if (!solver.refused.empty()) {
      note(Level::kWarning,
           fmt::format("{} {} does not take {}", solver.name, solver.version,
                       fmt::join(solver.refused, " ")),
           "left out; its profile was made for another version");
    }
    note(has_models ? Level::kGood : Level::kWarning,
         fmt::format("{} {} works{}", solver.name, solver.version,
                     has_models ? "" : ", but gives no models"),
         has_models ? "" : "its wrong answers can only be told by other solvers' models");
    for (const std::string& gap : knobs::catalogue_of(solver).gaps) {
      note(Level::kWarning, gap, "tests with options leave them out; is the profile right?");
    }
    return true;
  }

  void look_at_seeds() {
    auto list = campaign::find_seeds(options_.seeds);
    if (!list) {
      note(Level::kBad, list.error().message, "give .smt2 files or folders that have some");
      return;
    }
    base::Rng rng(options_.rng);
    rng.shuffle(std::span(list->files));
    const size_t count = std::min<size_t>(options_.sample, list->files.size());
    size_t read = 0;
    size_t accepted = 0;
    size_t decided = 0;
    std::vector<size_t> by_solver(solvers_.size());
    ir::TermStore store(terms_.ops);
    const auto clean = store.mark();
    lab::SolverLab lab(store, solvers_, false, terms_.limits);
    for (size_t i = 0; i < count; ++i) {
      store.rollback(clean);
      const auto text = campaign::read_seed(list->files[i]);
      if (!text) continue;
      const auto script = smtlib::parse_script(store, *text);
      if (!script) continue;
      ++read;
      bool is_accepted = false;
      bool is_decided = false;
      for (size_t s = 0; s < solvers_.size(); ++s) {
        const solver::Run run = lab.run(s, *script, {});
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
        note(Level::kWarning, fmt::format("{} takes none of these seeds", solvers_[s].name),
             "leave it out, or give it seeds of logics that it knows");
      }
    }
  }

  void report_seeds(size_t all, size_t count, size_t read, size_t accepted, size_t decided) {
    const Level level = accepted * 2 < count  ? Level::kBad
                        : decided * 2 < count ? Level::kWarning
                                              : Level::kGood;
    note(level,
         fmt::format("of {} of the {} seeds {} are read, {} accepted by a solver, {} decided "
                     "within {} s",
                     count, all, read, accepted, decided, terms_.limits.seconds),
         level == Level::kGood ? "" : "a campaign from these seeds would test little");
  }

  const DoctorOptions& options_;
  const Terms& terms_;
  std::vector<Diagnosis> found_;
  std::vector<solver::Solver> solvers_;
};

std::string_view label(Level level) {
  switch (level) {
    case Level::kGood: return "ok";
    case Level::kWarning: return "warning";
    case Level::kBad: return "bad";
  }
  return "";
}

base::Result<Terms> terms_of(const DoctorOptions& options) {
  Terms terms;
  ELENCHUS_ASSIGN_OR_RETURN(terms.limits, run_limits(options.timeout, options.memory));
  ELENCHUS_ASSIGN_OR_RETURN(terms.policy, campaign::policy_of(options.policy));
  ELENCHUS_ASSIGN_OR_RETURN(terms.ops, operators_with(options.operators));
  return terms;
}

int run_doctor(const DoctorOptions& options) {
  const auto terms = terms_of(options);
  if (!terms) return fail(terms.error(), options.operators);
  const std::vector<Diagnosis> found = Doctor(options, *terms).examine();
  Json json = Json::array();
  bool is_bad = false;
  for (const Diagnosis& diagnosis : found) {
    is_bad = is_bad || diagnosis.level == Level::kBad;
    json.push_back({{"level", label(diagnosis.level)},
                    {"what", diagnosis.what},
                    {"advice", diagnosis.advice}});
    if (options.json || (options.quiet && diagnosis.level == Level::kGood)) continue;
    put("{:<9}{}\n", label(diagnosis.level), diagnosis.what);
    if (!diagnosis.advice.empty()) put("{:<9}{}\n", "", diagnosis.advice);
  }
  if (options.json) put("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  return is_bad ? kBadInput : kNothingWrong;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check this machine and the settings of a campaign before it runs");
  doctor->add_option("SEEDS", options->seeds,
                     "the seeds of the campaign (default: those that come with the program)");
  doctor->add_option("--solver", options->solvers, "a solver; may be repeated (default: all)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(*doctor, options->profiles);
  doctor->add_option("-o,--out", options->out, "the folder that the campaign would write to")
      ->type_name("DIR")
      ->capture_default_str();
  doctor->add_option("--sample", options->sample, "how many seeds to try")
      ->type_name("N")
      ->capture_default_str();
  doctor->add_option("--timeout", options->timeout, "time limit of a check-sat of a seed")
      ->type_name("TIME")
      ->capture_default_str();
  doctor->add_option("--memory", options->memory, "memory limit of a solver in the campaign")
      ->type_name("SIZE")
      ->capture_default_str();
  doctor
      ->add_option("-j,--jobs", options->jobs, "how many tests the campaign runs at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  doctor->add_option("--policy", options->policy, "the policy of the campaign")
      ->type_name("P")
      ->capture_default_str();
  doctor->add_option("--operators", options->operators, "a file that declares further operators")
      ->type_name("FILE");
  add_rng(*doctor, options->rng, "the number that decides which seeds are tried");
  doctor->add_flag("--json", options->json, "one JSON list");
  doctor->add_flag("-q,--quiet", options->quiet, "only what is wrong");
  doctor->footer(
      "The exit code is 2 when something is wrong that makes a campaign useless, else 0.\n\n"
      "Examples:\n"
      "  elenchus doctor\n"
      "  elenchus doctor seeds/ --solver z3 --solver 'cvc5 --no-such-option'");
  doctor->callback([options, &exit_code] { exit_code = run_doctor(*options); });
}

}  // namespace elenchus::cli
