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

  // Whether the option was tried often enough for anything to be said, and not refused with all.
  bool knows(const std::string& option) const;
  // Whether it was tried often enough on formulas with the operation.
  bool knows(const std::string& option, const std::string& operation) const;
  double probability(const std::string& option, const std::string& operation) const;
  // Whether it is relevant to one of the operations, and in conflict with none.
  bool is_relevant(const std::set<std::string>& operations, const std::string& option) const;
  // Whether solvers refuse it together with one of the operations.
  bool is_in_conflict(const std::set<std::string>& operations, const std::string& option) const;

  const std::map<std::string, std::map<std::string, Effects>>& table() const { return table_; }
  // Adds what another file knows; the counts add up.
  void merge(const Correlations& other);

 private:
  // Null where nothing was tried.
  const Effects* find(const std::string& option, const std::string& operation) const;

  std::map<std::string, std::map<std::string, Effects>> table_;
};

// The text of docs/formats.md.
std::string print_correlations(const Correlations& correlations);
base::Result<Correlations> read_correlations(std::string_view text);

// What the program knows of a solver without being told, by its profile's name: data/options. Null:
// nothing.
const Correlations* shipped_correlations(std::string_view solver);

}  // namespace elenchus::knobs
