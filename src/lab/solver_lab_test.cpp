#include "lab/solver_lab.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "smtlib/parser.h"

namespace elenchus::lab {
namespace {

using solver::Outcome;

constexpr const char* kScript = "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";

// A lab with one fake solver, which does what the last of its options says.
class SolverLabTest : public testing::Test {
 protected:
  SolverLab lab_with(const std::string& mode) {
    const std::string spec = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fake " + mode;
    const std::vector<solver::Solver> solvers = {
        solver::find_solver(solver::Profiles::standard(), spec).value()};
    return {terms_, solvers, false, {.seconds = 20}};
  }

  ir::TermStore terms_;
  ir::Script script_ = smtlib::parse_script(terms_, kScript).value();
};

TEST_F(SolverLabTest, OptionsAreForOneRun) {
  SolverLab lab = lab_with("honest");
  size_t seen = 0;
  lab.set_observer([&](size_t, const solver::Run&) { ++seen; });
  EXPECT_EQ(lab.run(0, script_, {}).outcome, Outcome::kSat);
  EXPECT_EQ(lab.run(0, script_, {.options = {"unsat"}}).outcome, Outcome::kUnsat);
  EXPECT_EQ(lab.run(0, script_, {}).outcome, Outcome::kSat);
  EXPECT_EQ(seen, 3U);
}

TEST_F(SolverLabTest, ALimitIsForOneRun) {
  SolverLab lab = lab_with("slow-wrong");
  EXPECT_EQ(lab.run(0, script_, {.seconds = 0.1}).outcome, Outcome::kTimeout);
  EXPECT_EQ(lab.run(0, script_, {}).outcome, Outcome::kSat);
}

TEST_F(SolverLabTest, ProofsComeWithUnsat) {
  SolverLab lab = lab_with("unsat");
  const solver::Run run = lab.run(0, script_, {.proofs = true});
  ASSERT_EQ(run.checks.size(), 1U);
  EXPECT_EQ(run.checks[0].proof, "(proof)\n");
  EXPECT_EQ(lab.run(0, script_, {}).checks.at(0).proof, "");
}

}  // namespace
}  // namespace elenchus::lab
