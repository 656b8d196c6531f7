// A formula has a few applications of each operator that was chosen, to constants, literals and
// each other. One of sort Bool is a claim; others are equal to a constant or to another term of
// their sort. A dozen random claims contradict each other at first sight, and what is decided by
// rewriting alone shows no option at work. So values of the constants are drawn and most formulas
// hold under them: claims that do not are negated, and many become disjunctions with another one.
// So "=", "or" and "not" are in most formulas, and little is learnt about them.
//
// Beside operators there are features of whole formulas: quantifiers, functions and datatypes of a
// script's own, commands. Half of the formulas name the smallest logic that has all of them and
// declare nothing else: some options are for such only. They are of one theory.

#include "knobs/training_formulas.h"

#include <algorithm>
#include <set>
#include <span>

#include "base/check.h"
#include "eval/evaluator.h"
#include "gen/constants.h"
#include "ir/apply.h"
#include "ir/functions.h"
#include "ir/script_parts.h"
#include "ir/script_stats.h"
#include "ir/walk.h"
#include "mutate/assignment.h"
#include "mutate/skeleton/atom.h"
#include "smtlib/parser.h"

namespace elenchus::knobs {
namespace {

using ir::SortId;
using ir::SortKind;
using ir::TermId;

constexpr std::string_view kForall = "forall";
constexpr std::string_view kExists = "exists";
constexpr std::string_view kFunctions = "functions";
constexpr std::string_view kDatatypes = "datatypes";
constexpr std::string_view kPush = "push";
constexpr std::string_view kAgain = "check-sat again";
constexpr std::string_view kAssuming = "check-sat-assuming";
constexpr std::string_view kCommands[] = {kPush, kAgain, kAssuming};
// How often an operator is tried before it is given up.
constexpr int kTries = 20;
// Applications of each operator.
constexpr int kApplications = 4;
// One formula in so many need not hold under any values.
constexpr uint64_t kUnplanted = 4;
// One claim in so many stands alone.
constexpr uint64_t kAlone = 3;
// Claims that show one of the prelude's features.
constexpr int kClaims = 2;
// One formula in so many has one of these features, and one of these a second one.
constexpr uint64_t kFeatureOneIn = 2;
// One operator in so many is of another theory than the rest.
constexpr uint64_t kOtherTheoryOneIn = 8;
// One argument in so many is a literal.
constexpr uint64_t kConstantOneIn = 4;
// For the truth of one claim.
constexpr uint64_t kSteps = 20'000;

// Of these theories there are logics in common use.
constexpr ir::Logic kCommonLogic = {.arrays = true,
                                    .bit_vectors = true,
                                    .floats = true,
                                    .strings = true,
                                    .ints = true,
                                    .reals = true,
                                    .calculates = true};

// Two constants of each sort that formulas are about, claims with quantifiers, and claims about
// what these speak of.
constexpr std::string_view kSets = "(declare-const v (Set Int))\n(declare-const w (Set Int))\n";
constexpr std::string_view kData = R"((declare-datatypes ((E 0)) (((red) (green) (blue))))
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-const c1 E)
(declare-const c2 E)
(declare-const l1 L)
(declare-const l2 L)
(assert (= l1 (cons i l2)))
(assert (distinct (tl l1) l2 nil))
(assert (> (hd l1) (hd (tl l2))))
(assert (= (tl (tl l1)) (cons j nil)))
(assert (or (= c1 red) (= l2 (cons (hd l1) nil))))
(assert (=> (distinct c1 c2 blue) (distinct (hd l1) (hd l2))))
)";
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
(declare-const d (_ BitVec 1))
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
(assert (exists ((z Int)) (and (< i z) (= (h z) j))))
(assert (exists ((z Int) (w Int)) (and (< (* 2 z) (+ w i)) (= (h w) z))))
(assert (exists ((z Real)) (and (< x z) (< (+ z z) y))))
(assert (exists ((z (_ BitVec 8))) (and (k z) (= (bvmul z z) a))))
(assert (< (h i) (h j)))
(assert (distinct (h (h i)) (h j) i j))
(assert (= (h (select m i)) (select n j)))
(assert (and (k b) (not (k a))))
(assert (> (* 2.0 x) y))
)";

std::string label_of(const ir::TermStore& terms, ir::Op op) {
  return ir::op_label(terms, terms.ops().meaning(op));
}

ir::Command check_sat() {
  ir::Command command;
  command.kind = ir::CommandKind::kCheckSat;
  return command;
}

// What formulas of the prelude are about, beside operators; none: about what the others speak of.
std::string_view feature_of(const ir::TermStore& terms, ir::Walker& walker, TermId claim) {
  if (terms.op(claim) == ir::Op::kForall) return kForall;
  if (terms.op(claim) == ir::Op::kExists) return kExists;
  bool has_data = false;
  bool has_functions = false;
  walker.restart();
  walker.walk(claim, [&](TermId term) {
    has_data |= terms.sorts().kind(terms.sort(term)) == SortKind::kDatatype;
    has_functions |= terms.op(term) == ir::Op::kCall && !terms.args(term).empty();
  });
  return has_data ? kDatatypes : has_functions ? kFunctions : std::string_view();
}

ir::Command assertion(TermId claim) {
  ir::Command command;
  command.kind = ir::CommandKind::kAssert;
  command.term = claim;
  return command;
}

ir::Command push() {
  ir::Command command;
  command.kind = ir::CommandKind::kPush;
  command.number = 1;
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
    if (rng.coin()) other = negated(terms, other);
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
    if (found == by_sort_.end() || rng_.one_in(kConstantOneIn)) {
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
  std::string prelude(kPrelude);
  if ((terms_.ops().sort_readers(SortKind::kDatatype) & who) != 0) prelude += kData;
  if ((terms_.ops().sort_readers(SortKind::kSet) & who) != 0) prelude += kSets;
  auto parsed = smtlib::parse_script(terms_, prelude);
  ELENCHUS_CHECK(parsed.has_value(), parsed ? std::string() : parsed.error().message);
  prelude_ = std::move(*parsed);
  find_constants();
  find_ways();
  std::erase_if(prelude_.commands, [](const ir::Command& command) {
    return command.kind == ir::CommandKind::kAssert || ir::is_check(command.kind);
  });
  clean_ = terms_.mark();
  leave_out_impossible();
}

// Operators that want functions as arguments, such as `as-array`: there are none.
void TrainingFormulas::leave_out_impossible() {
  base::Rng rng(1);
  Pool pool(terms_, constants_, rng);
  std::vector<TermId> claims;
  std::set<std::string> impossible;
  for (const auto& [name, ways] : ways_) {
    int tries = kTries;
    while (tries > 0 && !add_operator(name, pool, claims, rng)) --tries;
    if (tries == 0) impossible.insert(name);
  }
  std::erase_if(ways_, [&](const auto& way) { return impossible.contains(way.first); });
  for (auto* const names_of : {&by_theory_, &standard_}) {
    for (auto& [theory, names] : *names_of) {
      std::erase_if(names, [&](const std::string& name) { return impossible.contains(name); });
    }
    std::erase_if(*names_of, [](const auto& entry) { return entry.second.empty(); });
  }
  terms_.rollback(clean_);
}

void TrainingFormulas::find_constants() {
  for (uint32_t i = 0; i < terms_.fun_count(); ++i) {
    const ir::FunId fun{i};
    if (!terms_.params(fun).empty() || !terms_.fun(fun).constant.valid()) continue;
    constants_[terms_.fun(fun).result].push_back(terms_.fun(fun).constant);
  }
  ir::Walker walker(terms_);
  for (const ir::Command& command : prelude_.commands) {
    if (command.kind != ir::CommandKind::kAssert) continue;
    const std::string_view feature = feature_of(terms_, walker, command.term);
    if (feature != kForall && feature != kExists) ground_.push_back(command.term);
    if (!feature.empty()) claims_[std::string(feature)].push_back(command.term);
  }
}

void TrainingFormulas::find_ways() {
  std::vector<SortId> sorts = {ir::kRegLanSort};
  for (const auto& [sort, list] : constants_) sorts.push_back(sort);
  std::set<std::pair<ir::Theory, std::string>> seen;
  for (const SortId sort : sorts) {
    for (const gen::Choice& choice : vocabulary_.for_result(terms_.sorts().kind(sort))) {
      const std::string name = label_of(terms_, choice.op);
      ways_[name].push_back({choice, sort});
      const ir::OpInfo& info = terms_.ops().info(terms_.ops().meaning(choice.op));
      if (!seen.emplace(info.theory, name).second) continue;
      by_theory_[info.theory].push_back(name);
      if (info.is_standard() && kCommonLogic.admits(info.theory)) {
        standard_[info.theory].push_back(name);
      }
    }
  }
}

std::vector<std::string> TrainingFormulas::operations() const {
  std::vector<std::string> names;
  for (const auto& [name, ways] : ways_) names.push_back(name);
  const std::vector<std::string> features = this->features();
  names.insert(names.end(), features.begin(), features.end());
  std::sort(names.begin(), names.end());
  return names;
}

// What is no operator.
std::vector<std::string> TrainingFormulas::features() const {
  std::vector<std::string> names(std::begin(kCommands), std::end(kCommands));
  for (const auto& [name, claims] : claims_) names.push_back(name);
  return names;
}

// Of one theory mostly, so that they have to do with each other; any theory is as likely as the
// other, however many operators it has.
std::vector<std::string> TrainingFormulas::choose(uint32_t count, bool is_narrow,
                                                  base::Rng& rng) const {
  const auto& theories = is_narrow ? standard_ : by_theory_;
  std::vector<std::string> chosen;
  std::vector<std::string> features = this->features();
  rng.shuffle(std::span(features));
  while (chosen.size() < count && !features.empty() && rng.one_in(kFeatureOneIn)) {
    chosen.push_back(std::move(features.back()));
    features.pop_back();
  }
  const auto any_theory = [&] {
    auto at = theories.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(rng.below(theories.size())));
    return at;
  };
  const auto home = any_theory();
  for (int tries = 0; chosen.size() < count && tries < 100; ++tries) {
    const auto& names = (!is_narrow && rng.one_in(kOtherTheoryOneIn) ? any_theory() : home)->second;
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

// What belongs to a feature; some of it is about what quantified claims speak of.
void TrainingFormulas::add_feature(const std::string& name, std::vector<TermId>& claims,
                                   std::vector<TermId>& quantified, base::Rng& rng) const {
  const bool has_binders = name == kForall || name == kExists;
  const std::vector<TermId>& of_feature = claims_.at(name);
  for (int i = 0; i < kClaims; ++i) {
    (has_binders ? quantified : claims).push_back(of_feature[rng.below(of_feature.size())]);
    if (has_binders) claims.push_back(ground_[rng.below(ground_.size())]);
  }
}

// The checks come after half of the claims and at the end, or at the end only.
void TrainingFormulas::add_commands(const std::vector<TermId>& claims,
                                    const std::set<std::string>& commands, base::Rng& rng,
                                    ir::Script& script) {
  const bool has_push = commands.contains(std::string(kPush));
  const bool has_two = has_push || commands.contains(std::string(kAgain));
  for (size_t i = 0; i < claims.size(); ++i) {
    if (has_two && i == claims.size() / 2) {
      script.commands.push_back(check_sat());
      if (has_push) script.commands.push_back(push());
    }
    script.commands.push_back(assertion(claims[i]));
  }
  ir::Command last = check_sat();
  if (commands.contains(std::string(kAssuming))) {
    last.kind = ir::CommandKind::kCheckSatAssuming;
    std::vector<uint32_t> literals;
    for (const TermId constant : constants_.at(ir::kBoolSort)) {
      literals.push_back((rng.coin() ? constant : negated(terms_, constant)).value);
    }
    script.set_items(last, literals);
  }
  script.commands.push_back(last);
}

// Without the declarations that no claim needs, in the smallest logic.
ir::Script TrainingFormulas::smallest_prelude(const std::vector<TermId>& claims) {
  mutate::Needs needs;
  std::set<ir::FunId> used;
  ir::Walker walker(terms_);
  for (const TermId claim : claims) {
    needs |= mutate::Atom(terms_, walker, claim).needs();
    const auto named = ir::functions_in(terms_, claim);
    used.insert(named.begin(), named.end());
  }
  const bool has_data = (needs.kinds & gen::mask_of(SortKind::kDatatype)) != 0;
  if (has_data) needs.kinds |= gen::mask_of(SortKind::kInt);  // their fields
  ir::Script script;
  script.logic = terms_.symbols().intern(mutate::smallest_logic(needs));
  for (const ir::Command& command : prelude_.commands) {
    ir::Command copy = command;
    if (command.item_count > 0) script.set_items(copy, prelude_.items(command));
    if (command.kind == ir::CommandKind::kSetLogic) copy.text = script.logic;
    const bool is_needed = !ir::declares_functions(command.kind) ||
                           used.contains(ir::FunId{prelude_.items(command)[0]});
    const bool is_left_out = command.kind == ir::CommandKind::kDeclareDatatypes && !has_data;
    if (is_needed && !is_left_out) script.commands.push_back(copy);
  }
  return script;
}

TrainingFormulas::Formula TrainingFormulas::next(uint32_t count, base::Rng& rng) {
  terms_.rollback(clean_);
  Formula formula{.script = prelude_, .operations = {}};
  Pool pool(terms_, constants_, rng);
  std::vector<TermId> claims;
  std::vector<TermId> quantified;  // true or not: nobody knows
  std::set<std::string> commands;
  const bool is_narrow = rng.coin();
  for (const std::string& name : choose(count, is_narrow, rng)) {
    bool is_made = true;
    if (claims_.contains(name)) {
      add_feature(name, claims, quantified, rng);
    } else if (!ways_.contains(name)) {
      commands.insert(name);
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
  if (is_narrow) {
    std::vector<TermId> all = claims;
    if (commands.contains(std::string(kAssuming))) {
      const auto& literals = constants_.at(ir::kBoolSort);
      all.insert(all.end(), literals.begin(), literals.end());
    }
    formula.script = smallest_prelude(all);
  }
  add_commands(claims, commands, rng, formula.script);
  return formula;
}

}  // namespace elenchus::knobs
