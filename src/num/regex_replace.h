#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "num/regex_query.h"

// The functions of the theory of strings that look for matches of an expression. A match begins as
// far left as possible, and then ends as early as possible. Nothing means that the budget ran out,
// or that the result would be longer than `max_length`.
namespace elenchus::num {

// The first match replaced. If the empty string is in the language, it is the first match.
std::optional<std::u32string> str_replace_re(RegexQuery& query, std::u32string_view text,
                                             RegexId regex, std::u32string_view by,
                                             size_t max_length, RegexBudget& budget);

// All matches that are not empty replaced, from the left, without overlaps. For languages that hold
// the empty string, SMT-LIB 2.6 contradicts itself: by one of its two equations nothing is
// replaced, by the other, and by its description, the matches that are not empty are. So do we.
std::optional<std::u32string> str_replace_re_all(RegexQuery& query, std::u32string_view text,
                                                 RegexId regex, std::u32string_view by,
                                                 size_t max_length, RegexBudget& budget);

// cvc5: where the first match at or after `start` begins, or -1. An empty match counts, at |text|,
// too.
std::optional<int64_t> str_index_of_re(RegexQuery& query, std::u32string_view text, RegexId regex,
                                       const mpz_class& start, RegexBudget& budget);

}  // namespace elenchus::num
