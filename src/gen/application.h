#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "gen/vocabulary.h"
#include "ir/term_store.h"

namespace elenchus::gen {

// Where the arguments of a new application come from. Everything may be drawn at random; none means
// that there is nothing suitable.
class Arguments {
 public:
  virtual ~Arguments() = default;
  virtual ir::TermId pick(ir::SortId sort) = 0;
  // A sort of this kind (of any, for SortKind::kNone) of which there are terms.
  virtual ir::SortId pick_sort(ir::SortKind kind) = 0;
  // A function with one parameter or more and this result that may stand for itself: by its name
  // alone one knows which function is meant.
  virtual ir::FunId pick_function(ir::SortId result) = 0;
};

// Applies operators to random arguments so that the application has a wanted sort. Widths, formats
// and element sorts come from the result and from the sorts that there are; the operator's own
// indices are solved for, or drawn where nothing determines them.
class Applier {
 public:
  Applier(ir::TermStore& store, base::Rng& rng) : store_(store), rng_(rng) {}

  // None when the draws did not lead to a term; another try may.
  ir::TermId apply(const Choice& choice, ir::SortId result, Arguments& arguments);

  // The operator on exactly these arguments, with indices of its own where it has some. None when
  // it does not take them.
  ir::TermId apply_to(const Choice& choice, ir::SortId result, std::span<const ir::TermId> args);

 private:
  // `expr` of the signature must have this value.
  struct Equation {
    uint32_t expr;
    int64_t value;
  };

  bool unify(uint32_t pattern, ir::SortId sort);
  bool unify_index(uint32_t expr, uint32_t value);
  bool propagate();
  // One unbound variable of the expression, and how many there are.
  void count_unbound(uint32_t expr, uint32_t& variable, uint32_t& count) const;
  bool solve(const Equation& equation, uint32_t variable);
  int64_t value_at(uint32_t expr) const;
  bool choose_indices();
  int64_t draw_index() const;
  ir::SortId choose_sort(uint32_t pattern, Arguments& arguments);

  ir::TermId by_pattern(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId by_rule(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId tester(const Choice& choice, Arguments& arguments);
  ir::TermId tester_of(const Choice& choice);
  ir::TermId update(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId tuple(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId tuple_update(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId tuple_project(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId higher_order(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId relation(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId array_of_function(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId make_bits(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId pseudo_boolean(const Choice& choice, ir::SortId result, Arguments& arguments);
  ir::TermId closure(const Choice& choice, ir::SortId result, Arguments& arguments);

  bool pick_all(std::span<const ir::SortId> sorts, Arguments& arguments);
  // The application of the operator to args_ with indices_, if that has the sort.
  ir::TermId make(const Choice& choice, ir::SortId result);

  ir::TermStore& store_;
  base::Rng& rng_;
  const ir::Signature* signature_ = nullptr;
  ir::Bindings bindings_;
  std::vector<Equation> equations_;
  std::vector<ir::TermId> args_;
  std::vector<ir::SortId> sorts_;
  std::vector<uint32_t> indices_;
};

}  // namespace elenchus::gen
