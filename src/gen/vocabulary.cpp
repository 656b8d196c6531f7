#include "gen/vocabulary.h"

#include <algorithm>

namespace elenchus::gen {
namespace {

using ir::Op;
using ir::Rule;
using ir::Signature;
using ir::SortKind;

bool is_internal(Op op) {
  switch (op) {
    case Op::kIntDiv0:
    case Op::kMod0:
    case Op::kRem0:
    case Op::kRealDiv0:
    case Op::kPow0:
    case Op::kBvUdivI:
    case Op::kBvUremI:
    case Op::kBvSdivI:
    case Op::kBvSremI:
    case Op::kBvSmodI:
    case Op::kBvUdiv0:
    case Op::kBvUrem0:
    case Op::kBvSdiv0:
    case Op::kBvSrem0:
    case Op::kBvSmod0:
    case Op::kBvBitToBool:
    case Op::kBvBit0:
    case Op::kBvBit1:
    case Op::kBvMake:
    case Op::kSeqNthI:
    case Op::kSeqNthU:
    case Op::kStrNthI:
    case Op::kStrNthU:
    case Op::kFpMinI:
    case Op::kFpMaxI:
    case Op::kFpToUbvI:
    case Op::kFpToSbvI:
    case Op::kFpToRealI:
    case Op::kFpToIeeeBvI:
    case Op::kArrayExt:
    case Op::kArrayExtAt:
    case Op::kInstClosure:
    case Op::kBvUltBv:
    case Op::kBvSltBv:
    case Op::kBvBit:
    case Op::kCharLiteral:
    case Op::kCharLe:
    case Op::kCharToInt:
    case Op::kCharIsDigit:
    case Op::kReOfPred:
    case Op::kReDerivative:
    case Op::kStrUnit:
    case Op::kStrNth: return true;
    default: return false;
  }
}

// Whether a term can be made from the signature: the rules that give an unknown sort, and a string
// literal in the form of an operator, are for reading only.
bool is_constructible(Op op, const Signature& signature) {
  return signature.rule != Rule::kAny && op != Op::kStrChar && op != Op::kSepEmpSorts;
}

// Solvers want exactly two arguments, whatever the standard says.
bool reads_two_only(Op op) {
  switch (op) {
    case Op::kStrLt:
    case Op::kStrLe:
    case Op::kBvXnor:
    case Op::kSetMinus:
    case Op::kBagDifferenceRemove:
    case Op::kBagDifferenceSubtract:
    case Op::kReDiff: return true;
    default: return false;
  }
}

SortKind result_kind(const Signature& signature) {
  return signature.patterns[signature.result].kind;
}

}  // namespace

Vocabulary::Vocabulary(const ir::OpTable& table, const ir::Logic& logic,
                       const VocabularySettings& settings)
    : logic_(logic) {
  for (const Op op : table.all()) {
    const ir::OpInfo& info = table.info(op);
    if (!logic.admits(info.theory)) continue;
    if (is_internal(info.meaning) && !settings.internal_operators) continue;
    if (info.theory == ir::Theory::kSeparationLogic && !settings.separation_logic) continue;
    if (info.theory == ir::Theory::kSpecialRelations && !settings.special_relations) continue;
    for (const Signature& signature : info.signatures) {
      if (is_constructible(info.meaning, signature) && admits(signature)) {
        add(table, op, signature, settings);
      }
    }
  }
}

bool Vocabulary::admits(const Signature& signature) const {
  return std::all_of(signature.patterns.begin(), signature.patterns.end(),
                     [&](const ir::SortPattern& pattern) { return logic_.admits(pattern.kind); });
}

// Once a logic is named, z3 knows only the operators of the standard, but for sequences.
uint16_t Vocabulary::readers(const ir::OpInfo& info) const {
  uint16_t who = readers_of(info.who);
  const bool sequences = info.theory == ir::Theory::kStrings ||
                         info.theory == ir::Theory::kRegexes ||
                         info.theory == ir::Theory::kSequences;
  if (!logic_.everything && !sequences && (who & ir::kStd) == 0) who &= ~(ir::kZ3 | ir::kZ3New);
  // Without integers, only z3 asks whether a number is one.
  if (info.meaning == Op::kIsInt && !logic_.admits(SortKind::kInt)) who &= ir::kZ3 | ir::kZ3New;
  return who;
}

void Vocabulary::add(const ir::OpTable& table, Op op, const Signature& signature,
                     const VocabularySettings& settings) {
  const ir::OpInfo& info = table.info(op);
  Choice choice;
  choice.op = op;
  choice.signature = &signature;
  // Nobody says who reads a user's operator; it is there to be used.
  const bool user = info.theory == ir::Theory::kUser;
  choice.readers = user ? settings.solvers : readers(info) & settings.solvers;
  if (choice.readers == 0) return;
  choice.weight = user || choice.readers == settings.solvers ? 4 : 1;
  if (info.meaning != op) choice.weight = 1;
  choice.many = signature.arity != ir::Arity::kFixed && !reads_two_only(info.meaning);
  for (const uint32_t param : signature.params) {
    const SortKind kind = signature.patterns[param].kind;
    if (kind != SortKind::kNone) choice.needs |= mask_of(kind);
  }
  // What a rule types has a pattern for show only; the sort of a part may be anything.
  SortKind kind = result_kind(signature);
  if (signature.rule == Rule::kTupleSelect || signature.rule == Rule::kHoApply) {
    kind = SortKind::kNone;
  }
  if (kind != SortKind::kNone) {
    by_result_[static_cast<size_t>(kind)].push_back(choice);
    return;
  }
  for (size_t each = 1; each < kSortKinds; ++each) {
    if (static_cast<SortKind>(each) != SortKind::kUnknown) by_result_[each].push_back(choice);
  }
}

}  // namespace elenchus::gen
