#include "triage/groups.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "record/kind.h"
#include "triage/signature.h"

namespace elenchus::triage {
namespace {

using record::Bug;

// The signature with the solver's name and the options given in the place of the command that was
// tested: two versions of one solver can share a cause.
std::string common_signature(const Bug& bug, const std::vector<std::string>& options) {
  const size_t colon = bug.signature.find(": ");
  if (colon == std::string::npos) return bug.signature;
  std::string head = fmt::format("{} {}", bug.kind, bug.solver);
  for (const std::string& option : options) head += ' ' + option;
  return head + bug.signature.substr(colon);
}

// What needs fewer options may explain what was found under more: these may not have been needed.
bool has_all_options_of(const Bug& bug, const Bug& chief) {
  return std::all_of(chief.options.begin(), chief.options.end(), [&](const std::string& option) {
    return std::find(bug.options.begin(), bug.options.end(), option) != bug.options.end();
  });
}

// How much it takes to show a bug; those that take less are chiefs.
size_t words_of(const Bug& bug) {
  return static_cast<size_t>(std::count(bug.signature.begin(), bug.signature.end(), ' '));
}

bool is_shown_alike(const Bug& a, const Bug& b) {
  return std::set<std::string>(a.shown_by.begin(), a.shown_by.end()) ==
         std::set<std::string>(b.shown_by.begin(), b.shown_by.end());
}

// What a diagnosis of both says of their causes.
enum class Kinship : uint8_t { kOpen, kSame, kOther };

// The names of the options that make a bug vanish, whatever their values.
std::set<std::string_view> switches_of(const Bug& bug) {
  std::set<std::string_view> names;
  for (const std::string_view option : bug.gone_with) {
    names.insert(option.substr(0, option.find('=')));
  }
  return names;
}

// A wrong answer passes through the parts of the solver that it cannot do without. Where these are
// nearly the same for two of them, and both have an operator in common, so probably is the fault;
// where no part is common to both, they have two.
Kinship kinship_of(const Bug& a, const Bug& b) {
  constexpr double kMostly = 0.75;
  const auto has_place = [](const Bug& bug) {
    const record::KindInfo* kind = record::find_kind(bug.kind);
    return kind == nullptr || kind->has(record::kHasPlace);
  };
  const bool is_comparable = a.diagnosed && b.diagnosed && a.version == b.version &&
                             !a.gone_with.empty() && !b.gone_with.empty() && !has_place(a) &&
                             !has_place(b);
  if (!is_comparable) return Kinship::kOpen;
  const auto one = switches_of(a);
  const auto two = switches_of(b);
  const auto common = static_cast<size_t>(std::count_if(
      one.begin(), one.end(), [&](std::string_view name) { return two.contains(name); }));
  if (common == 0) return Kinship::kOther;
  const size_t all = one.size() + two.size() - common;
  const bool is_mostly = static_cast<double>(common) >= kMostly * static_cast<double>(all);
  return is_mostly && share_operator(a.signature, b.signature) ? Kinship::kSame : Kinship::kOpen;
}

}  // namespace

bool is_same_bug(const Bug& chief, const Bug& other) {
  if (chief.solver != other.solver) return false;
  // One that is not to be reported cannot stand for one that is.
  if (chief.outside_policy.empty() != other.outside_policy.empty()) return false;
  if (!chief.known.empty() || !other.known.empty()) return chief.known == other.known;
  if (!chief.shape.empty() && chief.shape == other.shape) return true;
  const Kinship kinship = kinship_of(chief, other);
  if (kinship != Kinship::kOpen) return kinship == Kinship::kSame;
  const bool is_wider = has_all_options_of(other, chief);
  const std::string one = common_signature(chief, chief.options);
  const std::string two = common_signature(other, is_wider ? chief.options : other.options);
  if (one == two && chief.signature != other.signature) return true;
  if (!is_shown_alike(chief, other)) return false;
  return accounts_for(one, two) || accounts_for(in_classes(one), in_classes(two)) ||
         is_alike(one, two);
}

std::vector<Group> group_bugs(std::span<const Bug> bugs) {
  std::vector<size_t> order(bugs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const int rank_a = record::rank_of(bugs[a]);
    const int rank_b = record::rank_of(bugs[b]);
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
