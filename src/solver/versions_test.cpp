// What solvers say of their versions, and what follows from it.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "proc/process.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace elenchus::solver {
namespace {

// A program of some name that says some version, refuses some option and complains in check-sat.
class Versions : public ::testing::Test {
 protected:
  struct Traits {
    std::string version;    // on standard output
    std::string refuses;    // an option
    std::string complains;  // on standard error, with an answer
    bool fails = false;     // whatever its options are
  };

  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("versions-" + std::to_string(getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Solver make(const std::string& name, const Traits& traits) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream file(path);
    file << "#!/bin/sh\n"
         << "for word in \"$@\"; do\n  case \"$word\" in\n"
         << "    --version) printf '%s\\n' '" << traits.version << "'; exit 0 ;;\n";
    if (!traits.refuses.empty()) {
      file << "    " << traits.refuses << ") echo \"unknown option: $word\" >&2; exit 1 ;;\n";
    }
    file << "  esac\ndone\n"
         << (traits.fails ? "echo no >&2; exit 1\n" : "")
         << "while IFS= read -r line; do\n  case \"$line\" in\n"
         << "    '(check-sat)') echo '" << traits.complains << "' >&2; echo sat ;;\n"
         << "    '(echo '*) text=${line#*\\\"}; echo \"${text%\\\"*}\" ;;\n"
         << "    '(get-model)') printf '(\\n)\\n' ;;\n"
         << "    '(exit)') exit 0 ;;\n"
         << "  esac\ndone\n";
    file.close();
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    auto solver = find_solver(Profiles::standard(), path.string());
    EXPECT_TRUE(solver.has_value()) << (solver ? "" : solver.error().message);
    return solver ? std::move(*solver) : Solver();
  }

  static bool has_option(const Solver& solver, const std::string& option) {
    const auto line = command_line(solver, true, {.strings = true});
    return std::find(line.begin(), line.end(), option) != line.end();
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Versions, OfCvc5OldAndNew) {
  const Solver old = make("cvc5", {"This is cvc5 version 1.0.3 [git tag 1.0.3]", "", ""});
  EXPECT_EQ(old.profile->name, "cvc5");
  EXPECT_EQ(old.version, "1.0.3");
  EXPECT_TRUE(has_option(old, "--sets-ext"));
  EXPECT_FALSE(has_option(old, "--sets-exp"));
  const Solver newer = make("cvc5-new", {"cvc5 1.3.5.dev [git 190adc3 on branch main]", "", ""});
  EXPECT_EQ(newer.profile->name, "cvc5");
  EXPECT_EQ(newer.version, "1.3.5.dev");
  EXPECT_FALSE(has_option(newer, "--sets-ext"));
  EXPECT_TRUE(has_option(newer, "--sets-exp"));
  EXPECT_TRUE(are_kin(old, newer));
  EXPECT_TRUE(newer.refused.empty());
}

TEST_F(Versions, OwnRulesOfCvc5) {
  EXPECT_FALSE(under_own_rules(make("cvc5", {"This is cvc5 version 1.0.3", "", ""})));
  const Solver plain = make("cvc5-new", {"cvc5 1.3.4", "", ""});
  const auto strict = under_own_rules(plain);
  ASSERT_TRUE(strict.has_value());
  EXPECT_TRUE(has_option(*strict, "--safe-mode=stable"));
  EXPECT_TRUE(has_option(*strict, "--strings-exp"));
  EXPECT_FALSE(has_option(*strict, "--fp-exp"));
  EXPECT_TRUE(has_option(plain, "--fp-exp"));
  EXPECT_FALSE(has_option(plain, "--safe-mode=stable"));
}

TEST_F(Versions, OfYices) {
  const Solver old = make("yices-smt2", {"Yices 2.6.5", "", ""});
  EXPECT_TRUE(has_option(old, "--smt2-model-format"));
  const Solver newer = make("yices-new", {"Yices 2.7.0", "--smt2-model-format", ""});
  EXPECT_EQ(newer.profile->name, "yices2");
  EXPECT_FALSE(has_option(newer, "--smt2-model-format"));
  EXPECT_TRUE(newer.refused.empty());
}

TEST_F(Versions, OfOpenSmtAndBitwuzlaAreBareNumbers) {
  const Solver opensmt = make("opensmt", {"v2.9.2-25-ge4c80308", "", ""});
  EXPECT_EQ(opensmt.profile->name, "opensmt");
  EXPECT_EQ(opensmt.version, "2.9.2-25-ge4c80308");
  EXPECT_TRUE(opensmt.profile->has_cores);
  EXPECT_FALSE(make("opensmt-old", {"2.5.2", "", ""}).profile->has_cores);
  EXPECT_EQ(make("bitwuzla", {"0.9.1-dev", "", ""}).profile->name, "bitwuzla");
  EXPECT_NE(make("unheard-of", {"0.9.1-dev", "", ""}).profile->name, "bitwuzla");
}

TEST_F(Versions, OfAWebAssemblyZ3) {
  const Solver z3 = make("z3_npm", {"Z3 version 5.1.0 - WebAssembly, z3-solver 5.2.0", "", ""});
  EXPECT_EQ(z3.profile->name, "z3");
  EXPECT_EQ(z3.version, "5.1.0");
  EXPECT_GT(z3.profile->start_seconds, 0);
  EXPECT_EQ(make("z3", {"Z3 version 5.1.0 - 64 bit", "", ""}).profile->start_seconds, 0);
}

TEST_F(Versions, OptionsThatABuildRefusesAreLeftOut) {
  const Solver cvc5 = make("cvc5", {"cvc5 1.4.0", "--fp-exp", ""});
  EXPECT_EQ(cvc5.refused, std::vector<std::string>{"--fp-exp"});
  EXPECT_FALSE(has_option(cvc5, "--fp-exp"));
  EXPECT_TRUE(has_option(cvc5, "--sets-exp"));
  EXPECT_TRUE(has_option(cvc5, "--incremental"));
  // With its value, where that is a word of its own.
  const Solver bitwuzla = make("bitwuzla", {"0.9.1", "--lang", ""});
  EXPECT_EQ(bitwuzla.refused, (std::vector<std::string>{"--lang", "smt2"}));
  EXPECT_FALSE(has_option(bitwuzla, "smt2"));
}

TEST_F(Versions, OptionsOfSessionsAreTriedToo) {
  const Solver cvc5 = make("cvc5", {"cvc5 1.4.0", "--incremental", ""});
  EXPECT_EQ(cvc5.refused, std::vector<std::string>{"--incremental"});
  EXPECT_TRUE(cvc5.profile->session_options.empty());
  EXPECT_TRUE(cvc5.profile->incremental_options.empty());
  EXPECT_TRUE(has_option(cvc5, "--fp-exp"));
}

TEST_F(Versions, SeveralRefusedOptions) {
  const Solver cvc5 = make("cvc5", {"cvc5 1.4.0", "--fp-exp|--sets-exp", ""});
  EXPECT_EQ(cvc5.refused, (std::vector<std::string>{"--fp-exp", "--sets-exp"}));
  // What fails whatever its options are is not their fault.
  const Solver broken = make("cvc5-broken", {"cvc5 1.4.0", "", "", true});
  EXPECT_TRUE(broken.refused.empty());
  EXPECT_TRUE(has_option(broken, "--fp-exp"));
}

TEST_F(Versions, AnAnswerWithAWarningThatSomethingIsNotSupportedIsNone) {
  const std::string warning = "Equalities over uninterpreted sorts not yet supported.";
  const Solver bitwuzla = make("bitwuzla", {"0.9.1", "", warning});
  for (const bool fresh : {true, false}) {
    Query query;
    query.text = "(set-logic QF_UF)\n(check-sat)";
    query.check_ends = {static_cast<uint32_t>(query.text.size())};
    query.text += '\n';
    query.want_models = true;
    RunLimits limits;
    limits.seconds = 30;
    const auto run = Runner(bitwuzla, fresh).run(query, limits);
    EXPECT_EQ(run.outcome, Outcome::kRejected);
    EXPECT_TRUE(run.checks.empty());
    EXPECT_NE(run.message.find("not yet supported"), std::string::npos) << run.message;
  }
}

TEST(ProfileVersions, ReplaceOptionsAndAddTexts) {
  const auto parsed = parse_profile(
      "name = \"a\"\n[options]\nbase = [\"-a\"]\n[texts]\ncrash = [\"x\"]\n"
      "[[versions]]\nsince = \"2.0\"\nbefore = \"3.0\"\n[versions.options]\nbase = [\"-b\"]\n"
      "[versions.texts]\ncrash = [\"y\"]\n",
      "p.toml");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  const auto profile = std::make_shared<const Profile>(*parsed);
  const auto base_of = [&](const char* version) {
    return profile_for(profile, {version, ""})->base_options;
  };
  EXPECT_EQ(base_of("1.9.9"), std::vector<std::string>{"-a"});
  EXPECT_EQ(base_of("2.0"), std::vector<std::string>{"-b"});
  EXPECT_EQ(base_of("2.99.1-dev"), std::vector<std::string>{"-b"});
  EXPECT_EQ(base_of("3.0"), std::vector<std::string>{"-a"});
  EXPECT_EQ(base_of(""), std::vector<std::string>{"-a"});
  EXPECT_EQ(profile_for(profile, {"1.0", ""}), profile);
  EXPECT_EQ(profile_for(profile, {"2.0", ""})->crashes.size(), profile->crashes.size() + 1);
}

TEST(ProfileVersions, MistakesAreNamed) {
  const auto message = [](const std::string& text) {
    const auto profile = parse_profile("name = \"a\"\n[[versions]]\n" + text, "p.toml");
    return profile ? std::string("none") : profile.error().message;
  };
  EXPECT_EQ(message("since = \"1.2\""), "none");
  EXPECT_NE(message("since = \"new\"").find("no version 'new'"), std::string::npos);
  EXPECT_NE(message("until = \"1.2\"").find("versions"), std::string::npos);
  EXPECT_NE(message("since = \"1\"\n[versions.options]\nbases = []").find("'bases'"),
            std::string::npos);
}

}  // namespace
}  // namespace elenchus::solver
