#include "campaign/seed_facts.h"

#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "eval/check.h"
#include "ir/timeline.h"
#include "mutate/flat.h"
#include "oracle/variants.h"
#include "smtlib/model_reader.h"

namespace elenchus::campaign {
namespace {

using ir::Op;
using ir::TermId;
using solver::Outcome;

class Inquiry {
 public:
  Inquiry(ir::TermStore& terms, lab::SolverLab& lab, uint32_t most, base::Rng& rng)
      : terms_(terms), lab_(lab), most_(most), order_(lab.own_count()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    rng.shuffle(std::span(order_));
  }

  void ask(const ir::Script& script) {
    const auto checks = ir::checks_of(script);
    if (checks.empty()) return;
    for (const size_t solver : order_) {
      if (facts_.models.size() >= most_) return;
      const solver::Run run = lab_.run(solver, script, {});
      if (run.checks.size() != checks.size()) continue;
      note(solver, script, checks.back(), run.checks.back());
    }
  }

  bool is_unsat() const { return !refuters_.empty() && facts_.models.empty(); }

  SeedFacts finish() {
    if (!facts_.models.empty() && refuters_.empty()) facts_.status = ir::Truth::kSat;
    if (is_refuted()) facts_.status = ir::Truth::kUnsat;
    return std::move(facts_);
  }

  // A solver's core of the claims, or all of them.
  void find_core(const mutate::Flat& flat) {
    if (!is_refuted()) return;
    const ir::Script whole = mutate::with_assertions(flat.frame, flat.claims);
    std::vector<TermId> core = named_core(flat, whole);
    if (are_refuted(flat, core)) {
      facts_.core = std::move(core);
    } else if (core.size() < flat.claims.size() && are_refuted(flat, flat.claims)) {
      facts_.core = flat.claims;
    }
  }

  void take_models_of(Inquiry& other) { facts_.assignments = std::move(other.facts_.models); }

 private:
  bool is_refuted() const { return !has_sat_ && refuters_.size() > 1; }

  // What the first solver that gives one names as the core.
  std::vector<TermId> named_core(const mutate::Flat& flat, const ir::Script& whole) {
    const auto named = oracle::with_names(terms_, whole);
    if (!named) return flat.claims;
    for (const size_t solver : order_) {
      const solver::Run run = lab_.run(solver, *named, {.models = false, .cores = true});
      if (run.checks.empty() || run.checks[0].outcome != Outcome::kUnsat) continue;
      std::vector<TermId> core;
      for (const size_t number : oracle::assertions_in_core(run.checks[0].core)) {
        if (number < flat.claims.size()) core.push_back(flat.claims[number]);
      }
      if (!core.empty()) return core;
    }
    return flat.claims;
  }

  // Whether two solvers with different profiles call these claims unsat, and none sat.
  bool are_refuted(const mutate::Flat& flat, std::span<const TermId> claims) {
    const ir::Script script = mutate::with_assertions(flat.frame, claims);
    std::set<std::string> refuters;
    for (const size_t solver : order_) {
      const solver::Run run = lab_.run(solver, script, {.models = false});
      if (run.checks.empty()) continue;
      if (run.checks[0].outcome == Outcome::kSat) return false;
      if (run.checks[0].outcome == Outcome::kUnsat) {
        refuters.insert(lab_.solvers()[solver].profile->name);
      }
    }
    return refuters.size() > 1;
  }

  void note(size_t solver, const ir::Script& script, size_t check,
            const solver::CheckResult& result) {
    if (result.outcome == Outcome::kUnsat) refuters_.insert(lab_.solvers()[solver].profile->name);
    if (result.outcome != Outcome::kSat) return;
    has_sat_ = true;
    auto model = smtlib::read_model(terms_, script, check, result.model);
    // z3 now and then defines two functions by each other; such a model is no witness.
    const bool is_sound = model && eval::check_definitions(terms_, *model);
    if (is_sound) facts_.models.push_back(std::move(*model));
  }

  ir::TermStore& terms_;
  lab::SolverLab& lab_;
  uint32_t most_;
  std::vector<size_t> order_;
  SeedFacts facts_;
  std::set<std::string> refuters_;  // profiles that say unsat
  bool has_sat_ = false;
};

}  // namespace

SeedFacts ask_about(ir::TermStore& terms, lab::SolverLab& lab, const ir::Script& script,
                    uint32_t most, base::Rng& rng) {
  Inquiry inquiry(terms, lab, most, rng);
  inquiry.ask(script);
  if (inquiry.is_unsat()) {
    const auto flat = mutate::flatten(terms, script);
    if (const auto* parts = std::get_if<mutate::Flat>(&flat); parts && !parts->claims.empty()) {
      const TermId all = parts->claims.size() == 1
                             ? parts->claims[0]
                             : terms.make(Op::kAnd, ir::kBoolSort, 0, parts->claims);
      const TermId negated[] = {terms.make(Op::kNot, ir::kBoolSort, 0, {&all, 1})};
      Inquiry opposite(terms, lab, 1, rng);
      opposite.ask(mutate::with_assertions(parts->frame, negated));
      inquiry.take_models_of(opposite);
      inquiry.find_core(*parts);
    }
  }
  return inquiry.finish();
}

}  // namespace elenchus::campaign
