#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace elenchus::record {

// What can be wrong with a solver, the gravest first.
enum class Kind : uint8_t {
#define ELENCHUS_KIND(id, ...) id,
#include "record/kinds.def"
#undef ELENCHUS_KIND
};

// What a report has to show of the solver beside its answers.
enum class Shows : uint8_t { kAnswer, kModel, kCore, kTerm, kObjectives };

// How a kind looks in lists: grave ones stand out, mild ones are warnings in SARIF, quiet ones are
// errors that do not stand out.
enum class Look : uint8_t { kGrave, kPlain, kQuiet, kMild };

enum Trait : uint32_t {
  kProven = 1U << 0,       // a construction or our own evaluation proves it
  kUnsettled = 1U << 1,    // a later evaluation may show it to be of a proven kind
  kHasPlace = 1U << 2,     // told apart by where the solver failed, not by operators
  kTwoAnswers = 1U << 3,   // two answers contradict each other: both are to be shown
  kNeedsOthers = 1U << 4,  // shows only beside other solvers
  kOptional = 1U << 5,     // looked for only when somebody asks
  kByTime = 1U << 6,       // may be chance: confirmed once more than others
};

struct KindInfo {
  Kind kind;
  std::string_view name;      // "refutation-unsound"
  std::string_view brief;     // "wrong unsat": in titles
  std::string_view meaning;   // "says unsat, ...": after "a solver"
  std::string_view expected;  // what a right solver does
  Shows shows;
  Look look;
  uint32_t traits;

  constexpr bool has(Trait trait) const { return (traits & trait) != 0; }
};

// All kinds, the gravest first.
std::span<const KindInfo> kinds();

const KindInfo& info(Kind kind);

// Null if no kind has this name.
const KindInfo* find_kind(std::string_view name);

// The name.
std::string_view to_string(Kind kind);

// The place of a kind in kinds(), from 1 on; a kind that is not there comes last.
int rank_of(std::string_view kind);

// The rank of bugs that are known upstream, whatever their kind: behind all that are news.
inline constexpr int kKnownRank = 100;
// The rank of bugs that need more options than the campaign's policy reports: behind all others.
inline constexpr int kOutsideRank = 101;

// How far before all others those bugs rank that the baseline of the campaign does not show.
inline constexpr int kNewLead = 100;

// The class of the page's style for a look; empty where it is shown as it is.
std::string_view style_of(Look look);

}  // namespace elenchus::record
