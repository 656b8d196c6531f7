#include "docket/office.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "docket/dossier.h"
#include "docket/history.h"
#include "ir/timeline.h"
#include "oracle/recheck.h"
#include "smtlib/printer.h"

namespace elenchus::docket {
namespace {

// Of solvers, that one step of prosecuting a finding may take.
constexpr double kStepSeconds = 30;
// A look at the docket when there was nothing to do.
constexpr std::chrono::milliseconds kPause(20);
// A solver that cannot be started is tried again after a pause, so often in a row.
constexpr uint32_t kStartFailures = 25;
constexpr std::chrono::milliseconds kStartPause(200);
// So long a full disk is waited for, and so long until what it kept from being stored is tried
// again.
constexpr std::chrono::seconds kRoomPatience(60);
constexpr std::chrono::seconds kRoomPause(5);

// Whether anything is asked before the last question.
bool has_history(const ir::Script& script) {
  const auto is_reset = [](const ir::Command& command) {
    return command.kind == ir::CommandKind::kReset;
  };
  return ir::checks_of(script).size() > 1 ||
         std::any_of(script.commands.begin(), script.commands.end(), is_reset);
}

}  // namespace

// The terms and all that refers to them; made anew after an internal error.
struct Office::Bench {
  Bench(const Service& service, Office& office)
      : terms(service.ops),
        clean(terms.mark()),
        sessions(terms, service.solvers, service.fresh, service.limits),
        fresh(terms, service.solvers, true, service.limits),
        prosecutor(terms, sessions, fresh, service.reduce_tries) {
    for (lab::SolverLab* lab : {&sessions, &fresh}) {
      lab->add_guests();
      if (service.prepare) service.prepare(*lab);
      lab->set_turnstile(service.turnstile, lab::Purpose::kProsecution);
      lab->set_observer(
          [&office](size_t solver, const solver::Run& run) { office.note_run(solver, run); });
      lab->set_payer([&office](size_t solver, const lab::Expense& expense) {
        office.note_expense(solver, expense);
      });
    }
  }

  ir::TermStore terms;
  ir::TermStore::Mark clean;
  lab::SolverLab sessions;
  lab::SolverLab fresh;
  Prosecutor prosecutor;
};

Office::Office(Service& service, bool waits) : service_(service), waits_(waits) {}
Office::~Office() = default;

void Office::note_run(size_t solver, const solver::Run& run) {
  if (run.internal_error) {
    start_failure_ = run.internal_error;
    return;
  }
  spent_ += run.seconds;
  const size_t host = solver % service_.solvers.size();
  ledger_.add_run(engine_, service_.solvers[host].name, run.outcome, run.seconds,
                  solver::spent_cpu_seconds(run), store::Purpose::kProsecute);
  if (service_.on_cost) service_.on_cost(solver::spent_cpu_seconds(run));
}

void Office::note_expense(size_t solver, const lab::Expense& expense) {
  spent_ += expense.seconds;
  const size_t host = solver % service_.solvers.size();
  ledger_.add_spent(store::Purpose::kApart, service_.solvers[host].name,
                    {.runs = 1, .wall = expense.seconds, .cpu = expense.cpu_seconds});
  if (service_.on_cost) service_.on_cost(expense.cpu_seconds);
}

bool Office::is_over() { return service_.abandon() || service_.stop(); }

void Office::run() {
  while (!is_over()) {
    if (waits_ && service_.is_testing()) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    const bool was_testing = service_.is_testing();
    if (work_once() || diagnose_once()) continue;
    if (!was_testing && service_.docket.is_done()) break;
    std::this_thread::sleep_for(kPause);
  }
  bench_.reset();
}

bool Office::work_once() {
  auto taken = service_.docket.take(!service_.is_testing());
  if (!taken) return pass_over(taken.error());
  if (!taken->assignment) return false;
  work_on(*taken->assignment);
  return true;
}

// A suspicion that somebody has removed, or made unreadable, is no reason to end a campaign. Where
// we ran out of something, others would fare no better.
bool Office::pass_over(const base::Error& error) {
  base::Result<void> noted = error;
  if (error.kind != base::ErrorKind::kLimit) {
    noted = service_.store.add_event(store::Severity::kWarning, "docket",
                                     "a suspicion is passed over: " + error.message);
  }
  if (!noted) failed(noted.error());
  return noted.has_value();
}

bool Office::diagnose_once() {
  if (service_.waiting == nullptr) return false;
  const bool is_testing = service_.is_testing();
  const auto id = service_.waiting->take(is_testing);
  if (!id) return false;
  spent_ = 0;
  base::Result<void> done;
  try {
    done = diagnose(*id);
  } catch (const std::exception& error) {
    done = base::Error{base::ErrorKind::kInternal, error.what(), {}};
  }
  if (!is_testing) service_.waiting->spend(spent_);
  if (!done) {
    // The bug is complete without it; `elenchus diagnose` can be asked again.
    const auto noted = service_.store.add_event(
        store::Severity::kWarning, "diagnosis",
        fmt::format("{} could not be diagnosed: {}", *id, done.error().message));
    if (!noted) failed(noted.error());
  }
  return true;
}

base::Result<void> Office::diagnose(const std::string& id) {
  const store::CampaignView& view = service_.store.view();
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(id));
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Solver solver,
                            solver_of(manifest, service_.waiting->profiles()));
  engine_ = manifest.engine;
  const auto prepare = [this](lab::SolverLab& lab) {
    std::vector<size_t> hosts;
    for (const solver::Solver& one : lab.solvers()) hosts.push_back(host_of(one));
    lab.set_turnstile(service_.turnstile, lab::Purpose::kProsecution);
    lab.set_observer(
        [this, hosts](size_t at, const solver::Run& run) { note_run(hosts[at], run); });
    lab.set_payer([this, hosts = std::move(hosts)](size_t at, const lab::Expense& expense) {
      note_expense(hosts[at], expense);
    });
  };
  ELENCHUS_ASSIGN_OR_RETURN(
      const Diagnosed found,
      diagnose_bug(view, id, solver, service_.waiting->profiles(),
                   service_.waiting->catalogue_of(solver),
                   {.trial = {service_.limits, service_.ops},
                    .seconds = service_.waiting->seconds(),
                    .fresh = service_.fresh,
                    .stop = [this] { return is_over() || spent_ > service_.waiting->seconds(); },
                    .prepare = prepare}));
  if (!found.shows || service_.abandon()) return {};
  auto kept = keep_diagnosis(view, found);
  if (kept && service_.on_annotated) service_.on_annotated(id);
  return kept;
}

// The solver of the campaign whose program it is.
size_t Office::host_of(const solver::Solver& solver) const {
  for (size_t i = 0; i < service_.solvers.size(); ++i) {
    if (service_.solvers[i].program == solver.program) return i;
  }
  return 0;
}

void Office::work_on(Assignment& assignment) {
  Suspicion& suspicion = assignment.suspicion;
  engine_ = suspicion.origin.engine;
  spent_ = 0;
  start_failure_.reset();
  Step step = Step::kInterrupted;
  try {
    if (bench_ == nullptr) bench_ = std::make_unique<Bench>(service_, *this);
    step = pursue(assignment);
  } catch (const std::bad_alloc&) {
    step = failed({base::ErrorKind::kLimit, "out of memory; use fewer --jobs", {}});
  } catch (const std::exception& error) {
    // Ours to mend, but no reason to end a campaign.
    step = give_up(suspicion, fmt::format("internal error: {}", error.what()));
    bench_.reset();
  }
  if (step != Step::kDone) service_.docket.put_back(suspicion);
}

// A step that a solver could not be started for was not taken.
Office::Step Office::pursue(Assignment& assignment) {
  Suspicion& suspicion = assignment.suspicion;
  while (true) {
    if (service_.abandon()) return Step::kInterrupted;
    const Stage before = suspicion.stage;
    Step step = Step::kDone;
    // Each step has time of its own: after a long reduction, a report must not be left with options
    // that it can do without.
    spent_ = 0;
    if (before == Stage::kSuspected) step = confirm(assignment);
    if (before == Stage::kConfirmed) step = reduce(suspicion);
    if (before == Stage::kReduced) step = describe(suspicion);
    if (step == Step::kDone) {
      start_failures_ = 0;
      full_since_.reset();
    }
    if (step != Step::kDone || before == suspicion.stage) return step;
    if (suspicion.stage == Stage::kUnconfirmed) return step;
  }
}

Office::Step Office::failed(const base::Error& error) {
  if (service_.on_failure) service_.on_failure(error);
  return Step::kFailed;
}

// The disk is full. Every step is complete on the disk before the next begins, so what was found is
// safe in the docket.
bool Office::wait_for_room() {
  const auto now = std::chrono::steady_clock::now();
  if (!full_since_) full_since_ = now;
  if (now - *full_since_ >= kRoomPatience) return false;
  while (!is_over() && std::chrono::steady_clock::now() - now < kRoomPause) {
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

// There is no other place left for it.
Office::Step Office::could_not_store(const base::Error& error, const Suspicion& suspicion,
                                     const std::string& script) {
  if (error.kind == base::ErrorKind::kLimit && wait_for_room()) return Step::kInterrupted;
  base::Error loss = error;
  loss.message = fmt::format(
      "cannot store what was found, a {} of {}: {}\n"
      "Everything stored before is kept. This is the script that shows it:\n{}",
      suspicion.kind, suspicion.solver.solver, error.message, script);
  if (!service_.on_loss) return failed(loss);
  service_.on_loss(std::move(loss));
  return Step::kFailed;
}

Pursuit Office::pursuit() {
  return {.stop = [this] { return is_over() || spent_ > kStepSeconds; },
          .abandon = [this] { return service_.abandon(); }};
}

std::optional<oracle::Finding> Office::shows(const Suspicion& suspicion, uint32_t times) {
  bench_->terms.rollback(bench_->clean);
  const auto papers = read_papers(bench_->terms, bench_->fresh, suspicion);
  if (!papers) return {};
  if (times > 1) return bench_->prosecutor.confirm(papers->test(), papers->finding);
  return oracle::recheck(bench_->terms, bench_->fresh, papers->test(), papers->finding);
}

bool Office::is_explained_by(const Suspicion& suspicion, const std::string& bug) {
  const auto id = service_.store.bug_of(bug);
  if (!id) return false;
  const auto script = service_.store.view().read_bug_file(*id, "reduced.smt2");
  if (!script) return false;
  Suspicion known = suspicion;
  known.script = *script;
  known.expected.clear();
  known.construction.clear();
  known.check = UINT32_MAX;  // the last
  const auto witness = service_.store.view().read_bug_file(*id, "witness.model");
  known.witness = witness ? *witness : std::string();
  return shows(known, 1).has_value();
}

Office::Step Office::confirm(Assignment& assignment) {
  Suspicion& suspicion = assignment.suspicion;
  const std::string& bug = assignment.probable_bug;
  if (!bug.empty() && is_explained_by(suspicion, bug)) return count_for(suspicion, bug);
  bench_->terms.rollback(bench_->clean);
  const auto papers = read_papers(bench_->terms, bench_->fresh, suspicion);
  if (!papers) return lay_aside(suspicion, papers.error());
  auto found = bench_->prosecutor.confirm(papers->test(), papers->finding);
  if (!found && !suspicion.session.empty() && !start_failure_) {
    const auto& guilty = bench_->fresh.solvers()[papers->finding.solver];
    auto joined = with_history(
        suspicion, *guilty.profile,
        [this](const Suspicion& candidate) { return shows(candidate, 1).has_value(); },
        [this] { return is_over() || spent_ > kStepSeconds; });
    if (joined) found = shows(*joined, 2);
    if (found) suspicion = std::move(*joined);
  }
  if (!found && start_failure_) return wait_for_solvers();
  if (!found && is_over()) return Step::kInterrupted;
  if (!found) return give_up(suspicion, "it does not show again in a fresh process");
  suspicion.claim = found->claim;
  suspicion.evidence = found->evidence;
  suspicion.check = found->check;
  suspicion.witness = found->witness;
  suspicion.stage = Stage::kConfirmed;
  const auto written = service_.docket.advance(suspicion);
  return written ? Step::kDone : could_not_store(written.error(), suspicion, suspicion.script);
}

Office::Step Office::wait_for_solvers() {
  if (++start_failures_ < kStartFailures) {
    std::this_thread::sleep_for(kStartPause);
    return Step::kInterrupted;
  }
  return failed({start_failure_->kind,
                 fmt::format("solvers cannot be started: {}; what was found waits in the docket, "
                             "and --resume goes on with it",
                             start_failure_->message),
                 {}});
}

Office::Step Office::reduce(Suspicion& suspicion) {
  bench_->terms.rollback(bench_->clean);
  auto papers = read_papers(bench_->terms, bench_->fresh, suspicion);
  if (!papers) return lay_aside(suspicion, papers.error());
  // The lab of the sessions has guests of its own, who get the same options.
  for (const Party* party : {&suspicion.solver, suspicion.other ? &*suspicion.other : nullptr}) {
    if (party == nullptr) continue;
    if (const auto seat = seat_of(bench_->sessions, *party); !seat) {
      return lay_aside(suspicion, seat.error());
    }
  }
  shrink(suspicion, *papers);
  Pursuit limits = pursuit();
  limits.in_sessions = !suspicion.needs_history;
  Reduction reduction = bench_->prosecutor.reduce(papers->test(), papers->finding, limits);
  if (reduction.script) {
    bench_->prosecutor.restate(papers->test(), reduction, reduction.finding);
  }
  if (service_.abandon()) return Step::kInterrupted;
  if (start_failure_) return wait_for_solvers();
  const bool is_shrunk = !papers->is_as_found;
  if (reduction.script || is_shrunk) {
    const auto text =
        smtlib::print_script(bench_->terms, reduction.script ? *reduction.script : papers->script);
    if (text) {
      suspicion.reduced = *text;
      suspicion.reduced_witness = reduction.finding.witness;
      suspicion.reduced_check = reduction.finding.check;
    }
  }
  suspicion.tries = reduction.tries;
  suspicion.is_minimal = reduction.is_minimal;
  suspicion.stage = Stage::kReduced;
  // Where the time was up, what is left is described for the time being; see keep_for_now().
  if (!is_over() || suspicion.is_minimal || !service_.may_keep_for_now) {
    const auto written = service_.docket.advance(suspicion);
    if (!written) return could_not_store(written.error(), suspicion, suspicion.script);
  }
  for (std::string& stray : reduction.strays) {
    if (service_.on_stray) service_.on_stray(std::move(stray), suspicion.origin);
  }
  return Step::kDone;
}

void Office::shrink(const Suspicion& suspicion, Papers& papers) {
  const bool is_own = !suspicion.is_by_variant && !suspicion.needs_history &&
                      suspicion.provisional.empty();  // what is left is no engine's any more
  if (!service_.smaller || !is_own || !papers.model || service_.reduce_tries == 0) return;
  const Pursuit limits = pursuit();
  std::optional<oracle::Finding> latest;
  const auto is_wanted = [&](const ir::Script& script, const ir::Model& model) {
    if (limits.stop()) return false;
    const oracle::Case test{.script = script, .expected = papers.expected, .witness = &model};
    auto again = oracle::recheck(bench_->terms, bench_->sessions, test, papers.finding);
    if (again) latest = std::move(again);
    return again.has_value();
  };
  auto smaller =
      service_.smaller(suspicion.origin, bench_->terms, papers.script, *papers.model, is_wanted);
  if (!smaller || !latest) return;
  papers.script = std::move(smaller->script);
  papers.model = std::move(smaller->model);
  papers.expected.clear();
  papers.finding = std::move(*latest);
  papers.is_as_found = false;
}

Office::Step Office::describe(Suspicion& suspicion) {
  bench_->terms.rollback(bench_->clean);
  auto papers = read_papers(bench_->terms, bench_->fresh, suspicion);
  if (!papers) return lay_aside(suspicion, papers.error());
  auto latest = bench_->prosecutor.confirm(papers->test(), papers->finding);
  if (!latest && start_failure_) return wait_for_solvers();
  if (!latest && !suspicion.reduced.empty()) {
    // What was left of it does not hold; the script that was confirmed does.
    suspicion.reduced.clear();
    suspicion.is_minimal = false;
    return describe(suspicion);
  }
  if (!latest) return give_up(suspicion, "it did not show a second time in a fresh process");
  start_failure_.reset();
  Indictment indictment =
      bench_->prosecutor.describe(papers->test(), std::move(*latest), pursuit());
  if (service_.abandon()) return Step::kInterrupted;
  // For all that was tried, it may do without the options that are outside the policy.
  const bool is_cut_short = is_over() && !indictment.has_fewest_options;
  if (is_cut_short && !outside_policy(indictment).empty()) return Step::kInterrupted;
  if (!start_failure_) compare_with_baseline(papers->test(), indictment);
  if (start_failure_) return wait_for_solvers();
  indictment.original = suspicion.script;
  indictment.tries = static_cast<uint32_t>(suspicion.tries);
  indictment.is_minimal = suspicion.is_minimal;
  indictment.needs_history = suspicion.needs_history && has_history(papers->script);
  return keep(suspicion, indictment);
}

void Office::compare_with_baseline(const oracle::Case& test, Indictment& indictment) {
  if (!service_.baseline) return;
  const solver::Solver& old = service_.solvers[*service_.baseline];
  if (!bench_->prosecutor.is_new_since(old, test, indictment.finding)) return;
  indictment.new_since = old.version == indictment.solver.version
                             ? old.name
                             : fmt::format("{} {}", old.profile->name, old.version);
}

// What is left of the options after all that could go is gone decides.
std::string Office::outside_policy(const Indictment& indictment) const {
  if (!service_.outside_policy) return {};
  std::string reason = service_.outside_policy(indictment.solver);
  const bool blames_both = indictment.finding.kind == oracle::Kind::kInconsistentOptions;
  if (reason.empty() && blames_both && indictment.other) {
    reason = service_.outside_policy(*indictment.other);
  }
  if (!reason.empty() || !service_.leaves_out_experimental) return reason;
  const std::string need = experimental_need(indictment);
  if (!need.empty()) {
    reason = fmt::format("it needs {}, which {} itself calls experimental", need,
                         indictment.solver.profile->name);
  }
  return reason;
}

Office::Step Office::keep(Suspicion& suspicion, const Indictment& indictment) {
  const bool is_cut_short =
      service_.may_keep_for_now && is_over() && !indictment.has_fewest_options;
  store::Finding finding =
      dossier(indictment, suspicion.origin, outside_policy(indictment), is_cut_short);
  finding.manifest.time = static_cast<int64_t>(suspicion.time);
  if (is_cut_short) return keep_for_now(suspicion, std::move(finding));
  const store::Manifest manifest = finding.manifest;
  const bool is_told = !suspicion.provisional.empty();
  const auto stored = is_told
                          ? service_.store.replace_bug(suspicion.provisional, std::move(finding))
                          : service_.store.add_finding(std::move(finding));
  if (!stored) return could_not_store(stored.error(), suspicion, indictment.told);
  // Another finding may have made it a bug for good.
  if (is_told && service_.store.bug_of(suspicion.provisional)) suspicion.provisional.clear();
  const auto repeats = service_.docket.settle(suspicion, manifest.signature, stored->is_new);
  if (!repeats) return failed(repeats.error());
  ledger_.add_repeat(stored->bug, engine_, *repeats);
  if (stored->is_new && service_.waiting != nullptr) {
    store::Manifest waiting = manifest;
    waiting.id = stored->bug;
    service_.waiting->add(waiting);
  }
  if (service_.on_bug) service_.on_bug(manifest, stored->is_new && !is_told);
  return Step::kDone;
}

// The docket names the bug before there is one, so that after a kill it is known whose it is. What
// looks like a bug that is known for good waits: it may still turn out to be another. So does what
// has a name already.
Office::Step Office::keep_for_now(Suspicion& suspicion, store::Finding finding) {
  const store::Manifest manifest = finding.manifest;
  const std::string before = suspicion.provisional;
  const bool is_same = before == manifest.signature;
  const bool waits = !is_same && (!before.empty() || service_.store.bug_of(manifest.signature));
  suspicion.stage = suspicion.is_minimal ? Stage::kReduced : Stage::kConfirmed;
  if (!waits) suspicion.provisional = manifest.signature;
  if (const auto written = service_.docket.advance(suspicion); !written) {
    return could_not_store(written.error(), suspicion, suspicion.script);
  }
  if (waits) return Step::kInterrupted;
  const auto stored = before.empty() ? service_.store.add_finding(std::move(finding))
                                     : service_.store.replace_bug(before, std::move(finding));
  if (!stored) return could_not_store(stored.error(), suspicion, suspicion.script);
  if (service_.on_bug) service_.on_bug(manifest, stored->is_new && before.empty());
  return Step::kInterrupted;
}

Office::Step Office::count_for(const Suspicion& suspicion, const std::string& bug) {
  const auto repeats = service_.docket.settle(suspicion, bug, false);
  if (!repeats) return failed(repeats.error());
  if (const auto id = service_.store.bug_of(bug)) ledger_.add_repeat(*id, engine_, *repeats + 1);
  return Step::kDone;
}

Office::Step Office::lay_aside(Suspicion& suspicion, const base::Error& error) {
  if (seat_of(bench_->fresh, suspicion.solver)) return give_up(suspicion, error.message);
  service_.docket.set_aside(suspicion);
  const auto noted = service_.store.add_event(store::Severity::kWarning, "docket", error.message);
  return noted ? Step::kDone : failed(noted.error());
}

Office::Step Office::give_up(Suspicion& suspicion, std::string reason) {
  suspicion.stage = Stage::kUnconfirmed;
  suspicion.reason = std::move(reason);
  // It was confirmed when it was told, and nothing more comes of it.
  if (!suspicion.provisional.empty()) {
    if (auto done = service_.store.make_final(suspicion.provisional); !done) {
      return could_not_store(done.error(), suspicion, suspicion.script);
    }
  }
  if (auto written = service_.docket.give_up(suspicion); !written) {
    return could_not_store(written.error(), suspicion, suspicion.script);
  }
  store::Manifest manifest;
  manifest.kind = suspicion.kind;
  manifest.solver = manifest.tested = suspicion.solver.solver;
  for (const solver::Solver& solver : service_.solvers) {
    if (solver.name == manifest.tested) manifest.solver = solver.profile->name;
  }
  manifest.signature = suspicion.look;
  manifest.engine = suspicion.origin.engine;
  manifest.seeds = suspicion.origin.seeds;
  const auto added = service_.store.add_unconfirmed(manifest);
  return added ? Step::kDone : failed(added.error());
}

}  // namespace elenchus::docket
