#include "solver/query.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "ir/settings.h"

namespace elenchus::solver {
namespace {

using ir::Command;
using ir::CommandKind;

// Options that ask for nothing but output, or change what a script means.
constexpr std::array<std::string_view, 5> kKeptOptions = {
    ":produce-models", ":produce-unsat-cores", ":produce-unsat-assumptions", ":produce-assignments",
    ":global-declarations"};

// Without which a solver gives no such formulas.
constexpr std::array<std::string_view, 2> kRequestOptions = {":produce-interpolants",
                                                             ":produce-abducts"};

bool is_kept_option(const ir::TermStore& store, const Command& command,
                    const QueryOptions& options) {
  if (!ir::is_switched_on(store, command)) return false;
  const std::string_view name = store.symbols().text(command.text);
  if (options.want_models && name == ":produce-models") return false;  // stands at the head
  if (options.want_cores && name.starts_with(":produce-unsat-")) return false;
  if (options.keep_requests &&
      std::find(kRequestOptions.begin(), kRequestOptions.end(), name) != kRequestOptions.end()) {
    return true;
  }
  return std::find(kKeptOptions.begin(), kKeptOptions.end(), name) != kKeptOptions.end();
}

// Requests about the last answer, with the option that they need. Models are asked for anyway.
struct Request {
  std::string_view name;
  std::string_view option;
};
constexpr std::array<Request, 4> kRequests = {
    {{"get-assignment", ":produce-assignments"},
     {"get-proof", ":produce-proofs"},
     {"get-unsat-assumptions", ":produce-unsat-assumptions"},
     {"get-unsat-core", ":produce-unsat-cores"}}};

bool sets(const ir::TermStore& store, const ir::Script& script, std::string_view option) {
  return std::any_of(script.commands.begin(), script.commands.end(), [&](const Command& command) {
    return command.kind == CommandKind::kSetOption && ir::is_switched_on(store, command) &&
           store.symbols().text(command.text) == option;
  });
}

bool is_request(const ir::TermStore& store, const ir::Script& script, const Command& command) {
  if (command.kind == CommandKind::kGetValue) return true;
  const std::string_view name = ir::text_command_name(store, command);
  return std::any_of(kRequests.begin(), kRequests.end(), [&](const Request& request) {
    return request.name == name && sets(store, script, request.option);
  });
}

// The commands that follow the last check and ask about its answer.
std::vector<Command> requests_of(const ir::TermStore& store, const ir::Script& script) {
  std::vector<Command> found;
  bool is_open = false;
  for (const Command& command : script.commands) {
    if (command.kind == CommandKind::kExit) break;
    if (ir::is_check(command.kind)) {
      found.clear();
      is_open = true;
      continue;
    }
    const bool is_asking = command.kind == CommandKind::kGetValue ||
                           ir::text_command_name(store, command).starts_with("get-") ||
                           command.kind == CommandKind::kSetInfo;
    is_open = is_open && is_asking;
    if (is_open && is_request(store, script, command)) found.push_back(command);
  }
  return found;
}

bool is_formula_request(std::string_view command) {
  return command == "get-qe" || command == "get-interpolant" || command == "get-abduct";
}

bool is_kept_text(std::string_view command) {
  return !command.starts_with("get-") && command != "echo" && command != "simplify" &&
         command != "eval" && command != "help" && command != "display" && command != "labels" &&
         !command.starts_with("dbg-");
}

constexpr bool is_objective(CommandKind kind) {
  return kind >= CommandKind::kAssertSoft && kind <= CommandKind::kMaximize;
}

bool is_kept(const ir::TermStore& store, const Command& command, const QueryOptions& options) {
  switch (command.kind) {
    case CommandKind::kSetInfo:
    case CommandKind::kGetValue:
    case CommandKind::kExit: return false;
    case CommandKind::kSetOption: return is_kept_option(store, command, options);
    case CommandKind::kText: {
      const std::string_view name = ir::text_command_name(store, command);
      return is_kept_text(name) || (options.keep_requests && is_formula_request(name));
    }
    default: return true;
  }
}

// Each in one line.
base::Result<std::vector<std::string>> printed_requests(smtlib::ScriptPrinter& printer,
                                                        const ir::Script& script,
                                                        const std::vector<Command>& requests) {
  std::vector<std::string> questions;
  for (const Command& request : requests) {
    ir::Script one;
    Command command = request;
    if (request.item_count > 0) one.set_items(command, script.items(request));
    one.commands.push_back(command);
    ELENCHUS_ASSIGN_OR_RETURN(const smtlib::PrintedScript printed, printer.print(one));
    const uint32_t end = printed.command_ends.back();
    std::string text = printed.text.substr(0, end);
    const size_t start = text.find("(get-");
    if (start != std::string::npos) questions.push_back(text.substr(start));
  }
  return questions;
}

}  // namespace

bool suits(std::string_view question, Outcome answer) {
  const auto asks = [&](std::string_view name) { return question.starts_with(name); };
  if (asks("(get-unsat-") || asks("(get-proof")) return answer == Outcome::kUnsat;
  if (asks("(get-value") || asks("(get-assignment")) return answer == Outcome::kSat;
  return true;
}

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
  if (options.want_proofs) add(":produce-proofs");
  const std::vector<Command> requests = requests_of(store, script);
  const bool asks_for_proof =
      !options.want_proofs &&
      std::any_of(requests.begin(), requests.end(), [&](const Command& command) {
        return ir::text_command_name(store, command) == "get-proof";
      });
  if (asks_for_proof) add(":produce-proofs");
  const bool has_objectives = std::any_of(used->commands.begin(), used->commands.end(),
                                          [](const Command& c) { return is_objective(c.kind); });
  // At the head, where a session sees that it has other options than the query before.
  const ir::ObjectivePriority priority = ir::objective_priority(store, script);
  if (has_objectives && !priority.value.empty()) {
    head += fmt::format("(set-option :opt.priority {})\n", priority.value);
  }
  ELENCHUS_ASSIGN_OR_RETURN(smtlib::PrintedScript printed, printer.print(*used));
  Query query;
  query.want_models = options.want_models;
  query.want_cores = options.want_cores;
  query.want_proofs = options.want_proofs;
  query.want_objectives = has_objectives && options.want_models;
  query.text = head;
  uint32_t start = 0;
  for (size_t i = 0; i < used->commands.size(); ++i) {
    query.text.append(printed.text, start, printed.command_ends[i] - start);
    start = printed.command_ends[i];
    // Which takes back what the head asks for, with most solvers.
    if (used->commands[i].kind == CommandKind::kReset && !head.empty()) {
      query.text.append("\n").append(head, 0, head.size() - 1);
    }
    if (!ir::is_check(used->commands[i].kind)) continue;
    query.check_ends.push_back(static_cast<uint32_t>(query.text.size()));
  }
  query.text.append(printed.text, start);
  if (!requests.empty()) {
    ELENCHUS_ASSIGN_OR_RETURN(query.questions, printed_requests(printer, script, requests));
  }
  return query;
}

}  // namespace elenchus::solver
