#include "ir/free_variables.h"

#include <algorithm>

#include "base/hash.h"

namespace elenchus::ir {

FreeVariables::FreeVariables(const TermStore& store, uint32_t budget)
    : store_(store), budget_(budget), cache_(store) {}

std::span<const TermId> FreeVariables::of(TermId term) {
  if (!store_.has(term, kHasVariables)) return {};
  if (generation_ != store_.generation()) forget_after_rollback();
  const uint32_t id = cache_.at(term, [this](TermId t) { return compute(t); });
  return exhausted_ ? std::span<const TermId>() : list(id);
}

// Lists of dropped terms stay behind; once they are many, all are computed anew.
void FreeVariables::forget_after_rollback() {
  generation_ = store_.generation();
  if (words_.size() < budget_ / 4) return;
  cache_.clear();
  lists_.resize(1);
  words_.truncate(0);
  index_ = {};
  exhausted_ = false;
}

bool FreeVariables::is_free(TermId variable, TermId term) {
  const auto free = of(term);
  return std::binary_search(free.begin(), free.end(), variable);
}

bool FreeVariables::any_free(std::span<const TermId> variables, TermId term) {
  return std::any_of(variables.begin(), variables.end(),
                     [&](TermId variable) { return is_free(variable, term); });
}

uint32_t FreeVariables::compute(TermId term) {
  if (!store_.has(term, kHasVariables) || exhausted_) return 0;
  if (store_.op(term) == Op::kVar) return intern({&term, 1});
  const bool binds = is_binder(store_.op(term));
  const auto args = store_.args(term);
  const auto bound = binds ? store_.bound_variables(term) : std::span<const TermId>();
  // Most terms have the list of one of their arguments.
  uint32_t only = 0;
  bool shared = true;
  for (const TermId arg : args.subspan(bound.size())) {
    const uint32_t id = cache_.get(arg);
    if (id == 0 || id == only) continue;
    shared = shared && only == 0;
    only = id;
  }
  if (!binds && shared) return only;
  scratch_.clear();
  for (const TermId arg : args.subspan(bound.size())) {
    const auto variables = list(cache_.get(arg));
    scratch_.insert(scratch_.end(), variables.begin(), variables.end());
  }
  std::sort(scratch_.begin(), scratch_.end());
  scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
  std::vector<TermId> sorted(bound.begin(), bound.end());
  std::sort(sorted.begin(), sorted.end());
  std::erase_if(scratch_, [&](TermId variable) {
    return std::binary_search(sorted.begin(), sorted.end(), variable);
  });
  return intern(scratch_);
}

uint32_t FreeVariables::intern(std::span<const TermId> variables) {
  if (variables.empty()) return 0;
  uint64_t hash = variables.size();
  for (const TermId variable : variables) hash = base::hash_mix(hash, variable.value);
  const auto same = [&](uint32_t id) {
    const auto old = list(id);
    return std::equal(old.begin(), old.end(), variables.begin(), variables.end());
  };
  if (const uint32_t found = index_.find(static_cast<uint32_t>(hash), same)) return found;
  if (words_.size() + variables.size() > budget_) {
    exhausted_ = true;
    return 0;
  }
  const List list{words_.append(variables), static_cast<uint32_t>(variables.size())};
  lists_.push_back(list);
  const auto id = static_cast<uint32_t>(lists_.size() - 1);
  index_.insert(static_cast<uint32_t>(hash), id);
  return id;
}

}  // namespace elenchus::ir
