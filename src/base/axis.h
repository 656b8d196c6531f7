#pragma once

#include <string>

// Which figures stand beside the plots of experiments. The plots of the page follow the same rules
// in data/web/page.js (plotRules), since they are drawn again where a series is hidden and while a
// campaign runs; tests/axes.json has cases that both must satisfy.
namespace elenchus::base {

// An axis from zero up to `most`, named at each `step`.
struct Axis {
  double step = 1;
  double most = 1;
};

// Up to five steps of one, two or five times a power of ten, the last of which holds `most`. Of
// things that are counted, no step is below one.
Axis value_axis(double most, bool is_count);

// Up to `end` seconds, in steps of the clock; a label has about ninety pixels of the plot's width.
Axis time_axis(double end, double width);

// "7,500", "12.5 k", "0.05": by what the whole axis needs.
std::string value_label(double value, const Axis& axis);

// "0", "30 s", "5 min", "1.5 h", "2 d"
std::string time_label(double seconds, const Axis& axis);

}  // namespace elenchus::base
