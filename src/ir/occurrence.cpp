#include "ir/occurrence.h"

#include <algorithm>

#include "ir/measure.h"
#include "ir/substitute.h"
#include "ir/walk.h"

namespace elenchus::ir {

TermId term_at(const TermStore& store, TermId root, std::span<const uint32_t> path) {
  for (const uint32_t step : path) root = store.args(root)[step];
  return root;
}

TermId replace_at(TermStore& store, TermId root, std::span<const uint32_t> path,
                  TermId replacement) {
  std::vector<TermId> ancestors;
  for (const uint32_t step : path) {
    ancestors.push_back(root);
    root = store.args(root)[step];
  }
  TermId result = replacement;
  std::vector<TermId> args;
  for (size_t i = path.size(); i-- > 0;) {
    const auto old = store.args(ancestors[i]);
    args.assign(old.begin(), old.end());
    args[path[i]] = result;
    result = with_args(store, ancestors[i], args);
  }
  return result;
}

std::vector<TermId> variables_at(const TermStore& store, TermId root,
                                 std::span<const uint32_t> path) {
  std::vector<TermId> variables;
  for (const uint32_t step : path) {
    if (is_binder(store.op(root))) {
      for (const TermId variable : store.bound_variables(root)) {
        std::erase(variables, variable);
        variables.push_back(variable);
      }
    }
    root = store.args(root)[step];
  }
  return variables;
}

OccurrenceSampler::OccurrenceSampler(const TermStore& store, std::function<bool(TermId)> wanted)
    : store_(store), wanted_(std::move(wanted)), generation_(store.generation()) {}

uint64_t OccurrenceSampler::count(TermId root) {
  if (generation_ != store_.generation()) {
    const uint32_t stable = store_.stable_terms(generation_);
    if (counts_.size() > stable) counts_.resize(stable);
    generation_ = store_.generation();
  }
  if (counts_.size() <= root.value) counts_.resize(root.value + 1, 0);
  stack_.push_back(root);
  while (!stack_.empty()) {
    const TermId term = stack_.back();
    if (counts_[term.value] != 0) {
      stack_.pop_back();
      continue;
    }
    const auto args = store_.args(term);
    const auto [first, last] = proper_args(store_, term);
    uint64_t sum = 1 + (is_wanted(term) ? 1U : 0U);
    bool ready = true;
    for (uint32_t i = first; i < last; ++i) {
      if (counts_[args[i].value] == 0) {
        stack_.push_back(args[i]);
        ready = false;
      } else {
        sum = saturating_add(sum, known(args[i]));
      }
    }
    if (!ready) continue;
    counts_[term.value] = sum;
    stack_.pop_back();
  }
  return known(root);
}

// The argument to descend into, after `draw` occurrences were passed over.
uint32_t OccurrenceSampler::choose(base::Rng& rng, TermId term, uint64_t draw) const {
  const auto args = store_.args(term);
  const auto [first, last] = proper_args(store_, term);
  uint32_t chosen = first;
  for (uint32_t i = first; i < last; ++i) {
    const uint64_t here = known(args[i]);
    if (here > 0) chosen = i;
    if (here >= kCountless) return choose_countless(rng, term);
    if (draw < here) return i;
    draw -= here;
  }
  return chosen;
}

// Among arguments with more occurrences than can be counted, all are equal.
uint32_t OccurrenceSampler::choose_countless(base::Rng& rng, TermId term) const {
  const auto args = store_.args(term);
  const auto [first, last] = proper_args(store_, term);
  uint32_t chosen = first;
  uint64_t found = 0;
  for (uint32_t i = first; i < last; ++i) {
    if (known(args[i]) >= kCountless && rng.below(++found) == 0) chosen = i;
  }
  return chosen;
}

std::optional<Path> OccurrenceSampler::sample(base::Rng& rng, TermId root) {
  if (count(root) == 0) return std::nullopt;
  Path path;
  for (TermId term = root;;) {
    const uint64_t own = is_wanted(term) ? 1 : 0;
    const uint64_t draw = rng.below(known(term));
    if (draw < own) return path;
    path.push_back(choose(rng, term, draw - own));
    term = store_.args(term)[path.back()];
  }
}

}  // namespace elenchus::ir
