#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::lane {

// One way of applying an operator to arguments of small sorts.
struct Form {
  ir::Op op = ir::Op::kNone;
  std::vector<uint32_t> indices;
  std::vector<ir::SortId> arguments;
  ir::SortId result;
};

// The numbers below `count`, each once, in an order that leaps about: the first few applications of
// a form differ in every argument.
class Tour {
 public:
  Tour() = default;
  Tour(uint64_t count, base::Rng& rng);

  bool is_over() const { return done_ == count_; }
  uint64_t next();

 private:
  uint64_t count_ = 0;
  uint64_t done_ = 0;
  uint64_t at_ = 0;
  uint64_t step_ = 0;
};

// All operators of the table that somebody reads, over the small sorts: Booleans, bit-vectors of
// one to four bits, floats of formats 2 3 and 3 5 (Float32 for readers that have no others),
// rounding modes, integers, reals, strings, regular expressions, and sequences, sets and arrays of
// single bits. Values are all there are, or a few at the boundaries. Belongs to a store: its terms
// are made before anything that is taken back.
class Forms {
 public:
  // `reader`: as in the table of operators.
  Forms(ir::TermStore& store, uint16_t reader);

  std::span<const Form> all() const { return forms_; }
  std::span<const ir::TermId> values(ir::SortId sort) const { return values_[place_of(sort)]; }

  // How many applications to values the form has.
  uint64_t count(const Form& form) const;
  // The application number `index` of them; none where it cannot be made.
  ir::TermId application(ir::TermStore& store, const Form& form, uint64_t index) const;

  // Declares constants of the small sorts.
  const ir::Script& script() const { return script_; }
  // A random term of so many operators above each other, over values and these constants, of forms
  // that are wanted.
  using IsWanted = std::function<bool(size_t form)>;
  ir::TermId nested(ir::TermStore& store, base::Rng& rng, uint32_t depth,
                    const IsWanted& is_wanted) const;

 private:
  bool is_read(const ir::TermStore& store, ir::SortId sort) const;
  size_t place_of(ir::SortId sort) const;
  void add_values(ir::TermStore& store);
  void add_constants(ir::TermStore& store);
  void add_forms(ir::TermStore& store, ir::Op op);
  void add_conversions(ir::TermStore& store, ir::Op op, const std::vector<ir::SortId>& arguments);
  void add_form(ir::TermStore& store, ir::Op op, const std::vector<uint32_t>& indices,
                const std::vector<ir::SortId>& arguments);
  ir::TermId apply(ir::TermStore& store, const Form& form, std::span<ir::TermId> args) const;
  ir::TermId leaf(base::Rng& rng, ir::SortId sort) const;
  const Form* random_form(base::Rng& rng, ir::SortId result, const IsWanted& is_wanted) const;
  ir::TermId random_term(ir::TermStore& store, base::Rng& rng, ir::SortId sort, uint32_t depth,
                         const IsWanted& is_wanted) const;

  uint16_t reader_;
  std::vector<ir::SortId> sorts_;
  std::vector<std::vector<ir::TermId>> values_;     // by place
  std::vector<std::vector<ir::TermId>> constants_;  // by place
  std::vector<Form> forms_;
  std::vector<std::vector<size_t>> by_result_;  // by place
  ir::Script script_;
};

}  // namespace elenchus::lane
