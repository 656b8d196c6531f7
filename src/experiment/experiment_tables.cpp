#include "experiment/experiment_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/axis.h"
#include "base/mann_whitney.h"

namespace elenchus::experiment {
namespace {

using base::Axis;
using Runs = std::vector<ExperimentRun>;

double percent(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

struct Measure {
  std::string_view id;
  std::string_view title;
  double (*of)(const ExperimentRun&);
  bool is_left_out_if_zero = false;  // in all runs: nobody counted it
};

constexpr std::array kMeasures = {
    Measure{"tests", "tests",
            [](const ExperimentRun& run) { return static_cast<double>(run.counts.tests); }},
    Measure{"tests_per_cpu_second", "tests per CPU second",
            [](const ExperimentRun& run) {
              return run.cpu_seconds > 0 ? static_cast<double>(run.counts.tests) / run.cpu_seconds
                                         : 0;
            }},
    Measure{
        "accepted_percent", "accepted, %",
        [](const ExperimentRun& run) { return percent(run.counts.accepted, run.counts.tests); }},
    Measure{"decided_percent", "decided, %",
            [](const ExperimentRun& run) { return percent(run.counts.decided, run.counts.tests); }},
    Measure{"valid_percent", "valid, %",
            [](const ExperimentRun& run) { return percent(run.counts.valid, run.counts.tests); }},
    Measure{"timeouts_percent", "timeouts, % of runs",
            [](const ExperimentRun& run) { return percent(run.counts.timeouts, run.counts.runs); }},
    Measure{"keys", "coverage",
            [](const ExperimentRun& run) { return static_cast<double>(run.keys); }},
    Measure{"lines", "lines",
            [](const ExperimentRun& run) { return static_cast<double>(run.lines); }, true},
    Measure{"functions", "functions",
            [](const ExperimentRun& run) { return static_cast<double>(run.functions); }, true},
    Measure{"branches", "branches",
            [](const ExperimentRun& run) { return static_cast<double>(run.branches); }, true},
    Measure{"bugs", "bugs",
            [](const ExperimentRun& run) { return static_cast<double>(run.bugs.size()); }},
};

// Those that say something of these runs.
std::vector<Measure> measures_of(const Runs& runs) {
  std::vector<Measure> measures;
  std::copy_if(kMeasures.begin(), kMeasures.end(), std::back_inserter(measures),
               [&](const Measure& measure) {
                 return !measure.is_left_out_if_zero ||
                        std::any_of(runs.begin(), runs.end(),
                                    [&](const ExperimentRun& run) { return measure.of(run) > 0; });
               });
  return measures;
}

std::vector<double> values_of(const Runs& runs, std::string_view arm, const Measure& measure) {
  std::vector<double> values;
  for (const ExperimentRun& run : runs) {
    if (run.arm == arm) values.push_back(measure.of(run));
  }
  return values;
}

std::string number(double value) {
  if (value == std::floor(value) || std::abs(value) >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, std::abs(value) >= 10 ? 1 : 2);
}

std::string p_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

void put_medians(std::string& text, const ExperimentPlan& plan, const Runs& runs) {
  const std::vector<Measure> measures = measures_of(runs);
  text += "| arm |";
  for (const Measure& measure : measures) text += fmt::format(" {} |", measure.title);
  text += "\n|---|";
  for (size_t i = 0; i < measures.size(); ++i) text += "---|";
  text += '\n';
  for (const Arm& arm : plan.arms) {
    text += fmt::format("| {} |", arm.name);
    for (const Measure& measure : measures) {
      const MedianInterval found = median_interval(values_of(runs, arm.name, measure));
      text += fmt::format(" {} ({} to {}) |", number(found.median), number(found.low),
                          number(found.high));
    }
    text += '\n';
  }
}

void put_comparisons(std::string& text, const ExperimentPlan& plan, const Runs& runs) {
  if (plan.arms.size() < 2) return;
  const std::vector<Measure> measures = measures_of(runs);
  text += fmt::format(
      "\n## Against {}\n\n"
      "p of the two-sided Mann-Whitney test, and A: how often a run of the arm has "
      "the larger value. Not corrected for the number of comparisons.\n\n| arm |",
      plan.arms[0].name);
  for (const Measure& measure : measures) text += fmt::format(" {} |", measure.title);
  text += "\n|---|";
  for (size_t i = 0; i < measures.size(); ++i) text += "---|";
  text += '\n';
  for (size_t i = 1; i < plan.arms.size(); ++i) {
    text += fmt::format("| {} |", plan.arms[i].name);
    for (const Measure& measure : measures) {
      const auto own = values_of(runs, plan.arms[i].name, measure);
      const auto first = values_of(runs, plan.arms[0].name, measure);
      text += fmt::format(" p {}, A {:.2f} |", p_text(base::mann_whitney_p(own, first)),
                          larger_share(own, first));
    }
    text += '\n';
  }
}

// In how many runs of each arm each bug was found.
using Found = std::map<std::string, std::map<std::string, size_t>>;

Found bugs_by_arm(const Runs& runs) {
  Found found;
  for (const ExperimentRun& run : runs) {
    for (const std::string& bug : run.bugs) ++found[bug][run.arm];
  }
  return found;
}

size_t found_by_both(const Found& found, const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::count_if(found.begin(), found.end(), [&](const auto& entry) {
    return entry.second.contains(a) && entry.second.contains(b);
  }));
}

size_t found_by_nobody_else(const Found& found, const std::string& arm) {
  return static_cast<size_t>(std::count_if(found.begin(), found.end(), [&](const auto& entry) {
    return entry.second.size() == 1 && entry.second.contains(arm);
  }));
}

void put_bugs(std::string& text, const ExperimentPlan& plan, const Runs& runs) {
  const Found found = bugs_by_arm(runs);
  text += fmt::format(
      "\n## Bugs\n\n{} distinct bugs in all runs together. Below, how many of those "
      "that the arm of a row found the arm of a column found too.\n\n",
      found.size());
  if (found.empty()) return;
  text += "| arm | found | by no other |";
  for (const Arm& arm : plan.arms) text += fmt::format(" {} |", arm.name);
  text += "\n|---|---|---|";
  for (size_t i = 0; i < plan.arms.size(); ++i) text += "---|";
  text += '\n';
  for (const Arm& arm : plan.arms) {
    text += fmt::format("| {} | {} | {} |", arm.name, found_by_both(found, arm.name, arm.name),
                        found_by_nobody_else(found, arm.name));
    for (const Arm& other : plan.arms) {
      text += fmt::format(" {} |", found_by_both(found, arm.name, other.name));
    }
    text += '\n';
  }
  text += "\n| bug |";
  for (const Arm& arm : plan.arms) text += fmt::format(" {} |", arm.name);
  text += "\n|---|";
  for (size_t i = 0; i < plan.arms.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& [bug, arms] : found) {
    text += fmt::format("| {} |", bug);
    for (const Arm& arm : plan.arms) {
      const auto at = arms.find(arm.name);
      text += fmt::format(" {} |", at == arms.end() ? 0 : at->second);
    }
    text += '\n';
  }
}

// --- pictures ---

constexpr double kWidth = 640;
constexpr double kHeight = 320;  // without the legend
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 36;
constexpr double kBottom = 40;
constexpr double kLetter = 7;  // the width of one, about, in text of 12 pixels
constexpr std::array<std::string_view, 12> kColours = {"#2f6fc4", "#d97a1c", "#2a9a73", "#b0477f",
                                                       "#7a62c9", "#a88a16", "#3aa3b8", "#b4483a",
                                                       "#5b7f2b", "#8a5a3c", "#4b5f8f", "#9a6fa8"};

std::string_view colour_of(size_t arm) { return kColours[arm % kColours.size()]; }

double width_of(std::string_view text) { return kLetter * static_cast<double>(text.size()); }

double y_of(double value, const Axis& axis) {
  return kTop + (kHeight - kTop - kBottom) * (1 - value / axis.most);
}

double x_of(double value, const Axis& axis) {
  return kLeft + (kWidth - kLeft - kRight) * value / axis.most;
}

// Names of arms are plain and titles are ours: nothing in here needs escaping.
std::string frame(std::string_view title, const Axis& axis, double legend_height) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"20\" font-size=\"14\" font-weight=\"600\">{3}</text>\n",
      kWidth, kHeight + legend_height, kLeft, title);
  for (int i = 0; i * axis.step <= axis.most * 1.001; ++i) {
    const double value = i * axis.step;
    const double y = y_of(value, axis);
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\" fill=\"#666\">{5}</text>\n",
        kLeft, kWidth - kRight, y, kLeft - 6, y + 4, base::value_label(value, axis));
  }
  return svg;
}

// What the colours mean, in as many rows below the picture as the names need.
struct Legend {
  std::string svg;
  double height = 0;
};

Legend legend_of(const std::vector<std::string>& names) {
  constexpr double kRow = 18;
  constexpr double kMark = 16;
  constexpr double kGap = 14;
  constexpr auto kMostLetters = static_cast<size_t>((kWidth - kLeft - kRight - kMark) / kLetter);
  Legend legend;
  double x = kLeft;
  double y = kHeight;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool fits = names[i].size() <= kMostLetters;
    const std::string name = fits ? names[i] : names[i].substr(0, kMostLetters - 3) + "...";
    const double width = kMark + width_of(name);
    if (x > kLeft && x + width > kWidth - kRight) {
      x = kLeft;
      y += kRow;
    }
    legend.svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" rx=\"3\" fill=\"{}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, y - 9, colour_of(i), x + kMark, y, name);
    x += width + kGap;
  }
  legend.height = y - kHeight + kRow;
  return legend;
}

// The runs of one arm side by side, so that equal values do not hide each other, and their median.
std::string column(const std::vector<double>& values, double x, double step, const Axis& axis,
                   std::string_view colour) {
  std::string svg;
  for (size_t k = 0; k < values.size(); ++k) {
    const double aside = (static_cast<double>(k) - static_cast<double>(values.size() - 1) / 2) *
                         std::min(8.0, step / 2 / static_cast<double>(values.size()));
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" fill-opacity=\".6\"/>\n",
        x + aside, y_of(values[k], axis), colour);
  }
  const double median = y_of(median_interval(values).median, axis);
  return svg + fmt::format(
                   "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
                   "stroke-width=\"2\"/>\n",
                   x - step / 3, x + step / 3, median, median, colour);
}

// A column for each arm, with its name below; where names would run into each other, with its
// number there, and the names in the legend.
std::string dots(const ExperimentPlan& plan, const Runs& runs, const Measure& measure) {
  double most = 0;
  for (const ExperimentRun& run : runs) most = std::max(most, measure.of(run));
  const double step = (kWidth - kLeft - kRight) / static_cast<double>(plan.arms.size());
  const bool has_room = std::all_of(plan.arms.begin(), plan.arms.end(), [&](const Arm& arm) {
    return width_of(arm.name) + kLetter <= step;
  });
  std::vector<std::string> numbered;
  for (const Arm& arm : plan.arms) {
    numbered.push_back(fmt::format("{} {}", numbered.size() + 1, arm.name));
  }
  const Legend legend = has_room ? Legend() : legend_of(numbered);
  const Axis axis = base::value_axis(most, false);
  std::string svg = frame(measure.title, axis, legend.height);
  for (size_t i = 0; i < plan.arms.size(); ++i) {
    const double x = kLeft + step * (static_cast<double>(i) + 0.5);
    svg += column(values_of(runs, plan.arms[i].name, measure), x, step, axis, colour_of(i));
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x,
                       kHeight - 20, has_room ? plan.arms[i].name : std::to_string(i + 1));
  }
  return svg + legend.svg + "</svg>\n";
}

// The times below the picture.
std::string time_ticks(const Axis& time) {
  std::string svg;
  for (int i = 0; i * time.step <= time.most * 1.001; ++i) {
    const double seconds = i * time.step;
    const std::string label = base::time_label(seconds, time);
    const double x = x_of(seconds, time);
    const bool has_room = x + width_of(label) / 2 < kWidth;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\" fill=\"#666\">{}</text>\n",
                       has_room ? x : kWidth - kRight / 2, kHeight - 22,
                       has_room ? "middle" : "end", label);
  }
  return svg;
}

std::string growth(const ExperimentPlan& plan, const Runs& runs) {
  double most = 1;
  double end = 1;
  for (const ExperimentRun& run : runs) {
    for (const auto& [seconds, keys] : run.growth) {
      most = std::max(most, static_cast<double>(keys));
      end = std::max(end, seconds);
    }
  }
  const Axis axis = base::value_axis(most, true);
  const Axis time = base::time_axis(end, kWidth);
  std::vector<std::string> names;
  for (const Arm& arm : plan.arms) names.push_back(arm.name);
  const Legend legend = legend_of(names);
  std::string svg = frame("coverage over time, every run a line", axis, legend.height);
  for (size_t i = 0; i < plan.arms.size(); ++i) {
    for (const ExperimentRun& run : runs) {
      if (run.arm != plan.arms[i].name) continue;
      std::string points = fmt::format("{:.1f},{:.1f}", kLeft, y_of(0, axis));
      for (const auto& [seconds, keys] : run.growth) {
        points += fmt::format(" {:.1f},{:.1f}", x_of(seconds, time),
                              y_of(static_cast<double>(keys), axis));
      }
      svg += fmt::format(
          "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\".7\"/>\n", points,
          colour_of(i));
    }
  }
  return svg + time_ticks(time) + legend.svg + "</svg>\n";
}

}  // namespace

MedianInterval median_interval(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  MedianInterval found;
  found.median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  // The k-th smallest and largest enclose the median unless fewer than k values lie on one side of
  // it: a binomial tail.
  constexpr double kWanted = 0.95;
  double term = std::pow(0.5, static_cast<double>(n));
  double tail = 0;
  size_t k = 0;
  for (size_t next = 1; next <= (n + 1) / 2; ++next) {
    tail += term;
    if (k > 0 && 1 - 2 * tail < kWanted) break;
    k = next;
    found.coverage = std::max(0.0, 1 - 2 * tail);
    term = term * static_cast<double>(n - next + 1) / static_cast<double>(next);
  }
  found.low = values[k - 1];
  found.high = values[n - k];
  return found;
}

double larger_share(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (const double x : a) {
    for (const double y : b) sum += x > y ? 1 : (x == y ? 0.5 : 0);
  }
  return a.empty() || b.empty() ? 0.5 : sum / static_cast<double>(a.size() * b.size());
}

std::string runs_csv(const Runs& runs) {
  const std::vector<Measure> measures = measures_of(runs);
  std::string text = "arm,repetition,rng,seconds,cpu_seconds";
  for (const Measure& measure : measures) text += fmt::format(",{}", measure.id);
  text += ",bug_ids,node\n";
  for (const ExperimentRun& run : runs) {
    text += fmt::format("{},{},{},{:.1f},{:.1f}", run.arm, run.repetition, run.rng, run.seconds,
                        run.cpu_seconds);
    for (const Measure& measure : measures) text += fmt::format(",{:.6g}", measure.of(run));
    text += fmt::format(",{},{}\n", fmt::join(run.bugs, " "), run.node);
  }
  return text;
}

std::string summary_csv(const ExperimentPlan& plan, const Runs& runs) {
  const std::vector<Measure> measures = measures_of(runs);
  std::string text = "arm,measure,runs,median,low,high,coverage,p_against_first,larger_share\n";
  for (const Arm& arm : plan.arms) {
    for (const Measure& measure : measures) {
      const auto own = values_of(runs, arm.name, measure);
      const auto first = values_of(runs, plan.arms[0].name, measure);
      const MedianInterval found = median_interval(own);
      text +=
          fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{:.4f},{:.6g},{:.4f}\n", arm.name, measure.id,
                      own.size(), found.median, found.low, found.high, found.coverage,
                      base::mann_whitney_p(own, first), larger_share(own, first));
    }
  }
  return text;
}

std::string summary_markdown(const ExperimentPlan& plan, const Runs& runs) {
  const std::vector<double> some(std::max<size_t>(1, runs.size() / plan.arms.size()), 0);
  std::string text = fmt::format("# {}\n\n", plan.name);
  text += plan.tests > 0 ? fmt::format("{} tests a run", plan.tests)
                         : fmt::format("{} s of CPU time a run", number(plan.cpu_seconds));
  if (plan.scale != 1) text += fmt::format(" ({} times what the plan says)", plan.scale);
  text += fmt::format(
      ", {} of {} runs complete, rng {}. Medians, and in brackets an interval that "
      "holds the true median with {:.0f}% probability.\n\n",
      runs.size(), plan.arms.size() * plan.repetitions, plan.rng,
      100 * median_interval(some).coverage);
  put_medians(text, plan, runs);
  put_comparisons(text, plan, runs);
  put_bugs(text, plan, runs);
  return text;
}

std::vector<std::pair<std::string, std::string>> plots_svg(const ExperimentPlan& plan,
                                                           const Runs& runs) {
  const std::vector<Measure> measures = measures_of(runs);
  std::vector<std::pair<std::string, std::string>> plots;
  plots.reserve(measures.size() + 1);
  for (const Measure& measure : measures) {
    plots.emplace_back(fmt::format("{}.svg", measure.id), dots(plan, runs, measure));
  }
  plots.emplace_back("keys_over_time.svg", growth(plan, runs));
  return plots;
}

}  // namespace elenchus::experiment
