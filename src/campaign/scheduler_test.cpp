#include "campaign/scheduler.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace elenchus::campaign {
namespace {

TEST(SchedulerTest, EverySeedIsVisitedInTheFirstRound) {
  Scheduler scheduler(20, {"a", "b"}, 1, base::Rng(1));
  std::set<size_t> seen;
  for (int i = 0; i < 20; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_TRUE(visit.is_first);
    seen.insert(visit.seed);
    scheduler.report(visit, {});
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(SchedulerTest, ADroppedSeedIsNotVisitedAgain) {
  Scheduler scheduler(3, {"a"}, 1, base::Rng(2));
  scheduler.drop(1);
  for (int i = 0; i < 100; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_NE(visit.seed, 1U);
    scheduler.report(visit, {});
  }
  scheduler.drop(0);
  scheduler.drop(2);
  Visit visit;
  EXPECT_FALSE(scheduler.next(visit));
}

TEST(SchedulerTest, AVisitThatIsGivenBackIsGivenOutAgain) {
  Scheduler scheduler(2, {"a"}, 1, base::Rng(2));
  Visit first;
  ASSERT_TRUE(scheduler.next(first));
  Visit second;
  ASSERT_TRUE(scheduler.next(second));
  scheduler.drop(second.seed);
  // Another worker meets the first seed before its visit is given back.
  Visit third;
  ASSERT_TRUE(scheduler.next(third));
  EXPECT_FALSE(third.is_first);
  scheduler.drop(third.seed);
  EXPECT_EQ(scheduler.seeds_left(), 0U);
  scheduler.give_back(first);
  EXPECT_EQ(scheduler.seeds_left(), 1U);
  EXPECT_EQ(scheduler.seeds_visited(), 1U);
  ASSERT_TRUE(scheduler.next(third));
  EXPECT_EQ(third.seed, first.seed);
  EXPECT_TRUE(third.is_first);
  EXPECT_EQ(scheduler.seeds_visited(), 2U);
}

// Some yield for a visit, the same wherever it is made.
Yield yield_of(const Visit& visit, base::Rng& rng) {
  return {.tests = 5,
          .causes = static_cast<uint32_t>(rng.below(2)),
          .new_keys = static_cast<uint32_t>(rng.below(visit.seed + 1)),
          .seconds = 0.1 + 0.3 * rng.unit()};
}

TEST(SchedulerTest, GoesOnAsItWouldHave) {
  const std::vector<std::string> engines = {"a", "b+options", "c"};
  Scheduler first(30, engines, 2, base::Rng(4));
  base::Rng luck(5);
  const auto advance = [](Scheduler& scheduler, base::Rng& rng) {
    Visit visit;
    EXPECT_TRUE(scheduler.next(visit));
    visit.paces[1] = {0.1F, 3, 1, 0, visit.paces[1].tests + 4};
    visit.is_refused = rng.one_in(20);
    scheduler.report(visit, yield_of(visit, rng));
    return std::tuple(visit.seed, visit.engine, visit.is_first, visit.paces[1].tests);
  };
  std::map<size_t, std::string> seeds;
  std::string whole;
  const auto take_notes = [&] {
    Scheduler::Notes notes = first.take_notes();
    whole = notes.whole;
    for (const auto& [seed, note] : notes.seeds) seeds[seed] = note;
    return notes.seeds.size();
  };
  for (int i = 0; i < 20; ++i) advance(first, luck);
  EXPECT_EQ(take_notes(), 20U);
  EXPECT_EQ(take_notes(), 0U);
  for (int i = 0; i < 200; ++i) advance(first, luck);
  first.drop(7);
  take_notes();

  Scheduler second(30, engines, 2, base::Rng(99));
  second.restore(whole);
  for (const auto& [seed, note] : seeds) second.restore_seed(seed, note);
  second.drop(7);
  EXPECT_EQ(second.seeds_visited(), first.seeds_visited());
  EXPECT_EQ(second.seeds_left(), first.seeds_left());
  base::Rng same_luck = luck;
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(advance(second, same_luck), advance(first, luck)) << i;
  }
}

TEST(SchedulerTest, NotesOfOthersArePassedOver) {
  Scheduler scheduler(3, {"a", "b"}, 1, base::Rng(4));
  for (const char* whole :
       {"", "nonsense", "1 2 3", "1 1 1 1 1 1 1 1 99\n5\nz\n1 2 3 4 5 6\nb\nx y z\n"}) {
    scheduler.restore(whole);
  }
  for (const char* note : {"", "nonsense", "1 2", "5 0 1.5 2.5 1 2 7 7 0.5 1 2 3",
                           "1 2 3 4 5 6 7 8 9 10 11 12 13 14"}) {
    scheduler.restore_seed(1, note);
  }
  EXPECT_EQ(scheduler.seeds_visited(), 0U);
  // Paces of more or fewer solvers are of no use; the rest is.
  scheduler.restore_seed(1, "5 0 1.5 2.5 3");
  EXPECT_EQ(scheduler.seeds_visited(), 1U);
  for (int i = 0; i < 20; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_EQ(visit.paces.size(), 1U);
    scheduler.report(visit, {});
  }
}

TEST(SchedulerTest, AnEngineIsNotSentWhereItRefused) {
  Scheduler scheduler(2, {"a", "b", "c"}, 1, base::Rng(3));
  std::set<std::pair<size_t, size_t>> refused;
  for (int i = 0; i < 300; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_EQ(refused.count({visit.seed, visit.engine}), 0U);
    if (visit.seed == 0 && visit.engine != 2) {
      visit.is_refused = true;
      refused.insert({visit.seed, visit.engine});
    }
    scheduler.report(visit, {});
  }
  EXPECT_EQ(refused.size(), 2U);
}

TEST(SchedulerTest, WhereAllRefuseTheSeedIsStillVisited) {
  Scheduler scheduler(1, {"a", "b"}, 1, base::Rng(4));
  for (int i = 0; i < 10; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    visit.is_refused = true;
    scheduler.report(visit, {});
  }
}

TEST(SchedulerTest, TimeGoesToWhatYields) {
  Scheduler scheduler(10, {"poor", "rich"}, 1, base::Rng(5));
  uint64_t rich = 0;
  uint64_t good_seed = 0;
  for (int i = 0; i < 2000; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    rich += visit.engine;
    good_seed += visit.seed == 7 ? 1 : 0;
    Yield yield;
    yield.seconds = 1;
    yield.causes = visit.engine == 1 && visit.seed == 7 ? 1 : 0;
    scheduler.report(visit, yield);
  }
  EXPECT_GT(rich, 1000U);
  EXPECT_GT(good_seed, 400U);
}

TEST(SchedulerTest, ABugThatIsDescribedLaterIsRewarded) {
  Scheduler scheduler(10, {"poor", "rich"}, 1, base::Rng(6));
  Visit visit;
  uint64_t rich = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(scheduler.next(visit));
    rich += visit.engine;
    scheduler.report(visit, {.tests = 1, .seconds = 1});
    if (i % 10 == 0) scheduler.reward(static_cast<size_t>(i / 10 % 10), "rich", 1);
  }
  EXPECT_GT(rich, 500U);
  uint64_t good_seed = 0;
  scheduler.reward(3, "rich", 100);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(scheduler.next(visit));
    good_seed += visit.seed == 3 ? 1 : 0;
    scheduler.report(visit, {.tests = 1, .seconds = 1});
  }
  EXPECT_GT(good_seed, 5U);
}

// What comes of one seed again and again is likely to be one bug in other clothes.
TEST(SchedulerTest, BugsOfManySeedsAreWorthMoreThanThoseOfOne) {
  const auto visits_of_rich = [](bool is_one_seed) {
    Scheduler scheduler(50, {"poor", "rich"}, 1, base::Rng(6));
    uint64_t rich = 0;
    for (size_t i = 0; i < 1000; ++i) {
      Visit visit;
      EXPECT_TRUE(scheduler.next(visit));
      rich += visit.engine;
      scheduler.report(visit, {.tests = 1, .seconds = 1});
      if (i % 20 == 0) scheduler.reward(is_one_seed ? 3 : i / 20, "rich", 1);
    }
    return rich;
  };
  EXPECT_GT(visits_of_rich(false), visits_of_rich(true) + 50);
}

// First visits by the engine that looks next to the seed, of a hundred.
int visits_nearby(const SearchParts& parts) {
  Scheduler scheduler(100, {"opfuzz", "edit", "storm", "diver"}, 1, base::Rng(7), parts);
  int near = 0;
  Visit visit;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(scheduler.next(visit));
    EXPECT_EQ(visit.tests, parts.breadth ? 8U : 512U);
    near += visit.engine == 1 ? 1 : 0;
    scheduler.report(visit, {.tests = 1, .seconds = 10});
  }
  return near;
}

TEST(SchedulerTest, PartsCanBeLeftOut) {
  EXPECT_GT(visits_nearby({}), visits_nearby({.neighbourhood = false, .breadth = false}) + 10);
}

TEST(SchedulerTest, TheNeighbourhoodOfASeedComesFirst) {
  Scheduler scheduler(200, {"opfuzz", "edit", "edit+tactics", "storm"}, 1, base::Rng(7));
  uint64_t near = 0;
  std::set<size_t> engines;
  for (int i = 0; i < 200; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    near += visit.engine == 1 ? 1 : 0;
    engines.insert(visit.engine);
    scheduler.report(visit, {.tests = 1});
  }
  EXPECT_GT(near, 100U);
  EXPECT_EQ(engines.size(), 4U);
}

// Of first visits, a quarter goes to the neighbourhood under options, in variants and so on.
TEST(SchedulerTest, TheNeighbourhoodIsLookedAtInAllWays) {
  const std::vector<std::string> engines = {"edit",          "edit+options",     "edit+variants",
                                            "edit+tactics",  "edit+incremental", "edit+objectives",
                                            "opfuzz+options"};
  Scheduler scheduler(400, engines, 1, base::Rng(7));
  std::vector<int> visits(engines.size());
  for (int i = 0; i < 400; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    ++visits[visit.engine];
    scheduler.report(visit, {.tests = 1, .seconds = 10});
  }
  EXPECT_GT(visits[0], 150);
  for (const size_t way : {1, 2, 3, 4}) EXPECT_GE(visits[way], 10) << engines[way];
}

// What guests find is worth turns, though less than what plain tests find.
TEST(SchedulerTest, CausesThatGuestsFindCount) {
  const auto turns_with = [](uint32_t guests_causes) {
    Scheduler scheduler(20, {"a", "b+options"}, 1, base::Rng(6));
    uint64_t turns = 0;
    for (int i = 0; i < 1000; ++i) {
      Visit visit;
      EXPECT_TRUE(scheduler.next(visit));
      turns += visit.engine;
      Yield yield{.causes = visit.engine == 0 && i % 16 == 0 ? 1U : 0U, .seconds = 1};
      if (visit.engine == 1) yield.guests = {.causes = guests_causes, .seconds = 1};
      scheduler.report(visit, yield);
    }
    return turns;
  };
  EXPECT_GT(turns_with(1), turns_with(0) + 200);
}

TEST(SchedulerTest, EveryEngineMakesATestSoon) {
  const std::vector<std::string> engines = {"edit", "opfuzz", "storm",    "diver",
                                            "a",    "fusion", "skeleton", "generate"};
  for (uint64_t rng_seed = 0; rng_seed < 20; ++rng_seed) {
    Scheduler scheduler(200, engines, 1, base::Rng(rng_seed));
    base::Rng luck(rng_seed);
    std::set<size_t> tested;
    int turns_of_idle = 0;
    for (int i = 0; i < 100; ++i) {
      Visit visit;
      ASSERT_TRUE(scheduler.next(visit));
      // Every second seed turns out to be of no use, and one engine never makes a test.
      const bool is_of_use = luck.one_in(2) && visit.engine != 4;
      if (is_of_use) tested.insert(visit.engine);
      turns_of_idle += visit.engine == 4 ? 1 : 0;
      scheduler.report(visit, {.tests = is_of_use ? 8U : 0U, .seconds = 0.1});
    }
    EXPECT_EQ(tested.size(), engines.size() - 1) << rng_seed;
    EXPECT_LT(turns_of_idle, 30) << rng_seed;
  }
}

// How many tests the next visit to the only seed has, after visits of which each paid or did not.
uint32_t length_after(int visits, bool pays) {
  Scheduler scheduler(1, {"a"}, 1, base::Rng(3));
  Visit visit;
  for (int i = 0; i < visits; ++i) {
    EXPECT_TRUE(scheduler.next(visit));
    scheduler.report(visit, {.tests = visit.tests, .causes = pays ? 1U : 0U, .seconds = 1});
  }
  EXPECT_TRUE(scheduler.next(visit));
  return visit.tests;
}

TEST(SchedulerTest, VisitsGrowWhereTheyPay) {
  EXPECT_LT(length_after(0, true), length_after(1, true));
  EXPECT_LT(length_after(2, false), length_after(2, true));
  EXPECT_EQ(length_after(20, true), length_after(200, true));
}

TEST(SchedulerTest, ASeedThatIsAddedIsVisitedSoon) {
  Scheduler scheduler(50, {"a"}, 1, base::Rng(3));
  Visit visit;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(scheduler.next(visit));
    scheduler.report(visit, {});
  }
  const size_t added = scheduler.add_seed();
  EXPECT_EQ(added, 50U);
  EXPECT_EQ(scheduler.seeds(), 51U);
  bool is_seen = false;
  for (int i = 0; i < 20 && !is_seen; ++i) {
    ASSERT_TRUE(scheduler.next(visit));
    is_seen = visit.seed == added;
    scheduler.report(visit, {});
  }
  EXPECT_TRUE(is_seen);
}

TEST(SchedulerTest, ADescendantIsToSolversWhatItsAncestorIs) {
  Scheduler scheduler(1, {"a"}, 2, base::Rng(3));
  Visit visit;
  ASSERT_TRUE(scheduler.next(visit));
  visit.paces[1] = {0.25F, 3, 1, 0, 4};
  scheduler.report(visit, {});
  const size_t added = scheduler.add_seed(0);
  do {
    ASSERT_TRUE(scheduler.next(visit));
    scheduler.report(visit, {});
  } while (visit.seed != added);
  EXPECT_EQ(visit.paces[1].usual, 0.25F);
  EXPECT_TRUE(visit.is_first);
}

// Weights are drawn by a tree that grows with the seeds.
TEST(SchedulerTest, SeedsThatAreAddedAreDrawnByTheirWeight) {
  Scheduler scheduler(3, {"a"}, 1, base::Rng(3));
  for (int i = 0; i < 40; ++i) scheduler.add_seed();
  uint64_t good = 0;
  for (int i = 0; i < 2000; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    good += visit.seed == 37 ? 1 : 0;
    scheduler.report(visit, {.causes = visit.seed == 37 ? 1U : 0U, .seconds = 1});
  }
  EXPECT_GT(good, 200U);
}

}  // namespace
}  // namespace elenchus::campaign
