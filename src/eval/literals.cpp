#include "eval/literals.h"

#include <charconv>
#include <string>

#include "num/algebraic_text.h"
#include "num/arith.h"
#include "num/literal.h"

namespace elenchus::eval {
namespace {

using ir::Op;

constexpr size_t kAlwaysSmall = 18;  // so many digits fit into 64 bits

int64_t small_integer(std::string_view digits) {
  int64_t value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  return value;
}

Value integer(ValueStore& values, std::string_view digits) {
  if (digits.size() > kAlwaysSmall) return values.integer(mpz_class(std::string(digits)));
  return ValueStore::integer(small_integer(digits));
}

// "#x1f" or "#b101".
Value bits(ValueStore& values, std::string_view text) {
  const int base = text[1] == 'x' ? 16 : 2;
  const auto width = num::literal_width(text);
  const std::string_view digits = text.substr(2);
  if (width > 64) return values.bits(mpz_class(std::string(digits), base), width);
  uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return ValueStore::small_bits(value, width);
}

// "12.0" or "0.25".
Value decimal(ValueStore& values, std::string_view text) {
  if (text.size() <= kAlwaysSmall && text.ends_with(".0")) {
    return ValueStore::small_real(small_integer(text.substr(0, text.size() - 2)));
  }
  return values.real(num::rational_of_decimal(text));
}

Value field_element(const ir::TermStore& terms, ValueStore& values, ir::TermId literal) {
  const ir::SortNode& sort = terms.sorts()[terms.sort(literal)];
  const mpz_class order(std::string(terms.symbols().text(ir::SymbolId{sort.a})));
  const mpz_class number(std::string(terms.literal_text(literal)));
  return values.field(num::mod_euclid(number, order));
}

}  // namespace

Value literal_value(const ir::TermStore& terms, ValueStore& values, ir::TermId literal) {
  const std::string_view text = terms.literal_text(literal);
  switch (terms.op(literal)) {
    case Op::kIntLiteral: return integer(values, text);
    case Op::kRealLiteral: return decimal(values, text);
    case Op::kBitsLiteral: return bits(values, text);
    case Op::kStringLiteral: return values.string(num::decode_string(text));
    case Op::kFieldLiteral: return field_element(terms, values, literal);
    case Op::kAlgebraicLiteral: {
      const auto number = num::algebraic_of_text(text);
      return number ? values.real(*number)
                    : values.unknown("an algebraic number that is malformed or too complex");
    }
    default: return values.unknown("not a literal");
  }
}

}  // namespace elenchus::eval
