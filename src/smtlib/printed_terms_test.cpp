#include "smtlib/printed_terms.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::smtlib {
namespace {

// As we would print what the solver printed; "unreadable" if it cannot be read.
std::string reprinted(std::string_view printed) {
  ir::TermStore store;
  constexpr std::string_view kScript = "(declare-const p Bool)(declare-const s String)";
  const auto script = parse_script(store, kScript);
  PrintedTerms terms(store, *script, script->commands.size(), printed);
  const ir::TermId term = terms.read(0, printed.size());
  return term.valid() ? *print_term(store, term) : "unreadable";
}

TEST(PrintedTermsTest, ReadsWhatIsWhole) {
  EXPECT_EQ(reprinted("(and p (not (= s \"\")))"), "(and p (not (= s \"\")))");
  EXPECT_EQ(reprinted("(= s)"), "true");
  EXPECT_EQ(reprinted("p p"), "unreadable");
  EXPECT_EQ(reprinted("(and p"), "unreadable");
}

// cvc5 does so under --expr-depth.
TEST(PrintedTermsTest, WhatIsLeftOutIsNotGuessed) {
  EXPECT_EQ(reprinted("(and p (not (= (...))))"), "unreadable");
  EXPECT_EQ(reprinted("(distinct (...))"), "unreadable");
  EXPECT_EQ(reprinted("(not (= ...))"), "unreadable");
}

}  // namespace
}  // namespace elenchus::smtlib
