#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace elenchus::campaign {

// A way of asking a solver: whole checks, or terms.
enum class Lane : uint8_t { kChecks, kTerms };
inline constexpr size_t kLanes = 2;
std::string_view to_string(Lane lane);
base::Result<Lane> lane_of(std::string_view name);

// Says when the lane of terms has a turn beside that of checks: it gets the share of the time that
// its share of what both brought per second says, within bounds; what is long ago counts less.
// Thread-safe.
class Lanes {
 public:
  // `names`: those that are wanted; none means all.
  explicit Lanes(const std::vector<std::string>& names);

  bool has(Lane lane) const { return has_[static_cast<size_t>(lane)]; }
  bool are_terms_due() const;
  // What a lane had and brought.
  void report(Lane lane, double value, double seconds);
  double share_of_terms() const;

  // What was learnt, in a line; what is no such line is ignored.
  std::string notes() const;
  void restore(std::string_view notes);

 private:
  struct Account {
    double value = 0;
    double seconds = 0;
  };
  double share() const;

  bool has_[kLanes] = {};
  mutable std::mutex mutex_;
  Account accounts_[kLanes];
};

}  // namespace elenchus::campaign
