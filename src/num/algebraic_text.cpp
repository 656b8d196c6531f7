#include "num/algebraic_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "num/arith.h"

namespace elenchus::num {
namespace {

using Polynomial = std::vector<mpz_class>;  // from the constant coefficient up

// Polynomials of higher degree are not worth reading, nor deeper expressions.
constexpr size_t kMaxTerms = 1024;
constexpr int kMaxDepth = 64;

std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b) {
  Polynomial result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < a.size(); ++i) result[i] += a[i];
  for (size_t i = 0; i < b.size(); ++i) result[i] += b[i];
  return result;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return Polynomial{};
  if (a.size() + b.size() > kMaxTerms) return std::nullopt;
  Polynomial result(a.size() + b.size() - 1);
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < b.size(); ++k) result[i + k] += a[i] * b[k];
  }
  return result;
}

std::optional<Polynomial> power(const Polynomial& base, const Polynomial& exponent) {
  if (exponent.size() > 1) return std::nullopt;
  const mpz_class count = exponent.empty() ? mpz_class(0) : exponent[0];
  if (count < 0 || count > kMaxTerms) return std::nullopt;
  std::optional<Polynomial> result = Polynomial{1};
  for (uint64_t i = 0; i < count.get_ui() && result; ++i) result = product(*result, base);
  return result;
}

Polynomial negated(Polynomial polynomial) {
  for (mpz_class& coefficient : polynomial) coefficient = -coefficient;
  return polynomial;
}

bool is_number(std::string_view word) {
  const size_t sign = word.starts_with('-') ? 1 : 0;
  return word.size() > sign && word.find_first_not_of("0123456789", sign) == std::string_view::npos;
}

// Words and parentheses of an s-expression.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string_view next() {
    skip_space();
    if (at_ == text_.size()) return {};
    const size_t start = at_++;
    if (text_[start] == '(' || text_[start] == ')') return text_.substr(start, 1);
    while (at_ < text_.size() && std::string_view(" \t\r\n()").find(text_[at_]) == text_.npos)
      ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view peek() {
    const size_t before = at_;
    const std::string_view word = next();
    at_ = before;
    return word;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::optional<Polynomial> combine(std::string_view op, const std::vector<Polynomial>& parts) {
  if (parts.empty()) return std::nullopt;
  if (op == "-" && parts.size() == 1) return negated(parts[0]);
  if (op == "^") return parts.size() == 2 ? power(parts[0], parts[1]) : std::nullopt;
  std::optional<Polynomial> result = parts[0];
  for (size_t i = 1; i < parts.size() && result; ++i) {
    if (op == "+") {
      result = sum(*result, parts[i]);
    } else if (op == "-") {
      result = sum(*result, negated(parts[i]));
    } else if (op == "*") {
      result = product(*result, parts[i]);
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// The depth is bounded, so recursion is.
std::optional<Polynomial> read_polynomial(Words& words, int depth = 0) {
  const std::string_view word = words.next();
  if (word.empty() || word == ")" || depth > kMaxDepth) return std::nullopt;
  if (is_number(word)) return Polynomial{mpz_class(std::string(word))};
  if (word != "(") return Polynomial{0, 1};
  const std::string_view op = words.next();
  std::vector<Polynomial> parts;
  while (words.peek() != ")") {
    auto part = read_polynomial(words, depth + 1);
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  words.next();
  return combine(op, parts);
}

// 3, 2.5, -2, (- 2), (/ 1 2), (/ (- 1) 2).
std::optional<mpq_class> read_rational(Words& words, int depth = 0) {
  const std::string_view word = words.next();
  if (depth > kMaxDepth) return std::nullopt;
  if (is_number(word)) return mpq_class(mpz_class(std::string(word)));
  if (word != "(") {
    const bool decimal = !word.empty() && word.find_first_not_of("0123456789.") == word.npos &&
                         std::count(word.begin(), word.end(), '.') == 1;
    if (!decimal) return std::nullopt;
    return rational_of_decimal(word);
  }
  const std::string_view op = words.next();
  const auto first = read_rational(words, depth + 1);
  if (!first) return std::nullopt;
  if (op == "-" && words.next() == ")") return mpq_class(-*first);
  if (op != "/") return std::nullopt;
  const auto second = read_rational(words, depth + 1);
  if (!second || *second == 0 || words.next() != ")") return std::nullopt;
  return mpq_class(*first / *second);
}

std::optional<Real> read_root_obj(Words& words, const RealLimits& limits) {
  const auto polynomial = read_polynomial(words);
  const std::string_view index = words.next();
  if (!polynomial || !is_number(index) || index.size() > 6 || words.next() != ")") {
    return std::nullopt;
  }
  const long number = std::stol(std::string(index));
  if (number < 1) return std::nullopt;
  return root_of(*polynomial, static_cast<size_t>(number), limits);
}

std::optional<Real> read_root_with_interval(Words& words, const RealLimits& limits) {
  if (words.next() != "(" || words.next() != "coeffs") return std::nullopt;
  Polynomial coefficients;
  while (words.peek() != ")") {
    const auto coefficient = read_rational(words);
    if (!coefficient || !is_integer(*coefficient)) return std::nullopt;
    if (coefficients.size() == kMaxTerms) return std::nullopt;
    coefficients.push_back(coefficient->get_num());
  }
  words.next();
  const auto low = read_rational(words);
  const auto high = read_rational(words);
  if (!low || !high || words.next() != ")") return std::nullopt;
  return root_in(coefficients, {*low, *high, true}, limits);
}

// "(-2)*x^3", "x", "5": coefficient and exponent.
bool add_monomial(std::string text, Polynomial& polynomial) {
  std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ' '; });
  const size_t variable = text.find('x');
  std::string coefficient = text.substr(0, variable);
  size_t exponent = 0;
  if (variable != std::string::npos) {
    if (!coefficient.empty() && coefficient.back() == '*') coefficient.pop_back();
    if (coefficient.empty() || coefficient == "-") coefficient += '1';
    const std::string rest = text.substr(variable + 1);
    const bool has_exponent = rest.size() > 1 && rest[0] == '^' && rest.size() < 6;
    if (!rest.empty() && (!has_exponent || !is_number(rest.substr(1)))) return false;
    exponent = rest.empty() ? 1 : std::stoul(rest.substr(1));
  }
  if (!is_number(coefficient) || exponent >= kMaxTerms) return false;
  if (polynomial.size() <= exponent) polynomial.resize(exponent + 1);
  polynomial[exponent] += mpz_class(coefficient);
  return true;
}

std::optional<mpq_class> read_fraction(std::string text) {
  std::erase(text, ' ');
  const size_t slash = text.find('/');
  if (!is_number(text.substr(0, slash))) return std::nullopt;
  const mpz_class numerator(text.substr(0, slash));
  if (slash == std::string::npos) return mpq_class(numerator);
  const std::string denominator = text.substr(slash + 1);
  if (!is_number(denominator) || mpz_class(denominator) == 0) return std::nullopt;
  mpq_class result(numerator, mpz_class(denominator));
  result.canonicalize();
  return result;
}

// The text between the angle brackets: 1*x^2 + (-2), (1, 2)
std::optional<Real> read_cvc5(std::string_view text, const RealLimits& limits) {
  const size_t comma = text.find(',');
  const size_t open = text.find('(', comma);
  const size_t middle = text.find(',', open);
  const size_t close = text.find_first_of(")]", middle);
  if (close == std::string_view::npos) return std::nullopt;
  Polynomial polynomial;
  std::string_view sum_text = text.substr(0, comma);
  for (size_t start = 0; start <= sum_text.size();) {
    const size_t plus = std::min(sum_text.find('+', start), sum_text.size());
    if (!add_monomial(std::string(sum_text.substr(start, plus - start)), polynomial)) {
      return std::nullopt;
    }
    start = plus + 1;
  }
  const auto low = read_fraction(std::string(text.substr(open + 1, middle - open - 1)));
  const auto high = read_fraction(std::string(text.substr(middle + 1, close - middle - 1)));
  if (!low || !high) return std::nullopt;
  return root_in(polynomial, {*low, *high, *low == *high}, limits);
}

}  // namespace

std::optional<Real> algebraic_of_text(std::string_view text, const RealLimits& limits) {
  const size_t left = text.find('<');
  const size_t right = text.rfind('>');
  if (text.find("real_algebraic_number") < left && right != std::string_view::npos &&
      left < right) {
    return read_cvc5(text.substr(left + 1, right - left - 1), limits);
  }
  Words words(text);
  if (words.next() != "(") return std::nullopt;
  const std::string_view head = words.next();
  if (head == "root-obj") return read_root_obj(words, limits);
  if (head == "root-of-with-interval") return read_root_with_interval(words, limits);
  return std::nullopt;
}

std::optional<std::string> text_of(const Algebraic& number) {
  const auto index = number.root_index();
  if (!index) return std::nullopt;
  const auto coefficients = number.minimal_polynomial();
  std::string text = "(root-obj (+";
  for (size_t i = coefficients.size(); i-- > 0;) {
    const mpz_class& coefficient = coefficients[i];
    if (coefficient == 0) continue;
    const std::string digits = mpz_class(abs(coefficient)).get_str();
    const std::string factor = coefficient < 0 ? "(- " + digits + ")" : digits;
    const std::string variable = i == 1 ? "x" : fmt::format("(^ x {})", i);
    if (i == 0) {
      text += " " + factor;
    } else if (coefficient == 1) {
      text += " " + variable;
    } else {
      text += fmt::format(" (* {} {})", factor, variable);
    }
  }
  return text + fmt::format(") {})", *index);
}

}  // namespace elenchus::num
