// What a solver says to be the best, held against what is known: its own model must have the values
// that it claims, and no model that holds may be better. Models of whoever has one count: the
// test's witness, those of other solvers.
//
// z3 documents what its optima mean for lexicographic, box and Pareto priorities. What it does not
// say is left alone: a real number that is not the only objective may approach a value that it
// never reaches, and then there is no best solution; an interval claims nothing that a model could
// refute. Nothing is better than an infinite maximum, and any number is better than one that is
// minus infinite.
#include "oracle/optimum.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "eval/nearby.h"
#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/timeline.h"
#include "oracle/oracle.h"
#include "oracle/variants.h"
#include "smtlib/model_printer.h"

namespace elenchus::oracle {
namespace {

using ir::Op;
using ir::TermId;
using solver::Outcome;

constexpr uint64_t kSteps = 1'000'000;

// Whether what is said of the objective can be held against a value.
bool is_firm(const ir::TermStore& store, const Optimum& optimum, size_t objective) {
  const Objective& one = optimum.objectives.all[objective];
  if (!optimum.reached[objective]) return false;
  const bool is_real = !one.is_group() && store.sort(one.term) == ir::kRealSort;
  return !is_real || optimum.objectives.all.size() == 1;
}

// Walks over the objectives that are firm, with their values under a model. Lexicographic ones end
// at the first that is not, or whose value is another than what is reached.
template <typename Visit>
void each_value(const ir::TermStore& store, const Optimum& optimum, const ir::Model& model,
                Visit visit) {
  eval::Evaluator evaluator(store, model, {.steps = kSteps});
  const bool is_ordered = optimum.objectives.priority == Priority::kLexicographic;
  for (size_t i = 0; i < optimum.objectives.all.size(); ++i) {
    const bool firm = is_firm(store, optimum, i);
    const auto value = firm ? value_of(evaluator, optimum.objectives.all[i]) : std::nullopt;
    if (value) visit(i, *value);
    const bool goes_on =
        value && optimum.reached[i]->is_exact() && *value == optimum.reached[i]->value;
    if (is_ordered && !goes_on) return;
  }
}

bool holds(Exam& exam, size_t check, const ir::Model& model) {
  const auto verdict = check_model(exam.store(), exam.test().script, exam.checks()[check], model,
                                   {.explanation_steps = 0});
  return verdict && is_proof(*verdict);
}

Finding finding_about(const Exam& exam, const Optimum& optimum) {
  Finding finding;
  finding.kind = Kind::kWrongOptimum;
  finding.oracle = "optimum";
  finding.solver = optimum.solver;
  finding.check = optimum.check;
  finding.claim = exam.solver(optimum.solver).name;
  return finding;
}

// The solver's own model has another value. Where objectives are optimized each for itself, no
// single model has all of them.
std::optional<Finding> mismatch(Exam& exam, const Optimum& optimum) {
  const bool is_box = optimum.objectives.priority == Priority::kBox;
  if (is_box && optimum.objectives.all.size() > 1) return {};
  const JudgedModel* judged = exam.model(optimum.solver, optimum.check);
  if (judged == nullptr || judged->verdict.verdict != eval::Verdict::kValid) return {};
  if (judged->model.has_escapes || !judged->verdict.chosen.empty()) return {};
  std::optional<Miss> miss;
  each_value(exam.store(), optimum, judged->model, [&](size_t objective, const mpq_class& value) {
    const Reach& reach = *optimum.reached[objective];
    if (!miss && reach.is_exact() && value != reach.value) miss = Miss{objective, value};
  });
  if (!miss) return {};
  const Objective& objective = optimum.objectives.all[miss->objective];
  Finding finding = finding_about(exam, optimum);
  finding.claim +=
      fmt::format(" says that {} is {}, and its own model has {}", spoken(exam.store(), objective),
                  spoken(*optimum.reached[miss->objective]), miss->value.get_str());
  finding.evidence = fmt::format(
      "its model makes all assertions true, and has {} where {} is said "
      "to be reached",
      miss->value.get_str(), spoken(*optimum.reached[miss->objective]));
  finding.witness = exam.find_run(optimum.solver)->checks[optimum.check].model;
  return finding;
}

// An optimum beaten by some model that is at hand.
std::optional<Finding> beaten_by_others(Exam& exam, const Optimum& optimum) {
  if (const ir::Model* witness = exam.test().witness) {
    if (auto found = beaten_finding(exam, optimum, *witness, "the witness of the test"))
      return found;
  }
  for (size_t i = 0; i < exam.solver_count(); ++i) {
    const JudgedModel* judged = exam.model(i, optimum.check);
    if (judged == nullptr || !is_proof(judged->verdict)) continue;
    const std::string from = "the model of " + exam.solver(i).name;
    if (auto found = beaten_finding(exam, optimum, judged->model, from)) return found;
  }
  return {};
}

// The finding's own witness, or one that is like it.
std::optional<Finding> beaten_as_before(Exam& exam, const Optimum& optimum, const Finding& before) {
  if (!before.model) return {};
  constexpr std::string_view kFrom = "the model below";
  if (auto found = beaten_finding(exam, optimum, *before.model, kFrom)) return found;
  const auto claims = ir::claims_at(exam.test().script, exam.checks()[optimum.check]);
  const auto nearby = eval::find_nearby(exam.store(), claims, *before.model);
  return nearby ? beaten_finding(exam, optimum, *nearby, kFrom) : std::nullopt;
}

// Says that one would be better off than a solver claims.
class Rival {
 public:
  Rival(ir::TermStore& store, const Optimum& optimum) : store_(store), optimum_(optimum) {}

  // True where some objective is better and none that counts is worse; none where that cannot be
  // said.
  TermId claim() {
    const size_t count = optimum_.objectives.all.size();
    std::vector<TermId> ways;
    std::vector<TermId> kept;
    for (size_t i = 0; i < count; ++i) {
      const TermId better = compared(i, true);
      if (!better.valid()) {
        if (optimum_.objectives.priority == Priority::kBox) continue;
        if (optimum_.objectives.priority == Priority::kPareto) return {};
        break;
      }
      const bool is_ordered = optimum_.objectives.priority == Priority::kLexicographic;
      ways.push_back(is_ordered ? joined(Op::kAnd, kept, better) : better);
      const TermId as_good = compared(i, false);
      if (!as_good.valid()) break;
      kept.push_back(as_good);
    }
    if (ways.empty()) return {};
    const TermId any = joined(Op::kOr, ways, {});
    return optimum_.objectives.priority == Priority::kPareto ? joined(Op::kAnd, kept, any) : any;
  }

 private:
  TermId apply(Op op, std::initializer_list<TermId> args) {
    return ir::apply(store_, op, std::span(args.begin(), args.size()));
  }

  TermId joined(Op op, std::vector<TermId> terms, TermId last) {
    if (last.valid()) terms.push_back(last);
    return terms.size() == 1 ? terms[0] : ir::apply(store_, op, terms);
  }

  TermId literal(const mpq_class& number, ir::SortId sort) {
    switch (store_.sorts().kind(sort)) {
      case ir::SortKind::kReal: return eval::term_of(store_, values_, values_.real(number), sort);
      case ir::SortKind::kInt:
        if (number.get_den() != 1) return {};
        return eval::term_of(store_, values_, values_.integer(number.get_num()), sort);
      case ir::SortKind::kBitVec: {
        const uint32_t width = store_.sorts()[sort].a;
        const bool fits = number.get_den() == 1 && sgn(number) >= 0 &&
                          mpz_sizeinbase(number.get_num().get_mpz_t(), 2) <= width;
        if (!fits) return {};
        return eval::term_of(store_, values_, values_.bits(number.get_num(), width), sort);
      }
      default: return {};
    }
  }

  TermId cost_of(const Objective& group) {
    std::vector<TermId> parts;
    const TermId nothing = literal(0, ir::kRealSort);
    for (const Soft& soft : group.softs) {
      parts.push_back(apply(Op::kIte, {soft.term, nothing, literal(soft.weight, ir::kRealSort)}));
    }
    return joined(Op::kAdd, parts, {});
  }

  // The objective is better than what is reached, or at least as good.
  TermId compared(size_t number, bool is_strict) {
    if (!is_firm(store_, optimum_, number)) return {};
    const Objective& objective = optimum_.objectives.all[number];
    const Reach& reach = *optimum_.reached[number];
    const bool is_below = sgn(reach.epsilon) == (objective.is_maximized ? -1 : 1);
    if (!reach.is_finite() || (!reach.is_exact() && !(is_below && is_strict))) return {};
    const TermId term = objective.is_group() ? cost_of(objective) : objective.term;
    if (!term.valid()) return {};
    const ir::SortId sort = store_.sort(term);
    const TermId limit = literal(reach.value, sort);
    if (!limit.valid()) return {};
    const bool is_bits = store_.sorts().kind(sort) == ir::SortKind::kBitVec;
    // What stays a little below 5 is beaten by 5.
    const bool excludes = is_strict && reach.is_exact();
    const Op less = excludes ? (is_bits ? Op::kBvUlt : Op::kLt) : (is_bits ? Op::kBvUle : Op::kLe);
    return objective.is_maximized ? apply(less, {limit, term}) : apply(less, {term, limit});
  }

  ir::TermStore& store_;
  const Optimum& optimum_;
  eval::ValueStore values_;
};

}  // namespace

std::vector<Optimum> optima_of(Exam& exam, size_t solver) {
  std::vector<Optimum> optima;
  const solver::Run* run = exam.find_run(solver);
  if (run == nullptr) return optima;
  for (size_t check = 0; check < run->checks.size() && check < exam.checks().size(); ++check) {
    const solver::CheckResult& result = run->checks[check];
    if (result.outcome != Outcome::kSat || result.objectives.empty()) continue;
    auto objectives = objectives_at(exam.store(), exam.test().script, exam.checks()[check]);
    if (!objectives || (objectives->has_defaults && !run->fresh)) continue;
    // The second answer on a Pareto front is another point of it.
    if (objectives->priority == Priority::kPareto && exam.checks().size() > 1) continue;
    auto reached = read_objectives(result.objectives, *objectives);
    if (reached) optima.push_back({solver, check, std::move(*objectives), std::move(*reached)});
  }
  return optima;
}

std::optional<Miss> beaten_by(const ir::TermStore& store, const Optimum& optimum,
                              const ir::Model& model) {
  std::optional<Miss> best;
  size_t seen = 0;
  bool has_worse = false;
  each_value(store, optimum, model, [&](size_t objective, const mpq_class& value) {
    const Objective& one = optimum.objectives.all[objective];
    const Reach& reach = *optimum.reached[objective];
    ++seen;
    if (is_beyond(one, value, reach)) {
      if (!best) best = Miss{objective, value};
    } else if (!reach.is_exact() || value != reach.value) {
      has_worse = true;
    }
  });
  const bool is_complete = seen == optimum.objectives.all.size() && !has_worse;
  if (optimum.objectives.priority == Priority::kPareto && !is_complete) return {};
  return best;
}

std::optional<Finding> beaten_finding(Exam& exam, const Optimum& optimum, const ir::Model& model,
                                      std::string_view from) {
  const auto miss = beaten_by(exam.store(), optimum, model);
  if (!miss || !holds(exam, optimum.check, model)) return {};
  const auto text = smtlib::print_model(exam.store(), model);
  if (!text) return {};
  const Objective& objective = optimum.objectives.all[miss->objective];
  Finding finding = finding_about(exam, optimum);
  finding.claim +=
      fmt::format(" says that {} is {}, and {} is possible", spoken(exam.store(), objective),
                  spoken(*optimum.reached[miss->objective]), miss->value.get_str());
  finding.evidence = fmt::format("{} makes all assertions true and reaches {}, by our evaluation",
                                 from, miss->value.get_str());
  finding.witness = *text;
  finding.model = model;
  return finding;
}

std::optional<Finding> better_when_asked(Exam& exam, const Optimum& optimum) {
  ir::TermStore& store = exam.store();
  const auto flat = flattened(store, exam.test().script, exam.checks()[optimum.check]);
  const TermId better = Rival(store, optimum).claim();
  if (!flat || !better.valid()) return {};
  const ir::Script asked = with_assertions(*flat, {&better, 1});
  Exam again(store, {.script = asked}, exam.lab());
  again.run(optimum.solver);
  if (again.checks().empty() || again.answer(optimum.solver, 0) != Outcome::kSat) return {};
  const JudgedModel* judged = again.model(optimum.solver, 0);
  if (judged == nullptr || !is_proof(judged->verdict)) return {};
  return beaten_finding(exam, optimum, judged->model,
                        "its own model, when it is asked for something better,");
}

std::optional<Finding> recheck_wrong_optimum(Exam& exam, const Finding& finding) {
  exam.run(finding.solver);
  for (const Optimum& optimum : optima_of(exam, finding.solver)) {
    auto found = mismatch(exam, optimum);
    if (!found) found = beaten_as_before(exam, optimum, finding);
    if (!found) found = better_when_asked(exam, optimum);
    if (found) return found;
  }
  return {};
}

namespace {

class OptimumOracle : public Oracle {
 public:
  std::string_view name() const override { return "optimum"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      for (const Optimum& optimum : optima_of(exam, i)) {
        auto found = mismatch(exam, optimum);
        if (!found) found = beaten_by_others(exam, optimum);
        if (!found) continue;
        findings.push_back(std::move(*found));
        break;  // one wrong optimum for each run is enough
      }
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    return recheck_wrong_optimum(exam, finding);
  }
};

}  // namespace

const Oracle& optimum_oracle() {
  static const OptimumOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
