#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace elenchus::record {

// How a run of a solver ended.
enum class Outcome : uint8_t {
#define ELENCHUS_OUTCOME(id, ...) id,
#include "record/outcomes.def"
#undef ELENCHUS_OUTCOME
};

struct OutcomeInfo {
  const char* name;
  std::string_view colour;  // a variable of data/web/page.css
};

inline constexpr std::array kOutcomeTable = {
#define ELENCHUS_OUTCOME(id, name, colour) OutcomeInfo{name, colour},
#include "record/outcomes.def"
#undef ELENCHUS_OUTCOME
};
inline constexpr size_t kOutcomes = kOutcomeTable.size();

constexpr const char* to_string(Outcome outcome) {
  return kOutcomeTable[static_cast<size_t>(outcome)].name;
}

constexpr bool is_decided(Outcome outcome) {
  return outcome == Outcome::kSat || outcome == Outcome::kUnsat;
}

}  // namespace elenchus::record
