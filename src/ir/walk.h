#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/paged_array.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// The arguments of a term that are terms in their own right: not the variables that a binder
// introduces, and not the patterns of an annotation. A half-open range of positions.
inline std::pair<uint32_t, uint32_t> proper_args(const TermStore& store, TermId term) {
  const Op op = store.op(term);
  const auto count = static_cast<uint32_t>(store.args(term).size());
  if (is_binder(op)) return {store.bound_count(term), count};
  if (op == Op::kAnnotated) return {0, 1};
  return {0, count};
}

// Visits each distinct subterm once, arguments before the terms that use them. Reusable: the marks
// of earlier walks cost nothing to forget.
class Walker {
 public:
  explicit Walker(const TermStore& store) : store_(store) {}

  // Forgets which terms were visited.
  void restart() {
    ++epoch_;
    if (epoch_ == 0) {
      seen_.clear();
      epoch_ = 1;
    }
  }

  // Visits what is below `root`, and `root`, unless visited since the last restart().
  template <typename Visit>
  void walk(TermId root, Visit visit) {
    if (!enter(root)) return;
    while (!stack_.empty()) {
      Entered& top = stack_.back();
      const auto args = store_.args(top.term);
      if (top.next < args.size()) {
        enter(args[top.next++]);
        continue;
      }
      const TermId done = top.term;
      stack_.pop_back();
      visit(done);
    }
  }

  // Whether `wanted` holds of some subterm; stops there.
  template <typename Wanted>
  bool find(TermId root, Wanted wanted) {
    bool found = enter(root) && wanted(root);
    while (!found && !stack_.empty()) {
      Entered& top = stack_.back();
      const auto args = store_.args(top.term);
      if (top.next == args.size()) {
        stack_.pop_back();
        continue;
      }
      const TermId arg = args[top.next++];
      found = enter(arg) && wanted(arg);
    }
    stack_.clear();
    return found;
  }

 private:
  // A term whose arguments are being walked.
  struct Entered {
    TermId term;
    uint32_t next;
  };

  bool enter(TermId term) {
    uint32_t& seen = seen_[term.value];
    if (seen == epoch_) return false;
    seen = epoch_;
    stack_.push_back({term, 0});
    return true;
  }

  const TermStore& store_;
  base::PagedArray<uint32_t> seen_;
  std::vector<Entered> stack_;
  uint32_t epoch_ = 1;
};

}  // namespace elenchus::ir
