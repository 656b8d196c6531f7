#include <gtest/gtest.h>

#include "store/campaign_store.h"
#include "store/delta.h"
#include "store/test_campaign.h"

namespace elenchus::store {
namespace {

Tallies tallies(uint64_t tests) {
  Tallies some;
  some.tests[{"typefuzz", "a \"folder\"\n"}] = {tests, tests, 0, tests, 0, 1};
  some.runs[{"typefuzz", "z3"}].outcomes[1] = tests;
  some.runs[{"typefuzz", "z3"}].cpu = 0.5;
  some.spent[{"test", "z3"}] = {tests, 1, 0.5};
  some.keys["z3"] = 7;
  some.seeds["a.smt2"] = {tests, tests, tests, 0, 0.5};
  some.dropped["b.smt2"] = {"folder", "no check-sat"};
  some.skips[{"typefuzz", "too large"}] = 2;
  some.tried[{"option", "sat.euf"}] = {3, 1, 0};
  return some;
}

uint64_t tests_in(const Delta& delta) {
  uint64_t sum = 0;
  for (const auto& [bucket, counted] : delta.buckets) {
    for (const auto& [key, counts] : counted.tests) sum += counts.tests;
  }
  return sum;
}

TEST(Delta, IsReadAsItWasWritten) {
  Delta delta;
  delta.buckets[120] = tallies(5);
  delta.buckets[180] = tallies(6);
  delta.findings[{"crash z3: a", "crash", "z3", "storm", true}] = {2, 99.5};
  const auto back = parse_delta(print_delta(delta));
  ASSERT_OK(back);
  EXPECT_EQ(print_delta(*back), print_delta(delta));
  EXPECT_EQ(tests_in(*back), 11u);
  EXPECT_EQ(back->findings.begin()->second.count, 2u);
  EXPECT_FALSE(parse_delta("[1").has_value());
  EXPECT_FALSE(parse_delta(R"({"tests": [["x", 1]]})").has_value());
}

class SharedStore : public ::testing::Test {
 protected:
  std::unique_ptr<CampaignStore> open(bool is_new) {
    const StoreOptions options{
        .program = "test", .command_line = {}, .clock = {}, .steady = {}, .is_shared = true};
    auto store =
        is_new ? CampaignStore::create(path_, "", options) : CampaignStore::open(path_, options);
    EXPECT_OK(store);
    return std::move(*store);
  }
  // What a server that has added all up to `seen` would add now.
  static uint64_t new_tests(CampaignStore& store, uint64_t& seen) {
    uint64_t tests = 0;
    const auto rows = store.outgoing(100);
    EXPECT_OK(rows);
    for (const Outgoing& row : *rows) {
      if (row.number <= seen) continue;
      tests += tests_in(*parse_delta(row.delta));
      seen = row.number;
    }
    return tests;
  }

  TestFolder home_;
  std::filesystem::path path_ = home_.path() / "campaign";
};

TEST_F(SharedStore, WhatWasOfferedIsNeverAddedTo) {
  const auto store = open(true);
  uint64_t seen = 0;
  ASSERT_OK(store->flush(tallies(3)));
  ASSERT_OK(store->flush(tallies(4)));
  EXPECT_EQ(store->outgoing(100)->size(), 1u) << "what nobody has asked for comes together";
  EXPECT_EQ(new_tests(*store, seen), 7u);
  ASSERT_OK(store->flush(tallies(5)));
  EXPECT_EQ(new_tests(*store, seen), 5u) << "the answer was lost, so the first is there again";
  ASSERT_OK(store->drop_outgoing(seen));
  EXPECT_TRUE(store->outgoing(100)->empty());
  ASSERT_OK(store->flush(tallies(6)));
  EXPECT_EQ(new_tests(*store, seen), 6u) << "numbers only grow";
}

TEST_F(SharedStore, NothingIsLostOrTwiceWhenTheProcessEnds) {
  uint64_t seen = 0;
  {
    const auto store = open(true);
    ASSERT_OK(store->flush(tallies(3)));
    EXPECT_EQ(new_tests(*store, seen), 3u);
    ASSERT_OK(store->flush(tallies(4)));
  }
  const auto store = open(false);
  ASSERT_OK(store->flush(tallies(5)));
  EXPECT_EQ(new_tests(*store, seen), 9u);
  EXPECT_EQ(store->stats().total.tests, 12u);
}

TEST_F(SharedStore, WhatWasOfferedBeforeARestartIsNeverAddedTo) {
  uint64_t seen = 0;
  {
    const auto store = open(true);
    ASSERT_OK(store->flush(tallies(3)));
    EXPECT_EQ(new_tests(*store, seen), 3u) << "the answer never came";
  }
  const auto store = open(false);
  ASSERT_OK(store->flush(tallies(5)));
  EXPECT_EQ(new_tests(*store, seen), 5u);
  EXPECT_EQ(store->stats().total.tests, 8u);
}

TEST_F(SharedStore, BucketsAreWiderOnceTheCampaignIsOld) {
  double time = 600'030;
  auto store = CampaignStore::create(path_, "",
                                     {.program = "test",
                                      .command_line = {},
                                      .clock = [&] { return time; },
                                      .steady = {},
                                      .is_shared = true});
  ASSERT_OK(store);
  ASSERT_OK((*store)->flush(tallies(1)));
  time += 60;
  ASSERT_OK((*store)->flush(tallies(2)));
  time += 3 * 3600;
  ASSERT_OK((*store)->flush(tallies(3)));
  time += 60;
  ASSERT_OK((*store)->flush(tallies(4)));
  const auto delta = parse_delta((*store)->outgoing(1)->front().delta);
  ASSERT_OK(delta);
  std::vector<int64_t> starts;
  for (const auto& [start, counts] : delta->buckets) starts.push_back(start);
  EXPECT_EQ(starts, (std::vector<int64_t>{600'000, 600'060, 610'800}));
  EXPECT_EQ(tests_in(*delta), 10u);
}

TEST_F(SharedStore, FindingsGoOutToo) {
  const auto store = open(true);
  ASSERT_OK(store->add_finding(test_finding("a")));
  ASSERT_OK(store->add_finding(test_finding("a")));
  ASSERT_OK(store->add_unconfirmed(test_finding("b").manifest));
  Tallies repeats;
  repeats.repeats[{*store->bug_of("a"), "storm"}] = 5;
  ASSERT_OK(store->flush(repeats));
  const auto rows = store->outgoing(100);
  ASSERT_OK(rows);
  uint64_t confirmed = 0;
  uint64_t all = 0;
  const auto delta = parse_delta(rows->back().delta);
  ASSERT_OK(delta);
  for (const auto& [key, counts] : delta->findings) {
    all += counts.count;
    confirmed += std::get<4>(key) ? counts.count : 0;
  }
  EXPECT_EQ(confirmed, 7u);
  EXPECT_EQ(all, 8u);
  EXPECT_EQ(store->stats().total.findings, 7u);
}

TEST_F(SharedStore, ABugOfAnotherNodeIsKnownButNotCounted) {
  {
    const auto store = open(true);
    const Finding foreign = test_finding("far");
    ASSERT_OK(store->adopt_bug(foreign.manifest, foreign.files, "n7"));
    std::vector<BugFile> later = foreign.files;
    later.push_back({"neighbour.smt2", "(check-sat)\n"});
    Manifest told = foreign.manifest;
    told.title = "told again";
    ASSERT_OK(store->adopt_bug(told, later, "n7"));
    ASSERT_TRUE(store->bug_of("far").has_value());
    EXPECT_EQ(*store->view().read_bug_file(*store->bug_of("far"), "neighbour.smt2"),
              "(check-sat)\n");
    EXPECT_EQ(store->view().described_bug(*store->bug_of("far"))->title, "told again");
    EXPECT_EQ(store->stats().total.findings, 0u);
    EXPECT_TRUE(store->outgoing(100)->empty());
  }
  const auto store = open(false);
  const auto bugs = store->view().bugs();
  ASSERT_OK(bugs);
  ASSERT_EQ(bugs->size(), 1u);
  EXPECT_EQ(bugs->front().count, 0u);
  EXPECT_EQ(*store->view().read_bug_file(bugs->front().id, kNodeName), "n7\n");
  EXPECT_EQ(bugs->front().title, "told again");
  ASSERT_OK(store->add_finding(test_finding("near")));
  Finding elsewhere = test_finding("near");
  elsewhere.manifest.title = "as others have it";
  ASSERT_OK(store->adopt_bug(elsewhere.manifest, elsewhere.files, "n7"));
  EXPECT_NE(store->view().described_bug(*store->bug_of("near"))->title, "as others have it");
  const auto again = store->add_finding(test_finding("far"));
  ASSERT_OK(again);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(again->count, 1u);
}

}  // namespace
}  // namespace elenchus::store
