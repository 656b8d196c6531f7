#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// Where a term occurs inside another: the argument positions on the way down.
using Path = std::vector<uint32_t>;

// The term at the end of the path.
TermId term_at(const TermStore& store, TermId root, std::span<const uint32_t> path);

// The root with the term at the end of the path replaced by one of the same sort.
TermId replace_at(TermStore& store, TermId root, std::span<const uint32_t> path,
                  TermId replacement);

// The variables bound around the end of the path, outermost first. A variable that an inner binder
// binds again counts once.
std::vector<TermId> variables_at(const TermStore& store, TermId root,
                                 std::span<const uint32_t> path);

// Draws occurrences uniformly from the tree that a term stands for, without enumerating them: a
// shared term has exponentially many. Binders' own variables, patterns and the cases of a match
// (but not their bodies) are no occurrences. Where there are more than 2^64, the draw is only
// roughly uniform.
class OccurrenceSampler {
 public:
  // Only occurrences of terms for which `wanted` holds are counted and drawn.
  explicit OccurrenceSampler(const TermStore& store, std::function<bool(TermId)> wanted = {});

  // How many there are in the tree of `root`; at most UINT64_MAX.
  uint64_t count(TermId root);

  // Nothing when there is no occurrence.
  std::optional<Path> sample(base::Rng& rng, TermId root);

 private:
  static constexpr uint64_t kCountless = UINT64_MAX - 1;

  bool is_wanted(TermId term) const {
    return store_.op(term) != Op::kMatchCase && (!wanted_ || wanted_(term));
  }
  uint64_t known(TermId term) const { return counts_[term.value] - 1; }
  uint32_t choose(base::Rng& rng, TermId term, uint64_t draw) const;
  uint32_t choose_countless(base::Rng& rng, TermId term) const;

  const TermStore& store_;
  std::function<bool(TermId)> wanted_;
  std::vector<uint64_t> counts_;  // plus one; 0 means not counted yet
  uint64_t generation_;
  std::vector<TermId> stack_;
};

}  // namespace elenchus::ir
