// What a worker does at a visit: a seed is parsed and typed, goes to an engine, which gives one
// mutant after the other, until the visit is over or has cost enough. worker_testing.cpp says what
// becomes of each.

#include "campaign/worker.h"

#include <time.h>

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "campaign/during.h"
#include "campaign/engine_name.h"
#include "ir/fingerprint.h"
#include "ir/script_stats.h"
#include "ir/settings.h"
#include "mutate/registry.h"
#include "mutate/requests.h"
#include "smtlib/parser.h"

namespace elenchus::campaign {

using oracle::Case;

namespace {

// Turns of the lane of terms before the checks of a visit, at most.
constexpr uint32_t kTurnsOfAVisit = 16;
// For a model of the seed at hand, which the lane of terms can do without.
constexpr double kSeedModelSeconds = 0.25;
// A visit to a slow seed ends after so many seconds, so that all seeds have their turn.
constexpr double kVisitSeconds = 3;
// An engine that finds nothing to do so often in a row is done with the seed.
constexpr uint32_t kSkipsInARow = 5;
// So many tests in a row with a timeout end a visit.
constexpr uint32_t kTimeoutsInARow = 3;
// One mutant in so many asks for values, cores and the like beside its answer.
constexpr uint64_t kRequests = 16;
// Tests that use none of the operators in focus are run once in this many times.
constexpr uint64_t kOutOfFocus = 8;
// A visit of an engine that wants models is so many times as long as that of others.
constexpr uint32_t kModelledVisit = 3;
// Models of a seed, from different solvers.
constexpr uint32_t kModels = 2;
// Seeds that are tried as a partner of another: asking solvers about one takes time.
constexpr uint32_t kPartnerTries = 2;

// Of this thread.
double own_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Case case_of(const mutate::Mutant& mutant) {
  return {.script = mutant.script,
          .expected = mutant.expected,
          .witness = mutant.witness.get(),
          .construction = mutant.construction};
}

// What findings are worth to a lane: a new cause as much as some of a new look.
double lane_value_of(const Yield& yield) {
  constexpr double kCause = 5;
  return kCause * yield.causes + yield.suspicions + yield.guests.suspicions;
}

}  // namespace

Worker::Bench::Bench(const Shared& shared, Worker& worker)
    : terms(shared.ops),
      clean(terms.mark()),
      sessions(terms, shared.solvers, shared.settings.fresh,
               {.seconds = shared.settings.timeout, .memory = shared.settings.memory}),
      trials(shared),
      recruiter(worker.shared_, terms, sessions, maps) {
  if (!shared.catalogues.empty() || !worker.variants_.empty()) sessions.add_guests();
  if (shared.prepare_lab) shared.prepare_lab(sessions);
  sessions.set_turnstile(shared.turnstile.get(), lab::Purpose::kTesting);
  const auto observe = [this, &shared, &worker](size_t solver, const solver::Run& run) {
    if (run.internal_error) {
      worker.start_failure_ = run.internal_error;
      return;
    }
    worker.note_cost(sessions.host_of(solver) != solver, run);
    worker.ledger_.add_run(worker.accountable(), shared.solvers[sessions.host_of(solver)].name,
                           run.outcome, run.seconds, solver::spent_cpu_seconds(run),
                           worker.purpose_);
    worker.shared_.spend(solver::spent_cpu_seconds(run));
    worker.solver_cpu_ += solver::spent_cpu_seconds(run);
  };
  sessions.set_observer(observe);
  std::map<std::string, std::shared_ptr<mutate::Engine>> made;
  for (const std::string& name : shared.engines) {
    const std::string plain = engine_name_of(name).plain;
    auto& engine = made[plain];
    if (engine == nullptr) engine = mutate::make_engine(plain, shared.engine_settings);
    engines.push_back(engine);
  }
  if (shared.lanes->has(Lane::kTerms)) {
    term_tests = std::make_unique<TermTests>(shared, terms, worker.number_,
                                             [&worker] { return worker.shared_.is_over(); });
    if (!term_tests->serves()) term_tests.reset();
    clean = terms.mark();
  }
  for (size_t i = 0; i < shared.solvers.size(); ++i) {
    auto& map = maps.emplace_back();
    if (!shared.map_sizes[i]) continue;
    auto shared_map = coverage::AflMap::make(*shared.map_sizes[i]);
    if (!shared_map) continue;  // statistics will do
    map.emplace(std::move(*shared_map));
    sessions.set_launch_hook(i, [words = map->environment()](proc::Launch& launch) {
      launch.environment.insert(launch.environment.end(), words.begin(), words.end());
      launch.is_instrumented = true;
    });
  }
}

Worker::Worker(Shared& shared, base::Rng rng, size_t number)
    : shared_(shared),
      number_(number),
      rng_(rng),
      term_rng_(rng.split()),
      fresh_keys_(shared.solvers.size()) {
  for (size_t i = 0; i < shared.solvers.size(); ++i) {
    for (const solver::Variant& variant : shared.solvers[i].profile->variants) {
      const bool is_allowed = variant.is_default || shared.settings.policy == Policy::kAnything;
      if (!is_allowed || !shared.solvers[i].options.empty() || i == shared.baseline) continue;
      variants_.push_back({i, &variant.options, shared.solvers[i].name + " " + variant.name});
    }
  }
}
Worker::~Worker() = default;

void Worker::run() {
  Visit next;
  while (!shared_.is_over() && shared_.scheduler->next(next)) {
    try {
      if (bench_ == nullptr) bench_ = std::make_unique<Bench>(shared_, *this);
      visit(next);
    } catch (const std::bad_alloc&) {
      shared_.fail({base::ErrorKind::kLimit,
                    "out of memory; use fewer --jobs, or leave out the largest seeds",
                    {}});
    } catch (const std::exception& error) {
      // Ours to mend, but no reason to end a campaign: the seed is left alone from here on.
      bench_.reset();
      drop(next, fmt::format("internal error: {}", error.what()));
    }
  }
  bench_.reset();
}

// A seed's own test is no engine's work.
std::string_view Worker::accountable() const {
  return is_seed_itself_ ? store::kSeedItself : std::string_view(engine_name_);
}

void Worker::visit(Visit& visit) {
  seed_ = shared_.seed(visit.seed);
  engine_name_ = shared_.engines[visit.engine];
  draw_variant();
  partner_.clear();
  is_seed_itself_ = false;
  purpose_ = store::Purpose::kTest;
  bench_->terms.rollback(bench_->clean);
  const auto text = read_seed(seed_);
  if (!text && text.error().kind == base::ErrorKind::kLimit) {
    start_failure_ = text.error();
    wait_for_resources();
    return shared_.scheduler->give_back(visit);
  }
  if (!text) return drop(visit, text.error().message);
  const auto script = smtlib::parse_script(bench_->terms, *text);
  if (!script) return drop(visit, base::describe(script.error(), seed_.path));
  const std::string& wanted = shared_.settings.logic;
  if (!wanted.empty() && ir::logic_name(bench_->terms, *script) != wanted) {
    return drop(visit, "another logic");
  }
  if (visit.is_first && !shared_.settings.only_seeds) {
    const std::string first = shared_.looks.first_with(
        ir::Fingerprints(bench_->terms, ir::Names::kDoNotCount).of(*script), seed_.path);
    if (first != seed_.path) return drop(visit, "the same as another but for names");
  }
  // Several turns where the checks of a visit take long; by itself, the lane goes from seed to
  // seed.
  const uint32_t turns = shared_.lanes->has(Lane::kChecks) ? kTurnsOfAVisit : 1;
  for (uint32_t i = 0; i < turns && !shared_.is_over(); ++i) {
    if (bench_->term_tests == nullptr || !shared_.lanes->are_terms_due()) break;
    ask_about_terms(*script);
  }
  if (!shared_.lanes->has(Lane::kChecks)) return shared_.scheduler->report(visit, {});
  const bool is_useful = !visit.is_first || probe(visit, *script);
  if (visit.is_first && start_failures_ > 0) return shared_.scheduler->give_back(visit);
  Yield yield;
  own_cost_ = guests_cost_ = 0;
  const double start = own_cpu_seconds();
  if (shared_.settings.only_seeds) {
    shared_.scheduler->drop(visit.seed);
  } else if (is_useful) {
    work_on_seed(visit, *script, yield);
  }
  yield.seconds = own_cost_ + own_cpu_seconds() - start;
  yield.guests.seconds = guests_cost_;
  shared_.scheduler->report(visit, yield);
  shared_.lanes->report(Lane::kChecks, lane_value_of(yield), yield.seconds + yield.guests.seconds);
  follow_stray(visit);
}

// Without checks, a turn is what a test is to the limits of a campaign.
void Worker::ask_about_terms(const ir::Script& script) {
  if (!shared_.lanes->has(Lane::kChecks) && !shared_.take_test()) return;
  const double start = own_cpu_seconds();
  const double solvers_before = solver_cpu_;
  double cost = 0;  // of what the lane asks by itself
  const std::string engine = std::exchange(engine_name_, std::string(to_string(Lane::kTerms)));
  const ir::TermStore::Mark before = bench_->terms.mark();
  std::vector<ir::Model> models;
  if (bench_->term_tests->is_seed_next()) {
    const During learning(purpose_, store::Purpose::kLearn);
    bench_->sessions.set_seconds(std::min(shared_.settings.timeout, kSeedModelSeconds));
    models = ask_about(bench_->terms, bench_->sessions, script, 1, term_rng_).models;
  }
  const TermTests::Turn turn =
      bench_->term_tests->take_turn(bench_->terms, bench_->sessions, script, models, term_rng_);
  Yield yield;
  store::Tried tried;
  for (size_t i = 0; i < turn.counts.size(); ++i) {
    const lane::Counts& counts = turn.counts[i];
    if (counts.terms == 0) continue;
    tried.count += counts.terms;
    for (const auto& [name, count] : counts.by_name()) {
      if (count == 0) continue;
      ledger_.add_tried(store::kTermClass, fmt::format("{} {}", shared_.solvers[i].name, name),
                        {.count = count});
    }
    cost += counts.cpu_seconds;
    shared_.spend(counts.cpu_seconds);
    ledger_.add_spent(store::Purpose::kTerms, shared_.solvers[i].name,
                      {.runs = 1, .wall = turn.seconds[i], .cpu = counts.cpu_seconds});
  }
  for (const TermTests::Suspicious& one : turn.suspicious) {
    if (!shared_.is_over()) tried.findings += look_into(one, yield);
  }
  ledger_.add_tried(store::kLaneClass, to_string(Lane::kTerms), tried);
  bench_->terms.rollback(before);
  engine_name_ = engine;
  cost += own_cpu_seconds() - start + solver_cpu_ - solvers_before;
  shared_.lanes->report(Lane::kTerms, lane_value_of(yield), cost);
}

// What reductions came by is tested like a seed, one at a visit.
void Worker::follow_stray(Visit& visit) {
  const auto stray = shared_.strays.take();
  if (!stray || shared_.is_over()) return;
  bench_->terms.rollback(bench_->clean);
  const auto script = smtlib::parse_script(bench_->terms, stray->script);
  if (!script || !shared_.take_test()) return;
  go_back_to(stray->origin);
  Yield nobodys;
  test(visit, {.script = *script}, nullptr, nobodys);
}

// What is tested comes from there, and not from the visit under way. See origins().
void Worker::go_back_to(const docket::Origin& origin) {
  engine_name_ = origin.engine;
  variant_.reset();
  seed_ = {};
  partner_.clear();
  if (origin.seeds.empty()) return;
  const std::string& family = origin.seeds.front();
  const auto place = shared_.seeds.place_of(family);
  seed_ = place ? shared_.seeds.files[*place]
                : SeedFile{.path = family, .folder = {}, .text = nullptr, .key = family};
  if (origin.seeds.size() > 2) {
    seed_.ancestor = std::exchange(seed_.path, origin.seeds[1]);
  }
  if (origin.seeds.size() > 1) partner_ = origin.seeds.back();
}

void Worker::drop(const Visit& visit, const std::string& reason) {
  shared_.scheduler->drop(visit.seed);
  ledger_.drop_seed(seed_.key, seed_.folder, reason);
}

// The seed itself is the first test, with the full limit. What it brings is no engine's merit.
bool Worker::probe(Visit& visit, const ir::Script& script) {
  if (!shared_.take_test()) return false;
  Yield nobodys;
  const During probing(purpose_, store::Purpose::kProbe);
  is_seed_itself_ = true;
  const Result result = test(visit, {.script = script}, nullptr, nobodys);
  is_seed_itself_ = false;
  if (result.is_void) return false;
  if (!result.accepted) drop(visit, "no solver takes it");
  if (result.accepted && !result.decided && result.timed_out) drop(visit, "too slow");
  return result.accepted && (result.decided || !result.timed_out);
}

void Worker::work_on_seed(Visit& visit, const ir::Script& script, Yield& yield) {
  mutate::Engine& engine = *bench_->engines[visit.engine];
  SeedFacts facts;
  if (engine.wants_models()) {
    const During learning(purpose_, store::Purpose::kLearn);
    bench_->sessions.set_seconds(shared_.settings.timeout);
    facts = ask_about(bench_->terms, bench_->sessions, script, kModels, rng_);
    shared_.matchmaker->note(visit.seed, facts.status, ir::logic_name(bench_->terms, script));
  }
  mutate::Seed seed{.script = script,
                    .models = facts.models,
                    .status = facts.status,
                    .assignments = facts.assignments,
                    .core = facts.core};
  std::optional<Partner> partner;
  if (engine.wants_partner()) partner = find_partner(visit, seed);
  std::optional<mutate::Seed> other;
  if (partner) {
    other.emplace(mutate::Seed{.script = partner->script,
                               .models = partner->facts.models,
                               .status = partner->facts.status});
    seed.partner = &*other;
  }
  partner_ = partner ? shared_.seed(partner->seed).path : "";
  auto started = engine.start(bench_->terms, seed);
  if (const auto* skip = std::get_if<mutate::Skip>(&started)) {
    ledger_.add_skip(engine_name_, seed_.folder, skip->reason);
    visit.is_refused = true;
    return;
  }
  const auto series = std::move(std::get<std::unique_ptr<mutate::Series>>(started));
  // Asking for models takes as long as some tests do; more of them make up for that.
  const uint32_t length = visit.tests * (engine.wants_models() ? kModelledVisit : 1);
  run_series(visit, *series, std::min(length, engine.series_length()), yield);
}

void Worker::run_series(Visit& visit, mutate::Series& series, uint32_t length, Yield& yield) {
  uint32_t skips = 0;
  uint32_t timeouts = 0;
  for (uint32_t i = 0; i < length && !shared_.is_over(); ++i) {
    mutate::Attempt attempt = series.next(rng_);
    if (const auto* skip = std::get_if<mutate::Skip>(&attempt)) {
      ledger_.add_skip(engine_name_, seed_.folder, skip->reason);
      if (++skips == kSkipsInARow) return;
      continue;
    }
    skips = 0;
    auto& mutant = std::get<mutate::Mutant>(attempt);
    if (rng_.one_in(kRequests)) {
      mutant.script = mutate::with_requests(bench_->terms, mutant.script, rng_);
    }
    if (!is_in_focus(mutant.script) && !rng_.one_in(kOutOfFocus)) continue;
    if (!shared_.take_test()) return;
    const Result result = test(visit, case_of(mutant), &mutant, yield);
    if (result.is_void) return;
    series.learn(result.is_unlike_seed);
    // Mutants drift towards the hard; what a chain has become is not worth waiting for.
    timeouts = result.timed_out ? timeouts + 1 : 0;
    if (timeouts == kTimeoutsInARow || own_cost_ + guests_cost_ > kVisitSeconds) return;
  }
}

bool Worker::is_in_focus(const ir::Script& script) const {
  const auto& focus = shared_.settings.focus;
  if (focus.empty()) return true;
  const auto stats = ir::script_stats(bench_->terms, script);
  return std::any_of(focus.begin(), focus.end(), [&](const std::string& name) {
    return stats.operators.find(name) != stats.operators.end();
  });
}

void Worker::draw_variant() {
  variant_.reset();
  if (variants_.empty() || !engine_name_of(engine_name_).has_variants) return;
  if (!next_variant_) next_variant_ = rng_.below(variants_.size());
  variant_ = variants_[(*next_variant_)++ % variants_.size()];
}

std::optional<Worker::Partner> Worker::find_partner(const Visit& visit, const mutate::Seed& seed) {
  if (seed.status == ir::Truth::kUnknown) return {};
  const std::string logic(ir::logic_name(bench_->terms, seed.script));
  const During learning(purpose_, store::Purpose::kLearn);
  for (uint32_t i = 0; i < kPartnerTries; ++i) {
    const auto other = shared_.matchmaker->partner_of(visit.seed, seed.status, logic, rng_);
    if (!other) return {};
    const auto text = read_seed(shared_.seed(*other));
    if (!text) continue;
    auto script = smtlib::parse_script(bench_->terms, *text);
    if (!script) continue;
    Partner partner{*other, std::move(*script), {}};
    // What is known of it lived in other terms.
    partner.facts = ask_about(bench_->terms, bench_->sessions, partner.script, 1, rng_);
    if (partner.facts.status == seed.status) return partner;
  }
  return {};
}

}  // namespace elenchus::campaign
