#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace elenchus::base {

// An array without end of which few parts are in use: an element is T() until it is written, and
// what is far from all that was touched costs nothing. Elements never move.
template <typename T, uint32_t PageBits = 7>
class PagedArray {
 public:
  T& operator[](uint32_t index) {
    const uint32_t page = index >> PageBits;
    if (page >= pages_.size() || pages_[page] == nullptr) add_page(page);
    return (*pages_[page])[index & kMask];
  }

  // From `size` on, all elements are T() again.
  void truncate(uint32_t size) {
    const uint32_t page = size >> PageBits;
    if (page >= pages_.size()) return;
    if (pages_[page] != nullptr) {
      std::fill(pages_[page]->begin() + (size & kMask), pages_[page]->end(), T());
    }
    pages_.resize(page + 1);
  }

  void clear() { pages_.clear(); }

 private:
  static constexpr uint32_t kMask = (1U << PageBits) - 1;
  using Page = std::array<T, 1U << PageBits>;

  void add_page(uint32_t page) {
    if (page >= pages_.size()) pages_.resize(page + 1);
    pages_[page] = std::make_unique<Page>();
  }

  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace elenchus::base
