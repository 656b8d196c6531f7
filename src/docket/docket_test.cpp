#include "docket/docket.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "store/test_campaign.h"

namespace elenchus::docket {
namespace {

Suspicion suspicion(const std::string& kind, const std::string& cause, const std::string& look) {
  Suspicion one;
  one.kind = kind;
  one.oracle = "crash";
  one.solver = {"z3", {}};
  one.cause = cause;
  one.look = look;
  one.script = "(check-sat)\n";
  one.claim = look;
  return one;
}

class DocketTest : public ::testing::Test {
 protected:
  std::unique_ptr<Docket> open() {
    auto docket = Docket::open(home_.path(), [this] { return now_; });
    EXPECT_OK(docket);
    return std::move(*docket);
  }
  // Receives a finding and writes it down where it is wanted.
  static bool find(Docket& docket, const std::string& cause, const std::string& look,
                   const std::string& kind = "crash") {
    const Reception reception = docket.receive(cause, look, "");
    if (reception.is_wanted) {
      EXPECT_OK(docket.add(suspicion(kind, cause, look), reception.is_sample));
    }
    return reception.is_wanted;
  }
  static std::optional<Assignment> take(Docket& docket, bool at_once = false) {
    auto taken = docket.take(at_once);
    EXPECT_OK(taken);
    return std::move(taken->assignment);
  }

  store::TestFolder home_;
  double now_ = 100;
};

TEST_F(DocketTest, TheGravestIsTakenFirst) {
  const auto docket = open();
  find(*docket, "slow z3", "slow", "slow");
  find(*docket, "crash z3: a", "crash z3: a", "crash");
  find(*docket, "wrong", "wrong", "refutation-unsound");
  EXPECT_EQ(take(*docket)->suspicion.kind, "refutation-unsound");
  EXPECT_EQ(take(*docket)->suspicion.kind, "crash");
  EXPECT_EQ(take(*docket)->suspicion.kind, "slow");
  EXPECT_FALSE(take(*docket));
}

TEST_F(DocketTest, WhatIsWrittenDownIsThereAfterAKill) {
  {
    const auto docket = open();
    find(*docket, "a", "a");
    find(*docket, "b", "b");
    auto taken = take(*docket);
    taken->suspicion.stage = Stage::kConfirmed;
    ASSERT_OK(docket->advance(taken->suspicion));
    find(*docket, "c", "c");
    auto other = take(*docket);
    other->suspicion.stage = Stage::kUnconfirmed;
    other->suspicion.reason = "not again";
    ASSERT_OK(docket->give_up(other->suspicion));
  }
  const auto docket = open();
  EXPECT_EQ(docket->counts().suspected, 1u);
  EXPECT_EQ(docket->counts().confirmed, 1u);
  EXPECT_EQ(docket->counts().unconfirmed, 1u);
  // What was begun is brought to its end first.
  EXPECT_EQ(take(*docket)->suspicion.stage, Stage::kConfirmed);
  const auto all = read_docket(home_.path());
  ASSERT_OK(all);
  EXPECT_EQ(all->size(), 3u);
}

TEST_F(DocketTest, OfThoseThatMayBeOneBugOneIsUnderWayAtATime) {
  const auto docket = open();
  find(*docket, "invalid-model z3", "invalid-model z3: bvadd bvmul");
  find(*docket, "invalid-model z3", "invalid-model z3: bvadd");
  const auto first = take(*docket);
  ASSERT_TRUE(first);
  const auto none = docket->take(true);
  ASSERT_OK(none);
  EXPECT_FALSE(none->assignment);
  EXPECT_TRUE(none->waits);
  docket->put_back(first->suspicion);
  EXPECT_EQ(take(*docket)->suspicion.id, first->suspicion.id);
}

TEST_F(DocketTest, WhatHasNoOperatorInCommonIsUnderWayAtTheSameTime) {
  const auto docket = open();
  docket->add_bug("invalid-model z3: str.++");
  find(*docket, "invalid-model z3", "invalid-model z3: bvadd bvult");
  find(*docket, "invalid-model z3", "invalid-model z3: bvmul bvult");
  find(*docket, "invalid-model z3", "invalid-model z3: select str.++");
  const auto first = take(*docket);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->suspicion.look, "invalid-model z3: bvadd bvult");
  const auto second = take(*docket);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->suspicion.look, "invalid-model z3: bvmul bvult");
  EXPECT_FALSE(take(*docket)) << "a bug accounts for the third";
  EXPECT_TRUE(take(*docket, true)) << "but nothing else is left to do";
}

TEST_F(DocketTest, ACauseThatTurnsOutToBeKnownWaitsLongerAndLonger) {
  const auto docket = open();
  std::vector<double> waits;
  for (int i = 0; i < 4; ++i) {
    find(*docket, "cause", fmt::format("look {}", i));
    const double since = now_;
    std::optional<Assignment> taken;
    while (!(taken = take(*docket))) now_ += 0.5;
    waits.push_back(now_ - since);
    ASSERT_OK(docket->settle(taken->suspicion, "bug", i == 0));
  }
  EXPECT_EQ(waits[0], 0);
  EXPECT_EQ(waits[1], 0);  // the first was new
  EXPECT_GE(waits[2], 2);
  EXPECT_GE(waits[3], 2 * waits[2] - 0.5);
}

// A solver that errs by chance must not keep prosecutors from what can be shown again.
TEST_F(DocketTest, ACauseThatNeverShowsAgainWaitsAndComesLast) {
  const auto docket = open();
  for (int i = 0; i < 3; ++i) {
    find(*docket, "chance", fmt::format("look {}", i), "refutation-unsound");
    std::optional<Assignment> taken;
    const double since = now_;
    while (!(taken = take(*docket))) now_ += 0.5;
    if (i > 0) {
      EXPECT_GE(now_ - since, 1 << i);
    }
    taken->suspicion.stage = Stage::kUnconfirmed;
    ASSERT_OK(docket->give_up(taken->suspicion));
  }
  find(*docket, "chance", "look 3", "refutation-unsound");
  find(*docket, "slow", "slow", "slow");
  EXPECT_EQ(take(*docket, true)->suspicion.kind, "slow");
  const auto last = take(*docket, true);
  EXPECT_EQ(last->suspicion.look, "look 3");
  // One that shows makes up for it.
  ASSERT_OK(docket->settle(last->suspicion, "bug", true));
  find(*docket, "chance", "look 4", "refutation-unsound");
  EXPECT_TRUE(take(*docket));
}

TEST_F(DocketTest, NobodyWaitsWhenTestingIsOver) {
  const auto docket = open();
  find(*docket, "cause", "look 1");
  ASSERT_OK(docket->settle(take(*docket)->suspicion, "bug", true));
  find(*docket, "cause", "look 2");
  ASSERT_OK(docket->settle(take(*docket)->suspicion, "bug", false));
  find(*docket, "cause", "look 3");
  EXPECT_FALSE(take(*docket));
  EXPECT_TRUE(take(*docket, true));
}

TEST_F(DocketTest, FindingsThatLookLikeOneThatWaitsAreCountedForItsBug) {
  const auto docket = open();
  EXPECT_TRUE(find(*docket, "cause", "look"));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(find(*docket, "cause", "look"));
  const auto repeats = docket->settle(take(*docket)->suspicion, "the bug", true);
  ASSERT_OK(repeats);
  EXPECT_EQ(*repeats, 5u);
  const Reception later = docket->receive("cause", "look", "");
  EXPECT_FALSE(later.is_wanted);
  EXPECT_EQ(later.bug, "the bug");
}

// Each of them is the first of another family.
TEST_F(DocketTest, AFrequentCauseFillsNoDisk) {
  const auto docket = open();
  docket->add_bug("invalid-model z3: <");
  uint64_t written = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto family = fmt::format("seed {}", i);
    Suspicion one =
        suspicion("invalid-model", "invalid-model z3", fmt::format("invalid-model z3: < {}", i));
    one.origin.seeds = {family};
    const Reception reception = docket->receive(one.cause, one.look, family);
    written += reception.is_wanted;
    if (reception.is_wanted) {
      ASSERT_OK(docket->add(one));
    } else {
      EXPECT_EQ(reception.bug, "invalid-model z3: <");
    }
  }
  EXPECT_LE(written, 40u);
  EXPECT_GE(written, 32u);
  EXPECT_EQ(docket->counts().lost, 0u);
  // A bug that has all that waits as its disguise does not hide another.
  ASSERT_TRUE(find(*docket, "invalid-model z3", "invalid-model z3: str.++", "invalid-model"));
  EXPECT_EQ(take(*docket)->suspicion.look, "invalid-model z3: str.++");
}

TEST_F(DocketTest, WhatNoBugAccountsForIsLostOnlyBeyondAThousand) {
  const auto docket = open();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(find(*docket, "invalid-model z3", fmt::format("invalid-model z3: f{}", i)));
  }
  EXPECT_EQ(docket->counts().lost, 0u);
  EXPECT_FALSE(find(*docket, "invalid-model z3", "invalid-model z3: another"));
  EXPECT_EQ(docket->counts().lost, 1u);
  EXPECT_TRUE(find(*docket, "invalid-model cvc5", "invalid-model cvc5: another"));
}

TEST_F(DocketTest, EachBugGetsTheFindingsThatLookedLikeIt) {
  const auto docket = open();
  const std::string cause = "invalid-model z3";
  find(*docket, cause, "invalid-model z3: bvadd");
  find(*docket, cause, "invalid-model z3: str.++");
  for (int i = 0; i < 5; ++i) find(*docket, cause, "invalid-model z3: bvadd");
  for (int i = 0; i < 2; ++i) find(*docket, cause, "invalid-model z3: str.++");
  std::map<std::string, uint64_t> repeats;
  while (const auto taken = take(*docket, true)) {
    const auto count = docket->settle(taken->suspicion, taken->suspicion.look, true);
    ASSERT_OK(count);
    repeats[taken->suspicion.look] = *count;
  }
  EXPECT_EQ(repeats.at("invalid-model z3: bvadd"), 5u);
  EXPECT_EQ(repeats.at("invalid-model z3: str.++"), 2u);
}

// A bug that is reduced to an operator that is everywhere must not hide the others of its kind.
TEST_F(DocketTest, SamplesAreTakenOfACauseThatIsKnownWell) {
  const auto docket = open();
  for (int i = 0; i < 4; ++i) {
    find(*docket, "invalid-model z3", fmt::format("invalid-model z3: < {}", i));
    ASSERT_OK(docket->settle(take(*docket, true)->suspicion, "invalid-model z3: <", i == 0));
  }
  uint64_t wanted = 0;
  for (int i = 4; i < 5000; ++i) {
    const auto reception =
        docket->receive("invalid-model z3", fmt::format("invalid-model z3: < {}", i), "");
    wanted += reception.is_wanted;
    EXPECT_EQ(reception.is_wanted, reception.is_sample);
    if (!reception.is_wanted) {
      EXPECT_EQ(reception.bug, "invalid-model z3: <");
    }
  }
  EXPECT_EQ(wanted, 3u);  // the 64th, the 512th and the 4096th
}

// Another seed, another bug: what its first finding looks like is not enough to pass it over.
TEST_F(DocketTest, TheFirstFindingOfEachFamilyIsLookedInto) {
  const auto docket = open();
  for (int i = 0; i < 4; ++i) {
    find(*docket, "invalid-model z3", fmt::format("invalid-model z3: < {}", i));
    ASSERT_OK(docket->settle(take(*docket, true)->suspicion, "invalid-model z3: <", i == 0));
  }
  const std::string look = "invalid-model z3: < select";
  EXPECT_FALSE(docket->receive("invalid-model z3", look, "").is_wanted);
  ASSERT_TRUE(docket->receive("invalid-model z3", look, "other.smt2").is_wanted);
  Suspicion one = suspicion("invalid-model", "invalid-model z3", look);
  one.origin.seeds = {"other.smt2"};
  ASSERT_OK(docket->add(one));
  const auto taken = take(*docket);  // at once, although its cause has to wait
  ASSERT_TRUE(taken);
  EXPECT_TRUE(taken->probable_bug.empty());
  ASSERT_OK(docket->settle(taken->suspicion, "invalid-model z3: <", false));
  EXPECT_FALSE(docket->receive("invalid-model z3", look + " store", "other.smt2").is_wanted);
}

TEST_F(DocketTest, ALookThatCameToNothingIsNotTriedForEver) {
  const auto docket = open();
  int written = 0;
  for (int i = 0; i < 10; ++i) {
    if (!find(*docket, "cause", "look")) continue;
    ++written;
    auto taken = take(*docket, true);
    taken->suspicion.stage = Stage::kUnconfirmed;
    ASSERT_OK(docket->give_up(taken->suspicion));
  }
  EXPECT_EQ(written, 3);
  EXPECT_EQ(docket->counts().unconfirmed, 3u);
}

TEST_F(DocketTest, ALaterSessionKnowsWhatWasLearntOfCauses) {
  const std::string cause = "invalid-model z3";
  std::map<std::string, std::string> notes;
  {
    const auto docket = open();
    for (int i = 0; i < 4; ++i) {
      Suspicion one = suspicion("invalid-model", cause, fmt::format("{}: < {}", cause, i));
      one.origin.seeds = {"seed.smt2"};
      ASSERT_TRUE(docket->receive(one.cause, one.look, "seed.smt2").is_wanted);
      ASSERT_OK(docket->add(one));
      ASSERT_OK(docket->settle(take(*docket, true)->suspicion, "invalid-model z3: <", i == 0));
    }
    notes = docket->take_notes();
    EXPECT_TRUE(docket->take_notes().empty());
  }
  const auto docket = open();
  docket->add_bug("invalid-model z3: <");
  for (const auto& [name, content] : notes) docket->restore(name, content);
  const Reception again = docket->receive(cause, "invalid-model z3: < 7", "seed.smt2");
  EXPECT_FALSE(again.is_wanted) << "known well, and its family is known";
  EXPECT_EQ(again.bug, "invalid-model z3: <");
  EXPECT_EQ(docket->receive(cause, "invalid-model z3: < 2", "").bug, "invalid-model z3: <");
  EXPECT_TRUE(docket->receive(cause, "invalid-model z3: < 7", "other.smt2").is_wanted);
  EXPECT_FALSE(docket->receive(cause, "invalid-model z3: str.++", "other.smt2").is_first);
  docket->restore("family:nonsense", "else");
  docket->restore("nonsense", "");
}

TEST_F(DocketTest, FirstFindingsOfACauseThatNeverShowsAgainWaitLikeOthers) {
  const auto docket = open();
  const auto find_of = [&](const std::string& family) {
    Suspicion one = suspicion("crash", "chance", "look of " + family);
    one.origin.seeds = {family};
    ASSERT_TRUE(docket->receive(one.cause, one.look, family).is_wanted);
    ASSERT_OK(docket->add(one));
  };
  for (const char* family : {"a", "b", "c"}) {
    find_of(family);
    auto taken = take(*docket);
    ASSERT_TRUE(taken) << family;
    taken->suspicion.stage = Stage::kUnconfirmed;
    ASSERT_OK(docket->give_up(taken->suspicion));
  }
  find_of("d");
  EXPECT_FALSE(take(*docket));
  now_ += 10;
  EXPECT_TRUE(take(*docket));
}

TEST_F(DocketTest, OneThatCannotBeReadIsLeftAndToldOf) {
  {
    const auto docket = open();
    find(*docket, "a", "a");
    find(*docket, "b", "b");
  }
  std::ofstream(home_.path() / "000001-crash" / "suspicion.json") << "{";
  const auto docket = open();
  ASSERT_EQ(docket->problems().size(), 1u);
  EXPECT_NE(docket->problems()[0].find("000001-crash"), std::string::npos);
  EXPECT_EQ(docket->counts().suspected, 1u);
  EXPECT_TRUE(std::filesystem::exists(home_.path() / "000001-crash"));
}

TEST_F(DocketTest, AFullDiskIsAnError) {
  const auto docket = open();
  std::filesystem::remove_all(home_.path());
  std::ofstream(home_.path().string()) << "no folder";
  EXPECT_FALSE(docket->add(suspicion("crash", "a", "a")).has_value());
  EXPECT_EQ(docket->counts().suspected, 0u);
}

TEST_F(DocketTest, WorkersAndProsecutorsDoNotGetInEachOthersWay) {
  const auto docket = open();
  std::atomic<int> settled = 0;
  std::atomic<bool> is_over = false;
  const auto test = [&](int worker) {
    for (int i = 0; i < 50; ++i) {
      find(*docket, fmt::format("cause {}", i % 7), fmt::format("look {} {}", worker, i));
    }
  };
  const auto prosecute = [&] {
    while (!is_over || docket->counts().open() > 0) {
      const auto taken = take(*docket, true);
      if (!taken) continue;
      EXPECT_OK(docket->settle(taken->suspicion, taken->suspicion.look, true));
      ++settled;
    }
  };
  std::thread first(test, 1);
  std::thread second(test, 2);
  std::thread third(prosecute);
  std::thread fourth(prosecute);
  first.join();
  second.join();
  is_over = true;
  third.join();
  fourth.join();
  EXPECT_GT(settled, 0);
  EXPECT_EQ(docket->counts().open(), 0u);
}

// Grants what it is told to, and notes what it hears.
struct FakePartners : Partners {
  bool may_take(const std::string& look) override { return granted.contains(look); }
  bool has_no_more() override { return is_done; }
  void settled(const std::string& look, const std::string& bug) override {
    heard.push_back(look + " is " + bug);
  }
  void given_up(const std::string& look) override { heard.push_back(look + " is nothing"); }
  void set_aside(const std::string& look) override { heard.push_back(look + " is for others"); }

  std::set<std::string> granted;
  bool is_done = false;
  std::vector<std::string> heard;
};

TEST_F(DocketTest, OnlyWhatPartnersGrantIsTaken) {
  const auto docket = open();
  FakePartners partners;
  docket->set_partners(&partners);
  find(*docket, "a", "look a");
  find(*docket, "b", "look b");
  EXPECT_FALSE(take(*docket));
  partners.granted = {"look b"};
  const auto taken = take(*docket);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->suspicion.look, "look b");
  ASSERT_OK(docket->settle(taken->suspicion, "bug b", true));
  EXPECT_EQ(partners.heard, std::vector<std::string>{"look b is bug b"});
  EXPECT_FALSE(docket->is_done()) << "they may still grant the other";
  partners.is_done = true;
  EXPECT_TRUE(docket->is_done());
  partners.granted = {"look a"};
  EXPECT_FALSE(docket->is_done());
}

TEST_F(DocketTest, WhatOthersSettleLeavesTheDocketAndIsCounted) {
  const auto docket = open();
  find(*docket, "cause", "one");
  find(*docket, "cause", "two");
  const auto under_way = take(*docket);
  ASSERT_TRUE(under_way);
  const std::string other = under_way->suspicion.look == "one" ? "two" : "one";
  const auto met = docket->settle_elsewhere(other, "bug");
  ASSERT_OK(met);
  EXPECT_EQ(met->size(), 1u);
  EXPECT_EQ(docket->counts().open(), 1u);
  EXPECT_EQ(docket->receive("cause", other, "").bug, "bug");
  EXPECT_FALSE(take(*docket)) << "the other of the cause is under way";
  ASSERT_OK(docket->settle_elsewhere("never met", "bug"));
  EXPECT_EQ(docket->receive("new cause", "never met", "").bug, "bug");
}

TEST_F(DocketTest, ASuspicionOfAnotherNodeIsTakenLikeAnyOther) {
  const auto docket = open();
  ASSERT_OK(docket->adopt(files_of(suspicion("crash", "a", "far")), "far"));
  EXPECT_FALSE(docket->adopt({{"script.smt2", "(check-sat)", false}}, "far").has_value());
  EXPECT_EQ(docket->counts().open(), 1u);
  EXPECT_EQ(take(*docket)->suspicion.look, "far");
}

}  // namespace
}  // namespace elenchus::docket
