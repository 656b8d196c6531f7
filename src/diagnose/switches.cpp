#include "diagnose/switches.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace elenchus::diagnose {
namespace {

using knobs::Knob;

// Numbers of a larger range are weights, limits and random seeds: strategy by chance.
constexpr double kWidestRange = 3;

std::vector<std::string> values_of(const Knob& knob) {
  std::vector<std::string> values = knob.values;
  const bool is_number = knob.type == knobs::Type::kInteger && values.empty();
  if (is_number && knob.high - knob.low <= kWidestRange) {
    for (double value = knob.low; value <= knob.high; ++value) {
      values.push_back(fmt::format("{}", std::llround(value)));
    }
  }
  std::erase(values, knob.standard);
  return values;
}

// "smt.relevancy=0", "--no-nl-cov", "--nl-ext=light".
bool is_given(const Knob& knob, const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [&](std::string_view option) {
    if (option.starts_with("--")) option.remove_prefix(2);
    if (option.starts_with("no-")) option.remove_prefix(3);
    return option.substr(0, option.find('=')) == knob.name;
  });
}

class Trier {
 public:
  explicit Trier(const Subject& subject)
      : subject_(subject), solvers_(subject.lab.solvers().begin(), subject.lab.solvers().end()) {}

  void settle_limit() {
    const Look look = look_at(subject_.store, subject_.lab, subject_.test, subject_.finding);
    const double full = subject_.lab.full_seconds();
    seconds_ = std::clamp(kLimitFactor * look.seconds, std::min(kSmallestLimit, full), full);
  }

  void try_one(const Trial& trial, Switches& result) {
    const Knob& knob = *trial.knob;
    bool is_clear = false;
    for (const std::string& value : trial.values) {
      if (subject_.stop()) return;
      std::string option = knobs::written(*subject_.guilty().profile, knob, value);
      const Look look = look_with(option);
      is_clear = is_clear || look.sight == Sight::kShows;
      // A strategy that has no answer was probably made for other problems.
      if (knob.type == knobs::Type::kEnum && look.answer == "unknown") continue;
      if (look.sight != Sight::kGone || look_with(option).sight != Sight::kGone) continue;
      result.gone.push_back({knob.group, std::move(option), look.answer});
      return;
    }
    if (is_clear) {
      ++result.stays[knob.group];
    } else {
      ++result.unclear;
    }
  }

 private:
  // An option that makes a solver ten times as slow has not made the bug vanish.
  static constexpr double kLimitFactor = 10;
  static constexpr double kSmallestLimit = 0.5;

  Look look_with(const std::string& option) {
    std::vector<solver::Solver> changed = solvers_;
    solver::Solver& guilty = changed[subject_.finding.solver];
    guilty = solver::with_options(guilty, {option});
    lab::SolverLab lab = subject_.lab.with_solvers(changed);
    lab.set_seconds(seconds_);
    return look_at(subject_.store, lab, subject_.test, subject_.finding);
  }

  const Subject& subject_;
  std::vector<solver::Solver> solvers_;
  double seconds_ = 0;
};

}  // namespace

uint64_t Switches::tried() const {
  uint64_t sum = gone.size() + unclear;
  for (const auto& [module, count] : stays) sum += count;
  return sum;
}

std::vector<Trial> trials_of(const knobs::Catalogue& catalogue, const solver::Solver& solver) {
  std::vector<Trial> trials;
  for (const Knob& knob : catalogue.knobs) {
    if (!knob.is_usable() && !knob.tells) continue;
    if (is_given(knob, solver.options) || is_given(knob, solver.profile->base_options)) continue;
    Trial trial{&knob, values_of(knob)};
    if (!trial.values.empty()) trials.push_back(std::move(trial));
  }
  // One of each module after the other: where time is short, none goes without.
  std::map<std::string_view, size_t> seen;
  std::vector<std::pair<std::pair<bool, size_t>, Trial>> turns;
  for (Trial& trial : trials) {
    const size_t turn = seen[trial.knob->group]++;
    turns.emplace_back(std::pair(trial.knob->is_expert, turn), std::move(trial));
  }
  std::stable_sort(turns.begin(), turns.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < turns.size(); ++i) trials[i] = std::move(turns[i].second);
  return trials;
}

Switches try_switches(const Subject& subject, const knobs::Catalogue& catalogue) {
  Switches result;
  Trier trier(subject);
  trier.settle_limit();
  for (const Trial& trial : trials_of(catalogue, subject.guilty())) {
    if (subject.stop()) {
      result.is_whole = false;
      break;
    }
    trier.try_one(trial, result);
  }
  return result;
}

}  // namespace elenchus::diagnose
