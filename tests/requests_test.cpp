#include "mutate/requests.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "ir/timeline.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::mutate {
namespace {

constexpr std::string_view kScript =
    "(set-logic QF_UFLIA)(declare-const x Int)(declare-const b Bool)"
    "(assert (! (< (* 2 x) 7) :named small))(assert (or b (= x 3)))(check-sat)"
    "(push 1)(assert (forall ((y Int)) (< y (+ y x))))(check-sat-assuming (b))(pop 1)";

class RequestsTest : public ::testing::Test {
 protected:
  std::string with(uint64_t number, std::string_view text) {
    const auto script = smtlib::parse_script(store_, text);
    EXPECT_TRUE(script.has_value());
    base::Rng rng(number);
    const ir::Script asking = with_requests(store_, *script, rng);
    EXPECT_EQ(ir::checks_of(asking).size(), ir::checks_of(*script).size());
    auto printed = smtlib::print_script(store_, asking);
    EXPECT_TRUE(printed.has_value());
    return std::move(*printed);
  }

  ir::TermStore store_;
};

TEST_F(RequestsTest, AllKindsComeAndCanBeReadBack) {
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 300; ++i) {
    const ir::TermStore::Mark before = store_.mark();
    const std::string text = with(i, kScript);
    EXPECT_TRUE(smtlib::parse_script(store_, text).has_value()) << text;
    const size_t pop = text.find("(pop 1)");
    for (const char* request : {"(get-value (", "(get-assignment)", "(get-unsat-core)",
                                "(get-unsat-assumptions)", "(get-proof)"}) {
      const size_t at = text.find(request);
      if (at == std::string::npos) continue;
      seen.insert(request);
      EXPECT_GT(at, text.find("(check-sat-assuming")) << text;
      EXPECT_LT(at, pop) << text;
    }
    store_.rollback(before);
  }
  EXPECT_EQ(seen.size(), 5U);
}

TEST_F(RequestsTest, EachHasItsOptionOnce) {
  for (uint64_t i = 0; i < 50; ++i) {
    const std::string text =
        with(i, "(set-option :produce-unsat-cores true)(assert true)(check-sat)");
    const size_t at = text.find(":produce-unsat-cores");
    EXPECT_EQ(text.find(":produce-unsat-cores", at + 1), std::string::npos) << text;
    if (text.find("(get-proof)") != std::string::npos) {
      EXPECT_NE(text.find("(set-option :produce-proofs true)"), std::string::npos) << text;
    }
  }
}

TEST_F(RequestsTest, NothingWithoutAnAnswer) {
  EXPECT_EQ(with(1, "(declare-const x Int)").find("get-"), std::string::npos);
}

}  // namespace
}  // namespace elenchus::mutate
