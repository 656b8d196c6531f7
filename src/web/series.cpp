#include "web/series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace elenchus::web {
namespace {

using Json = nlohmann::ordered_json;
using Column = std::vector<uint64_t>;

// Where each step of the campaign lies in the columns.
class Steps {
 public:
  template <typename Counts>
  void note(const store::StepSums::By<Counts>& sums) {
    for (const auto& [key, counts] : sums) places_.emplace(key.first, 0);
  }
  void number() {
    size_t next = 0;
    for (auto& [start, place] : places_) place = next++;
  }
  size_t size() const { return places_.size(); }
  size_t operator[](int64_t start) const { return places_.at(start); }

  void put_times(Json& series, int64_t step, const RunningTime& running) const {
    std::vector<double> times;
    std::vector<double> widths;
    for (const auto& [start, place] : places_) {
      const double from = running.at(static_cast<double>(start));
      const double to = running.at(static_cast<double>(start + step));
      times.push_back(std::round(from * 10) / 10);
      widths.push_back(std::round((to - from) * 10) / 10);
    }
    series["time"] = times;
    series["width"] = widths;
  }

 private:
  std::map<int64_t, size_t> places_;
};

void put_tests(Json& series, const Steps& steps,
               const store::StepSums::By<store::TestCounts>& tests) {
  Column made(steps.size());
  Column accepted(steps.size());
  Column decided(steps.size());
  std::map<std::string, Column> engines;
  for (const auto& [key, counts] : tests) {
    const size_t place = steps[key.first];
    made[place] += counts.tests;
    accepted[place] += counts.accepted;
    decided[place] += counts.decided;
    Column& engine = engines.try_emplace(key.second, steps.size()).first->second;
    engine[place] += counts.tests;
  }
  series["tests"] = made;
  series["accepted"] = accepted;
  series["decided"] = decided;
  series["engines"] = engines;
}

void put_runs(Json& series, const Steps& steps, const store::StepSums::By<store::RunCounts>& runs) {
  std::array<Column, record::kOutcomes> columns;
  columns.fill(Column(steps.size()));
  for (const auto& [key, counts] : runs) {
    for (size_t i = 0; i < record::kOutcomes; ++i) {
      columns[i][steps[key.first]] += counts.outcomes[i];
    }
  }
  Json outcomes = Json::object();
  for (size_t i = 0; i < record::kOutcomes; ++i) {
    outcomes[record::kOutcomeTable[i].name] = columns[i];
  }
  series["outcomes"] = outcomes;
}

// A step in which nobody said how many keys there are has as many as the one before.
void put_keys(Json& series, const Steps& steps, const store::StepSums::By<uint64_t>& keys) {
  std::map<std::string, Column> columns;
  for (const auto& [key, known] : keys) {
    Column& column = columns.try_emplace(key.second, steps.size()).first->second;
    column[steps[key.first]] = known;
  }
  for (auto& [solver, column] : columns) {
    for (size_t i = 1; i < column.size(); ++i) column[i] = std::max(column[i], column[i - 1]);
  }
  series["keys"] = columns.empty() ? Json::object() : Json(columns);
}

}  // namespace

int64_t plot_step(double seconds) {
  constexpr double kMost = 180;
  constexpr std::array<int64_t, 11> kNice = {10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200};
  for (const int64_t step : kNice) {
    if (seconds <= kMost * static_cast<double>(step)) return step;
  }
  constexpr double kDay = 86400;
  return static_cast<int64_t>(std::ceil(seconds / kMost / kDay) * kDay);
}

base::Result<Json> series_json(const store::CampaignView& view, int64_t step,
                               const RunningTime& running) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::StepSums sums, view.steps(step));
  Steps steps;
  steps.note(sums.tests);
  steps.note(sums.runs);
  steps.note(sums.keys);
  steps.number();
  Json series = {{"step", step}};
  steps.put_times(series, step, running);
  put_tests(series, steps, sums.tests);
  put_runs(series, steps, sums.runs);
  put_keys(series, steps, sums.keys);
  return series;
}

}  // namespace elenchus::web
