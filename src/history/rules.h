#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elenchus::history {

// Numbers of items, ascending.
using ItemSet = std::vector<uint32_t>;

// Where all of `antecedent` is, `consequent` is in `confidence` of the cases; both together are in
// `support` of the sets.
struct Rule {
  ItemSet antecedent;
  ItemSet consequent;
  uint32_t support = 0;
  double confidence = 0;

  bool operator==(const Rule&) const = default;
};

// The paper's thresholds.
struct RuleSettings {
  uint32_t support = 0;  // 0: as large a part of the inputs as the paper's 9 of 2,898
  double confidence = 0.5;
  // Frequent sets of more items are not looked for, nor more sets than this: some inputs have
  // exponentially many.
  uint32_t max_items = 4;
  uint32_t max_sets = 50'000;
};

struct MinedRules {
  std::vector<Rule> rules;  // by antecedent and consequent, in order
  uint32_t frequent_sets = 0;
  bool is_complete = true;  // false: there were more than max_sets
};

// The inputs that a rule must be in, of so many.
uint32_t least_support(const RuleSettings& settings, size_t inputs);

// Association rules by the Apriori algorithm (R. Agrawal, R. Srikant: Fast Algorithms for Mining
// Association Rules, VLDB 1994).
MinedRules mine_rules(std::span<const ItemSet> sets, const RuleSettings& settings);

}  // namespace elenchus::history
