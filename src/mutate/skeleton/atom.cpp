#include "mutate/skeleton/atom.h"

#include <algorithm>

#include "ir/logic.h"
#include "mutate/admission.h"

namespace elenchus::mutate {

using ir::FunKind;
using ir::Limit;
using ir::Op;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr ir::Logic kEverything{.everything = true};

bool is_nonlinear(const ir::OpInfo& info) {
  return (info.limited(Limit::kOneFactor) | info.limited(Limit::kConstantDivisor) |
          info.limited(Limit::kNonlinear)) != 0;
}

// Whether it needs no logic, declarations or options of its own, and names no function in a place
// where we do not look for it.
bool stands_alone(Op op) {
  switch (op) {
    case Op::kFunRef:
    case Op::kAnnotated:
    case Op::kUnknownCall:
    case Op::kUnknownText:
    case Op::kMatch:
    case Op::kMatchCase:
    case Op::kLambda:
    case Op::kArrayMap:
    case Op::kAsArray: return false;
    default: return true;
  }
}

bool stands_alone(ir::Theory theory) {
  return theory != ir::Theory::kHigherOrder && theory != ir::Theory::kSpecialRelations &&
         theory != ir::Theory::kSeparationLogic && theory != ir::Theory::kTables;
}

struct Named {
  std::string_view name;
  ir::Logic logic;
};

// Names that z3, cvc4 and cvc5 know, smaller logics before those that include them.
std::span<const Named> named_logics() {
  static const std::vector<Named> kLogics = [] {
    constexpr std::string_view kNames[] = {
        "QF_UF",    "QF_LIA",   "QF_LRA",  "QF_NIA",  "QF_NRA",    "QF_UFLIA", "QF_UFLRA",
        "QF_UFNIA", "QF_UFNRA", "QF_AX",   "QF_ALIA", "QF_AUFLIA", "QF_BV",    "QF_ABV",
        "QF_UFBV",  "QF_AUFBV", "QF_FP",   "QF_BVFP", "QF_ABVFP",  "QF_SLIA",  "QF_DT",
        "UF",       "LIA",      "LRA",     "NIA",     "NRA",       "UFLIA",    "UFLRA",
        "UFNIA",    "AUFLIA",   "AUFLIRA", "AUFNIRA", "BV",        "UFBV"};
    std::vector<Named> logics;
    logics.reserve(std::size(kNames));
    for (const std::string_view name : kNames) logics.push_back({name, ir::parse_logic(name)});
    return logics;
  }();
  return kLogics;
}

bool has(const Needs& needs, SortKind kind) { return (needs.kinds & gen::mask_of(kind)) != 0; }

bool admits(const ir::Logic& logic, const Needs& needs) {
  if (needs.quantifiers && !logic.quantifiers) return false;
  if (needs.functions && !logic.functions) return false;
  if (needs.nonlinear && logic.is_linear()) return false;
  if (needs.calculates && !logic.calculates) return false;
  if (has(needs, SortKind::kBitVec) && !logic.bit_vectors) return false;
  for (size_t kind = 1; kind < gen::kSortKinds; ++kind) {
    const auto each = static_cast<SortKind>(kind);
    if (has(needs, each) && !logic.admits(each)) return false;
  }
  return true;
}

}  // namespace

Needs& Needs::operator|=(const Needs& other) {
  kinds |= other.kinds;
  functions |= other.functions;
  nonlinear |= other.nonlinear;
  calculates |= other.calculates;
  nonstandard |= other.nonstandard;
  quantifiers |= other.quantifiers;
  readers &= other.readers;
  return *this;
}

std::string_view smallest_logic(const Needs& needs) {
  if (needs.nonstandard || has(needs, SortKind::kUnknown)) return "ALL";
  for (const Named& each : named_logics()) {
    if (admits(each.logic, needs)) return each.name;
  }
  return "ALL";
}

uint16_t readers_of_kinds(const ir::OpTable& table, gen::KindMask kinds) {
  uint16_t readers = UINT16_MAX;
  for (size_t kind = 1; kind < gen::kSortKinds; ++kind) {
    const auto each = static_cast<SortKind>(kind);
    if ((kinds & gen::mask_of(each)) != 0) readers &= table.sort_readers(each);
  }
  return readers;
}

Needs needs_of_sort(const ir::TermStore& store, ir::SortId sort) {
  Needs needs;
  const SortKind kind = store.sorts().kind(sort);
  needs.kinds = gen::mask_of(kind);
  needs.readers = store.ops().sort_readers(kind);
  needs.functions = kind == SortKind::kUninterpreted;
  for (const ir::SortId child : store.sorts().children(sort)) needs |= needs_of_sort(store, child);
  return needs;
}

Atom::Atom(ir::TermStore& store, ir::Walker& walker, TermId term) {
  walker.restart();
  walker.walk(term, [&](TermId each) { add(store, each); });
  sorts_seen_ = {};
  template_ = ir::Template(store, walker, term, variables_);
}

void Atom::add(ir::TermStore& store, TermId term) {
  if (store.op(term) == Op::kCall) {
    const ir::FunDecl& decl = store.fun(store.callee(term));
    const bool is_declared = decl.kind == FunKind::kDeclared;
    const bool is_data = decl.kind == FunKind::kConstructor || decl.kind == FunKind::kSelector;
    is_usable_ &= (is_declared && !decl.polymorphic) || is_data;
    if (is_declared && store.args(term).empty()) {
      variables_.push_back(term);
    } else if (is_declared) {
      functions_.push_back(store.callee(term));
      needs_.functions = true;
    }
  }
  add_needs(store, term);
}

void Atom::add_needs(const ir::TermStore& store, TermId term) {
  const Op op = store.op(term);
  const ir::SortId sort = store.sort(term);
  if (!is_sort_known(sort)) {
    sorts_seen_.push_back(sort);
    const Needs needs = needs_of_sort(store, sort);
    needs_ |= needs;
    // Higher order wants a logic of its own; the others cannot be declared again.
    constexpr gen::KindMask kForeign = gen::mask_of(SortKind::kFunction) |
                                       gen::mask_of(SortKind::kParameter) |
                                       gen::mask_of(SortKind::kOpaque);
    is_usable_ &= (needs.kinds & kForeign) == 0;
    constexpr gen::KindMask kNamed =
        gen::mask_of(SortKind::kUninterpreted) | gen::mask_of(SortKind::kDatatype);
    if ((needs.kinds & kNamed) != 0) named_sorts_.push_back(sort);
  }
  is_usable_ &= stands_alone(op);
  if (ir::is_binder(op)) {
    needs_.quantifiers = true;
    if (op != Op::kForall && op != Op::kExists) needs_.nonstandard = true;
    needs_.readers &= store.ops().info(op).who;
  }
  if (op < Op::kTrue) return;
  const ir::OpInfo& info = store.ops().info(op);
  is_usable_ &= stands_alone(info.theory);
  needs_.readers &= info.who;
  needs_.readers &= readers_of_application(store, kEverything, op, store.args(term));
  needs_.nonlinear |= is_nonlinear(info);
  needs_.calculates |= info.theory == ir::Theory::kInts || info.theory == ir::Theory::kReals ||
                       info.theory == ir::Theory::kRealsInts;
  needs_.nonstandard |= !info.is_standard();
}

}  // namespace elenchus::mutate
