#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace elenchus::mutate::edit {

// The numbers below a bound in random order, each once. Costs what was drawn, not the bound: a
// shuffle of which only the cells are kept that were touched.
class Shuffle {
 public:
  explicit Shuffle(uint64_t bound = 0) : left_(bound) {}

  std::optional<uint64_t> next(base::Rng& rng) {
    if (left_ == 0) return {};
    const uint64_t draw = rng.below(left_);
    const uint64_t last = --left_;
    const uint64_t result = at(draw);
    const uint64_t moved = at(last);
    if (draw != last) moved_[draw] = moved;
    moved_.erase(last);
    return result;
  }

  bool is_over() const { return left_ == 0; }
  // Memory, in cells.
  size_t cells() const { return moved_.size(); }

 private:
  uint64_t at(uint64_t cell) const {
    const auto found = moved_.find(cell);
    return found == moved_.end() ? cell : found->second;
  }

  uint64_t left_;
  std::unordered_map<uint64_t, uint64_t> moved_;
};

// One of the edits of a kind: where, and which of the choices there.
struct Step {
  uint64_t place = 0;
  uint64_t choice = 0;
};

// All edits of a kind, in random order, each once: every place has a turn with one of its choices
// before any has a second one. Says the same whatever store the script lives in.
class Cursor {
 public:
  // Places that may wait for a second turn. Those of larger scripts have one turn only.
  static constexpr size_t kMostOpen = 4096;

  // `places`: how many there are. `choices(place)`: how many there are at a place.
  // `is_wanted(step)` tells whether the edit can be made; at most `tries` of them are asked. None:
  // there are no more, or none of those tried can be made: see is_over().
  template <typename Choices, typename Wanted>
  std::optional<Step> next(base::Rng& rng, uint64_t places, uint32_t tries, Choices choices,
                           Wanted is_wanted) {
    if (!has_begun_) {
      has_begun_ = true;
      places_ = Shuffle(places);
    }
    while (tries > 0 && take_place(rng, choices, tries)) {
      Open& open = open_[at_];
      while (tries > 0) {
        const auto choice = open.choices.next(rng);
        if (!choice) break;
        --tries;
        const Step step{open.place, *choice};
        if (!is_wanted(step)) continue;
        leave_place();
        return step;
      }
      leave_place();
    }
    return {};
  }

  bool is_over() const { return has_begun_ && places_.is_over() && open_.empty(); }
  size_t cells() const {
    size_t sum = places_.cells() + open_.size();
    for (const Open& open : open_) sum += open.choices.cells();
    return sum;
  }

 private:
  struct Open {
    uint64_t place;
    Shuffle choices;
  };

  // Makes open_[at_] the place whose turn it is.
  template <typename Choices>
  bool take_place(base::Rng& rng, Choices choices, uint32_t& tries) {
    while (tries > 0) {
      const auto place = places_.next(rng);
      if (!place) break;
      --tries;
      const uint64_t count = choices(*place);
      if (count == 0) continue;
      at_ = open_.size();
      open_.push_back({*place, Shuffle(count)});
      return true;
    }
    if (!places_.is_over() || open_.empty()) return false;
    at_ = turn_ % open_.size();
    return true;
  }

  void leave_place() {
    const bool has_more = !open_[at_].choices.is_over();
    const bool is_first_round = !places_.is_over() || at_ + 1 == open_.size();
    if (has_more && (!is_first_round || open_.size() <= kMostOpen)) {
      if (places_.is_over()) turn_ = at_ + 1;
      return;
    }
    if (at_ + 1 != open_.size()) std::swap(open_[at_], open_.back());
    open_.pop_back();
    turn_ = at_;
  }

  Shuffle places_;
  std::vector<Open> open_;  // with choices left
  size_t at_ = 0;
  size_t turn_ = 0;
  bool has_begun_ = false;
};

}  // namespace elenchus::mutate::edit
