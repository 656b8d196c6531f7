#include "triage/groups.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "store/kinds.h"
#include "triage/signature.h"

namespace elenchus::triage {
namespace {

using store::Manifest;

// The signature with the solver's name in the place of the command that was tested: two versions of
// one solver can share a cause.
std::string common_signature(const Manifest& bug) {
  const size_t colon = bug.signature.find(": ");
  if (colon == std::string::npos) return bug.signature;
  std::string head = fmt::format("{} {}", bug.kind, bug.solver);
  for (const std::string& option : bug.options) head += ' ' + option;
  return head + bug.signature.substr(colon);
}

// How much it takes to show a bug; those that take less are chiefs.
size_t words_of(const Manifest& bug) {
  return static_cast<size_t>(std::count(bug.signature.begin(), bug.signature.end(), ' '));
}

bool is_shown_alike(const Manifest& a, const Manifest& b) {
  return std::set<std::string>(a.shown_by.begin(), a.shown_by.end()) ==
         std::set<std::string>(b.shown_by.begin(), b.shown_by.end());
}

}  // namespace

bool is_same_bug(const Manifest& chief, const Manifest& other) {
  if (chief.solver != other.solver) return false;
  if (!chief.known.empty() || !other.known.empty()) return chief.known == other.known;
  if (!chief.shape.empty() && chief.shape == other.shape) return true;
  const std::string one = common_signature(chief);
  const std::string two = common_signature(other);
  if (one == two && chief.signature != other.signature) return true;
  return is_shown_alike(chief, other) && (accounts_for(one, two) || is_alike(one, two));
}

std::vector<Group> group_bugs(std::span<const Manifest> bugs) {
  std::vector<size_t> order(bugs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const int rank_a = store::rank_of(bugs[a].kind);
    const int rank_b = store::rank_of(bugs[b].kind);
    return rank_a != rank_b ? rank_a < rank_b : words_of(bugs[a]) < words_of(bugs[b]);
  });
  std::vector<Group> groups;
  for (const size_t bug : order) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
      return is_same_bug(bugs[known.chief], bugs[bug]);
    });
    if (group != groups.end()) {
      group->members.push_back(bug);
    } else {
      groups.push_back({bug, {bug}});
    }
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.chief < b.chief; });
  return groups;
}

}  // namespace elenchus::triage
