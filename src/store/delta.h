#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/result.h"
#include "store/ledger.h"

namespace elenchus::store {

// How often something was found.
struct FindingCounts {
  uint64_t count = 0;
  double last = 0;  // seconds since 1970

  FindingCounts& operator+=(const FindingCounts& other);
};

// Signature, kind, solver (as runs name it), engine; whether it was confirmed.
using FindingKey = std::tuple<std::string, std::string, std::string, std::string, bool>;

// What a campaign counted since some moment, to be added to the figures of a campaign that it is a
// part of.
struct Delta {
  std::map<int64_t, Tallies> buckets;  // by their start; without repeats
  std::map<FindingKey, FindingCounts> findings;

  bool empty() const { return buckets.empty() && findings.empty(); }
  void merge(const Delta& other);
};

// The width of the buckets of a campaign that is so old, in seconds: they are kept for each of many
// nodes, and nobody looks at single minutes of a week.
inline constexpr int64_t kYoung = 2 * 3600;  // seconds
constexpr int64_t delta_width(double age) { return age < kYoung ? 60 : 600; }

// One JSON object of lists, and back; docs/formats.md has the columns.
std::string print_delta(const Delta& delta);
base::Result<Delta> parse_delta(std::string_view text);

}  // namespace elenchus::store
