#include "campaign/prosecutor.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "oracle/variants.h"
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

// Whether two answers are needed to show it.
bool is_about_two(oracle::Kind kind) {
  return kind == oracle::Kind::kDisagreement || kind == oracle::Kind::kInconsistentOptions;
}

// What a solver is asked for beside its answer, to show what is wrong.
oracle::Wishes wishes_for(oracle::Kind kind) {
  const bool is_core = kind == oracle::Kind::kWrongCore;
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
std::string signature_name(const SolverLab& lab, const Indictment& indictment) {
  const size_t host = lab.host_of(indictment.finding.solver);
  const solver::Solver& own = lab.solvers()[host];
  if (host == indictment.finding.solver) return indictment.solver.name;
  const bool needs_more = indictment.solver.options.size() > own.options.size();
  return needs_more ? own.name + " with options" : indictment.solver.name;
}

std::string logic_in(std::string_view script) {
  constexpr std::string_view kCommand = "(set-logic ";
  const size_t at = script.find(kCommand);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = script.substr(at + kCommand.size());
  return std::string(rest.substr(0, rest.find(')')));
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
                                                const Pursuit& pursuit) {
  const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : test.script;
  const Case base = with_script(test, shown);
  Finding latest = finding;
  if (!confirm(fresh_, base, finding, latest)) return {};

  Indictment indictment;
  Finding smallest = latest;
  std::optional<ir::Script> smaller = reduce(base, smallest, pursuit, indictment);
  if (smaller && !confirm(fresh_, with_script(base, *smaller), smallest, latest)) {
    smaller.reset();
    indictment.is_minimal = false;
    if (!confirm(fresh_, base, finding, latest)) return {};
  }
  const Case small = smaller ? with_script(base, *smaller) : base;
  const ir::Script& reduced = small.script;
  const std::vector<solver::Solver> solvers = drop_options(small, latest);
  indictment.solver = solvers[latest.solver];
  if (latest.other && is_about_two(latest.kind)) indictment.other = solvers[*latest.other];
  const ir::Script told = told_script(reduced, latest.kind);
  add_runs(solvers, told, wishes_for(latest.kind), indictment);
  indictment.finding = std::move(latest);
  describe(small, indictment);
  const auto original = smtlib::print_script(store_, shown);
  const auto text = smtlib::print_script(store_, reduced);
  const auto told_text = smtlib::print_script(store_, told);
  if (original) indictment.original = *original;
  if (text) indictment.reduced = *text;
  if (told_text) indictment.told = *told_text;
  indictment.logic = logic_in(indictment.reduced);
  if (indictment.finding.script && !oracle::is_shown_by_variant(indictment.finding)) {
    const auto variant = smtlib::print_script(store_, *indictment.finding.script);
    if (variant) indictment.variant = *variant;
  }
  return indictment;
}

// Names stand where a core is the point: it consists of them.
ir::Script Prosecutor::told_script(const ir::Script& reduced, oracle::Kind kind) {
  const auto checks = eval::checks_of(reduced);
  if (kind != oracle::Kind::kWrongCore || checks.empty()) return reduced;
  const auto flat = oracle::flattened(store_, reduced, checks.back());
  const auto named = flat ? oracle::with_names(store_, *flat) : std::nullopt;
  return named ? *named : reduced;
}

std::vector<solver::Solver> Prosecutor::drop_options(const Case& test, Finding& finding) {
  std::vector<solver::Solver> all(fresh_.solvers().begin(), fresh_.solvers().end());
  std::vector<solver::Solver> solvers = with_fewest_options(all, finding.solver, test, finding);
  const bool blames_both = finding.kind == oracle::Kind::kInconsistentOptions && finding.other;
  if (blames_both) solvers = with_fewest_options(std::move(solvers), *finding.other, test, finding);
  // Again, for what the finding says of solvers with the options that are left.
  const auto has_all_options = [&](size_t i) { return solvers[i].options == all[i].options; };
  if (has_all_options(finding.solver) && (!blames_both || has_all_options(*finding.other))) {
    return solvers;
  }
  SolverLab last(store_, solvers, true, fresh_.full_limits());
  const Finding before = finding;
  if (confirm(last, test, before, finding)) return solvers;
  finding = before;
  return all;
}

void Prosecutor::describe(const Case& test, Indictment& indictment) {
  indictment.signature = triage::signature(store_, test.script, indictment.finding,
                                           signature_name(fresh_, indictment));
  indictment.shape = triage::shape(store_, test.script);
  indictment.theories = triage::theories_of(store_, test.script);
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

// Alone, in fresh processes, twice; what is slow may be so by chance, and is tried once more.
bool Prosecutor::confirm(SolverLab& lab, const Case& test, const Finding& finding,
                         Finding& latest) {
  lab.set_seconds(lab.full_seconds());
  const int times = finding.kind == oracle::Kind::kSlow ? 3 : 2;
  for (int i = 0; i < times; ++i) {
    auto again = oracle::recheck(store_, lab, test, finding);
    if (!again) return false;
    latest = std::move(*again);
  }
  return true;
}

// Says whether the finding shows in the lab, and lets its limit follow what that takes: a candidate
// that needs much longer is of no use.
bool Prosecutor::settle_limit(SolverLab& lab, const Case& test, const Finding& finding) {
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

std::optional<ir::Script> Prosecutor::reduce(const Case& test, Finding& finding,
                                             const Pursuit& pursuit, Indictment& indictment) {
  if (reduce_tries_ == 0 || pursuit.stop()) return {};
  // Candidates run in sessions where the finding shows there; that is many times faster.
  const bool is_quick = settle_limit(fast_, test, finding);
  if (!is_quick) settle_limit(fresh_, test, finding);
  SolverLab& lab = is_quick ? fast_ : fresh_;
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
  indictment.tries = reduction.tries;
  indictment.is_minimal = reduction.finished;
  indictment.strays = strays.take();
  if (reduction.accepted == 0) return {};
  return std::move(reduction.script);
}

bool Prosecutor::shows_on(const solver::Solver& solver, const Case& test, const Finding& finding) {
  std::vector<solver::Solver> solvers(fresh_.solvers().begin(), fresh_.solvers().end());
  solvers[finding.solver] = solver;
  SolverLab lab(store_, solvers, true, fresh_.full_limits());
  return shows(lab, test, finding);
}

bool Prosecutor::shows_with(const std::vector<solver::Solver>& solvers, const Case& test,
                            const Finding& finding) {
  SolverLab lab(store_, solvers, true, fresh_.full_limits());
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
    plain.spec = base::shell_word(plain.program);
    const std::vector<std::string> left = std::exchange(plain.options, {});
    solvers[index] = solver::with_options(plain, left);
  }
  return solvers;
}

// The solvers of the campaign, and of the guests those that the finding is about.
void Prosecutor::add_runs(const std::vector<solver::Solver>& solvers, const ir::Script& script,
                          const oracle::Wishes& wishes, Indictment& indictment) {
  SolverLab lab(store_, solvers, true, fresh_.full_limits());
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
  }
}

}  // namespace elenchus::campaign
