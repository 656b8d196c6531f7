#include "gen/vocabulary.h"

#include <algorithm>

namespace elenchus::gen {
namespace {

using ir::Limit;
using ir::Op;
using ir::Rule;
using ir::Signature;
using ir::SortKind;

// Of operators that all solvers in use read: their answers can be compared.
constexpr uint8_t kCommonWeight = 4;

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
    if (settings.only && !settings.only->contains(table.name(op))) continue;
    if (info.theory == ir::Theory::kSeparationLogic && !settings.separation_logic) continue;
    if (info.theory == ir::Theory::kSpecialRelations && !settings.special_relations) continue;
    for (const Signature& signature : info.signatures) {
      // What a rule gives an unknown sort is for reading only.
      if (signature.rule != Rule::kAny && admits(signature)) add(table, op, signature, settings);
    }
  }
}

bool Vocabulary::admits(const Signature& signature) const {
  return std::all_of(signature.patterns.begin(), signature.patterns.end(),
                     [&](const ir::SortPattern& pattern) { return logic_.admits(pattern.kind); });
}

uint16_t Vocabulary::readers(const ir::OpTable& table, Op op) const {
  const ir::OpInfo& info = table.info(op);
  uint16_t who = info.who;
  // Nobody's logic says a word about a user's operator.
  if (info.theory == ir::Theory::kUser) return who;
  const bool sequences = info.theory == ir::Theory::kStrings ||
                         info.theory == ir::Theory::kRegexes ||
                         info.theory == ir::Theory::kSequences;
  if (!logic_.everything && !sequences && !info.is_standard()) {
    who = who & ~table.with_habit(ir::Habit::kStandardInLogics);
  }
  if (!logic_.admits(SortKind::kInt)) who = who & ~info.limited(Limit::kWantsIntegers);
  return who;
}

void Vocabulary::add(const ir::OpTable& table, Op op, const Signature& signature,
                     const VocabularySettings& settings) {
  const ir::OpInfo& info = table.info(op);
  Choice choice;
  choice.op = op;
  choice.signature = &signature;
  choice.readers = readers(table, op) & settings.solvers & ~info.limited(Limit::kOnlyRead);
  if (!settings.internal_operators)
    choice.readers = choice.readers & ~info.limited(Limit::kInternal);
  if (choice.readers == 0) return;
  choice.weight = choice.readers == settings.solvers ? kCommonWeight : 1;
  if (info.meaning != op) choice.weight = 1;
  choice.many = signature.arity != ir::Arity::kFixed &&
                (info.limited(Limit::kTwoArguments) & choice.readers) == 0;
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
