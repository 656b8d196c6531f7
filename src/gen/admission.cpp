#include "gen/admission.h"

#include <algorithm>

#include "num/literal.h"

namespace elenchus::gen {

using ir::Limit;
using ir::Op;
using ir::TermId;

namespace {

constexpr uint32_t kMaxValueDepth = 6;

bool is_value_within(const ir::TermStore& store, TermId term, uint32_t depth) {
  const Op op = store.op(term);
  if (ir::is_literal(op)) return true;
  if (op == Op::kCall) {
    if (store.fun(store.callee(term)).kind != ir::FunKind::kConstructor) return false;
  } else {
    switch (store.meaning(term)) {
      case Op::kTrue:
      case Op::kFalse:
      case Op::kNeg:
      case Op::kFp:
      case Op::kFpNan:
      case Op::kFpPlusInf:
      case Op::kFpMinusInf:
      case Op::kFpPlusZero:
      case Op::kFpMinusZero:
      case Op::kRmRne:
      case Op::kRmRna:
      case Op::kRmRtp:
      case Op::kRmRtn:
      case Op::kRmRtz:
      case Op::kConstArray:
      case Op::kSeqEmpty:
      case Op::kSeqUnit:
      case Op::kSetEmpty:
      case Op::kSetSingleton:
      case Op::kBagEmpty:
      case Op::kTuple: break;
      default: return false;
    }
  }
  const auto args = store.args(term);
  return depth < kMaxValueDepth && std::all_of(args.begin(), args.end(), [&](TermId arg) {
           return is_value_within(store, arg, depth + 1);
         });
}

// A number that linear arithmetic may multiply by: literals and what is computed from them.
bool is_number(const ir::TermStore& store, TermId term, uint32_t depth = 0) {
  const Op op = store.op(term);
  if (op == Op::kIntLiteral || op == Op::kRealLiteral) return true;
  switch (op) {
    case Op::kNeg:
    case Op::kToReal:
    case Op::kRealDiv: {
      const auto args = store.args(term);
      return depth < 4 && std::all_of(args.begin(), args.end(),
                                      [&](TermId arg) { return is_number(store, arg, depth + 1); });
    }
    default: return false;
  }
}

bool is_zero(const ir::TermStore& store, TermId term) {
  const Op op = store.op(term);
  if (op == Op::kNeg || op == Op::kToReal) return is_zero(store, store.args(term)[0]);
  if (op != Op::kIntLiteral && op != Op::kRealLiteral) return false;
  const std::string_view text = store.literal_text(term);
  return text == "0" || text == "0.0";
}

// Whether the application is within linear arithmetic.
bool is_linear(const ir::TermStore& store, const ir::OpInfo& info, std::span<const TermId> args) {
  const auto is_constant = [&](TermId arg) { return is_number(store, arg); };
  if (info.limited(Limit::kNonlinear) != 0) return false;
  if (info.limited(Limit::kOneFactor) != 0) {
    return args.size() -
               static_cast<size_t>(std::count_if(args.begin(), args.end(), is_constant)) <=
           1;
  }
  if (info.limited(Limit::kConstantDivisor) != 0) {
    return std::all_of(args.begin() + 1, args.end(),
                       [&](TermId arg) { return is_constant(arg) && !is_zero(store, arg); });
  }
  return true;
}

// A positive integer of a few digits.
bool is_exponent(const ir::TermStore& store, TermId term) {
  const Op op = store.op(term);
  if ((op != Op::kIntLiteral && op != Op::kRealLiteral) || is_zero(store, term)) return false;
  const std::string_view text = store.literal_text(term);
  const bool is_integer = op == Op::kIntLiteral || text.ends_with(".0");
  return is_integer && text.size() <= 5;
}

// What cvc5 has orders for.
bool is_ordered(ir::SortKind kind) {
  return kind == ir::SortKind::kInt || kind == ir::SortKind::kReal ||
         kind == ir::SortKind::kBitVec || kind == ir::SortKind::kFloatingPoint;
}

bool is_character(const ir::TermStore& store, TermId term) {
  return store.op(term) == Op::kStringLiteral &&
         num::decode_string(store.literal_text(term)).size() == 1;
}

// Whether the arguments are such as the limit forbids.
bool is_limited(const ir::TermStore& store, Limit limit, std::span<const TermId> args) {
  const auto kind = [&](TermId term) { return store.sorts().kind(store.sort(term)); };
  switch (limit) {
    case Limit::kNumeralExponent: return !is_exponent(store, args[1]);
    // cvc5 takes no negated number for a value here.
    case Limit::kValueArgument:
      return !is_value_within(store, args[0], 0) || store.op(args[0]) == Op::kNeg;
    case Limit::kCharacterArguments:
      return !is_character(store, args[0]) || !is_character(store, args[1]);
    case Limit::kNoRegexArguments: return store.sort(args[0]) == ir::kRegLanSort;
    case Limit::kDatatypeArgument: return kind(args[0]) != ir::SortKind::kDatatype;
    case Limit::kOrderedIndices: return !is_ordered(kind(args[2]));
    default: return false;
  }
}

}  // namespace

bool is_value(const ir::TermStore& store, TermId term) { return is_value_within(store, term, 0); }

// The standard wants two formulas.
uint16_t readers_of_junction(const ir::OpTable& table, Op op, size_t arguments) {
  const bool is_junction = op == Op::kAnd || op == Op::kOr || op == Op::kXor;
  if (!is_junction || arguments >= 2) return kAnyone;
  const bool is_unary = arguments == 1 && op != Op::kXor;
  return table.with_habit(is_unary ? ir::Habit::kUnaryJunctions : ir::Habit::kBareJunctions);
}

uint16_t readers_of_application(const ir::TermStore& store, const ir::Logic& logic, Op op,
                                std::span<const TermId> args) {
  constexpr Limit kOfArguments[] = {Limit::kNumeralExponent,    Limit::kValueArgument,
                                    Limit::kCharacterArguments, Limit::kNoRegexArguments,
                                    Limit::kDatatypeArgument,   Limit::kOrderedIndices};
  const ir::OpInfo& info = store.ops().info(op);
  if (logic.is_linear() && !is_linear(store, info, args)) return 0;
  uint16_t readers = readers_of_junction(store.ops(), op, args.size());
  for (const Limit limit : kOfArguments) {
    const uint16_t limited = info.limited(limit);
    if (limited != 0 && is_limited(store, limit, args)) readers &= ~limited;
  }
  return readers;
}

}  // namespace elenchus::gen
