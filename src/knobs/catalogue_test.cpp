#include "knobs/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace elenchus::knobs {
namespace {

TEST(Knob, Patterns) {
  EXPECT_TRUE(fits("smt.*", "smt.arith.solver"));
  EXPECT_TRUE(fits("*max_*", "smt.mbqi.max_cexs"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(fits("smt", "smt.arith"));
  EXPECT_FALSE(fits("a*b", "aXbY"));
}

solver::Profile profile_of(const std::string& knobs) {
  auto profile = solver::parse_profile("name = \"x\"\n[knobs]\n" + knobs, "x.toml");
  EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().message);
  return profile ? *profile : solver::Profile();
}

TEST(Catalogue, ProfileRulesOutAndNarrows) {
  const solver::Profile profile = profile_of(
      "reader = \"z3\"\nregular = [\"smt.*\"]\n"
      "ignored = [{match = [\"*file*\"], reason = \"files\"}, {match = [\"@pp\"], reason = "
      "\"print\"}]\n"
      "ranges = [{match = [\"smt.n\"], low = 1, high = 3}, {match = [\"sat.gc\"], values = "
      "[\"psm\", "
      "\"glue\"]}]\n");
  auto knobs = read_z3_listing(
      "    dump_file_name (string) (default: a)\n[module] pp\n    width (unsigned int) (default: "
      "80)\n"
      "[module] smt\n    n (unsigned int) (default: 2)\n    free (string) (default: )\n"
      "    limit (unsigned int) (default: 4294967295)\n[module] sat\n    gc (symbol) (default: "
      "glue)\n");
  apply_profile(profile, knobs);
  ASSERT_EQ(knobs.size(), 6U);
  EXPECT_EQ(knobs[0].ignored, "files");
  EXPECT_EQ(knobs[1].ignored, "print");
  EXPECT_TRUE(knobs[2].is_usable());
  EXPECT_EQ(knobs[2].high, 3);
  EXPECT_FALSE(knobs[2].is_expert);
  EXPECT_FALSE(knobs[3].is_usable());
  EXPECT_EQ(knobs[4].high, 100);
  EXPECT_EQ(knobs[5].type, Type::kEnum);
  EXPECT_TRUE(knobs[5].is_expert);
}

TEST(Catalogue, WrittenAsTheSolverWantsIt) {
  Knob flag;
  flag.name = "nl-cov";
  Knob mode = flag;
  mode.name = "nl-ext";
  mode.type = Type::kEnum;
  const auto& profiles = solver::Profiles::standard();
  EXPECT_EQ(written(*profiles.find("cvc5"), flag, "true"), "--nl-cov");
  EXPECT_EQ(written(*profiles.find("cvc5"), flag, "false"), "--no-nl-cov");
  EXPECT_EQ(written(*profiles.find("cvc5"), mode, "full"), "--nl-ext=full");
  EXPECT_EQ(written(*profiles.find("z3"), flag, "false"), "nl-cov=false");
}

TEST(Profile, KnobsWithMistakes) {
  for (const char* text :
       {"ignored = [{reason = \"x\"}]", "ranges = [{match = [\"a\"], low = 2, high = 1}]",
        "ignored = [\"a\"]", "readr = \"z3\""}) {
    const auto profile =
        solver::parse_profile(std::string("name = \"x\"\n[knobs]\n") + text, "x.toml");
    EXPECT_FALSE(profile.has_value()) << text;
  }
}

// What every installed solver lists must be read: a format that changed would leave nothing.
class RealCatalogue : public testing::TestWithParam<const char*> {};

TEST_P(RealCatalogue, IsRead) {
  const auto solver = solver::find_solver(solver::Profiles::standard(), GetParam());
  if (!solver) GTEST_SKIP() << GetParam() << " is not installed";
  const Catalogue catalogue = catalogue_of(*solver);
  const bool is_small = std::string_view(GetParam()) == "boolector";
  EXPECT_GE(catalogue.knobs.size(), is_small ? 1U : 300U);
  EXPECT_GE(catalogue.usable(), is_small ? 1U : 100U);
  EXPECT_TRUE(catalogue.gaps.empty()) << catalogue.gaps[0];
  for (const Knob& knob : catalogue.knobs) {
    EXPECT_EQ(knob.name.find(' '), std::string::npos) << knob.name;
    if (!knob.is_usable()) continue;
    const bool is_number = knob.type == Type::kInteger || knob.type == Type::kReal;
    EXPECT_TRUE(is_number ? knob.low < knob.high : !knob.values.empty()) << knob.name;
  }
}

// cvc4 prints the values of its modes on standard output, cvc5 on standard error.
class RealModes : public testing::TestWithParam<const char*> {};

TEST_P(RealModes, AreRead) {
  const auto solver = solver::find_solver(solver::Profiles::standard(), GetParam());
  if (!solver) GTEST_SKIP() << GetParam() << " is not installed";
  const Catalogue catalogue = catalogue_of(*solver);
  const auto modes =
      std::count_if(catalogue.knobs.begin(), catalogue.knobs.end(),
                    [](const Knob& knob) { return knob.type == Type::kEnum && knob.is_usable(); });
  EXPECT_GE(modes, 20);
}

INSTANTIATE_TEST_SUITE_P(Solvers, RealModes, testing::Values("cvc5", "cvc4"));

// A program that prints nothing: its options are lost, and that is said.
TEST(Catalogue, SaysWhatIsMissing) {
  solver::Solver solver;
  solver.profile = solver::Profiles::standard().find("cvc5");
  solver.name = "mute";
  solver.program = "/bin/true";
  EXPECT_EQ(catalogue_of(solver).gaps,
            std::vector<std::string>{"mute lists no options that we can read"});
  solver.profile = solver::Profiles::standard().find("yices2");
  ASSERT_NE(solver.profile, nullptr);
  EXPECT_TRUE(catalogue_of(solver).gaps.empty());  // nobody says how to ask it
}

INSTANTIATE_TEST_SUITE_P(Solvers, RealCatalogue,
                         testing::Values("z3", "cvc5", "cvc4", "boolector"));

}  // namespace
}  // namespace elenchus::knobs
