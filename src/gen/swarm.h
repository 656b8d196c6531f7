#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "gen/grammar_settings.h"
#include "gen/vocabulary.h"

namespace elenchus::gen {

// The production probabilities of one script: swarm testing leaves operators out and prefers
// others, differently for each script, so that rare combinations come about. Weights are drawn when
// a kind of result is first asked for.
class Swarm {
 public:
  Swarm(const ir::OpTable& table, const Vocabulary& vocabulary, const GrammarSettings& settings)
      : table_(table), vocabulary_(vocabulary), settings_(settings) {}

  // A new script: everyone of the audience reads the operators, and arguments are of these kinds.
  void begin(uint16_t audience, KindMask kinds, const Bias* bias);

  const Vocabulary& vocabulary() const { return vocabulary_; }

  // The sum of all weights.
  uint32_t weight(base::Rng& rng, ir::SortKind result) { return wheel(rng, result).weight; }
  // The operator at this point of the wheel, below the weight.
  const Choice& at(ir::SortKind result, uint32_t point) const;

 private:
  struct Slice {
    const Choice* choice;
    uint32_t end;  // of its part of the wheel
  };
  struct Wheel {
    bool is_drawn = false;
    uint32_t weight = 0;
    std::vector<Slice> slices;
  };

  Wheel& wheel(base::Rng& rng, ir::SortKind result);
  void draw(base::Rng& rng, ir::SortKind result, Wheel& wheel) const;
  bool admits(const Choice& choice, ir::SortKind result) const;
  uint32_t factor(base::Rng& rng, const Choice& choice) const;

  const ir::OpTable& table_;
  const Vocabulary& vocabulary_;
  const GrammarSettings& settings_;
  uint16_t audience_ = 0;
  KindMask kinds_ = 0;
  const Bias* bias_ = nullptr;
  std::array<Wheel, kSortKinds> wheels_;
};

}  // namespace elenchus::gen
