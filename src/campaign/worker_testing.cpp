// The way of one test: it goes to each solver's session; oracles look at the answers; what they
// find is written down in the docket, and the next test begins.
//
// Most of a fuzzer's time is lost in timeouts. So each solver's limit follows what the mutants of a
// seed usually need, and a solver that does not take a seed, or never decides its mutants, is asked
// only now and then.

#include "campaign/worker.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaign/during.h"
#include "campaign/engine_name.h"
#include "coverage/statistics.h"
#include "docket/papers.h"
#include "oracle/elimination.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "record/kind.h"
#include "solver/query.h"

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
// Option sets that are tried on one formula: more would be fewer formulas, fewer would not pay for
// the plain run, which the first is compared with as well as the second.
constexpr uint32_t kOptionTrials = 2;
// What no test has touched before is worth so many times as much as what the run without options
// did not touch.
constexpr uint32_t kNewKeyWorth = 10;
// Of the solvers' time that may go into reducing mutants that join the pool. Without this limit it
// is a sixth in the first minutes, when a third fewer bugs are found again.
constexpr double kRecruitingShare = 0.05;
// A solver that cannot be started is tried again after a pause, so often in a row: what we ran out
// of may come back.
constexpr uint32_t kStartFailures = 25;
constexpr std::chrono::milliseconds kStartPause(200);

std::string expectation_of(const Case& test) {
  std::vector<std::string_view> words;
  for (const ir::Truth truth : test.expected) words.emplace_back(to_string(truth));
  return words.empty() ? "unknown" : fmt::format("{}", fmt::join(words, " "));
}

// What was found goes out with the error, as there is no other place left for it.
base::Error could_not_store(const base::Error& error, const docket::Suspicion& suspicion) {
  return {error.kind,
          fmt::format("cannot store what was found: {}: {}\n"
                      "Everything stored before is kept. This is the script that shows it:\n{}",
                      suspicion.claim, error.message, suspicion.script),
          {}};
}

bool is_about(const Finding& finding, size_t solver) {
  return finding.solver == solver || finding.other == solver;
}

// Requests that some solver was sent, by what it had answered.
void add_requests(const solver::Query& query, const solver::Solver& solver, const solver::Run& run,
                  std::set<std::string_view>& names) {
  for (const solver::CheckResult& check : run.checks) {
    if (check.outcome != Outcome::kSat) continue;
    if (query.want_models && solver.profile->has_models) names.insert("get-model");
    if (query.want_objectives && solver.profile->has_objectives) names.insert("get-objectives");
  }
  const bool is_at_end = !run.checks.empty() && run.checks.size() == query.check_ends.size();
  if (!is_at_end || !solver.profile->is_interactive) return;
  for (const std::string_view question : query.questions) {
    if (!solver::suits(question, run.checks.back().outcome)) continue;
    names.insert(question.substr(1, question.find_first_of(" )") - 1));
  }
}

// Commands beyond those that every script has, each once.
std::set<std::string_view> telling_commands(const ir::Script& script) {
  std::set<std::string_view> names;
  for (const ir::Command& command : script.commands) {
    switch (command.kind) {
      case ir::CommandKind::kPush: names.insert("push"); break;
      case ir::CommandKind::kPop: names.insert("pop"); break;
      case ir::CommandKind::kResetAssertions: names.insert("reset-assertions"); break;
      case ir::CommandKind::kCheckSatAssuming: names.insert("check-sat-assuming"); break;
      case ir::CommandKind::kCheckSatUsing: names.insert("check-sat-using"); break;
      default: break;
    }
  }
  return names;
}

}  // namespace

Worker::Result Worker::test(Visit& visit, const Case& test, const mutate::Mutant* mutant,
                            Yield& yield) {
  const bool is_probe = mutant == nullptr;
  const ir::TermStore::Mark before = bench_->terms.mark();
  lab::SolverLab& lab = bench_->sessions;
  oracle::Exam exam(bench_->terms, test, lab, {.steps = kEvaluationSteps, .explanation_steps = 0});
  Result result;
  const auto keys_before = yield.new_keys + yield.guests.new_keys;
  auto query = lab.query_of(test.script, {});
  // What options brought is told by comparison with the run without.
  const bool has_options = query && !is_probe && engine_name_of(engine_name_).has_options;
  if (query) query->want_statistics = is_probe || has_options || rng_.one_in(kStatistics);
  std::vector<std::vector<uint64_t>> touched(shared_.solvers.size());
  double cpu = 0;
  start_failure_.reset();
  for (auto& keys : fresh_keys_) keys.clear();
  for (size_t i = 0; query && i < shared_.solvers.size(); ++i) {
    Pace& pace = visit.paces[i];
    if (!should_ask(pace, is_probe)) continue;
    lab.set_seconds(limit_for(pace, is_probe));
    if (bench_->maps[i]) bench_->maps[i]->clear();
    solver::Run run = lab.run_query(i, *query);
    if (run.internal_error) {
      lab.set_seconds(lab.full_seconds());
      bench_->terms.rollback(before);
      shared_.give_back_test();
      wait_for_resources();
      return {.is_void = true};
    }
    start_failures_ = 0;
    note_pace(pace, run);
    yield.new_keys += note_coverage(i, run);
    if (has_options) touched[i] = touched_by(i, run);
    cpu += run.cpu_seconds;
    result.accepted = result.accepted || run.outcome != Outcome::kRejected;
    result.timed_out = result.timed_out || run.outcome == Outcome::kTimeout;
    for (const solver::CheckResult& check : run.checks) {
      result.decided = result.decided || is_decided(check.outcome);
    }
    exam.set_run(i, std::move(run));
  }
  std::optional<OptionTrials::Trial> trial;
  std::optional<uint32_t> variant_keys;  // none: no variant was asked
  if (has_options) {
    trial = test_options(visit, *query, touched, exam, yield);
  } else if (query && !is_probe && variant_) {
    variant_keys = test_variant(visit, *query, exam, yield);
  }
  lab.set_seconds(lab.full_seconds());

  std::vector<Finding> findings;
  consult(exam, findings);
  for (const Finding& finding : findings) {
    suspect(test, finding, exam.find_run(finding.solver), yield);
  }
  for (size_t i = 0; i < exam.solver_count(); ++i) finding_in_session(exam, i, yield);
  if (is_seed_itself_) {
    bench_->recruiter.note_seed(seed_, exam);
  } else if (!is_probe) {
    result.is_unlike_seed =
        !findings.empty() || bench_->recruiter.is_unlike(seed_, exam, fresh_keys_);
    if (findings.empty()) recruit(exam);
  }
  const auto findings_about = [&](size_t guest) {
    return static_cast<uint64_t>(
        std::count_if(findings.begin(), findings.end(),
                      [&](const Finding& finding) { return is_about(finding, guest); }));
  };
  if (trial) {
    const uint64_t found = findings_about(lab.guest_of(trial->solver));
    if (found > 0) account(*trial, {.findings = found});
  }
  if (variant_keys) {
    ledger_.add_tried("variant", variant_->name,
                      {.count = 1,
                       .new_keys = *variant_keys,
                       .findings = findings_about(lab.guest_of(variant_->solver))});
  }
  if (!is_probe) {
    const store::Tried tried{.count = 1,
                             .new_keys = yield.new_keys + yield.guests.new_keys - keys_before,
                             .findings = findings.size()};
    ledger_.add_tried("mode", exam.checks().size() > 1 ? "incremental" : "plain", tried);
    ledger_.add_tried(store::kLaneClass, to_string(Lane::kChecks), tried);
    for (const std::string_view mode : {"tactics", "objectives"}) {
      const std::string suffix = fmt::format("+{}", mode);
      if (engine_name_.find(suffix) != std::string::npos) ledger_.add_tried("mode", mode, tried);
    }
    std::set<std::string_view> commands = telling_commands(test.script);
    for (size_t i = 0; query && i < shared_.solvers.size(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run != nullptr) add_requests(*query, shared_.solvers[i], *run, commands);
    }
    for (const std::string_view command : commands) ledger_.add_tried("command", command, tried);
    if (!mutant->kind.empty()) ledger_.add_tried("edit", mutant->kind, tried);
  }

  yield.tests += 1;
  const bool is_valid = mutant != nullptr && mutant->witness != nullptr;
  ledger_.add_test(accountable(), seed_.folder, result.accepted, result.decided, is_valid);
  ledger_.add_seed_use(seed_.key, {.tests = 1,
                                   .accepted = result.accepted ? 1U : 0U,
                                   .decided = result.decided ? 1U : 0U,
                                   .findings = findings.size(),
                                   .cpu = cpu});
  bench_->terms.rollback(before);
  return result;
}

double Worker::limit_for(const Pace& pace, bool is_probe) {
  const double full = shared_.settings.timeout;
  if (is_probe || (pace.decided == 0 && pace.timeouts == 0) || rng_.one_in(kFullLimit)) return full;
  return std::clamp(kLimitFactor * pace.usual, std::min(kSmallestLimit, full), full);
}

bool Worker::should_ask(const Pace& pace, bool is_probe) {
  if (is_probe || pace.tests < 4) return true;
  const bool is_useless = pace.decided == 0 && (pace.rejected + pace.timeouts) * 2 > pace.tests;
  return !is_useless || rng_.one_in(kSeldom);
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

// CPU time, since what else runs on the machine is nobody's fault; but a solver that did nothing
// until its time was up has cost that time.
void Worker::note_cost(bool is_guest, const solver::Run& run) {
  const bool is_late = run.outcome == Outcome::kTimeout;
  (is_guest ? guests_cost_ : own_cost_) += is_late ? run.seconds : solver::spent_cpu_seconds(run);
}

void Worker::wait_for_resources() {
  if (++start_failures_ < kStartFailures) return std::this_thread::sleep_for(kStartPause);
  shared_.fail(
      {start_failure_->kind,
       fmt::format("no test can be made: {}{}", start_failure_->message,
                   start_failure_->kind == base::ErrorKind::kLimit ? ", or use fewer --jobs" : ""),
       {}});
}

// Edges of an instrumented solver, else what its statistics tell. That an edge is taken more often
// than before is worth as much as a new one (as for AFL); what is counted in the end are edges.
uint32_t Worker::note_coverage(size_t solver, const solver::Run& run) {
  uint32_t fresh = 0;
  uint64_t known = 0;
  if (auto& map = bench_->maps[solver]) {
    auto keys = map->new_keys();
    if (!keys.empty()) {
      fresh = shared_.keys->add(solver, keys, known, &fresh_keys_[solver]);
      for (uint64_t& key : keys) key = coverage::edge_of(key);
      shared_.edges->add(solver, keys, known);
    }
  } else {
    for (const solver::CheckResult& check : run.checks) {
      if (check.statistics.empty()) continue;
      fresh += shared_.keys->add(solver, coverage::statistic_keys(check.statistics), known,
                                 &fresh_keys_[solver]);
    }
  }
  if (known > 0) ledger_.set_keys(shared_.solvers[solver].name, known);
  return fresh;
}

std::vector<uint64_t> Worker::touched_by(size_t solver, const solver::Run& run) const {
  std::vector<uint64_t> keys;
  if (const auto& map = bench_->maps[solver]) {
    const auto edges = map->edges();
    keys.assign(edges.begin(), edges.end());
    return keys;
  }
  for (const solver::CheckResult& check : run.checks) {
    const auto some = coverage::statistic_keys(check.statistics);
    keys.insert(keys.end(), some.begin(), some.end());
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::optional<OptionTrials::Trial> Worker::test_options(
    Visit& visit, const solver::Query& query, const std::vector<std::vector<uint64_t>>& plain,
    oracle::Exam& exam, Yield& yield) {
  OptionTrials& trials = bench_->trials;
  const uint64_t begun = trials.begun();
  const uint64_t ended = trials.ended();
  std::optional<OptionTrials::Trial> last;
  for (uint32_t i = 0; i < kOptionTrials; ++i) {
    auto trial = trials.next(bench_->terms, exam.test().script, rng_);
    if (!trial) break;
    solver::Run run = try_options(visit, *trial, query, plain[trial->solver], exam, yield);
    // What an option set does not take is no business of the oracles.
    if (run.outcome == Outcome::kRejected || run.internal_error) continue;
    const size_t guest = bench_->sessions.guest_of(trial->solver);
    if (i + 1 < kOptionTrials) {
      const size_t found = judge_guest(exam, guest, std::move(run), yield);
      if (found > 0) account(*trial, {.findings = found});
    } else {
      // The last one is looked at with all the others.
      exam.set_run(guest, std::move(run));
      last = std::move(trial);
    }
  }
  if (trials.begun() > begun) {
    ledger_.add_tried("search", "begun", {.count = trials.begun() - begun});
  }
  if (trials.ended() > ended) {
    ledger_.add_tried("search", "ended", {.count = trials.ended() - ended});
  }
  return last;
}

solver::Run Worker::try_options(Visit& visit, const OptionTrials::Trial& trial,
                                const solver::Query& query, const std::vector<uint64_t>& plain,
                                const oracle::Exam& exam, Yield& yield) {
  lab::SolverLab& lab = bench_->sessions;
  const size_t guest = lab.guest_of(trial.solver);
  lab.set_guest_options(guest, trial.options);
  lab.set_seconds(limit_for(visit.paces[trial.solver], false));
  if (bench_->maps[trial.solver]) bench_->maps[trial.solver]->clear();
  solver::Run run = lab.run_query(guest, query);
  const solver::Run* without = exam.find_run(trial.solver);
  const uint32_t fresh = note_coverage(trial.solver, run);
  yield.guests.new_keys += fresh;
  std::vector<uint64_t> brought;
  if (without != nullptr) {
    const auto touched = touched_by(trial.solver, run);
    std::set_difference(touched.begin(), touched.end(), plain.begin(), plain.end(),
                        std::back_inserter(brought));
  }
  const bool conflict = run.outcome == Outcome::kRejected && without != nullptr &&
                        without->outcome != Outcome::kRejected;
  bench_->trials.report({.fitness = static_cast<uint32_t>(brought.size()) + kNewKeyWorth * fresh,
                         .has_news = fresh > 0,
                         .conflict = conflict},
                        rng_);
  account(trial, {.count = 1, .new_keys = fresh});
  return run;
}

void Worker::account(const OptionTrials::Trial& trial, const store::Tried& tried) {
  ledger_.add_tried("option-set", std::to_string(trial.names.size()), tried);
  for (const std::string& name : trial.names) {
    ledger_.add_tried("option", shared_.solvers[trial.solver].profile->name + ' ' + name, tried);
  }
}

size_t Worker::judge_guest(const oracle::Exam& exam, size_t guest, solver::Run run, Yield& yield) {
  oracle::Exam aside(bench_->terms, exam.test(), bench_->sessions,
                     {.steps = kEvaluationSteps, .explanation_steps = 0});
  for (size_t i = 0; i < shared_.solvers.size(); ++i) {
    if (const solver::Run* own = exam.find_run(i)) aside.set_run(i, *own);
  }
  aside.set_run(guest, std::move(run));
  std::vector<Finding> findings;
  for (const oracle::Oracle* oracle : oracle::all_oracles()) {
    if (oracle->cost() == 0) oracle->judge(aside, findings);
  }
  // What the others show without it is found in the end.
  std::erase_if(findings, [&](const Finding& finding) { return !is_about(finding, guest); });
  for (const Finding& finding : findings) {
    suspect(exam.test(), finding, aside.find_run(finding.solver), yield);
  }
  finding_in_session(aside, guest, yield);
  return findings.size();
}

uint32_t Worker::test_variant(Visit& visit, const solver::Query& query, oracle::Exam& exam,
                              Yield& yield) {
  lab::SolverLab& lab = bench_->sessions;
  const size_t guest = lab.guest_of(variant_->solver);
  lab.set_guest_options(guest, *variant_->options);
  lab.set_seconds(limit_for(visit.paces[variant_->solver], false));
  if (bench_->maps[variant_->solver]) bench_->maps[variant_->solver]->clear();
  solver::Run run = lab.run_query(guest, query);
  const uint32_t fresh = note_coverage(variant_->solver, run);
  yield.guests.new_keys += fresh;
  if (run.outcome != Outcome::kRejected && !run.internal_error) {
    exam.set_run(guest, std::move(run));
  }
  return fresh;
}

size_t Worker::look_into(const TermTests::Suspicious& one, Yield& yield) {
  const During looking(purpose_, store::Purpose::kProsecute);
  const During coming(is_of_seed_, one.is_of_seed);
  static constexpr ir::Truth kSat[] = {ir::Truth::kSat};
  Case test{.script = one.script};
  if (one.witness) {
    test.expected = kSat;
    test.witness = &*one.witness;
  }
  bench_->sessions.set_seconds(bench_->sessions.full_seconds());
  oracle::Exam exam(bench_->terms, test, bench_->sessions,
                    {.steps = kEvaluationSteps, .explanation_steps = 0});
  exam.run(one.solver);
  std::vector<Finding> findings;
  for (const oracle::Oracle* oracle : oracle::all_oracles()) {
    if (oracle->cost() == 0) oracle->judge(exam, findings);
  }
  for (Finding& finding : findings) {
    if (finding.kind != record::Kind::kRefutationUnsound || !finding.model) continue;
    // The rewrite explains a wrong answer, if the solver rewrites the term by itself as wrongly.
    finding.oracle = oracle::rewrite_oracle().name();
    if (auto again = oracle::recheck(exam, finding)) finding = std::move(*again);
  }
  // A wrong answer needs no other finding.
  if (findings.empty()) oracle::rewrite_oracle().judge(exam, findings);
  // With an option it is what the tactic with that option makes of it.
  if (findings.empty() && !one.tactic.empty()) {
    oracle::judge_formula(exam, one.solver, one.tactic, findings);
  }
  for (const Finding& finding : findings) {
    suspect(test, finding, exam.find_run(finding.solver), yield);
  }
  return findings.size();
}

// While all is new, nothing is; the pool is for what the seeds themselves do not show. At first
// there is more that is new than there is time to make it small.
void Worker::recruit(const oracle::Exam& exam) {
  if (shared_.scheduler->seeds_visited() < shared_.seeds.files.size()) return;
  if (recruiting_cpu_ > kRecruitingShare * solver_cpu_) return;
  const During learning(purpose_, store::Purpose::kLearn);
  const double before = solver_cpu_;
  const auto joined = bench_->recruiter.look_at(seed_, engine_name_, exam, fresh_keys_);
  recruiting_cpu_ += solver_cpu_ - before;
  // On a full disk it does not join; testing goes on without it.
  if (!joined && joined.error().kind != base::ErrorKind::kLimit) shared_.fail(joined.error());
}

void Worker::consult(oracle::Exam& exam, std::vector<Finding>& findings) {
  for (const oracle::Oracle* oracle : oracle::all_oracles()) {
    const uint32_t cost = oracle->cost();
    if (cost == 0 || rng_.one_in(kCostlyOracle * cost)) oracle->judge(exam, findings);
  }
  for (const std::string& name : shared_.settings.oracles) {
    if (const auto* oracle = oracle::find_oracle(name)) oracle->judge(exam, findings);
  }
  if (shared_.baseline) compare_with_baseline(exam, findings);
}

void Worker::compare_with_baseline(oracle::Exam& exam, std::vector<Finding>& findings) {
  const auto& asked_for = shared_.settings.oracles;
  for (const std::string_view name : {"slow", "incomplete"}) {
    if (std::find(asked_for.begin(), asked_for.end(), name) != asked_for.end()) continue;
    const oracle::Oracle* oracle = oracle::find_oracle(name);
    std::vector<Finding> more;
    oracle->judge(exam, more);
    for (Finding& finding : more) {
      const Outcome before = exam.answer(*shared_.baseline, finding.check);
      if (is_decided(before)) findings.push_back(std::move(finding));
    }
  }
}

bool Worker::is_of_baseline(const Finding& finding) const {
  const auto is_baseline = [&](size_t solver) {
    return bench_->sessions.host_of(solver) == shared_.baseline;
  };
  const bool blames_both = finding.other && record::info(finding.kind).has(record::kTwoAnswers);
  return is_baseline(finding.solver) && !(blames_both && !is_baseline(*finding.other));
}

// A crash that a process of its own does not repeat: the run that counts for the test is the second
// one, and what is to be looked into is the first.
void Worker::finding_in_session(oracle::Exam& exam, size_t solver, Yield& yield) {
  const solver::Run* run = exam.find_run(solver);
  if (run == nullptr || !solver::crashed_only_in_session(*run)) return;
  oracle::Exam first(bench_->terms, exam.test(), exam.lab(), {});
  first.set_run(solver, *run->session_run);
  std::vector<Finding> findings;
  oracle::crash_oracle().judge(first, findings);
  for (const Finding& finding : findings) {
    suspect(exam.test(), finding, run->session_run.get(), yield);
  }
}

void Worker::suspect(const Case& test, const Finding& finding, const solver::Run* run,
                     Yield& yield) {
  if (is_of_baseline(finding)) return;
  const auto [cause, look] = docket::looks_of(bench_->terms, bench_->sessions, test, finding);
  const docket::Reception reception =
      shared_.docket->receive(cause, look, is_of_seed_ ? seed_.family() : "");
  if (!reception.is_wanted) {
    const auto bug = shared_.store->bug_of(reception.bug);
    if (bug) ledger_.add_repeat(*bug, engine_name_);
    return;
  }
  const bool is_plain = finding.solver < bench_->sessions.own_count();
  (is_plain ? yield.causes : yield.guests.causes) += reception.is_first ? 1 : 0;
  (is_plain ? yield.suspicions : yield.guests.suspicions) += reception.is_sample ? 0 : 1;
  auto suspicion = docket::suspicion_of(bench_->terms, bench_->sessions, test, finding, run,
                                        {.engine = std::string(accountable()),
                                         .seeds = origins(),
                                         .rng = shared_.settings.rng,
                                         .expectation = expectation_of(test)});
  if (!suspicion) return shared_.fail(suspicion.error());
  suspicion->time = shared_.store->now();
  const auto added = shared_.docket->add(*suspicion, reception.is_sample);
  if (!added) shared_.fail_with_loss(could_not_store(added.error(), *suspicion));
}

// None of a term from nowhere; else the seed that the test descends from, the script of the pool
// that lies between, the partner.
std::vector<std::string> Worker::origins() const {
  if (!is_of_seed_) return {};
  std::vector<std::string> seeds = {seed_.family()};
  if (!seed_.ancestor.empty()) seeds.push_back(seed_.path);
  if (!partner_.empty()) seeds.push_back(partner_);
  return seeds;
}

}  // namespace elenchus::campaign
