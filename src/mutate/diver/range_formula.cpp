// Ranges as formulas (the paper's `convert`).
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "eval/value_term.h"
#include "ir/apply.h"
#include "mutate/diver/range_rules.h"
#include "num/literal.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;
using ir::TermId;
using num::RegexId;
using num::RegexKind;
using num::RegexStore;

// Builds terms; whatever cannot be built makes none of what contains it.
class Builder {
 public:
  Builder(ir::TermStore& terms, ValueStore& values, TermId term)
      : terms_(terms), values_(values), term_(term) {}

  TermId operator()(const AnyValue&) { return apply(Op::kTrue, {}); }
  TermId operator()(const NoValue&) { return apply(Op::kFalse, {}); }
  TermId operator()(const Listed& listed) {
    std::vector<TermId> parts;
    for (const Value& value : listed.values) parts.push_back(equal_to(value));
    return join(Op::kOr, Op::kFalse, std::move(parts));
  }
  TermId operator()(const Excluded& excluded) {
    std::vector<TermId> parts;
    for (const Value& value : excluded.values) parts.push_back(apply(Op::kNot, {equal_to(value)}));
    return join(Op::kAnd, Op::kTrue, std::move(parts));
  }
  TermId operator()(const Interval& interval);
  TermId operator()(const BitRange& range);
  TermId operator()(const FloatRange& range);
  TermId operator()(const Language& language) {
    const TermId regex = expression(language.regex);
    return apply(Op::kStrInRe, {term_, regex});
  }
  TermId operator()(const MadeBy& made) {
    const TermId test = apply(Op::kIs, {term_}, {made.constructor.value});
    return made.is_negated ? apply(Op::kNot, {test}) : test;
  }
  TermId operator()(const ElementAt& range);
  TermId operator()(const Length& range);
  TermId operator()(const FieldOf& range);

 private:
  TermId apply(Op op, std::vector<TermId> args, std::vector<uint32_t> indices = {}) {
    return ir::apply_if_all(terms_, op, std::move(args), indices);
  }

  TermId join(Op op, Op of_none, std::vector<TermId> parts) {
    if (parts.empty()) return apply(of_none, {});
    return parts.size() == 1 ? parts[0] : apply(op, std::move(parts));
  }

  TermId literal(const Value& value) { return term_of(terms_, values_, value, terms_.sort(term_)); }

  TermId equal_to(const Value& value) {
    if (value.is_true()) return term_;
    if (value.is_false()) return apply(Op::kNot, {term_});
    const TermId right = literal(value);
    return apply(Op::kEq, {term_, right});
  }

  TermId end(Op op, const mpq_class& at) {
    const bool is_int = terms_.sort(term_) == ir::kIntSort;
    const TermId right = literal(is_int ? values_.integer(at.get_num()) : values_.real(at));
    return apply(op, {term_, right});
  }

  TermId bits(const mpz_class& value, uint32_t width) {
    return literal(values_.bits(value, width));
  }
  TermId compare_bits(Op op, const mpz_class& value, uint32_t width) {
    const TermId right = bits(value, width);
    return apply(op, {term_, right});
  }

  TermId expression(RegexId regex);
  TermId expression(RegexId regex, const std::vector<TermId>& parts);
  TermId character_set(RegexId set);
  TermId loop(RegexId regex, TermId body);
  TermId item_within(const ElementAt& range);
  // The same of another term, if that could be built.
  TermId within(const Range& range, TermId term) {
    return term.valid() ? std::visit(Builder(terms_, values_, term), range.shape) : TermId{};
  }
  TermId text(std::u32string_view characters) {
    return terms_.string_literal(num::encode_string(characters));
  }

  ir::TermStore& terms_;
  ValueStore& values_;
  TermId term_;
};

TermId Builder::operator()(const Interval& interval) {
  std::vector<TermId> parts;
  if (interval.low)
    parts.push_back(end(interval.low->is_open ? Op::kGt : Op::kGe, interval.low->at));
  if (interval.high) {
    parts.push_back(end(interval.high->is_open ? Op::kLt : Op::kLe, interval.high->at));
  }
  return join(Op::kAnd, Op::kTrue, std::move(parts));
}

TermId Builder::operator()(const BitRange& range) {
  const BitRange full = *full_bits(range.width).as<BitRange>();
  // Ends beyond the numbers of this width cannot be written down; nothing is between those that
  // have passed each other.
  if (range.low > range.high || range.signed_low > range.signed_high) return (*this)(NoValue{});
  std::vector<TermId> parts;
  const auto limit = [&](Op op, const mpz_class& value, const mpz_class& trivial) {
    if (value != trivial) parts.push_back(compare_bits(op, value, range.width));
  };
  limit(Op::kBvUge, range.low, full.low);
  limit(Op::kBvUle, range.high, full.high);
  limit(Op::kBvSge, range.signed_low, full.signed_low);
  limit(Op::kBvSle, range.signed_high, full.signed_high);
  if (range.mask != 0) {
    const TermId mask = bits(range.mask, range.width);
    const TermId masked = apply(Op::kBvAnd, {term_, mask});
    const TermId value = bits(range.bits, range.width);
    parts.push_back(apply(Op::kEq, {masked, value}));
  }
  return join(Op::kAnd, Op::kTrue, std::move(parts));
}

// fp.leq takes the zeros for the same; where only one of them is within, the other is excluded.
TermId Builder::operator()(const FloatRange& range) {
  const ir::SortNode sort = terms_.sorts()[terms_.sort(term_)];
  const num::FloatFormat format{sort.a, sort.b};
  const mpz_class infinity = infinity_place(format);
  const auto at = [&](const mpz_class& place) {
    return literal(values_.floating(float_at(format, place)));
  };
  std::vector<TermId> parts;
  const TermId is_nan = apply(Op::kFpIsNan, {term_});
  if (range.low > range.high) return range.has_nan ? is_nan : (*this)(NoValue{});
  const bool from_start = range.low == -1 - infinity;
  const bool to_end = range.high == infinity;
  if (from_start && to_end) return range.has_nan ? apply(Op::kTrue, {}) : apply(Op::kNot, {is_nan});
  if (!from_start) parts.push_back(apply(Op::kFpGeq, {term_, at(range.low)}));
  if (!to_end) parts.push_back(apply(Op::kFpLeq, {term_, at(range.high)}));
  const auto exclude = [&](const mpz_class& zero) {
    parts.push_back(apply(Op::kNot, {apply(Op::kEq, {term_, at(zero)})}));
  };
  if (range.low == 0) exclude(-1);
  if (range.high == -1) exclude(0);
  const TermId between = join(Op::kAnd, Op::kTrue, std::move(parts));
  return range.has_nan ? apply(Op::kOr, {is_nan, between}) : between;
}

TermId Builder::operator()(const ElementAt& range) {
  switch (terms_.sorts().kind(terms_.sort(term_))) {
    case ir::SortKind::kSeq: return item_within(range);
    case ir::SortKind::kSet: {
      const ir::SortId sort = terms_.sorts().children(terms_.sort(term_))[0];
      const TermId element = term_of(terms_, values_, range.index[0], sort);
      return within(*range.element, apply(Op::kSetMember, {element, term_}));
    }
    default: break;
  }
  const auto sorts = terms_.sorts().children(terms_.sort(term_));
  std::vector<TermId> args = {term_};
  for (size_t i = 0; i < range.index.size(); ++i) {
    args.push_back(term_of(terms_, values_, range.index[i], sorts[i]));
  }
  return within(*range.element, apply(Op::kSelect, std::move(args)));
}

// What is beyond the end of a sequence is open.
TermId Builder::item_within(const ElementAt& range) {
  const TermId place = term_of(terms_, values_, range.index[0], ir::kIntSort);
  const TermId length = apply(Op::kSeqLen, {term_});
  const TermId is_there = apply(Op::kGt, {length, place});
  const TermId content = within(*range.element, apply(Op::kSeqNth, {term_, place}));
  return apply(Op::kAnd, {is_there, content});
}

TermId Builder::operator()(const Length& range) {
  return within(*range.count, apply(Op::kSeqLen, {term_}));
}

// What a selector gives elsewhere is open, so the constructor is part of it.
TermId Builder::operator()(const FieldOf& range) {
  const TermId test = apply(Op::kIs, {term_}, {range.constructor.value});
  TermId args[] = {term_};
  const TermId field = ir::call(terms_, range.selector, args);
  if (!test.valid() || !field.valid()) return {};
  return apply(Op::kAnd, {test, within(*range.content, field)});
}

// --- Regular expressions, from the inside out. ---

TermId Builder::expression(RegexId regex) {
  constexpr size_t kMaxNodes = 5'000;
  const RegexStore& regexes = values_.regexes();
  std::unordered_map<uint32_t, TermId> done;
  std::vector<RegexId> todo = {regex};
  while (!todo.empty()) {
    const RegexId next = todo.back();
    const size_t before = todo.size();
    std::vector<TermId> parts;
    for (const RegexId child : regexes.children(next)) {
      const auto found = done.find(child.value);
      if (found == done.end()) {
        todo.push_back(child);
      } else {
        parts.push_back(found->second);
      }
    }
    if (todo.size() > before) continue;
    todo.pop_back();
    if (done.contains(next.value)) continue;
    const TermId written = expression(next, parts);
    if (!written.valid() || done.size() > kMaxNodes) return {};
    done.emplace(next.value, written);
  }
  return done.at(regex.value);
}

TermId Builder::expression(RegexId regex, const std::vector<TermId>& parts) {
  const RegexStore& regexes = values_.regexes();
  switch (regexes.kind(regex)) {
    case RegexKind::kNone: return apply(Op::kReNone, {});
    case RegexKind::kEpsilon: return apply(Op::kStrToRe, {text({})});
    case RegexKind::kAll: return apply(Op::kReAll, {});
    case RegexKind::kSet: return character_set(regex);
    case RegexKind::kLiteral: return apply(Op::kStrToRe, {text(regexes.text(regex))});
    case RegexKind::kConcat: return apply(Op::kReConcat, parts);
    case RegexKind::kUnion: return apply(Op::kReUnion, parts);
    case RegexKind::kInter: return apply(Op::kReInter, parts);
    case RegexKind::kComp: return apply(Op::kReComp, parts);
    case RegexKind::kLoop: return loop(regex, parts[0]);
  }
  return {};
}

TermId Builder::character_set(RegexId set) {
  const auto ranges = values_.regexes().ranges(set);
  if (set == RegexStore::any_char()) return apply(Op::kReAllchar, {});
  std::vector<TermId> parts;
  for (const num::CharRange& range : ranges) {
    const TermId first = text(std::u32string(1, range.first));
    const TermId last = text(std::u32string(1, range.last));
    parts.push_back(range.first == range.last ? apply(Op::kStrToRe, {first})
                                              : apply(Op::kReRange, {first, last}));
  }
  return join(Op::kReUnion, Op::kReNone, std::move(parts));
}

TermId Builder::loop(RegexId regex, TermId body) {
  const RegexStore& regexes = values_.regexes();
  const uint64_t low = regexes.low(regex);
  const uint64_t high = regexes.high(regex);
  if (low >= ir::kSymbolIndex) return {};
  const auto least = static_cast<uint32_t>(low);
  if (high == RegexStore::kUnbounded) {
    const TermId star = apply(Op::kReStar, {body});
    if (low == 0) return star;
    const TermId start = low == 1 ? body : apply(Op::kRePow, {body}, {least});
    return apply(Op::kReConcat, {start, star});
  }
  if (high >= ir::kSymbolIndex) return {};
  if (low == high) return apply(Op::kRePow, {body}, {least});
  return apply(Op::kReLoop, {body}, {least, static_cast<uint32_t>(high)});
}

}  // namespace

TermId Ranges::formula(ir::TermStore& store, const Range& range, TermId term) {
  Builder builder(store, evaluator_.values(), term);
  return std::visit(builder, range.shape);
}

}  // namespace elenchus::mutate::diver
