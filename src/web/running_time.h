#pragma once

#include <vector>

#include "store/records.h"

namespace elenchus::web {

// Turns times of the day into seconds that the campaign had been running, so that the nights
// between two sessions take no room in a plot.
class RunningTime {
 public:
  explicit RunningTime(const std::vector<store::SessionRecord>& sessions) : sessions_(sessions) {}

  double at(double time) const {
    double sum = 0;
    for (const store::SessionRecord& session : sessions_) {
      if (time <= session.start) break;
      sum += (time < session.last ? time : session.last) - session.start;
    }
    return sum < 0 ? 0 : sum;
  }

 private:
  const std::vector<store::SessionRecord>& sessions_;
};

}  // namespace elenchus::web
