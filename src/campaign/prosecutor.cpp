#include "campaign/prosecutor.h"

#include <algorithm>

#include "oracle/recheck.h"
#include "reduce/reduce.h"
#include "triage/shape.h"
#include "triage/signature.h"

namespace elenchus::campaign {

using oracle::Case;
using oracle::Finding;

namespace {

// A look that led to a bug this often is not looked at again, and one that led nowhere neither.
constexpr uint32_t kEnoughConfirmed = 1;
constexpr uint32_t kEnoughFailed = 3;

// The test with another script; a witness stays good for a smaller one, a construction does not.
Case with_script(const Case& test, const ir::Script& script) {
  Case changed{.script = script};
  if (&script == &test.script) return test;
  changed.witness = test.witness;
  return changed;
}

}  // namespace

bool Docket::is_familiar(const std::string& look) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(look);
  return found != entries_.end() &&
         (found->second.confirmed >= kEnoughConfirmed || found->second.failed >= kEnoughFailed);
}

void Docket::note(const std::string& look, bool confirmed) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[look];
  ++(confirmed ? entry.confirmed : entry.failed);
}

std::string Docket::bug_for(const std::string& signature) {
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(bugs_.begin(), bugs_.end(), [&](const std::string& bug) {
    return triage::accounts_for(bug, signature);
  });
  return known == bugs_.end() ? signature : *known;
}

void Docket::add_bug(const std::string& signature) {
  const std::lock_guard lock(mutex_);
  bugs_.push_back(signature);
  ++entries_[signature].confirmed;
}

Prosecutor::Prosecutor(ir::TermStore& store, SolverLab& fast, SolverLab& fresh,
                       uint32_t reduce_tries)
    : store_(store), fast_(fast), fresh_(fresh), reduce_tries_(reduce_tries) {}

std::optional<Indictment> Prosecutor::prosecute(const Case& test, const Finding& finding,
                                                const std::function<bool()>& stop) {
  const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : test.script;
  const Case base = with_script(test, shown);
  Finding latest = finding;
  if (!confirm(base, finding, latest)) return {};

  Indictment indictment;
  // What is unsat by construction stays so only as it was constructed.
  const bool can_shrink = finding.kind != oracle::Kind::kSolutionUnsound;
  ir::Script reduced = can_shrink ? reduce(base, finding, stop) : shown;
  if (!confirm(with_script(base, reduced), finding, latest)) {
    reduced = shown;
    if (!confirm(base, finding, latest)) return {};
  }
  const Case small = with_script(base, reduced);
  indictment.solver = with_fewest_options(small, latest);
  indictment.finding = std::move(latest);
  describe(small, indictment);
  for (size_t i = 0; i < fresh_.solvers().size(); ++i) {
    const solver::Solver& solver = fresh_.solvers()[i];
    indictment.runs.emplace_back(solver.name, fresh_.run(i, reduced, {}));
    indictment.solvers.push_back(solver);
  }
  const auto original = smtlib::print_script(store_, shown);
  const auto text = smtlib::print_script(store_, reduced);
  if (original) indictment.original = *original;
  if (text) indictment.reduced = *text;
  if (indictment.finding.script && !oracle::is_shown_by_variant(indictment.finding)) {
    const auto variant = smtlib::print_script(store_, *indictment.finding.script);
    if (variant) indictment.variant = *variant;
  }
  return indictment;
}

void Prosecutor::describe(const Case& test, Indictment& indictment) {
  indictment.signature =
      triage::signature(store_, test.script, indictment.finding, indictment.solver.name);
  indictment.shape = triage::shape(store_, test.script);
  indictment.theories = triage::theories_of(store_, test.script);
  for (const ir::Command& command : test.script.commands) {
    if (command.kind == ir::CommandKind::kSetLogic) {
      indictment.logic = store_.symbols().text(command.text);
    }
  }
  indictment.model = shown_model(store_, test.script, indictment.finding);
  indictment.finding.evidence = proof_of(test.script, indictment.finding);
  indictment.evaluation = evaluation_of(store_, test.script, indictment.finding);
  indictment.stability = stability_of(indictment.solver, [&](const solver::Solver& seeded) {
    return shows_on(seeded, test, indictment.finding);
  });
}

bool Prosecutor::shows(SolverLab& lab, const Case& test, const Finding& finding) {
  return oracle::recheck(store_, lab, test, finding).has_value();
}

// Alone, in fresh processes, twice.
bool Prosecutor::confirm(const Case& test, const Finding& finding, Finding& latest) {
  fresh_.set_seconds(fresh_.full_seconds());
  for (int i = 0; i < 2; ++i) {
    auto again = oracle::recheck(store_, fresh_, test, finding);
    if (!again) return false;
    latest = std::move(*again);
  }
  return true;
}

ir::Script Prosecutor::reduce(const Case& test, const Finding& finding,
                              const std::function<bool()>& stop) {
  if (reduce_tries_ == 0) return test.script;
  // Candidates run in sessions where the finding shows there; that is many times faster.
  fast_.set_seconds(fast_.full_seconds());
  SolverLab& lab = shows(fast_, test, finding) ? fast_ : fresh_;
  reduce::Settings settings;
  settings.max_tries = reduce_tries_;
  settings.should_stop = stop;
  const auto still_bad = [&](const ir::Script& candidate) {
    return shows(lab, with_script(test, candidate), finding);
  };
  return reduce::reduce(store_, test.script, still_bad, settings).script;
}

bool Prosecutor::shows_on(const solver::Solver& solver, const Case& test, const Finding& finding) {
  std::vector<solver::Solver> solvers(fresh_.solvers().begin(), fresh_.solvers().end());
  solvers[finding.solver] = solver;
  SolverLab lab(store_, solvers, true, {.seconds = fresh_.full_seconds()});
  return shows(lab, test, finding);
}

solver::Solver Prosecutor::with_fewest_options(const Case& test, const Finding& finding) {
  solver::Solver best = fresh_.solvers()[finding.solver];
  for (size_t i = 0; i < best.options.size();) {
    solver::Solver fewer = best;
    fewer.options.erase(fewer.options.begin() + static_cast<std::ptrdiff_t>(i));
    if (shows_on(fewer, test, finding) && shows_on(fewer, test, finding)) {
      best = std::move(fewer);
    } else {
      ++i;
    }
  }
  if (best.options.size() < fresh_.solvers()[finding.solver].options.size()) {
    best.name = best.name.substr(0, best.name.find(' '));
    for (const std::string& option : best.options) best.name += ' ' + option;
  }
  return best;
}

}  // namespace elenchus::campaign
