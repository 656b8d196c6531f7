// Edits of commands: what is asserted where, and how it is asked.
#include <algorithm>
#include <utility>
#include <vector>

#include "ir/fresh_name.h"
#include "ir/naming.h"
#include "ir/script_parts.h"
#include "ir/settings.h"
#include "mutate/edit/kinds.h"
#include "mutate/flat.h"

namespace elenchus::mutate::edit {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

namespace {

// Other places for an assertion that are looked at.
constexpr uint64_t kMostTargets = 64;

const Command& command_at(Original& original, uint32_t command) {
  return original.script().commands[command];
}

// Whether the command is an assertion that can stand anywhere and any number of times.
bool is_plain_assertion(Original& original, uint32_t command) {
  const Command& one = command_at(original, command);
  return one.kind == CommandKind::kAssert && !original.store().has(one.term, ir::kHasNamed);
}

Command plain(CommandKind kind, uint32_t number = 0) {
  Command command;
  command.kind = kind;
  command.number = number;
  return command;
}

Command assertion(TermId term) {
  Command command = plain(CommandKind::kAssert);
  command.term = term;
  return command;
}

void insert(ir::Script& script, size_t at, const Command& command) {
  script.commands.insert(script.commands.begin() + static_cast<ptrdiff_t>(at), command);
}

void erase(ir::Script& script, size_t at) {
  script.commands.erase(script.commands.begin() + static_cast<ptrdiff_t>(at));
}

size_t count(const ir::Script& script, bool (*is_meant)(CommandKind)) {
  return static_cast<size_t>(
      std::count_if(script.commands.begin(), script.commands.end(),
                    [&](const Command& command) { return is_meant(command.kind); }));
}

bool is_assertion(CommandKind kind) { return kind == CommandKind::kAssert; }

// --- Assertions. ---

uint64_t drop_choices(Original& original, uint32_t command) {
  return is_plain_assertion(original, command) ? 1 : 0;
}

std::optional<ir::Script> without_assertion(Original& original, const Spot& spot) {
  ir::Script script = original.script();
  if (count(script, is_assertion) < 2) return {};
  erase(script, spot.command);
  return script;
}

// Where it makes a difference whether an assertion stands before or behind.
bool is_boundary(CommandKind kind) {
  return ir::is_check(kind) || kind == CommandKind::kPush || kind == CommandKind::kPop ||
         kind == CommandKind::kResetAssertions;
}

uint64_t target_choices(Original& original, uint32_t command) {
  if (!is_plain_assertion(original, command)) return 0;
  return std::min<uint64_t>(count(original.script(), is_boundary), kMostTargets);
}

// The boundary of this number, if the assertion may stand just before it.
std::optional<size_t> target_of(Original& original, const Spot& spot) {
  const auto& commands = original.script().commands;
  uint64_t left = spot.choice;
  for (size_t i = 0; i < commands.size(); ++i) {
    if (!is_boundary(commands[i].kind) || left-- > 0) continue;
    const auto at = static_cast<uint32_t>(i);
    return original.is_in_force(commands[spot.command].term, at) ? std::optional(i) : std::nullopt;
  }
  return {};
}

std::optional<ir::Script> doubled(Original& original, const Spot& spot) {
  const auto target = target_of(original, spot);
  if (!target) return {};
  ir::Script script = original.script();
  insert(script, *target, assertion(script.commands[spot.command].term));
  return script;
}

std::optional<ir::Script> moved(Original& original, const Spot& spot) {
  const auto target = target_of(original, spot);
  if (!target) return {};
  const auto& commands = original.script().commands;
  const size_t low = std::min<size_t>(spot.command, *target);
  const size_t high = std::max<size_t>(spot.command, *target);
  // To pass other assertions only is no move.
  const bool passes = std::any_of(commands.begin() + static_cast<ptrdiff_t>(low),
                                  commands.begin() + static_cast<ptrdiff_t>(high),
                                  [](const Command& one) { return is_boundary(one.kind); });
  if (!passes) return {};
  ir::Script script = original.script();
  const Command command = script.commands[spot.command];
  insert(script, *target, command);
  erase(script, spot.command + (*target <= spot.command ? 1 : 0));
  return script;
}

// --- Levels and checks. ---

// Ways of asking in steps, at one command.
enum Steps : uint64_t {
  kPushHere,
  kLevelAround,
  kLevelAroundWithCheck,
  kEmptyLevel,
  kCheckHere,
  kStepCount,
};

// Whether the script says itself that it asks once (cvc4's and cvc5's option): with separation
// logic they know nothing else.
bool asks_once(Original& original) {
  const auto& commands = original.script().commands;
  return std::any_of(commands.begin(), commands.end(), [&](const Command& command) {
    return command.kind == CommandKind::kSetOption &&
           original.store().symbols().text(command.text) == ":incremental" &&
           !ir::is_switched_on(original.store(), command);
  });
}

uint64_t step_choices(Original& original, uint32_t command) {
  if (asks_once(original)) return 0;
  const CommandKind kind = command_at(original, command).kind;
  if (is_plain_assertion(original, command)) return kStepCount;
  if (kind == CommandKind::kCheckSat) return kStepCount;
  return kind == CommandKind::kPush ? 1 : 0;
}

// Without the level that the command opens. What it declares would outlive it.
std::optional<ir::Script> without_level(Original& original, uint32_t push) {
  ir::Script script = original.script();
  const auto& commands = script.commands;
  if (commands[push].number != 1) return {};
  size_t pop = push + 1;
  while (pop < commands.size() &&
         !(commands[pop].kind == CommandKind::kPop && original.timeline().opener(pop) == push)) {
    if (ir::is_declaration(commands[pop].kind)) return {};
    if (ir::has_term(commands[pop].kind) && original.store().has(commands[pop].term, ir::kHasNamed))
      return {};
    ++pop;
  }
  if (pop < commands.size()) {
    if (commands[pop].number != 1) return {};
    erase(script, pop);
  }
  erase(script, push);
  return script;
}

std::optional<ir::Script> in_steps(Original& original, const Spot& spot) {
  ir::Script script = original.script();
  const size_t at = spot.command;
  const CommandKind kind = script.commands[at].kind;
  if (kind == CommandKind::kPush) return without_level(original, spot.command);
  switch (spot.choice) {
    case kPushHere: insert(script, at, plain(CommandKind::kPush, 1)); break;
    case kLevelAround:
    case kLevelAroundWithCheck:
      if (kind == CommandKind::kCheckSat && spot.choice == kLevelAroundWithCheck) return {};
      insert(script, at + 1, plain(CommandKind::kPop, 1));
      if (spot.choice == kLevelAroundWithCheck) {
        insert(script, at + 1, plain(CommandKind::kCheckSat));
      }
      insert(script, at, plain(CommandKind::kPush, 1));
      break;
    case kEmptyLevel:
      insert(script, at, plain(CommandKind::kPop, 1));
      insert(script, at, plain(CommandKind::kPush, 1));
      break;
    default: insert(script, at, plain(CommandKind::kCheckSat)); break;
  }
  return script;
}

// --- Assumptions and names. ---

uint64_t assumption_choices(Original& original, uint32_t command) {
  if (is_plain_assertion(original, command)) return 1;
  if (command_at(original, command).kind != CommandKind::kCheckSat) return 0;
  return std::min<uint64_t>(2 * original.constants(ir::kBoolSort).size(), kMostTargets);
}

void assume(ir::Script& script, Command& check, TermId assumption) {
  check.kind = CommandKind::kCheckSatAssuming;
  const uint32_t items[] = {assumption.value};
  script.set_items(check, items);
}

// The assertion holds if a new constant does, which all later checks assume.
std::optional<ir::Script> asserted_if_assumed(Original& original, const Spot& spot) {
  ir::TermStore& store = original.store();
  const TermId assumption = original.fresh_constant(ir::kBoolSort);
  ir::Script script = original.script();
  const TermId args[] = {assumption, script.commands[spot.command].term};
  script.commands[spot.command].term = store.make(Op::kImplies, ir::kBoolSort, 0, args);
  const uint32_t end = original.timeline().end(spot.command);
  bool is_asked = false;
  for (size_t i = spot.command; i < std::min<size_t>(script.commands.size(), end); ++i) {
    if (script.commands[i].kind != CommandKind::kCheckSat) continue;
    Command check = script.commands[i];
    assume(script, check, assumption);
    script.commands[i] = check;
    is_asked = true;
  }
  Original::declare(script, spot.command, store.callee(assumption));
  return is_asked ? std::optional(std::move(script)) : std::nullopt;
}

std::optional<ir::Script> with_assumption(Original& original, const Spot& spot) {
  if (command_at(original, spot.command).kind == CommandKind::kAssert) {
    return asserted_if_assumed(original, spot);
  }
  ir::TermStore& store = original.store();
  TermId assumption = original.constants(ir::kBoolSort)[spot.choice / 2];
  if (!original.is_in_force(assumption, spot.command)) return {};
  if (spot.choice % 2 == 1) {
    const TermId args[] = {assumption};
    assumption = store.make(Op::kNot, ir::kBoolSort, 0, args);
  }
  ir::Script script = original.script();
  Command check = script.commands[spot.command];
  assume(script, check, assumption);
  script.commands[spot.command] = check;
  return script;
}

std::optional<ir::Script> named(Original& original, const Spot& spot) {
  ir::TermStore& store = original.store();
  const TermId term = command_at(original, spot.command).term;
  uint32_t next = 1;
  const ir::SymbolId name = ir::fresh_name(store, "n", next);
  ir::Script script = original.script();
  script.commands[spot.command].term = ir::declared_and_named(store, term, name);
  return script;
}

// --- Logics. ---

uint64_t logic_choices(Original& original, uint32_t command) {
  return command_at(original, command).kind == CommandKind::kSetLogic ? 3 : 0;
}

std::optional<ir::Script> in_other_logic(Original& original, const Spot& spot) {
  ir::TermStore& store = original.store();
  ir::Script script = original.script();
  const std::string name(store.symbols().text(script.logic));
  std::string other;
  switch (spot.choice) {
    case 0: other = ir::with_sums(name); break;
    case 1: other = ir::with_products(name); break;
    default: other = ir::everything(name); break;
  }
  if (other == name) return {};
  set_logic(store, script, other);
  return script;
}

constexpr Kind kCommandKinds[] = {
    {.name = "drop-assertion", .choices_of = drop_choices, .edited = without_assertion},
    {.name = "double-assertion", .choices_of = target_choices, .edited = doubled},
    {.name = "move-assertion", .choices_of = target_choices, .edited = moved},
    {.name = "levels", .choices_of = step_choices, .edited = in_steps},
    {.name = "assumption", .choices_of = assumption_choices, .edited = with_assumption},
    {.name = "name", .choices_of = drop_choices, .edited = named},
    {.name = "logic", .choices_of = logic_choices, .edited = in_other_logic},
};

}  // namespace

std::span<const Kind> command_kinds() { return kCommandKinds; }

}  // namespace elenchus::mutate::edit
