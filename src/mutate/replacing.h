#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// A formula in which occurrences of constants can be replaced over and over again. Terms that
// occur several times in it are rewritten once, and so the same way everywhere: what is drawn for
// is the place below a distinct term, not the path, of which there may be exponentially many.
class Replaceable {
 public:
  // What a constant may be replaced by: closed terms of its sort. Empty: it stays.
  using Choices = std::vector<ir::TermId>;

  // `constants` in any order.
  Replaceable(const ir::TermStore& store, ir::TermId formula,
              std::span<const ir::TermId> constants);

  // Whether some constant occurs in it.
  bool is_concerned() const { return !nodes_.empty() || own_ >= 0; }

  // `choices` by position among the constants; each occurrence is replaced with this probability.
  // Calls `replaced(constant, choice)`, both as positions, for each replacement.
  template <typename Replaced>
  ir::TermId replace(ir::TermStore& store, base::Rng& rng, uint32_t percent,
                     std::span<const Choices> choices, Replaced replaced);

 private:
  static constexpr int32_t kUntouched = -1;

  // An argument: untouched, a node by its position, or a constant by its, counted from -2 down.
  static int32_t constant(size_t at) { return -2 - static_cast<int32_t>(at); }
  static size_t constant_at(int32_t ref) { return static_cast<size_t>(-2 - ref); }

  struct Node {
    ir::TermId term;
    uint32_t first_ref;  // as many as there are arguments
  };

  ir::TermId formula_;
  int32_t own_ = -1;         // the formula is this constant
  std::vector<Node> nodes_;  // that some constant occurs in, arguments first
  std::vector<int32_t> refs_;
  std::vector<ir::TermId> made_;  // scratch: what the nodes become
  std::vector<ir::TermId> args_;
};

template <typename Replaced>
ir::TermId Replaceable::replace(ir::TermStore& store, base::Rng& rng, uint32_t percent,
                                std::span<const Choices> choices, Replaced replaced) {
  const auto draw = [&](size_t constant, ir::TermId as_it_is) {
    const Choices& list = choices[constant];
    if (list.empty() || rng.below(100) >= percent) return as_it_is;
    const size_t choice = rng.below(list.size());
    replaced(constant, choice);
    return list[choice];
  };
  if (own_ >= 0) return draw(static_cast<size_t>(own_), formula_);
  made_.clear();
  for (const Node& node : nodes_) {
    const auto old = store.args(node.term);
    args_.assign(old.begin(), old.end());
    bool is_changed = false;
    for (size_t i = 0; i < args_.size(); ++i) {
      const int32_t ref = refs_[node.first_ref + i];
      if (ref == kUntouched) continue;
      args_[i] = ref >= 0 ? made_[static_cast<size_t>(ref)] : draw(constant_at(ref), args_[i]);
      is_changed = is_changed || args_[i] != old[i];
    }
    made_.push_back(is_changed ? store.make(store.op(node.term), store.sort(node.term),
                                            store.payload(node.term), args_)
                               : node.term);
  }
  return nodes_.empty() ? formula_ : made_.back();
}

}  // namespace elenchus::mutate
