#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

// The functions of the theory of strings that do not care what the elements are, for strings and
// for sequences. Elements need only `==`. All are total: positions and lengths may be any integer.
// num/string.h says what each function means.
namespace elenchus::num {

// Finds a needle by the method of Knuth, Morris and Pratt, in time linear in the two lengths
// however often the needle repeats itself. The needle must outlive the searcher.
template <typename Iterator>
class KmpSearcher {
 public:
  KmpSearcher(Iterator first, Iterator last) : needle_(first), border_(last - first) {
    for (size_t at = 1, matched = 0; at < border_.size(); ++at) {
      matched = advance(matched, needle_[at]);
      border_[at] = matched;
    }
  }

  // Where the first occurrence starts, or `last`. An empty needle occurs everywhere.
  Iterator find(Iterator first, Iterator last) const {
    if (border_.empty()) return first;
    size_t matched = 0;
    for (Iterator at = first; at != last; ++at) {
      matched = advance(matched, *at);
      if (matched == border_.size()) return at - static_cast<ptrdiff_t>(matched - 1);
    }
    return last;
  }

 private:
  // How much of the needle is matched after one more element; `matched` is less than all of it.
  size_t advance(size_t matched, const std::iter_value_t<Iterator>& element) const {
    while (matched > 0 && !(needle_[matched] == element)) matched = border_[matched - 1];
    return needle_[matched] == element ? matched + 1 : matched;
  }

  Iterator needle_;
  // For each prefix of the needle, the length of its longest proper prefix that is a suffix, too.
  std::vector<size_t> border_;
};

// The position as an index when it lies in [0, limit].
inline std::optional<size_t> index_within(const mpz_class& position, size_t limit) {
  if (sgn(position) < 0 || cmp(position, limit) > 0) return std::nullopt;
  return position.get_ui();
}

template <typename T>
std::span<const T> seq_extract(std::span<const T> seq, const mpz_class& start,
                               const mpz_class& length) {
  const auto first = index_within(start, seq.size());
  if (!first || sgn(length) <= 0) return {};
  const size_t room = seq.size() - *first;
  return seq.subspan(*first, index_within(length, room).value_or(room));
}

template <typename T>
bool seq_prefix_of(std::span<const T> prefix, std::span<const T> seq) {
  return prefix.size() <= seq.size() && std::equal(prefix.begin(), prefix.end(), seq.begin());
}

template <typename T>
bool seq_suffix_of(std::span<const T> suffix, std::span<const T> seq) {
  return suffix.size() <= seq.size() && std::equal(suffix.rbegin(), suffix.rend(), seq.rbegin());
}

template <typename T>
int64_t seq_index_of(std::span<const T> seq, std::span<const T> needle, const mpz_class& start) {
  const auto from = index_within(start, seq.size());
  if (!from || needle.size() > seq.size() - *from) return -1;
  const KmpSearcher searcher(needle.begin(), needle.end());
  const auto at = searcher.find(seq.begin() + static_cast<ptrdiff_t>(*from), seq.end());
  return at == seq.end() && !needle.empty() ? -1 : at - seq.begin();
}

template <typename T>
int64_t seq_last_index_of(std::span<const T> seq, std::span<const T> needle) {
  if (needle.size() > seq.size()) return -1;
  const KmpSearcher searcher(needle.rbegin(), needle.rend());
  const auto at = searcher.find(seq.rbegin(), seq.rend());
  if (at == seq.rend() && !needle.empty()) return -1;
  return seq.rend() - at - static_cast<ptrdiff_t>(needle.size());
}

template <typename T>
bool seq_contains(std::span<const T> seq, std::span<const T> needle) {
  return seq_index_of(seq, needle, 0) >= 0;
}

// `Out` is a container of T: std::u32string or std::vector<T>.
template <typename Out, typename T>
void seq_append(Out& out, std::span<const T> part) {
  out.insert(out.end(), part.begin(), part.end());
}

// Nothing when the result would be longer than `max_length`.
template <typename Out, typename T>
std::optional<Out> seq_concat(std::span<const std::span<const T>> parts, size_t max_length) {
  size_t length = 0;
  for (const auto& part : parts) {
    if (part.size() > max_length - length) return std::nullopt;
    length += part.size();
  }
  Out result;
  result.reserve(length);
  for (const auto& part : parts) seq_append(result, part);
  return result;
}

template <typename Out, typename T>
std::optional<Out> seq_replace(std::span<const T> seq, std::span<const T> needle,
                               std::span<const T> by, size_t max_length) {
  std::vector<std::span<const T>> parts = {seq};
  if (const int64_t found = seq_index_of(seq, needle, 0); found >= 0) {
    const auto at = static_cast<size_t>(found);
    parts = {seq.first(at), by, seq.subspan(at + needle.size())};
  }
  return seq_concat<Out, T>(parts, max_length);
}

template <typename Out, typename T>
std::optional<Out> seq_replace_all(std::span<const T> seq, std::span<const T> needle,
                                   std::span<const T> by, size_t max_length) {
  std::vector<std::span<const T>> parts;
  if (!needle.empty()) {
    const KmpSearcher searcher(needle.begin(), needle.end());
    for (;;) {
      const auto at = searcher.find(seq.begin(), seq.end());
      if (at == seq.end()) break;
      const auto before = static_cast<size_t>(at - seq.begin());
      parts.push_back(seq.first(before));
      parts.push_back(by);
      seq = seq.subspan(before + needle.size());
    }
  }
  parts.push_back(seq);
  return seq_concat<Out, T>(parts, max_length);
}

template <typename Out, typename T>
Out seq_update(std::span<const T> seq, const mpz_class& start, std::span<const T> by) {
  Out result(seq.begin(), seq.end());
  const auto at = index_within(start, seq.size());
  if (!at) return result;
  const size_t count = std::min(by.size(), seq.size() - *at);
  std::copy_n(by.begin(), count, result.begin() + static_cast<ptrdiff_t>(*at));
  return result;
}

}  // namespace elenchus::num
