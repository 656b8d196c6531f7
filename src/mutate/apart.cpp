// Datatypes mention each other, and bodies of functions call other functions: signatures are copied
// first, constructors and bodies wait in lists until nothing else is under way. So there is no
// recursion, however long the chain of definitions.
#include "mutate/apart.h"

#include <string>

#include "ir/fresh_name.h"
#include "ir/script_parts.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::DatatypeId;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

// What belongs to the script becomes its copy.
struct Apart::Hooks : ir::RewriteHooks {
  Apart& apart;
  SortId sort(SortId old) const { return apart.sort(old); }
  FunId function(FunId fun) const { return apart.function(fun); }
};

// --- Names. ---

void Apart::avoid(const ir::Script& frame) {
  for (const Command& command : frame.commands) {
    const auto items = frame.items(command);
    switch (command.kind) {
      case CommandKind::kDeclareSort:
      case CommandKind::kDefineSort:
      case CommandKind::kDeclareSortParameter: taken_.insert(items[0]); break;
      case CommandKind::kDeclareDatatypes:
        for (const uint32_t id : items) taken_.insert(store_.datatype(DatatypeId{id}).name.value);
        break;
      default: break;
    }
    ir::for_each_declared(store_, frame, command,
                          [&](FunId fun) { taken_.insert(store_.fun(fun).name.value); });
  }
}

void Apart::avoid(const ir::Model& model) {
  for (const auto& known : model.functions) taken_.insert(store_.fun(known.fun).name.value);
  for (const ir::Universe& universe : model.universes) {
    for (const FunId element : universe.elements) taken_.insert(store_.fun(element).name.value);
  }
}

SymbolId Apart::unused(SymbolId name) {
  if (!taken_.contains(name.value)) return name;
  const std::string prefix = std::string(store_.symbols().text(name)) + "_";
  uint32_t next = 2;
  SymbolId other;
  do {
    other = ir::fresh_name(store_, prefix, next);
  } while (own_sorts_.contains(other.value) || !taken_.insert(other.value).second);
  return other;
}

// --- Declarations. ---

bool Apart::copy_declarations(const ir::Script& frame, ir::Script& other) {
  for (const Command& command : frame.commands) {
    if (command.kind == CommandKind::kDeclareSort) own_sorts_[frame.items(command)[0]] = {};
  }
  for (const Command& command : frame.commands) {
    if (command.kind != CommandKind::kDeclareSort) continue;
    const SymbolId name{frame.items(command)[0]};
    own_sorts_[name.value] = unused(name);
  }
  for (const Command& command : frame.commands) {
    if (!copy_command(frame, command, other)) return false;
  }
  finish_bodies();
  return true;
}

bool Apart::copy_command(const ir::Script& frame, Command command, ir::Script& other) {
  std::vector<uint32_t> items;
  switch (command.kind) {
    case CommandKind::kSetLogic:
    case CommandKind::kSetOption:
    case CommandKind::kSetInfo:
    case CommandKind::kText:
    case CommandKind::kDefineSort: return true;
    case CommandKind::kDeclareSort:
      items.push_back(own_sorts_.at(frame.items(command)[0]).value);
      break;
    case CommandKind::kDeclareDatatypes:
      for (const uint32_t id : frame.items(command)) {
        items.push_back(datatype(DatatypeId{id}).value);
      }
      finish_datatypes();
      break;
    default:
      if (!ir::declares_functions(command.kind)) return false;
      for (const uint32_t fun : frame.items(command)) items.push_back(function(FunId{fun}).value);
  }
  other.set_items(command, items);
  other.commands.push_back(command);
  return true;
}

FunId Apart::function(FunId fun) {
  if (!fun.valid()) return fun;
  if (const auto known = functions_.find(fun.value); known != functions_.end()) {
    return known->second;
  }
  const ir::FunDecl& decl = store_.fun(fun);
  if (decl.datatype.valid()) {
    datatype(decl.datatype);
    finish_datatypes();
    if (functions_.contains(fun.value)) return functions_.at(fun.value);
  }
  const FunId copy = copied_signature(fun);
  if (store_.fun(fun).body.valid()) bare_functions_.push_back(fun);
  return copy;
}

FunId Apart::copied_signature(FunId fun) {
  const ir::FunDecl decl = store_.fun(fun);
  std::vector<SortId> params;
  for (const SortId param : store_.params(fun)) params.push_back(sort(param));
  const SortId result = sort(decl.result);
  const FunId copy = store_.declare(unused(decl.name), decl.kind, params, result);
  ir::FunDecl& made = store_.fun(copy);
  made.needs_as = decl.needs_as;
  made.constructor = decl.constructor;
  made.field = decl.field;
  functions_.emplace(fun.value, copy);
  return copy;
}

DatatypeId Apart::datatype(DatatypeId id) {
  if (const auto known = datatypes_.find(id.value); known != datatypes_.end()) {
    return known->second;
  }
  const SymbolId name = unused(store_.datatype(id).name);
  const DatatypeId copy = store_.new_datatype(name);
  store_.datatype(copy).parameters = store_.datatype(id).parameters;
  store_.datatype(copy).is_codatatype = store_.datatype(id).is_codatatype;
  datatypes_.emplace(id.value, copy);
  bare_datatypes_.push_back(id);
  return copy;
}

void Apart::finish_datatypes() {
  while (!bare_datatypes_.empty()) {
    const DatatypeId id = bare_datatypes_.back();
    bare_datatypes_.pop_back();
    const DatatypeId copy = datatypes_.at(id.value);
    const std::vector<ir::Constructor> constructors = store_.datatype(id).constructors;
    store_.datatype(copy).constructors = ir::copied_constructors(
        store_, copy, constructors, [&](FunId fun) { return copied_signature(fun); });
  }
}

// --- Sorts. ---

SortId Apart::sort(SortId root) {
  std::vector<SortId> stack = {root};
  while (!stack.empty()) {
    const SortId top = stack.back();
    if (sorts_.contains(top.value)) {
      stack.pop_back();
      continue;
    }
    const size_t before = stack.size();
    for (const SortId child : store_.sorts().children(top)) {
      if (!sorts_.contains(child.value)) stack.push_back(child);
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    const SortId copy = copied_sort(top);
    sorts_.emplace(top.value, copy);
  }
  return sorts_.at(root.value);
}

SortId Apart::copied_sort(SortId sort) {
  const ir::SortNode node = store_.sorts()[sort];
  uint32_t a = node.a;
  uint32_t b = node.b;
  if (node.kind == SortKind::kUninterpreted) {
    const auto known = own_sorts_.find(a);
    if (known != own_sorts_.end()) a = known->second.value;
  }
  if (node.kind == SortKind::kDatatype) {
    const DatatypeId copy = datatype(DatatypeId{a});
    a = copy.value;
    b = store_.datatype(copy).name.value;
  }
  std::vector<SortId> children;
  for (const SortId child : store_.sorts().children(sort))
    children.push_back(sorts_.at(child.value));
  return store_.sorts().make(node.kind, a, b, children);
}

// --- Terms. ---

TermId Apart::term(TermId root) {
  const TermId copy = copied(root);
  finish_datatypes();
  finish_bodies();
  return copy;
}

TermId Apart::copied(TermId root) {
  Hooks hooks{{}, *this};
  return rewriter_.rewrite(root, hooks);
}

void Apart::finish_bodies() {
  while (!bare_functions_.empty()) {
    const FunId fun = bare_functions_.back();
    bare_functions_.pop_back();
    const auto formals = store_.formals(fun);
    const auto copies = copied_formals({formals.begin(), formals.end()});
    const TermId body = copied(store_.fun(fun).body);
    store_.define(functions_.at(fun.value), copies, body);
  }
}

std::vector<TermId> Apart::copied_formals(const std::vector<TermId>& formals) {
  std::vector<TermId> copies;
  copies.reserve(formals.size());
  for (const TermId formal : formals) copies.push_back(copied(formal));
  return copies;
}

ir::Model Apart::model(const ir::Model& model) {
  ir::Model copy;
  for (const ir::Universe& universe : model.universes) {
    ir::Universe& made = copy.universes.emplace_back();
    made.sort = sort(universe.sort);
    made.is_complete = universe.is_complete;
    for (const FunId element : universe.elements) made.elements.push_back(function(element));
  }
  for (const ir::FunctionDefinition& known : model.functions) {
    ir::FunctionDefinition made;
    made.fun = function(known.fun);
    made.definition.formals = copied_formals(known.definition.formals);
    if (known.definition.body.valid()) made.definition.body = term(known.definition.body);
    copy.functions.push_back(std::move(made));
  }
  finish_bodies();
  return copy;
}

}  // namespace elenchus::mutate
