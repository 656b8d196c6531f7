#include "ir/logic.h"

#include <gtest/gtest.h>

namespace elenchus::ir {
namespace {

TEST(LogicTest, WhereNumeralsAreReal) {
  for (const char* logic : {"QF_LRA", "QF_NRA", "QF_RDL", "LRA", "NRA", "UFLRA", "QF_UFNRA",
                            "QF_ALRA", "QF_NRAT", "QF_FPLRA", "HO_UFLRA"}) {
    EXPECT_TRUE(numerals_are_real(logic)) << logic;
  }
  for (const char* logic :
       {"", "ALL", "QF_LIA", "QF_IDL", "QF_LIRA", "QF_NIRA", "AUFLIRA", "QF_UFNIRAT", "QF_IRDL",
        "QF_UFIRDL", "QF_BV", "QF_S", "QF_SLIA", "QF_SNRA", "HORN"}) {
    EXPECT_FALSE(numerals_are_real(logic)) << logic;
  }
}

TEST(LogicTest, NamesSayWhatIsAdmitted) {
  const Logic lia = parse_logic("QF_LIA");
  EXPECT_TRUE(lia.ints && lia.is_linear() && !lia.reals && !lia.quantifiers && !lia.functions);
  const Logic mixed = parse_logic("AUFDTNIRA");
  EXPECT_TRUE(mixed.arrays && mixed.functions && mixed.datatypes && mixed.ints && mixed.reals);
  EXPECT_TRUE(mixed.quantifiers && !mixed.is_linear() && !mixed.bit_vectors);
  const Logic floats = parse_logic("QF_ABVFPLRA");
  EXPECT_TRUE(floats.arrays && floats.bit_vectors && floats.floats && floats.reals);
  EXPECT_TRUE(parse_logic("QF_S").ints && parse_logic("QF_S").strings);
  EXPECT_TRUE(parse_logic("QF_IDL").is_difference() && parse_logic("QF_UFIDL").functions);
  EXPECT_TRUE(parse_logic("QF_NRAT").transcendentals);
  EXPECT_TRUE(parse_logic("HO_UFLIA").higher_order && parse_logic("QF_AX").arrays);
  for (const char* all : {"ALL", "", "HO_ALL", "HORN", "ALL_SUPPORTED"}) {
    EXPECT_TRUE(parse_logic(all).everything) << all;
    EXPECT_TRUE(parse_logic(all).admits(Theory::kBags));
    EXPECT_FALSE(parse_logic(all).is_linear());
  }
  EXPECT_FALSE(lia.admits(Theory::kStrings) || lia.admits(SortKind::kReal));
  EXPECT_TRUE(lia.admits(Theory::kRealsInts) && lia.admits(Theory::kUser));
}

TEST(LogicTest, NamesOfLargerLogics) {
  EXPECT_EQ(with_sums("QF_IDL"), "QF_LIA");
  EXPECT_EQ(with_sums("QF_UFRDL"), "QF_UFLRA");
  EXPECT_EQ(with_sums("QF_IRDL"), "QF_LIRA");
  EXPECT_EQ(with_sums("QF_S"), "QF_SLIA");
  EXPECT_EQ(with_sums("QF_BV"), "QF_BV");
  EXPECT_EQ(with_products("AUFLIRA"), "AUFNIRA");
  EXPECT_EQ(with_products("QF_SLIA"), "QF_SNIA");
  EXPECT_EQ(with_products("QF_UFLRA"), "QF_UFNRA");
  EXPECT_EQ(with_products("QF_BV"), "ALL");
  EXPECT_EQ(with_products("HO_UF"), "HO_ALL");
  EXPECT_EQ(everything("HO_UFLIA"), "HO_ALL");
  EXPECT_EQ(everything(""), "ALL");
}

}  // namespace
}  // namespace elenchus::ir
