// A campaign under way: its threads, its limits, and what is written down of it every few seconds.

#include "campaign/campaign.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"
#include "store/files.h"

namespace elenchus::campaign {

using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kPoll = std::chrono::milliseconds(100);
constexpr double kTick = 1;       // seconds between looks at the figures
constexpr double kFlush = 3;      // seconds between writes
constexpr double kDiskLook = 20;  // seconds between looks at what the folder takes
// Seconds for which a disk may be full.
constexpr double kPatience = 60;

}  // namespace

base::Result<void> Campaign::run(const std::function<void(const Snapshot&)>& watch) {
  start_ = last_tick_ = Clock::now();
  if (shared_.settings.seconds > 0) {
    shared_.deadline = base::steady_after(shared_.settings.seconds, start_);
  }
  start_threads();
  supervise(watch);
  for (std::thread& thread : threads_) thread.join();
  const auto closed = close(watch);
  if (const auto failure = shared_.failure()) return *failure;
  return closed;
}

void Campaign::start_threads() {
  for (const auto& worker : workers_) {
    if (!start_thread(testing_, [&worker] { worker->run(); })) return;
  }
  if (exchange_ != nullptr && !start_exchange()) return;
  for (const auto& office : offices_) {
    if (!start_thread(prosecuting_, [&office] { office->run(); })) return;
  }
}

bool Campaign::start_thread(std::atomic<uint32_t>& busy, std::function<void()> work) {
  ++busy;
  try {
    threads_.emplace_back([&busy, work = std::move(work)] {
      work();
      --busy;
    });
    return true;
  } catch (const std::system_error& error) {
    --busy;
    return cannot_start(error);
  }
}

bool Campaign::start_exchange() {
  try {
    exchange_->start();
    return true;
  } catch (const std::system_error& error) {
    return cannot_start(error);
  }
}

bool Campaign::cannot_start(const std::system_error& error) {
  shared_.fail({base::ErrorKind::kLimit,
                fmt::format("cannot start the threads of {} jobs: {}; use fewer --jobs, or raise "
                            "the limit on processes (ulimit -u)",
                            workers_.size(), error.what()),
                {}});
  return false;
}

base::Result<void> Campaign::close(const std::function<void(const Snapshot&)>& watch) {
  if (exchange_ != nullptr) exchange_->stop();
  if (auto flushed = flush(); !flushed) return with_a_way_on(flushed.error());
  if (exchange_ != nullptr) exchange_->finish();
  unwritten_.reset();
  if (auto noted = note_warnings(); !noted) return noted;
  watch(snapshot());
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

// Testing ends first; what was found has some time left then. Without a limit of time, and unless
// somebody interrupts it, it has as much as it needs.
void Campaign::supervise(const std::function<void(const Snapshot&)>& watch) {
  Clock::time_point last_flush = start_;
  Clock::time_point last_look = start_;
  check_disk();
  bool has_grace = false;
  while (testing_ + prosecuting_ > 0) {
    std::this_thread::sleep_for(kPoll);
    const bool is_limited = shared_.settings.seconds > 0 || shared_.control->stop;
    if (testing_ == 0 && (shared_.is_testing() || (is_limited && !has_grace))) {
      shared_.end_testing(is_limited);
      has_grace = is_limited;
    }
    if (base::seconds_since(last_flush) >= kFlush) {
      note_flush(flush());
      last_flush = Clock::now();
    }
    if (base::seconds_since(last_look) >= kDiskLook) {
      check_disk();
      last_look = Clock::now();
    }
    if (base::seconds_since(last_tick_) >= kTick) watch(snapshot());
  }
}

// The quota ends testing; what was found still has its time.
void Campaign::check_disk() {
  const uint64_t most = shared_.settings.max_disk;
  if (most == 0 || shared_.budget_spent) return;
  const uint64_t taken = store::bytes_below(shared_.store->folder().root());
  if (taken <= most) return;
  shared_.budget_spent = true;
  note_flush(shared_.store->add_event(
      store::Severity::kWarning, "campaign",
      fmt::format("testing ended: the folder takes {} MB, and may take {} MB (--max-disk)",
                  taken >> 20, most >> 20)));
}

void Campaign::note_flush(const base::Result<void>& flushed) {
  if (flushed) return unwritten_.reset();
  if (!unwritten_) unwritten_.emplace(Clock::now(), flushed.error());
  const bool may_pass = flushed.error().kind == base::ErrorKind::kLimit &&
                        base::seconds_since(unwritten_->first) < kPatience;
  if (!may_pass) shared_.fail(with_a_way_on(flushed.error()));
}

base::Error Campaign::with_a_way_on(base::Error error) const {
  const std::string folder = shared_.store->folder().root().string();
  error.message += fmt::format(
      "\nWhat was written to {} before is kept, all bugs and what waits in the docket; counts of "
      "the "
      "last seconds are lost. When it can be written again, elenchus fuzz --resume {} continues.",
      folder, base::shell_word(folder));
  return error;
}

base::Result<void> Campaign::flush() {
  store::Tallies tallies;
  for (const auto& worker : workers_) tallies.merge(worker->ledger().take());
  for (const auto& office : offices_) tallies.merge(office->ledger().take());
  if (exchange_ != nullptr) tallies.merge(exchange_->ledger().take());
  if (auto flushed = shared_.store->flush(tallies); !flushed) return flushed;
  if (auto remembered = remember(); !remembered) return remembered;
  std::vector<store::EngineRecord> engines;
  double total = 0;
  for (const Share& share : shared_.scheduler->engine_shares()) total += share.seconds;
  for (const Share& share : shared_.scheduler->engine_shares()) {
    engines.push_back({share.name, static_cast<double>(share.visits), share.value,
                       total > 0 ? share.seconds / total : 0});
  }
  if (auto put = shared_.store->put_engines(engines); !put) return put;
  const size_t seeds = shared_.scheduler->seeds();
  return shared_.store->write_status(
      {.corpus = seeds,
       .corpus_added = seeds - shared_.seeds.files.size(),
       .current = 0,
       .pending = seeds - shared_.scheduler->seeds_visited(),
       .cycles = 0,
       .timeout_ms = static_cast<uint64_t>(shared_.settings.timeout * 1000),
       .suspicions = shared_.docket->counts().by_stage()});
}

Snapshot Campaign::snapshot() {
  const double interval = base::seconds_since(last_tick_);
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
  snapshot.seeds = shared_.scheduler->seeds();
  snapshot.seeds_left = shared_.scheduler->seeds_left();
  snapshot.seeds_visited = shared_.scheduler->seeds_visited();
  snapshot.session_seconds = base::seconds_since(start_);
  snapshot.tests_per_second = speed_;
  snapshot.new_bugs = shared_.new_bugs;
  snapshot.docket = shared_.docket->counts();
  constexpr uint64_t kEnough = 200;
  constexpr uint64_t kEnoughInTheEnd = 10;
  snapshot.warnings = warnings_about(snapshot.stats, is_over_ ? kEnoughInTheEnd : kEnough);
  const store::Counts& total = snapshot.stats.total;
  // With --only-seeds every seed is left behind after its visit.
  const bool is_useless = snapshot.seeds_left == 0 && total.decided == 0 &&
                          !shared_.settings.only_seeds && !shared_.control->stop;
  const auto terms = snapshot.stats.tried.find(
      store::NamePair(store::kLaneClass, std::string(to_string(Lane::kTerms))));
  const bool has_asked = !shared_.lanes->has(Lane::kChecks) &&
                         terms != snapshot.stats.tried.end() && terms->second.count > 0;
  if (is_over_ && !has_asked && (total.tests == 0 || is_useless)) {
    snapshot.warnings.push_back(nothing_tested(snapshot));
  }
  for (const knobs::Catalogue& catalogue : shared_.catalogues) {
    snapshot.warnings.insert(snapshot.warnings.end(), catalogue.gaps.begin(), catalogue.gaps.end());
  }
  if (snapshot.docket.lost > 0) {
    snapshot.warnings.push_back(
        fmt::format("{} findings were lost: a thousand of the same cause wait to be looked into",
                    snapshot.docket.lost));
  }
  if (unwritten_) {
    snapshot.warnings.push_back("counts wait in memory: " + unwritten_->second.message);
  }
  if (exchange_ != nullptr) {
    snapshot.share = exchange_->state();
    if (exchange_->is_alone())
      snapshot.warnings.push_back("the shared campaign: " + snapshot.share);
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

namespace {

uint64_t percent(uint64_t part, uint64_t whole) { return 100 * part / whole; }

void add_warnings_about_terms(const store::Stats& stats, uint64_t enough,
                              std::vector<std::string>& warnings) {
  constexpr std::string_view kAsked = " asked";
  for (const auto& [key, asked] : stats.tried) {
    const std::string_view name = key.second;
    if (key.first != store::kTermClass || !name.ends_with(kAsked) || asked.count < enough) continue;
    const std::string solver(name.substr(0, name.size() - kAsked.size()));
    const auto answered =
        stats.tried.find(store::NamePair(store::kTermClass, solver + " answered"));
    const uint64_t count = answered == stats.tried.end() ? 0 : answered->second.count;
    if (percent(count, asked.count) >= 30) continue;
    warnings.push_back(fmt::format("{} answers only {}% of the terms that it is asked about",
                                   solver, percent(count, asked.count)));
  }
}

}  // namespace

std::vector<std::string> warnings_about(const store::Stats& stats, uint64_t enough) {
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
  add_warnings_about_terms(stats, enough, warnings);
  return warnings;
}

}  // namespace elenchus::campaign
