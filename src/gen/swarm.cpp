#include "gen/swarm.h"

#include <algorithm>

namespace elenchus::gen {

using ir::Limit;
using ir::SortKind;
using ir::Theory;

namespace {

// Who reads the operator and then does not take it.
uint16_t refused_by(const ir::OpInfo& info, SortKind result) {
  uint16_t who = info.limited(Limit::kWantsOption);
  if (result == SortKind::kInt) who |= info.limited(Limit::kNoIntegerResult);
  if (result == SortKind::kRegLan) who |= info.limited(Limit::kNoRegexResult);
  return who;
}

}  // namespace

void Swarm::begin(uint16_t audience, KindMask kinds, const Bias* bias) {
  audience_ = audience;
  kinds_ = kinds;
  bias_ = bias;
  for (Wheel& wheel : wheels_) wheel.is_drawn = false;
}

const Choice& Swarm::at(SortKind result, uint32_t point) const {
  const auto& slices = wheels_[static_cast<size_t>(result)].slices;
  const auto found =
      std::upper_bound(slices.begin(), slices.end(), point,
                       [](uint32_t value, const Slice& slice) { return value < slice.end; });
  return *found->choice;
}

Swarm::Wheel& Swarm::wheel(base::Rng& rng, SortKind result) {
  Wheel& wheel = wheels_[static_cast<size_t>(result)];
  if (!wheel.is_drawn) draw(rng, result, wheel);
  return wheel;
}

void Swarm::draw(base::Rng& rng, SortKind result, Wheel& wheel) const {
  wheel.is_drawn = true;
  wheel.weight = 0;
  wheel.slices.clear();
  for (const Choice& choice : vocabulary_.for_result(result)) {
    if (!admits(choice, result)) continue;
    const uint32_t weight = factor(rng, choice) * choice.weight;
    if (weight == 0) continue;
    wheel.weight += weight;
    wheel.slices.push_back({&choice, wheel.weight});
  }
}

bool Swarm::admits(const Choice& choice, SortKind result) const {
  if ((choice.readers & audience_) != audience_ || (choice.needs & ~kinds_) != 0) return false;
  // true and false are leaves.
  if (choice.signature->params.empty() && result == SortKind::kBool) return false;
  if ((refused_by(table_.info(choice.op), result) & audience_) != 0) return false;
  if (!vocabulary_.logic().is_difference()) return true;
  // Differences have a form of their own, and nothing else computes.
  if (result == SortKind::kInt || result == SortKind::kReal) return false;
  const Theory theory = table_.info(choice.op).theory;
  return theory != Theory::kInts && theory != Theory::kReals && theory != Theory::kRealsInts;
}

uint32_t Swarm::factor(base::Rng& rng, const Choice& choice) const {
  const bool is_preferred =
      bias_ != nullptr && std::binary_search(bias_->ops.begin(), bias_->ops.end(), choice.op);
  if (rng.happens(settings_.off_one_in) && !is_preferred) return 0;
  return is_preferred || rng.happens(settings_.boosted_one_in) ? settings_.boost : 1;
}

}  // namespace elenchus::gen
