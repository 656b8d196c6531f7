#include "history/rules.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace elenchus::history {
namespace {

// Which of the sets contain something, one bit each.
using Bits = std::vector<uint64_t>;

uint32_t count_of(const Bits& bits) {
  uint32_t count = 0;
  for (const uint64_t word : bits) count += static_cast<uint32_t>(std::popcount(word));
  return count;
}

struct Frequent {
  ItemSet items;
  Bits where;
  uint32_t support = 0;
};

class Apriori {
 public:
  Apriori(std::span<const ItemSet> sets, const RuleSettings& settings)
      : sets_(sets), settings_(settings), support_(least_support(settings, sets.size())) {}

  MinedRules run() {
    std::vector<Frequent> level = single_items();
    while (!level.empty() && has_room_) {
      for (const Frequent& each : level) supports_[each.items] = each.support;
      mined_.frequent_sets += static_cast<uint32_t>(level.size());
      if (level[0].items.size() >= settings_.max_items) break;
      level = joined(level);
    }
    mined_.is_complete = has_room_;
    for (const auto& [items, support] : supports_) add_rules(items, support);
    std::sort(mined_.rules.begin(), mined_.rules.end(), [](const Rule& a, const Rule& b) {
      return std::tie(a.antecedent, a.consequent) < std::tie(b.antecedent, b.consequent);
    });
    return std::move(mined_);
  }

 private:
  std::vector<Frequent> single_items() {
    std::map<uint32_t, Bits> where;
    for (size_t i = 0; i < sets_.size(); ++i) {
      for (const uint32_t item : sets_[i]) {
        Bits& bits = where[item];
        bits.resize((sets_.size() + 63) / 64);
        bits[i / 64] |= uint64_t{1} << (i % 64);
      }
    }
    std::vector<Frequent> level;
    for (auto& [item, bits] : where) add_if_frequent(level, {item}, std::move(bits));
    return level;
  }

  // Sets of a level are in order, so that those which differ in the last item only are neighbours.
  std::vector<Frequent> joined(const std::vector<Frequent>& level) {
    std::vector<Frequent> next;
    for (size_t i = 0; i < level.size(); ++i) {
      for (size_t j = i + 1; j < level.size() && has_room_; ++j) {
        const ItemSet& a = level[i].items;
        const ItemSet& b = level[j].items;
        if (!std::equal(a.begin(), a.end() - 1, b.begin())) break;
        Bits both = level[i].where;
        for (size_t word = 0; word < both.size(); ++word) both[word] &= level[j].where[word];
        ItemSet items = a;
        items.push_back(b.back());
        add_if_frequent(next, std::move(items), std::move(both));
      }
    }
    return next;
  }

  void add_if_frequent(std::vector<Frequent>& level, ItemSet items, Bits where) {
    const uint32_t support = count_of(where);
    if (support < support_) return;
    if (mined_.frequent_sets + level.size() >= settings_.max_sets) {
      has_room_ = false;
      return;
    }
    level.push_back({std::move(items), std::move(where), support});
  }

  // Every way to cut a frequent set in two.
  void add_rules(const ItemSet& items, uint32_t support) {
    for (uint32_t cut = 1; cut + 1 < (1U << items.size()); ++cut) {
      Rule rule;
      for (size_t i = 0; i < items.size(); ++i) {
        ((cut >> i & 1U) != 0 ? rule.antecedent : rule.consequent).push_back(items[i]);
      }
      rule.support = support;
      rule.confidence = static_cast<double>(support) / supports_.at(rule.antecedent);
      if (rule.confidence >= settings_.confidence) mined_.rules.push_back(std::move(rule));
    }
  }

  std::span<const ItemSet> sets_;
  const RuleSettings& settings_;
  const uint32_t support_;
  std::map<ItemSet, uint32_t> supports_;
  MinedRules mined_;
  bool has_room_ = true;
};

}  // namespace

uint32_t least_support(const RuleSettings& settings, size_t inputs) {
  constexpr uint64_t kPaperSupport = 9;
  constexpr uint64_t kPaperInputs = 2898;
  constexpr uint64_t kLeast = 3;  // what two inputs share is often chance
  if (settings.support != 0) return settings.support;
  const uint64_t scaled = (inputs * kPaperSupport + kPaperInputs / 2) / kPaperInputs;
  return static_cast<uint32_t>(std::max(scaled, kLeast));
}

MinedRules mine_rules(std::span<const ItemSet> sets, const RuleSettings& settings) {
  return Apriori(sets, settings).run();
}

}  // namespace elenchus::history
