#include "solver/query.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace elenchus::solver {
namespace {

using ir::Command;
using ir::CommandKind;

// Options that ask for nothing but output, or change what a script means.
constexpr std::array<std::string_view, 5> kKeptOptions = {
    ":produce-models", ":produce-unsat-cores", ":produce-unsat-assumptions", ":produce-assignments",
    ":global-declarations"};

// The next word of a command's text.
std::string_view take_word(std::string_view& text) {
  constexpr std::string_view kEnd = " \t\r\n()";
  const size_t start = std::min(text.find_first_not_of(kEnd), text.size());
  const size_t end = std::min(text.find_first_of(kEnd, start), text.size());
  const std::string_view word = text.substr(start, end - start);
  text.remove_prefix(end);
  return word;
}

bool is_kept_option(std::string_view name, std::string_view value, const QueryOptions& options) {
  if (value != "true") return false;
  if (options.want_models && name == ":produce-models") return false;  // stands at the head
  if (options.want_cores && name.starts_with(":produce-unsat-")) return false;
  return std::find(kKeptOptions.begin(), kKeptOptions.end(), name) != kKeptOptions.end();
}

bool is_kept_text(std::string_view text, const QueryOptions& options) {
  const std::string_view command = take_word(text);
  if (command == "set-option") {
    const std::string_view name = take_word(text);
    return is_kept_option(name, take_word(text), options);
  }
  return command != "set-info" && !command.starts_with("get-") && command != "echo" &&
         command != "simplify" && command != "eval" && command != "help" && command != "display" &&
         command != "labels" && !command.starts_with("dbg-");
}

bool is_kept(const ir::TermStore& store, const Command& command, const QueryOptions& options) {
  switch (command.kind) {
    case CommandKind::kGetValue:
    case CommandKind::kExit: return false;
    case CommandKind::kText: return is_kept_text(store.symbols().text(command.text), options);
    default: return true;
  }
}

}  // namespace

base::Result<Query> make_query(smtlib::ScriptPrinter& printer, const ir::TermStore& store,
                               const ir::Script& script, const QueryOptions& options) {
  const auto keep = [&](const Command& command) { return is_kept(store, command, options); };
  const auto end = std::find_if(script.commands.begin(), script.commands.end(),
                                [](const auto& c) { return c.kind == CommandKind::kExit; });
  // Most mutants need no change: their seeds went through here.
  ir::Script filtered;
  const ir::Script* used = &script;
  if (!std::all_of(script.commands.begin(), script.commands.end(), keep)) {
    filtered.logic = script.logic;
    for (auto it = script.commands.begin(); it != end; ++it) {
      if (!keep(*it)) continue;
      Command command = *it;
      if (command.item_count > 0) filtered.set_items(command, script.items(*it));
      filtered.commands.push_back(command);
    }
    used = &filtered;
  }

  std::string head;
  const auto add = [&](std::string_view name) {
    head.append("(set-option ").append(name).append(" true)\n");
  };
  if (options.want_models) add(":produce-models");
  if (options.want_cores) {
    add(":produce-unsat-cores");
    const auto assumes = [](const Command& c) { return c.kind == CommandKind::kCheckSatAssuming; };
    if (std::any_of(used->commands.begin(), used->commands.end(), assumes)) {
      add(":produce-unsat-assumptions");
    }
  }
  ELENCHUS_ASSIGN_OR_RETURN(smtlib::PrintedScript printed, printer.print(*used));
  Query query;
  query.want_models = options.want_models;
  query.want_cores = options.want_cores;
  for (size_t i = 0; i < used->commands.size(); ++i) {
    if (!ir::is_check(used->commands[i].kind)) continue;
    query.check_ends.push_back(static_cast<uint32_t>(printed.command_ends[i] + head.size()));
  }
  query.text = std::move(head);
  query.text += printed.text;
  return query;
}

}  // namespace elenchus::solver
