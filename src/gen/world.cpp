#include "gen/world.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "gen/formats.h"
#include "ir/apply.h"

namespace elenchus::gen {

using ir::CommandKind;
using ir::DatatypeId;
using ir::FunId;
using ir::FunKind;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

namespace {

constexpr uint32_t kWidths[] = {1, 2, 3, 4, 5, 8, 8, 12, 16, 32, 32, 64};
constexpr std::string_view kFieldOrders[] = {"2", "3", "5", "7", "13"};

constexpr uint32_t kCallWeight = 8;

// How rarely a world has these, so that most scripts stay about few things.
constexpr uint64_t kFreeSortsOneIn = 3;    // in logics that have more to offer
constexpr uint64_t kOmittedOneIn = 8;      // of the sorts that a logic has
constexpr uint64_t kNestedArrayOneIn = 8;  // beside each array
constexpr uint64_t kParameterOneIn = 4;    // of a datatype
constexpr uint64_t kMutualOneIn = 3;       // two datatypes that speak of each other
constexpr uint64_t kArrayOfDataOneIn = 3;  // for each datatype
constexpr uint64_t kPredicateOneIn = 3;    // of functions

std::string_view prefix_of(SortKind kind) {
  switch (kind) {
    case SortKind::kBool: return "p";
    case SortKind::kInt: return "i";
    case SortKind::kReal: return "r";
    case SortKind::kString: return "s";
    case SortKind::kBitVec: return "v";
    case SortKind::kFloatingPoint: return "x";
    case SortKind::kArray: return "a";
    case SortKind::kDatatype: return "d";
    case SortKind::kUninterpreted: return "u";
    case SortKind::kFunction: return "g";
    default: return "w";
  }
}

}  // namespace

bool can_be_variable(SortKind kind) {
  switch (kind) {
    case SortKind::kNone:
    case SortKind::kRegLan:
    case SortKind::kRegEx:
    case SortKind::kUnknown:
    case SortKind::kChar: return false;
    default: return true;
  }
}

World::World(ir::TermStore& store, base::Rng& rng, const ir::Logic& logic, uint16_t audience,
             const GrammarSettings& settings)
    : store_(store), rng_(rng), logic_(logic), settings_(settings), audience_(audience) {
  draw_features();
  add(ir::kBoolSort);
  add_plain_sorts();
  add_bit_vectors();
  add_floats();
  add_free_sorts();
  add_arrays();
  add_containers();
  add_datatypes();
  add_functions();
}

// --- What the script is about. ---

// Most of what the logic's name says; of ALL, a few theories that go together.
void World::draw_features() {
  constexpr SortKind kTheories[] = {
      SortKind::kInt,      SortKind::kReal,       SortKind::kBitVec,    SortKind::kFloatingPoint,
      SortKind::kString,   SortKind::kArray,      SortKind::kDatatype,  SortKind::kUninterpreted,
      SortKind::kSeq,      SortKind::kSet,        SortKind::kFiniteSet, SortKind::kBag,
      SortKind::kFunction, SortKind::kFiniteField};
  // z3 has only arrays of bit-vectors where a logic names the two.
  const bool has_free_sorts =
      (logic_.functions || logic_.arrays || logic_.datatypes) && !has_plain_arrays();
  const auto fits = [&](SortKind kind) {
    if ((audience_ & ~store_.ops().made_for(kind)) != 0) return false;
    switch (kind) {
      case SortKind::kSeq:
      case SortKind::kFiniteSet:
      case SortKind::kBag: return logic_.everything;
      case SortKind::kFunction: return logic_.higher_order;
      case SortKind::kUninterpreted: return logic_.everything || has_free_sorts;
      case SortKind::kBitVec: return logic_.everything || logic_.bit_vectors;
      default: return logic_.admits(kind);
    }
  };
  std::vector<SortKind> fitting;
  for (const SortKind kind : kTheories) {
    if (fits(kind)) fitting.push_back(kind);
  }
  for (const SortKind kind : fitting) {
    const bool is_taken = logic_.everything                  ? rng_.below(fitting.size()) < 3
                          : kind == SortKind::kUninterpreted ? rng_.one_in(kFreeSortsOneIn)
                                                             : !rng_.one_in(kOmittedOneIn);
    if (is_taken) wanted_ |= mask_of(kind);
  }
  if (wanted_ == 0 && !fitting.empty()) wanted_ = mask_of(fitting[rng_.below(fitting.size())]);
  if (has_plain_arrays()) wanted_ |= mask_of(SortKind::kBitVec);
  // Lengths and positions.
  const KindMask counted = mask_of(SortKind::kString) | mask_of(SortKind::kSeq) |
                           mask_of(SortKind::kFiniteSet) | mask_of(SortKind::kBag);
  if ((wanted_ & counted) != 0) wanted_ |= mask_of(SortKind::kInt);
}

void World::add(SortId sort) {
  if (!sort.valid() || std::find(sorts_.begin(), sorts_.end(), sort) != sorts_.end()) return;
  sorts_.push_back(sort);
  kinds_ |= mask_of(store_.sorts().kind(sort));
}

void World::add_plain_sorts() {
  constexpr SortKind kPlain[] = {SortKind::kInt, SortKind::kReal, SortKind::kString};
  for (const SortKind kind : kPlain) {
    if ((wanted_ & mask_of(kind)) == 0) continue;
    const SortId sort{static_cast<uint32_t>(kind)};
    add(sort);
    elements_.push_back(sort);
  }
  if (has(SortKind::kString)) kinds_ |= mask_of(SortKind::kRegLan);
  if ((wanted_ & mask_of(SortKind::kFiniteField)) != 0) {
    const auto order = kFieldOrders[rng_.below(std::size(kFieldOrders))];
    add(store_.sorts().make(SortKind::kFiniteField, store_.symbols().intern(order).value, 0, {}));
  }
}

void World::add_bit_vectors() {
  if ((wanted_ & mask_of(SortKind::kBitVec)) == 0) return;
  for (uint64_t i = 0, count = 1 + rng_.below(3); i < count; ++i) {
    add(store_.sorts().bit_vec(kWidths[rng_.below(std::size(kWidths))]));
    elements_.push_back(sorts_.back());
  }
}

void World::add_floats() {
  if ((wanted_ & mask_of(SortKind::kFloatingPoint)) == 0) return;
  for (uint64_t i = 0, count = 1 + rng_.below(2); i < count; ++i) {
    add(draw_format(store_.sorts(), store_.ops(), audience_, rng_));
    elements_.push_back(sorts_.back());
  }
  // Floats are made of bits, also where no bits are computed with.
  kinds_ |= mask_of(SortKind::kRoundingMode) | mask_of(SortKind::kBitVec);
}

void World::add_free_sorts() {
  const bool has_others = !elements_.empty();
  const bool is_needed = !has_others && (logic_.functions || logic_.arrays);
  if (!is_needed && (wanted_ & mask_of(SortKind::kUninterpreted)) == 0) return;
  for (uint64_t i = 0, count = 1 + rng_.below(2); i < count; ++i) {
    const SymbolId name = new_name("U");
    free_sorts_.push_back(name);
    add(store_.sorts().make(SortKind::kUninterpreted, name.value, 0, {}));
    elements_.push_back(sorts_.back());
  }
}

SortId World::element() {
  if (elements_.empty()) return ir::kBoolSort;
  return elements_[rng_.below(elements_.size())];
}

void World::add_arrays() {
  if ((wanted_ & mask_of(SortKind::kArray)) == 0) return;
  for (uint64_t i = 0, count = 1 + rng_.below(2); i < count; ++i) {
    const SortId index = element();
    const SortId inner[] = {index, element()};
    add(store_.sorts().make(SortKind::kArray, inner));
    if (has_plain_arrays() || !rng_.one_in(kNestedArrayOneIn)) continue;
    const SortId outer[] = {element(), sorts_.back()};
    add(store_.sorts().make(SortKind::kArray, outer));
  }
}

void World::add_containers() {
  constexpr SortKind kContainers[] = {SortKind::kSeq, SortKind::kSet, SortKind::kFiniteSet,
                                      SortKind::kBag};
  for (const SortKind kind : kContainers) {
    if ((wanted_ & mask_of(kind)) == 0) continue;
    const SortId inner[] = {element()};
    add(store_.sorts().make(kind, inner));
  }
  if ((wanted_ & mask_of(SortKind::kFunction)) != 0) {
    const SortId from = element();
    const SortId parts[] = {from, element()};
    add(store_.sorts().make(SortKind::kFunction, parts));
  }
}

// --- Datatypes. ---

// The sort by which the datatype's own declaration knows it.
SortId World::new_datatype(bool has_parameter) {
  const SymbolId name = new_name("D");
  const DatatypeId id = store_.new_datatype(name);
  datatypes_.push_back(id.value);
  std::vector<SortId> parameters;
  if (has_parameter) {
    const SymbolId parameter = new_name("X");
    parameters.push_back(store_.sorts().make(SortKind::kParameter, parameter.value, 0, {}));
  }
  store_.datatype(id).parameters = parameters;
  return store_.sorts().make(SortKind::kDatatype, id.value, name.value, parameters);
}

void World::add_datatypes() {
  if ((wanted_ & mask_of(SortKind::kDatatype)) == 0) return;
  const bool has_parameter = rng_.one_in(kParameterOneIn);
  std::vector<SortId> group = {new_datatype(has_parameter)};
  if (!has_parameter && rng_.one_in(kMutualOneIn)) group.push_back(new_datatype(false));
  for (const SortId self : group) add_constructors(self, group);
  for (const SortId self : group) {
    SortId instance = self;
    if (has_parameter) {
      const ir::SortNode node = store_.sorts()[self];
      const SortId actual[] = {element()};
      instance = store_.sorts().make(SortKind::kDatatype, node.a, node.b, actual);
    }
    add(instance);
    add_uses(instance);
    // z3 knows the constructors of an instance once its sort was mentioned.
    if (has_parameter) variable(instance);
    if (has(SortKind::kArray) && !has_plain_arrays() && rng_.one_in(kArrayOfDataOneIn)) {
      const SortId parts[] = {element(), instance};
      add(store_.sorts().make(SortKind::kArray, parts));
    }
    elements_.push_back(instance);
  }
}

World::Fields World::draw_fields(bool may_recur, std::span<const SortId> recursive) {
  Fields fields;
  fields.count = static_cast<uint32_t>(rng_.below(kMaxParams + 1));
  for (uint32_t i = 0; i < fields.count; ++i) {
    const bool recurs = may_recur && rng_.coin();
    fields.sorts[i] = recurs ? recursive[rng_.below(recursive.size())] : element();
  }
  return fields;
}

// The first constructor does not recur, so that there are values.
void World::add_constructors(SortId self, std::span<const SortId> recursive) {
  const auto parameters = store_.sorts().children(self);
  const SortId parameter = parameters.empty() ? SortId{} : parameters[0];
  const uint64_t count = 1 + rng_.below(3);
  for (uint32_t i = 0; i < count; ++i) {
    Fields fields = draw_fields(i > 0, recursive);
    if (parameter.valid() && fields.count > 0 && likely()) fields.sorts[0] = parameter;
    add_constructor(self, i, fields);
  }
}

void World::add_constructor(SortId self, uint32_t position, const Fields& fields) {
  const DatatypeId datatype{store_.sorts()[self].a};
  const std::span<const SortId> sorts(fields.sorts.data(), fields.count);
  const auto declare = [&](std::string_view prefix, FunKind kind, std::span<const SortId> params,
                           SortId result, uint32_t field) {
    const FunId fun = store_.declare(new_name(prefix), kind, params, result);
    ir::FunDecl& decl = store_.fun(fun);
    decl.datatype = datatype;
    decl.constructor = position;
    decl.field = field;
    return fun;
  };
  ir::Constructor constructor;
  constructor.fun = declare("c", FunKind::kConstructor, sorts, self, 0);
  ir::SortBindings bound;
  for (const SortId field : sorts) ir::match_sort(store_.sorts(), field, field, bound);
  store_.fun(constructor.fun).needs_as = bound.size() < store_.sorts().children(self).size();
  const SortId of[] = {self};
  for (uint32_t i = 0; i < fields.count; ++i) {
    constructor.selectors.push_back(declare("get", FunKind::kSelector, of, fields.sorts[i], i));
  }
  store_.datatype(datatype).constructors.push_back(std::move(constructor));
}

// Constructors and selectors as this instance of the datatype has them.
void World::add_uses(SortId instance) {
  const DatatypeId id{store_.sorts()[instance].a};
  ir::SortBindings bindings;
  const auto actual = store_.sorts().children(instance);
  const auto& parameters = store_.datatype(id).parameters;
  for (size_t i = 0; i < actual.size(); ++i) bindings.emplace_back(parameters[i], actual[i]);
  const std::vector<ir::Constructor> constructors = store_.datatype(id).constructors;
  for (const ir::Constructor& constructor : constructors) {
    std::vector<SortId> fields;
    for (const FunId selector : constructor.selectors) {
      const SortId field = store_.fun(selector).result;
      fields.push_back(ir::substitute_sort(store_.sorts(), field, bindings));
      add_callable(selector, fields.back(), {}, {&instance, 1}, kCallWeight);
    }
    const SortId as = store_.fun(constructor.fun).needs_as ? instance : SortId{};
    add_callable(constructor.fun, instance, as, fields, kCallWeight);
  }
}

// --- Functions and variables. ---

void World::add_callable(FunId fun, SortId result, SortId as, std::span<const SortId> params,
                         uint32_t weight) {
  Callable callable;
  callable.fun = fun;
  callable.result = result;
  callable.as = as;
  std::copy(params.begin(), params.end(), callable.params.begin());
  callable.param_count = static_cast<uint32_t>(params.size());
  callable.weight = weight;
  callables_.push_back(callable);
}

void World::add_functions() {
  if (!logic_.functions && !logic_.everything && !logic_.higher_order) return;
  if (logic_.everything && rng_.coin()) return;
  for (uint64_t i = 0, count = 1 + rng_.below(3); i < count; ++i) {
    std::vector<SortId> params(1 + rng_.below(kMaxParams));
    for (SortId& param : params) param = element();
    const SortId result = rng_.one_in(kPredicateOneIn) ? ir::kBoolSort : element();
    const FunId fun = store_.declare(new_name("f"), FunKind::kDeclared, params, result);
    functions_.push_back(fun);
    add_callable(fun, result, {}, params, kCallWeight);
  }
}

void World::add_definition(FunId fun) {
  const auto params = store_.params(fun);
  add_callable(fun, store_.fun(fun).result, {}, params, kCallWeight);
}

SortId World::any_sort(SortKind kind) {
  SortId chosen;
  uint64_t seen = 0;
  for (const SortId sort : sorts_) {
    const SortKind each = store_.sorts().kind(sort);
    const bool fits = kind == SortKind::kNone ? each != SortKind::kFunction : each == kind;
    if (fits && rng_.one_in(++seen)) chosen = sort;
  }
  if (chosen.valid() || !has(kind)) return chosen;
  // Kinds that are there although none of their sorts was drawn.
  switch (kind) {
    case SortKind::kRegLan: return ir::kRegLanSort;
    case SortKind::kRoundingMode: return ir::kRoundingModeSort;
    case SortKind::kBitVec: return store_.sorts().bit_vec(kWidths[rng_.below(std::size(kWidths))]);
    default: return {};
  }
}

SymbolId World::new_name(std::string_view prefix) {
  char text[32];
  const size_t size = prefix.copy(text, 16);
  const auto end = std::to_chars(text + size, text + sizeof(text), names_++).ptr;
  return store_.symbols().intern({text, static_cast<size_t>(end - text)});
}

TermId World::variable(SortId sort) {
  const SortKind kind = store_.sorts().kind(sort);
  if (!can_be_variable(kind)) return {};
  // Logics of floats alone have bits in literals only.
  if (kind == SortKind::kBitVec && !logic_.bit_vectors && !logic_.everything) return {};
  auto known = std::find_if(by_sort_.begin(), by_sort_.end(),
                            [&](const auto& each) { return each.first == sort; });
  if (known == by_sort_.end()) known = by_sort_.insert(known, {sort, {}});
  auto& variables = known->second;
  const uint64_t which = rng_.below(std::max(settings_.variables, 1U));
  if (which < variables.size()) return variables[which];
  const FunId fun = store_.declare(new_name(prefix_of(kind)), FunKind::kDeclared, {}, sort);
  variables_.push_back(fun);
  variables.push_back(store_.fun(fun).constant);
  return variables.back();
}

// --- Declarations. ---

void World::declare(ir::Script& script) const {
  const auto append = [&](CommandKind kind, std::span<const uint32_t> items) {
    ir::Command command;
    command.kind = kind;
    script.set_items(command, items);
    script.commands.push_back(command);
  };
  for (const SymbolId name : free_sorts_) append(CommandKind::kDeclareSort, {&name.value, 1});
  if (!datatypes_.empty()) append(CommandKind::kDeclareDatatypes, datatypes_);
  for (const FunId fun : functions_) append(CommandKind::kDeclareFun, {&fun.value, 1});
  // Both spellings, in turn.
  for (size_t i = 0; i < variables_.size(); ++i) {
    append(i % 2 == 0 ? CommandKind::kDeclareFun : CommandKind::kDeclareConst,
           {&variables_[i].value, 1});
  }
}

}  // namespace elenchus::gen
