#include "mutate/skeleton/rule_tracker.h"

#include <algorithm>
#include <utility>

namespace elenchus::mutate {

RuleTracker::RuleTracker(std::span<const history::Rule> rules,
                         const std::vector<char>& is_candidate)
    : rules_of_(is_candidate.size()), is_filled_(is_candidate.size()) {
  const auto are_candidates = [&](const history::ItemSet& items) {
    return std::all_of(items.begin(), items.end(),
                       [&](uint32_t item) { return is_candidate[item] != 0; });
  };
  for (const history::Rule& rule : rules) {
    if (!are_candidates(rule.antecedent) || !are_candidates(rule.consequent)) continue;
    const auto number = static_cast<uint32_t>(rules_.size());
    rules_.push_back(&rule);
    missing_.push_back(static_cast<uint32_t>(rule.antecedent.size()));
    for (const uint32_t item : rule.antecedent) rules_of_[item].push_back(number);
  }
}

void RuleTracker::note(uint32_t signature) {
  if (is_filled_[signature] != 0) return;
  is_filled_[signature] = 1;
  filled_.push_back(signature);
  for (const uint32_t rule : rules_of_[signature]) {
    if (--missing_[rule] == 0) met_.push_back(rule);
  }
}

std::optional<uint32_t> RuleTracker::wanted(base::Rng& rng) {
  if (met_.empty()) return {};
  std::swap(met_[rng.below(met_.size())], met_.back());
  const history::ItemSet& consequent = rules_[met_.back()]->consequent;
  met_.pop_back();
  return consequent[rng.below(consequent.size())];
}

void RuleTracker::restart() {
  for (const uint32_t signature : filled_) {
    is_filled_[signature] = 0;
    for (const uint32_t rule : rules_of_[signature]) ++missing_[rule];
  }
  filled_.clear();
  met_.clear();
}

}  // namespace elenchus::mutate
