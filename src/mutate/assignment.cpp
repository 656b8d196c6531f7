#include "mutate/assignment.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "gen/constants.h"
#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "ir/script_parts.h"
#include "ir/walk.h"

namespace elenchus::mutate {

using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr uint64_t kMostElements = 3;
// Of one sort; more make no difference.
constexpr size_t kMostLiterals = 256;

}  // namespace

Assigner::Assigner(ir::TermStore& store, const ir::Script& script, std::span<const TermId> formulas)
    : store_(store) {
  for (const ir::Command& command : script.commands) {
    if (ir::declares_open_function(command.kind)) {
      functions_.push_back(FunId{script.items(command)[0]});
    }
  }
  collect_literals(formulas);
}

void Assigner::collect_literals(std::span<const TermId> formulas) {
  ir::Walker walker(store_);
  for (const TermId formula : formulas) {
    walker.walk(formula, [&](TermId term) {
      if (!ir::is_literal(store_.op(term))) return;
      auto& known = literals_[store_.sort(term).value];
      if (known.size() < kMostLiterals) known.push_back(term);
    });
  }
}

ir::Model Assigner::draw(base::Rng& rng) {
  ir::Model model;
  complete(model, rng);
  return model;
}

void Assigner::complete(ir::Model& model, base::Rng& rng) {
  std::unordered_set<uint32_t> defined;
  for (const auto& known : model.functions) defined.insert(known.fun.value);
  for (const ir::Universe& universe : model.universes) {
    for (const FunId element : universe.elements) defined.insert(element.value);
  }
  for (const FunId fun : functions_) {
    if (!defined.insert(fun.value).second) continue;
    ir::Definition definition = define(model, fun, rng);
    if (definition.body.valid()) model.functions.push_back({fun, std::move(definition)});
  }
}

// A constant, or a function that is constant but for one value of its first argument.
ir::Definition Assigner::define(ir::Model& model, FunId fun, base::Rng& rng) {
  const SortId result = store_.fun(fun).result;
  ir::Definition definition;
  definition.body = value(model, result, rng);
  const auto params = store_.params(fun);
  if (params.empty() || !definition.body.valid()) return definition;
  for (const SortId param : params) {
    const auto level = static_cast<uint32_t>(definition.formals.size());
    definition.formals.push_back(store_.variable(store_.symbols().intern("x"), param, level));
  }
  if (rng.coin()) return definition;
  const TermId at = value(model, params[0], rng);
  const TermId other = value(model, result, rng);
  if (!at.valid() || !other.valid()) return definition;
  const TermId sides[] = {definition.formals[0], at};
  const TermId parts[] = {ir::apply(store_, Op::kEq, sides), other, definition.body};
  if (!parts[0].valid()) return definition;
  const TermId body = ir::apply(store_, Op::kIte, parts);
  if (body.valid()) definition.body = body;
  return definition;
}

TermId Assigner::value(ir::Model& model, SortId sort, base::Rng& rng) {
  switch (store_.sorts().kind(sort)) {
    case SortKind::kUninterpreted: return element(model, sort, rng);
    case SortKind::kArray: return array(model, sort, rng);
    default: break;
  }
  constexpr uint64_t kBoundaryOneIn = 3;  // else a literal, which the script has some use for
  const auto known = literals_.find(sort.value);
  if (known != literals_.end() && !rng.one_in(kBoundaryOneIn)) {
    return known->second[rng.below(known->second.size())];
  }
  return gen::interesting_constant(store_, rng, sort);
}

TermId Assigner::element(ir::Model& model, SortId sort, base::Rng& rng) {
  auto known = std::find_if(model.universes.begin(), model.universes.end(),
                            [&](const ir::Universe& universe) { return universe.sort == sort; });
  if (known == model.universes.end()) {
    model.universes.push_back(new_universe(sort, rng));
    known = model.universes.end() - 1;
  }
  if (known->elements.empty()) return {};
  return store_.fun(known->elements[rng.below(known->elements.size())]).constant;
}

ir::Universe Assigner::new_universe(SortId sort, base::Rng& rng) {
  ir::Universe universe{.sort = sort, .elements = {}, .is_complete = true};
  // As z3 names its elements.
  std::string prefix = ir::describe_sort(store_, sort);
  if (prefix.find_first_of("()|\\ ") != std::string::npos) prefix = "elem";
  prefix += "!val!";
  const uint64_t count = 1 + rng.below(kMostElements);
  uint32_t next = 0;
  for (uint64_t i = 0; i < count; ++i) {
    universe.elements.push_back(ir::fresh_constant(store_, prefix, next, sort));
  }
  return universe;
}

// The same everywhere, with a change at one index.
TermId Assigner::array(ir::Model& model, SortId sort, base::Rng& rng) {
  const TermId constant = constant_array(model, sort, rng);
  if (!constant.valid() || rng.coin()) return constant;
  const auto parts = store_.sorts().children(sort);
  const SortId item = parts[1];
  const TermId at = value(model, parts[0], rng);
  const bool is_nested = store_.sorts().kind(item) == SortKind::kArray;
  const TermId other = is_nested ? constant_array(model, item, rng) : value(model, item, rng);
  if (!at.valid() || !other.valid()) return constant;
  const TermId changes[] = {constant, at, other};
  const TermId changed = ir::apply(store_, Op::kStore, changes);
  return changed.valid() ? changed : constant;
}

// Of arrays of arrays, all are constant.
TermId Assigner::constant_array(ir::Model& model, SortId sort, base::Rng& rng) {
  std::vector<SortId> levels;
  SortId item = sort;
  for (; store_.sorts().kind(item) == SortKind::kArray; item = store_.sorts().children(item)[1]) {
    // z3's arrays with several indices have no constant ones.
    if (store_.sorts().children(item).size() != 2) return {};
    levels.push_back(item);
  }
  TermId made = value(model, item, rng);
  // cvc5 takes no negated number for a value in a constant array.
  if (made.valid() && store_.op(made) == Op::kNeg) made = store_.args(made)[0];
  for (size_t i = levels.size(); made.valid() && i-- > 0;) {
    const TermId args[] = {made};
    made = store_.make(Op::kConstArray, levels[i], 0, args);
  }
  return made;
}

}  // namespace elenchus::mutate
