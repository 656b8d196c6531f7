#include "base/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace elenchus::base {
namespace {

constexpr double kMostSteps = 5;
constexpr double kLabelWidth = 90;  // of the time axis, in pixels
constexpr double kSlack = 1e-9;     // what is as good as a whole number of steps

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 86400;

constexpr std::array kTimeSteps = {1.0,      2.0,         5.0,       10.0,      20.0,       30.0,
                                   kMinute,  2 * kMinute, 300.0,     600.0,     1200.0,     1800.0,
                                   kHour,    2 * kHour,   4 * kHour, 6 * kHour, 12 * kHour, kDay,
                                   2 * kDay, 4 * kDay,    7 * kDay};

double round_step(double span, double steps) {
  const double raw = span / steps;
  const double unit = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1, 2, 5}) {
    if (factor * unit >= raw * (1 - kSlack)) return factor * unit;
  }
  return 10 * unit;
}

// Without zeros at the end of a fraction.
std::string plain(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string with_commas(double value) {
  std::string text = fmt::format("{:.0f}", value);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(at, ",");
  return text;
}

}  // namespace

Axis value_axis(double most, bool is_count) {
  if (most <= 0) return {};
  double step = round_step(most, kMostSteps);
  if (is_count) step = std::max(step, 1.0);
  return {step, step * std::ceil(most / step - kSlack)};
}

Axis time_axis(double end, double width) {
  const double most = std::max(end, 1.0);
  const double labels = std::max(2.0, std::floor(width / kLabelWidth));
  const auto step = std::find_if(kTimeSteps.begin(), kTimeSteps.end(),
                                 [&](double one) { return most / one <= labels; });
  return {step == kTimeSteps.end() ? kDay * round_step(most / kDay, labels) : *step, most};
}

std::string value_label(double value, const Axis& axis) {
  if (value == 0) return "0";
  if (axis.most >= 1e6) return plain(value / 1e6, 1) + " M";
  if (axis.most >= 1e4) return plain(value / 1e3, 1) + " k";
  if (axis.step >= 1) return with_commas(value);
  return plain(value, static_cast<int>(std::ceil(-std::log10(axis.step) - kSlack)));
}

std::string time_label(double seconds, const Axis& axis) {
  if (seconds == 0) return "0";
  if (axis.step >= kDay) return plain(seconds / kDay, 1) + " d";
  if (axis.step >= kHour / 2) return plain(seconds / kHour, 1) + " h";
  if (axis.step >= kMinute) return plain(seconds / kMinute, 1) + " min";
  return plain(seconds, 1) + " s";
}

}  // namespace elenchus::base
