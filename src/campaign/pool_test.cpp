#include "campaign/pool.h"

#include <gtest/gtest.h>

#include <fstream>

#include "store/test_campaign.h"

namespace elenchus::campaign {
namespace {

Pooled entry_of(const std::string& seed) {
  return {.seed = seed,
          .engine = "edit+options",
          .generation = 2,
          .because = "z3=sat cvc5=unknown",
          .keys = {1, UINT64_MAX},
          .script = "(check-sat)\n"};
}

TEST(PoolTest, WhatJoinsIsThereAfterwards) {
  const store::TestFolder home;
  const auto folder = home.path() / "pool";
  {
    auto pool = Pool::open(folder);
    ASSERT_OK(pool);
    Pooled entry = entry_of("a.smt2");
    ASSERT_OK((*pool)->add(entry));
    EXPECT_EQ(entry.id, "000001");
    EXPECT_TRUE(std::filesystem::exists((*pool)->script_of(entry.id)));
  }
  auto again = Pool::open(folder);
  ASSERT_OK(again);
  ASSERT_EQ((*again)->kept().size(), 1U);
  const Pooled& kept = (*again)->kept().front();
  EXPECT_EQ(kept.seed, "a.smt2");
  EXPECT_EQ(kept.engine, "edit+options");
  EXPECT_EQ(kept.generation, 2U);
  EXPECT_EQ(kept.because, "z3=sat cvc5=unknown");
  EXPECT_EQ(kept.keys, (std::vector<uint64_t>{1, UINT64_MAX}));
  EXPECT_EQ(kept.script, "(check-sat)\n");
  Pooled next = entry_of("b.smt2");
  ASSERT_OK((*again)->add(next));
  EXPECT_EQ(next.id, "000002");
  const auto read = read_pool(folder);
  ASSERT_OK(read);
  EXPECT_EQ(read->size(), 2U);
}

TEST(PoolTest, OneFamilyDoesNotFillIt) {
  const store::TestFolder home;
  auto pool = Pool::open(home.path() / "pool");
  ASSERT_OK(pool);
  uint32_t joined = 0;
  for (; joined < 100 && (*pool)->has_room("a.smt2"); ++joined) {
    Pooled entry = entry_of("a.smt2");
    ASSERT_OK((*pool)->add(entry));
  }
  EXPECT_LT(joined, 100U);
  EXPECT_TRUE((*pool)->has_room("b.smt2"));
}

TEST(PoolTest, WhatCannotBeWrittenTakesNoPlace) {
  const store::TestFolder home;
  const auto folder = home.path() / "pool";
  auto pool = Pool::open(folder);
  ASSERT_OK(pool);
  std::filesystem::remove_all(folder);
  std::ofstream(folder.string()) << "no folder";
  for (int i = 0; i < 100; ++i) {
    Pooled entry = entry_of("a.smt2");
    EXPECT_FALSE((*pool)->add(entry).has_value());
  }
  EXPECT_EQ((*pool)->added(), 0U);
  EXPECT_TRUE((*pool)->has_room("a.smt2"));
}

TEST(PoolTest, AnOutcomeIsNewOnceInAFamily) {
  const store::TestFolder home;
  auto pool = Pool::open(home.path() / "pool");
  ASSERT_OK(pool);
  EXPECT_TRUE((*pool)->is_new_outcome("a", "z3=sat"));
  EXPECT_FALSE((*pool)->is_new_outcome("a", "z3=sat"));
  EXPECT_TRUE((*pool)->is_new_outcome("a", "z3=unsat"));
  EXPECT_TRUE((*pool)->is_new_outcome("b", "z3=sat"));
}

TEST(PoolTest, WhatCannotBeReadIsPassedOver) {
  const store::TestFolder home;
  const auto folder = home.path() / "pool";
  std::filesystem::create_directories(folder / "000007");
  std::ofstream(folder / "000007" / "entry.json") << "{";
  std::ofstream(folder / "000007" / "script.smt2") << "(check-sat)";
  auto pool = Pool::open(folder);
  ASSERT_OK(pool);
  EXPECT_TRUE((*pool)->kept().empty());
  Pooled entry = entry_of("a.smt2");
  ASSERT_OK((*pool)->add(entry));
  EXPECT_EQ(entry.id, "000008");
}

std::vector<store::RecordFile> told(const std::string& script, const std::string& because) {
  return {{"script.smt2", script},
          {"entry.json", R"({"seed": "a.smt2", "engine": "edit", "generation": 1, "keys": [],)"
                         R"( "because": ")" +
                             because + "\"}"}};
}

TEST(PoolTest, WhatOthersTellIsTakenOnceAndNotToldOn) {
  const store::TestFolder home;
  {
    auto pool = Pool::open(home.path() / "pool");
    ASSERT_OK(pool);
    Pooled own = entry_of("a.smt2");
    ASSERT_OK((*pool)->add(own));
    EXPECT_EQ((*pool)->take_untold().size(), 1U);
    const auto taken = (*pool)->adopt(told("(exit)\n", "z3=sat"));
    ASSERT_OK(taken);
    ASSERT_TRUE(taken->has_value());
    EXPECT_TRUE((*taken)->is_foreign);
    for (const char* script : {"(exit)\n", "(check-sat)\n"}) {
      const auto again = (*pool)->adopt(told(script, "z3=unsat"));
      ASSERT_OK(again);
      EXPECT_FALSE(again->has_value()) << script;
    }
    EXPECT_TRUE((*pool)->take_untold().empty());
  }
  auto pool = Pool::open(home.path() / "pool");
  ASSERT_OK(pool);
  EXPECT_EQ((*pool)->kept().size(), 2U);
  const auto again = (*pool)->adopt(told("(exit)\n", "z3=unknown"));
  ASSERT_OK(again);
  EXPECT_FALSE(again->has_value());
  const auto untold = (*pool)->take_untold();
  ASSERT_EQ(untold.size(), 1U);
  EXPECT_EQ(untold.front().front().content, "(check-sat)\n");
}

TEST(PoolTest, TheSmallestSetHasAllKeysAndAllAnswers) {
  const std::vector<Pooled> entries = {{.because = "keys", .keys = {1, 2}, .script = "long"},
                                       {.because = "keys", .keys = {1, 2, 3}, .script = "long"},
                                       {.because = "keys", .keys = {3, 4}, .script = "long"},
                                       {.because = "z3=sat", .script = "longer"},
                                       {.because = "z3=sat", .script = "short"},
                                       {.because = "z3=unsat", .script = "short"}};
  EXPECT_EQ(smallest_set(entries), (std::vector<size_t>{1, 2, 4, 5}));
  EXPECT_TRUE(smallest_set({}).empty());
}

}  // namespace
}  // namespace elenchus::campaign
