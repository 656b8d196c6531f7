#include "lane/forms.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "eval/evaluator.h"
#include "eval/value_term.h"
#include "gen/constants.h"
#include "ir/apply.h"

namespace elenchus::lane {

using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr uint32_t kMostIndex = 5;
constexpr size_t kMostArguments = 4;
// All of their values can be tried.
constexpr std::pair<uint32_t, uint32_t> kSmallFormats[] = {{2, 3}, {3, 5}};
constexpr uint32_t kConstantsOfASort = 2;
// Enough for all floats of eight bits.
constexpr uint64_t kMostValues = 256;
// Languages have no list of boundary values.
constexpr size_t kLanguages = 8;
// Arguments of random terms that stay small, so that not all of a term is as deep as it may be, and
// those that are the same as the one before: many rewrites are about equal arguments.
constexpr uint64_t kLeafOneIn = 3;
constexpr uint64_t kRepeatedOneIn = 6;

// All short ones over two letters, digits with and without what is no digit, an upper-case letter,
// and one beyond ASCII.
constexpr std::array<const char32_t*, 16> kStrings = {U"",   U"a",   U"b", U"aa",    U"ab", U"ba",
                                                      U"bb", U"aba", U"0", U"1",     U"9",  U"10",
                                                      U"01", U"-1",  U"A", U"\u00e9"};

// All sequences of up to two elements.
std::vector<eval::Value> short_sequences(eval::Evaluator& evaluator, SortId element) {
  const auto all = evaluator.domains().all(element);
  const std::vector<eval::Value> elements(all.begin(), all.end());
  std::vector<eval::Value> found = {evaluator.values().sequence({})};
  for (const eval::Value& first : elements) {
    found.push_back(evaluator.values().sequence(std::array{first}));
    for (const eval::Value& second : elements) {
      found.push_back(evaluator.values().sequence(std::array{first, second}));
    }
  }
  return found;
}

std::vector<eval::Value> some_values(const ir::TermStore& store, eval::Evaluator& evaluator,
                                     SortId sort) {
  if (store.sorts().kind(sort) == SortKind::kSeq) {
    return short_sequences(evaluator, store.sorts().children(sort)[0]);
  }
  const auto size = evaluator.domains().cardinality(sort);
  const auto found = size && *size <= kMostValues ? evaluator.domains().all(sort)
                                                  : evaluator.domains().samples(sort);
  return {found.begin(), found.end()};
}

// All values of the sort, or some where they are too many.
std::vector<TermId> values_of(ir::TermStore& store, SortId sort) {
  const ir::Model nothing;
  eval::Evaluator evaluator(store, nothing, {.complete = true});
  std::vector<TermId> terms;
  if (sort == ir::kRegLanSort) {
    base::Rng rng(1);
    for (size_t i = 0; i < kLanguages; ++i) {
      terms.push_back(gen::interesting_constant(store, rng, sort));
    }
  } else if (sort == ir::kStringSort) {
    for (const char32_t* const text : kStrings) {
      terms.push_back(
          eval::term_of(store, evaluator.values(), evaluator.values().string(text), sort));
    }
  } else {
    for (const eval::Value& value : some_values(store, evaluator, sort)) {
      terms.push_back(eval::term_of(store, evaluator.values(), value, sort));
    }
  }
  std::erase_if(terms, [](TermId term) { return !term.valid(); });
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

// Calls `use` with each list of so many numbers below the bound.
template <typename Use>
void each_list(size_t length, uint32_t bound, Use use) {
  std::vector<uint32_t> list(length, 0);
  for (;;) {
    use(list);
    size_t place = 0;
    while (place < length && ++list[place] == bound) list[place++] = 0;
    if (place == length) return;
  }
}

}  // namespace

Tour::Tour(uint64_t count, base::Rng& rng) : count_(count) {
  if (count == 0) return;
  at_ = rng.below(count);
  step_ = 1 + rng.below(count);
  while (std::gcd(step_, count) != 1) ++step_;
  step_ %= count;
}

// Counts are far below half of what the type holds.
uint64_t Tour::next() {
  const uint64_t number = at_;
  at_ = (at_ + step_) % count_;
  ++done_;
  return number;
}

Forms::Forms(ir::TermStore& store, uint16_t reader) : reader_(reader) {
  sorts_ = {ir::kBoolSort,   ir::kIntSort,    ir::kRealSort,
            ir::kStringSort, ir::kRegLanSort, ir::kRoundingModeSort};
  for (uint32_t width = 1; width <= 4; ++width) sorts_.push_back(store.sorts().bit_vec(width));
  for (const auto& [exponent, significand] : kSmallFormats) {
    sorts_.push_back(store.sorts().floating_point(exponent, significand));
  }
  // Where the small ones are not to be had.
  if (!is_read(store, sorts_.back())) sorts_.push_back(store.sorts().floating_point(8, 24));
  const SortId bit = store.sorts().bit_vec(1);
  sorts_.push_back(store.sorts().make(SortKind::kSeq, std::array{bit}));
  sorts_.push_back(store.sorts().make(SortKind::kSet, std::array{bit}));
  sorts_.push_back(store.sorts().make(SortKind::kArray, std::array{bit, bit}));
  std::erase_if(sorts_, [&](SortId sort) { return !is_read(store, sort); });
  by_result_.resize(sorts_.size());
  add_values(store);
  add_constants(store);
  for (const ir::Op op : store.ops().all()) {
    const ir::OpInfo& info = store.ops().info(op);
    // Nobody wants reports about what a solver has for its own use.
    const auto readers =
        static_cast<uint16_t>(info.who & ~info.limited(ir::Limit::kInternal) & reader);
    if (readers != 0 && info.meaning == op) add_forms(store, op);
  }
}

bool Forms::is_read(const ir::TermStore& store, SortId sort) const {
  const ir::SortNode& node = store.sorts()[sort];
  return (store.ops().sort_readers(node.kind) & store.ops().format_readers(node) & reader_) != 0;
}

size_t Forms::place_of(SortId sort) const {
  return static_cast<size_t>(std::find(sorts_.begin(), sorts_.end(), sort) - sorts_.begin());
}

void Forms::add_values(ir::TermStore& store) {
  for (const SortId sort : sorts_) values_.push_back(values_of(store, sort));
}

void Forms::add_constants(ir::TermStore& store) {
  ir::Command logic;
  logic.kind = ir::CommandKind::kSetLogic;
  logic.text = script_.logic = store.symbols().intern("ALL");
  script_.commands.push_back(logic);
  for (size_t place = 0; place < sorts_.size(); ++place) {
    auto& constants = constants_.emplace_back();
    // Solvers have no variables that are languages.
    if (sorts_[place] == ir::kRegLanSort) continue;
    for (uint32_t i = 0; i < kConstantsOfASort; ++i) {
      const auto name = store.symbols().intern(fmt::format("v{}_{}", place, i));
      const ir::FunId fun = store.declare(name, ir::FunKind::kDeclared, {}, sorts_[place]);
      constants.push_back(store.fun(fun).constant);
      ir::Command command;
      command.kind = ir::CommandKind::kDeclareConst;
      script_.set_items(command, std::array{fun.value});
      script_.commands.push_back(command);
    }
  }
}

void Forms::add_forms(ir::TermStore& store, ir::Op op) {
  std::vector<size_t> lengths;
  size_t own_indices = 0;
  for (const ir::Signature& signature : store.ops().info(op).signatures) {
    if (signature.symbolic_index || signature.needs_as || signature.params.empty()) continue;
    own_indices = std::max<size_t>(own_indices, signature.own_indices);
    lengths.push_back(signature.params.size());
    if (signature.arity != ir::Arity::kFixed) lengths.push_back(signature.params.size() + 1);
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  for (const size_t length : lengths) {
    if (length > kMostArguments || own_indices > 2) continue;
    each_list(length, static_cast<uint32_t>(sorts_.size()), [&](std::span<const uint32_t> places) {
      std::vector<SortId> arguments;
      for (const uint32_t place : places) arguments.push_back(sorts_[place]);
      each_list(own_indices, kMostIndex + 1, [&](const std::vector<uint32_t>& indices) {
        add_form(store, op, indices, arguments);
      });
      if (own_indices == 2) add_conversions(store, op, arguments);
    });
  }
}

// To the formats whose exponents are wider than the indices that all are tried.
void Forms::add_conversions(ir::TermStore& store, ir::Op op, const std::vector<SortId>& arguments) {
  for (const SortId sort : sorts_) {
    const ir::SortNode node = store.sorts()[sort];
    const bool is_wide = node.kind == SortKind::kFloatingPoint && node.a > kMostIndex;
    if (is_wide) add_form(store, op, {node.a, node.b}, arguments);
  }
}

// Of sorts that are not among the small ones, nothing more could be made.
void Forms::add_form(ir::TermStore& store, ir::Op op, const std::vector<uint32_t>& indices,
                     const std::vector<SortId>& arguments) {
  const std::array ops = {op};
  ir::Op chosen = ir::Op::kNone;
  const SortId result =
      ir::result_sort(store, {.ops = ops, .indices = indices}, arguments, &chosen);
  // Nobody evaluates what has no known sort, and there are tens of thousands of such forms.
  if (!result.valid() || store.sorts()[result].has_unknown) return;
  if ((store.ops().format_readers(store.sorts()[result]) & reader_) == 0) return;
  const size_t place = place_of(result);
  if (place < sorts_.size()) by_result_[place].push_back(forms_.size());
  forms_.push_back({op, indices, arguments, result});
}

uint64_t Forms::count(const Form& form) const {
  uint64_t count = 1;
  for (const SortId sort : form.arguments) count *= values(sort).size();
  return count;
}

TermId Forms::apply(ir::TermStore& store, const Form& form, std::span<TermId> args) const {
  const std::array ops = {form.op};
  return ir::apply(store, {.ops = ops, .indices = form.indices}, args);
}

TermId Forms::application(ir::TermStore& store, const Form& form, uint64_t index) const {
  std::array<TermId, kMostArguments> args;
  for (size_t i = 0; i < form.arguments.size(); ++i) {
    const auto choices = values(form.arguments[i]);
    args[i] = choices[index % choices.size()];
    index /= choices.size();
  }
  return apply(store, form, std::span(args).first(form.arguments.size()));
}

TermId Forms::leaf(base::Rng& rng, SortId sort) const {
  const size_t place = place_of(sort);
  const auto& names = constants_[place];
  if (!names.empty() && rng.coin()) return names[rng.below(names.size())];
  return values_[place].empty() ? TermId{} : values_[place][rng.below(values_[place].size())];
}

// Null where the draws did not lead to one.
const Form* Forms::random_form(base::Rng& rng, SortId result, const IsWanted& is_wanted) const {
  constexpr int kTries = 8;
  const auto& choices = by_result_[place_of(result)];
  for (int i = 0; i < kTries && !choices.empty(); ++i) {
    const size_t number = choices[rng.below(choices.size())];
    if (is_wanted(number)) return &forms_[number];
  }
  return nullptr;
}

// Not deeper than a few operators: see nested().
TermId Forms::random_term(ir::TermStore& store, base::Rng& rng, SortId sort, uint32_t depth,
                          const IsWanted& is_wanted) const {
  if (place_of(sort) == sorts_.size()) return {};
  const Form* const form = depth == 0 ? nullptr : random_form(rng, sort, is_wanted);
  if (form == nullptr) return leaf(rng, sort);
  std::array<TermId, kMostArguments> args;
  for (size_t i = 0; i < form->arguments.size(); ++i) {
    const uint32_t below = rng.one_in(kLeafOneIn) ? 0 : depth - 1;
    const bool may_repeat = i > 0 && form->arguments[i] == form->arguments[i - 1];
    args[i] = may_repeat && rng.one_in(kRepeatedOneIn)
                  ? args[i - 1]
                  : random_term(store, rng, form->arguments[i], below, is_wanted);
    if (!args[i].valid()) return {};
  }
  return apply(store, *form, std::span(args).first(form->arguments.size()));
}

TermId Forms::nested(ir::TermStore& store, base::Rng& rng, uint32_t depth,
                     const IsWanted& is_wanted) const {
  constexpr uint32_t kDeepest = 6;
  const SortId sort = sorts_[rng.below(sorts_.size())];
  return random_term(store, rng, sort, std::min(depth, kDeepest), is_wanted);
}

}  // namespace elenchus::lane
