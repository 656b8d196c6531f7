// Edits of declarations: a declaration as a definition and the other way round, another sort for
// one constant, other widths, formats and numbers for the whole script.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ir/functions.h"
#include "ir/retype.h"
#include "ir/rewrite_script.h"
#include "ir/script_parts.h"
#include "mutate/edit/kinds.h"
#include "mutate/flat.h"

namespace elenchus::mutate::edit {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::Retyping;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr uint64_t kBodies = 6;
// Larger scripts are not rebuilt as a whole: one mutant of them would cost more than its test.
constexpr uint64_t kMostNodes = 20'000;

// The function that the command declares or defines, if it is one that can be changed.
FunId function_of(Original& original, uint32_t command) {
  const Command& one = original.script().commands[command];
  const bool is_meant = ir::declares_open_function(one.kind) || one.kind == CommandKind::kDefineFun;
  if (!is_meant || original.places() > kMostNodes) return {};
  const FunId fun{original.script().items(one)[0]};
  return original.store().fun(fun).polymorphic ? FunId{} : fun;
}

// --- Definitions. ---

// Whether the function is an index, as in (_ map f): solvers want a declared one there.
bool is_index(Original& original, FunId fun) {
  const ir::TermStore& store = original.store();
  const auto is_it = [&](FunId named) { return named == fun; };
  ir::Walker walker(store);
  bool found = false;
  for (const Command& command : original.script().commands) {
    ir::for_each_root(store, original.script(), command, [&](TermId root) {
      found = found || walker.find(root, [&](TermId term) {
        return ir::has_function_indices(store, term) && ir::names_function(store, term, is_it);
      });
    });
  }
  return found;
}

uint64_t definition_choices(Original& original, uint32_t command) {
  const FunId fun = function_of(original, command);
  if (!fun.valid()) return 0;
  if (original.store().fun(fun).body.valid()) {
    // What takes arguments may be declared only in logics with uninterpreted functions.
    const ir::Logic& logic = original.logic();
    const bool is_constant = original.store().params(fun).empty();
    return is_constant || logic.functions || logic.everything ? 1 : 0;
  }
  return is_index(original, fun) ? 0 : kBodies;
}

// A constant or a value of the sort, or one of the parameters.
TermId body_of(Original& original, const Spot& spot, SortId sort, std::span<const TermId> formals) {
  ir::TermStore& store = original.store();
  std::vector<TermId> candidates;
  for (const TermId formal : formals) {
    if (store.sort(formal) == sort) candidates.push_back(formal);
  }
  for (const TermId constant : original.constants(sort)) {
    if (original.is_in_force(constant, spot.command)) candidates.push_back(constant);
  }
  for (const TermId literal : original.literals(sort)) {
    if (original.is_in_force(literal, spot.command)) candidates.push_back(literal);
  }
  if (!candidates.empty() && spot.rng.coin()) {
    return candidates[spot.rng.below(candidates.size())];
  }
  Place place;
  place.at = spot.command;
  uint16_t readers = UINT16_MAX;
  return original.boundary(sort, {place, 0, spot.rng, readers});
}

FunId defined(Original& original, const Spot& spot, FunId fun) {
  ir::TermStore& store = original.store();
  const ir::FunDecl decl = store.fun(fun);
  const auto span = store.params(fun);
  const std::vector<SortId> params(span.begin(), span.end());
  std::vector<TermId> formals;
  for (size_t i = 0; i < params.size(); ++i) {
    const ir::SymbolId name = store.symbols().intern("a" + std::to_string(i + 1));
    formals.push_back(store.variable(name, params[i], 0));
  }
  const TermId body = body_of(original, spot, decl.result, formals);
  if (!body.valid()) return {};
  const FunId other = store.declare(decl.name, ir::FunKind::kDefined, params, decl.result);
  store.define(other, formals, body);
  return other;
}

std::optional<ir::Script> defined_or_declared(Original& original, const Spot& spot) {
  ir::TermStore& store = original.store();
  const FunId fun = function_of(original, spot.command);
  const ir::FunDecl decl = store.fun(fun);
  ir::Script script = original.script();
  if (decl.body.valid()) {
    const auto span = store.params(fun);
    const std::vector<SortId> params(span.begin(), span.end());
    const FunId other = store.declare(decl.name, ir::FunKind::kDeclared, params, decl.result);
    script.commands[spot.command].kind = CommandKind::kDeclareFun;
    return ir::rewrite(store, script, {.functions = {{fun, other}}});
  }
  const FunId other = defined(original, spot, fun);
  if (!other.valid()) return {};
  script = ir::rewrite(store, script, {.functions = {{fun, other}}});
  script.commands[spot.command].kind = CommandKind::kDefineFun;
  return script;
}

// --- Sorts. ---

// A bit-vector or float in the sort, or a number; the sort itself if it has no such part.
SortId part_to_change(const ir::SortTable& sorts, SortId sort) {
  while (!sorts.children(sort).empty()) sort = sorts.children(sort).back();
  return sort;
}

constexpr std::array kOtherFormats = {Retyping::Format{5, 11}, Retyping::Format{8, 24},
                                      Retyping::Format{11, 53}, Retyping::Format{3, 5},
                                      Retyping::Format{2, 4}};
constexpr uint64_t kWidths = 6;

uint32_t other_width(uint32_t width, uint64_t how) {
  switch (how) {
    case 0: return width + 1;
    case 1: return width - 1;
    case 2: return 1;
    case 3: return 2 * width;
    case 4: return width / 2;
    default: return 32;
  }
}

// What the choice makes of the sort; none: nothing else.
SortId other_sort(Original& original, SortId sort, uint64_t choice) {
  ir::TermStore& store = original.store();
  ir::SortTable& sorts = store.sorts();
  constexpr uint32_t kWidest = 1024;
  const ir::SortNode node = sorts[sort];
  switch (node.kind) {
    case SortKind::kInt: return choice == 0 ? ir::kRealSort : SortId{};
    case SortKind::kReal: return choice == 0 ? ir::kIntSort : SortId{};
    case SortKind::kBitVec: {
      const uint32_t width = other_width(node.a, choice);
      return width > 0 && width < kWidest && width != node.a ? sorts.bit_vec(width) : SortId{};
    }
    case SortKind::kFloatingPoint: {
      if (choice >= kOtherFormats.size()) return {};
      const auto [exponent, significand] = kOtherFormats[choice];
      const SortId other = sorts.floating_point(exponent, significand);
      const bool is_read = (original.readers() & ~store.ops().format_readers(sorts[other])) == 0;
      return other == sort || !is_read ? SortId{} : other;
    }
    default: return {};
  }
}

uint64_t sort_choices(Original& original, uint32_t command) {
  const FunId fun = function_of(original, command);
  if (!fun.valid() || original.store().fun(fun).body.valid()) return 0;
  const ir::SortTable& sorts = original.store().sorts();
  switch (sorts.kind(part_to_change(sorts, original.store().fun(fun).result))) {
    case SortKind::kInt:
    case SortKind::kReal: return 1;
    case SortKind::kBitVec:
    case SortKind::kFloatingPoint: return kWidths;
    default: return 0;
  }
}

std::optional<ir::Script> retyped(Original& original, const Retyping& retyping, SortKind kind) {
  ir::TermStore& store = original.store();
  auto script = ir::retyped(store, original.script(), retyping);
  if (!script) return {};
  // Other numbers are in another logic; which one depends on what else there is.
  const bool is_number = kind == SortKind::kInt || kind == SortKind::kReal;
  if (is_number && script->logic.valid()) {
    set_logic(store, *script, ir::everything(store.symbols().text(script->logic)));
  }
  return script;
}

// The sort everywhere.
std::optional<ir::Script> with_other_widths(Original& original, const Spot& spot) {
  ir::SortTable& sorts = original.store().sorts();
  const FunId fun = function_of(original, spot.command);
  const SortId sort = part_to_change(sorts, original.store().fun(fun).result);
  const SortId other = other_sort(original, sort, spot.choice);
  if (!other.valid()) return {};
  const ir::SortNode from = sorts[sort];
  const ir::SortNode to = sorts[other];
  Retyping retyping;
  if (from.kind == SortKind::kBitVec) {
    retyping.width = {from.a, to.a};
  } else if (from.kind == SortKind::kFloatingPoint) {
    retyping.format = {{from.a, from.b}, {to.a, to.b}};
  } else {
    retyping.sort = {sort, other};
  }
  return retyped(original, retyping, from.kind);
}

// The sort of one constant.
std::optional<ir::Script> with_other_sort(Original& original, const Spot& spot) {
  ir::SortTable& sorts = original.store().sorts();
  const FunId fun = function_of(original, spot.command);
  const SortId sort = original.store().fun(fun).result;
  if (!original.store().params(fun).empty()) return {};
  const SortId other = other_sort(original, sort, spot.choice);
  if (!other.valid()) return {};
  Retyping retyping;
  retyping.constant = {fun, other};
  return retyped(original, retyping, sorts.kind(sort));
}

constexpr Kind kDeclarationKinds[] = {
    {.name = "definition",
     .keeps_declarations = false,
     .choices_of = definition_choices,
     .edited = defined_or_declared},
    {.name = "widths",
     .keeps_declarations = false,
     .choices_of = sort_choices,
     .edited = with_other_widths},
    {.name = "sort",
     .keeps_declarations = false,
     .choices_of = sort_choices,
     .edited = with_other_sort},
};

}  // namespace

std::span<const Kind> declaration_kinds() { return kDeclarationKinds; }

}  // namespace elenchus::mutate::edit
