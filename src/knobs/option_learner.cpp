#include "knobs/option_learner.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/mann_whitney.h"
#include "coverage/statistics.h"
#include "solver/query.h"

namespace elenchus::knobs {
namespace {

constexpr uint32_t kEnoughFormulas = 4;
// After so many solves, an option whose times differ no more than this is given up.
constexpr size_t kEarly = 5;
constexpr double kHopeless = 0.2;
// How much of the time may go into comparing times.
constexpr double kTimingShare = 0.2;
// A formula that shows fewer statistics than this beyond those of a script without claims was
// decided before the solver got to work.
constexpr size_t kFewStatistics = 4;

template <typename T>
std::vector<T> common(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

template <typename T>
std::vector<T> without(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

template <typename T>
std::vector<T> in_one(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> either;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
  return either;
}

}  // namespace

OptionLearner::OptionLearner(const solver::Solver& solver, const LearnSettings& settings,
                             const solver::Readership& readership, Correlations& into)
    : solver_(solver),
      settings_(settings),
      into_(into),
      catalogue_(catalogue_of(solver)),
      terms_(readership.ops),
      printer_(terms_),
      formulas_(terms_, readership.all()),
      operations_(formulas_.operations()) {
  for (const Knob& knob : catalogue_.knobs) {
    const auto& wanted = settings_.options;
    const bool is_wanted =
        wanted.empty() || std::any_of(wanted.begin(), wanted.end(),
                                      [&](const std::string& one) { return fits(one, knob.name); });
    if (knob.is_usable() && is_wanted) knobs_.push_back(&knob);
  }
  if (const auto size = coverage::afl_map_size(solver.program)) {
    if (auto map = coverage::AflMap::make(*size)) map_.emplace(std::move(*map));
  }
  if (auto query = solver::make_query(printer_, terms_, formulas_.blank())) {
    blank_ = std::move(*query);
    blank_.want_statistics = true;
    blank_statistics_ = look({}, blank_).statistics;
  }
}

OptionLearner::Sight OptionLearner::look(const std::vector<std::string>& options,
                                         const solver::Query& query) {
  ++runs_;
  solver::Runner runner(solver::with_options(solver_, options), true);
  if (map_) {
    map_->clear();
    runner.set_launch_hook([this](proc::Launch& launch) {
      const auto words = map_->environment();
      launch.environment.insert(launch.environment.end(), words.begin(), words.end());
    });
  }
  const solver::Run run = runner.run(query, settings_.limits);
  seconds_ += run.seconds;
  Sight sight;
  sight.is_rejected = run.outcome == solver::Outcome::kRejected;
  // Of the processor: wall time says more about what else the machine does.
  sight.seconds = run.cpu_seconds;
  if (map_) sight.edges = map_->edges();
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

// None when there is nothing to be seen.
std::optional<OptionLearner::Subject> OptionLearner::subject_of(solver::Query query) {
  Subject subject{.query = std::move(query), .plain = {}, .vague_edges = {}, .times = {}};
  Sight& plain = subject.plain;
  plain = look({}, subject.query);
  if (plain.is_rejected || !solver::is_decided(plain.answers.back())) return {};
  if (plain.seconds > settings_.most_seconds) return {};
  if (without(plain.statistics, blank_statistics_).size() < kFewStatistics) return {};
  // What differs from run to run by itself is left out.
  const Sight again = look({}, subject.query);
  if (again.answers != plain.answers) return {};
  plain.statistics = common(plain.statistics, again.statistics);
  subject.vague_edges = in_one(plain.edges, again.edges);
  return subject;
}

std::vector<std::string> OptionLearner::standard_options(const Knob& knob) const {
  return {written(*solver_.profile, knob, knob.standard)};
}

// What differs in the code that reads the option, whatever the formula. Numbers are all read alike.
const std::vector<uint32_t>& OptionLearner::edges_of_reading(const Change& change) {
  const bool is_number = change.knob->type == Type::kInteger || change.knob->type == Type::kReal;
  const auto [place, is_new] =
      reading_.try_emplace(is_number ? change.knob->name : change.options.front());
  if (is_new) {
    const Sight standard = look(standard_options(*change.knob), blank_);
    place->second = in_one(standard.edges, look(change.options, blank_).edges);
  }
  return place->second;
}

// Compared with the option at its default and given, since looking up what was given is other code.
bool OptionLearner::runs_other_code(const Subject& subject, const Change& change,
                                    const Sight& changed) {
  if (!map_ || change.knob->standard.empty()) return false;
  const Sight standard = look(standard_options(*change.knob), subject.query);
  const auto differing = without(in_one(standard.edges, changed.edges), subject.vague_edges);
  return !differing.empty() && !without(differing, edges_of_reading(change)).empty();
}

bool OptionLearner::has_other_times(Subject& subject, const Change& change) {
  const double start = seconds_;
  std::vector<double>& plain = subject.times;
  while (plain.size() < settings_.solves) plain.push_back(look({}, subject.query).seconds);
  std::vector<double> times;
  bool has_hope = true;
  while (has_hope && times.size() < settings_.solves) {
    times.push_back(look(change.options, subject.query).seconds);
    // Most differ in nothing, and that shows early.
    has_hope = times.size() != kEarly || base::mann_whitney_p(plain, times) <= kHopeless;
  }
  timing_seconds_ += seconds_ - start;
  return has_hope && base::mann_whitney_p(plain, times) < settings_.p;
}

Effects OptionLearner::compare(Subject& subject, const Change& change) {
  const Sight& plain = subject.plain;
  const Sight changed = look(change.options, subject.query);
  Effects effects{.trials = 1};
  if (changed.is_rejected) {
    effects.conflicts = 1;
  } else if (changed.answers != plain.answers) {
    effects.answers = 1;
  } else if (common(plain.statistics, changed.statistics) != plain.statistics) {
    // What the plain run showed twice is missing. That there is more may be noise.
    effects.statistics = 1;
  } else if (runs_other_code(subject, change, changed)) {
    effects.coverage = 1;
  } else if (plain.seconds >= settings_.slow_seconds &&
             timing_seconds_ <= kTimingShare * seconds_) {
    // The times of one formula cost as much as fifty other formulas.
    effects.times = has_other_times(subject, change) ? 1 : 0;
  }
  return effects;
}

bool OptionLearner::learn_one(base::Rng& rng, const std::function<bool()>& stop) {
  const TrainingFormulas::Formula formula = formulas_.next(settings_.operations, rng);
  auto query = solver::make_query(printer_, terms_, formula.script, {.want_models = true});
  if (!query || formula.operations.empty()) return false;
  query->want_statistics = true;
  auto subject = subject_of(std::move(*query));
  if (!subject) return false;
  std::map<std::string, Effects> results;
  for (const Knob* knob : knobs_) {
    if (stop()) return false;
    const std::string value = random_value(*knob, rng);
    if (value.empty()) continue;
    const Change change{knob, value, {written(*solver_.profile, *knob, value)}};
    results[knob->name] = compare(*subject, change);
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

}  // namespace elenchus::knobs
