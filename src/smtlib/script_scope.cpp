#include "smtlib/script_scope.h"

#include <algorithm>

#include "ir/script_parts.h"
#include "ir/timeline.h"

namespace elenchus::smtlib {
namespace {

using ir::CommandKind;
using ir::SymbolId;

void add_datatype(Scope& scope, const ir::TermStore& store, ir::DatatypeId id) {
  const ir::Datatype& datatype = store.datatype(id);
  const auto arity = static_cast<uint32_t>(datatype.parameters.size());
  scope.add_sort(datatype.name, {SortName::Kind::kDatatype, arity, id, {}, {}});
  ir::for_each_function_of(datatype, [&](ir::FunId fun) { scope.add_function(fun); });
}

void add_abbreviation(Scope& scope, std::span<const uint32_t> items) {
  std::vector<ir::SortId> parameters;
  for (const uint32_t item : items.subspan(2)) parameters.push_back(ir::SortId{item});
  const auto arity = static_cast<uint32_t>(parameters.size());
  scope.add_sort(
      SymbolId{items[0]},
      {SortName::Kind::kAbbreviation, arity, {}, ir::SortId{items[1]}, std::move(parameters)});
}

void declare(Scope& scope, const ir::TermStore& store, const ir::Script& script,
             const ir::Command& command) {
  const auto items = script.items(command);
  switch (command.kind) {
    case CommandKind::kDeclareSort:
      scope.add_sort(SymbolId{items[0]},
                     {SortName::Kind::kUninterpreted, command.number, {}, {}, {}});
      break;
    case CommandKind::kDefineSort: add_abbreviation(scope, items); break;
    case CommandKind::kDeclareDatatypes:
      for (const uint32_t id : items) add_datatype(scope, store, ir::DatatypeId{id});
      break;
    default:
      ir::for_each_declared(store, script, command,
                            [&](ir::FunId fun) { scope.add_function(fun); });
  }
}

bool has_finite_sets(const ir::SortTable& sorts, ir::SortId sort) {
  if (sorts.kind(sort) == ir::SortKind::kFiniteSet) return true;
  const auto children = sorts.children(sort);
  return std::any_of(children.begin(), children.end(),
                     [&](ir::SortId child) { return has_finite_sets(sorts, child); });
}

}  // namespace

bool declares_finite_sets(const ir::TermStore& store, const ir::Script& script, size_t end) {
  bool found = false;
  const auto look = [&](ir::FunId fun) {
    const auto params = store.params(fun);
    found = found || has_finite_sets(store.sorts(), store.fun(fun).result) ||
            std::any_of(params.begin(), params.end(),
                        [&](ir::SortId param) { return has_finite_sets(store.sorts(), param); });
  };
  end = std::min(end, script.commands.size());
  for (size_t i = 0; i < end && !found; ++i) {
    ir::for_each_declared(store, script, script.commands[i], look);
  }
  return found;
}

void add_declarations(Scope& scope, const ir::TermStore& store, const ir::Script& script,
                      size_t end) {
  const ir::Timeline timeline(store, script);
  end = std::min(end, script.commands.size());
  for (size_t i = 0; i < end; ++i) {
    const ir::Command& command = script.commands[i];
    if (!ir::is_declaration(command.kind) || !timeline.is_usable(i, end)) continue;
    declare(scope, store, script, command);
  }
}

}  // namespace elenchus::smtlib
