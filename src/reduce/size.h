#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "ir/measure.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::reduce {

// How large a script is. Compared from the first field to the last: every step of a reduction makes
// it smaller, so that reductions end.
struct Size {
  uint64_t definitions = 0;  // functions with a body; inlining one may make the rest larger
  uint64_t written = 0;      // nodes as printed: a large shared subterm once, then one per use
  uint64_t tree = 0;         // nodes without sharing; stops at the largest number
  uint64_t commands = 0;     // an assumption counts as a command
  uint64_t widths = 0;       // of bit-vectors and floats, summed over the terms
  uint64_t literals = 0;     // magnitudes of numbers, lengths of strings, operators' indices
  uint64_t letters = 0;      // of names and of commands kept as text

  // clang-tidy takes the 0 of rewritten comparisons for a null pointer.
  friend auto operator<=>(const Size&, const Size&) = default;  // NOLINT(modernize-use-nullptr)
};

// Measures scripts over one store, remembering the size of each root.
class Sizes {
 public:
  explicit Sizes(const ir::TermStore& store) : store_(store), measures_(store), walker_(store) {}

  Size of(const ir::Script& script);
  uint64_t tree(ir::TermId term) { return measures_.of(term).size; }
  uint32_t depth(ir::TermId term) { return measures_.of(term).depth; }
  // The field Size::literals of one term, without its arguments.
  uint64_t literal_weight(ir::TermId term) const;

 private:
  // Terms with fewer nodes are repeated where they are shared.
  static constexpr uint64_t kRepeated = 12;

  struct Root {
    bool known = false;
    uint64_t written = 0;
    uint64_t widths = 0;
    uint64_t literals = 0;
    uint64_t letters = 0;
  };
  struct Node {
    uint32_t uses = 0;
    uint64_t written = 0;
  };

  const Root& root(ir::TermId term);
  Root measure(ir::TermId root);
  void add_declaration(const ir::Script& script, const ir::Command& command, Size& size);
  uint64_t width(ir::SortId sort) const;
  uint64_t letters(ir::SymbolId name) const { return store_.symbols().text(name).size(); }

  const ir::TermStore& store_;
  ir::Measures measures_;
  ir::Walker walker_;
  uint64_t generation_ = 0;
  std::vector<Root> roots_;  // by term
  std::vector<Node> nodes_;  // by term; all zero between measurements
};

}  // namespace elenchus::reduce
