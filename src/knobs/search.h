#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/rng.h"
#include "knobs/knob.h"

namespace elenchus::knobs {

// A value for each knob of a search; empty: the knob is not given.
using Vector = std::vector<std::string>;

struct SearchSettings {
  uint32_t most = UINT32_MAX;     // knobs that may be given at once
  uint32_t first_most = 8;        // of the first, random vectors
  uint32_t population = 8;        // of the first generation
  uint32_t parents = 3;           // the best, which have the next one
  uint32_t barren = 10;           // generations without anything new, after which it ends
  uint32_t most_offspring = 100;  // after which it ends
  bool breeds = true;             // else every generation is drawn at random, like the first
};

// What a solver did under a vector.
struct Showing {
  uint32_t fitness = 0;
  bool has_news = false;  // something that no test has shown before
  bool conflict = false;  // it did not take the vector
};

// The genetic search of the Falcon paper (section 4.2) for option values under which a solver does
// what it has not done before. Ask for a vector, try it, report; until it is over. No vector is
// given twice; where there are no others left, it is over.
class Search {
 public:
  // The knobs must outlive it, and be usable.
  Search(std::vector<const Knob*> knobs, const SearchSettings& settings, base::Rng& rng);

  bool is_over() const;
  const std::vector<const Knob*>& knobs() const { return knobs_; }
  const Vector& current() const { return generation_[at_].values; }

  // What became of the current vector.
  void report(const Showing& showing, base::Rng& rng);

  uint32_t offspring() const { return offspring_; }
  uint32_t generations() const { return generations_; }

 private:
  struct Member {
    Vector values;
    uint32_t fitness = 0;
    bool conflict = false;
  };

  Vector random_vector(base::Rng& rng) const;
  void mutate(Vector& values, base::Rng& rng) const;
  void trim(Vector& values, base::Rng& rng) const;
  // Whether the vector gives something and is a new one; then it is part of the next generation.
  bool admit(Vector values);
  void add_random(base::Rng& rng);
  void add_child(const Vector& parent, base::Rng& rng);
  void next_generation(base::Rng& rng);
  void breed(base::Rng& rng);

  std::vector<const Knob*> knobs_;
  SearchSettings settings_;
  std::vector<Member> generation_;
  std::vector<Member> best_;            // of all generations, the best first
  std::unordered_set<uint64_t> drawn_;  // all vectors so far, by hash
  size_t at_ = 0;
  uint32_t offspring_ = 0;
  uint32_t generations_ = 0;
  uint32_t barren_ = 0;
  bool has_news_ = false;
};

// Another value than this one (empty: the default): the other Boolean, a number near by, another
// word. Empty when that is the default.
std::string changed(const Knob& knob, const std::string& value, base::Rng& rng);

// Any value but the default.
std::string random_value(const Knob& knob, base::Rng& rng);

}  // namespace elenchus::knobs
