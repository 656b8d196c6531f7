#include "ir/logic.h"

#include <gtest/gtest.h>

namespace elenchus::ir {
namespace {

TEST(LogicTest, WhereNumeralsAreReal) {
  for (const char* logic : {"QF_LRA", "QF_NRA", "QF_RDL", "LRA", "NRA", "UFLRA", "QF_UFNRA",
                            "QF_ALRA", "QF_NRAT", "QF_FPLRA"}) {
    EXPECT_TRUE(numerals_are_real(logic)) << logic;
  }
  for (const char* logic : {"", "ALL", "QF_LIA", "QF_IDL", "QF_LIRA", "QF_NIRA", "AUFLIRA",
                            "QF_UFNIRAT", "QF_BV", "QF_S", "QF_SLIA", "QF_SNRA", "HORN"}) {
    EXPECT_FALSE(numerals_are_real(logic)) << logic;
  }
}

}  // namespace
}  // namespace elenchus::ir
