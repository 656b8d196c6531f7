#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace elenchus::campaign {

// Reads numbers with a blank between them.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : text_(text) {}

  template <typename Number>
  Number next() {
    while (text_.starts_with(' ')) text_.remove_prefix(1);
    Number number = 0;
    const auto [end, failed] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    is_good_ = is_good_ && failed == std::errc();
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    return number;
  }
  // Whether all numbers were there, and no more than these.
  bool are_read() const { return is_good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool is_good_ = true;
};

}  // namespace elenchus::campaign
