#include "campaign/option_learner.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/mann_whitney.h"
#include "coverage/statistics.h"
#include "ir/op.h"
#include "solver/query.h"

namespace elenchus::campaign {
namespace {

constexpr uint32_t kEnoughFormulas = 4;
// After so many solves, an option whose times differ no more than this is given up.
constexpr size_t kEarly = 5;
constexpr double kHopeless = 0.2;

uint16_t reader_of(const solver::Solver& solver) {
  const std::string& name = solver.profile->name;
  if (name == "z3") return ir::kStd | ir::kZ3;
  if (name == "cvc4") return ir::kStd | ir::kCvc4;
  if (name == "cvc5") return ir::kStd | ir::kCvc5;
  return ir::kStd;
}

std::vector<uint64_t> common(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  std::vector<uint64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

OptionLearner::OptionLearner(const solver::Solver& solver, const LearnSettings& settings,
                             knobs::Correlations& into)
    : solver_(solver),
      settings_(settings),
      into_(into),
      catalogue_(knobs::catalogue_of(solver)),
      printer_(terms_),
      formulas_(terms_, reader_of(solver)),
      operations_(formulas_.operations()) {
  for (const knobs::Knob& knob : catalogue_.knobs) {
    const auto& wanted = settings_.options;
    const bool is_wanted =
        wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
          return knobs::fits(one, knob.name);
        });
    if (knob.is_usable() && is_wanted) knobs_.push_back(&knob);
  }
}

OptionLearner::Sight OptionLearner::look(const std::vector<std::string>& options,
                                         const solver::Query& query) {
  ++runs_;
  solver::Runner runner(solver::with_options(solver_, options), true);
  const solver::Run run = runner.run(query, {.seconds = settings_.seconds});
  Sight sight;
  sight.is_rejected = run.outcome == solver::Outcome::kRejected;
  // Of the processor: wall time says more about what else the machine does.
  sight.seconds = run.cpu_seconds;
  for (const solver::CheckResult& check : run.checks) {
    sight.answers.push_back(check.outcome);
    const auto keys = coverage::exact_statistic_keys(check.statistics);
    sight.statistics.insert(sight.statistics.end(), keys.begin(), keys.end());
  }
  // A crash or a timeout is told from an answer, too.
  if (sight.answers.empty() || run.outcome != sight.answers.back()) {
    sight.answers.push_back(run.outcome);
  }
  std::sort(sight.statistics.begin(), sight.statistics.end());
  return sight;
}

bool OptionLearner::has_other_times(const std::vector<std::string>& options,
                                    const solver::Query& query, std::vector<double>& plain_times) {
  while (plain_times.size() < settings_.solves) plain_times.push_back(look({}, query).seconds);
  std::vector<double> times;
  while (times.size() < settings_.solves) {
    times.push_back(look(options, query).seconds);
    // Most differ in nothing, and that shows early.
    const bool is_early = times.size() == kEarly;
    if (is_early && base::mann_whitney_p(plain_times, times) > kHopeless) return false;
  }
  return base::mann_whitney_p(plain_times, times) < settings_.p;
}

knobs::Effects OptionLearner::compare(const Sight& plain, const Sight& changed,
                                      const std::vector<std::string>& options,
                                      const solver::Query& query,
                                      std::vector<double>& plain_times) {
  knobs::Effects effects{.trials = 1};
  if (changed.is_rejected) {
    effects.conflicts = 1;
  } else if (changed.answers != plain.answers) {
    effects.answers = 1;
  } else if (common(plain.statistics, changed.statistics) != plain.statistics) {
    // What the plain run showed twice is missing. That there is more may be noise.
    effects.statistics = 1;
  } else if (plain.seconds >= settings_.slow_seconds) {
    effects.times = has_other_times(options, query, plain_times) ? 1 : 0;
  }
  return effects;
}

bool OptionLearner::learn_one(base::Rng& rng, const std::function<bool()>& stop) {
  const TrainingFormulas::Formula formula = formulas_.next(settings_.operations, rng);
  auto query = solver::make_query(printer_, terms_, formula.script, {.want_models = true});
  if (!query || formula.operations.empty()) return false;
  query->want_statistics = true;
  Sight plain = look({}, *query);
  if (plain.is_rejected || !solver::is_decided(plain.answers.back())) return false;
  // What differs from run to run by itself is left out.
  const Sight again = look({}, *query);
  if (again.answers != plain.answers) return false;
  plain.statistics = common(plain.statistics, again.statistics);

  std::map<std::string, knobs::Effects> results;
  std::vector<double> plain_times;
  for (const knobs::Knob* knob : knobs_) {
    if (stop()) return false;
    const std::string value = knobs::random_value(*knob, rng);
    if (value.empty()) continue;
    const std::vector<std::string> options = {knobs::written(*solver_.profile, *knob, value)};
    results[knob->name] = compare(plain, look(options, *query), options, *query, plain_times);
  }
  for (const auto& [option, effects] : results) {
    for (const std::string& operation : formula.operations) into_.add(option, operation, effects);
  }
  ++into_.formulas;
  return true;
}

size_t OptionLearner::known_operations() const {
  std::map<std::string, uint32_t> trials;
  for (const auto& [option, row] : into_.table()) {
    for (const auto& [operation, effects] : row) {
      uint32_t& most = trials[operation];
      most = std::max(most, effects.trials);
    }
  }
  return static_cast<size_t>(
      std::count_if(operations_.begin(), operations_.end(), [&](const auto& name) {
        const auto found = trials.find(name);
        return found != trials.end() && found->second >= kEnoughFormulas;
      }));
}

}  // namespace elenchus::campaign
