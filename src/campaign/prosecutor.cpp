#include "campaign/prosecutor.h"

#include <algorithm>
#include <utility>

#include "oracle/recheck.h"
#include "reduce/reduce.h"
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

// Bugs are told apart by solver, and by whether they need options, but not by which.
std::string signature_name(const SolverLab& lab, const Indictment& indictment) {
  const size_t host = lab.host_of(indictment.finding.solver);
  const solver::Solver& own = lab.solvers()[host];
  if (host == indictment.finding.solver) return indictment.solver.name;
  const bool needs_more = indictment.solver.options.size() > own.options.size();
  return needs_more ? own.name + " with options" : indictment.solver.name;
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
  if (!confirm(fresh_, base, finding, latest)) return {};

  Indictment indictment;
  // What is unsat by construction stays so only as it was constructed.
  const bool can_shrink = finding.kind != oracle::Kind::kSolutionUnsound;
  ir::Script reduced = can_shrink ? reduce(base, finding, stop) : shown;
  if (!confirm(fresh_, with_script(base, reduced), finding, latest)) {
    reduced = shown;
    if (!confirm(fresh_, base, finding, latest)) return {};
  }
  const Case small = with_script(base, reduced);
  const std::vector<solver::Solver> all(fresh_.solvers().begin(), fresh_.solvers().end());
  std::vector<solver::Solver> solvers = with_fewest_options(all, latest.solver, small, latest);
  const bool blames_both = latest.kind == oracle::Kind::kInconsistentOptions && latest.other;
  if (blames_both) {
    solvers = with_fewest_options(std::move(solvers), *latest.other, small, latest);
  }
  // Again, for what the finding says of solvers with the options that are left.
  const auto has_all_options = [&](size_t i) { return solvers[i].options == all[i].options; };
  if (!has_all_options(latest.solver) || (blames_both && !has_all_options(*latest.other))) {
    SolverLab last(store_, solvers, true, {.seconds = fresh_.full_seconds()});
    const Finding before = latest;
    if (!confirm(last, small, before, latest)) {
      latest = before;
      solvers = all;
    }
  }
  indictment.solver = solvers[latest.solver];
  if (blames_both) indictment.other = solvers[*latest.other];
  add_runs(solvers, reduced, indictment);
  indictment.finding = std::move(latest);
  indictment.signature =
      triage::signature(store_, reduced, indictment.finding, signature_name(fresh_, indictment));
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

bool Prosecutor::shows(SolverLab& lab, const Case& test, const Finding& finding) {
  return oracle::recheck(store_, lab, test, finding).has_value();
}

// Alone, in fresh processes, twice.
bool Prosecutor::confirm(SolverLab& lab, const Case& test, const Finding& finding,
                         Finding& latest) {
  lab.set_seconds(lab.full_seconds());
  for (int i = 0; i < 2; ++i) {
    auto again = oracle::recheck(store_, lab, test, finding);
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

bool Prosecutor::shows_with(const std::vector<solver::Solver>& solvers, const Case& test,
                            const Finding& finding) {
  SolverLab lab(store_, solvers, true, {.seconds = fresh_.full_seconds()});
  return shows(lab, test, finding) && shows(lab, test, finding);
}

// One by one, until none can go: what one option hides, another may show.
std::vector<solver::Solver> Prosecutor::with_fewest_options(std::vector<solver::Solver> solvers,
                                                            size_t index, const Case& test,
                                                            const Finding& finding) {
  const std::vector<std::string> all = solvers[index].options;
  bool is_smaller = true;
  while (is_smaller) {
    is_smaller = false;
    for (size_t i = 0; i < solvers[index].options.size();) {
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
    const std::vector<std::string> left = std::exchange(plain.options, {});
    solvers[index] = solver::with_options(plain, left);
  }
  return solvers;
}

// The solvers of the campaign, and of the guests those that the finding is about.
void Prosecutor::add_runs(const std::vector<solver::Solver>& solvers, const ir::Script& script,
                          Indictment& indictment) {
  SolverLab lab(store_, solvers, true, {.seconds = fresh_.full_seconds()});
  for (size_t i = 0; i < solvers.size(); ++i) {
    const bool is_guest = i >= fresh_.own_count();
    const bool is_meant = solvers[i].name == indictment.solver.name ||
                          (indictment.other && solvers[i].name == indictment.other->name);
    const bool is_listed =
        std::any_of(indictment.solvers.begin(), indictment.solvers.end(),
                    [&](const solver::Solver& one) { return one.name == solvers[i].name; });
    if (is_listed || (is_guest && !is_meant)) continue;
    indictment.runs.emplace_back(solvers[i].name, lab.run(i, script, {}));
    indictment.solvers.push_back(solvers[i]);
  }
}

}  // namespace elenchus::campaign
