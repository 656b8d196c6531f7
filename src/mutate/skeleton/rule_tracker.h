#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "history/rules.h"

namespace elenchus::mutate {

// Which association rules the atoms of a skeleton meet, while it is being filled.
class RuleTracker {
 public:
  // The rules whose signatures are all among those marked, by number; they must outlive this.
  RuleTracker(std::span<const history::Rule> rules, const std::vector<char>& is_candidate);

  // The skeleton has an atom of this signature.
  void note(uint32_t signature);
  // A signature of the consequent of a rule whose antecedent is there. Each rule has its turn once
  // for a skeleton.
  std::optional<uint32_t> wanted(base::Rng& rng);
  // For another skeleton.
  void restart();

 private:
  std::vector<const history::Rule*> rules_;
  std::vector<std::vector<uint32_t>> rules_of_;  // by signature: those with it in the antecedent
  std::vector<char> is_filled_;                  // by signature
  std::vector<uint32_t> filled_;                 // signatures
  std::vector<uint32_t> missing_;  // by rule: signatures of its antecedent that are not filled
  std::vector<uint32_t> met_;      // rules whose antecedent is filled, not used yet
};

}  // namespace elenchus::mutate
