#pragma once

#include <algorithm>
#include <string_view>

#include "ir/script.h"
#include "ir/term_store.h"

// What is said by commands that are neither about terms nor about declarations.
namespace elenchus::ir {

// The name of the script's logic; the other one where it has none.
inline std::string_view logic_name(const TermStore& store, const Script& script,
                                   std::string_view otherwise = {}) {
  return script.logic.valid() ? store.symbols().text(script.logic) : otherwise;
}

// Whether the command is the option that says if declarations outlive their level; is_switched_on()
// tells which.
inline bool is_global_declarations(const TermStore& store, const Command& command) {
  return command.kind == CommandKind::kSetOption &&
         store.symbols().text(command.text) == ":global-declarations";
}

// Whether the value of a setting is true.
inline bool is_switched_on(const TermStore& store, const Command& command) {
  return command.value.valid() && store.symbols().text(command.value) == "true";
}

// What several objectives are to each other, as a script says it by the option :opt.priority.
struct ObjectivePriority {
  std::string_view value = {};  // empty: not said
  // Set to different values, or behind a check: which of them holds where is not for us to say.
  bool is_ambiguous = false;
};

inline bool is_objective_priority(const TermStore& store, const Command& command) {
  return command.kind == CommandKind::kSetOption && command.value.valid() &&
         store.symbols().text(command.text) == ":opt.priority";
}

inline ObjectivePriority objective_priority(const TermStore& store, const Script& script) {
  ObjectivePriority priority;
  bool has_check = false;
  for (const Command& command : script.commands) {
    has_check = has_check || is_check(command.kind);
    if (!is_objective_priority(store, command)) continue;
    const std::string_view value = store.symbols().text(command.value);
    const bool is_another = !priority.value.empty() && priority.value != value;
    if (has_check || is_another) return {.value = {}, .is_ambiguous = true};
    priority.value = value;
  }
  return priority;
}

// Whether the command says what the answer should be.
inline bool sets_status(const TermStore& store, const Command& command) {
  return command.kind == CommandKind::kSetInfo && store.symbols().text(command.text) == ":status";
}

// The name of a command that is kept as text, such as get-model; of others, nothing.
inline std::string_view text_command_name(const TermStore& store, const Command& command) {
  if (command.kind != CommandKind::kText) return {};
  constexpr std::string_view kEnd = " \t\r\n();";
  const std::string_view text = store.symbols().text(command.text);
  const size_t start = std::min(text.find_first_not_of(kEnd), text.size());
  return text.substr(start, text.find_first_of(kEnd, start) - start);
}

}  // namespace elenchus::ir
