#include "gen/admission.h"

#include <algorithm>

#include "num/literal.h"

namespace elenchus::gen {

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

bool is_linear(const ir::TermStore& store, Op op, std::span<const TermId> args) {
  switch (op) {
    case Op::kMul:
      return std::count_if(args.begin(), args.end(),
                           [&](TermId arg) { return !is_number(store, arg); }) <= 1;
    case Op::kIntDiv:
    case Op::kMod:
    case Op::kRem:
    case Op::kRealDiv:
      return std::all_of(args.begin() + 1, args.end(),
                         [&](TermId arg) { return is_number(store, arg) && !is_zero(store, arg); });
    case Op::kPow:
    case Op::kIntAnd:
    case Op::kIntPow2: return false;
    default: return true;
  }
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

}  // namespace

bool is_value(const ir::TermStore& store, TermId term) { return is_value_within(store, term, 0); }

uint16_t readers_of_application(const ir::TermStore& store, const ir::Logic& logic, Op op,
                                std::span<const TermId> args) {
  constexpr uint16_t kZ3s = ir::kZ3 | ir::kZ3New;
  constexpr uint16_t kCvcs = ir::kCvc4 | ir::kCvc5 | ir::kCvc5New;
  const Op meaning = store.ops().meaning(op);
  switch (meaning) {
    case Op::kMul:
    case Op::kIntDiv:
    case Op::kMod:
    case Op::kRem:
    case Op::kRealDiv:
    case Op::kIntAnd:
    case Op::kIntPow2: return !logic.is_linear() || is_linear(store, meaning, args) ? kAnyone : 0;
    case Op::kPow:
      if (logic.is_linear()) return 0;
      return is_exponent(store, args[1]) ? kAnyone : kAnyone & ~kCvcs;
    case Op::kDtSize:
      return store.sorts().kind(store.sort(args[0])) == ir::SortKind::kDatatype ? kAnyone : 0;
    case Op::kConstArray: {
      // cvc5 takes no negated number for a value here.
      const bool plain = is_value(store, args[0]) && store.op(args[0]) != Op::kNeg;
      return plain ? kAnyone : kZ3s;
    }
    case Op::kEq:
    case Op::kDistinct: return store.sort(args[0]) == ir::kRegLanSort ? kZ3s : kAnyone;
    case Op::kEqRange: return is_ordered(store.sorts().kind(store.sort(args[2]))) ? kAnyone : 0;
    case Op::kReRange:
      return is_character(store, args[0]) && is_character(store, args[1]) ? kAnyone : kZ3s;
    default: return kAnyone;
  }
}

}  // namespace elenchus::gen
