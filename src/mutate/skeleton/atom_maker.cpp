#include "mutate/skeleton/atom_maker.h"

#include <algorithm>
#include <array>

#include "gen/constants.h"
#include "gen/formats.h"
#include "history/atom.h"
#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "mutate/admission.h"
#include "mutate/maker.h"

namespace elenchus::mutate {

using history::AtomSignature;
using history::Operand;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

// Variables of a sort that generated atoms use.
constexpr uint32_t kVariables = 3;
// Operators over operators.
constexpr uint32_t kDepth = 2;
// Sorts that are new although the script has one of the kind.
constexpr uint64_t kNewSortOneIn = 4;

constexpr uint32_t kWidths[] = {1, 2, 3, 4, 5, 8, 8, 12, 16, 32, 32, 64};

bool is_element(SortKind kind) {
  switch (kind) {
    case SortKind::kInt:
    case SortKind::kReal:
    case SortKind::kBitVec:
    case SortKind::kBool:
    case SortKind::kString:
    case SortKind::kUninterpreted: return true;
    default: return false;
  }
}

// Solvers have no variables of the others.
bool can_be_variable(SortKind kind) {
  return kind != SortKind::kRegLan && kind != SortKind::kFunction && kind != SortKind::kNone;
}

std::string text_of(const ir::TermStore& store, SortId sort) {
  std::string text;
  append_sort(text, store.sorts(), store.symbols(), sort);
  return text;
}

}  // namespace

OperatorIndex index_operators(const ir::OpTable& table, const gen::Vocabulary& vocabulary) {
  OperatorIndex index;
  for (const gen::Choice& choice : vocabulary.for_result(SortKind::kBool)) {
    index[std::string(table.name(table.meaning(choice.op)))].push_back(&choice);
  }
  return index;
}

AtomMaker::AtomMaker(ir::TermStore& store, Workshop& workshop, const OperatorIndex& operators,
                     uint16_t solvers, gen::KindMask kinds)
    : store_(store),
      workshop_(workshop),
      operators_(operators),
      solvers_(solvers),
      kinds_(kinds | gen::mask_of(SortKind::kBool)),
      vocabulary_(&workshop.vocabulary(store.ops(), "ALL")) {
  const auto has = [&](SortKind kind) { return (kinds_ & gen::mask_of(kind)) != 0; };
  // What operators of a theory take besides its own sorts.
  if (has(SortKind::kFloatingPoint)) kinds_ |= gen::mask_of(SortKind::kRoundingMode);
  if (has(SortKind::kString)) kinds_ |= gen::mask_of(SortKind::kRegLan);
  if (has(SortKind::kString) || has(SortKind::kSeq)) kinds_ |= gen::mask_of(SortKind::kInt);
}

void AtomMaker::add_sort(SortId sort) {
  const SortKind kind = store_.sorts().kind(sort);
  if ((kinds_ & gen::mask_of(kind)) == 0 || store_.sorts()[sort].has_parameters) return;
  if (std::find(offered_.begin(), offered_.end(), sort) == offered_.end()) offered_.push_back(sort);
}

void AtomMaker::add_variable(TermId constant) {
  add_sort(store_.sort(constant));
  auto& known = variables_[store_.sort(constant).value];
  if (std::find(known.begin(), known.end(), constant) == known.end()) known.push_back(constant);
}

void AtomMaker::begin(base::Rng& rng) {
  // Sorts over sorts come after those that they may be made of.
  for (const bool is_simple : {true, false}) {
    for (size_t i = 1; i < gen::kSortKinds; ++i) {
      const auto kind = static_cast<SortKind>(i);
      if (is_element(kind) != is_simple || (kinds_ & gen::mask_of(kind)) == 0) continue;
      std::vector<SortId> there;
      for (const SortId sort : offered_) {
        if (store_.sorts().kind(sort) == kind) there.push_back(sort);
      }
      const bool takes_given =
          !there.empty() && (kind == SortKind::kDatatype || !rng.one_in(kNewSortOneIn));
      const SortId sort = takes_given ? there[rng.below(there.size())] : new_sort(rng, kind);
      sort_by_kind_[i] = sort;
      if (sort.valid() && can_be_variable(kind)) variable_sorts_.push_back(sort);
    }
  }
}

SortId AtomMaker::element_sort(base::Rng& rng) {
  std::vector<SortId> sorts;
  for (size_t i = 1; i < gen::kSortKinds; ++i) {
    const bool fits = is_element(static_cast<SortKind>(i)) && sort_by_kind_[i].valid();
    if (fits && static_cast<SortKind>(i) != SortKind::kBool) sorts.push_back(sort_by_kind_[i]);
  }
  return sorts.empty() ? ir::kIntSort : sorts[rng.below(sorts.size())];
}

SortId AtomMaker::new_sort(base::Rng& rng, SortKind kind) {
  ir::SortTable& sorts = store_.sorts();
  switch (kind) {
    case SortKind::kBool:
    case SortKind::kInt:
    case SortKind::kReal:
    case SortKind::kString:
    case SortKind::kRegLan:
    case SortKind::kRoundingMode: return SortId{static_cast<uint32_t>(kind)};
    case SortKind::kBitVec: return sorts.bit_vec(kWidths[rng.below(std::size(kWidths))]);
    case SortKind::kFloatingPoint: return gen::draw_format(sorts, store_.ops(), solvers_, rng);
    case SortKind::kArray: {
      const SortId index = element_sort(rng);
      const SortId children[] = {index, element_sort(rng)};
      return sorts.make(kind, children);
    }
    case SortKind::kSeq:
    case SortKind::kSet:
    case SortKind::kFiniteSet:
    case SortKind::kBag: {
      const SortId children[] = {element_sort(rng)};
      return sorts.make(kind, children);
    }
    case SortKind::kUninterpreted:
      return sorts.make(kind, store_.symbols().intern("U0").value, 0, {});
    default: return {};
  }
}

// --- Variables. ---

TermId AtomMaker::variable(SortId sort, uint32_t number) {
  const auto known = variables_.find(sort.value);
  if (known != variables_.end() && number < known->second.size()) return known->second[number];
  const std::string text = text_of(store_, sort);
  uint32_t count = known == variables_.end() ? 0 : static_cast<uint32_t>(known->second.size());
  for (; count <= number; ++count) {
    const auto name = ir::untaken_name(store_, history::variable_name(text, count));
    const FunId made = store_.declare(name, ir::FunKind::kDeclared, {}, sort);
    variables_[sort.value].push_back(store_.fun(made).constant);
  }
  return variables_[sort.value][number];
}

TermId AtomMaker::any_variable(base::Rng& rng, SortId sort) {
  const auto known = variables_.find(sort.value);
  const size_t there = known == variables_.end() ? 0 : known->second.size();
  return variable(sort, static_cast<uint32_t>(rng.below(std::max<size_t>(there, kVariables))));
}

TermId AtomMaker::some_variable(SortId sort) {
  if (can_be_variable(store_.sorts().kind(sort))) return any_variable(*rng_, sort);
  if (sort != ir::kRegLanSort) return {};
  const TermId inner[] = {any_variable(*rng_, ir::kStringSort)};
  return ir::apply(store_, Op::kStrToRe, inner);
}

bool AtomMaker::has_variables(TermId term) const {
  std::vector<TermId> stack = {term};
  while (!stack.empty()) {
    const TermId each = stack.back();
    stack.pop_back();
    if (store_.op(each) == Op::kCall) {
      if (store_.fun(store_.callee(each)).kind == ir::FunKind::kDeclared) return true;
    }
    const auto args = store_.args(each);
    stack.insert(stack.end(), args.begin(), args.end());
  }
  return false;
}

// --- Terms. ---

TermId AtomMaker::constant(SortId sort) { return gen::interesting_constant(store_, *rng_, sort); }

TermId AtomMaker::pick(SortId sort) {
  // Of eight picks; the rest are variables, and of sorts that have none, terms with one.
  constexpr uint64_t kConstants = 2;
  constexpr uint64_t kApplications = 1;
  constexpr uint64_t kConstantsOfOthers = 2;  // where the sort has no variables
  const uint64_t draw = rng_->below(8);
  if (draw < kConstants) {
    const TermId made = constant(sort);
    if (made.valid()) return made;
  }
  if (draw >= kConstants && draw < kConstants + kApplications && depth_ > 0) {
    const TermId made = application(sort);
    if (made.valid()) return made;
  }
  const SortKind kind = store_.sorts().kind(sort);
  const TermId made =
      can_be_variable(kind) || draw < 8 - kConstantsOfOthers ? some_variable(sort) : TermId{};
  return made.valid() ? made : constant(sort);
}

SortId AtomMaker::pick_sort(SortKind kind) {
  if (kind != SortKind::kNone) return sort_of(kind);
  return variable_sorts_.empty() ? SortId{} : variable_sorts_[rng_->below(variable_sorts_.size())];
}

TermId AtomMaker::application(SortId sort) {
  const Workshop::Wheel& wheel = workshop_.wheel(*vocabulary_, store_.sorts().kind(sort), kinds_);
  if (wheel.empty() || depth_ == 0) return {};
  const gen::Choice& choice = *wheel[rng_->below(wheel.size())];
  if (!is_welcome(*rng_, choice.readers, solvers_)) return {};
  if (store_.is_function_name(store_.ops().info(choice.op).name)) return {};
  --depth_;
  const TermId made = gen::Applier(store_, *rng_).apply(choice, sort, *this);
  ++depth_;
  if (!made.valid()) return {};
  const uint16_t readers =
      readers_of_application(store_, vocabulary_->logic(), choice.op, store_.args(made));
  return (readers & solvers_) == solvers_ ? made : TermId{};
}

TermId AtomMaker::term_with_variables(SortId sort, uint32_t depth) {
  constexpr uint32_t kTries = 2;
  constexpr uint64_t kVariableOneIn = 3;  // operands of historical atoms are often mere variables
  if (depth > 0 && !rng_->one_in(kVariableOneIn)) {
    depth_ = depth;
    for (uint32_t i = 0; i < kTries; ++i) {
      const TermId made = application(sort);
      if (made.valid() && has_variables(made)) return made;
    }
  }
  return some_variable(sort);
}

TermId AtomMaker::operand(const Operand& operand) {
  const SortId sort = sort_of(operand.kind);
  if (!sort.valid()) return {};
  if (operand.is_constant) {
    const TermId made = constant(sort);
    if (made.valid()) return made;
  }
  return term_with_variables(sort, kDepth);
}

TermId AtomMaker::predicate(const AtomSignature& signature) {
  std::vector<SortId> sorts;
  std::vector<TermId> args;
  for (const Operand& each : signature.operands) {
    args.push_back(operand(each));
    if (!args.back().valid()) return {};
    sorts.push_back(store_.sort(args.back()));
    if (!can_be_variable(store_.sorts().kind(sorts.back()))) return {};
  }
  auto known = predicates_.find(sorts);
  if (known == predicates_.end()) {
    std::string text = "(";
    for (const SortId sort : sorts) text += text_of(store_, sort) + " ";
    const auto name = ir::untaken_name(store_, history::function_name(text + ") Bool", 0));
    const FunId fun = store_.declare(name, ir::FunKind::kDeclared, sorts, ir::kBoolSort);
    known = predicates_.emplace(sorts, fun).first;
  }
  return store_.make(Op::kCall, ir::kBoolSort, known->second.value, args);
}

TermId AtomMaker::make(base::Rng& rng, const AtomSignature& signature) {
  rng_ = &rng;
  if (signature.op == history::kBoolean) return any_variable(rng, ir::kBoolSort);
  if (signature.op == history::kPredicate) return predicate(signature);
  const auto known = operators_.find(signature.op);
  if (known == operators_.end()) return {};
  std::vector<TermId> args;
  for (const Operand& each : signature.operands) {
    args.push_back(operand(each));
    if (!args.back().valid()) return {};
  }
  const auto& choices = known->second;
  const size_t start = rng.below(choices.size());
  for (size_t i = 0; i < choices.size(); ++i) {
    const gen::Choice& choice = *choices[(start + i) % choices.size()];
    if (store_.is_function_name(store_.ops().info(choice.op).name)) continue;
    const TermId made = gen::Applier(store_, rng).apply_to(choice, ir::kBoolSort, args);
    if (made.valid()) return made;
  }
  return {};
}

}  // namespace elenchus::mutate
