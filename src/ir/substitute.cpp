// Passing a binder may change what is replaced below it: bound variables are no longer, and those
// that would capture are replaced by fresh ones. Each such change is an environment of its own
// (ir/rewriter.h), so that shared terms are rebuilt once and not once per path.
#include "ir/substitute.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/check.h"
#include "ir/rewriter.h"

namespace elenchus::ir {
namespace {

class Substituter : public RewriteHooks {
 public:
  Substituter(TermStore& store, FreeVariables& free, const Substitution& map)
      : store_(store), free_(free) {
    environments_.push_back(map);
    std::sort(environments_[0].begin(), environments_[0].end());
    only_variables_ = std::all_of(map.begin(), map.end(), [&](const auto& entry) {
      return store.op(entry.first) == Op::kVar;
    });
  }

  TermId before(uint32_t environment, TermId term) {
    if (const TermId* other = replacement(environment, term)) return *other;
    const bool stays = store_.args(term).empty() || !touches(environment, term);
    return stays ? term : TermId{};
  }

  uint32_t below_binder(uint32_t environment, TermId binder);

 private:
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

  // One new name does for all binders of a variable: where such binders are nested, the inner one
  // hides the outer one before and after. With a name for each, shared binders would multiply.
  TermId renamed(TermId variable) {
    TermId& other = renamed_[variable.value];
    if (!other.valid()) other = store_.fresh_variable(variable);
    return other;
  }

  TermStore& store_;
  FreeVariables& free_;
  bool only_variables_ = false;
  std::vector<Substitution> environments_;
  std::map<Substitution, uint32_t> environment_ids_;
  std::unordered_map<uint32_t, TermId> renamed_;
};

uint32_t Substituter::below_binder(uint32_t environment, TermId binder) {
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

}  // namespace

TermId substitute(TermStore& store, FreeVariables& free, TermId term, const Substitution& map) {
  for (const auto& [from, to] : map) {
    ELENCHUS_CHECK(store.sort(from) == store.sort(to), "a replacement keeps the sort");
  }
  Substituter substituter(store, free, map);
  return Rewriter<SparseMemo>(store).rewrite(term, substituter);
}

TermId with_args(TermStore& store, TermId term, std::span<const TermId> args) {
  return store.make(store.op(term), store.sort(term), store.payload(term), args);
}

}  // namespace elenchus::ir
