// Substitution with an explicit stack. Passing a binder may change what is replaced below it: bound
// variables are no longer, and those that would capture are replaced by fresh ones. Each such
// change is an environment of its own, and results are remembered per environment and term, so that
// shared terms are rebuilt once and not once per path.
#include "ir/substitute.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/check.h"

namespace elenchus::ir {
namespace {

class Substituter {
 public:
  Substituter(TermStore& store, FreeVariables& free, const Substitution& map)
      : store_(store), free_(free) {
    environments_.push_back(map);
    std::sort(environments_[0].begin(), environments_[0].end());
    only_variables_ = std::all_of(map.begin(), map.end(), [&](const auto& entry) {
      return store.op(entry.first) == Op::kVar;
    });
  }

  TermId run(TermId root) {
    visit(0, root);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      const auto args = store_.args(top.term);
      if (top.next == args.size()) {
        finish();
        continue;
      }
      const uint32_t i = top.next++;
      visit(i < top.bound ? top.outer : top.inner, args[i]);
    }
    return results_.back();
  }

 private:
  struct Frame {
    TermId term;
    uint32_t next;   // argument to visit
    uint32_t bound;  // how many arguments are bound variables
    uint32_t outer;  // environment of the term itself
    uint32_t inner;  // and below its binder
    size_t results;  // how many results there were before its arguments'
  };

  static uint64_t key(uint32_t environment, TermId term) {
    return (uint64_t{environment} << 32) | term.value;
  }

  const TermId* replacement(uint32_t environment, TermId term) const {
    const Substitution& map = environments_[environment];
    const auto found = std::lower_bound(map.begin(), map.end(), std::pair(term, TermId{}));
    return found != map.end() && found->first == term ? &found->second : nullptr;
  }

  bool touches(uint32_t environment, TermId term) {
    if (!only_variables_) return true;
    const auto free = free_.of(term);
    return std::any_of(free.begin(), free.end(), [&](TermId variable) {
      return replacement(environment, variable) != nullptr;
    });
  }

  // Leaves the result on results_, or pushes a frame that will.
  void visit(uint32_t environment, TermId term) {
    if (const TermId* other = replacement(environment, term)) {
      results_.push_back(*other);
      return;
    }
    if (store_.args(term).empty() || !touches(environment, term)) {
      results_.push_back(term);
      return;
    }
    if (const auto known = memo_.find(key(environment, term)); known != memo_.end()) {
      results_.push_back(known->second);
      return;
    }
    Frame frame{term, 0, 0, environment, environment, results_.size()};
    if (is_binder(store_.op(term))) {
      frame.bound = store_.bound_count(term);
      // Bound variables keep their places; only renaming changes them.
      frame.inner = enter_binder(environment, term);
      for (const TermId variable : store_.bound_variables(term)) {
        const TermId* renamed = replacement(frame.inner, variable);
        results_.push_back(renamed != nullptr ? *renamed : variable);
      }
      frame.next = frame.bound;
    }
    stack_.push_back(frame);
  }

  uint32_t enter_binder(uint32_t environment, TermId binder) {
    const auto bound = store_.bound_variables(binder);
    const auto is_bound = [&](TermId term) {
      return std::find(bound.begin(), bound.end(), term) != bound.end();
    };
    Substitution inner;
    std::vector<TermId> captured;
    for (const auto& [from, to] : environments_[environment]) {
      if (is_bound(from)) continue;
      if (store_.op(from) == Op::kVar && !free_.is_free(from, binder)) continue;
      inner.emplace_back(from, to);
      for (const TermId variable : bound) {
        if (free_.is_free(variable, to)) captured.push_back(variable);
      }
    }
    std::sort(captured.begin(), captured.end());
    captured.erase(std::unique(captured.begin(), captured.end()), captured.end());
    for (const TermId variable : captured) inner.emplace_back(variable, renamed(variable));
    std::sort(inner.begin(), inner.end());
    if (inner == environments_[environment]) return environment;
    const auto next = static_cast<uint32_t>(environments_.size());
    const auto [entry, is_new] = environment_ids_.emplace(std::move(inner), next);
    if (is_new) environments_.push_back(entry->first);
    return entry->second;
  }

  // One new name does for all binders of a variable: where such binders are nested, the inner one
  // hides the outer one before and after. With a name for each, shared binders would multiply.
  TermId renamed(TermId variable) {
    TermId& other = renamed_[variable.value];
    if (!other.valid()) other = store_.fresh_variable(variable);
    return other;
  }

  void finish() {
    const Frame frame = stack_.back();
    stack_.pop_back();
    const std::span<const TermId> args(results_.data() + frame.results,
                                       results_.size() - frame.results);
    const TermId result = with_args(store_, frame.term, args);
    results_.resize(frame.results);
    results_.push_back(result);
    memo_.emplace(key(frame.outer, frame.term), result);
  }

  TermStore& store_;
  FreeVariables& free_;
  bool only_variables_ = false;
  std::vector<Substitution> environments_;
  std::map<Substitution, uint32_t> environment_ids_;
  std::unordered_map<uint32_t, TermId> renamed_;
  std::vector<Frame> stack_;
  std::vector<TermId> results_;
  std::unordered_map<uint64_t, TermId> memo_;
};

}  // namespace

TermId substitute(TermStore& store, FreeVariables& free, TermId term, const Substitution& map) {
  for (const auto& [from, to] : map) {
    ELENCHUS_CHECK(store.sort(from) == store.sort(to), "a replacement keeps the sort");
  }
  return Substituter(store, free, map).run(term);
}

TermId with_args(TermStore& store, TermId term, std::span<const TermId> args) {
  return store.make(store.op(term), store.sort(term), store.payload(term), args);
}

}  // namespace elenchus::ir
