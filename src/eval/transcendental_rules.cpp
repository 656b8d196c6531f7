// Transcendental functions have no exact values: what they give is the expression itself, and balls
// around it decide comparisons (num/ball.h). Only expressions that surely have a value are made:
// outside its domain the value of a function is open, and so is that of a comparison of numbers
// that no ball parts.
#include <map>
#include <optional>
#include <vector>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "num/arith.h"
#include "num/ball.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using num::BallOp;

constexpr const char* kNotExact = "transcendental functions have no exact value";
constexpr const char* kTooClose = "numbers that are too close to be told apart";
constexpr const char* kOutside = "a transcendental function where it may have no value";

bool is_exact(const Value& value) { return value.kind == ValueKind::kReal; }
bool is_zero(const Value& value) { return value == ValueStore::small_real(0); }

// --- Balls. ---

// The steps of an expression; nothing where it is too long or has numbers that balls do not take.
std::optional<std::vector<num::BallStep>> steps_of(const ValueStore& values, const Value& root) {
  constexpr size_t kMaxSteps = 500;
  std::vector<num::BallStep> steps;
  std::map<Value, uint32_t> places;
  std::vector<Value> todo = {root};
  while (!todo.empty()) {
    const Value value = todo.back();
    if (places.contains(value)) {
      todo.pop_back();
      continue;
    }
    num::BallStep step;
    if (is_exact(value)) {
      if (!values.is_rational(value)) return std::nullopt;
      step.rational = values.rational(value);
    } else {
      const auto operands = values.items(value);
      const size_t before = todo.size();
      for (const Value& operand : operands) {
        if (!places.contains(operand)) todo.push_back(operand);
      }
      if (todo.size() > before) continue;
      step.op = ValueStore::expression_op(value);
      if (!operands.empty()) step.a = places[operands[0]];
      if (operands.size() > 1) step.b = places[operands[1]];
    }
    todo.pop_back();
    places.emplace(value, static_cast<uint32_t>(steps.size()));
    steps.push_back(std::move(step));
    if (steps.size() > kMaxSteps || todo.size() > kMaxSteps) return std::nullopt;
  }
  return steps;
}

std::optional<std::vector<num::BallStep>> paid_steps(const Call& call, const Value& value) {
  auto steps = steps_of(call.values, value);
  if (!steps || !call.pay(1000 * steps->size())) return std::nullopt;
  return steps;
}

std::optional<int> sign(const Call& call, const Value& value) {
  if (is_exact(value)) return call.values.exact_real(value).sign();
  const auto steps = paid_steps(call, value);
  return steps ? num::sign_of(*steps) : std::nullopt;
}

Value expression(const Call& call, BallOp op, const Value& a, const Value& b) {
  const Value operands[] = {a, b};
  return call.values.expression(op, operands);
}

Value expression(const Call& call, BallOp op, const Value& a) {
  return call.values.expression(op, std::span(&a, 1));
}

// --- Functions. ---

enum class Where : uint8_t {
  kEverywhere,
  kCosine,      // where the cosine is not zero
  kSine,        // where the sine is not zero
  kUnit,        // from -1 to 1
  kInsideUnit,  // the same without the ends
  kPositive,
  kFromOne,
};

struct FunctionInfo {
  Op op;
  BallOp ball;
  Where domain;
  std::optional<int> at_zero;  // where the argument is zero the value may be exact
};

constexpr FunctionInfo kFunctions[] = {
    {Op::kExp, BallOp::kExp, Where::kEverywhere, 1},
    {Op::kLog, BallOp::kLog, Where::kPositive, {}},
    {Op::kSin, BallOp::kSin, Where::kEverywhere, 0},
    {Op::kCos, BallOp::kCos, Where::kEverywhere, 1},
    {Op::kTan, BallOp::kTan, Where::kCosine, 0},
    {Op::kCot, BallOp::kCot, Where::kSine, {}},
    {Op::kSec, BallOp::kSec, Where::kCosine, 1},
    {Op::kCsc, BallOp::kCsc, Where::kSine, {}},
    {Op::kArcsin, BallOp::kArcsin, Where::kUnit, 0},
    {Op::kArccos, BallOp::kArccos, Where::kUnit, {}},
    {Op::kArctan, BallOp::kArctan, Where::kEverywhere, 0},
    {Op::kSinh, BallOp::kSinh, Where::kEverywhere, 0},
    {Op::kCosh, BallOp::kCosh, Where::kEverywhere, 1},
    {Op::kTanh, BallOp::kTanh, Where::kEverywhere, 0},
    {Op::kAsinh, BallOp::kArsinh, Where::kEverywhere, 0},
    {Op::kAcosh, BallOp::kArcosh, Where::kFromOne, {}},
    {Op::kAtanh, BallOp::kArtanh, Where::kInsideUnit, 0},
};

// Whether 1 - |x| is at least so large, where a sign is a size.
bool is_within_unit(const Call& call, const Value& x, int least) {
  const Value one = ValueStore::small_real(1);
  for (const bool above : {true, false}) {
    std::optional<int> distance;
    if (is_exact(x)) {
      const num::Real exact = call.values.exact_real(x);
      const num::Real end(mpq_class(above ? 1 : -1));
      distance = exact == end ? 0 : ((exact < end) == above ? 1 : -1);
    } else {
      distance = sign(call, expression(call, above ? BallOp::kSub : BallOp::kAdd, one, x));
    }
    if (!distance || *distance < least) return false;
  }
  return true;
}

bool is_from_one(const Call& call, const Value& x) {
  const Value one = ValueStore::small_real(1);
  if (is_exact(x)) return call.values.exact_real(x) >= num::Real(mpq_class(1));
  return sign(call, expression(call, BallOp::kSub, x, one)) == 1;
}

bool has_value(const Call& call, Where domain, const Value& x) {
  switch (domain) {
    case Where::kEverywhere: return true;
    case Where::kCosine: return sign(call, expression(call, BallOp::kCos, x)).has_value();
    case Where::kSine:
      return !is_zero(x) && sign(call, expression(call, BallOp::kSin, x)).has_value();
    case Where::kUnit: return is_within_unit(call, x, 0);
    case Where::kInsideUnit: return is_within_unit(call, x, 1);
    case Where::kPositive: return sign(call, x) == 1;
    case Where::kFromOne: return is_from_one(call, x);
  }
  return false;
}

template <Op op>
Value function(const Call& call) {
  constexpr const FunctionInfo* info = [] {
    for (const FunctionInfo& candidate : kFunctions) {
      if (candidate.op == op) return &candidate;
    }
    return static_cast<const FunctionInfo*>(nullptr);
  }();
  static_assert(info != nullptr);
  const Value x = call.args[0];
  if (is_zero(x) && info->at_zero) return ValueStore::small_real(*info->at_zero);
  if (!has_value(call, info->domain, x)) return call.unknown(kOutside);
  return expression(call, info->ball, x);
}

// --- Arithmetic. ---

template <BallOp op>
Value fold(const Call& call) {
  return fold_left(call,
                   [&](const Value& a, const Value& b) { return expression(call, op, a, b); });
}

Value product(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    if (is_zero(a) || is_zero(b)) return ValueStore::small_real(0);
    return expression(call, BallOp::kMul, a, b);
  });
}

Value quotient(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    const Value arguments[] = {a, b};
    if (is_zero(b)) {
      return call.evaluator.open(Op::kRealDiv0, call.sort(), arguments, "/ by zero");
    }
    if (!sign(call, b)) return call.unknown(kTooClose);
    return expression(call, BallOp::kDiv, a, b);
  });
}

// By an integer from 1 on.
Value power(const Call& call) {
  const Value exponent = call.args[1];
  constexpr int64_t kMaxExponent = 32;
  if (!is_exact(exponent) || !ValueStore::is_small_integer_real(exponent)) {
    return call.unknown(kNotExact);
  }
  const auto times = static_cast<int64_t>(exponent.word);
  if (times < 1 || times > kMaxExponent) return call.unknown(kNotExact);
  Value result = call.args[0];
  for (int64_t i = 1; i < times; ++i) {
    result = expression(call, BallOp::kMul, result, call.args[0]);
  }
  return result;
}

Value to_int(const Call& call) {
  const auto steps = paid_steps(call, call.args[0]);
  const auto floor = steps ? num::floor_of(*steps) : std::nullopt;
  return floor ? call.values.integer(*floor) : call.unknown(kTooClose);
}

Value is_int(const Call& call) {
  return to_int(call).known() ? boolean(false) : call.unknown(kTooClose);
}

template <typename Holds>
Value comparison(const Call& call, Holds holds) {
  Value result = boolean(true);
  for (size_t i = 0; i + 1 < call.args.size(); ++i) {
    const auto order = compare_reals(call, call.args[i], call.args[i + 1]);
    if (order && !holds(*order)) return boolean(false);
    if (!order) result = call.unknown(kTooClose);
  }
  return result;
}

// --- The tables. ---

// Of operators some of whose arguments are expressions, besides the functions.
constexpr OpRule kOnExpressions[] = {
    {Op::kNeg,
     [](const Call& call) {
       return expression(call, BallOp::kSub, ValueStore::small_real(0), call.args[0]);
     }},
    {Op::kAdd, fold<BallOp::kAdd>},
    {Op::kSub, fold<BallOp::kSub>},
    {Op::kMul, product},
    {Op::kRealDiv, quotient},
    {Op::kAbsReal, [](const Call& call) { return expression(call, BallOp::kAbs, call.args[0]); }},
    {Op::kPow, power},
    {Op::kToReal, [](const Call& call) { return call.args[0]; }},
    {Op::kToInt, to_int},
    {Op::kIsInt, is_int},
    {Op::kLe, [](const Call& call) { return comparison(call, [](int s) { return s <= 0; }); }},
    {Op::kLt, [](const Call& call) { return comparison(call, [](int s) { return s < 0; }); }},
    {Op::kGe, [](const Call& call) { return comparison(call, [](int s) { return s >= 0; }); }},
    {Op::kGt, [](const Call& call) { return comparison(call, [](int s) { return s > 0; }); }},
};

constexpr const char* kRange = "solvers differ about its range";

constexpr OpRule kTranscendentalRules[] = {
    {Op::kExp, function<Op::kExp>},
    {Op::kLog, function<Op::kLog>},
    {Op::kSin, function<Op::kSin>},
    {Op::kCos, function<Op::kCos>},
    {Op::kTan, function<Op::kTan>},
    {Op::kCot, function<Op::kCot>},
    {Op::kSec, function<Op::kSec>},
    {Op::kCsc, function<Op::kCsc>},
    {Op::kArcsin, function<Op::kArcsin>},
    {Op::kArccos, function<Op::kArccos>},
    {Op::kArctan, function<Op::kArctan>},
    {Op::kSinh, function<Op::kSinh>},
    {Op::kCosh, function<Op::kCosh>},
    {Op::kTanh, function<Op::kTanh>},
    {Op::kAsinh, function<Op::kAsinh>},
    {Op::kAcosh, function<Op::kAcosh>},
    {Op::kAtanh, function<Op::kAtanh>},
    {Op::kPi, [](const Call& call) { return call.values.expression(BallOp::kPi, {}); }},
    {Op::kSqrt, nullptr, "solvers differ about which root it is"},
    {Op::kArccsc, nullptr, kRange},
    {Op::kArcsec, nullptr, kRange},
    {Op::kArccot, nullptr, kRange},
    {Op::kEuler, nullptr, kNotExact},
    {Op::kAtan2, nullptr, kNotExact},
};

}  // namespace

std::span<const OpRule> transcendental_rules() { return kTranscendentalRules; }

std::optional<int> compare_reals(const Call& call, const Value& a, const Value& b) {
  if (a == b) return 0;
  if (!is_exact(a) || !is_exact(b)) return sign(call, expression(call, BallOp::kSub, a, b));
  const num::Real left = call.values.exact_real(a);
  const num::Real right = call.values.exact_real(b);
  return left == right ? 0 : (left < right ? -1 : 1);
}

Value apply_to_expressions(const Call& call, Op op) {
  for (const OpRule& rule : kOnExpressions) {
    if (rule.op == op) return rule.rule(call);
  }
  for (const FunctionInfo& info : kFunctions) {
    if (info.op == op) return rule_of(op).rule(call);
  }
  return call.unknown(kNotExact);
}

}  // namespace elenchus::eval
