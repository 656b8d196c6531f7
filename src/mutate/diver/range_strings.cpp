// Strings: what they may be are regular languages.
#include <algorithm>
#include <string>

#include "mutate/diver/range_rules.h"
#include "num/string.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;
using num::RegexId;
using num::RegexKind;
using num::RegexStore;

// Longer neighbours keep the present value: a language takes a node for each character.
constexpr size_t kMaxText = 2000;
// Of a language with a part for each substring.
constexpr size_t kMaxSubstrings = 200;
constexpr uint64_t kRegexSteps = 100'000;

RegexStore& store(const RangeCall& call) { return call.values.regexes(); }

// The text of an argument, if it is known and not too long.
std::optional<std::u32string> text_of(const RangeCall& call, size_t i, size_t limit = kMaxText) {
  const Value value = call.arg(i);
  if (!value.known() || call.values.string(value).size() > limit) return std::nullopt;
  return call.values.string(value);
}

Range members(const RangeCall& call, RegexId regex) { return language(call.values, regex); }

// The language, or all other strings where the application has to be false.
Range members_if_wanted(const RangeCall& call, RegexId regex) {
  return members(call, call.wanted() ? regex : store(call).comp(regex));
}

// --- Languages around one text. ---

RegexId character(RegexStore& regexes, char32_t c) { return regexes.range(c, c); }

// One step from the language of a text's end to that of a longer end.
template <typename Step>
RegexId from_the_end(std::u32string_view text, RegexId last, Step step) {
  RegexId regex = last;
  for (size_t i = text.size(); i-- > 0;) regex = step(text[i], regex);
  return regex;
}

RegexId prefixes(RegexStore& regexes, std::u32string_view text) {
  return from_the_end(text, RegexStore::epsilon(), [&](char32_t c, RegexId rest) {
    const RegexId longer = regexes.concat(character(regexes, c), rest);
    return regexes.opt(longer);
  });
}

RegexId suffixes(RegexStore& regexes, std::u32string_view text) {
  return regexes.reverse(prefixes(regexes, std::u32string(text.rbegin(), text.rend())));
}

RegexId substrings(RegexStore& regexes, std::u32string_view text) {
  std::vector<RegexId> parts;
  for (size_t i = 0; i <= text.size(); ++i) parts.push_back(prefixes(regexes, text.substr(i)));
  return regexes.union_of(parts);
}

// The strings that come before or after the text in the lexicographic order (str.<). A proper
// prefix of a string comes before it; the empty string comes first.
RegexId ordered(RegexStore& regexes, std::u32string_view text, Relation relation) {
  const bool before = is_upper(relation);
  const RegexId at_end =
      before ? (is_strict(relation) ? RegexStore::none() : RegexStore::epsilon())
             : (is_strict(relation) ? regexes.plus(RegexStore::any_char()) : RegexStore::all());
  return from_the_end(text, at_end, [&](char32_t c, RegexId rest) {
    RegexId other = RegexStore::none();
    if (before && c > 0) other = regexes.range(0, c - 1);
    if (!before && c < num::kMaxCharacter) other = regexes.range(c + 1, num::kMaxCharacter);
    const RegexId differs = regexes.concat(other, RegexStore::all());
    const RegexId agrees = regexes.concat(character(regexes, c), rest);
    const RegexId either = regexes.union_of(differs, agrees);
    return before ? regexes.opt(either) : either;
  });
}

template <Relation relation>
std::optional<Range> comparison(const RangeCall& call) {
  const auto beside = [](const RangeCall& here, const Value& other, bool on_right,
                         bool truth) -> std::optional<Range> {
    if (!other.known() || here.values.string(other).size() > kMaxText) return std::nullopt;
    const Relation of_other = truth ? relation : negated(relation);
    const std::u32string text = here.values.string(other);
    return members(here, ordered(store(here), text, on_right ? flipped(of_other) : of_other));
  };
  return chain_range(call, beside);
}

// --- Predicates. ---

std::optional<Range> prefix(const RangeCall& call) {
  const auto other = text_of(call, 1 - call.position);
  if (!other) return std::nullopt;
  RegexStore& regexes = store(call);
  if (call.position == 0) return members_if_wanted(call, prefixes(regexes, *other));
  const RegexId start = regexes.literal(*other);
  return members_if_wanted(call, regexes.concat(start, RegexStore::all()));
}

std::optional<Range> suffix(const RangeCall& call) {
  const auto other = text_of(call, 1 - call.position);
  if (!other) return std::nullopt;
  RegexStore& regexes = store(call);
  if (call.position == 0) return members_if_wanted(call, suffixes(regexes, *other));
  const RegexId end = regexes.literal(*other);
  return members_if_wanted(call, regexes.concat(RegexStore::all(), end));
}

std::optional<Range> containment(const RangeCall& call) {
  RegexStore& regexes = store(call);
  if (call.position == 1) {
    const auto whole = text_of(call, 0, kMaxSubstrings);
    if (!whole) return std::nullopt;
    return members_if_wanted(call, substrings(regexes, *whole));
  }
  const auto needle = text_of(call, 1);
  if (!needle) return std::nullopt;
  const RegexId parts[] = {RegexStore::all(), regexes.literal(*needle), RegexStore::all()};
  return members_if_wanted(call, regexes.concat(parts));
}

std::optional<Range> membership(const RangeCall& call) {
  if (call.position != 0) return std::nullopt;
  const Value regex = call.arg(1);
  if (!regex.known()) return std::nullopt;
  return members_if_wanted(call, ValueStore::regex(regex));
}

RegexId digit(RegexStore& regexes) { return regexes.range(U'0', U'9'); }

std::optional<Range> digit_test(const RangeCall& call) {
  return members_if_wanted(call, digit(store(call)));
}

// --- Numbers of strings. ---

// The number as a count, cut to what no string exceeds.
uint64_t count_of(const mpq_class& value) {
  constexpr uint64_t kHuge = uint64_t{1} << 62;
  if (value <= 0) return 0;
  return value >= mpq_class(mpz_class(kHuge)) ? kHuge : mpz_class(value.get_num()).get_ui();
}

// The strings whose number is one of the range, when those of one number and of an interval are
// given.
template <typename Of, typename Between>
std::optional<Range> by_number(const RangeCall& call, Of of, Between between) {
  RegexStore& regexes = store(call);
  if (const auto* found = call.range.as<Interval>()) return members(call, between(*found));
  const auto* listed = call.range.as<Listed>();
  const auto* excluded = call.range.as<Excluded>();
  if (listed == nullptr && excluded == nullptr) return std::nullopt;
  std::vector<RegexId> parts;
  for (const Value& value : listed != nullptr ? listed->values : excluded->values) {
    parts.push_back(of(call.values.big_integer(value)));
  }
  const RegexId any_of_them = regexes.union_of(parts);
  return members(call, listed != nullptr ? any_of_them : regexes.comp(any_of_them));
}

std::optional<Range> length(const RangeCall& call) {
  RegexStore& regexes = store(call);
  const auto of = [&](const mpz_class& count) {
    if (count < 0) return RegexStore::none();
    return regexes.power(RegexStore::any_char(), count_of(mpq_class(count)));
  };
  const auto between = [&](const Interval& lengths) {
    if (lengths.high && lengths.high->at < 0) return RegexStore::none();
    const uint64_t low = lengths.low ? count_of(lengths.low->at) : 0;
    const uint64_t high = lengths.high ? count_of(lengths.high->at) : RegexStore::kUnbounded;
    return regexes.loop(RegexStore::any_char(), low, high);
  };
  return by_number(call, of, between);
}

// Strings of one character have its code, all others -1.
std::optional<Range> code(const RangeCall& call) {
  RegexStore& regexes = store(call);
  const auto of = [&](const mpz_class& number) {
    if (number == -1) return regexes.comp(RegexStore::any_char());
    if (number < 0 || number > num::kMaxCharacter) return RegexStore::none();
    const auto c = static_cast<char32_t>(number.get_ui());
    return regexes.range(c, c);
  };
  const auto between = [&](const Interval& codes) {
    const bool has_none =
        (!codes.low || codes.low->at <= -1) && (!codes.high || codes.high->at >= -1);
    const bool has_some = !codes.high || codes.high->at >= 0;
    const uint64_t low = codes.low ? count_of(codes.low->at) : 0;
    const uint64_t high = codes.high ? count_of(codes.high->at) : num::kMaxCharacter;
    RegexId some = RegexStore::none();
    if (has_some && low <= num::kMaxCharacter) {
      some = regexes.range(static_cast<char32_t>(low),
                           static_cast<char32_t>(std::min<uint64_t>(high, num::kMaxCharacter)));
    }
    return has_none ? regexes.union_of(some, regexes.comp(RegexStore::any_char())) : some;
  };
  return by_number(call, of, between);
}

// -1 is of all strings that are no digits; every other number has leading zeros.
std::optional<Range> decimal(const RangeCall& call) {
  RegexStore& regexes = store(call);
  const RegexId digits = regexes.plus(digit(regexes));
  const mpz_class number = call.values.big_integer(call.result);
  if (number < 0) return members(call, regexes.comp(digits));
  const auto* numbers = call.range.as<Interval>();
  if (numbers != nullptr && !numbers->high && numbers->low && numbers->low->at <= 0) {
    return numbers->low->at == 0 ? members(call, digits) : Ranges::any();
  }
  const RegexId zeros = regexes.star(character(regexes, U'0'));
  const RegexId last = regexes.literal(num::str_decimal(number));
  return members(call, regexes.concat(zeros, last));
}

// Numbers that are no code, and negative ones, give the empty string.
std::optional<Range> beyond_codes(const RangeCall& call) {
  if (!call.values.string(call.result).empty()) return std::nullopt;
  const mpz_class number = call.values.big_integer(call.present());
  if (number < 0) return interval({std::nullopt, Interval::End{-1}});
  return interval({Interval::End{num::kMaxCharacter + 1}, std::nullopt});
}

std::optional<Range> without_decimal(const RangeCall& call) {
  if (!call.values.string(call.result).empty()) return std::nullopt;
  return interval({std::nullopt, Interval::End{-1}});
}

// --- Strings of strings. ---

// The strings w with text.w in the language.
std::optional<RegexId> after(const RangeCall& call, RegexId regex, std::u32string_view text) {
  num::RegexBudget budget(kRegexSteps);
  for (const char32_t c : text) {
    const auto next = call.values.regex_query().derivative(regex, c, budget);
    if (!next) return std::nullopt;
    regex = *next;
  }
  return regex;
}

std::optional<RegexId> before(const RangeCall& call, RegexId regex, std::u32string_view text) {
  const std::u32string reversed(text.rbegin(), text.rend());
  const auto rest = after(call, store(call).reverse(regex), reversed);
  if (!rest) return std::nullopt;
  return store(call).reverse(*rest);
}

// What stands before and after the argument.
struct Surroundings {
  std::u32string before;
  std::u32string after;
};

std::optional<Surroundings> surroundings(const RangeCall& call) {
  Surroundings found;
  for (size_t i = 0; i < call.count(); ++i) {
    if (i == call.position) continue;
    const auto text = text_of(call, i);
    if (!text) return std::nullopt;
    (i < call.position ? found.before : found.after) += *text;
    if (found.before.size() + found.after.size() > kMaxText) return std::nullopt;
  }
  return found;
}

// The middle of a text that has these surroundings.
std::optional<Value> middle(const RangeCall& call, const Surroundings& around, const Value& value) {
  const std::u32string_view text = call.values.string(value);
  const size_t outside = around.before.size() + around.after.size();
  if (text.size() < outside || !text.starts_with(around.before) || !text.ends_with(around.after)) {
    return std::nullopt;
  }
  return call.values.string(
      std::u32string(text.substr(around.before.size(), text.size() - outside)));
}

// What may stand between them.
std::optional<Range> middle_range(const RangeCall& call, const Surroundings& outside) {
  const auto* strings = call.range.as<Language>();
  if (strings == nullptr) {
    return mapped(call.range, [&](const Value& value) { return middle(call, outside, value); });
  }
  auto regex = after(call, strings->regex, outside.before);
  if (regex && !outside.after.empty()) regex = before(call, *regex, outside.after);
  if (!regex) return std::nullopt;
  return members(call, *regex);
}

std::optional<Range> part(const RangeCall& call) {
  const auto outside = surroundings(call);
  if (!outside) return std::nullopt;
  return middle_range(call, *outside);
}

// The language of the call's range.
std::optional<RegexId> results(const RangeCall& call) {
  if (const auto* strings = call.range.as<Language>()) return strings->regex;
  const auto* listed = call.range.as<Listed>();
  const auto* excluded = call.range.as<Excluded>();
  if (listed == nullptr && excluded == nullptr) return std::nullopt;
  RegexStore& regexes = store(call);
  std::vector<RegexId> parts;
  for (const Value& value : listed != nullptr ? listed->values : excluded->values) {
    const std::u32string& text = call.values.string(value);
    if (text.size() > kMaxText) return std::nullopt;
    parts.push_back(regexes.literal(text));
  }
  const RegexId any_of_them = regexes.union_of(parts);
  return listed != nullptr ? any_of_them : regexes.comp(any_of_them);
}

// The strings whose `count` characters from `start` on, or fewer where they end, are a result. One
// that is not longer than `start` gives the empty string.
RegexId around_results(RegexStore& regexes, RegexId results, uint64_t start, uint64_t count) {
  const RegexId any_char = RegexStore::any_char();
  const RegexId before = regexes.power(any_char, start);
  const RegexId cut = regexes.inter(results, regexes.power(any_char, count));
  const RegexId ended = regexes.inter(results, regexes.loop(any_char, 1, count - 1));
  const RegexId ends_after = regexes.concat(before, ended);
  const RegexId goes_on = regexes.concat(regexes.concat(before, cut), RegexStore::all());
  const RegexId found = regexes.union_of(ends_after, goes_on);
  if (!regexes.nullable(results)) return found;
  return regexes.union_of(found, regexes.loop(any_char, 0, start));
}

std::optional<Range> whole_of_part(const RangeCall& call, const Value& from, const Value& length) {
  constexpr uint64_t kMaxStart = uint64_t{1} << 30;
  const auto parts = results(call);
  if (call.position != 0 || !parts || !from.known() || !length.known()) return std::nullopt;
  const mpz_class start = call.values.big_integer(from);
  const mpz_class count = call.values.big_integer(length);
  if (start < 0 || count <= 0) return Ranges::any();
  if (start > kMaxStart || count > kMaxStart) return std::nullopt;
  return members(call, around_results(store(call), *parts, start.get_ui(), count.get_ui()));
}

std::optional<Range> whole_of_character(const RangeCall& call) {
  return whole_of_part(call, call.arg(1), ValueStore::integer(int64_t{1}));
}

std::optional<Range> whole_of_substring(const RangeCall& call) {
  return whole_of_part(call, call.arg(1), call.arg(2));
}

std::optional<Range> reversal(const RangeCall& call) {
  if (const auto* strings = call.range.as<Language>()) {
    return members(call, store(call).reverse(strings->regex));
  }
  return mapped(call.range, [&](const Value& value) {
    return std::optional(call.values.string(num::str_reverse(call.values.string(value))));
  });
}

// --- Searching. ---

// Strings without the text.
RegexId without(RegexStore& regexes, const std::u32string& text) {
  const RegexId parts[] = {RegexStore::all(), regexes.literal(text), RegexStore::all()};
  return regexes.comp(regexes.concat(parts));
}

// Where nothing is found, nothing is replaced: not in other strings without the text, not by other
// replacements, and not for other texts that are not there. Where the first occurrence is replaced,
// the result is the replacement in its surroundings.
std::optional<Range> replacement(const RangeCall& call, bool is_first_only) {
  const auto whole = text_of(call, 0, call.position == 1 ? kMaxSubstrings : kMaxText);
  const auto wanted = text_of(call, 1);
  if (!whole || !wanted) return std::nullopt;
  RegexStore& regexes = store(call);
  const size_t at = whole->find(*wanted);
  const bool is_empty = wanted->empty() && !is_first_only;
  if (at == std::u32string::npos || is_empty) {
    if (call.position == 2) return Ranges::any();
    if (is_empty) return call.position == 0 ? std::optional(call.range) : std::nullopt;
    if (call.position == 1) return members(call, regexes.comp(substrings(regexes, *whole)));
    const auto parts = results(call);
    if (!parts) return std::nullopt;
    return members(call, regexes.inter(*parts, without(regexes, *wanted)));
  }
  if (call.position != 2 || !is_first_only) return std::nullopt;
  const Surroundings outside{whole->substr(0, at), whole->substr(at + wanted->size())};
  return middle_range(call, outside);
}

// What starts like the string up to the end of what was found has it at the same place.
std::optional<Range> searched(const RangeCall& call, size_t from, const std::u32string& wanted) {
  RegexStore& regexes = store(call);
  const mpz_class found = call.values.big_integer(call.result);
  if (found >= 0) {
    const auto whole = text_of(call, 0);
    if (!whole) return std::nullopt;
    const RegexId start = regexes.literal(whole->substr(0, found.get_ui() + wanted.size()));
    return members(call, regexes.concat(start, RegexStore::all()));
  }
  const RegexId any_char = RegexStore::any_char();
  const RegexId rest = regexes.concat(regexes.power(any_char, from), without(regexes, wanted));
  if (from == 0) return members(call, rest);
  return members(call, regexes.union_of(regexes.loop(any_char, 0, from - 1), rest));
}

// From the place after the occurrence before it, the same is found; where nothing is, nothing is
// found from later places.
std::optional<Range> search_start(const RangeCall& call, const std::u32string& whole,
                                  const std::u32string& wanted) {
  const mpz_class found = call.values.big_integer(call.result);
  const mpz_class present = call.values.big_integer(call.present());
  if (found < 0) {
    if (present < 0) return interval({std::nullopt, Interval::End{-1}});
    return interval({Interval::End{mpq_class(present)}, std::nullopt});
  }
  const size_t at = found.get_ui();
  const size_t last = at == 0 ? std::u32string::npos : whole.rfind(wanted, at - 1);
  const size_t first = last == std::u32string::npos ? 0 : last + 1;
  return interval(
      {Interval::End{mpq_class(mpz_class(first))}, Interval::End{mpq_class(mpz_class(at))}});
}

std::optional<Range> index_of(const RangeCall& call) {
  const auto whole = text_of(call, 0, call.position == 1 ? kMaxSubstrings : kMaxText);
  const auto wanted = text_of(call, 1);
  const Value from = call.arg(2);
  if (!whole || !wanted || !from.known()) return std::nullopt;
  if (call.position == 2) return search_start(call, *whole, *wanted);
  const mpz_class start = call.values.big_integer(from);
  if (start < 0) return Ranges::any();
  if (start > kMaxText) return std::nullopt;
  if (call.position == 0) return searched(call, start.get_ui(), *wanted);
  if (start > whole->size()) return Ranges::any();
  if (call.values.big_integer(call.result) >= 0) return std::nullopt;
  RegexStore& regexes = store(call);
  return members(call, regexes.comp(substrings(regexes, whole->substr(start.get_ui()))));
}

constexpr OpRangeRule kStringsRanges[] = {
    {Op::kStrLt, comparison<Relation::kLess>},
    {Op::kStrLe, comparison<Relation::kLessEqual>},
    {Op::kStrPrefixof, prefix},
    {Op::kStrSuffixof, suffix},
    {Op::kStrContains, containment},
    {Op::kStrInRe, membership},
    {Op::kStrIsDigit, digit_test},
    {Op::kStrLen, length},
    {Op::kStrToCode, code},
    {Op::kStrFromCode, beyond_codes},
    {Op::kStrToInt, decimal},
    {Op::kStrFromInt, without_decimal},
    {Op::kStrConcat, part},
    {Op::kStrAt, whole_of_character},
    {Op::kStrSubstr, whole_of_substring},
    {Op::kStrRev, reversal},
    {Op::kStrReplace, [](const RangeCall& call) { return replacement(call, true); }},
    {Op::kStrReplaceAll, [](const RangeCall& call) { return replacement(call, false); }},
    {Op::kStrIndexof, index_of},
};

// Whether the expression repeats something without a limit. A complement does.
bool has_star(const RegexStore& regexes, RegexId regex) {
  constexpr size_t kMaxNodes = 20'000;
  std::vector<RegexId> todo = {regex};
  for (size_t visited = 0; !todo.empty(); ++visited) {
    if (visited == kMaxNodes) return true;
    const RegexId next = todo.back();
    todo.pop_back();
    const RegexKind kind = regexes.kind(next);
    if (kind == RegexKind::kAll || kind == RegexKind::kComp) return true;
    if (kind == RegexKind::kLoop && regexes.high(next) == RegexStore::kUnbounded) return true;
    const auto children = regexes.children(next);
    todo.insert(todo.end(), children.begin(), children.end());
  }
  return false;
}

}  // namespace

std::span<const OpRangeRule> string_ranges() { return kStringsRanges; }

Range language(ValueStore& values, RegexId regex) {
  const RegexStore& regexes = values.regexes();
  switch (regexes.kind(regex)) {
    case RegexKind::kNone: return nothing();
    case RegexKind::kAll: return Ranges::any();
    case RegexKind::kEpsilon: return Ranges::only(values.string(std::u32string()));
    case RegexKind::kLiteral:
      return Ranges::only(values.string(std::u32string(regexes.text(regex))));
    case RegexKind::kSet: {
      const auto ranges = regexes.ranges(regex);
      if (ranges.size() > 1 || ranges[0].first != ranges[0].last) break;
      return Ranges::only(values.string(std::u32string(1, ranges[0].first)));
    }
    default: break;
  }
  return {Language{regex, has_star(regexes, regex)}};
}

}  // namespace elenchus::mutate::diver
