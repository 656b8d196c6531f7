#include "campaign/bandit.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace elenchus::campaign {
namespace {

std::vector<uint64_t> visits_of(const Bandit& bandit) {
  std::vector<uint64_t> visits;
  for (const Share& share : bandit.shares()) visits.push_back(share.visits);
  return visits;
}

// Turns in which each brings what `value` says in a second.
template <typename Value>
void play(Bandit& bandit, int turns, base::Rng& rng, Value value) {
  for (int i = 0; i < turns; ++i) {
    const size_t place = bandit.pick(0, rng);
    bandit.begin(place);
    bandit.report(place, {value(place), 1});
  }
}

TEST(BanditTest, EveryEngineHasATurnBeforeAnyHasMany) {
  Bandit bandit({"a", "b", "c", "d", "e", "f", "g", "h"});
  base::Rng rng(1);
  play(bandit, 16, rng, [](size_t) { return 0.0; });
  for (const uint64_t visits : visits_of(bandit)) EXPECT_GT(visits, 0U);
}

TEST(BanditTest, EveryWayIsTriedSoon) {
  Bandit bandit({"a", "a+x", "a+y", "b", "b+x", "b+y"});
  base::Rng rng(1);
  play(bandit, 8, rng, [](size_t) { return 0.0; });
  const auto visits = visits_of(bandit);
  EXPECT_GT(visits[0] + visits[3], 0U);
  EXPECT_GT(visits[1] + visits[4], 0U);
  EXPECT_GT(visits[2] + visits[5], 0U);
}

TEST(BanditTest, TurnsGoToWhoBringsSomethingAndNobodyStarves) {
  Bandit bandit({"a", "b", "c", "d"});
  base::Rng rng(2);
  play(bandit, 1000, rng, [](size_t place) { return place == 2 ? 0.5 : 0.0; });
  const auto visits = visits_of(bandit);
  EXPECT_GT(visits[2], 700U);
  for (const uint64_t some : visits) EXPECT_GT(some, 10U);
}

TEST(BanditTest, WhatWasGoodOnceIsForgotten) {
  Bandit bandit({"a", "b"});
  base::Rng rng(3);
  play(bandit, 2000, rng, [](size_t place) { return place == 0 ? 0.5 : 0.1; });
  const uint64_t before = visits_of(bandit)[1];
  play(bandit, 4000, rng, [](size_t place) { return place == 0 ? 0.0 : 0.1; });
  EXPECT_GT(visits_of(bandit)[1] - before, 2400U);
}

TEST(BanditTest, NoWayIsIdleWhereAllAreAlike) {
  std::vector<std::string> names;
  for (const char* engine : {"edit", "opfuzz", "storm"}) {
    for (const char* way : {"", "+options", "+incremental", "+tactics", "+variants"}) {
      names.push_back(std::string(engine) + way);
    }
  }
  Bandit bandit(names);
  base::Rng rng(5);
  play(bandit, 1000, rng, [](size_t) { return 0.3; });
  std::vector<uint64_t> by_way(5);
  const auto visits = visits_of(bandit);
  for (size_t i = 0; i < visits.size(); ++i) by_way[i % 5] += visits[i];
  for (const uint64_t turns : by_way) EXPECT_GE(turns, 30U);
}

// A way that is good with one engine is tried with the others.
TEST(BanditTest, ExperienceWithAWayGoesForAllEngines) {
  Bandit bandit({"a", "a+options", "b", "b+options"});
  for (const size_t place : {0, 1}) bandit.begin(place);
  bandit.report(0, {0, 100});
  bandit.report(1, {}, {100, 100});
  base::Rng rng(4);
  int with_options = 0;
  for (int i = 0; i < 200; ++i) with_options += bandit.pick(0b0011, rng) == 3 ? 1 : 0;
  EXPECT_GT(with_options, 150);
}

// What the same tests would have brought without them is not the guests' merit.
TEST(BanditTest, GuestsHaveTheirOwnAccount) {
  Bandit bandit({"a", "a+variants"});
  bandit.report(1, {5, 2}, {1, 3});
  const auto shares = bandit.shares();
  EXPECT_EQ(shares[0].value, 5);
  EXPECT_EQ(shares[0].seconds, 2);
  EXPECT_EQ(shares[1].value, 1);
  EXPECT_EQ(shares[1].seconds, 3);
  Bandit alone({"a+variants"});
  alone.report(0, {5, 2}, {1, 3});
  EXPECT_EQ(alone.shares()[0].value, 6);
}

TEST(BanditTest, WhatIsRefusedIsNotPickedUnlessAllIs) {
  Bandit bandit({"a", "b", "c"});
  base::Rng rng(5);
  std::set<size_t> picked;
  for (int i = 0; i < 100; ++i) picked.insert(bandit.pick(0b101, rng));
  EXPECT_EQ(picked, std::set<size_t>{1});
  EXPECT_LT(bandit.pick(0b111, rng), 3U);
}

TEST(BanditTest, ALaterRewardCounts) {
  Bandit bandit({"a", "b"});
  base::Rng rng(6);
  play(bandit, 100, rng, [](size_t) { return 0.0; });
  for (int i = 0; i < 20; ++i) bandit.reward("b", 3);
  const auto before = visits_of(bandit);
  play(bandit, 100, rng, [](size_t) { return 0.0; });
  EXPECT_GT(visits_of(bandit)[1] - before[1], 60U);
}

TEST(BanditTest, WhoMadeATestIsNotUntried) {
  const std::vector<size_t> second = {1};
  Bandit bandit({"a", "b", "b+options"});
  bandit.report(0, {.tests = 1});
  EXPECT_EQ(bandit.untried(0), second);
  EXPECT_TRUE(bandit.untried(0b110).empty());
  base::Rng rng(7);
  EXPECT_EQ(bandit.pick_way(1, 0b010, rng), 2U);
  bandit.report(2, {.tests = 1});
  EXPECT_TRUE(bandit.untried(0).empty());
}

TEST(BanditTest, NotesWithoutTestsAreRead) {
  const std::vector<size_t> second = {1};
  Bandit bandit({"a", "b"});
  EXPECT_TRUE(bandit.restore("7\na\n3 2 1 1 2 7\nb\n0 0 0 0 0 0\n"));
  EXPECT_EQ(bandit.untried(0), second);
}

TEST(BanditTest, GoesOnFromItsNotes) {
  const std::vector<std::string> names = {"a", "a+options", "b"};
  Bandit first(names);
  base::Rng rng(7);
  const auto value = [](size_t place) { return 0.1 * static_cast<double>(place); };
  play(first, 300, rng, value);
  Bandit second(names);
  EXPECT_TRUE(second.restore(first.notes()));
  base::Rng same = rng;
  play(first, 300, rng, value);
  play(second, 300, same, value);
  EXPECT_EQ(first.notes(), second.notes());
  EXPECT_EQ(first.untried(0), second.untried(0));
  EXPECT_FALSE(Bandit({"a", "c"}).restore(first.notes()));
  EXPECT_FALSE(Bandit(names).restore("nonsense"));
}

}  // namespace
}  // namespace elenchus::campaign
