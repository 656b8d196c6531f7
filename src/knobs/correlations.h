#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace elenchus::knobs {

// What changing one option did to formulas with one operation.
struct Effects {
  uint32_t trials = 0;      // changed values tried
  uint32_t conflicts = 0;   // the solver did not take the formula with it
  uint32_t answers = 0;     // the answer was another one
  uint32_t statistics = 0;  // the answer was the same, the statistics were not
  uint32_t coverage = 0;    // these were the same, the code that ran was not
  uint32_t times = 0;       // only the time was another one

  uint32_t seen() const { return answers + statistics + coverage + times; }
  void add(const Effects& other);
};

// Which options have to do with which operations of a formula, learnt by trying (Falcon, section
// 4.1). An option is relevant to an operation when the probability of an effect, effects over
// trials, reaches the threshold, and more than one was seen.
class Correlations {
 public:
  std::string solver;   // the profile's name
  std::string version;  // of the solver that was asked
  double threshold = 0.1;
  uint64_t formulas = 0;  // that were tried

  void add(const std::string& option, const std::string& operation, const Effects& effects);

  // Whether the option was tried often enough for anything to be said.
  bool knows(const std::string& option) const;
  double probability(const std::string& option, const std::string& operation) const;
  // Whether it is relevant to one of the operations, and in conflict with none.
  bool is_relevant(const std::set<std::string>& operations, const std::string& option) const;

  const std::map<std::string, std::map<std::string, Effects>>& table() const { return table_; }
  // Adds what another file knows; the counts add up.
  void merge(const Correlations& other);

 private:
  std::map<std::string, std::map<std::string, Effects>> table_;
};

// The text of docs/formats.md.
std::string print_correlations(const Correlations& correlations);
base::Result<Correlations> read_correlations(std::string_view text);

}  // namespace elenchus::knobs
