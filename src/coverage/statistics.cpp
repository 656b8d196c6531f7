#include "coverage/statistics.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

namespace elenchus::coverage {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// FNV-1a: the same on every machine.
uint64_t hash_of(std::string_view text, uint64_t seed = 0xcbf29ce484222325ULL) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return seed;
}

// Figures that differ from run to run without anything else having happened.
bool is_noise(std::string_view name) {
  for (const std::string_view word :
       {"time", "Time", "memory", "Memory", "alloc", "filename", "Seconds", "seconds"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// z3's count of steps of any kind. Its magnitude says next to nothing; exactly, it is the same
// wherever two runs did the same.
bool is_effort(std::string_view name) { return name == ":rlimit-count"; }

// Words, and quoted text without the quotes; parentheses, braces, colons and commas that stand
// alone separate.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  bool next(std::string_view& word, bool& is_name) {
    while (at_ < text_.size() && (is_space(text_[at_]) || is_separator(text_[at_]))) {
      if (text_[at_] == ':' && at_ + 1 < text_.size() && !is_space(text_[at_ + 1])) break;
      ++at_;
    }
    if (at_ == text_.size()) return false;
    if (text_[at_] == '"') {
      const size_t end = std::min(text_.find('"', at_ + 1), text_.size());
      word = text_.substr(at_ + 1, end - at_ - 1);
      at_ = std::min(end + 1, text_.size());
      is_name = true;
      return true;
    }
    const size_t start = at_++;
    while (at_ < text_.size() && !is_space(text_[at_]) && !is_closing(text_[at_])) ++at_;
    word = text_.substr(start, at_ - start);
    is_name = word.starts_with(':');
    return true;
  }

 private:
  static bool is_closing(char c) { return c == ')' || c == '}' || c == ',' || c == '('; }
  static bool is_separator(char c) { return is_closing(c) || c == '{' || c == ':'; }

  std::string_view text_;
  size_t at_ = 0;
};

// The magnitude of a number; 0 for zero and for what is no number.
uint32_t magnitude(std::string_view word) {
  double value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (parsed.ptr != word.data() + word.size() || !(value > 0)) return 0;
  const double capped = std::min(value, 1e15);
  return static_cast<uint32_t>(std::bit_width(static_cast<uint64_t>(capped)));
}

bool is_number(std::string_view word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) != 0);
}

// `size_of` gives what a value counts as; 0: nothing.
template <typename SizeOf>
std::vector<uint64_t> keys_by(std::string_view text, bool with_effort, SizeOf size_of) {
  std::vector<uint64_t> keys;
  Words words(text);
  std::string_view word;
  std::string_view name;
  std::string_view part;  // of a statistic that counts several things
  bool is_name = false;
  while (words.next(word, is_name)) {
    if (is_name) {
      name = word;
      part = {};
    } else if (!is_number(word)) {
      part = word;
    } else if (!name.empty() && !is_noise(name) && (with_effort || !is_effort(name))) {
      const uint64_t size = size_of(word);
      if (size > 0) keys.push_back(hash_of(part, hash_of(name) + size));
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

std::vector<uint64_t> statistic_keys(std::string_view text) {
  return keys_by(text, false, magnitude);
}

std::vector<uint64_t> exact_statistic_keys(std::string_view text) {
  return keys_by(text, true, [](std::string_view word) {
    return magnitude(word) == 0 ? uint64_t{0} : hash_of(word);
  });
}

}  // namespace elenchus::coverage
