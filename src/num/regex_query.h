#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "num/regex.h"
#include "num/regex_derivative.h"

namespace elenchus::num {

// Answers questions about expressions of one store. Derivatives are remembered from one question to
// the next, unless they are many; a single match does not keep more of them than fit in some
// megabytes. Nothing (std::nullopt) means that the budget ran out.
class RegexQuery {
 public:
  explicit RegexQuery(RegexStore& store) : store_(store), deriver_(store) {}

  std::optional<bool> matches(RegexId regex, std::u32string_view text, RegexBudget& budget);

  // The strings w with cw in the language.
  std::optional<RegexId> derivative(RegexId regex, char32_t c, RegexBudget& budget);

  std::optional<bool> is_empty(RegexId regex, RegexBudget& budget);
  std::optional<bool> equal(RegexId left, RegexId right, RegexBudget& budget);

  // One of the shortest strings in the language, with letters and digits where they will do.
  // Nothing when the language is empty, or when the budget is exhausted.
  std::optional<std::u32string> shortest_member(RegexId regex, RegexBudget& budget);

  // Some string of at most `max_length` characters in the language; every one of them can be drawn.
  // Nothing when there is none, or when the budget is exhausted.
  std::optional<std::u32string> random_member(RegexId regex, base::Rng& rng, size_t max_length,
                                              RegexBudget& budget);

  // Where matches begin: element i, for i = 0..|text|, says whether some prefix of the text from i
  // on is in the language. Takes one pass over the text.
  std::optional<std::vector<bool>> match_starts(RegexId regex, std::u32string_view text,
                                                RegexBudget& budget);

  // The length of the shortest prefix of the text that is in the language. Nothing when there is
  // none, or when the budget is exhausted.
  std::optional<size_t> shortest_match(RegexId regex, std::u32string_view text,
                                       RegexBudget& budget);

  RegexStore& store() { return store_; }

 private:
  using Step = RegexDeriver::Step;

  bool collect_steps(RegexId regex, std::vector<Step>& steps, RegexBudget& budget);
  std::optional<std::u32string> find_path(RegexId regex, bool shortest, RegexBudget& budget);
  std::optional<RegexId> random_walk(RegexId from, size_t length, base::Rng& rng,
                                     std::u32string& path, RegexBudget& budget);

  RegexStore& store_;
  RegexDeriver deriver_;
};

}  // namespace elenchus::num
