#include "oracle/variants.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "eval/evaluator.h"
#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "ir/naming.h"
#include "ir/script_parts.h"
#include "ir/settings.h"
#include "ir/timeline.h"
#include "ir/walk.h"

namespace elenchus::oracle {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::Script;
using ir::TermId;

namespace {

constexpr std::string_view kNamePrefix = "elenchus_";

void copy(const Script& from, const Command& command, Script& to) {
  Command copied = command;
  to.set_items(copied, from.items(command));
  to.commands.push_back(copied);
}

void add_assert(Script& script, TermId term) {
  Command command;
  command.kind = CommandKind::kAssert;
  command.term = term;
  script.commands.push_back(command);
}

void add(Script& script, CommandKind kind, uint32_t number = 0) {
  Command command;
  command.kind = kind;
  command.number = number;
  script.commands.push_back(command);
}

// What is set before declarations survives a reset, but a second set-logic is an error; and what is
// declared for good is of no level.
bool is_in_the_way(const ir::TermStore& store, const Command& command) {
  return command.kind == CommandKind::kReset || command.kind == CommandKind::kResetAssertions ||
         ir::is_global_declarations(store, command);
}

// Commands that matter to a later check-sat, apart from those that open and close levels.
// Objectives do not: they say which solution is wanted, not whether there is one.
bool is_lasting(CommandKind kind) {
  return kind == CommandKind::kSetLogic || kind == CommandKind::kSetOption ||
         ir::is_declaration(kind) || kind == CommandKind::kAssert;
}

}  // namespace

std::optional<Script> flattened(const ir::TermStore& store, const Script& script, size_t check) {
  const auto& commands = script.commands;
  if (std::any_of(commands.begin(), commands.begin() + static_cast<ptrdiff_t>(check),
                  [&](const Command& command) { return is_in_the_way(store, command); })) {
    return {};
  }
  const ir::Timeline timeline(store, script);
  Script flat;
  flat.logic = script.logic;
  for (size_t i = 0; i < check; ++i) {
    if (is_lasting(commands[i].kind) && timeline.holds(i, check)) copy(script, commands[i], flat);
  }
  if (script.commands[check].kind == CommandKind::kCheckSatAssuming) {
    for (const uint32_t term : script.items(script.commands[check])) {
      add_assert(flat, TermId{term});
    }
  }
  add(flat, CommandKind::kCheckSat);
  return flat;
}

Script with_assertions(const Script& flat, std::span<const TermId> terms) {
  Script script = flat;
  script.commands.pop_back();
  for (const TermId term : terms) add_assert(script, term);
  add(script, CommandKind::kCheckSat);
  return script;
}

Script declarations_of(const Script& script) {
  Script bare;
  bare.logic = script.logic;
  for (const Command& command : script.commands) {
    const bool stays = command.kind == CommandKind::kSetLogic || ir::is_declaration(command.kind);
    if (stays) copy(script, command, bare);
  }
  return bare;
}

Script with_only(const Script& flat, std::span<const size_t> kept) {
  Script script;
  script.logic = flat.logic;
  size_t number = 0;
  for (const Command& command : flat.commands) {
    if (command.kind == CommandKind::kAssert &&
        !std::binary_search(kept.begin(), kept.end(), number++)) {
      continue;
    }
    copy(flat, command, script);
  }
  return script;
}

std::optional<Script> in_pieces(const Script& flat) {
  const auto is_assert = [](const Command& command) {
    return command.kind == CommandKind::kAssert;
  };
  const auto count = std::count_if(flat.commands.begin(), flat.commands.end(), is_assert);
  if (count < 2) return {};
  Script script;
  script.logic = flat.logic;
  // Declarations first, so that none is lost with the level.
  for (const Command& command : flat.commands) {
    if (!is_assert(command) && !ir::is_check(command.kind)) copy(flat, command, script);
  }
  int64_t number = 0;
  for (const Command& command : flat.commands) {
    if (!is_assert(command)) continue;
    if (number++ == count / 2) add(script, CommandKind::kPush, 1);
    copy(flat, command, script);
  }
  add(script, CommandKind::kCheckSat);
  add(script, CommandKind::kPop, 1);
  add(script, CommandKind::kCheckSat);
  return script;
}

namespace {

// Whether the term is an assertion that has a name from with_names().
bool has_our_name(const ir::TermStore& store, TermId term) {
  const ir::SymbolId name = ir::given_name(store, term);
  return name.valid() && store.symbols().text(name).starts_with(kNamePrefix);
}

}  // namespace

std::optional<Script> with_names(ir::TermStore& store, const Script& flat) {
  Script script = flat;
  size_t number = 0;
  for (Command& command : script.commands) {
    if (command.kind != CommandKind::kAssert) continue;
    if (has_our_name(store, command.term)) command.term = store.args(command.term)[0];
    if (store.has(command.term, ir::kHasNamed)) return {};
    // A script that was read may have such names, and a model defines them.
    const auto name = ir::untaken_name(store, fmt::format("{}{}", kNamePrefix, number++));
    command.term = ir::named(store, command.term, name);
  }
  return script;
}

std::vector<size_t> assertions_in_core(std::string_view core) {
  std::vector<size_t> numbers;
  for (size_t at = core.find(kNamePrefix); at != std::string_view::npos;
       at = core.find(kNamePrefix, at + 1)) {
    size_t number = 0;
    const char* digits = core.data() + at + kNamePrefix.size();
    if (std::from_chars(digits, core.data() + core.size(), number).ptr != digits) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string in_a_line(std::string_view core) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::string line;
  for (size_t at = core.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const size_t end = std::min(core.find_first_of(kSpace, at), core.size());
    if (!line.empty()) line += ' ';
    line += core.substr(at, end - at);
    at = core.find_first_not_of(kSpace, end);
  }
  return line;
}

std::vector<TermId> fixing_equations(ir::TermStore& store, const Script& script,
                                     const ir::Model& model) {
  std::vector<TermId> equations;
  eval::Evaluator evaluator(store, model);
  ir::Walker walker(store);
  for (const Command& command : script.commands) {
    if (!ir::declares_open_function(command.kind)) continue;
    const ir::FunId fun{script.items(command)[0]};
    const TermId constant = store.fun(fun).constant;
    if (!constant.valid() || store.fun(fun).kind != ir::FunKind::kDeclared) continue;
    const eval::Value value = evaluator.evaluate(constant);
    if (!value.known()) continue;
    const TermId term = eval::term_of(store, evaluator.values(), value, store.sort(constant));
    if (!term.valid() || !eval::is_plain(store, walker, term)) continue;
    const std::array<TermId, 2> sides = {constant, term};
    const TermId equation = ir::apply(store, Op::kEq, sides);
    if (equation.valid()) equations.push_back(equation);
  }
  return equations;
}

}  // namespace elenchus::oracle
