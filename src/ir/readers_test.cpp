#include "ir/readers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ir/op_table.h"

namespace elenchus::ir {
namespace {

Reader reader_in(Dialect dialect, const char* version) {
  Reader reader;
  reader.versions[static_cast<size_t>(dialect)] = parse_version(version);
  return reader;
}

class ReadersTest : public testing::Test {
 protected:
  uint16_t add(const Reader& reader) {
    const auto bit = table.add_reader(reader);
    EXPECT_TRUE(bit.has_value());
    return bit ? *bit : 0;
  }
  bool reads(uint16_t reader, Op op) const { return (table.info(op).who & reader) != 0; }
  bool is_limited(uint16_t reader, Op op, Limit limit) const {
    return (table.info(op).limited(limit) & reader) != 0;
  }

  OpTable table;
};

TEST(VersionTest, NumbersInTheirOrder) {
  EXPECT_EQ(parse_version("4.8.12"), 4'008'012U);
  EXPECT_EQ(parse_version("1.3"), 1'003'000U);
  EXPECT_EQ(parse_version("1.3.1-dev.27"), 1'003'001U);
  EXPECT_EQ(parse_version("5"), 5'000'000U);
  EXPECT_EQ(parse_version("99999999999999.1"), 999'001'000U);
  EXPECT_EQ(parse_version(""), 0U);
  EXPECT_EQ(parse_version("main"), 0U);
  EXPECT_LT(parse_version("1.0.9"), parse_version("1.0.10"));
}

TEST_F(ReadersTest, WhoReadsTheSameIsTheSameReader) {
  EXPECT_EQ(add(reader_in(Dialect::kZ3, "4.8.12")), kZ3Reader);
  EXPECT_EQ(add(reader_in(Dialect::kZ3, "4.8.7")), kZ3Reader);
  EXPECT_EQ(add(reader_in(Dialect::kCvc4, "1.8")), kCvc4Reader);
  EXPECT_EQ(add(reader_in(Dialect::kCvc5, "1.0.2")), kCvc5Reader);
  EXPECT_EQ(add(reader_in(Dialect::kZ3, "5.1.0")), kNewZ3Reader);
  EXPECT_EQ(add(reader_in(Dialect::kStd, "2.6")), kStdReader);
  EXPECT_EQ(add(reader_in(Dialect::kCvc5, "1.3.0")), add(reader_in(Dialect::kCvc5, "1.3.1")));
}

TEST_F(ReadersTest, SolversGainAndLoseOperators) {
  const uint16_t cvc5_11 = add(reader_in(Dialect::kCvc5, "1.1.0"));
  const uint16_t cvc5_13 = add(reader_in(Dialect::kCvc5, "1.3.0"));
  const uint16_t z3_413 = add(reader_in(Dialect::kZ3, "4.13.0"));
  const auto named = [&](const char* name) { return table.named(table.symbols().find(name))[0]; };
  EXPECT_FALSE(reads(kCvc5Reader, Op::kFfAdd));
  EXPECT_TRUE(reads(cvc5_11, Op::kFfAdd));
  EXPECT_FALSE(reads(cvc5_11, Op::kSbvToInt));
  EXPECT_TRUE(reads(cvc5_13, Op::kSbvToInt));
  EXPECT_FALSE(reads(z3_413, Op::kSbvToInt));
  EXPECT_TRUE(reads(z3_413, Op::kBvNego));
  EXPECT_TRUE(reads(cvc5_11, Op::kBagSetof));
  EXPECT_FALSE(reads(cvc5_13, Op::kBagSetof));
  EXPECT_TRUE(reads(cvc5_13, named("bag.setof")));
  EXPECT_FALSE(reads(kNewZ3Reader, Op::kAtan2));
  EXPECT_NE(table.sort_readers(SortKind::kFiniteField) & cvc5_11, 0);
  EXPECT_EQ(table.sort_readers(SortKind::kFiniteField) & kCvc5Reader, 0);
}

TEST_F(ReadersTest, LimitsAndHabitsGoWithTheDialect) {
  const uint16_t cvc5 = add(reader_in(Dialect::kCvc5, "1.1.0"));
  const uint16_t z3 = add(reader_in(Dialect::kZ3, "4.13.0"));
  EXPECT_TRUE(is_limited(cvc5, Op::kPow, Limit::kNumeralExponent));
  EXPECT_FALSE(is_limited(z3, Op::kPow, Limit::kNumeralExponent));
  EXPECT_TRUE(is_limited(z3, Op::kPow, Limit::kNonlinear));
  EXPECT_NE(table.with_habit(Habit::kTactics) & z3, 0);
  EXPECT_EQ(table.with_habit(Habit::kTactics) & cvc5, 0);
  EXPECT_NE(table.with_habit(Habit::kUnaryJunctions) & cvc5, 0);
  EXPECT_EQ(table.with_habit(Habit::kBareJunctions) & cvc5, 0);
  EXPECT_NE(table.with_habit(Habit::kBareJunctions) & z3, 0);
  EXPECT_EQ(table.with_habit(Habit::kUnaryJunctions) & kStdReader, 0);
}

TEST_F(ReadersTest, ASetOfItsOwn) {
  Reader reader = reader_in(Dialect::kStd, "2.6");
  reader.theories = {Theory::kCore, Theory::kBitVectors, Theory::kFiniteFields};
  reader.also = {"bvnego", "ff.add", "(my.rotate (_ BitVec m) (_ BitVec m))"};
  reader.without = {"bvsmod"};
  reader.limits = {{Limit::kTwoArguments, "bvadd"}};
  reader.habits = {Habit::kByteCharacters};
  const uint16_t mine = add(reader);
  EXPECT_EQ(mine & 0x7F, 0);
  EXPECT_TRUE(reads(mine, Op::kAnd));
  EXPECT_TRUE(reads(mine, Op::kBvAdd));
  EXPECT_TRUE(reads(mine, Op::kBvNego));
  EXPECT_TRUE(reads(mine, Op::kFfAdd));
  EXPECT_FALSE(reads(mine, Op::kFfMul));
  EXPECT_FALSE(reads(mine, Op::kBvSmod));
  EXPECT_FALSE(reads(mine, Op::kSelect));
  EXPECT_FALSE(reads(mine, Op::kAdd));
  EXPECT_TRUE(is_limited(mine, Op::kBvAdd, Limit::kTwoArguments));
  EXPECT_FALSE(is_limited(kZ3Reader, Op::kBvAdd, Limit::kTwoArguments));
  EXPECT_NE(table.with_habit(Habit::kByteCharacters) & mine, 0);
  EXPECT_NE(table.sort_readers(SortKind::kFiniteField) & mine, 0);
  EXPECT_EQ(table.sort_readers(SortKind::kArray) & mine, 0);
  EXPECT_EQ(table.theory_readers(SortKind::kString) & mine, 0);
  const Op own = table.named(table.symbols().find("my.rotate"))[0];
  EXPECT_EQ(table.info(own).who, mine);
  EXPECT_FALSE(table.info(own).is_standard());
}

TEST_F(ReadersTest, IntegersBringWhatTheyShareWithReals) {
  Reader reader = reader_in(Dialect::kStd, "2.6");
  reader.theories = {Theory::kInts};
  const uint16_t mine = add(reader);
  EXPECT_TRUE(reads(mine, Op::kAdd));
  EXPECT_TRUE(reads(mine, Op::kMod));
  EXPECT_FALSE(reads(mine, Op::kRealDiv));
}

TEST_F(ReadersTest, AnUnknownOperatorIsAnError) {
  Reader reader = reader_in(Dialect::kStd, "2.6");
  reader.also = {"no.such"};
  const auto bit = table.add_reader(reader);
  ASSERT_FALSE(bit.has_value());
  EXPECT_EQ(bit.error().message, "no operator 'no.such'");
}

TEST_F(ReadersTest, MoreReadersThanBitsShareTheLast) {
  uint16_t last = 0;
  for (const char* left_out : {"bvadd", "bvsub", "bvmul", "bvnot", "bvneg", "bvand", "bvor",
                               "bvxor", "bvshl", "bvult", "bvule"}) {
    Reader reader = reader_in(Dialect::kStd, "2.6");
    reader.without = {left_out};
    last = add(reader);
  }
  EXPECT_EQ(last, 1U << 15);
  EXPECT_FALSE(reads(last, Op::kBvUle));
  EXPECT_FALSE(reads(last, Op::kBvUlt));
  EXPECT_TRUE(reads(last, Op::kBvAdd));
}

TEST_F(ReadersTest, ACopyHasTheSameOperatorsAndReaders) {
  ASSERT_TRUE(table.add_user_operators("(mine Int Int)").has_value());
  Reader reader = reader_in(Dialect::kStd, "2.6");
  reader.also = {"(its Int Int)"};
  const uint16_t bit = add(reader);
  const std::shared_ptr<OpTable> copy = table.copy();
  for (const char* name : {"mine", "its"}) {
    const auto ops = copy->named(copy->symbols().find(name));
    ASSERT_EQ(ops.size(), 1U) << name;
    EXPECT_EQ(ops[0], table.named(table.symbols().find(name))[0]);
    EXPECT_EQ(copy->info(ops[0]).who, name[0] == 'm' ? kEveryReader : bit);
  }
}

// What the table says beside its rows has the names that profiles use.
TEST(ReaderNamesTest, AreFound) {
  EXPECT_EQ(find_word<Dialect>("cvc5"), Dialect::kCvc5);
  EXPECT_EQ(find_word<Limit>("two-arguments"), Limit::kTwoArguments);
  EXPECT_EQ(find_word<Habit>("tactics"), Habit::kTactics);
  EXPECT_EQ(find_word<Theory>("bit-vectors"), Theory::kBitVectors);
  EXPECT_FALSE(find_word<Dialect>("yices"));
  EXPECT_FALSE(find_word<Limit>(""));
  EXPECT_FALSE(find_word<Theory>("BitVectors"));
}

}  // namespace
}  // namespace elenchus::ir
