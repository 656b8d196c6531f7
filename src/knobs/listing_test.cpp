#include "knobs/listing.h"

#include <gtest/gtest.h>

namespace elenchus::knobs {
namespace {

TEST(Listing, Z3HasModulesTypesAndDefaults) {
  const auto knobs = read_z3_listing(
      "Global parameters\n"
      "    auto_config (bool) use heuristics (default: true)\n"
      "    unicode (bool) use unicode strings\n"
      "\n"
      "To set a module parameter, use <module-name>.<parameter-name>=value\n"
      "[module] smt, description: smt solver based on lazy smt\n"
      "    arith.solver (unsigned int) which one: 2 (simplex) or 6 (default: 6)\n"
      "    qi.cost (string) what it costs (default: (+ weight generation))\n"
      "    dack.factor (double) (default: 0.1)\n"
      "[module] model\n"
      "    compact (bool) (default: true)\n");
  ASSERT_EQ(knobs.size(), 6U);
  EXPECT_EQ(knobs[0].name, "auto_config");
  EXPECT_EQ(knobs[0].standard, "true");
  EXPECT_EQ(knobs[1].standard, "");
  EXPECT_EQ(knobs[2].name, "smt.arith.solver");
  EXPECT_EQ(knobs[2].group, "smt");
  EXPECT_EQ(knobs[2].type, Type::kInteger);
  EXPECT_EQ(knobs[2].standard, "6");
  EXPECT_EQ(knobs[2].about, "which one: 2 (simplex) or 6");
  EXPECT_EQ(knobs[3].standard, "(+ weight generation)");
  EXPECT_EQ(knobs[4].type, Type::kReal);
  EXPECT_EQ(knobs[5].name, "model.compact");
}

TEST(Listing, CvcHasMarksAndPlaceholders) {
  const auto knobs = read_cvc_listing(
      "cvc5 options:\n"
      "  --seed=N | -s N        seed for the random number generator\n"
      "  --version | -V         identify this binary\n"
      "\n"
      "From the Arithmetic Theory module:\n"
      "  --nl-cov-prune         whether to prune intervals more (EXPERTS\n"
      "                         only) [*]\n"
      "  --nl-ext=MODE          incremental linearization\n"
      "  --replay-lemma-reject-cut=N\n"
      "                         maximum complexity (EXPERTS only)\n"
      "  --random-freq=P        the frequency\n"
      "\n"
      "[*] Each of these options has a --no-OPTIONNAME variant\n");
  ASSERT_EQ(knobs.size(), 6U);
  EXPECT_EQ(knobs[0].name, "seed");
  EXPECT_EQ(knobs[0].type, Type::kInteger);
  EXPECT_EQ(knobs[0].about, "seed for the random number generator");
  EXPECT_FALSE(knobs[1].is_usable());
  EXPECT_EQ(knobs[2].name, "nl-cov-prune");
  EXPECT_EQ(knobs[2].type, Type::kBool);
  EXPECT_TRUE(knobs[2].is_expert);
  EXPECT_TRUE(knobs[2].is_usable());
  EXPECT_EQ(knobs[2].group, "arithmetic theory");
  EXPECT_EQ(knobs[3].type, Type::kEnum);
  EXPECT_FALSE(knobs[3].is_expert);
  EXPECT_EQ(knobs[4].about, "maximum complexity");
  EXPECT_EQ(knobs[5].type, Type::kReal);
}

TEST(Listing, Modes) {
  Knob knob;
  read_modes(
      "  Modes of it\nAvailable modes for --nl-ext are:\n+ none\n  Disable\n+ full (default)\n",
      knob);
  EXPECT_EQ(knob.values, (std::vector<std::string>{"none", "full"}));
  EXPECT_EQ(knob.standard, "full");
}

TEST(Listing, BoolectorHasARange) {
  const auto knobs = read_boolector_listing(
      "  -h|--help                        print usage information and exit\n"
      "  -rwl<n>|--rewrite-level<n>       set rewrite level [0,3] (default 3)\n");
  ASSERT_EQ(knobs.size(), 1U);
  EXPECT_EQ(knobs[0].name, "rewrite-level");
  EXPECT_EQ(knobs[0].standard, "3");
  EXPECT_EQ(knobs[0].high, 3);
}

TEST(Listing, TacticsWithoutCombinatorsAndProbes) {
  const auto tactics = read_tactics(
      "\"combinators:\n- (and-then <tactic>+) in sequence.\nbuiltin tactics:\n"
      "- aig simplify Boolean structure.\n    max_memory (unsigned int) a limit\n- smt\n"
      "builtin probes:\n- is-pb true if pseudo-boolean.\n");
  ASSERT_EQ(tactics.size(), 2U);
  EXPECT_EQ(tactics[0].name, "aig");
  EXPECT_EQ(tactics[0].about, "simplify Boolean structure.");
  EXPECT_EQ(tactics[1].name, "smt");
}

TEST(Listing, AnyTextWillDo) {
  for (const char* text : {"", "\n", "    (", "    x (", "  --", "  --=N", "[module] ", "+ ",
                           "    a (bool", "--rewrite-level<n> [", "- ", "From the  module:"}) {
    EXPECT_NO_THROW({
      read_z3_listing(text);
      read_cvc_listing(text);
      read_boolector_listing(text);
      read_tactics(text);
      Knob knob;
      read_modes(text, knob);
    }) << text;
  }
}

}  // namespace
}  // namespace elenchus::knobs
