#include "gen/term_maker.h"

#include <algorithm>
#include <array>

#include "gen/admission.h"
#include "gen/constants.h"
#include "ir/apply.h"

namespace elenchus::gen {

using ir::Limit;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr int kTries = 3;
constexpr uint32_t kMaxBinders = 2;
constexpr size_t kMaxShared = 64;
constexpr uint64_t kNeighbourOneIn = 4;  // values just beside a literal of the seed
constexpr uint64_t kGroundOneIn = 4;     // scripts without quantifiers that might have some
constexpr uint64_t kBareOneIn = 4;       // comparisons of variables, in difference logics
constexpr uint64_t kFreeOneIn = 4;       // leaves below binders that are not what these bind

bool is_number(SortKind kind) { return kind == SortKind::kInt || kind == SortKind::kReal; }

// What those who want a value take for one in a constant array.
bool is_plain_value(SortKind kind) {
  return is_number(kind) || kind == SortKind::kBool || kind == SortKind::kBitVec ||
         kind == SortKind::kString;
}

}  // namespace

TermMaker::TermMaker(ir::TermStore& store, base::Rng& rng, World& world, Swarm& swarm,
                     const GrammarSettings& settings, const Bias* bias)
    : store_(store),
      rng_(rng),
      world_(world),
      swarm_(swarm),
      settings_(settings),
      bias_(bias),
      max_depth_(std::clamp(settings.depth, 1U, kMaxGrammarDepth)),
      has_quantifiers_(world.logic().quantifiers && settings.quantifier_one_in != 0 &&
                       !rng.one_in(kGroundOneIn)) {}

TermId TermMaker::make(SortId sort, int64_t size) {
  remaining_ = size;
  depth_ = 0;
  demands_ = {};
  TermId made;
  for (int i = 0; i < kTries && !made.valid(); ++i) made = application(sort);
  return made.valid() ? made : leaf(sort);
}

TermId TermMaker::make_over(std::span<const TermId> variables, SortId sort, int64_t size) {
  bound_.assign(variables.begin(), variables.end());
  const TermId made = make(sort, size);
  bound_.clear();
  return made;
}

TermId TermMaker::literal() {
  const TermId variable[] = {world_.variable(ir::kBoolSort)};
  return rng_.coin() ? variable[0] : store_.make(Op::kNot, ir::kBoolSort, 0, variable);
}

TermId TermMaker::made_before() {
  return shared_.empty() ? TermId{} : shared_[rng_.below(shared_.size())].term;
}

// --- Arguments. ---

TermId TermMaker::pick(SortId sort) {
  const uint32_t position = demands_.next++;
  const bool is_free = demands_.demand == Demand::kNone || position == demands_.free_argument;
  return is_free ? term(sort) : demanded(demands_.demand, sort);
}

ir::FunId TermMaker::pick_function(SortId result) {
  for (const ir::FunId fun : world_.functions()) {
    if (store_.fun(fun).result == result && rng_.coin()) return fun;
  }
  return {};
}

TermId TermMaker::term(SortId sort) {
  if (remaining_ <= 0 || depth_ >= max_depth_ || percent(settings_.leaves)) return leaf(sort);
  if (percent(settings_.sharing)) {
    const TermId known = shared(sort);
    if (known.valid()) return known;
  }
  const TermId made = application(sort);
  return made.valid() ? made : leaf(sort);
}

TermId TermMaker::shared(SortId sort) {
  TermId chosen;
  int64_t size = 0;
  uint64_t seen = 0;
  for (const Shared& each : shared_) {
    if (each.sort != sort || each.size > remaining_ || !rng_.one_in(++seen)) continue;
    chosen = each.term;
    size = each.size;
  }
  remaining_ -= size;
  return chosen;
}

// --- Applications. ---

TermId TermMaker::application(SortId sort) {
  const int64_t before = remaining_;
  const Demands outer = demands_;
  ++depth_;
  TermId made;
  for (int i = 0; i < kTries && !made.valid(); ++i) {
    remaining_ = before - 1;
    made = try_application(sort);
  }
  --depth_;
  demands_ = outer;
  if (!made.valid()) {
    remaining_ = before;
  } else if (!store_.has(made, ir::kHasVariables)) {
    const Shared entry{made, sort, before - remaining_};
    if (shared_.size() < kMaxShared) {
      shared_.push_back(entry);
    } else {
      shared_[rng_.below(kMaxShared)] = entry;
    }
  }
  return made;
}

TermId TermMaker::try_application(SortId sort) {
  const bool is_bool = sort == ir::kBoolSort;
  if (is_bool && has_quantifiers_ && binders_ < kMaxBinders &&
      rng_.one_in(settings_.quantifier_one_in)) {
    return quantified();
  }
  if (is_bool && world_.logic().is_difference() && rng_.coin()) return difference();
  const SortKind kind = store_.sorts().kind(sort);
  const uint32_t operators = swarm_.weight(rng_, kind);
  uint32_t calls = 0;
  for (const auto& callable : world_.callables()) {
    if (callable.result == sort) calls += callable.weight;
  }
  if (operators + calls == 0) return {};
  auto draw = static_cast<uint32_t>(rng_.below(operators + calls));
  if (draw < operators) return by_operator(swarm_.at(kind, draw), sort);
  draw -= operators;
  for (size_t i = 0; i < world_.callables().size(); ++i) {
    const World::Callable callable = world_.callables()[i];
    if (callable.result != sort) continue;
    if (draw < callable.weight) return by_call(callable);
    draw -= callable.weight;
  }
  return {};
}

TermId TermMaker::by_operator(const Choice& choice, SortId sort) {
  const bool fills = store_.ops().meaning(choice.op) == Op::kConstArray;
  if (fills && !has_constant_arrays(sort)) return {};
  while (appliers_.size() < depth_) appliers_.emplace_back(store_, rng_);
  demands_ = demands_of(choice);
  const TermId made = appliers_[depth_ - 1].apply(choice, sort, *this);
  if (!made.valid()) return {};
  const uint16_t readers =
      readers_of_application(store_, world_.logic(), choice.op, store_.args(made));
  return (readers & world_.audience()) == world_.audience() ? made : TermId{};
}

// What linear logics and some solvers demand of arguments.
TermMaker::Demands TermMaker::demands_of(const Choice& choice) {
  const ir::OpInfo& info = store_.ops().info(choice.op);
  const auto limits = [&](Limit limit) { return (info.limited(limit) & world_.audience()) != 0; };
  if (world_.logic().is_linear()) {
    if (limits(Limit::kOneFactor)) {
      return {Demand::kConstant, static_cast<uint32_t>(rng_.below(2)), 0};
    }
    if (limits(Limit::kConstantDivisor)) return {Demand::kNonzero, 0, 0};
  }
  if (limits(Limit::kNumeralExponent)) return {Demand::kExponent, 0, 0};
  if (limits(Limit::kValueArgument)) return {Demand::kConstant, UINT32_MAX, 0};
  if (info.limited(Limit::kCharacterArguments) != 0) {
    // Also for those who take any strings, of which few are single characters.
    const bool is_free = !limits(Limit::kCharacterArguments) && rng_.coin();
    if (!is_free) return {Demand::kCharacter, UINT32_MAX, 0};
  }
  return {};
}

TermId TermMaker::by_call(const World::Callable& callable) {
  std::array<TermId, World::kMaxParams> args;
  demands_ = {};
  for (uint32_t i = 0; i < callable.param_count; ++i) {
    args[i] = pick(callable.params[i]);
    if (!args[i].valid()) return {};
  }
  const std::span<TermId> used(args.data(), callable.param_count);
  if (callable.as.valid() || store_.fun(callable.fun).polymorphic) {
    return ir::call(store_, callable.fun, used, callable.as);
  }
  return store_.make(Op::kCall, callable.result, callable.fun.value, used);
}

TermId TermMaker::quantified() {
  const size_t outer = bound_.size();
  std::vector<TermId> parts;
  for (uint64_t i = 0, count = 1 + rng_.below(3); i < count; ++i) {
    const SortId sort = world_.any_sort(SortKind::kNone);
    const ir::SymbolId name = world_.new_name("q");
    parts.push_back(store_.variable(name, sort, 0));
    bound_.push_back(parts.back());
  }
  ++binders_;
  demands_ = {};
  const TermId body = application(ir::kBoolSort);
  --binders_;
  bound_.resize(outer);
  if (!body.valid()) return {};
  parts.push_back(body);
  return store_.make(rng_.coin() ? Op::kForall : Op::kExists, ir::kBoolSort, 0, parts);
}

// (op (- x y) c) or (op x y).
TermId TermMaker::difference() {
  constexpr Op kRelations[] = {Op::kLe, Op::kLt, Op::kGe, Op::kGt, Op::kEq, Op::kDistinct};
  const SortId sort =
      world_.any_sort(world_.has(SortKind::kReal) ? SortKind::kReal : SortKind::kInt);
  if (!sort.valid()) return {};
  demands_ = {};
  TermId sides[] = {term(sort), {}};
  sides[1] = term(sort);
  if (!sides[0].valid() || !sides[1].valid()) return {};
  if (!rng_.one_in(kBareOneIn)) {
    sides[0] = ir::apply(store_, Op::kSub, sides);
    sides[1] = constant(sort);
  }
  return ir::apply(store_, kRelations[rng_.below(std::size(kRelations))], sides);
}

// --- Leaves. ---

TermId TermMaker::leaf(SortId sort) {
  --remaining_;
  if (!bound_.empty() && !rng_.one_in(kFreeOneIn)) {
    const TermId bound = bound_variable(sort);
    if (bound.valid()) return bound;
  }
  // true and false make most of what is around them vanish.
  const uint32_t share = sort == ir::kBoolSort ? settings_.constants / 8 : settings_.constants;
  if (has_constants(sort) && percent(share)) {
    const TermId value = constant(sort);
    if (value.valid()) return value;
  }
  const TermId variable = world_.variable(sort);
  return variable.valid() ? variable : constant(sort);
}

// Difference logics have numbers in a place of their own only.
bool TermMaker::has_constants(SortId sort) const {
  const SortKind kind = store_.sorts().kind(sort);
  if (is_number(kind)) return !world_.logic().is_difference();
  if (kind == SortKind::kDatatype) return !world_.has(SortKind::kArray);
  return kind != SortKind::kArray || has_constant_arrays(sort);
}

bool TermMaker::has_constant_arrays(SortId sort) const {
  const uint16_t audience = world_.audience();
  const uint16_t readers = swarm_.vocabulary().readers(store_.ops(), Op::kConstArray);
  if ((audience & ~readers) != 0) return false;
  const SortId element = store_.sorts().children(sort).back();
  const uint16_t limited = store_.ops().info(Op::kConstArray).limited(Limit::kValueArgument);
  return (audience & limited) == 0 || is_plain_value(store_.sorts().kind(element));
}

TermId TermMaker::bound_variable(SortId sort) {
  TermId chosen;
  uint64_t seen = 0;
  for (const TermId variable : bound_) {
    if (store_.sort(variable) == sort && rng_.one_in(++seen)) chosen = variable;
  }
  return chosen;
}

TermId TermMaker::constant(SortId sort) {
  TermId made;
  if (bias_ != nullptr && !bias_->literals.empty() && rng_.coin()) {
    made = bias_->literals[rng_.below(bias_->literals.size())];
    if (store_.sort(made) != sort) made = {};
    if (made.valid() && rng_.one_in(kNeighbourOneIn)) made = neighbour(store_, rng_, made);
  }
  for (int i = 0; i < kTries && (!made.valid() || !is_readable(made)); ++i) {
    made = interesting_constant(store_, rng_, sort);
    if (!made.valid()) return {};
  }
  if (!is_readable(made)) return plain_text(sort);
  if (store_.op(made) != Op::kNeg) return made;
  // A sign is an operator, which not every logic with numbers has.
  return world_.logic().admits(ir::Theory::kRealsInts) ? made : store_.args(made)[0];
}

bool TermMaker::is_readable(TermId constant) const {
  const SortId sort = store_.sort(constant);
  if (sort != ir::kStringSort && sort != ir::kRegLanSort) return true;
  if (!has_byte_readers()) return true;
  if (store_.op(constant) == Op::kReRange) return false;
  const auto args = store_.args(constant);
  const TermId text = args.empty() ? constant : args[0];
  return store_.op(text) != Op::kStringLiteral ||
         store_.literal_text(text).find("\\u") == std::string_view::npos;
}

bool TermMaker::has_byte_readers() const {
  return (world_.audience() & store_.ops().with_habit(ir::Habit::kByteCharacters)) != 0;
}

TermId TermMaker::plain_text(SortId sort) {
  const TermId text[] = {store_.string_literal(rng_.coin() ? "a" : "ab")};
  return sort == ir::kStringSort ? text[0] : store_.make(Op::kStrToRe, sort, 0, text);
}

TermId TermMaker::demanded(Demand demand, SortId sort) {
  --remaining_;
  const bool is_real = sort == ir::kRealSort;
  switch (demand) {
    case Demand::kExponent:
      return is_real ? store_.real_literal("2.0")
                     : store_.small_int(1 + static_cast<uint32_t>(rng_.below(4)));
    case Demand::kCharacter: {
      constexpr std::array<std::string_view, 6> kCharacters = {"a", "b", "z", "0", "9", "A"};
      const bool is_last = demands_.next == 2 && has_byte_readers();
      return store_.string_literal(is_last ? "z" : kCharacters[rng_.below(kCharacters.size())]);
    }
    case Demand::kNonzero: {
      const TermId value = constant(sort);
      const TermId digits = store_.op(value) == Op::kNeg ? store_.args(value)[0] : value;
      const std::string_view text = store_.literal_text(digits);
      if (text != "0" && text != "0.0") return value;
      return is_real ? store_.real_literal("2.0") : store_.small_int(2);
    }
    default: return constant(sort);
  }
}

}  // namespace elenchus::gen
