// A formula has a few applications of each operator that was chosen, to constants, literals and
// each other. One of sort Bool is a claim; others are equal to a constant or to another term of
// their sort. A dozen random claims contradict each other at first sight, and what is decided by
// rewriting alone shows no option at work. So values of the constants are drawn and most formulas
// hold under them: claims that do not are negated, and many become disjunctions with another one.
// So "=", "or" and "not" are in most formulas, and little is learnt about them.

#include "campaign/training_formulas.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "eval/evaluator.h"
#include "gen/constants.h"
#include "ir/apply.h"
#include "ir/script_stats.h"
#include "mutate/assignment.h"
#include "smtlib/parser.h"

namespace elenchus::campaign {
namespace {

using ir::SortId;
using ir::SortKind;
using ir::TermId;

constexpr std::string_view kForall = "forall";
constexpr std::string_view kPush = "push";
// How often an operator is tried before it is given up.
constexpr int kTries = 20;
// Applications of each operator.
constexpr int kApplications = 4;
// One formula in so many need not hold under any values.
constexpr uint64_t kUnplanted = 4;
// One claim in so many stands alone.
constexpr uint64_t kAlone = 3;
// For the truth of one claim.
constexpr uint64_t kSteps = 20'000;

// Two constants of each sort that formulas are about, claims with quantifiers, and claims about
// what these speak of.
constexpr std::string_view kPrelude = R"((set-logic ALL)
(declare-const p Bool)
(declare-const q Bool)
(declare-const i Int)
(declare-const j Int)
(declare-const x Real)
(declare-const y Real)
(declare-const s String)
(declare-const t String)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 4))
(declare-const f (_ FloatingPoint 3 5))
(declare-const g (_ FloatingPoint 3 5))
(declare-const m (Array Int Int))
(declare-const n (Array Int Int))
(declare-const u (Array (_ BitVec 4) (_ BitVec 8)))
(declare-fun h (Int) Int)
(declare-fun k ((_ BitVec 8)) Bool)
(assert (forall ((z Int)) (or (= (h z) z) (= (h (h z)) i))))
(assert (forall ((z Int)) (=> (> z i) (> (h z) (h i)))))
(assert (forall ((z Int) (w Int)) (=> (= (h z) (h w)) (= z w))))
(assert (forall ((z Int) (w Int)) (=> (< z w) (< (h z) (h w)))))
(assert (forall ((z Int)) (=> (<= 0 z j) (= (select m z) (h z)))))
(assert (forall ((z (_ BitVec 8))) (=> (k z) (bvult z a))))
(assert (forall ((z (_ BitVec 8))) (or (k z) (k (bvnot z)))))
(assert (forall ((z Real)) (=> (< x z y) (exists ((w Real)) (< z w y)))))
(assert (< (h i) (h j)))
(assert (distinct (h (h i)) (h j) i j))
(assert (= (h (select m i)) (select n j)))
(assert (and (k b) (not (k a))))
(assert (> (* 2.0 x) y))
(check-sat)
)";

std::string label_of(const ir::TermStore& terms, ir::Op op) {
  return ir::op_label(terms, terms.ops().meaning(op));
}

ir::Command check_sat() {
  ir::Command command;
  command.kind = ir::CommandKind::kCheckSat;
  return command;
}

TermId negated(ir::TermStore& terms, TermId claim) {
  if (terms.op(claim) == ir::Op::kNot) return terms.args(claim)[0];
  const TermId one[] = {claim};
  return ir::apply(terms, ir::Op::kNot, one);
}

// The claims, those that are false under the values negated. Unknown ones stay as they are.
void make_true(ir::TermStore& terms, const ir::Model& values, std::vector<TermId>& claims) {
  eval::Evaluator evaluator(terms, values, {.complete = true});
  // First all, since an evaluator does not see terms that are younger than itself.
  std::vector<bool> are_false;
  are_false.reserve(claims.size());
  for (const TermId claim : claims) {
    are_false.push_back(evaluator.evaluate(claim, kSteps).is_false());
  }
  for (size_t i = 0; i < claims.size(); ++i) {
    if (are_false[i]) claims[i] = negated(terms, claims[i]);
  }
}

// Some of the claims as they are; the others "it, or another one", that one negated at random.
std::vector<TermId> with_disjunctions(ir::TermStore& terms, const std::vector<TermId>& claims,
                                      base::Rng& rng) {
  std::vector<TermId> result;
  for (const TermId claim : claims) {
    TermId other = claims[rng.below(claims.size())];
    result.push_back(claim);
    if (other == claim || rng.one_in(kAlone)) continue;
    if (rng.one_in(2)) other = negated(terms, other);
    const TermId parts[] = {claim, other};
    const TermId either = ir::apply(terms, ir::Op::kOr, parts);
    if (either.valid()) result.back() = either;
  }
  return result;
}

}  // namespace

// Terms by sort, new ones among them as they come.
class TrainingFormulas::Pool : public gen::Arguments {
 public:
  Pool(ir::TermStore& terms, const std::map<SortId, std::vector<TermId>>& constants, base::Rng& rng)
      : terms_(terms), rng_(rng), by_sort_(constants) {
    for (const auto& [sort, list] : by_sort_) sorts_.push_back(sort);
  }

  TermId pick(SortId sort) override {
    const auto found = by_sort_.find(sort);
    if (found == by_sort_.end() || rng_.one_in(4)) {
      return gen::interesting_constant(terms_, rng_, sort);
    }
    return found->second[rng_.below(found->second.size())];
  }

  SortId pick_sort(SortKind kind) override {
    std::vector<SortId> fitting;
    for (const SortId sort : sorts_) {
      if (kind == SortKind::kNone || terms_.sorts().kind(sort) == kind) fitting.push_back(sort);
    }
    return fitting.empty() ? SortId{} : fitting[rng_.below(fitting.size())];
  }

  ir::FunId pick_function(SortId) override { return {}; }

  void add(TermId term) { by_sort_[terms_.sort(term)].push_back(term); }

 private:
  ir::TermStore& terms_;
  base::Rng& rng_;
  std::map<SortId, std::vector<TermId>> by_sort_;
  std::vector<SortId> sorts_;
};

TrainingFormulas::TrainingFormulas(ir::TermStore& terms, uint16_t who)
    : terms_(terms),
      vocabulary_(terms.ops(), ir::parse_logic("ALL"), {.solvers = who}),
      clean_(terms.mark()) {
  auto parsed = smtlib::parse_script(terms_, kPrelude);
  ELENCHUS_CHECK(parsed.has_value(), parsed ? std::string() : parsed.error().message);
  prelude_ = std::move(*parsed);
  find_constants();
  find_ways();
  std::erase_if(prelude_.commands, [](const ir::Command& command) {
    return command.kind == ir::CommandKind::kAssert || ir::is_check(command.kind);
  });
  clean_ = terms_.mark();
}

void TrainingFormulas::find_constants() {
  for (uint32_t i = 0; i < terms_.fun_count(); ++i) {
    const ir::FunId fun{i};
    if (!terms_.params(fun).empty() || !terms_.fun(fun).constant.valid()) continue;
    constants_[terms_.fun(fun).result].push_back(terms_.fun(fun).constant);
  }
  for (const ir::Command& command : prelude_.commands) {
    if (command.kind != ir::CommandKind::kAssert) continue;
    const bool is_quantified = terms_.op(command.term) == ir::Op::kForall;
    (is_quantified ? quantified_ : ground_).push_back(command.term);
  }
}

void TrainingFormulas::find_ways() {
  std::vector<SortId> sorts = {ir::kRegLanSort};
  for (const auto& [sort, list] : constants_) sorts.push_back(sort);
  std::set<std::pair<ir::Theory, std::string>> seen;
  for (const SortId sort : sorts) {
    for (const gen::Choice& choice : vocabulary_.for_result(terms_.sorts().kind(sort))) {
      const std::string name = label_of(terms_, choice.op);
      if (name == "=") continue;
      ways_[name].push_back({choice, sort});
      const ir::Theory theory = terms_.ops().info(terms_.ops().meaning(choice.op)).theory;
      if (seen.emplace(theory, name).second) by_theory_[theory].push_back(name);
    }
  }
}

std::vector<std::string> TrainingFormulas::operations() const {
  std::vector<std::string> names;
  for (const auto& [name, ways] : ways_) names.push_back(name);
  names.emplace_back(kForall);
  names.emplace_back(kPush);
  std::sort(names.begin(), names.end());
  return names;
}

// Of one theory mostly, so that they have to do with each other; any theory is as likely as the
// other, however many operators it has.
std::vector<std::string> TrainingFormulas::choose(uint32_t count, base::Rng& rng) const {
  std::vector<std::string> chosen;
  if (rng.one_in(6)) chosen.emplace_back(kForall);
  if (rng.one_in(8)) chosen.emplace_back(kPush);
  const auto any_theory = [&] {
    auto at = by_theory_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(rng.below(by_theory_.size())));
    return at;
  };
  const auto home = any_theory();
  for (int tries = 0; chosen.size() < count && tries < 100; ++tries) {
    const auto& names = (rng.one_in(8) ? any_theory() : home)->second;
    const std::string& name = names[rng.below(names.size())];
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

bool TrainingFormulas::add_operator(const std::string& name, Pool& pool,
                                    std::vector<TermId>& claims, base::Rng& rng) {
  const std::vector<Way>& ways = ways_.at(name);
  gen::Applier applier(terms_, rng);
  for (int i = 0; i < kTries; ++i) {
    const Way& way = ways[rng.below(ways.size())];
    const TermId term = applier.apply(way.choice, way.sort, pool);
    if (!term.valid()) continue;
    if (way.sort == ir::kBoolSort) {
      claims.push_back(term);
    } else {
      const TermId other = pool.pick(way.sort);
      // A language by itself claims nothing; membership is an operator of its own.
      const bool can_compare = other.valid() && other != term && way.sort != ir::kRegLanSort;
      const TermId sides[] = {term, other};
      if (can_compare) {
        const TermId equal = ir::apply(terms_, ir::Op::kEq, sides);
        if (equal.valid()) claims.push_back(equal);
      }
    }
    pool.add(term);
    return true;
  }
  return false;
}

ir::Script TrainingFormulas::blank() const {
  ir::Script script = prelude_;
  script.commands.push_back(check_sat());
  return script;
}

TrainingFormulas::Formula TrainingFormulas::next(uint32_t count, base::Rng& rng) {
  terms_.rollback(clean_);
  Formula formula{.script = prelude_, .operations = {}};
  Pool pool(terms_, constants_, rng);
  std::vector<TermId> claims;
  std::vector<TermId> quantified;  // true or not: nobody knows
  bool has_push = false;
  for (const std::string& name : choose(count, rng)) {
    bool is_made = true;
    if (name == kForall) {
      for (int i = 0; i < 2; ++i) {
        quantified.push_back(quantified_[rng.below(quantified_.size())]);
        claims.push_back(ground_[rng.below(ground_.size())]);
      }
    } else if (name == kPush) {
      has_push = true;
    } else {
      is_made = add_operator(name, pool, claims, rng);
      for (int i = 1; is_made && i < kApplications; ++i) add_operator(name, pool, claims, rng);
    }
    if (is_made) formula.operations.push_back(name);
  }
  if (!rng.one_in(kUnplanted)) {
    mutate::Assigner assigner(terms_, prelude_, claims);
    make_true(terms_, assigner.draw(rng), claims);
  }
  claims = with_disjunctions(terms_, claims, rng);
  claims.insert(claims.end(), quantified.begin(), quantified.end());
  const auto add = [&](ir::CommandKind kind, TermId term, uint32_t number) {
    ir::Command command;
    command.kind = kind;
    command.term = term;
    command.number = number;
    formula.script.commands.push_back(command);
  };
  for (size_t i = 0; i < claims.size(); ++i) {
    if (has_push && i == claims.size() / 2) {
      formula.script.commands.push_back(check_sat());
      add(ir::CommandKind::kPush, {}, 1);
    }
    add(ir::CommandKind::kAssert, claims[i], 0);
  }
  formula.script.commands.push_back(check_sat());
  return formula;
}

}  // namespace elenchus::campaign
