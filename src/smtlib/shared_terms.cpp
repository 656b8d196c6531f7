// A term that depends on a binder inside the unit is written below each such binder anew, and what
// it uses is used there anew. So the walk visits it once for each context: the binders around it as
// far as they matter. Such terms belong to units further down; they only show the way to the terms
// of this one, whose context is 0.
#include "smtlib/shared_terms.h"

#include <algorithm>
#include <utility>

namespace elenchus::smtlib {

using ir::TermId;

namespace {

// Clearing costs as much as there once was in them, at each of many binders.
template <typename Map>
void clear(Map& map) {
  constexpr size_t kFew = 64;
  if (map.empty()) return;
  if (map.bucket_count() > 8 * map.size() + kFew) {
    Map().swap(map);
  } else {
    map.clear();
  }
}

}  // namespace

std::vector<SharedTerms::Terms> SharedTerms::find(TermId root, Test is_bound_here,
                                                  const Test& is_worth_a_name, uint64_t& budget) {
  is_bound_here_ = std::move(is_bound_here);
  start(root);
  walk(budget);
  // Mostly nothing is used twice.
  if (!is_any_shared_) return {};
  set_levels(is_worth_a_name);
  std::vector<Terms> levels;
  for (const TermId term : order_) {
    const Uses& uses = uses_[term.value];
    if (uses.count < 2 || !is_worth_a_name(term)) continue;
    if (levels.size() <= uses.level) levels.resize(uses.level + 1);
    levels[uses.level].push_back(term);
  }
  return levels;
}

void SharedTerms::start(TermId root) {
  if (uses_.size() < store_.term_count()) uses_.resize(store_.term_count());
  ++unit_;
  is_any_shared_ = false;
  contexts_.assign(1, {});
  clear(context_ids_);
  clear(more_visits_);
  places_.assign(1, {root, 0});
  order_.assign(1, root);
  uses_[root.value] = {unit_, 1, 0, 0};
}

void SharedTerms::walk(uint64_t& budget) {
  for (size_t next = 0; next < places_.size() && budget > 0; ++next) {
    --budget;
    const Place place = places_[next];
    const bool binds = ir::is_binder(store_.op(place.term));
    const uint32_t inner = binds ? context_below(place) : place.context;
    for (const TermId arg : store_.args(place.term)) {
      if (!store_.args(arg).empty()) visit(arg, context_of(arg, inner));
    }
  }
}

void SharedTerms::visit(TermId term, uint32_t context) {
  Uses& uses = uses_[term.value];
  const bool is_new = uses.unit != unit_;
  if (!is_new && context == 0 && uses.count > 0) {
    ++uses.count;
    is_any_shared_ = true;
    return;
  }
  if (!is_new && context != 0 && uses.context == context) return;
  if (is_bound_here_ && !belongs_here(term, context)) return;
  if (is_new) {
    uses = {unit_, 0, 0, context};
    order_.push_back(term);
  }
  if (context == 0) {
    uses.count = 1;
  } else if (uses.context != context) {
    const uint64_t again = (uint64_t{context} << 32) | term.value;
    if (!more_visits_.insert(again).second) return;
  }
  places_.push_back({term, context});
}

void SharedTerms::set_levels(const Test& is_worth_a_name) {
  Terms upwards = order_;
  std::sort(upwards.begin(), upwards.end());
  for (const TermId term : upwards) {
    uint32_t level = 0;
    for (const TermId arg : store_.args(term)) {
      const Uses& below = uses_[arg.value];
      if (below.unit != unit_) continue;
      const bool is_named = below.count >= 2 && is_worth_a_name(arg);
      level = std::max(level, below.level + (is_named ? 1 : 0));
    }
    uses_[term.value].level = level;
  }
}

// The context of what the binder at this place binds.
uint32_t SharedTerms::context_below(const Place& place) {
  const uint64_t key = (uint64_t{place.context} << 32) | place.term.value;
  const auto next = static_cast<uint32_t>(contexts_.size());
  const auto [known, is_new] = context_ids_.emplace(key, next);
  if (is_new) contexts_.push_back({place.context, place.term});
  return known->second;
}

// As much of the context as the term depends on.
uint32_t SharedTerms::context_of(TermId term, uint32_t context) {
  while (context != 0) {
    const auto bound = store_.bound_variables(contexts_[context].binder);
    if (free_.any_free(bound, term)) break;
    context = contexts_[context].outer;
  }
  return context;
}

// Whether the term has a variable of the unit that no binder of the context binds.
bool SharedTerms::belongs_here(TermId term, uint32_t context) {
  const auto is_hidden = [&](TermId variable) {
    for (uint32_t at = context; at != 0; at = contexts_[at].outer) {
      const auto bound = store_.bound_variables(contexts_[at].binder);
      if (std::find(bound.begin(), bound.end(), variable) != bound.end()) return true;
    }
    return false;
  };
  const auto variables = free_.of(term);
  return std::any_of(variables.begin(), variables.end(), [&](TermId variable) {
    return is_bound_here_(variable) && !is_hidden(variable);
  });
}

}  // namespace elenchus::smtlib
