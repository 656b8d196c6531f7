#include "campaign/campaign.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "campaign/code_reached.h"
#include "campaign/option_trials.h"
#include "coverage/afl_map.h"
#include "mutate/registry.h"
#include "mutate/tunables.h"

namespace elenchus::campaign {

using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kPoll = std::chrono::milliseconds(100);
constexpr double kTick = 1;   // seconds between looks at the figures
constexpr double kFlush = 3;  // seconds between writes

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

base::Error unusable(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

base::Result<std::vector<solver::Solver>> find_solvers(const std::vector<std::string>& specs,
                                                       const solver::Profiles& profiles) {
  if (specs.empty()) {
    auto found = solver::find_all_solvers(profiles);
    if (found.empty()) {
      return unusable(
          "no solver found; install one (apt-get install z3 cvc5) or name it with --solver");
    }
    return found;
  }
  std::vector<solver::Solver> solvers;
  for (const std::string& spec : specs) {
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver solver, solver::find_solver(profiles, spec));
    const auto is_same = [&](const solver::Solver& other) { return other.name == solver.name; };
    if (std::any_of(solvers.begin(), solvers.end(), is_same)) {
      return unusable(fmt::format("solver '{}' is given twice", solver.name));
    }
    solvers.push_back(std::move(solver));
  }
  return solvers;
}

base::Result<void> check_engines(Settings& settings) {
  const auto known = mutate::engine_names();
  if (settings.engines.empty()) settings.engines.assign(known.begin(), known.end());
  for (const std::string& name : settings.engines) {
    const EngineName parts = engine_name_of(name);
    if (parts.has_options && settings.policy == Policy::kDefault) {
      return unusable(fmt::format(
          "the policy 'default' allows no options, which '{}' is about; say --policy regular",
          name));
    }
    if (!mutate::is_engine_name(parts.plain)) {
      std::string all;
      for (const std::string_view other : known) all += fmt::format(" {}", other);
      return unusable(fmt::format("no engine '{}'; there is{}", name, all));
    }
  }
  return {};
}

// A name that no test can have would push all tests aside.
base::Result<void> check_focus(const Settings& settings, const ir::OpTable& ops) {
  constexpr std::string_view kBinders[] = {"forall", "exists", "lambda", "match", "witness"};
  for (const std::string& name : settings.focus) {
    const bool is_binder =
        std::find(std::begin(kBinders), std::end(kBinders), name) != std::end(kBinders);
    const ir::SymbolId symbol = ops.symbols().find(name);
    if (!is_binder && (!symbol.valid() || ops.named(symbol).empty())) {
      return unusable(
          fmt::format("no operator '{}' to focus on; --operators adds some", base::shown(name)));
    }
  }
  return {};
}

// Whose operators tests may use: those of the solvers that the operator table knows by name. The
// others are taken to read the standard.
uint16_t readers_of(const std::vector<solver::Solver>& solvers) {
  uint16_t who = ir::kStd;
  for (const solver::Solver& solver : solvers) {
    const std::string& name = solver.profile->name;
    if (name == "z3") who |= ir::kZ3;
    if (name == "cvc4") who |= ir::kCvc4;
    if (name == "cvc5") who |= ir::kCvc5;
  }
  return who;
}

// Asks solvers for their options, where an engine wants them.
void find_options(Shared& shared) {
  const auto& engines = shared.settings.engines;
  const bool is_wanted = std::any_of(engines.begin(), engines.end(), [](const std::string& name) {
    return engine_name_of(name).has_options;
  });
  if (!is_wanted) return;
  for (const solver::Solver& solver : shared.solvers) {
    shared.catalogues.push_back(knobs::catalogue_of(solver));
    const auto learnt = std::find_if(
        shared.learnt.begin(), shared.learnt.end(),
        [&](const knobs::Correlations& one) { return one.solver == solver.profile->name; });
    shared.correlations.push_back(learnt == shared.learnt.end() ? nullptr : &*learnt);
  }
}

}  // namespace

base::Result<std::unique_ptr<Campaign>> Campaign::prepare(Settings settings, const Launch& launch,
                                                          Control& control) {
  if (const auto engines = check_engines(settings); !engines) return engines.error();
  auto campaign = std::make_unique<Campaign>();
  Shared& shared = campaign->shared_;
  shared.control = &control;
  shared.ops = launch.ops;
  if (const auto focus = check_focus(settings, *shared.ops); !focus) return focus.error();
  ELENCHUS_ASSIGN_OR_RETURN(shared.engine_settings, mutate::tuned(settings.set));
  ELENCHUS_ASSIGN_OR_RETURN(shared.solvers, find_solvers(settings.solvers, launch.profiles));
  if (const auto allowed = check_policy(settings.policy, shared.solvers); !allowed)
    return allowed.error();
  ELENCHUS_ASSIGN_OR_RETURN(shared.seeds, find_seeds(settings.seeds));
  shared.settings = std::move(settings);
  shared.learnt = launch.learnt;
  shared.engine_settings.skeleton.knowledge = launch.knowledge;
  shared.engine_settings.set_solvers(readers_of(shared.solvers));
  find_options(shared);
  if (const auto opened = campaign->open_store(launch); !opened) return opened.error();

  // A resumed campaign must not repeat the tests of the sessions before.
  base::Rng rng(shared.settings.rng ^ (shared.store->stats().sessions << 32));
  shared.scheduler = std::make_unique<Scheduler>(shared.seeds.files.size(), shared.settings.engines,
                                                 shared.solvers.size(), rng.split());
  if (launch.resume && shared.settings.only_seeds) {
    if (const auto done = campaign->leave_out_tested_seeds(); !done) return done.error();
  }
  shared.keys = std::make_unique<KeyBoard>(shared.solvers.size());
  shared.edges = std::make_unique<KeyBoard>(shared.solvers.size());
  for (const solver::Solver& solver : shared.solvers) {
    shared.map_sizes.push_back(coverage::afl_map_size(solver.program));
  }
  ELENCHUS_ASSIGN_OR_RETURN(shared.code_folders,
                            code_folders(shared.store->folder(), shared.solvers));
  shared.matchmaker = std::make_unique<Matchmaker>(shared.seeds.files.size());
  for (uint32_t i = 0; i < std::max(shared.settings.jobs, 1U); ++i) {
    campaign->workers_.push_back(std::make_unique<Worker>(shared, rng.split()));
  }
  return campaign;
}

// Each seed is run once, however often the campaign is resumed.
base::Result<void> Campaign::leave_out_tested_seeds() {
  ELENCHUS_ASSIGN_OR_RETURN(const auto records, shared_.store->view().seeds());
  std::unordered_set<std::string> tested;
  for (const store::SeedRecord& record : records) {
    if (record.counts.tests > 0) tested.insert(record.path);
  }
  for (size_t i = 0; i < shared_.seeds.files.size(); ++i) {
    if (tested.contains(shared_.seeds.files[i].key)) shared_.scheduler->drop(i);
  }
  return {};
}

// What was asked, and of whom: who was found counts as named, and paths are whole, so that a
// campaign that goes on from elsewhere changes nothing without a word.
std::string Campaign::described(const Launch& launch) const {
  Settings settings = shared_.settings;
  settings.solvers.clear();
  const auto make_absolute = [](std::string& path) {
    std::error_code error;
    if (path.empty() || path == "-") return;
    const auto whole = std::filesystem::absolute(path, error);
    if (!error) path = whole.lexically_normal().string();
  };
  for (std::string& path : settings.seeds) make_absolute(path);
  for (std::string& path : settings.correlations) make_absolute(path);
  make_absolute(settings.operators);
  make_absolute(settings.history);
  make_absolute(settings.profiles);
  std::string versions = fmt::format("# {}\n", launch.program);
  for (const solver::Solver& solver : shared_.solvers) {
    settings.solvers.push_back(solver.spec);
    versions += fmt::format("# {} {}: {}\n", base::shown(solver.name), base::shown(solver.version),
                            base::shown(solver.program));
  }
  return versions + print_settings(settings);
}

base::Result<void> Campaign::open_store(const Launch& launch) {
  const store::StoreOptions options{
      .program = launch.program, .command_line = launch.command_line, .clock = {}};
  auto opened = launch.resume
                    ? store::CampaignStore::open(launch.folder, options)
                    : store::CampaignStore::create(launch.folder, described(launch), options);
  if (!opened) return opened.error();
  shared_.store = std::move(*opened);
  const auto bugs = shared_.store->view().bugs();
  if (!bugs) return bugs.error();
  for (const store::BugRecord& bug : *bugs) shared_.docket.add_bug(bug.signature);
  std::vector<store::SeedRecord> records;
  records.reserve(shared_.seeds.files.size());
  for (const SeedFile& seed : shared_.seeds.files) {
    store::SeedRecord record;
    record.path = seed.key;
    record.folder = seed.folder;
    records.push_back(std::move(record));
  }
  if (shared_.seeds.too_large > 0) {
    auto noted =
        shared_.store->add_event(store::Severity::kNote, "seeds",
                                 fmt::format("{} seeds are larger than {} KB and were left out",
                                             shared_.seeds.too_large, kLargestSeed >> 10));
    if (!noted) return noted;
  }
  return shared_.store->put_seeds(records);
}

base::Result<void> Campaign::run(const std::function<void(const Snapshot&)>& watch) {
  start_ = last_tick_ = Clock::now();
  if (shared_.settings.seconds > 0) {
    shared_.deadline = start_ + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(shared_.settings.seconds));
  }
  std::vector<std::thread> threads;
  threads.reserve(workers_.size());
  working_ = static_cast<uint32_t>(workers_.size());
  for (const auto& worker : workers_) {
    threads.emplace_back([this, &worker] {
      worker->run();
      --working_;
    });
  }
  supervise(watch);
  for (std::thread& thread : threads) thread.join();
  if (auto flushed = flush(); !flushed) return flushed;
  if (auto noted = note_warnings(); !noted) return noted;
  watch(snapshot());
  if (store_error_) return *store_error_;
  return {};
}

// A campaign that tested little must not look like one that found nothing.
base::Result<void> Campaign::note_warnings() {
  is_over_ = true;
  const std::vector<std::string> warnings = snapshot().warnings;
  for (const std::string& warning : warnings) {
    auto noted = shared_.store->add_event(store::Severity::kWarning, "campaign", warning);
    if (!noted) return noted;
  }
  return warnings.empty() ? base::Result<void>() : flush();
}

void Campaign::supervise(const std::function<void(const Snapshot&)>& watch) {
  Clock::time_point last_flush = start_;
  while (working_ > 0) {
    std::this_thread::sleep_for(kPoll);
    if (since(last_flush) >= kFlush) {
      if (auto flushed = flush(); !flushed && !store_error_) {
        store_error_ = flushed.error();
        shared_.store_failed = true;
      }
      last_flush = Clock::now();
    }
    if (since(last_tick_) >= kTick) watch(snapshot());
  }
}

base::Result<void> Campaign::flush() {
  store::Tallies tallies;
  for (const auto& worker : workers_) tallies.merge(worker->ledger().take());
  if (auto flushed = shared_.store->flush(tallies); !flushed) return flushed;
  std::vector<store::EngineRecord> engines;
  double total = 0;
  for (const Share& share : shared_.scheduler->engine_shares()) total += share.seconds;
  for (const Share& share : shared_.scheduler->engine_shares()) {
    engines.push_back({share.name, static_cast<double>(share.visits), share.value,
                       total > 0 ? share.seconds / total : 0});
  }
  if (auto put = shared_.store->put_engines(engines); !put) return put;
  const size_t seeds = shared_.seeds.files.size();
  return shared_.store->write_status(
      {.corpus = seeds,
       .corpus_added = 0,
       .current = 0,
       .pending = seeds - shared_.scheduler->seeds_visited(),
       .cycles = 0,
       .timeout_ms = static_cast<uint64_t>(shared_.settings.timeout * 1000)});
}

Snapshot Campaign::snapshot() {
  const double interval = since(last_tick_);
  const uint64_t tests = shared_.tests;
  if (interval > 0.2) {
    const double latest = static_cast<double>(tests - last_tests_) / interval;
    speed_ = speed_ == 0 ? latest : 0.7 * speed_ + 0.3 * latest;
    last_tick_ = Clock::now();
    last_tests_ = tests;
  }
  Snapshot snapshot;
  snapshot.stats = shared_.store->stats();
  snapshot.engines = shared_.scheduler->engine_shares();
  snapshot.seeds = shared_.seeds.files.size();
  snapshot.seeds_left = shared_.scheduler->seeds_left();
  snapshot.seeds_visited = shared_.scheduler->seeds_visited();
  snapshot.session_seconds = since(start_);
  snapshot.tests_per_second = speed_;
  snapshot.new_bugs = shared_.new_bugs;
  constexpr uint64_t kEnough = 200;
  constexpr uint64_t kEnoughInTheEnd = 10;
  snapshot.warnings = warnings_about(snapshot.stats, is_over_ ? kEnoughInTheEnd : kEnough);
  const store::Counts& total = snapshot.stats.total;
  // With --only-seeds every seed is left behind after its visit.
  const bool is_useless = snapshot.seeds_left == 0 && total.decided == 0 &&
                          !shared_.settings.only_seeds && !shared_.control->stop;
  if (is_over_ && (total.tests == 0 || is_useless)) {
    snapshot.warnings.push_back(nothing_tested(snapshot));
  }
  snapshot.is_ending = shared_.control->stop || shared_.budget_spent;
  return snapshot;
}

std::string Campaign::nothing_tested(const Snapshot& snapshot) const {
  const std::string& logic = shared_.settings.logic;
  std::string why;
  if (const auto seeds = shared_.store->view().seeds()) {
    const auto dropped = std::find_if(seeds->begin(), seeds->end(),
                                      [](const auto& seed) { return !seed.reason.empty(); });
    if (dropped != seeds->end()) why = fmt::format("; {}: {}", dropped->path, dropped->reason);
  }
  return fmt::format("{}: {} of {} seeds are of use{}{}",
                     snapshot.stats.total.tests == 0 ? "nothing was tested" : "nothing was decided",
                     snapshot.seeds_left, snapshot.seeds,
                     logic.empty() ? "" : " (only logic " + logic + ")", why);
}

std::vector<std::string> warnings_about(const store::Stats& stats, uint64_t enough) {
  const auto percent = [](uint64_t part, uint64_t whole) { return 100 * part / whole; };
  std::vector<std::string> warnings;
  const store::Counts& total = stats.total;
  if (total.tests >= enough && percent(total.accepted, total.tests) < 80) {
    warnings.push_back(fmt::format("only {}% of the tests are accepted by a solver",
                                   percent(total.accepted, total.tests)));
  }
  if (total.tests >= enough && percent(total.decided, total.tests) < 30) {
    warnings.push_back(fmt::format("only {}% of the tests are decided by a solver",
                                   percent(total.decided, total.tests)));
  }
  for (const auto& [name, solver] : stats.solvers) {
    if (solver.runs < enough) continue;
    if (percent(solver.rejected_runs, solver.runs) >= 90) {
      warnings.push_back(fmt::format("{} rejects {}% of its tests", name,
                                     percent(solver.rejected_runs, solver.runs)));
    }
    if (percent(solver.timeouts, solver.runs) >= 50) {
      warnings.push_back(fmt::format("{}% of the runs of {} time out",
                                     percent(solver.timeouts, solver.runs), name));
    }
  }
  return warnings;
}

}  // namespace elenchus::campaign
