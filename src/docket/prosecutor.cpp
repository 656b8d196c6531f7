#include "docket/prosecutor.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "docket/backtrace.h"
#include "docket/repro.h"
#include "ir/timeline.h"
#include "oracle/elimination.h"
#include "oracle/model_check.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "oracle/term_values.h"
#include "oracle/variants.h"
#include "record/kind.h"
#include "reduce/reduce.h"
#include "triage/shape.h"
#include "triage/signature.h"

namespace elenchus::docket {

using oracle::Case;
using oracle::Finding;

namespace {

// Whether two answers are needed to show it.
bool is_about_two(oracle::Kind kind) { return record::info(kind).has(record::kTwoAnswers); }

// What a solver is asked for beside its answer, to show what is wrong.
oracle::Wishes wishes_for(oracle::Kind kind) {
  const bool is_core = record::info(kind).shows == record::Shows::kCore;
  return {.models = !is_core, .cores = is_core};
}

// Candidates get this many times the time that the bug takes, and at least this.
constexpr double kLimitFactor = 10;
constexpr double kSmallestLimit = 0.5;  // seconds

// Scripts that a reduction comes by and that show something else than what is being reduced.
class Strays {
 public:
  Strays(const ir::TermStore& store, const Finding& finding,
         std::span<const solver::Solver> solvers)
      : store_(store), kind_(finding.kind), location_(finding.location), solvers_(solvers) {}

  // What the runs of the exam show that was not met yet, by oracles that ask for no further runs.
  void look_at(oracle::Exam& exam) {
    if (texts_.size() >= kMost) return;
    std::vector<Finding> findings;
    for (const oracle::Oracle* oracle : oracle::all_oracles()) {
      if (oracle->cost() == 0) oracle->judge(exam, findings);
    }
    for (const Finding& finding : findings) {
      const bool is_same = finding.kind == kind_ && finding.location == location_;
      if (is_same) continue;
      const std::string look =
          triage::signature(store_, exam.test().script, finding, solvers_[finding.solver].name);
      if (!seen_.insert(look).second) continue;
      const auto text = smtlib::print_script(store_, exam.test().script);
      if (text) texts_.push_back(*text);
      return;
    }
  }

  std::vector<std::string> take() { return std::move(texts_); }

 private:
  static constexpr size_t kMost = 3;

  const ir::TermStore& store_;
  oracle::Kind kind_;
  std::string location_;
  std::span<const solver::Solver> solvers_;
  std::unordered_set<std::string> seen_;
  std::vector<std::string> texts_;
};

// Bugs are told apart by solver, and by whether they need options, but not by which.
std::string signature_name(const lab::SolverLab& lab, const Indictment& indictment) {
  const size_t host = lab.host_of(indictment.finding.solver);
  const solver::Solver& own = lab.solvers()[host];
  const bool needs_more =
      host != indictment.finding.solver && indictment.solver.options.size() > own.options.size();
  return needs_more ? solver::name_in_signature(own) + " with options"
                    : solver::name_in_signature(indictment.solver);
}

std::string logic_in(std::string_view script) {
  constexpr std::string_view kCommand = "(set-logic ";
  const size_t at = script.find(kCommand);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = script.substr(at + kCommand.size());
  return std::string(rest.substr(0, rest.find(')')));
}

}  // namespace

Case with_script(const Case& test, const ir::Script& script) {
  Case changed{.script = script};
  if (&script == &test.script) return test;
  changed.witness = test.witness;
  return changed;
}

Prosecutor::Prosecutor(ir::TermStore& store, lab::SolverLab& fast, lab::SolverLab& fresh,
                       uint32_t reduce_tries)
    : store_(store), fast_(fast), fresh_(fresh), reduce_tries_(reduce_tries) {}

namespace {

// What comes of a wrong rewrite where users feel it: whether check-sat goes wrong, too. Nothing
// where the script is not satisfied by the assignment that tells both terms apart.
std::string answer_beside(ir::TermStore& store, const ir::Script& script,
                          const Indictment& indictment) {
  const auto checks = ir::checks_of(script);
  const Finding& finding = indictment.finding;
  const auto verdict =
      checks.empty() || !finding.model
          ? std::nullopt
          : std::optional(oracle::check_model(store, script, checks.back(), *finding.model, {}));
  if (!verdict || !*verdict || !oracle::is_proof(**verdict)) return {};
  for (const auto& [name, run] : indictment.runs) {
    if (name != indictment.solver.name) continue;
    return fmt::format("\nto (check-sat) of this script it answers {}{}", to_string(run.outcome),
                       run.outcome == solver::Outcome::kSat     ? ", which is right"
                       : run.outcome == solver::Outcome::kUnsat ? ", which is wrong"
                                                                : "");
  }
  return {};
}

}  // namespace

std::optional<Indictment> Prosecutor::prosecute(const Case& test, const Finding& finding,
                                                const Pursuit& pursuit) {
  const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : test.script;
  const Case base = with_script(test, shown);
  const auto confirmed = confirm(base, finding);
  if (!confirmed) return {};

  Reduction reduction = reduce(base, *confirmed, pursuit);
  auto latest = confirm(reduction.script ? with_script(base, *reduction.script) : base,
                        reduction.script ? reduction.finding : *confirmed);
  if (!latest && reduction.script) {
    reduction.script.reset();
    reduction.is_minimal = false;
    latest = confirm(base, *confirmed);
  }
  if (!latest) return {};
  if (reduction.script) restate(base, reduction, *latest);
  Indictment indictment = describe(reduction.script ? with_script(base, *reduction.script) : base,
                                   std::move(*latest), pursuit);
  const auto original = smtlib::print_script(store_, shown);
  if (original) indictment.original = *original;
  indictment.tries = reduction.tries;
  indictment.is_minimal = reduction.is_minimal;
  indictment.strays = std::move(reduction.strays);
  return indictment;
}

// A script in which the term happens to be says what it was made of, and little of the rewrite.
void Prosecutor::restate(const Case& base, Reduction& reduction, Finding& finding) {
  if (finding.kind != oracle::Kind::kWrongRewrite) return;
  const auto script = oracle::stated_alone(store_, *reduction.script, finding);
  auto again = script ? confirm(with_script(base, *script), finding) : std::nullopt;
  if (!again) return;
  reduction.script = script;
  finding = std::move(*again);
}

Indictment Prosecutor::describe(const Case& test, Finding finding, const Pursuit& pursuit) {
  Indictment indictment;
  const std::vector<solver::Solver> solvers = drop_options(test, finding, pursuit);
  indictment.has_fewest_options = !pursuit.stop();
  indictment.solver = solvers[finding.solver];
  if (finding.other && is_about_two(finding.kind)) indictment.other = solvers[*finding.other];
  const ir::Script told = told_script(test.script, finding.kind);
  add_runs(solvers, told, wishes_for(finding.kind), indictment);
  indictment.finding = std::move(finding);
  if (!pursuit.stop()) {
    lab::SolverLab lab = fresh_.with_solvers(solvers);
    indictment.voices =
        hear_others(store_, lab, fresh_.own_count(), test.script, indictment.finding);
  }
  const auto text = smtlib::print_script(store_, test.script);
  const auto told_text = smtlib::print_script(store_, told);
  if (text) indictment.reduced = *text;
  if (told_text) indictment.told = *told_text;
  indictment.logic = logic_in(indictment.reduced);
  if (indictment.finding.script && !oracle::is_shown_by_variant(indictment.finding)) {
    const auto variant = smtlib::print_script(store_, *indictment.finding.script);
    if (variant) indictment.variant = *variant;
  }
  add_call(pursuit, indictment);
  if (indictment.finding.kind == oracle::Kind::kCrash && !pursuit.stop()) {
    fresh_.in_turn(indictment.finding.solver, [&] {
      lab::Expense expense;
      indictment.frames = backtrace_of(indictment, fresh_.full_limits(), expense);
      return expense;
    });
  }
  add_evidence(test, pursuit, indictment);
  return indictment;
}

bool Prosecutor::shows_when_called(const Call& call, const Indictment& indictment) {
  bool is_shown = false;
  fresh_.in_turn(indictment.finding.solver, [&] {
    lab::Expense expense;
    is_shown = shows_by_script(indictment, call, fresh_.full_limits(), expense);
    return expense;
  });
  return is_shown;
}

// What a report says of the call is worth some runs even when time is up: untried, it may claim
// options that nothing needs.
void Prosecutor::add_call(const Pursuit& pursuit, Indictment& indictment) {
  constexpr uint32_t kLastRuns = 10;
  constexpr std::chrono::seconds kLastSeconds(5);
  indictment.seconds = fresh_.full_seconds();
  const Call given = call_of(indictment.solver, indictment.told);
  indictment.call = given;
  uint32_t late = 0;
  std::optional<std::chrono::steady_clock::time_point> ends;
  const auto shows = [&](const Call& call) {
    if (pursuit.abandon && pursuit.abandon()) return false;
    if (pursuit.stop()) {
      const auto now = std::chrono::steady_clock::now();
      if (!ends) ends = now + kLastSeconds;
      if (++late > kLastRuns || now >= *ends) return false;
    }
    return shows_when_called(call, indictment);
  };
  const bool is_by_time = record::info(indictment.finding.kind).has(record::kByTime);
  for (const Requests requests : requests_for(indictment.finding)) {
    indictment.requests = requests;
    indictment.shows_by_script = shows(given);
    if (indictment.shows_by_script || is_by_time) break;
  }
  if (!indictment.shows_by_script) indictment.requests = Requests::kNone;
  // One that shows by taking its time is not worth as much of ours.
  if (is_by_time) return;
  indictment.call = plainest_call(given, indictment.solver.options.size(), shows);
  if (!(indictment.call == given)) indictment.shows_by_script = true;
}

// Names stand where a core is the point: it consists of them. A request for a formula is one about
// what is left.
ir::Script Prosecutor::told_script(const ir::Script& reduced, oracle::Kind kind) {
  if (kind == oracle::Kind::kWrongElimination) {
    return oracle::with_request_renewed(store_, reduced);
  }
  const auto checks = ir::checks_of(reduced);
  if (record::info(kind).shows != record::Shows::kCore || checks.empty()) return reduced;
  const auto flat = oracle::flattened(store_, reduced, checks.back());
  const auto named = flat ? oracle::with_names(store_, *flat) : std::nullopt;
  return named ? *named : reduced;
}

std::vector<solver::Solver> Prosecutor::drop_options(const Case& test, Finding& finding,
                                                     const Pursuit& pursuit) {
  std::vector<solver::Solver> all(fresh_.solvers().begin(), fresh_.solvers().end());
  std::vector<solver::Solver> solvers =
      with_fewest_options(all, finding.solver, test, finding, pursuit);
  const bool blames_both = finding.kind == oracle::Kind::kInconsistentOptions && finding.other;
  if (blames_both) {
    solvers = with_fewest_options(std::move(solvers), *finding.other, test, finding, pursuit);
  }
  // Again, for what the finding says of solvers with the options that are left.
  const auto has_all_options = [&](size_t i) { return solvers[i].options == all[i].options; };
  if (has_all_options(finding.solver) && (!blames_both || has_all_options(*finding.other))) {
    return solvers;
  }
  lab::SolverLab last = fresh_.with_solvers(solvers);
  auto again = confirm_in(last, test, finding);
  if (!again) return all;
  finding = std::move(*again);
  return solvers;
}

void Prosecutor::add_evidence(const Case& test, const Pursuit& pursuit, Indictment& indictment) {
  Finding placed = indictment.finding;
  placed.location = triage::place_of(placed.location, indictment.frames);
  indictment.signature =
      triage::signature(store_, test.script, placed, signature_name(fresh_, indictment));
  indictment.tested = fresh_.solvers()[fresh_.host_of(indictment.finding.solver)].name;
  indictment.shape = triage::shape(store_, test.script);
  indictment.theories = triage::theories_of(store_, test.script);
  indictment.odd_format = odd_format_in(store_, test.script, *indictment.solver.profile);
  indictment.model = shown_model(store_, test.script, indictment.finding);
  indictment.finding.evidence = proof_of(test.script, indictment.finding);
  if (indictment.finding.kind == oracle::Kind::kWrongRewrite) {
    indictment.finding.evidence += answer_beside(store_, test.script, indictment);
  }
  indictment.evaluation = evaluation_of(store_, test.script, indictment.finding);
  if (pursuit.stop()) return;
  if (const auto strict = solver::under_own_rules(indictment.solver)) {
    lab::SolverLab lab = fresh_.with_solvers({&*strict, 1});
    const solver::Run run = lab.run(0, test.script, wishes_for(indictment.finding.kind));
    if (run.outcome == solver::Outcome::kRejected) {
      indictment.beyond_rules = beyond_own_rules(*strict, run.message);
    }
  }
  indictment.stability = stability_of(indictment.solver, [&](const solver::Solver& seeded) {
    return shows_on(seeded, test, indictment.finding);
  });
}

bool Prosecutor::shows(lab::SolverLab& lab, const Case& test, const Finding& finding) {
  return oracle::recheck(store_, lab, test, finding).has_value();
}

// Alone, in fresh processes, twice; what is slow may be so by chance, and is tried once more.
std::optional<Finding> Prosecutor::confirm_in(lab::SolverLab& lab, const Case& test,
                                              const Finding& finding) {
  lab.set_seconds(lab.full_seconds());
  const int times = record::info(finding.kind).has(record::kByTime) ? 3 : 2;
  std::optional<Finding> again;
  for (int i = 0; i < times; ++i) {
    again = oracle::recheck(store_, lab, test, finding);
    if (!again) return {};
  }
  return again;
}

std::optional<Finding> Prosecutor::confirm(const Case& test, const Finding& finding) {
  return confirm_in(fresh_, test, finding);
}

// Says whether the finding shows in the lab, and lets its limit follow what that takes: a candidate
// that needs much longer is of no use.
bool Prosecutor::settle_limit(lab::SolverLab& lab, const Case& test, const Finding& finding) {
  const double full = lab.full_seconds();
  lab.set_seconds(full);
  oracle::Exam exam(store_, test, lab, {.explanation_steps = 0});
  if (!oracle::recheck(exam, finding)) return false;
  double slowest = 0;
  for (size_t i = 0; i < exam.solver_count(); ++i) {
    const solver::Run* run = exam.find_run(i);
    if (run != nullptr) slowest = std::max(slowest, run->seconds);
  }
  lab.set_seconds(std::clamp(kLimitFactor * slowest, std::min(kSmallestLimit, full), full));
  return true;
}

// Candidates run in sessions where the finding shows there; that is many times faster. What a
// session shows may need the candidates before it: then all of it is done again without.
Reduction Prosecutor::reduce(const Case& test, const Finding& found, const Pursuit& pursuit) {
  if (reduce_tries_ == 0 || pursuit.stop()) return {.script = {}, .finding = found};
  if (pursuit.in_sessions && settle_limit(fast_, test, found)) {
    Reduction reduction = reduce_in(fast_, test, found, pursuit);
    if (!reduction.script || pursuit.stop() ||
        confirm(with_script(test, *reduction.script), reduction.finding)) {
      return reduction;
    }
  }
  settle_limit(fresh_, test, found);
  return reduce_in(fresh_, test, found, pursuit);
}

Reduction Prosecutor::reduce_in(lab::SolverLab& lab, const Case& test, const Finding& found,
                                const Pursuit& pursuit) {
  Reduction result{.script = {}, .finding = found};
  Finding& finding = result.finding;
  Strays strays(store_, finding, lab.solvers());
  const auto still_bad = [&](const ir::Script& candidate) {
    const Case changed = with_script(test, candidate);
    oracle::Exam exam(store_, changed, lab, {.explanation_steps = 0});
    auto again = oracle::recheck(exam, finding);
    if (!again) {
      strays.look_at(exam);
      return false;
    }
    finding = std::move(*again);
    return true;
  };
  reduce::Settings settings{
      .max_tries = reduce_tries_, .should_stop = pursuit.stop, .on_progress = pursuit.on_progress};
  if (pursuit.jobs > 1) {
    lab.run_ahead(finding.solver, pursuit.jobs);
    settings.ahead = pursuit.jobs;
    settings.foresee = [&lab](const ir::Script& candidate) { lab.foresee(candidate); };
  }
  auto reduction = reduce::reduce(store_, test.script, still_bad, settings);
  lab.run_ahead(finding.solver, 0);
  lab.set_seconds(lab.full_seconds());
  result.tries = reduction.tries;
  result.is_minimal = reduction.finished;
  result.strays = strays.take();
  if (reduction.accepted > 0) result.script = std::move(reduction.script);
  return result;
}

bool Prosecutor::shows_on(const solver::Solver& solver, const Case& test, const Finding& finding) {
  std::vector<solver::Solver> solvers(fresh_.solvers().begin(), fresh_.solvers().end());
  solvers[finding.solver] = solver;
  lab::SolverLab lab = fresh_.with_solvers(solvers);
  return shows(lab, test, finding);
}

bool Prosecutor::is_new_since(const solver::Solver& old, const Case& test, const Finding& finding) {
  std::vector<solver::Solver> solvers(fresh_.solvers().begin(), fresh_.solvers().end());
  const solver::Solver guilty = solvers[finding.solver];
  if (!solver::are_kin(old, guilty)) return false;
  const auto& host = solvers[fresh_.host_of(finding.solver)];
  const auto own =
      static_cast<std::ptrdiff_t>(std::min(host.options.size(), guilty.options.size()));
  solvers[finding.solver] =
      solver::with_options(old, {guilty.options.begin() + own, guilty.options.end()});
  lab::SolverLab lab = fresh_.with_solvers(solvers);
  // What an old version does by chance is no news of the new one.
  for (int i = 0; i < 2; ++i) {
    oracle::Exam exam(store_, test, lab, {.explanation_steps = 0});
    if (oracle::recheck(exam, finding)) return false;
    const solver::Run& run = exam.run(finding.solver);
    const bool is_optional = record::info(finding.kind).has(record::kOptional);
    const bool answers =
        is_decided(run.outcome) || (run.outcome == solver::Outcome::kUnknown && !is_optional);
    if (!answers || run.internal_error) return false;
  }
  return true;
}

bool Prosecutor::shows_with(const std::vector<solver::Solver>& solvers, const Case& test,
                            const Finding& finding) {
  lab::SolverLab lab = fresh_.with_solvers(solvers);
  return shows(lab, test, finding) && shows(lab, test, finding);
}

// One by one, until none can go: what one option hides, another may show.
std::vector<solver::Solver> Prosecutor::with_fewest_options(std::vector<solver::Solver> solvers,
                                                            size_t index, const Case& test,
                                                            const Finding& finding,
                                                            const Pursuit& pursuit) {
  const std::vector<std::string> all = solvers[index].options;
  bool is_smaller = true;
  while (is_smaller) {
    is_smaller = false;
    for (size_t i = 0; i < solvers[index].options.size() && !pursuit.stop();) {
      std::vector<solver::Solver> fewer = solvers;
      auto& options = fewer[index].options;
      options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
      if (shows_with(fewer, test, finding)) {
        solvers = std::move(fewer);
        is_smaller = true;
      } else {
        ++i;
      }
    }
    if (solvers[index].options.size() < 2) break;
  }
  if (solvers[index].options.size() < all.size()) {
    solver::Solver plain = solvers[index];
    plain.name = plain.name.substr(0, plain.name.find(' '));
    plain.spec = base::shell_word(plain.program);
    const std::vector<std::string> left = std::exchange(plain.options, {});
    solvers[index] = solver::with_options(plain, left);
  }
  return solvers;
}

// The solvers of the campaign, and of the guests those that the finding is about.
void Prosecutor::add_runs(const std::vector<solver::Solver>& solvers, const ir::Script& script,
                          const oracle::Wishes& wishes, Indictment& indictment) {
  lab::SolverLab lab = fresh_.with_solvers(solvers);
  for (size_t i = 0; i < solvers.size(); ++i) {
    const bool is_guest = i >= fresh_.own_count();
    const bool is_meant = solvers[i].name == indictment.solver.name ||
                          (indictment.other && solvers[i].name == indictment.other->name);
    const bool is_listed =
        std::any_of(indictment.solvers.begin(), indictment.solvers.end(),
                    [&](const solver::Solver& one) { return one.name == solvers[i].name; });
    if (is_listed || (is_guest && !is_meant)) continue;
    indictment.runs.emplace_back(solvers[i].name, lab.run(i, script, wishes));
    indictment.solvers.push_back(solvers[i]);
    const auto& checks = indictment.runs.back().second.checks;
    const bool is_guilty = solvers[i].name == indictment.solver.name;
    if (!is_guilty || checks.empty()) continue;
    indictment.core = checks.back().core;
    indictment.objectives = checks.back().objectives;
  }
}

}  // namespace elenchus::docket
