#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "mutate/edit/order.h"

namespace elenchus::mutate::edit {

// One edit of a script: what it means depends on the script alone.
struct Edit {
  uint32_t kind = 0;
  Step step;
};

// Which edits of a script were made, and whose turn it is.
struct Frontier {
  std::vector<Cursor> cursors;  // of the kinds; none before the first edit
  size_t turn = 0;
  bool is_over = false;
  // Where several programs share the edits: whether some of others were passed over, and whether
  // the first round is over, after which nothing is.
  bool has_passed = false;
  bool is_for_all = false;
};

// How far the edits of a seed have come. Outlives the store that the seed lived in: visits to a
// seed are short, and each goes on where the last one ended.
struct Progress {
  // A single edit from which pairs start.
  struct Base {
    Edit edit;
    Frontier frontier;
    uint32_t pairs = 0;
  };

  uint64_t salt = 0;  // of what is drawn for an edit
  Frontier singles;
  std::vector<Base> bases;
  size_t turn = 0;                    // of the bases
  std::vector<Edit> others;           // some singles of which nothing is known
  uint64_t met = 0;                   // singles of which those were drawn
  std::unordered_set<uint64_t> made;  // fingerprints of mutants, and of the seed
};

// The progress of the seeds that were visited lately.
class Progresses {
 public:
  std::shared_ptr<Progress> of(uint64_t seed) {
    Entry& entry = entries_[seed];
    if (entry.progress == nullptr) entry.progress = std::make_shared<Progress>();
    entry.visit = ++visits_;
    const auto found = entry.progress;
    forget_oldest();
    return found;
  }
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    std::shared_ptr<Progress> progress;
    uint64_t visit = 0;
  };
  // About 100 bytes each; what is forgotten is merely made again.
  static constexpr size_t kMostMutants = 1'000'000;
  static constexpr size_t kMostSeeds = 20'000;

  void forget_oldest() {
    size_t mutants = 0;
    for (const auto& [seed, entry] : entries_) mutants += entry.progress->made.size();
    while (entries_.size() > 1 && (mutants > kMostMutants || entries_.size() > kMostSeeds)) {
      auto oldest = entries_.begin();
      for (auto it = entries_.begin(); it != entries_.end(); ++it) {
        if (it->second.visit < oldest->second.visit) oldest = it;
      }
      mutants -= oldest->second.progress->made.size();
      entries_.erase(oldest);
    }
  }

  std::map<uint64_t, Entry> entries_;
  uint64_t visits_ = 0;
};

}  // namespace elenchus::mutate::edit
