#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/value.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "mutate/forcing.h"

namespace elenchus::mutate {

// Says that terms have given values, in ways drawn at random, so that solvers have to work for it.
// Only operators of the sorts concerned are used, such as every solver has.
class Pinner {
 public:
  Pinner(ir::TermStore& store, eval::ValueStore& values, base::Rng& rng)
      : store_(store), values_(values), rng_(rng), walker_(store) {}

  // A term for the value: literals and constructors, and for an element of an uninterpreted sort a
  // constant that stands for it. None where no term denotes it in every solver.
  ir::TermId term_of(const eval::Value& value, ir::SortId sort);

  // Adds formulas that hold if and only if the term has the value. False where that cannot be said.
  bool pin(ir::TermId term, const eval::Value& value) { return pin(term, value, 0); }

  // All that was said. Ends the pinner's work.
  Forcing take();

 private:
  struct Number {
    ir::TermId term;
    mpz_class value;
  };

  ir::TermId apply(ir::Op op, std::initializer_list<ir::TermId> args,
                   std::initializer_list<uint32_t> indices = {});
  // Adds the formula. False when there is none.
  bool say(ir::TermId formula);
  bool say(ir::Op op, std::initializer_list<ir::TermId> args) { return say(apply(op, args)); }

  ir::TermId element(const eval::Value& value, ir::SortId sort);
  ir::TermId integer(const mpz_class& value);
  ir::TermId declare(std::string_view prefix, const eval::Value& value, ir::SortId sort);

  bool pin(ir::TermId term, const eval::Value& value, uint32_t depth);
  bool pin_in_some_way(ir::TermId term, const eval::Value& value, ir::TermId plain, uint32_t depth);
  bool pin_by_name(ir::TermId term, const eval::Value& value, ir::TermId plain);
  bool pin_between(ir::TermId term, ir::TermId plain, ir::Op at_most, ir::Op at_least);
  bool pin_integer(ir::TermId term, const eval::Value& value, ir::TermId plain);
  bool pin_sum(ir::TermId term, const mpz_class& value);
  bool pin_bits(ir::TermId term, const eval::Value& value, ir::TermId plain);
  bool pin_slices(ir::TermId term, const eval::Value& value);
  bool pin_string(ir::TermId term, const eval::Value& value, ir::TermId plain);
  bool pin_characters(ir::TermId term, const std::u32string& text);
  bool pin_float(ir::TermId term, const eval::Value& value, ir::TermId plain);
  bool pin_fields(ir::TermId term, const eval::Value& value, uint32_t depth);

  ir::TermStore& store_;
  eval::ValueStore& values_;
  base::Rng& rng_;
  ir::Walker walker_;
  Forcing forcing_;
  std::map<eval::Value, ir::TermId> elements_;
  // The elements' constants by sort, in the order in which they came up.
  std::vector<std::pair<ir::SortId, std::vector<ir::TermId>>> universes_;
  std::vector<Number> numbers_;  // integers that are pinned already
  uint32_t next_name_ = 0;
};

}  // namespace elenchus::mutate
