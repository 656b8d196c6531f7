#include <optional>
#include <string>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "ir/apply.h"
#include "num/literal.h"
#include "num/regex_query.h"
#include "num/regex_replace.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using num::RegexId;
using num::RegexStore;

constexpr size_t kMaxReplaced = size_t{1} << 24;
constexpr const char* kTooHard = "a regular expression that is too hard";

RegexStore& store(const Call& call) { return call.values.regexes(); }
RegexId regex(const Call& call, size_t i) { return ValueStore::regex(call.args[i]); }
std::u32string_view text(const Call& call, size_t i) { return call.values.string(call.args[i]); }

// Asks a question within what is left of the evaluation's budget.
template <typename Ask>
auto ask(const Call& call, Ask question) {
  num::RegexBudget budget(call.evaluator.steps_left());
  auto answer = question(call.values.regex_query(), budget);
  call.pay(call.evaluator.steps_left() - budget.left());
  return answer;
}

std::vector<RegexId> parts_of(const Call& call) {
  std::vector<RegexId> parts;
  parts.reserve(call.args.size());
  for (size_t i = 0; i < call.args.size(); ++i) parts.push_back(regex(call, i));
  return parts;
}

Value difference(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    return ValueStore::regex(store(call).diff(ValueStore::regex(a), ValueStore::regex(b)));
  });
}

Value symmetric_difference(const Call& call) {
  const RegexId both = store(call).inter(parts_of(call));
  return ValueStore::regex(store(call).diff(store(call).union_of(parts_of(call)), both));
}

// Strings that are not one character each make an empty range.
Value range(const Call& call) {
  const auto low = text(call, 0);
  const auto high = text(call, 1);
  if (low.size() != 1 || high.size() != 1) return ValueStore::regex(RegexStore::none());
  return ValueStore::regex(store(call).range(low[0], high[0]));
}

// --- Loops. ---

// A bound; those beyond any length that a string may have are as good as unbounded for us.
uint64_t bound(const mpz_class& number) {
  constexpr uint64_t kHuge = uint64_t{1} << 62;
  return number >= mpz_class(kHuge) ? kHuge : number.get_ui();
}

mpz_class index(const Call& call, size_t i) {
  const uint32_t word = call.index(i);
  if ((word & ir::kSymbolIndex) == 0) return word;
  const std::string digits(call.terms.symbols().text(ir::SymbolId{word & ~ir::kSymbolIndex}));
  mpz_class number;
  return number.set_str(digits, 10) == 0 ? number : mpz_class(0);
}

Value loop(const Call& call, const mpz_class& low, const mpz_class& high) {
  if (low < 0 || high < 0) return call.unknown("a negative number of repetitions");
  return ValueStore::regex(store(call).loop(regex(call, 0), bound(low), bound(high)));
}

Value loop_from(const Call& call, const mpz_class& low) {
  if (low < 0) return call.unknown("a negative number of repetitions");
  return ValueStore::regex(store(call).loop(regex(call, 0), bound(low), RegexStore::kUnbounded));
}

mpz_class number(const Call& call, size_t i) { return call.values.big_integer(call.args[i]); }

// --- Questions. ---

Value matches(const Call& call) {
  const auto answer = ask(call, [&](num::RegexQuery& query, num::RegexBudget& budget) {
    return query.matches(regex(call, 1), text(call, 0), budget);
  });
  return answer ? boolean(*answer) : call.unknown(kTooHard);
}

Value replace(const Call& call) {
  auto answer = ask(call, [&](num::RegexQuery& query, num::RegexBudget& budget) {
    return num::str_replace_re(query, text(call, 0), regex(call, 1), text(call, 2), kMaxReplaced,
                               budget);
  });
  return answer ? call.values.string(std::move(*answer)) : call.unknown(kTooHard);
}

Value replace_all(const Call& call) {
  auto answer = ask(call, [&](num::RegexQuery& query, num::RegexBudget& budget) {
    return num::str_replace_re_all(query, text(call, 0), regex(call, 1), text(call, 2),
                                   kMaxReplaced, budget);
  });
  // By one reading of the standard nothing is replaced where the empty string is a member.
  if (answer && *answer != text(call, 0) && store(call).nullable(regex(call, 1))) {
    return call.unknown("str.replace_re_all with a language that has the empty string");
  }
  return answer ? call.values.string(std::move(*answer)) : call.unknown(kTooHard);
}

Value index_of(const Call& call) {
  const auto answer = ask(call, [&](num::RegexQuery& query, num::RegexBudget& budget) {
    return num::str_index_of_re(query, text(call, 0), regex(call, 1), number(call, 2), budget);
  });
  return answer ? ValueStore::integer(*answer) : call.unknown(kTooHard);
}

Value derivative(const Call& call) {
  const auto answer = ask(call, [&](num::RegexQuery& query, num::RegexBudget& budget) {
    return query.derivative(regex(call, 1), static_cast<char32_t>(call.args[0].word), budget);
  });
  return answer ? ValueStore::regex(*answer) : call.unknown(kTooHard);
}

template <RegexId (RegexStore::*make)(RegexId)>
Value unary(const Call& call) {
  return ValueStore::regex((store(call).*make)(regex(call, 0)));
}

constexpr const char* kOverSequences = "regular expressions over sequences are not evaluated";

constexpr OpRule kRegexRules[] = {
    {Op::kStrToRe,
     [](const Call& call) { return ValueStore::regex(store(call).literal(text(call, 0))); }},
    {Op::kStrInRe, matches},
    {Op::kReNone, [](const Call&) { return ValueStore::regex(RegexStore::none()); }},
    {Op::kReAll, [](const Call&) { return ValueStore::regex(RegexStore::all()); }},
    {Op::kReAllchar, [](const Call&) { return ValueStore::regex(RegexStore::any_char()); }},
    {Op::kReConcat,
     [](const Call& call) { return ValueStore::regex(store(call).concat(parts_of(call))); }},
    {Op::kReUnion,
     [](const Call& call) { return ValueStore::regex(store(call).union_of(parts_of(call))); }},
    {Op::kReInter,
     [](const Call& call) { return ValueStore::regex(store(call).inter(parts_of(call))); }},
    {Op::kReStar, unary<&RegexStore::star>},
    {Op::kRePlus, unary<&RegexStore::plus>},
    {Op::kReOpt, unary<&RegexStore::opt>},
    {Op::kReRange, range},
    {Op::kReComp, unary<&RegexStore::comp>},
    {Op::kReDiff, difference},
    {Op::kReXor, symmetric_difference},
    {Op::kRePow, [](const Call& call) { return loop(call, index(call, 0), index(call, 0)); }},
    {Op::kReLoop, [](const Call& call) { return loop(call, index(call, 0), index(call, 1)); }},
    {Op::kStrReplaceRe, replace},
    {Op::kStrReplaceReAll, replace_all},
    {Op::kStrIndexofRe, index_of},
    {Op::kReLoopFrom, [](const Call& call) { return loop_from(call, index(call, 0)); }},
    {Op::kReLoopArgs,
     [](const Call& call) { return loop(call, number(call, 1), number(call, 2)); }},
    {Op::kReLoopFromArgs, [](const Call& call) { return loop_from(call, number(call, 1)); }},
    {Op::kReReverse, unary<&RegexStore::reverse>},
    {Op::kReDerivative, derivative},
    {Op::kReOfPred, nullptr, "regular expressions made of predicates are not evaluated"},
    {Op::kSeqToRe, nullptr, kOverSequences},
    {Op::kSeqInRe, nullptr, kOverSequences},
    {Op::kSeqReNone, nullptr, kOverSequences},
    {Op::kSeqReAll, nullptr, kOverSequences},
    {Op::kSeqReAllchar, nullptr, kOverSequences},
    {Op::kSeqReConcat, nullptr, kOverSequences},
    {Op::kSeqReUnion, nullptr, kOverSequences},
    {Op::kSeqReInter, nullptr, kOverSequences},
    {Op::kSeqReDiff, nullptr, kOverSequences},
    {Op::kSeqReStar, nullptr, kOverSequences},
    {Op::kSeqRePlus, nullptr, kOverSequences},
    {Op::kSeqReOpt, nullptr, kOverSequences},
    {Op::kSeqReComp, nullptr, kOverSequences},
    {Op::kSeqRePow, nullptr, kOverSequences},
    {Op::kSeqReLoop, nullptr, kOverSequences},
    {Op::kSeqReRange, nullptr, kOverSequences},
};

}  // namespace

std::span<const OpRule> regex_rules() { return kRegexRules; }

}  // namespace elenchus::eval
