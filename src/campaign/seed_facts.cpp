#include "campaign/seed_facts.h"

#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "eval/check.h"
#include "mutate/flat.h"
#include "smtlib/model_reader.h"

namespace elenchus::campaign {
namespace {

using ir::Op;
using ir::TermId;
using solver::Outcome;

class Inquiry {
 public:
  Inquiry(ir::TermStore& terms, SolverLab& lab, uint32_t most, base::Rng& rng)
      : terms_(terms), lab_(lab), most_(most), order_(lab.solvers().size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    rng.shuffle(std::span(order_));
  }

  void ask(const ir::Script& script) {
    const auto checks = eval::checks_of(script);
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
    if (!has_sat_ && refuters_.size() > 1) facts_.status = ir::Truth::kUnsat;
    return std::move(facts_);
  }

  void take_models_of(Inquiry& other) { facts_.assignments = std::move(other.facts_.models); }

 private:
  void note(size_t solver, const ir::Script& script, size_t check,
            const solver::CheckResult& result) {
    if (result.outcome == Outcome::kUnsat) refuters_.insert(lab_.solvers()[solver].profile->name);
    if (result.outcome != Outcome::kSat) return;
    has_sat_ = true;
    auto model = smtlib::read_model(terms_, script, check, result.model);
    if (model) facts_.models.push_back(std::move(*model));
  }

  ir::TermStore& terms_;
  SolverLab& lab_;
  uint32_t most_;
  std::vector<size_t> order_;
  SeedFacts facts_;
  std::set<std::string> refuters_;  // profiles that say unsat
  bool has_sat_ = false;
};

}  // namespace

SeedFacts ask_about(ir::TermStore& terms, SolverLab& lab, const ir::Script& script, uint32_t most,
                    base::Rng& rng) {
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
    }
  }
  return inquiry.finish();
}

}  // namespace elenchus::campaign
