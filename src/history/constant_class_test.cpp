#include "history/constant_class.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "smtlib/test_script.h"

namespace elenchus::history {
namespace {

std::string word_for(const std::string& literal) {
  smtlib::TestScript test;
  EXPECT_TRUE(test.read("(assert (= " + literal + " " + literal + "))")) << test.error();
  const auto found = class_of(test.store, test.store.args(test.last_term())[0]);
  return found ? std::string(word_of(*found)) : "none";
}

TEST(ConstantClass, OfLiterals) {
  const std::pair<const char*, const char*> cases[] = {
      {"0", "zero"},           {"1", "one"},
      {"16", "small"},         {"17", "bound"},
      {"31", "bound"},         {"34", "plain"},
      {"4294967296", "bound"}, {"5000000000", "large"},
      {"2.0", "small"},        {"0.5", "fraction"},
      {"#b0", "zero"},         {"#b1", "one"},
      {"#xff", "ones"},        {"#x80", "least"},
      {"#x7f", "most"},        {"#x0f", "small"},
      {"#x6e", "plain"},       {"\"\"", "empty"},
      {"\"a\"", "letter"},     {"\"7\"", "numeral"},
      {"\"ab\"", "text"},      {"\"\\u{1F600}\"", "letter"},
      {"true", "none"}};
  for (const auto& [literal, word] : cases) EXPECT_EQ(word_for(literal), word) << literal;
}

TEST(ConstantClass, WhatIsMadeIsOfTheClass) {
  ir::TermStore store;
  base::Rng rng(1);
  const ir::SortId sorts[] = {ir::kIntSort, ir::kRealSort, ir::kStringSort,
                              store.sorts().bit_vec(32)};
  uint32_t made = 0;
  for (const char* word : {"zero", "one", "small", "bound", "large", "plain", "fraction", "ones",
                           "least", "most", "empty", "letter", "numeral", "text"}) {
    const auto wanted = class_named(word);
    ASSERT_TRUE(wanted) << word;
    for (const ir::SortId sort : sorts) {
      for (int i = 0; i < 100; ++i) {
        const ir::TermId constant = constant_of(store, rng, sort, *wanted);
        if (!constant.valid()) break;
        ++made;
        EXPECT_EQ(store.sort(constant), sort);
        const auto found = class_of(store, constant);
        ASSERT_TRUE(found) << word;
        EXPECT_EQ(word_of(*found), word) << store.literal_text(constant);
      }
    }
  }
  EXPECT_EQ(made, 100U * (6 + 7 + 4 + 7));
  EXPECT_FALSE(class_named("v"));
}

// Sorts that have no literal of a class get another one, or none.
TEST(ConstantClass, NarrowBitVectorsAreNoProblem) {
  ir::TermStore store;
  base::Rng rng(1);
  for (const uint32_t width : {1U, 2U, 3U, 5000U}) {
    for (int word = 0; word <= static_cast<int>(ConstantClass::kText); ++word) {
      const ir::TermId constant =
          constant_of(store, rng, store.sorts().bit_vec(width), static_cast<ConstantClass>(word));
      EXPECT_TRUE(!constant.valid() || store.sorts()[store.sort(constant)].a == width);
    }
  }
}

}  // namespace
}  // namespace elenchus::history
