// Sequences of any values. They are compared element by element, so the elements need normal forms
// wherever something is searched for.
#include <algorithm>
#include <optional>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "num/sequence.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using Items = std::span<const Value>;

constexpr size_t kMaxSequence = size_t{1} << 22;
constexpr const char* kSequenceTooLong = "a sequence that is too long";
constexpr const char* kIncomparableSequence = "a sequence of functions that cannot be compared";

Items items(const Call& call, size_t i) { return call.values.items(call.args[i]); }
mpz_class number(const Call& call, size_t i) { return call.values.big_integer(call.args[i]); }

Value make(const Call& call, const std::optional<std::vector<Value>>& result) {
  if (!result || !call.pay(result->size() / 4)) return call.unknown(kSequenceTooLong);
  return call.values.sequence(*result);
}

Value length(const Call& call) {
  return ValueStore::integer(static_cast<int64_t>(items(call, 0).size()));
}

Value concat(const Call& call) {
  std::vector<Items> parts;
  for (size_t i = 0; i < call.args.size(); ++i) parts.push_back(items(call, i));
  return make(call, num::seq_concat<std::vector<Value>, Value>(parts, kMaxSequence));
}

Value nth(const Call& call) {
  const Items all = items(call, 0);
  const auto at = num::index_within(number(call, 1), all.size());
  if (!at || *at == all.size()) return call.open(Op::kSeqNthU, "seq.nth out of range");
  return all[*at];
}

Value extract(const Call& call, const mpz_class& count) {
  return call.values.sequence(num::seq_extract(items(call, 0), number(call, 1), count));
}

Value update(const Call& call) {
  return make(call, std::optional(num::seq_update<std::vector<Value>>(
                        items(call, 0), number(call, 1), items(call, 2))));
}

// --- Searching. ---

bool comparable(const Call& call) {
  call.pay(items(call, 0).size() / 8);
  return std::all_of(call.args.begin(), call.args.end(),
                     [&](const Value& value) { return call.values.is_canonical(value); });
}

template <typename Holds>
Value test(const Call& call, Holds holds) {
  if (!comparable(call)) return call.unknown(kIncomparableSequence);
  return boolean(holds(items(call, 0), items(call, 1)));
}

Value index_of(const Call& call, const mpz_class& start) {
  if (!comparable(call)) return call.unknown(kIncomparableSequence);
  return ValueStore::integer(num::seq_index_of(items(call, 0), items(call, 1), start));
}

// z3 gives several answers for an empty sequence.
Value last_index_of(const Call& call) {
  if (items(call, 1).empty()) return call.unknown("the last occurrence of the empty sequence");
  if (!comparable(call)) return call.unknown(kIncomparableSequence);
  return ValueStore::integer(num::seq_last_index_of(items(call, 0), items(call, 1)));
}

Value replace(const Call& call) {
  if (!comparable(call)) return call.unknown(kIncomparableSequence);
  return make(call, num::seq_replace<std::vector<Value>>(items(call, 0), items(call, 1),
                                                         items(call, 2), kMaxSequence));
}

Value replace_all(const Call& call) {
  if (!comparable(call)) return call.unknown(kIncomparableSequence);
  return make(call, num::seq_replace_all<std::vector<Value>>(items(call, 0), items(call, 1),
                                                             items(call, 2), kMaxSequence));
}

Value reverse(const Call& call) {
  const Items all = items(call, 0);
  return make(call, std::vector<Value>(all.rbegin(), all.rend()));
}

// --- With functions. ---

// (seq.map f s), and (seq.mapi f i s) with the position, counted from i, as a further argument.
Value map(const Call& call, bool with_position) {
  const Value function = call.args[0];
  mpz_class position = with_position ? number(call, 1) : mpz_class(0);
  std::vector<Value> images;
  for (const Value& item : items(call, with_position ? 2 : 1)) {
    std::vector<Value> arguments;
    if (with_position) arguments.push_back(call.values.integer(position++));
    arguments.push_back(item);
    images.push_back(call.apply(function, arguments));
    if (!images.back().known()) return images.back();
  }
  return call.values.sequence(images);
}

Value fold(const Call& call, bool with_position) {
  const Value function = call.args[0];
  mpz_class position = with_position ? number(call, 1) : mpz_class(0);
  const size_t at = with_position ? 2 : 1;
  Value result = call.args[at];
  for (const Value& item : items(call, at + 1)) {
    std::vector<Value> arguments;
    if (with_position) arguments.push_back(call.values.integer(position++));
    arguments.push_back(result);
    arguments.push_back(item);
    result = call.apply(function, arguments);
    if (!result.known()) return result;
  }
  return result;
}

constexpr OpRule kSequenceRules[] = {
    {Op::kSeqUnit, [](const Call& call) { return call.values.sequence(call.args); }},
    {Op::kSeqEmpty, [](const Call& call) { return call.values.sequence({}); }},
    {Op::kSeqLen, length},
    {Op::kSeqConcat, concat},
    {Op::kSeqNth, nth},
    {Op::kSeqNthI, nth},
    {Op::kSeqNthU,
     [](const Call& call) { return call.open(Op::kSeqNthU, "only a model says what it is"); }},
    {Op::kSeqExtract, [](const Call& call) { return extract(call, number(call, 2)); }},
    {Op::kSeqAt, [](const Call& call) { return extract(call, 1); }},
    {Op::kSeqUpdate, update},
    {Op::kSeqContains, [](const Call& call) { return test(call, num::seq_contains<Value>); }},
    {Op::kSeqIndexof, [](const Call& call) { return index_of(call, number(call, 2)); }},
    {Op::kSeqIndexofFirst, [](const Call& call) { return index_of(call, 0); }},
    {Op::kSeqLastIndexof, last_index_of},
    {Op::kSeqPrefixof, [](const Call& call) { return test(call, num::seq_prefix_of<Value>); }},
    {Op::kSeqSuffixof, [](const Call& call) { return test(call, num::seq_suffix_of<Value>); }},
    {Op::kSeqReplace, replace},
    {Op::kSeqReplaceAll, replace_all},
    {Op::kSeqRev, reverse},
    {Op::kSeqMap, [](const Call& call) { return map(call, false); }},
    {Op::kSeqMapi, [](const Call& call) { return map(call, true); }},
    {Op::kSeqFoldl, [](const Call& call) { return fold(call, false); }},
    {Op::kSeqFoldli, [](const Call& call) { return fold(call, true); }},
};

}  // namespace

std::span<const OpRule> sequence_rules() { return kSequenceRules; }

}  // namespace elenchus::eval
