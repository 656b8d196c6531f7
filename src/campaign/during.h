#pragma once

#include <utility>

#include "store/ledger.h"

namespace elenchus::campaign {

// What holds until the end of a block, such as what runs are for.
template <typename T>
class During {
 public:
  During(T& place, T value) : place_(place), before_(std::exchange(place, value)) {}
  During(const During&) = delete;
  During& operator=(const During&) = delete;
  ~During() { place_ = before_; }

 private:
  T& place_;
  T before_;
};

}  // namespace elenchus::campaign
