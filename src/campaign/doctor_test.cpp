// What is said of solvers and seeds, on solvers that no process stands behind.
#include "campaign/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "lab/fake_solver.h"

namespace elenchus::campaign {
namespace {

using Level = Diagnosis::Level;

// Answers as `answer` says for the text up to a check-sat, with a model where that is sat.
Prospect prospect_with(std::function<std::string(const solver::Solver&, std::string_view)> answer) {
  Prospect prospect;
  prospect.ops = ir::OpTable::standard();
  prospect.prepare = [answer = std::move(answer)](lab::SolverLab& lab) {
    lab.set_stand_in([answer](const solver::Solver& solver, const solver::Query& query) {
      solver::Run run =
          lab::answered(query, [&](std::string_view text) { return answer(solver, text); });
      for (solver::CheckResult& check : run.checks) {
        if (check.outcome == solver::Outcome::kSat) check.model = "()";
      }
      return run;
    });
  };
  return prospect;
}

std::string honest(const solver::Solver& /*solver*/, std::string_view text) {
  return text.find("(not (= x x))") == std::string_view::npos ? "sat" : "unsat";
}

const Diagnosis* find(const Doctor& doctor, std::string_view text) {
  const auto at = std::find_if(doctor.found().begin(), doctor.found().end(), [&](const auto& one) {
    return one.what.find(text) != std::string::npos;
  });
  return at == doctor.found().end() ? nullptr : &*at;
}

TEST(Doctor, SolversThatAnswerSimpleQuestionsWork) {
  const Prospect prospect = prospect_with(honest);
  Doctor doctor(prospect);
  doctor.look_at_solvers({lab::fake_solver("one"), lab::fake_solver("two")});
  for (const std::string_view name : {"one 1.0 works", "two 1.0 works"}) {
    ASSERT_NE(find(doctor, name), nullptr) << name;
    EXPECT_EQ(find(doctor, name)->level, Level::kGood);
  }
  EXPECT_EQ(find(doctor, "only one solver"), nullptr);
}

TEST(Doctor, OneThatErrsIsBadAndTestsNothing) {
  const Prospect prospect =
      prospect_with([](const solver::Solver& /*solver*/, std::string_view) { return "sat"; });
  Doctor doctor(prospect);
  doctor.look_at_solvers({lab::fake_solver("liar")});
  const Diagnosis* bad = find(doctor, "liar: sat instead of unsat on a simple question");
  ASSERT_NE(bad, nullptr);
  EXPECT_EQ(bad->level, Level::kBad);
  EXPECT_EQ(find(doctor, "works"), nullptr);
  // Without a solver, seeds are not tried.
  const size_t before = doctor.found().size();
  doctor.look_at_seeds();
  EXPECT_EQ(doctor.found().size(), before);
}

TEST(Doctor, OptionsThatAreRefusedAreSaidOnce) {
  const Prospect prospect = prospect_with(honest);
  solver::Solver old = lab::fake_solver("old");
  old.refused = {"--new"};
  Doctor doctor(prospect);
  doctor.look_at_solvers({old});
  EXPECT_EQ(std::count_if(doctor.found().begin(), doctor.found().end(),
                          [](const Diagnosis& one) {
                            return one.what.find("does not take --new") != std::string::npos;
                          }),
            1);
}

TEST(Doctor, SeedsThatOneSolverTakesAreGood) {
  Prospect prospect = prospect_with([](const solver::Solver& solver, std::string_view text) {
    const bool is_simple = text.find(" x ()") != std::string_view::npos;
    if (!is_simple && solver.name == "picky") return std::string("unknown");
    return honest(solver, text);
  });
  prospect.sample = 3;
  Doctor doctor(prospect);
  doctor.look_at_solvers({lab::fake_solver("one"), lab::fake_solver("picky")});
  doctor.look_at_seeds();
  const Diagnosis* seeds = find(doctor, "of 3 of the ");
  ASSERT_NE(seeds, nullptr);
  EXPECT_NE(seeds->what.find("3 are read, 3 accepted by a solver, 3 decided"), std::string::npos)
      << seeds->what;
  EXPECT_EQ(seeds->level, Level::kGood);
}

TEST(Doctor, SeedsThatAreNotThereAreBad) {
  Prospect prospect = prospect_with(honest);
  prospect.seeds = {"/nowhere/at/all"};
  Doctor doctor(prospect);
  doctor.look_at_solvers({lab::fake_solver("one")});
  doctor.look_at_seeds();
  EXPECT_EQ(doctor.found().back().level, Level::kBad);
}

TEST(Doctor, WithoutSolversThereIsNothingToTest) {
  const Prospect prospect = prospect_with(honest);
  Doctor doctor(prospect);
  doctor.look_at_solvers({});
  ASSERT_EQ(doctor.found().size(), 1U);
  EXPECT_EQ(doctor.found()[0].what, "no solver");
}

}  // namespace
}  // namespace elenchus::campaign
