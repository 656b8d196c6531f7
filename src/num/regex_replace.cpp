#include "num/regex_replace.h"

#include <algorithm>
#include <vector>

#include "num/sequence.h"
#include "num/string.h"

namespace elenchus::num {

std::optional<std::u32string> str_replace_re(RegexQuery& query, std::u32string_view text,
                                             RegexId regex, std::u32string_view by,
                                             size_t max_length, RegexBudget& budget) {
  const auto at = str_index_of_re(query, text, regex, 0, budget);
  if (!at) return std::nullopt;
  std::vector<std::u32string_view> parts = {text};
  if (*at >= 0) {
    const auto first = static_cast<size_t>(*at);
    const auto length = query.shortest_match(regex, text.substr(first), budget);
    if (!length) return std::nullopt;
    parts = {text.substr(0, first), by, text.substr(first + *length)};
  }
  return str_concat(parts, max_length);
}

std::optional<std::u32string> str_replace_re_all(RegexQuery& query, std::u32string_view text,
                                                 RegexId regex, std::u32string_view by,
                                                 size_t max_length, RegexBudget& budget) {
  RegexStore& store = query.store();
  const RegexId wanted = store.nullable(regex) ? store.diff(regex, RegexStore::epsilon()) : regex;
  const auto starts = query.match_starts(wanted, text, budget);
  if (!starts) return std::nullopt;
  std::vector<std::u32string_view> parts;
  size_t copied = 0;
  for (size_t at = 0; at < text.size();) {
    if (!(*starts)[at]) {
      ++at;
      continue;
    }
    const auto length = query.shortest_match(wanted, text.substr(at), budget);
    if (!length) return std::nullopt;
    parts.push_back(text.substr(copied, at - copied));
    parts.push_back(by);
    at += *length;
    copied = at;
  }
  parts.push_back(text.substr(copied));
  return str_concat(parts, max_length);
}

std::optional<int64_t> str_index_of_re(RegexQuery& query, std::u32string_view text, RegexId regex,
                                       const mpz_class& start, RegexBudget& budget) {
  const auto from = index_within(start, text.size());
  if (!from) return -1;
  if (query.store().nullable(regex)) return static_cast<int64_t>(*from);
  const auto starts = query.match_starts(regex, text.substr(*from), budget);
  if (!starts) return std::nullopt;
  const auto found = std::find(starts->begin(), starts->end(), true);
  if (found == starts->end()) return -1;
  return static_cast<int64_t>(*from) + (found - starts->begin());
}

}  // namespace elenchus::num
