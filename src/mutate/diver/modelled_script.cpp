#include "mutate/diver/modelled_script.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ir/walk.h"

namespace elenchus::mutate::diver {

using ir::Op;
using ir::TermId;

namespace {

constexpr uint32_t kCostPerSpot = 500;

// A case binds the fields; its bodies are not worth the trouble.
bool is_closed(const ir::TermStore& store, TermId term) { return store.op(term) == Op::kMatch; }

// With the weights whose sums these are.
uint32_t drawn_from(base::Rng& rng, const std::vector<double>& sums) {
  const double draw = rng.unit() * sums.back();
  const auto found = std::upper_bound(sums.begin(), sums.end(), draw);
  return static_cast<uint32_t>(
      std::min<size_t>(static_cast<size_t>(found - sums.begin()), sums.size() - 1));
}

}  // namespace

ModelledScript::ModelledScript(ir::TermStore& store, const DiverSettings& settings,
                               ir::Script its_frame, std::vector<TermId> its_claims, HeldModel held)
    : frame(std::move(its_frame)),
      claims(std::move(its_claims)),
      model(std::move(held.model)),
      store_(store),
      settings_(settings),
      evaluator_(std::move(held.evaluator)),
      ranges_(*evaluator_) {}

// Works out the range of every occurrence, from the roots down; where there are too many, of some
// at every depth.
void ModelledScript::analyse(base::Rng& rng) {
  for (uint32_t i = 0; i < claims.size(); ++i) {
    Spot root{.term = claims[i], .claim = i, .range = Ranges::only(boolean(true))};
    spots_.push_back(std::move(root));
  }
  ir::Measures measures(store_);
  uint64_t occurrences = 0;
  for (const TermId claim : claims) {
    occurrences = ir::saturating_add(occurrences, measures.of(claim).size);
  }
  if (occurrences <= settings_.max_spots) {
    for (uint32_t i = 0; i < spots_.size(); ++i) expand(i);
  } else {
    sample(rng, measures);
  }
  sums_.reserve(spots_.size());
  double sum = 0;
  for (const Spot& spot : spots_) {
    sum += settings_.is_weighted ? Ranges::score(spot.range) : 1;
    sums_.push_back(sum);
  }
}

Spot ModelledScript::child(uint32_t index, uint32_t position) {
  const Spot& spot = spots_[index];
  const Op op = store_.op(spot.term);
  Spot child{.term = store_.args(spot.term)[position],
             .parent = index,
             .position = position,
             .claim = spot.claim,
             .is_bound = spot.is_bound || ir::is_binder(op),
             .range = {NoValue{}}};
  if (op == Op::kAnnotated) {
    child.range = spot.range;
  } else if (!child.is_bound) {
    child.range = ranges_.of_argument(spot.term, position, spot.range);
  }
  return child;
}

void ModelledScript::expand(uint32_t index) {
  const TermId term = spots_[index].term;
  if (is_closed(store_, term)) return;
  const auto [first, end] = ir::proper_args(store_, term);
  for (uint32_t i = first; i < end; ++i) spots_.push_back(child(index, i));
}

// Ways from random claims down to random leaves: half of them turn into large arguments more often,
// and so end deep, half of them into all arguments alike.
void ModelledScript::sample(base::Rng& rng, ir::Measures& measures) {
  std::vector<double> sums;
  double sum = 0;
  for (const TermId claim : claims) {
    sum += static_cast<double>(measures.of(claim).size);
    sums.push_back(sum);
  }
  std::unordered_map<uint64_t, uint32_t> known;  // by parent and position
  // Many ways are the same where there are few, and a range may cost as much as there are
  // arguments.
  uint64_t cost_left = uint64_t{kCostPerSpot} * settings_.max_spots;
  while (spots_.size() < claims.size() + settings_.max_spots && cost_left > 0) {
    const bool goes_by_size = rng.coin();
    uint32_t at =
        goes_by_size ? drawn_from(rng, sums) : static_cast<uint32_t>(rng.below(claims.size()));
    for (;;) {
      const TermId term = spots_[at].term;
      const uint64_t cost = store_.args(term).size() + 1;
      cost_left -= std::min(cost_left, cost);
      if (is_closed(store_, term) || cost == 1 || cost_left == 0) break;
      const uint32_t position = step_from(rng, term, goes_by_size, measures);
      const auto [entry, is_new] = known.try_emplace((uint64_t{at} << 32) | position, 0);
      if (is_new) {
        entry->second = static_cast<uint32_t>(spots_.size());
        spots_.push_back(child(at, position));
      }
      at = entry->second;
    }
  }
}

// The position of an argument.
uint32_t ModelledScript::step_from(base::Rng& rng, TermId term, bool goes_by_size,
                                   ir::Measures& measures) {
  const auto [first, end] = ir::proper_args(store_, term);
  if (!goes_by_size) return first + static_cast<uint32_t>(rng.below(end - first));
  const auto args = store_.args(term);
  std::vector<double> sums;
  double sum = 0;
  for (uint32_t i = first; i < end; ++i) {
    sum += static_cast<double>(measures.of(args[i]).size);
    sums.push_back(sum);
  }
  return first + drawn_from(rng, sums);
}

uint32_t ModelledScript::choose(base::Rng& rng) {
  if (spots_.empty()) analyse(rng);
  return drawn_from(rng, sums_);
}

void ModelledScript::find_place(uint32_t index, Place& place) const {
  place.path.clear();
  place.ancestors.clear();
  place.bound.clear();
  place.term = spots_[index].term;
  place.command = static_cast<uint32_t>(frame.commands.size()) + spots_[index].claim;
  place.at = place.command;
  for (uint32_t i = index; spots_[i].parent != kNoParent; i = spots_[i].parent) {
    const TermId parent = spots_[spots_[i].parent].term;
    place.path.push_back(spots_[i].position);
    place.ancestors.push_back(parent);
    if (!ir::is_binder(store_.op(parent))) continue;
    for (const TermId variable : store_.bound_variables(parent)) place.bound.push_back(variable);
  }
  std::reverse(place.path.begin(), place.path.end());
  std::reverse(place.ancestors.begin(), place.ancestors.end());
}

}  // namespace elenchus::mutate::diver
