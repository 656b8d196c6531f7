#include "smtlib/script_scope.h"

#include <algorithm>

namespace elenchus::smtlib {
namespace {

using ir::CommandKind;
using ir::SymbolId;

void add_datatype(Scope& scope, const ir::TermStore& store, ir::DatatypeId id) {
  const ir::Datatype& datatype = store.datatype(id);
  const auto arity = static_cast<uint32_t>(datatype.parameters.size());
  scope.add_sort(datatype.name, {SortName::Kind::kDatatype, arity, id, {}, {}});
  for (const ir::Constructor& constructor : datatype.constructors) {
    scope.add_function(constructor.fun);
    for (const ir::FunId selector : constructor.selectors) scope.add_function(selector);
  }
}

void add_abbreviation(Scope& scope, std::span<const uint32_t> items) {
  std::vector<ir::SortId> parameters;
  for (const uint32_t item : items.subspan(2)) parameters.push_back(ir::SortId{item});
  const auto arity = static_cast<uint32_t>(parameters.size());
  scope.add_sort(
      SymbolId{items[0]},
      {SortName::Kind::kAbbreviation, arity, {}, ir::SortId{items[1]}, std::move(parameters)});
}

// The one option that says what names mean.
void replay_option(Scope& scope, std::string_view text) {
  const bool is_global = text.starts_with("(set-option :global-declarations ") ||
                         text.starts_with("(set-option :global-decls ");
  if (is_global) scope.keep_declarations = text.ends_with(" true)");
}

void replay(Scope& scope, const ir::TermStore& store, const ir::Script& script,
            const ir::Command& command) {
  const auto items = script.items(command);
  switch (command.kind) {
    case CommandKind::kDeclareSort:
      scope.add_sort(SymbolId{items[0]},
                     {SortName::Kind::kUninterpreted, command.number, {}, {}, {}});
      break;
    case CommandKind::kDefineSort: add_abbreviation(scope, items); break;
    case CommandKind::kDeclareFun:
    case CommandKind::kDeclareConst:
    case CommandKind::kDefineFun:
    case CommandKind::kDefineConst:
    case CommandKind::kDefineFunRec:
    case CommandKind::kDefineFunsRec:
      for (const uint32_t fun : items) scope.add_function(ir::FunId{fun});
      break;
    case CommandKind::kDeclareDatatypes:
      for (const uint32_t id : items) add_datatype(scope, store, ir::DatatypeId{id});
      break;
    case CommandKind::kPush:
      for (uint32_t i = 0; i < command.number; ++i) scope.push();
      break;
    case CommandKind::kPop:
      for (uint32_t i = 0; i < command.number && scope.level() > 0; ++i) scope.pop();
      break;
    case CommandKind::kReset: scope.reset(); break;
    case CommandKind::kResetAssertions: scope.allow_redeclaration(); break;
    case CommandKind::kText: replay_option(scope, store.symbols().text(command.text)); break;
    default: break;
  }
}

}  // namespace

void replay_declarations(Scope& scope, const ir::TermStore& store, const ir::Script& script,
                         size_t end) {
  end = std::min(end, script.commands.size());
  for (size_t i = 0; i < end; ++i) replay(scope, store, script, script.commands[i]);
}

}  // namespace elenchus::smtlib
