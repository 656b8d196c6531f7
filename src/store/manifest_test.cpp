#include "store/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/bug_folders.h"

namespace elenchus::store {
namespace {

using ::testing::HasSubstr;

Manifest full() {
  return {.id = "z3-crash-1",
          .kind = "crash",
          .title = "title",
          .solver = "z3",
          .tested = "/opt/z3",
          .version = "4.8.12",
          .command = "z3 -in 'a \"b\"'",
          .options = {"a=b", "c"},
          .engine = "storm",
          .seeds = {"x", ""},
          .rng_seed = UINT64_MAX,
          .logic = "QF_S",
          .expectation = "sat unsat",
          .evidence = "line\nline",
          .answers = {{"cvc5", "1.0.3", "cvc5 -", "sat"}, {"z3", "", "", "crash"}},
          .signature = "sig",
          .shape = "(= x1 c)",
          .shown_by = {"4.8.12", "4.13.0"},
          .theories = {"arrays"},
          .random_seeds = 3,
          .random_seeds_shown = 2,
          .known = "reported",
          .outside_policy = {},
          .size_original = 12,
          .size_reduced = 7,
          .time = 1700000000};
}

TEST(ManifestTest, WhatIsWrittenIsReadBack) {
  const std::string text = print_manifest(full());
  const auto read = parse_manifest(text);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(print_manifest(*read), text);
  EXPECT_EQ(read->rng_seed, UINT64_MAX);
  EXPECT_EQ(read->tested, "/opt/z3");
  EXPECT_EQ(read->seeds, full().seeds);
  EXPECT_EQ(read->command, full().command);
  EXPECT_EQ(read->shape, "(= x1 c)");
  EXPECT_EQ(read->known, "reported");
  EXPECT_EQ(read->shown_by, full().shown_by);
  EXPECT_EQ(read->theories, full().theories);
  EXPECT_EQ(read->random_seeds, 3u);
  EXPECT_EQ(read->random_seeds_shown, 2u);
  ASSERT_EQ(read->answers.size(), 2u);
  EXPECT_EQ(read->answers[1].answer, "crash");
}

TEST(ManifestTest, UnknownFieldsArePassedOverAndFewAreNeeded) {
  const auto read = parse_manifest(
      R"({"id": "a", "kind": "crash", "solver": "z3", "signature": "s", "moon": {"phase": [1]}})");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->id, "a");
  EXPECT_EQ(read->size_reduced, 0u);
}

TEST(ManifestTest, WhatIsWrongIsSaid) {
  const auto message = [](std::string_view text) {
    const auto read = parse_manifest(text);
    return read ? "none" : read.error().message;
  };
  const std::string start = R"({"kind": "crash", "solver": "z3", "signature": "s")";
  EXPECT_EQ(message(""), "it is not JSON");
  EXPECT_EQ(message("{\"id\": "), "it is not JSON");
  EXPECT_EQ(message("\xff\xfe"), "it is not JSON");
  EXPECT_EQ(message("[1]"), "it is not a JSON object");
  EXPECT_EQ(message(start + "}"), "the field 'id' is missing or empty");
  EXPECT_EQ(message(start + R"(, "id": 5})"), "the field 'id' should be a string");
  const std::string named = start + R"(, "id": "a", )";
  EXPECT_EQ(message(named + R"("options": "x"})"),
            "the field 'options' should be a list of strings");
  EXPECT_EQ(message(named + R"("seeds": ["x", 1]})"),
            "the field 'seeds' should be a list of strings");
  EXPECT_EQ(message(named + R"("size_reduced": -1})"),
            "the field 'size_reduced' should be a number, at least 0");
  EXPECT_EQ(message(named + R"("time": "now"})"), "the field 'time' should be a whole number");
  EXPECT_EQ(message(named + R"("answers": [{"solver": 1}]})"),
            "the field 'answers.solver' should be a string");
  EXPECT_EQ(message(std::string(200'000, '[')), "it is not JSON");
}

}  // namespace
}  // namespace elenchus::store
