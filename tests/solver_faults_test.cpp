// Where a release of a solver is known to be wrong, the evaluator is right:
// tools/crosscheck_known.json says who errs, why, and gives an example.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "eval/evaluator.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "random_values.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

using Json = nlohmann::json;

Json known_faults() {
  std::ifstream file(ELENCHUS_SOURCE_DIR "/tools/crosscheck_known.json");
  return Json::parse(file);
}

bool holds(const std::string& formula) {
  ir::TermStore store;
  const auto script =
      smtlib::parse_script(store, std::string(RandomValues::kPrelude) + "(assert " + formula + ")");
  if (!script) {
    ADD_FAILURE() << describe(script.error(), formula);
    return false;
  }
  const ir::Model no_model;
  eval::Evaluator evaluator(store, no_model);
  return evaluator.evaluate(script->commands.back().term).is_true();
}

TEST(SolverFaults, TheEvaluatorHasTheRightValue) {
  const Json faults = known_faults();
  ASSERT_FALSE(faults.empty());
  for (const Json& fault : faults) {
    const std::string term = fault.at("example").at(0);
    const std::string value = fault.at("example").at(1);
    EXPECT_TRUE(holds("(= " + term + " " + value + ")"))
        << term << " is not " << value << "; " << fault.at("solver") << " " << fault.at("version")
        << ": " << fault.at("reason");
  }
}

TEST(SolverFaults, EachSaysWhoAndWhy) {
  for (const Json& fault : known_faults()) {
    for (const char* key : {"solver", "version", "operator", "reason"}) {
      EXPECT_FALSE(fault.at(key).get<std::string>().empty()) << fault;
    }
  }
}

}  // namespace
}  // namespace elenchus
