#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"

namespace elenchus::campaign {

// What a way of testing brought.
struct Share {
  std::string name;
  uint64_t visits = 0;
  double seconds = 0;
  double value = 0;
};

// What a turn brought, and in how many seconds.
struct Gain {
  double value = 0;
  double seconds = 0;
  uint64_t tests = 0;
};

// Says which of several engines, each in several ways, has the next turn: Thompson sampling over
// what each brought per second lately. An engine's chances follow from all its ways together, those
// of a way ("+options") from what it brought with all engines, so that little experience goes far.
class Bandit {
 public:
  // `forgets`: older experience counts less.
  explicit Bandit(std::vector<std::string> names, bool forgets = true);

  // `refused`: bits of those that are out of the question, unless all are.
  size_t pick(uint64_t refused, base::Rng& rng) const;
  // The engines that have made no test yet, in no way, but for those that had turns enough.
  std::vector<size_t> untried(uint64_t refused) const;
  size_t pick_way(size_t engine, uint64_t refused, base::Rng& rng) const {
    return pick_way(engine, open_arms(refused), rng);
  }
  void begin(size_t place) { ++arms_[place].share.visits; }
  void give_back(size_t place) { --arms_[place].share.visits; }
  // Guests' runs are the arm's, the rest is that of the engine as it is, where that takes part: it
  // would have brought as much.
  void report(size_t place, const Gain& own, const Gain& guests = {});
  // What others had of it.
  void learn(std::string_view name, double value, double seconds);
  // It turned out later that it had brought more.
  void reward(std::string_view name, double value);

  size_t size() const { return arms_.size(); }
  std::vector<Share> shares() const;

  // Lines for restore().
  std::string notes() const;
  // Whether the notes were taken of the same engines in the same ways. Others are passed over.
  bool restore(std::string_view notes);

 private:
  // Value and seconds, older ones counting less.
  struct Lately {
    double value = 0;
    double seconds = 0;
    double as_of = 0;  // by spent_
  };
  struct Arm {
    Share share;
    Lately lately;
    uint64_t tests = 0;
    size_t engine = 0;
    size_t way = 0;
  };
  // What is believed of an engine or a way without any experience.
  struct Prior {
    std::string name;
    double value = 0;
    double seconds = 0;
  };

  // What all arms of an engine or a way had and brought.
  struct Sum {
    bool is_open = false;
    uint64_t visits = 0;
    uint64_t tests = 0;
    double value = 0;
    double seconds = 0;

    void add(const Arm& arm, const Lately& lately) {
      visits += arm.share.visits;
      tests += arm.tests;
      value += lately.value;
      seconds += lately.seconds;
    }
  };

  bool is_open(size_t place, uint64_t refused) const;
  size_t plain_arm_of(size_t place) const;
  void add(Arm& arm, const Gain& gain);
  Lately now(const Lately& lately) const;
  double draw(const Prior& prior, const Sum& sum, base::Rng& rng) const;
  std::vector<size_t> open_arms(uint64_t refused) const;
  std::vector<Sum> sums_of_engines(const std::vector<size_t>& open) const;
  size_t pick_engine(const std::vector<size_t>& open, base::Rng& rng) const;
  size_t pick_way(size_t engine, const std::vector<size_t>& open, base::Rng& rng) const;
  size_t pick_any_way(size_t engine, const std::vector<size_t>& open, base::Rng& rng) const;

  std::vector<Arm> arms_;
  std::vector<Prior> engines_;
  std::vector<Prior> ways_;
  double spent_ = 0;  // seconds, by all
  bool forgets_;
};

}  // namespace elenchus::campaign
