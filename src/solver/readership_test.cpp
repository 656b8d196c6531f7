#include "solver/readership.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace elenchus::solver {
namespace {

Solver solver_with(std::shared_ptr<const Profile> profile, const char* version) {
  Solver solver;
  solver.profile = std::move(profile);
  solver.version = version;
  return solver;
}

Solver known(const char* name, const char* version) {
  return solver_with(Profiles::standard().find(name), version);
}

Solver described(const std::string& profile, const char* version) {
  auto parsed = parse_profile("name = \"mine\"\n" + profile, "mine.toml");
  EXPECT_TRUE(parsed.has_value());
  return solver_with(std::make_shared<const Profile>(parsed ? std::move(*parsed) : Profile()),
                     version);
}

class ReadershipTest : public testing::Test {
 protected:
  void read(std::vector<Solver> solvers) {
    auto made = readership_of(solvers, *ir::OpTable::standard());
    ASSERT_TRUE(made.has_value());
    readership = std::move(*made);
  }
  bool reads(size_t solver, const char* name) const {
    const auto symbol = readership.ops->symbols().find(name);
    if (!symbol.valid()) return false;
    for (const ir::Op op : readership.ops->named(symbol)) {
      if ((readership.ops->info(op).who & readership.readers[solver]) != 0) return true;
    }
    return false;
  }

  Readership readership;
};

TEST_F(ReadershipTest, InstalledSolversAreThoseOfEveryTable) {
  read({known("z3", "4.8.12"), known("cvc4", "1.8"), known("cvc5", "1.0.3"), known("stp", "2.3")});
  EXPECT_EQ(readership.readers, (std::vector<uint16_t>{ir::kZ3Reader, ir::kCvc4Reader,
                                                       ir::kCvc5Reader, ir::kStdReader}));
  EXPECT_EQ(readership.all(), ir::kDebianReaders | ir::kStdReader);
}

TEST_F(ReadershipTest, AnUnknownVersionIsTheOldest) {
  read({known("z3", ""), known("cvc5", ""), known("cvc5", "main")});
  EXPECT_EQ(readership.readers,
            (std::vector<uint16_t>{ir::kZ3Reader, ir::kCvc5Reader, ir::kCvc5Reader}));
}

TEST_F(ReadershipTest, OperatorsComeWithVersions) {
  read({known("cvc5", "1.2.1"), known("cvc5", "1.3.0"), known("cvc5", "1.3.5-dev"),
        known("z3", "4.14.0"), known("z3", "4.14.1")});
  EXPECT_FALSE(reads(0, "sbv_to_int"));
  EXPECT_TRUE(reads(1, "sbv_to_int"));
  EXPECT_TRUE(reads(2, "sbv_to_int"));
  EXPECT_FALSE(reads(3, "sbv_to_int"));
  EXPECT_TRUE(reads(4, "sbv_to_int"));
}

TEST_F(ReadershipTest, AProfileSaysWhatItReads) {
  const std::string profile =
      "[operators]\nalso = [\"bvnego\", \"(my.half Int Int)\"]\nnot = [\"bvsmod\"]\n"
      "[operators.since]\n\"2.1\" = [\"bvcomp\", \"set.union\", \"(my.third Int Int)\"]\n";
  read({described(profile, "2.0.9"), described(profile, "2.1"), known("z3", "")});
  for (const size_t old_and_new : {0, 1}) {
    EXPECT_TRUE(reads(old_and_new, "bvadd"));
    EXPECT_TRUE(reads(old_and_new, "bvnego"));
    EXPECT_TRUE(reads(old_and_new, "my.half"));
    EXPECT_FALSE(reads(old_and_new, "bvsmod"));
  }
  EXPECT_FALSE(reads(0, "set.union"));
  EXPECT_FALSE(reads(0, "my.third"));
  EXPECT_TRUE(reads(1, "set.union"));
  EXPECT_TRUE(reads(1, "my.third"));
  EXPECT_FALSE(reads(2, "my.half"));
  // Whoever has operators of a sort has the sort.
  const uint16_t with_sets = readership.ops->made_for(ir::SortKind::kSet);
  EXPECT_EQ(with_sets & readership.readers[0], 0);
  EXPECT_NE(with_sets & readership.readers[1], 0);
}

TEST_F(ReadershipTest, ADialectOfAnotherSolverIsOfAVersion) {
  read({described("[operators]\nreads = [\"z3\"]\n", "9.9"),
        described("[operators]\nreads = [\"z3 4.12.2\"]\n", "0.1")});
  EXPECT_EQ(readership.readers[0], ir::kZ3Reader);
  EXPECT_TRUE(reads(1, "bvnego"));
  EXPECT_FALSE(reads(1, "sbv_to_int"));
}

TEST_F(ReadershipTest, FiniteSetsAreOfZ3Alone) {
  read({known("z3", "4.15.0"), known("z3", "5.1.0"), known("cvc5", "1.3.5")});
  EXPECT_FALSE(reads(0, "set.in"));
  EXPECT_TRUE(reads(1, "set.in"));
  EXPECT_FALSE(reads(2, "set.in"));
  EXPECT_TRUE(reads(2, "set.member"));
  EXPECT_FALSE(reads(1, "set.member"));
  const uint16_t with_sets = readership.ops->made_for(ir::SortKind::kFiniteSet);
  EXPECT_EQ(with_sets & (readership.readers[0] | readership.readers[2]), 0);
  EXPECT_NE(with_sets & readership.readers[1], 0);
}

TEST_F(ReadershipTest, BitwuzlaHasOperatorsOfItsOwn) {
  read({known("bitwuzla", "0.8.2"), known("z3", "5.1.0"), known("cvc5", "1.3.5")});
  for (const char* name : {"const", "bvredxor", "bvinc", "bvdec", "bvrol", "bvror"}) {
    EXPECT_TRUE(reads(0, name)) << name;
  }
  EXPECT_FALSE(reads(1, "bvrol"));
  EXPECT_FALSE(reads(2, "bvrol"));
}

TEST_F(ReadershipTest, SomeHaveOnlySomeFormats) {
  read({known("bitwuzla", "0.8.2"), known("z3", "5.1.0"), known("cvc5", "1.0.3")});
  const auto formats = [&](uint32_t exponent, uint32_t significand) {
    return readership.ops->format_readers(
        {.kind = ir::SortKind::kFloatingPoint, .a = exponent, .b = significand});
  };
  EXPECT_EQ(formats(3, 5) & readership.readers[0], 0);
  EXPECT_NE(formats(3, 5) & readership.readers[1], 0);
  EXPECT_NE(formats(15, 113) & readership.readers[0], 0);
  EXPECT_EQ(formats(15, 113) & readership.readers[2], 0);
  EXPECT_NE(formats(11, 53) & readership.readers[2], 0);
  EXPECT_NE(readership.ops->format_readers({.kind = ir::SortKind::kInt}) & readership.readers[0],
            0);
}

TEST_F(ReadershipTest, TacticsAreThereWhereOneHasThem) {
  read({known("z3", "4.8.12"), known("cvc5", "1.0.3")});
  EXPECT_TRUE(readership.any_has(ir::Habit::kTactics));
  read({known("cvc4", "1.8"), known("cvc5", "1.0.3")});
  EXPECT_FALSE(readership.any_has(ir::Habit::kTactics));
}

}  // namespace
}  // namespace elenchus::solver
