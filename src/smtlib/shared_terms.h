#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/free_variables.h"
#include "ir/term_store.h"

namespace elenchus::smtlib {

// Finds the terms that a unit of text, see term_printer.cpp, would write more than once. Keeps
// tables between calls.
class SharedTerms {
 public:
  using Terms = std::vector<ir::TermId>;
  using Test = std::function<bool(ir::TermId)>;

  SharedTerms(const ir::TermStore& store, ir::FreeVariables& free) : store_(store), free_(free) {}

  // What the unit names, in levels: below a term of a level are only those of earlier levels. The
  // unit has the terms with a variable for which `is_bound_here` holds; all, when it is empty.
  // Thousands of nested binders can ask for quadratically many steps; when `budget` is used up, not
  // all are found.
  std::vector<Terms> find(ir::TermId root, Test is_bound_here, const Test& is_worth_a_name,
                          uint64_t& budget);

 private:
  // A term on the walk, and which binders around it matter there.
  struct Place {
    ir::TermId term;
    uint32_t context = 0;
  };

  // Binders between the root and a term, the innermost first. Context 0 is empty.
  struct Context {
    uint32_t outer = 0;
    ir::TermId binder;
  };

  // How often a term is used as an argument, in this unit.
  struct Uses {
    uint32_t unit = 0;
    uint32_t count = 0;
    uint32_t level = 0;
    uint32_t context = 0;  // in which the walk found it first
  };

  void start(ir::TermId root);
  void walk(uint64_t& budget);
  void visit(ir::TermId term, uint32_t context);
  void set_levels(const Test& is_worth_a_name);
  uint32_t context_below(const Place& place);
  uint32_t context_of(ir::TermId term, uint32_t context);
  bool belongs_here(ir::TermId term, uint32_t context);

  const ir::TermStore& store_;
  ir::FreeVariables& free_;
  Test is_bound_here_;
  std::vector<Uses> uses_;  // by term
  uint32_t unit_ = 0;
  bool is_any_shared_ = false;
  Terms order_;  // of the unit, as the walk finds them: by nothing but the structure of the root
  std::vector<Place> places_;
  std::vector<Context> contexts_;
  std::unordered_map<uint64_t, uint32_t> context_ids_;  // by outer context and binder
  std::unordered_set<uint64_t> more_visits_;  // context and term: other contexts than the first
};

}  // namespace elenchus::smtlib
