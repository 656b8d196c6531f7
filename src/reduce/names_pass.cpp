// Short names for what has a long one: functions and bound variables. One candidate: names seldom
// matter, and when they do, the ones that do are not worth finding.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ir/script_parts.h"
#include "ir/walk.h"
#include "reduce/passes.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::SymbolId;
using ir::TermId;

class NamesPass {
 public:
  explicit NamesPass(Session& session)
      : session_(session), store_(session.store()), taken_(session.names()) {}

  void run() {
    drop_logic();
    shorten();
  }

 private:
  static constexpr size_t kLong = 2;
  // As people name them.
  static constexpr std::string_view kValues = "xyzuvwabcdefghijklmnopqrst";
  static constexpr std::string_view kFunctions = "fghpqrabcdeijklmnostuvwxyz";

  // The printer then writes (set-logic ALL).
  void drop_logic() {
    ir::Script candidate = session_.best();
    const size_t dropped = std::erase_if(candidate.commands, [](const Command& command) {
      return command.kind == CommandKind::kSetLogic;
    });
    if (dropped == 0) return;
    candidate.logic = {};
    session_.offer(std::move(candidate));
  }

  void shorten() {
    const ir::Script& script = session_.best();
    Change change;
    std::vector<FunId> functions;
    std::vector<TermId> variables;
    ir::Walker walker(store_);
    for (const Command& command : script.commands) {
      if (declares_functions(command.kind)) {
        for (const uint32_t item : script.items(command)) functions.push_back(FunId{item});
      }
      for_each_root(store_, script, command, [&](TermId root) {
        walker.walk(root, [&](TermId term) {
          if (store_.op(term) == ir::Op::kVar) variables.push_back(term);
        });
      });
    }
    std::sort(variables.begin(), variables.end());
    for (const FunId fun : functions) {
      const ir::FunDecl decl = store_.fun(fun);
      const SymbolId name = short_name(decl.name, decl.param_count == 0 ? kValues : kFunctions);
      if (name == decl.name || decl.polymorphic) continue;
      const auto span = store_.params(fun);
      const std::vector<ir::SortId> params(span.begin(), span.end());
      const FunId other = store_.declare(name, decl.kind, params, decl.result);
      change.functions.emplace_back(fun, other);
    }
    for (const TermId variable : variables) {
      const SymbolId old = store_.variable_name(variable);
      const SymbolId name = short_name(old, kValues);
      if (name == old) continue;
      const TermId other =
          store_.variable(name, store_.sort(variable), store_.variable_level(variable));
      change.terms.emplace_back(variable, other);
    }
    if (!change.functions.empty() || !change.terms.empty()) session_.offer(change);
  }

  // The same short name for the same name. Names that mean anything already are not taken.
  SymbolId short_name(SymbolId old, std::string_view letters) {
    const auto known = names_.find(old.value);
    if (known != names_.end()) return known->second;
    SymbolId& result = names_[old.value];
    result = old;
    if (store_.symbols().text(old).size() < kLong) return result;
    for (uint32_t& next = next_[letters];; ++next) {
      const uint32_t round = next / static_cast<uint32_t>(letters.size());
      std::string text(1, letters[next % letters.size()]);
      if (round > 0) text += std::to_string(round);
      if (text.size() >= store_.symbols().text(old).size()) return result;
      const SymbolId name = store_.symbols().intern(text);
      if (!store_.ops().named(name).empty() || !taken_.insert(text).second) continue;
      result = name;
      return result;
    }
  }

  Session& session_;
  ir::TermStore& store_;
  std::map<std::string_view, uint32_t> next_;  // by letters
  std::unordered_map<uint32_t, SymbolId> names_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

void finish_names(Session& session) { NamesPass(session).run(); }

}  // namespace elenchus::reduce
