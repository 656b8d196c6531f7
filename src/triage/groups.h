#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "record/bug.h"

namespace elenchus::triage {

// Bugs that probably have one cause: what maintainers want one report of.
struct Group {
  size_t chief = 0;             // the one to report
  std::vector<size_t> members;  // all of them, the chief first
};

// Whether the first bug accounts for the second: the same known bug upstream, the same formula up
// to renaming on the same solver, the same place of a crash, or the same kind of wrong answer on
// further operators or with other
// comparisons, shown by the same versions of the solver and under the same options. Where both are
// wrong answers that were diagnosed, the options that make them vanish decide.
bool is_same_bug(const record::Bug& chief, const record::Bug& other);

// Bugs by their cause, given in the order of their rank. Each belongs to one group: that of the
// first chief which accounts for it. Bugs with fewer operators are chiefs rather than those with
// more, and two bugs never come together because a third is like both.
std::vector<Group> group_bugs(std::span<const record::Bug> bugs);

}  // namespace elenchus::triage
