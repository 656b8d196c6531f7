#include "solver/profile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "solver/solver.h"

namespace elenchus::solver {
namespace {

TEST(Profile, EveryEmbeddedOneIsSound) {
  std::set<std::string> names;
  for (const auto& profile : Profiles::standard().all()) {
    EXPECT_TRUE(names.insert(profile->name).second) << profile->name;
    EXPECT_EQ(profile->programs.empty(), profile->name == "generic") << profile->name;
    EXPECT_FALSE(profile->crashes.empty());
    EXPECT_NE(profile->option_form.find("{name}"), std::string::npos);
    std::set<std::string> variants;
    for (const Variant& variant : profile->variants) {
      EXPECT_TRUE(variants.insert(variant.name).second) << variant.name;
      EXPECT_FALSE(variant.about.empty()) << variant.name;
    }
    for (const TextMark& mark : profile->self_checks) {
      EXPECT_TRUE(mark.answer == "sat" || mark.answer == "unsat") << mark.text;
    }
  }
  for (const char* name : {"z3", "cvc5", "cvc4", "boolector", "yices2", "bitwuzla", "mathsat",
                           "opensmt", "stp", "dreal", "generic"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(Profiles::standard().all().back()->name, "generic");
}

TEST(Profile, MistakesAreNamed) {
  const auto message = [](const char* text) {
    const auto profile = parse_profile(text, "p.toml");
    return profile ? std::string("none") : profile.error().message;
  };
  EXPECT_EQ(message("programs = [\"a\"]"), "p.toml:1:1: error: a profile needs a name");
  EXPECT_EQ(message("name = \"a\"\nprogram = [\"a\"]"),
            "p.toml:2:11: error: unknown key 'program'");
  EXPECT_EQ(message("name = \"a\"\nprograms = \"a\""),
            "p.toml:2:12: error: 'programs' must be a list");
  EXPECT_EQ(message("name = 3"), "p.toml:1:8: error: 'name' must be a string");
  EXPECT_EQ(message("name = \"a\"\n[texts]\ncrash = [{lines = 2}]"),
            "p.toml:3:10: error: texts: crash needs a text");
  EXPECT_NE(message("name = ").find("p.toml:1:"), std::string::npos);
}

TEST(Profile, MistakesInOperatorsAreNamed) {
  const auto message = [](const std::string& section) {
    const auto profile = parse_profile("name = \"a\"\n[operators]\n" + section, "p.toml");
    return profile ? std::string("none") : profile.error().message;
  };
  EXPECT_EQ(message("also = [\"bvnego\",\n  \"bv.nego\"]"),
            "p.toml:4:3: error: operators: no operator 'bv.nego'; one of the solver's own has a "
            "signature, such as (bv.nego Int Int)");
  EXPECT_EQ(message("not = [\"bvad\"]"), "p.toml:3:8: error: operators: no operator 'bvad'");
  EXPECT_EQ(message("not = [3]"), "p.toml:3:8: error: operators: 'not' must be a list of strings");
  EXPECT_EQ(message("reads = [\"z4\"]"),
            "p.toml:3:10: error: operators: no dialect 'z4' among standard, z3, cvc4, cvc5");
  EXPECT_EQ(message("reads = [\"z3 new\"]"),
            "p.toml:3:10: error: operators: no version in 'z3 new'");
  EXPECT_NE(message("theories = [\"BitVectors\"]").find("among core, ints, reals, "),
            std::string::npos);
  EXPECT_NE(message("habits = [\"tactic\"]").find("no habit 'tactic' among "), std::string::npos);
  EXPECT_EQ(message("[operators.since]\nnew = [\"bvnego\"]"),
            "p.toml:4:8: error: since: no version 'new'");
  EXPECT_NE(
      message("[operators.limits]\ntwo = [\"bvadd\"]").find("p.toml:4:8: error: limits: no limit"),
      std::string::npos);
  EXPECT_EQ(message("[operators.limits]\ntwo-arguments = [\"bvad\"]"),
            "p.toml:4:18: error: limits: no operator 'bvad'");
  EXPECT_NE(message("also = [\"(my.op Int\"]").find("p.toml:3:9: error: operators: "),
            std::string::npos);
}

TEST(Profile, WritesOptions) {
  const auto z3 = Profiles::standard().find("z3");
  const auto cvc5 = Profiles::standard().find("cvc5");
  EXPECT_EQ(z3->write_option("sat.euf", "true"), "sat.euf=true");
  EXPECT_EQ(cvc5->write_option("seed", "7"), "--seed=7");
  ASSERT_NE(z3->find_variant("new-core"), nullptr);
  EXPECT_TRUE(z3->find_variant("new-core")->is_default);
  EXPECT_EQ(z3->find_variant("none"), nullptr);
}

TEST(Profiles, UsersAddAndReplace) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "elenchus_profiles";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.toml") << "name = \"mine\"\nprograms = [\"mine\"]\n";
  std::ofstream(folder / "z3.toml") << "name = \"z3\"\nprograms = [\"my-z3\"]\n";
  std::ofstream(folder / "readme.txt") << "not a profile";
  Profiles profiles = Profiles::standard();
  const size_t count = profiles.all().size();
  ASSERT_TRUE(profiles.load(folder).has_value());
  EXPECT_EQ(profiles.all().size(), count + 1);
  EXPECT_EQ(profiles.find("z3")->programs, std::vector<std::string>{"my-z3"});
  EXPECT_NE(profiles.find("mine"), nullptr);
  EXPECT_EQ(profiles.all().back()->name, "generic");
  std::ofstream(folder / "bad.toml") << "name = \n";
  EXPECT_FALSE(profiles.load(folder).has_value());
  EXPECT_FALSE(profiles.load(folder / "nowhere").has_value());
  std::filesystem::remove_all(folder);
}

TEST(FindSolver, Specs) {
  const std::string fake = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fake";
  const Profiles& profiles = Profiles::standard();
  // A command line is recognised by its version output, variants and quotes are understood.
  const auto found = find_solver(profiles, fake + "  new-core a=b 'c d' e\\ f");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->profile->name, "z3");
  EXPECT_EQ(found->program, fake);
  EXPECT_EQ(found->version, "0.0.1");
  EXPECT_EQ(found->options, (std::vector<std::string>{"sat.euf=true", "tactic.default_tactic=smt",
                                                      "a=b", "c d", "e f"}));
  EXPECT_EQ(found->name, fake + " new-core a=b c d e f");
  const auto again = find_solver(profiles, found->spec);
  ASSERT_TRUE(again.has_value()) << found->spec;
  EXPECT_EQ(again->options, found->options);
  EXPECT_EQ(again->spec, found->spec);
  const auto command = command_line(*found, true, {});
  EXPECT_EQ(command[0], fake);
  EXPECT_EQ(command.back(), "e f");

  const auto generic = find_solver(profiles, "/bin/sleep 2");
  ASSERT_TRUE(generic.has_value());
  EXPECT_EQ(generic->profile->name, "sleep");
  EXPECT_TRUE(generic->profile->is_generic);
  EXPECT_TRUE(may_be(*generic, "another-build"));
  EXPECT_FALSE(may_be(*generic, "z3"));
  EXPECT_FALSE(may_be(*found, "cvc5"));

  EXPECT_FALSE(find_solver(profiles, "").has_value());
  EXPECT_FALSE(find_solver(profiles, "z3 'open").has_value());
  const auto missing = find_solver(profiles, "/nowhere/z3");
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("no solver '/nowhere/z3'"), std::string::npos);
}

// Whatever ends content before it has read anything answers nothing.
TEST(FindSolver, WhatDoesNotReadIsRefused) {
  for (const char* spec : {"/bin/true", "/bin/true --x", "/bin/echo sat", "/bin/cat -u"}) {
    const auto found = find_solver(Profiles::standard(), spec);
    ASSERT_FALSE(found.has_value()) << spec;
    EXPECT_NE(found.error().message.find("is it a solver"), std::string::npos) << spec;
  }
  const std::string fake = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fake ";
  for (const char* mode : {"silent", "segv", "grumbles", "rejects", "closes", "deaf"}) {
    EXPECT_TRUE(find_solver(Profiles::standard(), fake + mode).has_value()) << mode;
  }
}

TEST(FindSolver, AllThatAreThere) {
  for (const Solver& solver : find_all_solvers(Profiles::standard())) {
    EXPECT_EQ(solver.name, solver.profile->name);
    EXPECT_FALSE(solver.version.empty()) << solver.name;
  }
}

}  // namespace
}  // namespace elenchus::solver
