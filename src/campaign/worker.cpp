// The way of one test: a seed, parsed and typed, goes to an engine, which gives a mutant; the
// mutant goes to each solver's session; oracles look at the answers; what they find is shown again
// in fresh processes, reduced, and stored.
//
// Most of a fuzzer's time is lost in timeouts. So each solver's limit follows what the mutants of a
// seed usually need, and a solver that does not take a seed, or never decides its mutants, is asked
// only now and then.

#include "campaign/worker.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coverage/statistics.h"
#include "ir/script_stats.h"
#include "mutate/registry.h"
#include "oracle/recheck.h"
#include "smtlib/parser.h"
#include "triage/signature.h"

namespace elenchus::campaign {

using oracle::Case;
using oracle::Finding;
using solver::Outcome;

namespace {

// Costly oracles are consulted once in this many tests, times their cost.
constexpr uint64_t kCostlyOracle = 8;
// A solver that is of little use to a seed is asked once in this many tests.
constexpr uint64_t kSeldom = 16;
// Tests with the full limit, although the seed's mutants are quick.
constexpr uint64_t kFullLimit = 32;
// Statistics are asked for once in this many tests: cvc5 prints 20 KB of them.
constexpr uint64_t kStatistics = 16;
// What evaluating an assertion may cost at first sight; quantifiers over many values are not worth
// more than a solver's run. Confirmation has a larger one.
constexpr uint64_t kEvaluationSteps = 100'000;
constexpr double kSmallestLimit = 0.1;
constexpr double kLimitFactor = 10;
// A visit to a slow seed ends after so many seconds, so that all seeds have their turn.
constexpr double kVisitSeconds = 3;
// An engine that finds nothing to do so often in a row is done with the seed.
constexpr uint32_t kSkipsInARow = 5;
// So many tests in a row with a timeout end a visit.
constexpr uint32_t kTimeoutsInARow = 3;
// Tests that use none of the operators in focus are run once in this many times.
constexpr uint64_t kOutOfFocus = 8;
// Models of a seed, from different solvers.
constexpr uint32_t kModels = 2;
// Seeds that are tried as a partner of another: asking solvers about one takes time.
constexpr uint32_t kPartnerTries = 2;
// Reducing one finding must not take over the campaign.
constexpr double kReduceSeconds = 30;

store::Outcome stored(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSat: return store::Outcome::kSat;
    case Outcome::kUnsat: return store::Outcome::kUnsat;
    case Outcome::kUnknown: return store::Outcome::kUnknown;
    case Outcome::kTimeout: return store::Outcome::kTimeout;
    case Outcome::kMemout: return store::Outcome::kMemout;
    case Outcome::kCrash: return store::Outcome::kCrash;
    case Outcome::kRejected: return store::Outcome::kRejected;
  }
  return store::Outcome::kUnknown;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string expectation_of(const Case& test) {
  std::vector<std::string_view> words;
  for (const ir::Truth truth : test.expected) words.emplace_back(to_string(truth));
  return words.empty() ? "unknown" : fmt::format("{}", fmt::join(words, " "));
}

Case case_of(const mutate::Mutant& mutant) {
  return {.script = mutant.script,
          .expected = mutant.expected,
          .witness = mutant.witness.get(),
          .construction = mutant.construction};
}

std::string_view logic_of(const ir::TermStore& terms, const ir::Script& script) {
  return script.logic.valid() ? terms.symbols().text(script.logic) : "";
}

}  // namespace

Worker::Bench::Bench(const Shared& shared, store::Ledger& ledger, const std::string& engine)
    : terms(shared.ops),
      clean(terms.mark()),
      sessions(terms, shared.solvers, shared.settings.fresh,
               {.seconds = shared.settings.timeout, .memory = shared.settings.memory}),
      fresh(terms, shared.solvers, true,
            {.seconds = shared.settings.timeout, .memory = shared.settings.memory}),
      prosecutor(terms, sessions, fresh, shared.settings.reduce_tries),
      trials(shared) {
  if (!shared.catalogues.empty()) {
    sessions.add_guests();
    fresh.add_guests();
  }
  const auto observe = [this, &shared, &ledger, &engine](size_t solver, const solver::Run& run) {
    ledger.add_run(engine, shared.solvers[sessions.host_of(solver)].name, stored(run.outcome),
                   run.seconds, run.cpu_seconds);
  };
  sessions.set_observer(observe);
  fresh.set_observer(observe);
  for (const std::string& name : shared.settings.engines) {
    engines.push_back(mutate::make_engine(engine_name_of(name).plain, shared.engine_settings));
  }
  for (size_t i = 0; i < shared.solvers.size(); ++i) {
    auto& map = maps.emplace_back();
    if (shared.code_folders[i]) {
      sessions.count_code(i, *shared.code_folders[i]);
      fresh.count_code(i, *shared.code_folders[i]);
    }
    if (!shared.map_sizes[i]) continue;
    auto made = coverage::AflMap::make(*shared.map_sizes[i]);
    if (!made) continue;  // statistics will do
    map.emplace(std::move(*made));
    sessions.set_launch_hook(i, [words = map->environment()](proc::Launch& launch) {
      launch.environment.insert(launch.environment.end(), words.begin(), words.end());
      launch.is_instrumented = true;
    });
  }
}

Worker::Worker(Shared& shared, base::Rng rng) : shared_(shared), rng_(rng) {}
Worker::~Worker() = default;

void Worker::run() {
  Visit next;
  while (!shared_.is_over() && shared_.scheduler->next(next)) {
    try {
      if (bench_ == nullptr) bench_ = std::make_unique<Bench>(shared_, ledger_, engine_name_);
      visit(next);
    } catch (const std::exception& error) {
      // Ours to mend, but no reason to end a campaign: the seed is left alone from here on.
      bench_.reset();
      drop(next, fmt::format("internal error: {}", error.what()));
    }
  }
  bench_.reset();
}

void Worker::visit(Visit& visit) {
  const auto start = std::chrono::steady_clock::now();
  const SeedFile& seed = shared_.seeds.files[visit.seed];
  engine_name_ = shared_.settings.engines[visit.engine];
  folder_ = seed.folder;
  partner_.clear();
  is_seed_itself_ = false;
  bench_->trials.begin_visit();
  bench_->terms.rollback(bench_->clean);
  const auto text = read_seed(seed);
  if (!text) return drop(visit, text.error().message);
  const auto script = smtlib::parse_script(bench_->terms, *text);
  if (!script) return drop(visit, base::describe(script.error(), seed.path));
  const std::string& wanted = shared_.settings.logic;
  if (!wanted.empty() && logic_of(bench_->terms, *script) != wanted) {
    return drop(visit, "another logic");
  }
  Yield yield;
  const bool is_useful = !visit.is_first || probe(visit, *script, yield);
  if (shared_.settings.only_seeds) {
    shared_.scheduler->drop(visit.seed);
  } else if (is_useful) {
    work_on_seed(visit, *script, yield);
  }
  follow_strays(visit, yield);
  yield.seconds = since(start);
  shared_.scheduler->report(visit, yield);
}

// What reductions came by is tested like a seed. What comes up then is left for another time.
void Worker::follow_strays(Visit& visit, Yield& yield) {
  const std::vector<std::string> strays = std::exchange(strays_, {});
  for (const std::string& text : strays) {
    bench_->terms.rollback(bench_->clean);
    const auto script = smtlib::parse_script(bench_->terms, text);
    if (!script || shared_.is_over() || !shared_.take_test()) continue;
    test(visit, {.script = *script}, nullptr, yield);
  }
  strays_.clear();
}

void Worker::drop(const Visit& visit, const std::string& reason) {
  shared_.scheduler->drop(visit.seed);
  const SeedFile& seed = shared_.seeds.files[visit.seed];
  store::SeedRecord record;
  record.path = seed.key;
  record.folder = seed.folder;
  record.status = store::SeedStatus::kDropped;
  record.reason = reason;
  if (!shared_.store->put_seeds({&record, 1})) shared_.store_failed = true;
}

// The seed itself is the first test, with the full limit.
bool Worker::probe(Visit& visit, const ir::Script& script, Yield& yield) {
  if (!shared_.take_test()) return false;
  is_seed_itself_ = true;
  const Result result = test(visit, {.script = script}, nullptr, yield);
  is_seed_itself_ = false;
  if (!result.accepted) drop(visit, "no solver takes it");
  if (result.accepted && !result.decided && result.timed_out) drop(visit, "too slow");
  return result.accepted && (result.decided || !result.timed_out);
}

void Worker::work_on_seed(Visit& visit, const ir::Script& script, Yield& yield) {
  mutate::Engine& engine = *bench_->engines[visit.engine];
  SeedFacts facts;
  if (engine.wants_models()) {
    bench_->sessions.set_seconds(shared_.settings.timeout);
    facts = ask_about(bench_->terms, bench_->sessions, script, kModels, rng_);
    shared_.matchmaker->note(visit.seed, facts.status, logic_of(bench_->terms, script));
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
  partner_ = partner ? shared_.seeds.files[partner->seed].path : "";
  auto started = engine.start(bench_->terms, seed);
  if (const auto* skip = std::get_if<mutate::Skip>(&started)) {
    ledger_.add_skip(engine_name_, folder_, skip->reason);
    visit.is_refused = true;
    return;
  }
  const auto series = std::move(std::get<std::unique_ptr<mutate::Series>>(started));
  const auto start = std::chrono::steady_clock::now();
  uint32_t skips = 0;
  uint32_t timeouts = 0;
  for (uint32_t i = 0; i < engine.series_length() && !shared_.is_over(); ++i) {
    mutate::Attempt attempt = series->next(rng_);
    if (const auto* skip = std::get_if<mutate::Skip>(&attempt)) {
      ledger_.add_skip(engine_name_, folder_, skip->reason);
      if (++skips == kSkipsInARow) return;
      continue;
    }
    skips = 0;
    const auto& mutant = std::get<mutate::Mutant>(attempt);
    if (!is_in_focus(mutant.script) && !rng_.one_in(kOutOfFocus)) continue;
    if (!shared_.take_test()) return;
    const Result result = test(visit, case_of(mutant), &mutant, yield);
    // Mutants drift towards the hard; what a chain has become is not worth waiting for.
    timeouts = result.timed_out ? timeouts + 1 : 0;
    if (timeouts == kTimeoutsInARow || since(start) > kVisitSeconds) return;
  }
}

std::optional<Worker::Partner> Worker::find_partner(const Visit& visit, const mutate::Seed& seed) {
  if (seed.status == ir::Truth::kUnknown) return {};
  const std::string logic(logic_of(bench_->terms, seed.script));
  for (uint32_t i = 0; i < kPartnerTries; ++i) {
    const auto other = shared_.matchmaker->partner_of(visit.seed, seed.status, logic, rng_);
    if (!other) return {};
    const auto text = read_seed(shared_.seeds.files[*other]);
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

Worker::Result Worker::test(Visit& visit, const Case& test, const mutate::Mutant* mutant,
                            Yield& yield) {
  const bool is_probe = mutant == nullptr;
  const ir::TermStore::Mark before = bench_->terms.mark();
  SolverLab& lab = bench_->sessions;
  oracle::Exam exam(bench_->terms, test, lab, {.steps = kEvaluationSteps, .explanation_steps = 0});
  Result result;
  auto query = lab.query_of(test.script, {});
  if (query) query->want_statistics = is_probe || rng_.one_in(kStatistics);
  double cpu = 0;
  for (size_t i = 0; query && i < shared_.solvers.size(); ++i) {
    Pace& pace = visit.paces[i];
    if (!should_ask(pace, is_probe)) continue;
    lab.set_seconds(limit_for(pace, is_probe));
    if (bench_->maps[i]) bench_->maps[i]->clear();
    solver::Run run = lab.run_query(i, *query);
    note_pace(pace, run);
    note_coverage(i, run, yield);
    cpu += run.cpu_seconds;
    result.accepted = result.accepted || run.outcome != Outcome::kRejected;
    result.timed_out = result.timed_out || run.outcome == Outcome::kTimeout;
    for (const solver::CheckResult& check : run.checks) {
      result.decided = result.decided || is_decided(check.outcome);
    }
    exam.set_run(i, std::move(run));
  }
  if (query && !is_probe && engine_name_of(engine_name_).has_options) {
    test_options(visit, test.script, std::move(*query), exam, yield);
  }
  lab.set_seconds(lab.full_seconds());

  std::vector<Finding> findings;
  consult(exam, findings);
  for (const Finding& finding : findings) pursue(visit, test, mutant, finding, yield);

  yield.tests += 1;
  yield.decided += result.decided ? 1 : 0;
  const bool is_valid = mutant != nullptr && mutant->witness != nullptr;
  ledger_.add_test(engine_name_, folder_, result.accepted, result.decided, is_valid);
  ledger_.add_seed_use(shared_.seeds.files[visit.seed].key, {.tests = 1,
                                                             .accepted = result.accepted ? 1U : 0U,
                                                             .decided = result.decided ? 1U : 0U,
                                                             .findings = findings.size(),
                                                             .cpu = cpu});
  bench_->terms.rollback(before);
  return result;
}

// Edges of an instrumented solver, else what its statistics tell. That an edge is taken more often
// than before is worth as much as a new one (as for AFL); what is counted in the end are edges.
uint32_t Worker::note_coverage(size_t solver, const solver::Run& run, Yield& yield) {
  uint32_t fresh = 0;
  uint64_t known = 0;
  if (auto& map = bench_->maps[solver]) {
    auto keys = map->new_keys();
    if (!keys.empty()) {
      fresh = shared_.keys->add(solver, keys, known);
      for (uint64_t& key : keys) key = coverage::edge_of(key);
      shared_.edges->add(solver, keys, known);
    }
  } else {
    for (const solver::CheckResult& check : run.checks) {
      if (check.statistics.empty()) continue;
      fresh += shared_.keys->add(solver, coverage::statistic_keys(check.statistics), known);
    }
  }
  if (known > 0) ledger_.set_keys(shared_.solvers[solver].name, known);
  yield.new_keys += fresh;
  return fresh;
}

void Worker::test_options(Visit& visit, const ir::Script& script, solver::Query query,
                          oracle::Exam& exam, Yield& yield) {
  const auto trial = bench_->trials.next(bench_->terms, script, rng_);
  if (!trial) return;
  SolverLab& lab = bench_->sessions;
  const size_t guest = lab.guest_of(trial->solver);
  lab.set_guest_options(guest, trial->options);
  bench_->fresh.set_guest_options(guest, trial->options);
  lab.set_seconds(limit_for(visit.paces[trial->solver], false));
  query.want_statistics = true;
  if (bench_->maps[trial->solver]) bench_->maps[trial->solver]->clear();
  solver::Run run = lab.run_query(guest, query);
  const solver::Run* plain = exam.find_run(trial->solver);
  const bool conflict =
      run.outcome == Outcome::kRejected && plain != nullptr && plain->outcome != Outcome::kRejected;
  bench_->trials.report(note_coverage(trial->solver, run, yield), conflict, rng_);
  // What an option set does not take is no business of the oracles.
  if (run.outcome != Outcome::kRejected) exam.set_run(guest, std::move(run));
}

std::string Worker::name_in_signature(const Finding& finding) const {
  const SolverLab& lab = bench_->sessions;
  const size_t host = lab.host_of(finding.solver);
  const std::string& name = shared_.solvers[host].name;
  return host == finding.solver ? name : name + " with options";
}

bool Worker::should_ask(const Pace& pace, bool is_probe) {
  if (is_probe || pace.tests < 4) return true;
  const bool is_useless = pace.decided == 0 && (pace.rejected + pace.timeouts) * 2 > pace.tests;
  return !is_useless || rng_.one_in(kSeldom);
}

double Worker::limit_for(const Pace& pace, bool is_probe) {
  const double full = shared_.settings.timeout;
  if (is_probe || (pace.decided == 0 && pace.timeouts == 0) || rng_.one_in(kFullLimit)) return full;
  return std::clamp(kLimitFactor * pace.usual, std::min(kSmallestLimit, full), full);
}

void Worker::note_pace(Pace& pace, const solver::Run& run) {
  ++pace.tests;
  pace.timeouts += run.outcome == Outcome::kTimeout ? 1 : 0;
  pace.rejected += run.outcome == Outcome::kRejected ? 1 : 0;
  for (const solver::CheckResult& check : run.checks) {
    if (!is_decided(check.outcome)) continue;
    ++pace.decided;
    const float share = std::max(1.0F / static_cast<float>(pace.decided), 0.05F);
    pace.usual += share * (static_cast<float>(check.seconds) - pace.usual);
  }
}

void Worker::consult(oracle::Exam& exam, std::vector<Finding>& findings) {
  for (const oracle::Oracle* oracle : oracle::all_oracles()) {
    const uint32_t cost = oracle->cost();
    if (cost == 0 || rng_.one_in(kCostlyOracle * cost)) oracle->judge(exam, findings);
  }
  for (const std::string& name : shared_.settings.oracles) {
    if (const auto* oracle = oracle::find_oracle(name)) oracle->judge(exam, findings);
  }
}

void Worker::pursue(const Visit& visit, const Case& test, const mutate::Mutant* mutant,
                    const Finding& finding, Yield& yield) {
  const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : test.script;
  const std::string look =
      triage::signature(bench_->terms, shown, finding, name_in_signature(finding));
  if (shared_.docket.is_familiar(look)) {
    const auto bug = shared_.store->bug_of(look);
    if (bug) ledger_.add_repeat(*bug, engine_name_);
    return;
  }
  const auto indictment = prosecute(visit, test, mutant, finding);
  if (indictment) {
    strays_.insert(strays_.end(), indictment->strays.begin(), indictment->strays.end());
  }
  shared_.docket.note(look, indictment.has_value());
  const Origin origin{.engine = is_seed_itself_ ? std::string(store::kSeedItself) : engine_name_,
                      .seeds = seeds_of(visit),
                      .rng = shared_.settings.rng,
                      .expectation = expectation_of(test)};
  if (indictment) return keep(*indictment, origin, yield);
  store::Manifest manifest;
  manifest.kind = oracle::to_string(finding.kind);
  manifest.solver = bench_->sessions.solvers()[finding.solver].name;
  manifest.signature = look;
  manifest.engine = origin.engine;
  manifest.seeds = origin.seeds;
  if (!shared_.store->add_unconfirmed(manifest)) shared_.store_failed = true;
}

// First of what the engine itself makes smaller, if it can.
std::optional<Indictment> Worker::prosecute(const Visit& visit, const Case& test,
                                            const mutate::Mutant* mutant, const Finding& finding) {
  const auto start = std::chrono::steady_clock::now();
  const auto stop = [&] { return shared_.is_overdue() || since(start) > kReduceSeconds; };
  const bool is_own = mutant != nullptr && !oracle::is_shown_by_variant(finding);
  if (is_own && shared_.settings.reduce_tries > 0) {
    const auto shows_too = [&](const mutate::Mutant& other) {
      return !stop() &&
             oracle::recheck(bench_->terms, bench_->sessions, case_of(other), finding).has_value();
    };
    const auto smaller =
        bench_->engines[visit.engine]->smaller(bench_->terms, *mutant, shows_too, rng_);
    if (smaller) {
      auto indictment = bench_->prosecutor.prosecute(case_of(*smaller), finding, {stop});
      if (indictment) return indictment;
    }
  }
  return bench_->prosecutor.prosecute(test, finding, {stop});
}

std::vector<std::string> Worker::seeds_of(const Visit& visit) const {
  std::vector<std::string> seeds = {shared_.seeds.files[visit.seed].path};
  if (!partner_.empty()) seeds.push_back(partner_);
  return seeds;
}

void Worker::keep(const Indictment& indictment, const Origin& origin, Yield& yield) {
  store::Finding finding = dossier(indictment, origin);
  finding.manifest.signature = shared_.docket.bug_for(indictment.signature);
  const std::string signature = finding.manifest.signature;
  const bool is_known = !finding.manifest.known.empty();
  const auto stored = shared_.store->add_finding(std::move(finding));
  if (!stored) {
    shared_.store_failed = true;
    return;
  }
  if (!stored->is_new) return;
  shared_.docket.add_bug(signature);
  if (is_known) return;  // upstream: kept, but no news
  ++yield.new_signatures;
  ++shared_.new_bugs;
}

bool Worker::is_in_focus(const ir::Script& script) const {
  const auto& focus = shared_.settings.focus;
  if (focus.empty()) return true;
  const auto stats = ir::script_stats(bench_->terms, script);
  return std::any_of(focus.begin(), focus.end(), [&](const std::string& name) {
    return stats.operators.find(name) != stats.operators.end();
  });
}

}  // namespace elenchus::campaign
