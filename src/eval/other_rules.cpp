// Pseudo-Boolean constraints, characters, and what has no evaluation.
#include <algorithm>
#include <string>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "ir/apply.h"
#include "num/literal.h"

namespace elenchus::eval {
namespace {

using ir::Op;

int64_t count_true(const Call& call) {
  return std::count_if(call.args.begin(), call.args.end(),
                       [](const Value& value) { return value.is_true(); });
}

// An index: a number, or the digits of a large or negative one.
mpz_class number(const Call& call, size_t i) {
  const uint32_t index = call.index(i);
  if ((index & ir::kSymbolIndex) == 0) return index;
  const std::string text(call.terms.symbols().text(ir::SymbolId{index & ~ir::kSymbolIndex}));
  mpz_class value;
  return value.set_str(text, 10) == 0 ? value : mpz_class(0);
}

// The first index is the limit, the others are the weights of the arguments.
int compare_weighted(const Call& call) {
  mpz_class total = 0;
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i].is_true()) total += number(call, i + 1);
  }
  return cmp(total, number(call, 0));
}

template <typename Holds>
Value weighted(const Call& call, Holds holds) {
  if (call.terms.indices(call.term).size() != call.args.size() + 1) {
    return call.unknown("weights and arguments do not agree");
  }
  return boolean(holds(compare_weighted(call)));
}

Value character(const Call& call) {
  const uint32_t code = call.index(0);
  if (code > num::kMaxCharacter) return call.unknown("no such character");
  return ValueStore::character(code);
}

Value code_as_integer(const Call& call) {
  return ValueStore::integer(static_cast<int64_t>(call.args[0].word));
}

Value character_of_bits(const Call& call) {
  if (call.args[0].word > num::kMaxCharacter) return call.unknown("no such character");
  return ValueStore::character(static_cast<uint32_t>(call.args[0].word));
}

bool is_digit(const Value& character) { return '0' <= character.word && character.word <= '9'; }

constexpr uint32_t kCharacterBits = 18;
constexpr const char* kRelation = "any relation with its properties will do";
constexpr const char* kHeap = "separation logic speaks of a heap";

constexpr OpRule kOtherRules[] = {
    {Op::kAtMost, [](const Call& call) { return boolean(count_true(call) <= number(call, 0)); }},
    {Op::kAtLeast, [](const Call& call) { return boolean(count_true(call) >= number(call, 0)); }},
    {Op::kPbLe, [](const Call& call) { return weighted(call, [](int s) { return s <= 0; }); }},
    {Op::kPbGe, [](const Call& call) { return weighted(call, [](int s) { return s >= 0; }); }},
    {Op::kPbEq, [](const Call& call) { return weighted(call, [](int s) { return s == 0; }); }},
    {Op::kCharLiteral, character},
    {Op::kCharLe, [](const Call& call) { return boolean(call.args[0].word <= call.args[1].word); }},
    {Op::kCharToInt, code_as_integer},
    {Op::kCharIsDigit, [](const Call& call) { return boolean(is_digit(call.args[0])); }},
    {Op::kCharToBv,
     [](const Call& call) { return ValueStore::small_bits(call.args[0].word, kCharacterBits); }},
    {Op::kCharFromBv, character_of_bits},
    {Op::kPartialOrder, nullptr, kRelation},
    {Op::kLinearOrder, nullptr, kRelation},
    {Op::kTreeOrder, nullptr, kRelation},
    {Op::kPiecewiseLinearOrder, nullptr, kRelation},
    {Op::kTransitiveClosure, nullptr, "transitive closures of functions are not evaluated"},
    {Op::kSepEmp, nullptr, kHeap},
    {Op::kSepNil, nullptr, kHeap},
    {Op::kSepPto, nullptr, kHeap},
    {Op::kSepEmpSorts, nullptr, kHeap},
    {Op::kSepStar, nullptr, kHeap},
    {Op::kSepWand, nullptr, kHeap},
};

}  // namespace

std::span<const OpRule> other_rules() { return kOtherRules; }

}  // namespace elenchus::eval
