// The pre-analysis of DIVER (Kim, So, Oh: "DIVER: Oracle-Guided SMT Solver Testing with
// Unrestricted Random Mutations", ICSE 2023), section III-A: from what a term may be to what its
// argument may be, with everything beside it as the model has it. The paper's domains are Booleans,
// intervals and regular expressions; ours has a shape for every sort, and open ends of intervals
// where the paper moves an end by a millionth.
//
// Rules stand by theory in range_*.cpp. Each is sound by itself (the paper's proposition 1), and
// most of them are complete. Where an operator has none, but the argument's sort has a few values
// only, all of them are tried.
#include "mutate/diver/range.h"

#include <algorithm>
#include <array>
#include <compare>
#include <utility>

#include "base/check.h"
#include "eval/rules.h"
#include "mutate/diver/range_rules.h"
#include "num/arith.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;

// For a question about languages.
constexpr uint64_t kRegexSteps = 100'000;

using Table = std::array<RangeRule, ir::kOpCount>;

Table all_rules() {
  Table table{};
  for (const auto list :
       {core_ranges(), arithmetic_ranges(), bits_ranges(), float_ranges(), string_ranges(),
        array_ranges(), sequence_ranges(), set_ranges(), data_ranges()}) {
    for (const OpRangeRule& rule : list) {
      RangeRule& place = table[static_cast<size_t>(rule.op)];
      ELENCHUS_CHECK(place == nullptr, "two rules for the ranges of one operator");
      place = rule.rule;
    }
  }
  return table;
}

RangeRule range_rule_of(Op op) {
  static const Table table = all_rules();
  const auto at = static_cast<size_t>(op);
  return at < table.size() ? table[at] : nullptr;
}

// Rules of evaluation take sets, and not the arrays of Booleans by which z3 writes them.
bool is_set_by_function(const RangeCall& call, size_t i, const Value& value) {
  return value.kind == ValueKind::kFunction &&
         call.terms.sorts().kind(call.terms.sort(call.terms.args(call.term)[i])) ==
             ir::SortKind::kSet;
}

// Tries all values of a sort that has a few.
std::optional<Range> by_trial(const RangeCall& call) {
  constexpr uint64_t kFew = 8;
  const eval::Rule rule = eval::rule_of(call.terms.meaning(call.term)).rule;
  const auto count = call.evaluator.domains().cardinality(call.sort());
  if (rule == nullptr || !count || *count > kFew) return std::nullopt;
  const Value present = call.present();
  std::vector<Value> args;
  for (size_t i = 0; i < call.count(); ++i) {
    args.push_back(call.arg(i));
    if (!args.back().known() || is_set_by_function(call, i, args.back())) return std::nullopt;
  }
  const auto all = call.evaluator.domains().all(call.sort());
  const std::vector<Value> candidates(all.begin(), all.end());
  std::vector<Value> good;
  for (const Value& candidate : candidates) {
    args[call.position] = candidate;
    const eval::Call trial{call.evaluator, call.terms, call.values, call.term, args};
    if (call.ranges.contains(call.range, rule(trial))) good.push_back(candidate);
  }
  // Present values that have no canonical form are not in the list.
  const bool has_present = std::find(good.begin(), good.end(), present) != good.end();
  if (!has_present) return std::nullopt;
  return good.size() == candidates.size() ? Ranges::any() : one_of(std::move(good));
}

int compare(const ValueStore& values, const Value& number, const mpq_class& end) {
  if (const auto rational = rational_of(values, number)) return cmp(*rational, end);
  const auto order = values.exact_real(number) <=> num::Real(end);
  return std::is_lt(order) ? -1 : (std::is_gt(order) ? 1 : 0);
}

double limited(double score) { return std::clamp(score, 0.001, 1.0); }

// Of so many values.
double score_of_size(const mpq_class& size) {
  return size >= 1000 ? 1.0 : limited(size.get_d() / 1000);
}

double score_of(const AnyValue&) { return 1.0; }
double score_of(const NoValue&) { return 0.001; }
double score_of(const Listed& listed) {
  if (listed.values[0].kind == ValueKind::kBool) return 0.5;
  return limited(static_cast<double>(listed.values.size()) / 1000);
}
double score_of(const Excluded&) { return 1.0; }
double score_of(const Interval& interval) {
  if (!interval.low || !interval.high) return 1.0;
  const mpq_class length = interval.high->at - interval.low->at;
  return length >= 1000 ? 1.0 : score_of_size(length + 1);
}
double score_of(const BitRange& range) {
  const mpz_class width = range.high - range.low + 1;
  const mpz_class signed_width = range.signed_high - range.signed_low + 1;
  const auto fixed = mpz_popcount(range.mask.get_mpz_t());
  const mpz_class free = mpz_class(1) << (range.width - fixed);
  return score_of_size(std::min({width, signed_width, free}));
}
double score_of(const FloatRange& range) {
  const mpz_class nan = range.has_nan ? 1 : 0;
  return score_of_size(mpz_class(range.high - range.low + 1 + nan));
}
double score_of(const Language& language) { return language.has_star ? 1.0 : 0.001; }
double score_of(const MadeBy&) { return 0.5; }
double score_of(const ElementAt& range) { return Ranges::score(*range.element); }
double score_of(const Length& range) { return Ranges::score(*range.count); }
double score_of(const FieldOf& range) { return std::min(0.5, Ranges::score(*range.content)); }

// The tighter of two ends.
std::optional<Interval::End> tighter(const std::optional<Interval::End>& a,
                                     const std::optional<Interval::End>& b, bool is_low) {
  if (!a || !b) return a ? a : b;
  if (a->at == b->at) return a->is_open ? a : b;
  return (a->at < b->at) == is_low ? b : a;
}

std::optional<Range> meet(const Interval& a, const Interval& b) {
  return interval({tighter(a.low, b.low, true), tighter(a.high, b.high, false)});
}

std::optional<Range> meet(const BitRange& a, const BitRange& b) {
  BitRange both = a;
  both.low = std::max(a.low, b.low);
  both.high = std::min(a.high, b.high);
  both.signed_low = std::max(a.signed_low, b.signed_low);
  both.signed_high = std::min(a.signed_high, b.signed_high);
  if (((a.bits ^ b.bits) & a.mask & b.mask) != 0) return nothing();
  both.mask = a.mask | b.mask;
  both.bits = a.bits | b.bits;
  return Range{both};
}

std::optional<Range> meet(const FloatRange& a, const FloatRange& b) {
  return Range{
      FloatRange{std::max(a.low, b.low), std::min(a.high, b.high), a.has_nan && b.has_nan}};
}

std::optional<Range> meet(const Excluded& a, const Excluded& b) {
  std::vector<Value> values = a.values;
  values.insert(values.end(), b.values.begin(), b.values.end());
  return all_but(std::move(values));
}

}  // namespace

std::optional<std::vector<Value>> RangeCall::others() const {
  std::vector<Value> found;
  for (size_t i = 0; i < count(); ++i) {
    if (i == position) continue;
    found.push_back(arg(i));
    if (!found.back().known()) return std::nullopt;
  }
  return found;
}

Range Ranges::only(const Value& value) {
  return value.known() ? Range{Listed{{value}}} : nothing();
}

Range Ranges::of_argument(ir::TermId term, size_t position, const Range& range) {
  if (range.is_any()) return any();
  const ir::TermStore& terms = evaluator_.terms();
  const Value result = evaluator_.evaluate(term);
  if (!contains(range, result)) return nothing();
  if (result.kind == ValueKind::kBool && contains(range, boolean(!result.is_true()))) return any();
  const RangeCall call{*this, evaluator_, terms, evaluator_.values(),
                       term,  position,   range, result};
  if (const RangeRule rule = range_rule_of(terms.meaning(term))) {
    if (std::optional<Range> found = rule(call)) return *std::move(found);
  }
  const Value present = call.present();
  if (!present.known()) return nothing();
  if (std::optional<Range> found = by_trial(call)) return *std::move(found);
  return only(present);
}

// --- Membership. ---

bool Ranges::contains(const Range& range, const Value& value) {
  if (!value.known()) return false;
  if (range.is_any()) return true;
  if (const auto* listed = range.as<Listed>()) return is_one_of(listed->values, value);
  if (const auto* excluded = range.as<Excluded>()) return is_none_of(excluded->values, value);
  if (const auto* numbers = range.as<Interval>()) return is_within(*numbers, value);
  if (const auto* bits = range.as<BitRange>()) return is_within(*bits, value);
  if (const auto* floats = range.as<FloatRange>()) return is_within(*floats, value);
  if (const auto* strings = range.as<Language>()) return is_member(*strings, value);
  if (const auto* made = range.as<MadeBy>()) {
    return (ValueStore::constructor(value) == made->constructor) != made->is_negated;
  }
  if (const auto* element = range.as<ElementAt>()) return has_element(*element, value);
  if (const auto* length = range.as<Length>()) return has_length(*length, value);
  if (const auto* field = range.as<FieldOf>()) return has_field(*field, value);
  return false;
}

// Comparing regular expressions may take very long: only the same one counts as equal, and only a
// quick answer as different.
bool Ranges::is_one_of(const std::vector<Value>& values, const Value& value) {
  return std::any_of(values.begin(), values.end(), [&](const Value& other) {
    if (value.kind == ValueKind::kRegex) return value == other;
    return evaluator_.equal(value, other).is_true();
  });
}

bool Ranges::is_none_of(const std::vector<Value>& values, const Value& value) {
  return std::all_of(values.begin(), values.end(), [&](const Value& other) {
    if (value.kind != ValueKind::kRegex) return evaluator_.equal(value, other).is_false();
    num::RegexBudget budget(kRegexSteps);
    num::RegexQuery& query = evaluator_.values().regex_query();
    return !query.equal(ValueStore::regex(value), ValueStore::regex(other), budget).value_or(true);
  });
}

bool Ranges::is_within(const Interval& interval, const Value& value) const {
  const auto beyond = [&](const Interval::End& end, int sign) {
    const int order = compare(evaluator_.values(), value, end.at) * sign;
    return order < 0 || (order == 0 && end.is_open);
  };
  if (interval.low && beyond(*interval.low, 1)) return false;
  return !interval.high || !beyond(*interval.high, -1);
}

bool Ranges::is_within(const BitRange& range, const Value& value) const {
  const mpz_class bits = evaluator_.values().big_bits(value);
  const mpz_class number = evaluator_.values().signed_bits(value);
  return range.low <= bits && bits <= range.high && range.signed_low <= number &&
         number <= range.signed_high && (bits & range.mask) == range.bits;
}

bool Ranges::is_within(const FloatRange& range, const Value& value) const {
  const num::Float& number = evaluator_.values().floating(value);
  if (number.is_nan()) return range.has_nan;
  const mpz_class place = float_place(number);
  return range.low <= place && place <= range.high;
}

bool Ranges::is_member(const Language& language, const Value& value) {
  num::RegexBudget budget(kRegexSteps);
  ValueStore& values = evaluator_.values();
  return values.regex_query().matches(language.regex, values.string(value), budget).value_or(false);
}

// Nested no deeper than sorts are.
bool Ranges::has_element(const ElementAt& range, const Value& value) {
  if (value.kind == ValueKind::kSeq) {
    const auto items = evaluator_.values().items(value);
    const mpz_class place = evaluator_.values().big_integer(range.index[0]);
    return place >= 0 && place < items.size() &&
           contains(*range.element, items[static_cast<size_t>(place.get_ui())]);
  }
  if (value.kind != ValueKind::kFunction && value.kind != ValueKind::kSet) return false;
  return contains(*range.element, evaluator_.apply(value, range.index));
}

bool Ranges::has_length(const Length& range, const Value& value) {
  if (value.kind != ValueKind::kSeq) return false;
  const size_t count = evaluator_.values().items(value).size();
  return contains(*range.count, ValueStore::integer(static_cast<int64_t>(count)));
}

bool Ranges::has_field(const FieldOf& range, const Value& value) {
  if (value.kind != ValueKind::kData) return false;
  if (ValueStore::constructor(value) != range.constructor) return false;
  return contains(*range.content, evaluator_.values().items(value)[range.field]);
}

// --- Questions about ranges. ---

double Ranges::score(const Range& range) {
  return std::visit([](const auto& shape) { return score_of(shape); }, range.shape);
}

std::optional<Range> Ranges::intersection(const Range& a, const Range& b) {
  if (a.is_any()) return b;
  if (b.is_any()) return a;
  if (a.as<NoValue>() != nullptr || b.as<NoValue>() != nullptr) return nothing();
  if (b.as<Listed>() != nullptr && a.as<Listed>() == nullptr) return intersection(b, a);
  if (const auto* listed = a.as<Listed>()) {
    std::vector<Value> values = listed->values;
    std::erase_if(values, [&](const Value& value) { return !contains(b, value); });
    return one_of(std::move(values));
  }
  const auto together = [&]<typename Shape>(const Shape* left) -> std::optional<Range> {
    const auto* right = b.as<Shape>();
    return left == nullptr || right == nullptr ? std::nullopt : meet(*left, *right);
  };
  if (a.as<Excluded>() != nullptr) return together(a.as<Excluded>());
  if (a.as<Interval>() != nullptr) return together(a.as<Interval>());
  if (a.as<BitRange>() != nullptr) return together(a.as<BitRange>());
  if (a.as<FloatRange>() != nullptr) return together(a.as<FloatRange>());
  if (a.as<Language>() == nullptr || b.as<Language>() == nullptr) return std::nullopt;
  num::RegexStore& store = evaluator_.values().regexes();
  return language(evaluator_.values(),
                  store.inter(a.as<Language>()->regex, b.as<Language>()->regex));
}

// --- Making ranges. ---

Range nothing() { return {NoValue{}}; }

Range one_of(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return nothing();
  if (values.size() == 2 && values[0].kind == ValueKind::kBool) return Ranges::any();
  return {Listed{std::move(values)}};
}

Range all_but(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return Ranges::any();
  if (values[0].kind != ValueKind::kBool) return {Excluded{std::move(values)}};
  return values.size() == 2 ? nothing() : Ranges::only(boolean(!values[0].is_true()));
}

Range interval(Interval interval) {
  if (!interval.low && !interval.high) return Ranges::any();
  return {std::move(interval)};
}

Interval whole(Interval interval) {
  if (interval.low) {
    const mpq_class at = interval.low->at;
    const bool moves = interval.low->is_open || !num::is_integer(at);
    interval.low = Interval::End{mpq_class(num::floor(at) + (moves ? 1 : 0))};
  }
  if (interval.high) {
    const mpq_class at = interval.high->at;
    const bool moves = interval.high->is_open && num::is_integer(at);
    interval.high = Interval::End{mpq_class(num::floor(at) - (moves ? 1 : 0))};
  }
  return interval;
}

}  // namespace elenchus::mutate::diver
