// One way to rebuild terms. Each distinct term is rebuilt once, arguments first, on a stack of its
// own; what becomes of terms, functions and sorts is said by hooks, which are known when this is
// compiled and cost nothing where they do nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/paged_array.h"
#include "ir/apply.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// Hooks that leave everything as it is. Others derive from this and hide what they do otherwise.
struct RewriteHooks {
  // What the term becomes without being looked into; none: it is rebuilt.
  static TermId before(uint32_t /*environment*/, TermId /*term*/) { return {}; }
  // What a term becomes whose arguments have become these; none: the term of these arguments, with
  // what sort() and function() say. The arguments are gone once the rewriter is used again.
  static TermId after(TermId /*term*/, std::span<const TermId> /*args*/) { return {}; }
  // A term that is rewritten before this one, besides its arguments; none: there is none.
  static TermId also(TermId /*term*/) { return {}; }
  static SortId sort(SortId sort) { return sort; }
  // Of the same signature, with sort() applied.
  static FunId function(FunId fun) { return fun; }
  // Below a binder other rules may hold than outside: then they have another number, and terms are
  // rebuilt anew for it.
  static uint32_t below_binder(uint32_t environment, TermId /*binder*/) { return environment; }
  // Gives up. What rewrite() returns then means nothing.
  static bool is_stopped() { return false; }
};

// Remembers what terms have become, in memory that grows with the store: for a rewriter that serves
// many terms. There is one environment.
class DenseMemo {
 public:
  TermId find(uint32_t /*environment*/, TermId term) { return results_[term.value]; }
  void add(uint32_t /*environment*/, TermId term, TermId result) { results_[term.value] = result; }

 private:
  base::PagedArray<TermId> results_;
};

// The same in memory that grows with what is rewritten: for a rewriter that serves once.
class SparseMemo {
 public:
  TermId find(uint32_t environment, TermId term) const {
    const auto found = results_.find(key(environment, term));
    return found == results_.end() ? TermId{} : found->second;
  }
  void add(uint32_t environment, TermId term, TermId result) {
    results_.emplace(key(environment, term), result);
  }

 private:
  static uint64_t key(uint32_t environment, TermId term) {
    return (uint64_t{environment} << 32) | term.value;
  }
  std::unordered_map<uint64_t, TermId> results_;
};

// Keeps what it has rebuilt: hooks must go on saying the same of it. Good until a rollback.
template <typename Memo = DenseMemo>
class Rewriter {
 public:
  explicit Rewriter(TermStore& store) : store_(store) {}

  // What the term has become, or will without being looked into; none: nothing is known.
  TermId find(TermId term, uint32_t environment = 0) { return memo_.find(environment, term); }
  void set(TermId term, TermId result) { memo_.add(0, term, result); }

  // Hooks may call this.
  template <typename Hooks>
  TermId rewrite(TermId root, Hooks& hooks) {
    const size_t below = stack_.size();
    const size_t results = results_.size();
    visit(0, root, hooks);
    while (stack_.size() > below && !hooks.is_stopped()) {
      Pending& top = stack_.back();
      const auto args = store_.args(top.term);
      if (top.next == args.size()) {
        finish(hooks);
      } else {
        visit(top.inner, args[top.next++], hooks);
      }
    }
    const TermId result = stack_.size() > below ? root : results_.back();
    stack_.resize(below);
    results_.resize(results);
    return result;
  }

  // How many terms were rebuilt so far: what all this costs.
  uint64_t rebuilt() const { return rebuilt_; }

 private:
  struct Pending {
    TermId term;
    uint32_t next = 0;    // argument to visit
    uint32_t outer = 0;   // environment of the term itself
    uint32_t inner = 0;   // and of its arguments
    uint32_t before = 0;  // how many results there were before those that belong to it
    uint32_t first = 0;   // and before its arguments'
  };

  // Leaves the result on results_, or pushes one that will.
  template <typename Hooks>
  void visit(uint32_t environment, TermId term, Hooks& hooks) {
    while (term.valid()) {
      TermId known = hooks.before(environment, term);
      if (!known.valid()) known = memo_.find(environment, term);
      if (known.valid()) {
        results_.push_back(known);
        return;
      }
      const auto before = static_cast<uint32_t>(results_.size());
      Pending pending{term, 0, environment, environment, before, before};
      if (is_binder(store_.op(term))) pending.inner = hooks.below_binder(environment, term);
      term = hooks.also(term);
      if (term.valid()) ++pending.first;
      stack_.push_back(pending);
    }
  }

  template <typename Hooks>
  void finish(Hooks& hooks) {
    const Pending pending = stack_.back();
    stack_.pop_back();
    keep_bound_variables(pending);
    const TermId result = built(pending, hooks);
    results_.resize(pending.before);
    results_.push_back(result);
    memo_.add(pending.outer, pending.term, result);
    ++rebuilt_;
  }

  // A binder binds variables, whatever else becomes of them where they are used.
  void keep_bound_variables(const Pending& pending) {
    if (!is_binder(store_.op(pending.term))) return;
    const auto bound = store_.bound_variables(pending.term);
    for (size_t i = 0; i < bound.size(); ++i) {
      TermId& made = results_[pending.first + i];
      if (store_.op(made) != Op::kVar) made = bound[i];
    }
  }

  template <typename Hooks>
  TermId built(const Pending& pending, Hooks& hooks) {
    const auto made = std::span<const TermId>(results_).subspan(pending.first);
    if (const TermId result = hooks.after(pending.term, made); result.valid()) return result;
    const Op op = store_.op(pending.term);
    const SortId old_sort = store_.sort(pending.term);
    const SortId sort = hooks.sort(old_sort);
    if (op == Op::kVar) {
      if (sort == old_sort) return pending.term;
      return store_.variable(store_.variable_name(pending.term), sort,
                             store_.variable_level(pending.term));
    }
    const uint32_t payload = payload_of(pending.term, hooks);
    // Hooks may have used the rewriter.
    const auto args = std::span<const TermId>(results_).subspan(pending.first);
    const auto old = store_.args(pending.term);
    const bool is_same = sort == old_sort && payload == store_.payload(pending.term) &&
                         std::equal(args.begin(), args.end(), old.begin(), old.end());
    return is_same ? pending.term : store_.make(op, sort, payload, args);
  }

  template <typename Hooks>
  uint32_t payload_of(TermId term, Hooks& hooks) {
    const uint32_t payload = store_.payload(term);
    const Op op = store_.op(term);
    if (op == Op::kCall || op == Op::kFunRef || op == Op::kMatchCase) {
      return payload == 0 ? 0 : hooks.function(FunId{payload}).value;
    }
    if (!has_function_indices(store_, term)) return payload;
    const auto old = store_.indices(term);
    std::vector<uint32_t> indices(old.begin(), old.end());
    for (uint32_t& index : indices) {
      if ((index & kSymbolIndex) == 0) index = hooks.function(FunId{index}).value;
    }
    return store_.index_list(indices).value;
  }

  TermStore& store_;
  Memo memo_;
  std::vector<Pending> stack_;
  std::vector<TermId> results_;
  uint64_t rebuilt_ = 0;
};

}  // namespace elenchus::ir
