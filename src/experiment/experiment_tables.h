#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/experiment.h"

namespace elenchus::experiment {

// The median with an interval that holds the true median with the given probability, whatever the
// distribution: between two of the values. 95% where there are enough values, else what there is.
struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
  double coverage = 0;
};
MedianInterval median_interval(std::vector<double> values);

// How often a value of a is larger than one of b, ties by half (Vargha and Delaney's A).
double larger_share(const std::vector<double>& a, const std::vector<double>& b);

// A line for each run, with everything that was measured.
std::string runs_csv(const std::vector<ExperimentRun>& runs);

// A line for each arm and measure: median, interval, and the comparison with the first arm.
std::string summary_csv(const ExperimentPlan& plan, const std::vector<ExperimentRun>& runs);

// The same and the bugs, for people.
std::string summary_markdown(const ExperimentPlan& plan, const std::vector<ExperimentRun>& runs);

// Pictures by file name: every run as a dot, for each measure, and keys over time.
std::vector<std::pair<std::string, std::string>> plots_svg(const ExperimentPlan& plan,
                                                           const std::vector<ExperimentRun>& runs);

}  // namespace elenchus::experiment
