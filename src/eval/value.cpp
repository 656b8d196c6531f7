#include "eval/value.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace elenchus::eval {
namespace {

uint64_t hash_of(const mpz_class& value) {
  uint64_t hash = sgn(value) < 0 ? 1 : 0;
  const size_t count = mpz_size(value.get_mpz_t());
  for (size_t i = 0; i < count; ++i) {
    hash = base::hash_mix(hash, mpz_getlimbn(value.get_mpz_t(), static_cast<mp_size_t>(i)));
  }
  return hash;
}

uint64_t hash_of(const Value& value) {
  const uint64_t head = (static_cast<uint64_t>(value.kind) << 32) | value.aux;
  return base::hash_mix(base::hash_mix(0, head), value.word);
}

uint64_t bytes_of(const mpz_class& value) {
  return 32 + (mpz_size(value.get_mpz_t()) * sizeof(mp_limb_t));
}

bool fits_int64(const mpz_class& value) { return value.fits_slong_p(); }

constexpr uint64_t mask_of(uint32_t width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

mpz_class from_word(uint64_t word) {
  mpz_class result;
  mpz_import(result.get_mpz_t(), 1, 1, sizeof word, 0, 0, &word);
  return result;
}

}  // namespace

// --- Numbers. ---

uint32_t ValueStore::box(const mpz_class& value) {
  bool is_new = false;
  const uint32_t id = integers_.intern(value, hash_of(value), is_new);
  if (is_new) bytes_ += bytes_of(value);
  return id;
}

Value ValueStore::integer(const mpz_class& value) {
  if (fits_int64(value)) return integer(int64_t{value.get_si()});
  return {ValueKind::kInt, kBoxed, box(value)};
}

mpz_class ValueStore::big_integer(const Value& value) const {
  return is_small_integer(value) ? mpz_class(small_integer(value)) : boxed(value);
}

Value ValueStore::real(const mpq_class& value) {
  const mpz_class& denominator = value.get_den();
  if (fits_int64(value.get_num()) && denominator < kMaxDenominator) {
    return {ValueKind::kReal, static_cast<uint32_t>(denominator.get_ui()),
            static_cast<uint64_t>(value.get_num().get_si())};
  }
  bool is_new = false;
  const uint64_t hash = base::hash_mix(hash_of(value.get_num()), hash_of(denominator));
  const uint32_t id = rationals_.intern(value, hash, is_new);
  if (is_new) bytes_ += bytes_of(value.get_num()) + bytes_of(denominator);
  return {ValueKind::kReal, kBoxed, id};
}

Value ValueStore::real(const num::Real& value) {
  if (value.is_rational()) return real(*value.rational());
  const num::Algebraic& algebraic = *value.irrational();
  bool is_new = false;
  const uint32_t id = algebraics_.intern(algebraic, algebraic.hash(), is_new);
  if (is_new) bytes_ += 1024;
  return {ValueKind::kReal, kAlgebraic, id};
}

// The fraction in lowest terms, if it fits. The denominator is positive.
std::optional<Value> ValueStore::small_real(__int128 numerator, int64_t denominator) {
  const int64_t divisor = std::gcd(static_cast<int64_t>(numerator % denominator), denominator);
  numerator /= divisor;
  denominator /= divisor;
  const auto word = static_cast<int64_t>(numerator);
  if (word != numerator || denominator >= kMaxDenominator) return std::nullopt;
  return Value{ValueKind::kReal, static_cast<uint32_t>(denominator), static_cast<uint64_t>(word)};
}

mpq_class ValueStore::rational(const Value& value) const {
  if (value.aux == kBoxed) return rationals_[static_cast<uint32_t>(value.word)];
  mpq_class result(static_cast<long>(value.word));
  result.get_den() = value.aux;
  return result;
}

num::Real ValueStore::exact_real(const Value& value) const {
  if (value.aux == kAlgebraic) return algebraics_[static_cast<uint32_t>(value.word)];
  return rational(value);
}

Value ValueStore::small_bits(uint64_t bits, uint32_t width) {
  return {ValueKind::kBits, width, bits & mask_of(width)};
}

Value ValueStore::bits(const mpz_class& bits, uint32_t width) {
  mpz_class cut;
  mpz_fdiv_r_2exp(cut.get_mpz_t(), bits.get_mpz_t(), width);
  if (width <= 64) return small_bits(cut.get_ui(), width);
  return {ValueKind::kBits, width, box(cut)};
}

mpz_class ValueStore::big_bits(const Value& value) const {
  return is_small_bits(value) ? from_word(value.word) : boxed(value);
}

mpz_class ValueStore::signed_bits(const Value& value) const {
  mpz_class result = big_bits(value);
  const uint32_t bits = width(value);
  if (mpz_tstbit(result.get_mpz_t(), bits - 1) != 0) result -= mpz_class(1) << bits;
  return result;
}

Value ValueStore::floating(const num::Float& value) {
  bool is_new = false;
  const uint32_t id = floats_.intern(value, value.hash(), is_new);
  if (is_new) bytes_ += 64 + (value.format().significand / 8);
  return {ValueKind::kFloat, 0, id};
}

Value ValueStore::field(const mpz_class& residue) {
  Value value = integer(residue);
  value.kind = ValueKind::kField;
  return value;
}

mpz_class ValueStore::field(const Value& value) const { return big_integer(value); }

// --- Texts. ---

Value ValueStore::string(std::u32string text) {
  const std::string_view bytes(reinterpret_cast<const char*>(text.data()),
                               text.size() * sizeof(char32_t));
  const uint64_t hash = base::hash_bytes(bytes);
  const size_t size = bytes.size();
  bool is_new = false;
  const uint32_t id = strings_.intern(std::move(text), hash, is_new);
  if (is_new) bytes_ += 64 + size;
  return {ValueKind::kString, 0, id};
}

num::RegexQuery& ValueStore::regex_query() {
  if (!regexes_) regexes_ = std::make_unique<Regexes>();
  return regexes_->query;
}

Value ValueStore::unknown(std::string_view reason) {
  bool is_new = false;
  const uint32_t id = reasons_.intern(std::string(reason), base::hash_bytes(reason), is_new);
  return {ValueKind::kUnknown, 0, id};
}

// --- Compounds. ---

uint64_t ValueStore::list_hash(std::span<const Value> values) {
  uint64_t hash = values.size();
  for (const Value& value : values) hash = base::hash_mix(hash, hash_of(value));
  return hash;
}

uint32_t ValueStore::list(std::span<const Value> values) {
  if (values.empty()) return 0;
  const uint64_t long_hash = list_hash(values);
  const auto hash = static_cast<uint32_t>(long_hash ^ (long_hash >> 32));
  const uint32_t known = list_index_.find(hash, [&](uint32_t id) {
    const auto other = list(id);
    return std::equal(values.begin(), values.end(), other.begin(), other.end());
  });
  if (known != 0) return known;
  const bool canonical = std::all_of(values.begin(), values.end(),
                                     [&](const Value& value) { return is_canonical(value); });
  const auto id = static_cast<uint32_t>(lists_.size());
  lists_.push_back({items_.append(values), static_cast<uint32_t>(values.size()), hash, canonical});
  list_index_.insert(hash, id);
  bytes_ += sizeof(List) + (values.size() * sizeof(Value));
  return id;
}

Value ValueStore::set(std::vector<Value> values, Lists what) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return {ValueKind::kSet, static_cast<uint32_t>(what), list(values)};
}

Value ValueStore::bag(std::vector<std::pair<Value, mpz_class>> items) {
  const auto by_element = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(items.begin(), items.end(), by_element);
  std::vector<Value> flat;
  for (size_t i = 0; i < items.size();) {
    mpz_class count = 0;
    const Value element = items[i].first;
    for (; i < items.size() && items[i].first == element; ++i) count += items[i].second;
    if (count <= 0) continue;
    flat.push_back(element);
    flat.push_back(integer(count));
  }
  return {ValueKind::kBag, 0, list(flat)};
}

Value ValueStore::function(const Function& function) {
  uint64_t hash = base::hash_mix(function.arity, function.entries);
  hash = base::hash_mix(hash, hash_of(function.otherwise));
  hash = base::hash_mix(hash, (uint64_t{function.lambda.value} << 32) | function.captured);
  bool is_new = false;
  const uint32_t id = functions_.intern(function, hash, is_new);
  if (is_new) bytes_ += 128;
  return {ValueKind::kFunction, 0, id};
}

bool ValueStore::is_canonical(const Value& value) const {
  const auto id = static_cast<uint32_t>(value.word);
  switch (value.kind) {
    case ValueKind::kRegex:
    case ValueKind::kExpression: return false;
    case ValueKind::kData:
    case ValueKind::kSeq:
    case ValueKind::kBag: return lists_[id].canonical;
    case ValueKind::kSet:
      return lists_[id].canonical && !is_vague_complement(value) &&
             lists_[id].count <= kMaxDistinctive;
    case ValueKind::kFunction: {
      const Function& function = functions_[id];
      return !function.lambda.valid() && !function.is_vague && lists_[function.entries].canonical &&
             (function.is_total || is_canonical(function.otherwise));
    }
    default: return true;
  }
}

// --- Going back. ---

ValueStore::Mark ValueStore::mark() const {
  return {integers_.size(),   rationals_.size(),
          algebraics_.size(), floats_.size(),
          strings_.size(),    functions_.size(),
          reasons_.size(),    static_cast<uint32_t>(lists_.size()),
          items_.size(),      bytes_};
}

void ValueStore::rollback(const Mark& mark) {
  integers_.truncate(mark.integers);
  rationals_.truncate(mark.rationals);
  algebraics_.truncate(mark.algebraics);
  floats_.truncate(mark.floats);
  strings_.truncate(mark.strings);
  functions_.truncate(mark.functions);
  reasons_.truncate(mark.reasons);
  while (lists_.size() > mark.lists) {
    list_index_.erase(lists_.back().hash, static_cast<uint32_t>(lists_.size() - 1));
    lists_.pop_back();
  }
  items_.truncate(mark.items);
  bytes_ = mark.bytes;
}

}  // namespace elenchus::eval
