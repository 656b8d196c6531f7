#include "mutate/triviality.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/rewriter.h"
#include "ir/substitute.h"
#include "ir/walk.h"

namespace elenchus::mutate {

using ir::CommandKind;
using ir::Op;
using ir::TermId;

namespace {

// For a formula; what takes longer is no constant that is easily found.
constexpr uint64_t kEvaluationSteps = 200;
// Rounds of solving equations.
constexpr int kRounds = 4;
// Operators of a formula whose sides are looked at two by two.
constexpr size_t kManyArguments = 32;

// What the relation says of a term and itself; none: nothing in particular.
std::optional<bool> on_itself(Op op) {
  switch (op) {
    case Op::kLt:
    case Op::kGt:
    case Op::kBvUlt:
    case Op::kBvUgt:
    case Op::kBvSlt:
    case Op::kBvSgt:
    case Op::kStrLt:
    case Op::kFpLt:
    case Op::kFpGt:
    case Op::kXor:
    case Op::kDistinct: return false;
    case Op::kLe:
    case Op::kGe:
    case Op::kBvUle:
    case Op::kBvUge:
    case Op::kBvSle:
    case Op::kBvSge:
    case Op::kStrLe:
    case Op::kStrPrefixof:
    case Op::kStrSuffixof:
    case Op::kStrContains:
    case Op::kEq:
    case Op::kImplies: return true;
    default: return std::nullopt;
  }
}

// The constant of the script that a term is, and nothing else.
bool is_constant(const ir::TermStore& store, TermId term) {
  return store.op(term) == Op::kCall && store.args(term).empty() &&
         store.fun(store.callee(term)).kind == ir::FunKind::kDeclared;
}

}  // namespace

// Rebuilds formulas with what is plain about them written out.
class Triviality::Simplifier : public ir::RewriteHooks {
 public:
  using Equations = std::unordered_map<uint32_t, TermId>;  // by constant

  Simplifier(ir::TermStore& store, eval::Evaluator& evaluator, Equations equations = {})
      : store_(store),
        evaluator_(evaluator),
        rewriter_(store),
        equations_(std::move(equations)),
        true_(store.make(Op::kTrue, ir::kBoolSort, 0, {})),
        false_(store.make(Op::kFalse, ir::kBoolSort, 0, {})) {}

  TermId simplified(TermId term) { return rewriter_.rewrite(term, *this); }

  TermId before(uint32_t /*environment*/, TermId term) const {
    if (ir::is_binder(store_.op(term)) || store_.op(term) == Op::kMatch) return term;
    const auto known = equations_.find(term.value);
    return known == equations_.end() ? TermId{} : known->second;
  }

  TermId after(TermId term, std::span<const TermId> args) {
    const Op op = store_.op(term);
    if (op == Op::kAnnotated) return args[0];
    if (op == Op::kIte) return choice(args);
    if (store_.sort(term) != ir::kBoolSort || args.empty()) return {};
    switch (op) {
      case Op::kNot: return negation(args[0]);
      case Op::kAnd: return joined(op, args, true_, false_);
      case Op::kOr: return joined(op, args, false_, true_);
      default: break;
    }
    if (const auto plain = on_itself(op); plain && args.size() == 2 && args[0] == args[1]) {
      return *plain ? true_ : false_;
    }
    return evaluated(ir::with_args(store_, term, {args.begin(), args.end()}));
  }

  bool is_true(TermId term) const { return term == true_; }
  bool is_false(TermId term) const { return term == false_; }
  TermId truth(bool value) const { return value ? true_ : false_; }

 private:
  TermId negation(TermId arg) {
    if (arg == true_) return false_;
    if (arg == false_) return true_;
    return store_.op(arg) == Op::kNot ? store_.args(arg)[0] : TermId{};
  }

  TermId choice(std::span<const TermId> args) const {
    if (args[0] == true_ || args[1] == args[2]) return args[1];
    return args[0] == false_ ? args[2] : TermId{};
  }

  // `neutral` leaves a conjunction or disjunction as it is, `decisive` decides it.
  TermId joined(Op op, std::span<const TermId> args, TermId neutral, TermId decisive) {
    std::vector<TermId> kept;
    for (const TermId arg : args) {
      if (arg == decisive) return decisive;
      if (arg == neutral) continue;
      if (args.size() > kManyArguments) {
        kept.push_back(arg);
        continue;
      }
      for (const TermId other : kept) {
        if (are_opposite(arg, other)) return decisive;
      }
      if (std::find(kept.begin(), kept.end(), arg) == kept.end()) kept.push_back(arg);
    }
    if (kept.empty()) return neutral;
    return kept.size() == 1 ? kept[0] : store_.make(op, ir::kBoolSort, 0, kept);
  }

  bool are_opposite(TermId a, TermId b) const {
    return (store_.op(a) == Op::kNot && store_.args(a)[0] == b) ||
           (store_.op(b) == Op::kNot && store_.args(b)[0] == a);
  }

  TermId evaluated(TermId formula) {
    if (store_.has(formula, ir::kHasVariables) || store_.has(formula, ir::kHasUnknown)) {
      return formula;
    }
    const eval::Value value = evaluator_.evaluate(formula, kEvaluationSteps);
    if (!value.known()) return formula;
    return value.is_true() ? true_ : false_;
  }

  ir::TermStore& store_;
  eval::Evaluator& evaluator_;
  ir::Rewriter<> rewriter_;
  Equations equations_;
  TermId true_;
  TermId false_;
};

Triviality::Triviality(ir::TermStore& store)
    : store_(store),
      evaluator_(std::make_unique<eval::Evaluator>(store, nothing_)),
      simplifier_(std::make_unique<Simplifier>(store, *evaluator_)) {}

Triviality::~Triviality() = default;

bool Triviality::is_trivial(const ir::Script& script) {
  std::vector<TermId> claims;
  bool has_levels = false;
  for (const ir::Command& command : script.commands) {
    has_levels |= command.kind == CommandKind::kPush;
    if (command.kind == CommandKind::kAssert) claims.push_back(command.term);
  }
  if (claims.empty()) return false;
  for (TermId& claim : claims) claim = simplifier_->simplified(claim);
  // What one level says need not hold in another.
  for (int i = 0; i < kRounds && !is_decided(claims) && !has_levels; ++i) {
    if (!solve_once(claims)) return false;
  }
  return is_decided(claims);
}

// Leaves out what is true.
bool Triviality::is_decided(std::vector<TermId>& claims) const {
  std::erase_if(claims, [&](TermId claim) { return simplifier_->is_true(claim); });
  return claims.empty() || std::any_of(claims.begin(), claims.end(),
                                       [&](TermId claim) { return simplifier_->is_false(claim); });
}

// Takes constants whose values the claims say, and writes them out. False when there is none.
bool Triviality::solve_once(std::vector<TermId>& claims) {
  Simplifier::Equations equations;
  std::unordered_set<uint32_t> fixed;  // constants in what others are
  ir::Walker walker(store_);
  const auto take = [&](TermId constant, TermId value) {
    if (!is_constant(store_, constant) || fixed.contains(constant.value)) return false;
    const auto is_taken = [&](TermId term) {
      return term == constant || equations.contains(term.value);
    };
    walker.restart();
    if (walker.find(value, is_taken) || !equations.emplace(constant.value, value).second) {
      return false;
    }
    walker.restart();
    walker.walk(value, [&](TermId term) {
      if (is_constant(store_, term)) fixed.insert(term.value);
    });
    return true;
  };
  const auto is_solved = [&](TermId claim) {
    const auto args = store_.args(claim);
    if (is_constant(store_, claim)) return take(claim, simplifier_->truth(true));
    if (store_.op(claim) == Op::kNot) return take(args[0], simplifier_->truth(false));
    if (store_.op(claim) != Op::kEq || args.size() != 2) return false;
    const TermId left = args[0];
    const TermId right = args[1];
    return take(left, right) || take(right, left);
  };
  // Conjunctions say what their parts say.
  std::vector<TermId> parts;
  for (size_t i = 0; i < claims.size(); ++i) {
    if (store_.op(claims[i]) != Op::kAnd) {
      parts.push_back(claims[i]);
      continue;
    }
    const auto args = store_.args(claims[i]);
    const std::vector<TermId> copied(args.begin(), args.end());
    claims.insert(claims.end(), copied.begin(), copied.end());
  }
  std::erase_if(parts, is_solved);
  claims = std::move(parts);
  if (equations.empty()) return false;
  Simplifier solved(store_, *evaluator_, std::move(equations));
  for (TermId& claim : claims) claim = solved.simplified(claim);
  return true;
}

}  // namespace elenchus::mutate
