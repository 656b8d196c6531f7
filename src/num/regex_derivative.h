#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "num/regex.h"

namespace elenchus::num {

// How much work a question about expressions may cost. A step is a visit of
// a node, or a new node.
class RegexBudget {
 public:
  explicit RegexBudget(uint64_t steps) : left_(steps) {}

  // False when there is not enough left; then nothing more can be spent.
  bool spend(uint64_t steps) {
    exhausted_ = exhausted_ || steps > left_;
    if (!exhausted_) left_ -= steps;
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }
  uint64_t left() const { return left_; }

 private:
  uint64_t left_;
  bool exhausted_ = false;
};

// Brzozowski's derivatives: the derivative of r by c are the strings w with cw in r. They are
// remembered for every part of an expression; so matching builds an automaton as far as it needs
// it.
class RegexDeriver {
 public:
  explicit RegexDeriver(RegexStore& store) : store_(store), generation_(store.generation()) {}

  // A derivative, and the characters around the given one by which it is the same. Going from range
  // to range visits the whole alphabet without ever computing its partition.
  struct Step {
    RegexId to;
    CharRange over;
  };

  // Nothing when the budget runs out.
  std::optional<Step> derivative(RegexId regex, char32_t c, RegexBudget& budget);

  RegexStore& store() { return store_; }

 private:
  struct Memo {
    Step step;
    uint32_t next;  // the one before, of the same expression; 0: none
  };
  struct Chain {
    uint32_t newest = 0;
    uint32_t length = 0;
  };

  // A part whose derivative is needed, and what is to follow it.
  struct Factor {
    RegexId head;
    RegexId tail;
  };

  void forget();
  bool is_leaf(RegexId regex) const;
  Step leaf_step(RegexId leaf, char32_t c);
  std::optional<Step> known_step(RegexId regex, char32_t c);
  void remember(RegexId regex, const Step& step);

  RegexId normal(RegexId regex, RegexBudget& budget);
  RegexId rotated(RegexId concat, RegexBudget& budget);
  bool is_nested(RegexId junction) const;

  void collect_factors(RegexId regex, RegexBudget& budget);
  void collect_concat_factors(RegexId regex, RegexBudget& budget);
  bool advance(RegexId regex, char32_t c, std::vector<RegexId>& todo, RegexBudget& budget);
  RegexId combine(RegexKind kind, RegexBudget& budget);
  void append_products(RegexId left, RegexId right, std::vector<RegexId>& out, RegexBudget& budget);
  RegexId product(RegexId left, RegexId right);

  RegexStore& store_;
  uint64_t generation_;
  std::vector<Memo> memos_ = std::vector<Memo>(1);  // index 0 means none
  std::vector<Chain> chains_;                       // by expression
  std::vector<RegexId> normal_;                     // by expression; invalid: not known
  std::vector<Factor> factors_;                     // of the expression at work
  std::vector<RegexId> derived_;                    // the derivatives of their heads
};

}  // namespace elenchus::num
