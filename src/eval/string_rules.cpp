#include <optional>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "num/literal.h"
#include "num/string.h"

namespace elenchus::eval {
namespace {

using ir::Op;

constexpr size_t kMaxLength = size_t{1} << 24;
constexpr const char* kTooLong = "a string that is too long";

std::u32string_view text(const Call& call, size_t i) { return call.values.string(call.args[i]); }
mpz_class number(const Call& call, size_t i) { return call.values.big_integer(call.args[i]); }

Value make(const Call& call, std::u32string_view result) {
  call.pay(result.size() / 8);
  return call.values.string(std::u32string(result));
}

Value make(const Call& call, std::optional<std::u32string> result) {
  if (!result) return call.unknown(kTooLong);
  if (!call.pay(result->size() / 8)) return call.unknown(kTooLong);
  return call.values.string(std::move(*result));
}

Value concat(const Call& call) {
  std::vector<std::u32string_view> parts;
  parts.reserve(call.args.size());
  for (size_t i = 0; i < call.args.size(); ++i) parts.push_back(text(call, i));
  return make(call, num::str_concat(parts, kMaxLength));
}

Value length(const Call& call) {
  return ValueStore::integer(static_cast<int64_t>(text(call, 0).size()));
}

template <typename Holds>
Value compare(const Call& call, Holds holds) {
  return chain(call, [&](const Value& a, const Value& b) {
    return holds(call.values.string(a), call.values.string(b));
  });
}

// Searching takes time in the lengths.
void pay_for_search(const Call& call) {
  call.pay((text(call, 0).size() + text(call, 1).size()) / 8);
}

Value contains(const Call& call) {
  pay_for_search(call);
  return boolean(num::str_contains(text(call, 0), text(call, 1)));
}

Value index_of(const Call& call, const mpz_class& start) {
  pay_for_search(call);
  return ValueStore::integer(num::str_index_of(text(call, 0), text(call, 1), start));
}

// z3 gives several answers for an empty string.
Value last_index_of(const Call& call) {
  pay_for_search(call);
  if (text(call, 1).empty()) return call.unknown("the last occurrence of the empty string");
  return ValueStore::integer(num::str_last_index_of(text(call, 0), text(call, 1)));
}

Value replace(const Call& call) {
  pay_for_search(call);
  return make(call, num::str_replace(text(call, 0), text(call, 1), text(call, 2), kMaxLength));
}

Value replace_all(const Call& call) {
  pay_for_search(call);
  return make(call, num::str_replace_all(text(call, 0), text(call, 1), text(call, 2), kMaxLength));
}

// Decimal digits take more than linear time.
Value to_integer(const Call& call) {
  constexpr size_t kMaxDigits = size_t{1} << 22;
  if (text(call, 0).size() > kMaxDigits) return call.unknown(kTooLong);
  call.pay(text(call, 0).size());
  return call.values.integer(num::str_to_int(text(call, 0)));
}

Value from_integer(const Call& call) {
  const mpz_class value = number(call, 0);
  call.pay(mpz_sizeinbase(value.get_mpz_t(), 2) / 4);
  return make(call, std::optional(num::str_from_int(value)));
}

// z3: a string is a sequence of characters.
Value unit(const Call& call) {
  return call.values.string(std::u32string(1, static_cast<char32_t>(call.args[0].word)));
}

Value nth(const Call& call) {
  const std::u32string_view found = num::str_at(text(call, 0), number(call, 1));
  if (found.empty()) return call.open(Op::kStrNthU, "seq.nth out of range");
  return ValueStore::character(found[0]);
}

// The index is the code, or its hexadecimal digits as a symbol.
Value character(const Call& call) {
  const uint32_t code = call.index(0);
  if (code > num::kMaxCharacter) return call.unknown("no such character");
  return call.values.string(std::u32string(1, static_cast<char32_t>(code)));
}

constexpr OpRule kStringRules[] = {
    {Op::kStrChar, character},
    {Op::kStrConcat, concat},
    {Op::kStrLen, length},
    {Op::kStrLt, [](const Call& call) { return compare(call, num::str_less); }},
    {Op::kStrLe, [](const Call& call) { return compare(call, num::str_less_equal); }},
    {Op::kStrAt,
     [](const Call& call) { return make(call, num::str_at(text(call, 0), number(call, 1))); }},
    {Op::kStrSubstr,
     [](const Call& call) {
       return make(call, num::str_substr(text(call, 0), number(call, 1), number(call, 2)));
     }},
    {Op::kStrPrefixof,
     [](const Call& call) { return boolean(num::str_prefix_of(text(call, 0), text(call, 1))); }},
    {Op::kStrSuffixof,
     [](const Call& call) { return boolean(num::str_suffix_of(text(call, 0), text(call, 1))); }},
    {Op::kStrContains, contains},
    {Op::kStrIndexof, [](const Call& call) { return index_of(call, number(call, 2)); }},
    {Op::kStrReplace, replace},
    {Op::kStrReplaceAll, replace_all},
    {Op::kStrIsDigit, [](const Call& call) { return boolean(num::str_is_digit(text(call, 0))); }},
    {Op::kStrToCode,
     [](const Call& call) { return ValueStore::integer(num::str_to_code(text(call, 0))); }},
    {Op::kStrFromCode,
     [](const Call& call) {
       return make(call, std::optional(num::str_from_code(number(call, 0))));
     }},
    {Op::kStrToInt, to_integer},
    {Op::kStrFromInt, from_integer},
    {Op::kStrUpdate,
     [](const Call& call) {
       return make(call,
                   std::optional(num::str_update(text(call, 0), number(call, 1), text(call, 2))));
     }},
    {Op::kStrRev,
     [](const Call& call) { return make(call, std::optional(num::str_reverse(text(call, 0)))); }},
    {Op::kStrToLower,
     [](const Call& call) { return make(call, std::optional(num::str_to_lower(text(call, 0)))); }},
    {Op::kStrToUpper,
     [](const Call& call) { return make(call, std::optional(num::str_to_upper(text(call, 0)))); }},
    {Op::kStrFromUbv,
     [](const Call& call) {
       return make(call, std::optional(num::str_decimal(call.values.big_bits(call.args[0]))));
     }},
    {Op::kStrFromSbv,
     [](const Call& call) {
       return make(call, std::optional(num::str_decimal(call.values.signed_bits(call.args[0]))));
     }},
    {Op::kStrIndexofFirst, [](const Call& call) { return index_of(call, 0); }},
    {Op::kStrUnit, unit},
    {Op::kStrNth, nth},
    {Op::kStrNthI, nth},
    {Op::kStrNthU,
     [](const Call& call) { return call.open(Op::kStrNthU, "only a model says what it is"); }},
    {Op::kStrLastIndexof, last_index_of},
};

}  // namespace

std::span<const OpRule> string_rules() { return kStringRules; }

}  // namespace elenchus::eval
