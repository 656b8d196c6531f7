#include "mutate/skeleton/declarations.h"

#include <algorithm>

#include "mutate/flat.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

ir::Script Declarations::script(std::string_view logic, std::span<const TermId> assertions) {
  ir::Script script;
  script.logic = store_.symbols().intern(logic);
  Command set_logic;
  set_logic.kind = CommandKind::kSetLogic;
  set_logic.text = script.logic;
  script.commands.push_back(set_logic);
  std::sort(functions_.begin(), functions_.end(),
            [](FunId a, FunId b) { return a.value < b.value; });
  functions_.erase(std::unique(functions_.begin(), functions_.end()), functions_.end());
  declare_sorts(script);
  for (const FunId fun : functions_) add_declaration(script, fun);
  return with_assertions(script, assertions);
}

void Declarations::collect(SortId sort, Needed& needed) const {
  const ir::SortNode& node = store_.sorts()[sort];
  if (node.kind == SortKind::kDatatype) needed.datatypes = true;
  if (node.kind == SortKind::kUninterpreted) needed.names.push_back(node.a);
  for (const SortId child : store_.sorts().children(sort)) collect(child, needed);
}

void Declarations::declare_sorts(ir::Script& script) {
  Needed needed;
  for (const FunId fun : functions_) {
    for (const SortId param : store_.params(fun)) collect(param, needed);
    collect(store_.fun(fun).result, needed);
  }
  for (const SortId sort : sorts_) collect(sort, needed);
  std::sort(needed.names.begin(), needed.names.end());
  needed.names.erase(std::unique(needed.names.begin(), needed.names.end()), needed.names.end());
  if (seed_ != nullptr) declare_seed_sorts(script, needed);
  for (const uint32_t name : needed.names) {
    const uint32_t items[] = {name};
    Command command;
    command.kind = CommandKind::kDeclareSort;
    script.set_items(command, items);
    script.commands.push_back(command);
  }
  if (!needed.datatypes) return;
  for (const ir::DatatypeId each : own_datatypes_) {
    const uint32_t items[] = {each.value};
    Command command;
    command.kind = CommandKind::kDeclareDatatypes;
    script.set_items(command, items);
    script.commands.push_back(command);
  }
}

// Datatypes may be made of any sort of the seed: then all are declared.
void Declarations::declare_seed_sorts(ir::Script& script, Needed& needed) const {
  for (const Command& command : seed_->commands) {
    const bool is_sort = command.kind == CommandKind::kDeclareSort;
    if (!is_sort && command.kind != CommandKind::kDeclareDatatypes) continue;
    const auto items = seed_->items(command);
    if (is_sort) {
      const auto found = std::find(needed.names.begin(), needed.names.end(), items[0]);
      if (found == needed.names.end() && !needed.datatypes) continue;
      if (found != needed.names.end()) needed.names.erase(found);
    } else if (!needed.datatypes) {
      continue;
    }
    Command copy = command;
    script.set_items(copy, items);
    script.commands.push_back(copy);
  }
}

}  // namespace elenchus::mutate
