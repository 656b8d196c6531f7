#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::ir {

// A term in which constants are holes, to be filled over and over again: what has to be rebuilt is
// worked out once. A part that occurs several times is rebuilt once, and so the same way
// everywhere: a hole is a place below a distinct term, not a path, of which there may be
// exponentially many.
class Template {
 public:
  // Without holes.
  Template() = default;
  // `constants` in any order. Constants in patterns are no holes: patterns are hints, and not every
  // term may stand in one. The walker is restarted.
  Template(const TermStore& store, Walker& walker, TermId term, std::span<const TermId> constants);

  TermId term() const { return term_; }
  bool has_holes() const { return !nodes_.empty() || own_ != kUntouched; }

  // Memory that fill() needs, to be used again.
  struct Scratch {
    std::vector<TermId> made;
    std::vector<TermId> args;
  };

  // The term with `filling(constant)` in each hole: a closed term of the sort of the constant,
  // which is given by its position.
  template <typename Filling>
  TermId fill(TermStore& store, Scratch& scratch, Filling filling) const;

 private:
  static constexpr int32_t kUntouched = -1;

  // An argument: untouched, a node by its position, or a constant by its, counted from -2 down.
  static int32_t constant(size_t at) { return -2 - static_cast<int32_t>(at); }
  static size_t constant_at(int32_t ref) { return static_cast<size_t>(-2 - ref); }

  struct Node {
    TermId term;
    uint32_t first_ref;  // as many as there are arguments
  };

  TermId term_;
  int32_t own_ = kUntouched;  // the term is this constant
  std::vector<Node> nodes_;   // that have holes, arguments first
  std::vector<int32_t> refs_;
};

template <typename Filling>
TermId Template::fill(TermStore& store, Scratch& scratch, Filling filling) const {
  if (own_ != kUntouched) return filling(constant_at(own_));
  auto& [made, args] = scratch;
  made.clear();
  for (const Node& node : nodes_) {
    const auto old = store.args(node.term);
    args.assign(old.begin(), old.end());
    bool is_changed = false;
    for (size_t i = 0; i < args.size(); ++i) {
      const int32_t ref = refs_[node.first_ref + i];
      if (ref == kUntouched) continue;
      args[i] = ref >= 0 ? made[static_cast<size_t>(ref)] : filling(constant_at(ref));
      is_changed = is_changed || args[i] != old[i];
    }
    made.push_back(is_changed ? store.make(store.op(node.term), store.sort(node.term),
                                           store.payload(node.term), args)
                              : node.term);
  }
  return nodes_.empty() ? term_ : made.back();
}

}  // namespace elenchus::ir
