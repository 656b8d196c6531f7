#include "history/constant_class.h"

#include <gmpxx.h>

#include <algorithm>
#include <string>

#include "num/literal.h"
#include "num/random_bits.h"

namespace elenchus::history {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;
using enum ConstantClass;

namespace {

constexpr std::string_view kWords[] = {"zero",  "one",      "small",   "bound", "large",
                                       "plain", "fraction", "ones",    "least", "most",
                                       "empty", "letter",   "numeral", "text"};
constexpr uint32_t kLastSmall = 16;
constexpr uint32_t kLargeBits = 32;
// Wider bit-vectors have no classes: a literal must not be a megabyte.
constexpr uint32_t kMostBits = 4096;

bool is_power_of_two(const mpz_class& value) {
  return value > 0 && mpz_popcount(value.get_mpz_t()) == 1;
}

ConstantClass class_of_number(const mpz_class& value) {
  if (value == 0) return kZero;
  if (value == 1) return kOne;
  if (value <= kLastSmall) return kSmall;
  const bool is_bound =
      is_power_of_two(value) || is_power_of_two(value - 1) || is_power_of_two(value + 1);
  if (is_bound) return kBound;
  return mpz_sizeinbase(value.get_mpz_t(), 2) > kLargeBits ? kLarge : kPlain;
}

std::optional<ConstantClass> class_of_decimal(const std::string& text) {
  const size_t dot = text.find('.');
  if (dot == std::string::npos) return class_of_number(mpz_class(text));
  const bool is_whole = text.find_first_not_of('0', dot + 1) == std::string::npos;
  return is_whole ? class_of_number(mpz_class(text.substr(0, dot))) : kFraction;
}

ConstantClass class_of_bits(const mpz_class& value, uint32_t width) {
  if (value <= 1) return value == 0 ? kZero : kOne;
  const mpz_class sign = mpz_class(1) << (width - 1);
  if (value == 2 * sign - 1) return kOnes;
  if (value == sign) return kLeast;
  if (value == sign - 1) return kMost;
  return value <= kLastSmall ? kSmall : kPlain;
}

ConstantClass class_of_string(const std::u32string& text) {
  if (text.empty()) return kEmpty;
  const bool is_numeral =
      std::all_of(text.begin(), text.end(), [](char32_t c) { return c >= U'0' && c <= U'9'; });
  if (is_numeral) return kNumeral;
  return text.size() == 1 ? kLetter : kText;
}

// A number of the class; less than zero when there is none.
mpz_class number_of(base::Rng& rng, ConstantClass constant) {
  constexpr uint32_t kExponents[] = {7, 8, 15, 16, 31, 32, 63, 64};
  switch (constant) {
    case kZero: return 0;
    case kOne: return 1;
    case kSmall: return 2 + static_cast<unsigned long>(rng.below(kLastSmall - 1));
    case kBound: {
      const uint64_t exponent =
          rng.coin() ? kExponents[rng.below(std::size(kExponents))] : 6 + rng.below(75);
      const auto offset = static_cast<long>(rng.between(-1, 1));
      return (mpz_class(1) << exponent) + offset;
    }
    case kLarge:
      return (mpz_class(5) << (kLargeBits + rng.below(40))) + 3 + num::random_bits(rng, 20);
    case kPlain: {
      const mpz_class value =
          17 + static_cast<unsigned long>(rng.below(rng.coin() ? 100 : 100'000));
      return class_of_number(value) == kPlain ? value : mpz_class(19);
    }
    default: return -1;
  }
}

TermId decimal_of(ir::TermStore& store, base::Rng& rng, ConstantClass constant) {
  constexpr std::string_view kFractions[] = {"5", "1", "25", "0001", "999", "125"};
  const bool is_fraction = constant == kFraction;
  const mpz_class whole =
      is_fraction ? mpz_class(static_cast<unsigned long>(rng.below(20))) : number_of(rng, constant);
  if (whole < 0) return {};
  const std::string_view rest =
      is_fraction ? kFractions[rng.below(std::size(kFractions))] : std::string_view("0");
  return store.real_literal(num::canonical_decimal(whole.get_str() + "." + std::string(rest)));
}

// Narrow bit-vectors lack some classes: then another constant of the sort will do.
TermId bits_of(ir::TermStore& store, base::Rng& rng, uint32_t width, ConstantClass constant) {
  if (width == 0 || width > kMostBits) return {};
  const mpz_class sign = mpz_class(1) << (width - 1);
  mpz_class value = 0;
  switch (constant) {
    case kZero: break;
    case kOnes: value = 2 * sign - 1; break;
    case kLeast: value = sign; break;
    case kMost: value = sign - 1; break;
    case kOne:
    case kSmall: value = number_of(rng, constant); break;
    case kPlain: value = num::random_bits(rng, width); break;
    default: return {};
  }
  mpz_fdiv_r_2exp(value.get_mpz_t(), value.get_mpz_t(), width);
  const std::string digits = value.get_str(2);
  return store.bits_literal(num::bits_literal(std::string(width - digits.size(), '0') + digits));
}

TermId string_of(ir::TermStore& store, base::Rng& rng, ConstantClass constant) {
  constexpr std::u32string_view kLetters[] = {U"a",  U"b",  U"A",    U"-",         U" ",
                                              U"\"", U"\\", U"\x7f", U"\U0002FFFF"};
  constexpr std::u32string_view kNumerals[] = {U"0", U"1", U"9", U"10", U"007", U"4294967296"};
  constexpr std::u32string_view kTexts[] = {U"ab",       U"aa",       U"ba",         U"-1",
                                            U"abc",      U"a b",      U"1.5",        U"\\u{61}",
                                            U"aaaaaaaa", U"\x7f\xe9", U"a\U0001F600"};
  const auto pick = [&](std::span<const std::u32string_view> list) {
    return store.string_literal(num::encode_string(list[rng.below(list.size())]));
  };
  switch (constant) {
    case kEmpty: return store.string_literal(num::encode_string(U""));
    case kLetter: return pick(kLetters);
    case kNumeral: return pick(kNumerals);
    case kText: return pick(kTexts);
    default: return {};
  }
}

TermId integer_of(ir::TermStore& store, base::Rng& rng, ConstantClass constant) {
  const mpz_class value = number_of(rng, constant);
  if (value < 0) return {};
  return value < ir::TermStore::kSmallInts ? store.small_int(static_cast<uint32_t>(value.get_ui()))
                                           : store.int_literal(value.get_str());
}

}  // namespace

std::string_view word_of(ConstantClass constant) { return kWords[static_cast<size_t>(constant)]; }

std::optional<ConstantClass> class_named(std::string_view word) {
  const auto* found = std::find(std::begin(kWords), std::end(kWords), word);
  if (found == std::end(kWords)) return std::nullopt;
  return static_cast<ConstantClass>(found - std::begin(kWords));
}

std::optional<ConstantClass> class_of(const ir::TermStore& store, TermId literal) {
  switch (store.op(literal)) {
    case Op::kIntLiteral:
    case Op::kRealLiteral: return class_of_decimal(std::string(store.literal_text(literal)));
    case Op::kBitsLiteral: {
      const std::string_view shown = store.literal_text(literal);
      const uint32_t width = num::literal_width(shown);
      if (width == 0 || width > kMostBits) return std::nullopt;
      return class_of_bits(mpz_class(std::string(shown.substr(2)), shown[1] == 'x' ? 16 : 2),
                           width);
    }
    case Op::kStringLiteral:
      return class_of_string(num::decode_string(store.literal_text(literal)));
    default: return std::nullopt;
  }
}

TermId constant_of(ir::TermStore& store, base::Rng& rng, SortId sort, ConstantClass constant) {
  const ir::SortNode node = store.sorts()[sort];
  switch (node.kind) {
    case SortKind::kInt: return integer_of(store, rng, constant);
    case SortKind::kReal: return decimal_of(store, rng, constant);
    case SortKind::kBitVec: return bits_of(store, rng, node.a, constant);
    case SortKind::kString: return string_of(store, rng, constant);
    default: return {};
  }
}

}  // namespace elenchus::history
