#include "base/axis.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace elenchus::base {
namespace {

using Json = nlohmann::json;

const Json& cases() {
  static const Json kCases =
      Json::parse(std::ifstream(std::string(ELENCHUS_SOURCE_DIR) + "/tests/axes.json"));
  return kCases;
}

using Label = std::string (*)(double, const Axis&);

std::vector<std::string> labels_of(const Axis& axis, Label label) {
  std::vector<std::string> labels;
  for (int i = 0; i * axis.step <= axis.most * (1 + 1e-9); ++i) {
    labels.push_back(label(i * axis.step, axis));
  }
  return labels;
}

// page_test.py tries the same cases on the page.
TEST(Axis, ValuesAreNamedAsOnThePage) {
  for (const Json& one : cases()["values"]) {
    EXPECT_EQ(labels_of(value_axis(one["most"], one["count"]), value_label),
              one["labels"].get<std::vector<std::string>>())
        << one;
  }
}

TEST(Axis, TimesAreNamedAsOnThePage) {
  for (const Json& one : cases()["times"]) {
    EXPECT_EQ(labels_of(time_axis(one["end"], one["width"]), time_label),
              one["labels"].get<std::vector<std::string>>())
        << one;
  }
}

TEST(Axis, HoldsWhateverIsDrawn) {
  for (double most = 1e-5; most < 1e10; most *= 1.37) {
    const Axis axis = value_axis(most, false);
    EXPECT_GE(axis.most, most * (1 - 1e-9));
    EXPECT_LE(axis.most / axis.step, 5 + 1e-9);
    EXPECT_LT(axis.most - most, axis.step);
  }
}

}  // namespace
}  // namespace elenchus::base
