#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "docket/replay.h"
#include "store/campaign_view.h"

namespace elenchus::docket {

// What a bug is on another solver than the one that it was found on.
enum class Standing : uint8_t {
  kOpen,   // it shows
  kFixed,  // it does not
  // No answer: a timeout, not taken, or unknown where there was an answer. Or one that nobody here
  // could tell to be wrong.
  kUnclear,
};
std::string_view to_string(Standing standing);

// A bug tried on one solver.
struct Trial {
  std::string bug;
  std::string kind;
  solver::Solver solver;
  Standing standing = Standing::kUnclear;
  std::string what;  // what the solver does, in a line
};

// Tries a bug on a solver. The options that the bug needs go along where the solver is of the same
// kind and no options are given.
base::Result<Trial> try_bug(const store::CampaignView& view, const store::BugRecord& bug,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const ReplaySettings& settings);

// Where in a list of versions, the oldest first, a bug came and went; indices.
struct Lifetime {
  std::vector<Trial> trials;  // one for each version
  std::optional<size_t> first_bad;
  std::optional<size_t> last_bad;
  std::optional<size_t> first_good;  // the first after the last bad one where it is fixed
};

Lifetime lifetime_of(std::vector<Trial> trials);

}  // namespace elenchus::docket
