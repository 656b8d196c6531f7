#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/ids.h"

namespace elenchus::ir {

enum class CommandKind : uint8_t {
  kSetLogic,              // text: the logic's name
  kText,                  // any command that needs no understanding; text: all of it, as written
  kSetOption,             // text: the keyword; value
  kSetInfo,               // text: the keyword; value
  kDeclareSort,           // items: SymbolId; number: arity
  kDefineSort,            // items: SymbolId, body SortId, parameter SortIds
  kDeclareSortParameter,  // items: SymbolId
  kDeclareFun,            // items: FunId
  kDeclareConst,          // items: FunId
  kDefineFun,             // items: FunId
  kDefineConst,           // items: FunId
  kDefineFunRec,          // items: FunId
  kDefineFunsRec,         // items: FunIds
  kDeclareDatatypes,      // items: DatatypeIds
  kAssert,                // term
  kAssertSoft,            // term; text: the attributes, as written
  kMinimize,              // term; text: the attributes, as written
  kMaximize,
  kCheckSat,
  kCheckSatAssuming,  // items: TermIds
  kCheckSatUsing,     // text: the tactic, as written
  kGetValue,          // items: TermIds
  kPush,              // number
  kPop,               // number
  kReset,
  kResetAssertions,
  kExit,
};

// One command of a script. Which of the fields mean something depends on the kind.
struct Command {
  CommandKind kind = CommandKind::kText;
  base::Location where;
  TermId term;
  SymbolId text;
  SymbolId value;  // of a setting, as written; none when there is only the keyword
  uint32_t number = 0;
  uint32_t first_item = 0;
  uint32_t item_count = 0;
};

// Something odd about an input that did not stop us.
struct Warning {
  base::Location where;
  std::string message;
};

// A sequence of commands over the terms of one TermStore.
class Script {
 public:
  std::vector<Command> commands;
  std::vector<Warning> warnings;
  SymbolId logic;  // of the first set-logic; none when there is no such command

  std::span<const uint32_t> items(const Command& command) const {
    return std::span(items_).subspan(command.first_item, command.item_count);
  }
  void set_items(Command& command, std::span<const uint32_t> items) {
    command.first_item = static_cast<uint32_t>(items_.size());
    command.item_count = static_cast<uint32_t>(items.size());
    items_.insert(items_.end(), items.begin(), items.end());
  }

 private:
  std::vector<uint32_t> items_;
};

constexpr bool is_setting(CommandKind kind) {
  return kind == CommandKind::kSetOption || kind == CommandKind::kSetInfo;
}

constexpr bool is_check(CommandKind kind) {
  return kind == CommandKind::kCheckSat || kind == CommandKind::kCheckSatAssuming ||
         kind == CommandKind::kCheckSatUsing;
}

// Whether the command's `term` is set.
constexpr bool has_term(CommandKind kind) {
  return kind >= CommandKind::kAssert && kind <= CommandKind::kMaximize;
}

// Whether the command's items are terms.
constexpr bool has_term_items(CommandKind kind) {
  return kind == CommandKind::kCheckSatAssuming || kind == CommandKind::kGetValue;
}

}  // namespace elenchus::ir
