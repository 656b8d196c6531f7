#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gen/vocabulary.h"
#include "ir/template.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::mutate {

// What a logic must have for a formula.
struct Needs {
  gen::KindMask kinds = 0;   // of sorts
  bool functions = false;    // with arguments, or uninterpreted sorts
  bool nonlinear = false;    // products, quotients and powers of whatever
  bool calculates = false;   // sums and the like
  bool nonstandard = false;  // operators that are not in the standard
  bool quantifiers = false;
  uint16_t readers = UINT16_MAX;

  Needs& operator|=(const Needs& other);
};

// Who has terms of sorts of all these kinds.
uint16_t readers_of_kinds(const ir::OpTable& table, gen::KindMask kinds);

// For terms of the sort.
Needs needs_of_sort(const ir::TermStore& store, ir::SortId sort);

// The smallest logic in common use that has all of this, or ALL.
std::string_view smallest_logic(const Needs& needs);

// An atom, ready to be put into a skeleton with other variables.
class Atom {
 public:
  Atom(ir::TermStore& store, ir::Walker& walker, ir::TermId term);

  ir::TermId term() const { return template_.term(); }
  const Needs& needs() const { return needs_; }
  // The constants that were declared, each once: places for variables.
  std::span<const ir::TermId> variables() const { return variables_; }
  // Functions with arguments, constructors and selectors not among them.
  std::span<const ir::FunId> functions() const { return functions_; }
  // Sorts of its subterms that need declarations, each once.
  std::span<const ir::SortId> named_sorts() const { return named_sorts_; }
  // Whether it can be used in a script of its own.
  bool is_usable() const { return is_usable_; }

  using Scratch = ir::Template::Scratch;
  // The atom with these terms, of the same sorts, in the places of its variables.
  ir::TermId with(ir::TermStore& store, std::span<const ir::TermId> terms, Scratch& scratch) const {
    return template_.fill(store, scratch, [&](size_t variable) { return terms[variable]; });
  }

 private:
  void add(ir::TermStore& store, ir::TermId term);
  void add_needs(const ir::TermStore& store, ir::TermId term);
  bool is_sort_known(ir::SortId sort) const {
    return std::find(sorts_seen_.begin(), sorts_seen_.end(), sort) != sorts_seen_.end();
  }

  ir::Template template_;  // its holes are the variables
  std::vector<ir::TermId> variables_;
  std::vector<ir::FunId> functions_;
  std::vector<ir::SortId> named_sorts_;
  std::vector<ir::SortId> sorts_seen_;  // while the atom is made
  Needs needs_;
  bool is_usable_ = true;
};

}  // namespace elenchus::mutate
