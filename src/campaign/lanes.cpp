#include "campaign/lanes.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "campaign/numbers.h"

namespace elenchus::campaign {
namespace {

constexpr std::string_view kNames[kLanes] = {"checks", "terms"};
// However little it brings, and however much. Terms find many faces of few faults, quickly; with
// half of the time they kept the checks from most seeds in the first minutes.
constexpr double kLeastShare = 0.05;
constexpr double kMostShare = 0.15;
// What is believed before anything is known: terms deserve a tenth of the time, and it takes some
// minutes to believe otherwise. More would be taken from checks, which alone find what is not in a
// rewriter.
constexpr double kLanePriorSeconds = 60;
constexpr double kLanePriorValues[kLanes] = {9, 1};
// After so many seconds what was brought counts half: a lane that has found all it can find makes
// way.
constexpr double kHalfTime = 1800;

}  // namespace

std::string_view to_string(Lane lane) { return kNames[static_cast<size_t>(lane)]; }

base::Result<Lane> lane_of(std::string_view name) {
  for (size_t i = 0; i < kLanes; ++i) {
    if (name == kNames[i]) return static_cast<Lane>(i);
  }
  return base::Error{base::ErrorKind::kUnsupported,
                     fmt::format("no lane '{}'; choose from checks, terms", base::shown(name)),
                     {}};
}

Lanes::Lanes(const std::vector<std::string>& names) {
  for (size_t i = 0; i < kLanes; ++i) {
    has_[i] = names.empty() || std::find(names.begin(), names.end(), kNames[i]) != names.end();
  }
}

double Lanes::share() const {
  if (!has(Lane::kTerms)) return 0;
  if (!has(Lane::kChecks)) return 1;
  double rates[kLanes];
  for (size_t i = 0; i < kLanes; ++i) {
    rates[i] =
        (accounts_[i].value + kLanePriorValues[i]) / (accounts_[i].seconds + kLanePriorSeconds);
  }
  return std::clamp(rates[1] / (rates[0] + rates[1]), kLeastShare, kMostShare);
}

bool Lanes::are_terms_due() const {
  const std::lock_guard lock(mutex_);
  const double spent = accounts_[0].seconds + accounts_[1].seconds;
  return has(Lane::kTerms) && accounts_[1].seconds <= share() * spent;
}

double Lanes::share_of_terms() const {
  const std::lock_guard lock(mutex_);
  return share();
}

void Lanes::report(Lane lane, double value, double seconds) {
  const std::lock_guard lock(mutex_);
  Account& account = accounts_[static_cast<size_t>(lane)];
  account.value += value;
  account.seconds += seconds;
  if (accounts_[0].seconds + accounts_[1].seconds < 2 * kHalfTime) return;
  for (Account& one : accounts_) one = {one.value / 2, one.seconds / 2};
}

std::string Lanes::notes() const {
  const std::lock_guard lock(mutex_);
  return fmt::format("{} {} {} {}", accounts_[0].value, accounts_[0].seconds, accounts_[1].value,
                     accounts_[1].seconds);
}

void Lanes::restore(std::string_view notes) {
  Numbers numbers(notes);
  Account read[kLanes];
  for (Account& one : read) {
    one.value = numbers.next<double>();
    one.seconds = numbers.next<double>();
  }
  const bool is_sound = std::all_of(std::begin(read), std::end(read), [](const Account& one) {
    return one.value >= 0 && one.seconds >= 0;
  });
  if (!numbers.are_read() || !is_sound) return;
  const std::lock_guard lock(mutex_);
  std::copy(std::begin(read), std::end(read), accounts_);
}

}  // namespace elenchus::campaign
