#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "diagnose/sight.h"

namespace elenchus::diagnose {

// A script that does not show a bug, one edit away from one that does.
struct Neighbour {
  std::string script;
  std::string edit;    // its kind, in the words of the engine edit
  std::string answer;  // of the solver
};

// Where two texts differ: what stands in the one and in the other, in whole words.
struct Difference {
  std::string before;
  std::string after;

  size_t size() const { return before.size() + after.size(); }
};
Difference difference_of(std::string_view before, std::string_view after);

// The lines in which they differ, marked with - and +; as many as that at most.
std::string changed_lines(std::string_view before, std::string_view after, size_t most);

// Of the scripts one typed edit away, the one that differs least among those that do not show the
// bug. At most `edits` of them are tried, in a lab that may have sessions; what is found is looked
// at twice in fresh processes.
std::optional<Neighbour> nearest_quiet(const Subject& subject, lab::SolverLab& sessions,
                                       uint32_t edits);

}  // namespace elenchus::diagnose
