#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/rng.h"
#include "ir/script.h"
#include "mutate/draft.h"
#include "mutate/edit/original.h"

namespace elenchus::mutate::edit {

// A command to be changed, with what is drawn for it.
struct Spot {
  uint32_t command;
  uint64_t choice;
  base::Rng& rng;
};

// A kind of edit: of an occurrence of a term, or of a command. `choices` may be more than there
// are: not every one of them leads to an edit.
struct Kind {
  std::string_view name;
  uint32_t turns = 1;              // for each turn of a kind that has one
  bool keeps_declarations = true;  // so that a model of the seed speaks of the mutant
  uint64_t (*choices_at)(Original& original, const Place& place) = nullptr;
  ir::TermId (*replacement)(Original& original, const Site& site) = nullptr;
  uint64_t (*choices_of)(Original& original, uint32_t command) = nullptr;
  std::optional<ir::Script> (*edited)(Original& original, const Spot& spot) = nullptr;

  bool is_of_terms() const { return replacement != nullptr; }
};

// All of them. Their order and number is part of what a cursor means.
std::span<const Kind> kinds();

// Rows of the table: edits of terms, of commands, of declarations and sorts.
std::span<const Kind> term_kinds();
std::span<const Kind> command_kinds();
std::span<const Kind> declaration_kinds();

}  // namespace elenchus::mutate::edit
