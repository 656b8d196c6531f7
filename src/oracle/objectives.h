#pragma once

#include <gmpxx.h>

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/evaluator.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::oracle {

// Assertions of which as much weight as possible should hold; what does not is the cost.
struct Soft {
  ir::TermId term;
  mpq_class weight;
};

// What is to be as large or as small as possible: a term, or the cost of a group.
struct Objective {
  bool is_maximized = false;
  ir::TermId term;        // none for a group
  std::string name = {};  // of a group; those without one are a group, too
  std::vector<Soft> softs = {};

  bool is_group() const { return !term.valid(); }
  bool is_better(const mpq_class& one, const mpq_class& other) const {
    return is_maximized ? one > other : one < other;
  }
};

// What several objectives are to each other: one after the other, each for itself, or none at the
// cost of another.
enum class Priority : uint8_t { kLexicographic, kBox, kPareto };

struct Objectives {
  Priority priority = Priority::kLexicographic;
  std::vector<Objective> all;  // in the order in which solvers list them
  // Some assert-soft leaves out its weight or its group. z3 4.8.12 takes what the one before had,
  // even where that stood before a (reset).
  bool has_defaults = false;
};

// Those in force at the command number `check`, a check-sat. Nothing where there are none, or where
// something is said of them that we do not know.
std::optional<Objectives> objectives_at(const ir::TermStore& store, const ir::Script& script,
                                        size_t check);

// A number, or what is approached: a multiple of infinity, a value and a multiple of epsilon.
struct Reach {
  mpq_class infinite;
  mpq_class value;
  mpq_class epsilon;

  bool is_finite() const { return infinite == 0; }
  bool is_exact() const { return infinite == 0 && epsilon == 0; }
};

// Whether a number is beyond what is said to be reached, in the objective's direction.
bool is_beyond(const Objective& objective, const mpq_class& number, const Reach& reach);

// What a solver printed for (get-objectives): for each objective what it reaches, none where that
// is not said exactly. Nothing where it lists others than these.
using Reached = std::vector<std::optional<Reach>>;
std::optional<Reached> read_objectives(std::string_view printed, const Objectives& objectives);

// What the objective is under a model; none where that is unknown or no rational number.
std::optional<mpq_class> value_of(eval::Evaluator& evaluator, const Objective& objective);

// "the maximum of (+ x 1)", "the cost of g".
std::string spoken(const ir::TermStore& store, const Objective& objective);

std::string spoken(const Reach& reach);

}  // namespace elenchus::oracle
