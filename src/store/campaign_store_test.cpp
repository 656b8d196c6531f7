#include "store/campaign_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "record/provisional.h"
#include "store/database.h"
#include "store/files.h"
#include "store/test_campaign.h"

namespace elenchus::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kSettings = "[campaign]\nrng = 7\n";

// Neither other programs nor a slow disk stretch these.
double cpu_seconds_between(std::clock_t from, std::clock_t to) {
  return static_cast<double>(to - from) / CLOCKS_PER_SEC;
}

class CampaignStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<CampaignStore> create() {
    auto store = CampaignStore::create(path_, kSettings, options_);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  std::unique_ptr<CampaignStore> reopen() {
    auto store = CampaignStore::open(path_, options_);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }
  std::string message_of_open() {
    const auto store = CampaignStore::open(path_, options_);
    return store ? "" : store.error().message;
  }
  static void write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }

  TestFolder home_;
  fs::path path_ = home_.path() / "out" / "campaign";
  double time_ = 1700000000;
  StoreOptions options_ = {"elenchus 1.0", "elenchus fuzz seeds", [this] { return time_; }};
};

TEST_F(CampaignStoreTest, AFindingMakesACompleteFolderAndItsRows) {
  const auto store = create();
  const auto added = store->add_finding(test_finding("assertion violation ast.cpp:12"));
  ASSERT_OK(added);
  EXPECT_TRUE(added->is_new);
  EXPECT_EQ(added->count, 1u);
  EXPECT_THAT(added->bug, ::testing::MatchesRegex("z3-crash-[0-9a-f]{8}"));
  EXPECT_EQ(store->bug_of("assertion violation ast.cpp:12"), added->bug);
  EXPECT_EQ(store->bug_of("another"), std::nullopt);

  const auto bugs = store->view().bugs();
  ASSERT_OK(bugs);
  ASSERT_EQ(bugs->size(), 1u);
  const BugRecord& bug = bugs->front();
  EXPECT_EQ(bug.id, added->bug);
  EXPECT_EQ(bug.kind, "crash");
  EXPECT_EQ(bug.first_seen, time_);
  EXPECT_EQ(bug.path, "bugs/" + bug.id);
  EXPECT_THAT(bug.seeds, ElementsAre("seeds/a.smt2"));

  const auto files = store->view().bug_files(bug.id);
  ASSERT_OK(files);
  EXPECT_THAT(*files, ElementsAre("manifest.json", "original.smt2", "outputs/z3.txt", "repro.sh"));
  struct stat info {};
  ASSERT_EQ(stat((path_ / bug.path / "repro.sh").c_str(), &info), 0);
  EXPECT_NE(info.st_mode & S_IXUSR, 0u);
  const auto manifest = store->view().manifest(bug.id);
  ASSERT_OK(manifest);
  EXPECT_EQ(manifest->id, bug.id);
  EXPECT_EQ(manifest->evidence, "signal 11");
  EXPECT_EQ(manifest->time, 1700000000);
}

TEST_F(CampaignStoreTest, AKnownSignatureRaisesTheCountAndKeepsThreeExamples) {
  const auto store = create();
  std::string id;
  for (uint64_t i = 1; i <= 6; ++i) {
    time_ += 10;
    const auto added = store->add_finding(test_finding("same"));
    ASSERT_OK(added);
    EXPECT_EQ(added->is_new, i == 1);
    EXPECT_EQ(added->count, i);
    id = added->bug;
  }
  const auto bug = store->view().bug(id);
  ASSERT_OK(bug);
  EXPECT_EQ(bug->count, 6u);
  EXPECT_EQ(bug->examples, 3u);
  EXPECT_EQ(bug->first_seen, 1700000010);
  EXPECT_EQ(bug->last_seen, 1700000060);
  const auto files = store->view().bug_files(id);
  ASSERT_OK(files);
  EXPECT_THAT(*files, ElementsAre("also/1.smt2", "also/2.smt2", "also/3.smt2", "manifest.json",
                                  "original.smt2", "outputs/z3.txt", "repro.sh"));
  EXPECT_EQ(store->stats().total.findings, 6u);
  EXPECT_EQ(store->stats().total.bugs, 1u);
}

// What was stored for the time being turns out to be this.
TEST_F(CampaignStoreTest, AProvisionalBugIsReplacedWithAllThatWasCountedForIt) {
  auto store = create();
  Finding early = test_finding("early");
  early.manifest.is_provisional = true;
  const auto provisional = store->add_finding(early);
  ASSERT_OK(provisional);
  ASSERT_OK(store->add_finding(early));
  const auto replaced = store->replace_bug("early", test_finding("late"));
  ASSERT_OK(replaced);
  EXPECT_TRUE(replaced->is_new);
  EXPECT_EQ(replaced->count, 2u);
  EXPECT_FALSE(fs::exists(path_ / "bugs" / provisional->bug));
  const auto check = [&] {
    const auto bugs = store->view().bugs();
    ASSERT_OK(bugs);
    ASSERT_EQ(bugs->size(), 1u);
    EXPECT_EQ(bugs->front().id, replaced->bug);
    EXPECT_EQ(bugs->front().count, 2u);
    EXPECT_FALSE(store->view().manifest(replaced->bug)->is_provisional);
    EXPECT_EQ(store->bug_of("early"), std::nullopt);
    EXPECT_EQ(store->stats().total.bugs, 1u);
    EXPECT_EQ(store->stats().total.findings, 2u);
    EXPECT_EQ(store->stats().engines.at(early.manifest.engine).bugs, 1u);
  };
  check();
  store.reset();
  store = reopen();
  EXPECT_TRUE(store->problems().empty());
  check();
  // A bug for good is not replaced.
  const auto other = store->replace_bug("late", test_finding("other"));
  ASSERT_OK(other);
  EXPECT_EQ(store->stats().total.bugs, 2u);
}

TEST_F(CampaignStoreTest, AProvisionalBugMayBeOneThatIsKnownOrStayTheSame) {
  const auto store = create();
  const auto known = store->add_finding(test_finding("known"));
  ASSERT_OK(known);
  Finding early = test_finding("early");
  early.manifest.is_provisional = true;
  ASSERT_OK(store->add_finding(early));
  const auto merged = store->replace_bug("early", test_finding("known"));
  ASSERT_OK(merged);
  EXPECT_FALSE(merged->is_new);
  EXPECT_EQ(merged->bug, known->bug);
  EXPECT_EQ(merged->count, 2u);
  EXPECT_EQ(store->stats().total.bugs, 1u);

  const auto again = store->add_finding(early);
  ASSERT_OK(again);
  const auto renewed = store->replace_bug("early", test_finding("early"));
  ASSERT_OK(renewed);
  EXPECT_EQ(renewed->bug, again->bug);
  EXPECT_EQ(renewed->count, 1u);
  EXPECT_FALSE(store->view().manifest(again->bug)->is_provisional);
  EXPECT_EQ(store->stats().total.bugs, 2u);
}

// Another finding, brought to its end, turns out to be the same: it is a bug for good, whatever
// becomes of the one that was told first.
TEST_F(CampaignStoreTest, AProvisionalBugBecomesOneForGoodByAnother) {
  const auto store = create();
  Finding early = test_finding("x");
  early.manifest.is_provisional = true;
  const auto told = store->add_finding(early);
  ASSERT_OK(told);
  const auto same = store->add_finding(test_finding("x"));
  ASSERT_OK(same);
  EXPECT_EQ(same->bug, told->bug);
  EXPECT_EQ(same->count, 2u);
  EXPECT_FALSE(store->view().manifest(told->bug)->is_provisional);
  ASSERT_OK(store->replace_bug("x", test_finding("y")));
  EXPECT_TRUE(store->bug_of("x").has_value());
  EXPECT_TRUE(store->bug_of("y").has_value());
  EXPECT_EQ(store->stats().total.bugs, 2u);
  EXPECT_EQ(store->stats().total.findings, 3u);
}

TEST_F(CampaignStoreTest, WhatIsToldOfAProvisionalBugGoesWithIt) {
  const auto store = create();
  Finding early = test_finding("early");
  early.manifest.is_provisional = true;
  const auto told = store->add_finding(early);
  ASSERT_OK(told);
  const CampaignFolder folder(path_);
  std::ofstream(folder.bug(told->bug) / kMarkName) << "{\"state\": \"reported\"}";
  // A repeat that somebody counted under the old name.
  Tallies tallies;
  tallies.repeats[{told->bug, early.manifest.engine}] = 3;
  const auto late = store->replace_bug("early", test_finding("late"));
  ASSERT_OK(late);
  EXPECT_TRUE(fs::exists(folder.bug(late->bug) / kMarkName));
  ASSERT_OK(store->flush(tallies));
  const auto bugs = store->view().bugs();
  ASSERT_OK(bugs);
  ASSERT_EQ(bugs->size(), 1u);
  EXPECT_EQ(bugs->front().count, 4u);
  EXPECT_EQ(store->stats().total.findings, 4u);
}

TEST_F(CampaignStoreTest, AProvisionalBugOfWhichNothingComesStays) {
  const auto store = create();
  Finding early = test_finding("early");
  early.manifest.is_provisional = true;
  early.files.push_back(
      {"report.md", "# T\n\n" + std::string(record::kProvisionalNote) + "\n\n    z3 f\n"});
  const auto told = store->add_finding(early);
  ASSERT_OK(told);
  ASSERT_OK(store->make_final("early"));
  EXPECT_FALSE(store->view().manifest(told->bug)->is_provisional);
  EXPECT_EQ(*store->view().read_bug_file(told->bug, "report.md"), "# T\n\n    z3 f\n");
  ASSERT_OK(store->make_final("unknown"));
}

TEST_F(CampaignStoreTest, ABugIsFoundToBeKnownLater) {
  std::string id;
  {
    const auto store = create();
    const auto told = store->add_finding(test_finding("one"));
    ASSERT_OK(told);
    ASSERT_OK(store->add_finding(test_finding("two")));
    id = told->bug;
    EXPECT_EQ(store->stats().news(), 2u);
    ASSERT_OK(store->make_known(id, "a title (http://a/1)"));
    EXPECT_EQ(store->view().manifest(id)->known, "a title (http://a/1)");
    EXPECT_EQ(store->stats().total.bugs, 2u);
    EXPECT_EQ(store->stats().total.known_bugs, 1u);
    EXPECT_EQ(store->stats().news(), 1u);
    EXPECT_FALSE(store->make_known("nothing", "a title"));
  }
  // The database has it, too.
  const auto store = reopen();
  EXPECT_EQ(store->stats().total.known_bugs, 1u);
}

TEST_F(CampaignStoreTest, ABugNamesTheSeedsThatItShowsNear) {
  const auto store = create();
  std::string id;
  for (int i = 0; i < 50; ++i) {
    Finding finding = test_finding("same");
    finding.manifest.seeds = {"seeds/" + std::to_string(i / 2) + ".smt2", "seeds/partner.smt2"};
    if (i > 30) finding.manifest.seeds = {};
    const auto added = store->add_finding(std::move(finding));
    ASSERT_OK(added);
    id = added->bug;
  }
  const auto before = store->view().manifest(id);
  ASSERT_OK(before);
  EXPECT_EQ(before->seeds.size(), 17u);
  EXPECT_EQ(before->seeds[1], "seeds/partner.smt2");
  EXPECT_EQ(before->seeds[2], "seeds/1.smt2");
  // What is written down later does not take them back.
  Manifest old = *before;
  old.seeds.resize(2);
  ASSERT_OK(store->view().annotate(old, {}));
  EXPECT_EQ(store->view().manifest(id)->seeds, before->seeds);
  EXPECT_EQ(store->view().bug(id)->seeds, before->seeds);
}

TEST_F(CampaignStoreTest, EverythingIsThereAfterReopening) {
  Stats before;
  {
    const auto store = create();
    ASSERT_OK(store->add_finding(test_finding("one", "refutation-unsound", "cvc5")));
    ASSERT_OK(store->add_finding(test_finding("two")));
    ASSERT_OK(store->add_finding(test_finding("two")));
    Manifest unsure = test_finding("three").manifest;
    ASSERT_OK(store->add_unconfirmed(unsure));
    Ledger ledger;
    ledger.add_run("storm", "z3", Outcome::kSat, 0.5, 0.25);
    ledger.add_run("storm", "cvc5", Outcome::kTimeout, 2, 2);
    ledger.add_test("storm", "seeds", true, true);
    ledger.add_test("storm", "seeds", false, false);
    ledger.add_skip("storm", "seeds", "no model");
    ledger.add_seed_use("seeds/a.smt2", {2, 1, 1, 1, 2.25});
    ledger.add_repeat(*store->bug_of("two"), "storm");
    ledger.set_keys("z3", 17);
    time_ += 100;
    ASSERT_OK(store->put_seeds(std::vector<SeedRecord>{
        {"seeds/a.smt2", "seeds", SeedStatus::kUsed, "", {}},
        {"seeds/b.smt2", "seeds", SeedStatus::kDropped, "no solver takes it", {}}}));
    ASSERT_OK(store->put_engines(std::vector<EngineRecord>{{"storm", 3, 1.5, 0.75}}));
    ASSERT_OK(store->add_event(Severity::kWarning, "campaign", "everything is rejected"));
    ASSERT_OK(store->flush(ledger.take()));
    EXPECT_TRUE(ledger.take().empty());
    before = store->stats();
  }
  time_ += 1000;
  const auto store = reopen();
  EXPECT_TRUE(store->problems().empty());
  time_ += 5;
  const Stats after = store->stats();
  EXPECT_EQ(before.total.tests, 2u);
  EXPECT_EQ(after.total.tests, 2u);
  EXPECT_EQ(after.total.runs, 2u);
  EXPECT_EQ(after.total.accepted, 1u);
  EXPECT_EQ(after.total.rejected, 1u);
  EXPECT_EQ(after.total.timeouts, 1u);
  EXPECT_EQ(after.total.skipped, 1u);
  EXPECT_EQ(after.total.findings, 4u);
  EXPECT_EQ(after.total.unconfirmed, 1u);
  EXPECT_EQ(after.total.bugs, 2u);
  EXPECT_EQ(after.engines.at("storm").findings, 1u);
  EXPECT_EQ(after.engines.at("typefuzz").bugs, 2u);
  EXPECT_EQ(after.solvers.at("cvc5").bugs, 1u);
  EXPECT_EQ(after.solvers.at("z3").decided, 1u);
  EXPECT_EQ(after.known_keys(), 17u);
  EXPECT_EQ(after.seeds, 2u);
  EXPECT_EQ(after.seeds_dropped, 1u);
  EXPECT_EQ(after.warnings, 1u);
  EXPECT_EQ(after.sessions, 2u);
  EXPECT_DOUBLE_EQ(after.seconds, 105);
  EXPECT_EQ(after.start_time, 1700000000);

  const CampaignView& view = store->view();
  const auto bugs = view.bugs();
  ASSERT_OK(bugs);
  ASSERT_EQ(bugs->size(), 2u);
  EXPECT_EQ((*bugs)[0].kind, "refutation-unsound");
  EXPECT_EQ((*bugs)[1].count, 3u);
  const auto seeds = view.seeds();
  ASSERT_OK(seeds);
  ASSERT_EQ(seeds->size(), 2u);
  EXPECT_EQ((*seeds)[0].counts.tests, 2u);
  EXPECT_EQ((*seeds)[1].reason, "no solver takes it");
  const auto runs = view.runs();
  ASSERT_OK(runs);
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].bucket.start, 1700000100);
  EXPECT_EQ((*runs)[0].bucket.width, 10);
  EXPECT_EQ((*runs)[0].solver, "cvc5");
  ASSERT_OK(view.tests());
  EXPECT_EQ(view.tests()->front().counts.skipped, 1u);
  EXPECT_EQ(view.keys()->front().known, 17u);
  EXPECT_EQ(view.skips()->front().reason, "no model");
  EXPECT_EQ(view.engines()->front().share, 0.75);
  EXPECT_EQ(view.events()->front().message, "everything is rejected");
  EXPECT_EQ(view.sessions()->size(), 2u);
  EXPECT_EQ(view.findings(100)->size(), 5u);
  EXPECT_EQ(view.findings(1)->size(), 1u);
  EXPECT_EQ(*view.settings(), kSettings);
}

TEST_F(CampaignStoreTest, SolverTimeHasAPurpose) {
  Ledger ledger;
  ledger.add_run("storm", "z3", Outcome::kSat, 1, 0.5);
  ledger.add_run("storm", "cvc5", Outcome::kSat, 1, 0.25);
  ledger.add_run(kSeedItself, "z3", Outcome::kSat, 2, 2, Purpose::kProbe);
  ledger.add_run("storm", "z3", Outcome::kSat, 3, 3, Purpose::kLearn);
  ledger.add_run("storm", "z3", Outcome::kCrash, 4, 4, Purpose::kProsecute);
  const Tallies tallies = ledger.take();
  ASSERT_OK(create()->flush(tallies));
  const auto store = reopen();
  ASSERT_OK(store->flush(tallies));
  for (const Stats& stats : {store->stats(), *store->view().stats()}) {
    EXPECT_EQ(stats.spent.at("test").runs, 4u);
    EXPECT_EQ(stats.spent.at("test").cpu, 1.5);
    EXPECT_EQ(stats.spent.at("probe").cpu, 4);
    EXPECT_EQ(stats.spent.at("learn").wall, 6);
    EXPECT_EQ(stats.spent.at("prosecute").runs, 2u);
    double sum = 0;
    for (const auto& [purpose, spent] : stats.spent) sum += spent.cpu;
    EXPECT_EQ(sum, stats.total.cpu_seconds_solvers);
    EXPECT_EQ(stats.engines.at("seed").cpu_seconds_solvers, 4);
    const auto json = nlohmann::json::parse(print_stats(stats));
    EXPECT_EQ(json["purposes"]["prosecute"]["cpu_seconds_solvers"], 8);
  }
}

TEST_F(CampaignStoreTest, SeedsAreDroppedByTheThousand) {
  constexpr size_t kSeeds = 12000;
  const auto store = create();
  std::vector<SeedRecord> seeds(kSeeds);
  for (size_t i = 0; i < kSeeds; ++i) seeds[i].path = "s" + std::to_string(i);
  ASSERT_OK(store->put_seeds(seeds));
  Ledger ledger;
  const std::clock_t start = std::clock();
  for (size_t i = 0; i < kSeeds; ++i) {
    ledger.drop_seed("s" + std::to_string(i), "seeds", "no solver takes it");
    if (i % 100 == 0) ASSERT_OK(store->flush(ledger.take()));
  }
  ASSERT_OK(store->flush(ledger.take()));
  EXPECT_LT(cpu_seconds_between(start, std::clock()), 20);
  EXPECT_EQ(store->stats().seeds, kSeeds);
  EXPECT_EQ(store->stats().seeds_dropped, kSeeds);
  EXPECT_EQ(store->view().stats()->seeds_dropped, kSeeds);
}

TEST_F(CampaignStoreTest, ADroppedSeedStaysSo) {
  Ledger ledger;
  ledger.drop_seed("a", "seeds", "too slow");
  const Tallies tallies = ledger.take();
  const std::vector<SeedRecord> seeds = {{"a", "seeds", SeedStatus::kUsed, "", {}},
                                         {"b", "seeds", SeedStatus::kUsed, "", {}}};
  {
    const auto store = create();
    ASSERT_OK(store->put_seeds(seeds));
    ASSERT_OK(store->flush(tallies));
    ASSERT_OK(store->flush(tallies));
    EXPECT_EQ(store->stats().seeds_dropped, 1u);
  }
  const auto store = reopen();
  ASSERT_OK(store->put_seeds(seeds));
  EXPECT_EQ(store->stats().seeds_dropped, 1u);
  const auto stored = store->view().seeds();
  ASSERT_OK(stored);
  EXPECT_EQ(stored->front().status, SeedStatus::kDropped);
  EXPECT_EQ(stored->front().reason, "too slow");
}

TEST_F(CampaignStoreTest, AClockThatIsSetHarmsNoRunningTime) {
  double steady = 50;
  options_.steady = [&] { return steady; };
  const double start = time_;
  const auto pass = [&](CampaignStore& store, double seconds) {
    time_ += seconds;
    steady += seconds;
    Ledger ledger;
    ledger.add_run("storm", "z3", Outcome::kSat, 1, 1);
    EXPECT_OK(store.flush(ledger.take()));
    EXPECT_OK(store.write_status());
  };
  {
    const auto store = create();
    pass(*store, 10);
    time_ -= 86400;
    pass(*store, 10);
    time_ += 400 * 86400;
    pass(*store, 10);
    EXPECT_DOUBLE_EQ(store->stats().seconds, 30);
    EXPECT_EQ(store->stats().last_update, time_);
    time_ = start - 1000;
  }
  const auto store = reopen();
  pass(*store, 10);
  EXPECT_DOUBLE_EQ(store->stats().seconds, 40);
  EXPECT_DOUBLE_EQ(store->view().stats()->seconds, 40);
  const auto runs = store->view().runs();
  ASSERT_OK(runs);
  ASSERT_EQ(runs->size(), 4u);
  for (size_t i = 0; i < runs->size(); ++i) {
    EXPECT_EQ((*runs)[i].bucket.start,
              static_cast<int64_t>(start) + 10 * static_cast<int64_t>(i + 1));
  }
  const auto sessions = store->view().sessions();
  ASSERT_OK(sessions);
  EXPECT_GE(sessions->back().start, sessions->front().last);
  const auto plot = read_file(store->folder().plot_data());
  ASSERT_OK(plot);
  EXPECT_THAT(*plot, HasSubstr("\n30, "));
  EXPECT_THAT(*plot, HasSubstr("\n40, "));
}

TEST_F(CampaignStoreTest, WhatIsRememberedIsThereLater) {
  const std::vector<Memory> memories = {{"seed:a", "1"}, {"seed:b", "2"}, {"schedule", "x"}};
  ASSERT_OK(create()->remember(memories));
  const auto store = reopen();
  ASSERT_OK(store->remember(std::vector<Memory>{{"seed:b", "3"}}));
  const auto seeds = store->view().memories("seed:");
  ASSERT_OK(seeds);
  ASSERT_EQ(seeds->size(), 2u);
  EXPECT_EQ((*seeds)[0].name, "seed:a");
  EXPECT_EQ((*seeds)[1].content, "3");
}

TEST_F(CampaignStoreTest, ADatabaseOfTheFirstFormatIsReadAndTakenAlong) {
  {
    const auto store = create();
    Ledger ledger;
    ledger.add_run("storm", "z3", Outcome::kSat, 1, 0.5);
    ASSERT_OK(store->flush(ledger.take()));
  }
  {
    auto database = Database::open(path_ / "campaign.db", Database::Access::kWrite);
    ASSERT_OK(database);
    ASSERT_OK(
        (*database)->run_script("DROP TABLE tried; DROP TABLE spent; DROP TABLE memory; DROP "
                                "TABLE outbox; ALTER TABLE sessions DROP COLUMN written; "
                                "PRAGMA user_version = 1;"));
  }
  const auto view = CampaignStore::open_read_only(path_);
  ASSERT_OK(view);
  const auto seen = (*view)->stats();
  ASSERT_OK(seen);
  EXPECT_EQ(seen->total.runs, 1u);
  EXPECT_EQ(seen->last_update, time_);
  const Stats stats = reopen()->stats();
  EXPECT_EQ(stats.total.runs, 1u);
  EXPECT_EQ(stats.spent.at("test").cpu, 0.5);
}

TEST_F(CampaignStoreTest, WhatWasTriedAddsUp) {
  {
    const auto store = create();
    Ledger ledger;
    ledger.add_tried("option", "z3 rewriter.flat", {.count = 1, .new_keys = 2});
    ledger.add_tried("option", "z3 rewriter.flat", {.count = 1, .findings = 1});
    ASSERT_OK(store->flush(ledger.take()));
    ledger.add_tried("option", "z3 rewriter.flat", {.count = 1});
    ledger.add_tried("mode", "plain", {.count = 5});
    ASSERT_OK(store->flush(ledger.take()));
  }
  const Stats stats = reopen()->stats();
  const Tried& flat = stats.tried.at({"option", "z3 rewriter.flat"});
  EXPECT_EQ(flat.count, 3u);
  EXPECT_EQ(flat.new_keys, 2u);
  EXPECT_EQ(flat.findings, 1u);
  EXPECT_THAT(print_stats(stats), HasSubstr("\"plain\": {"));
}

TEST(LedgerTest, NamesOfWhatWasTriedAreBounded) {
  Ledger ledger;
  for (int i = 0; i < 6000; ++i) ledger.add_tried("option", std::to_string(i), {.count = 1});
  const Tallies tallies = ledger.take();
  EXPECT_LE(tallies.tried.size(), 5001u);
  EXPECT_EQ(tallies.tried.at({"option", "others"}).count, 1000u);
}

// It is kept, and no news: neither for the exit code nor for whoever reads the first lines.
TEST_F(CampaignStoreTest, WhatThePolicyDoesNotReportCountsApart) {
  const auto store = create();
  Finding finding = test_finding("one");
  finding.manifest.kind = "refutation-unsound";
  finding.manifest.outside_policy = "it needs 3 options";
  ASSERT_OK(store->add_finding(finding));
  EXPECT_EQ(store->stats().total.bugs, 1u);
  EXPECT_EQ(store->stats().news(), 0u);
  finding = test_finding("two");
  finding.manifest.kind = "invalid-model";
  ASSERT_OK(store->add_finding(finding));
  const auto seen = store->view().stats();
  ASSERT_OK(seen);
  EXPECT_EQ(seen->total.outside_policy_bugs, 1u);
  EXPECT_EQ(seen->news(), 1u);
  const auto bugs = store->view().bugs();
  ASSERT_OK(bugs);
  ASSERT_EQ(bugs->size(), 2u);
  EXPECT_EQ((*bugs)[0].kind, "invalid-model");
}

TEST_F(CampaignStoreTest, TheBucketsOfAWeekAreJoined) {
  const auto store = create();
  const double start = time_;
  uint64_t runs = 0;
  while (time_ < start + 7 * 86400) {
    time_ += 1200;
    for (int i = 0; i < 3; ++i, time_ += 10) {
      Ledger ledger;
      ledger.add_run("storm", "z3", Outcome::kSat, 1, 1);
      ledger.add_test("storm", "seeds", true, true);
      ledger.set_keys("z3", ++runs);
      ASSERT_OK(store->flush(ledger.take()));
    }
  }
  const auto buckets = store->view().runs();
  ASSERT_OK(buckets);
  EXPECT_LT(buckets->size(), 900u);
  uint64_t sum = 0;
  int64_t end = 0;
  for (const RunBucket& bucket : *buckets) {
    sum += bucket.counts.of(Outcome::kSat);
    EXPECT_EQ(bucket.bucket.start % bucket.bucket.width, 0);
    EXPECT_GE(bucket.bucket.start, end);
    end = bucket.bucket.start + bucket.bucket.width;
  }
  EXPECT_EQ(sum, runs);
  EXPECT_EQ(buckets->front().bucket.width, 600);
  EXPECT_EQ(buckets->back().bucket.width, 10);
  EXPECT_EQ(store->view().stats()->total.tests, runs);
  EXPECT_EQ(store->view().keys()->back().known, runs);
}

// One view that looks again and again says what a new one says.
TEST_F(CampaignStoreTest, SumsThatAreKeptAreTheSumsOfAll) {
  const auto store = create();
  const auto kept = CampaignStore::open_read_only(path_);
  ASSERT_OK(kept);
  const auto check = [&](int64_t step) {
    const auto fresh = CampaignStore::open_read_only(path_);
    ASSERT_OK(fresh);
    EXPECT_EQ(print_stats(*(*kept)->stats()), print_stats(*(*fresh)->stats()));
    const auto folders = [](const CampaignView& view) {
      std::string text;
      const auto records = *view.folders();
      for (const FolderRecord& folder : records) {
        text += folder.folder + ' ' + std::to_string(folder.counts.tests) + '\n';
      }
      return text;
    };
    EXPECT_EQ(folders(**kept), folders(**fresh));
    const auto steps = [&](const CampaignView& view) {
      std::string text;
      const StepSums sums = *view.steps(step);
      for (const auto& [key, counts] : sums.tests) {
        text += std::to_string(key.first) + key.second + std::to_string(counts.tests) + '\n';
      }
      for (const auto& [key, counts] : sums.runs) {
        text += std::to_string(key.first) + key.second + std::to_string(counts.runs()) + '\n';
      }
      for (const auto& [key, known] : sums.keys) {
        text += std::to_string(key.first) + key.second + std::to_string(known) + '\n';
      }
      return text;
    };
    EXPECT_EQ(steps(**kept), steps(**fresh));
  };
  uint64_t runs = 0;
  for (int i = 0; i < 400; ++i, time_ += i % 7 == 0 ? 40 : 10) {
    Ledger ledger;
    ledger.add_run(i % 3 == 0 ? "storm" : "opfuzz", i % 2 == 0 ? "z3" : "cvc5", Outcome::kSat, 1,
                   1);
    ledger.add_test("storm", i % 5 == 0 ? "a" : "b", true, true);
    ledger.set_keys("z3", ++runs);
    ASSERT_OK(store->flush(ledger.take()));
    if (i % 20 == 0) check(60);
  }
  // All of it becomes old, and is joined.
  time_ += 3 * 86400;
  ASSERT_OK(store->flush({}));
  check(600);
  EXPECT_EQ((*kept)->stats()->total.runs, runs);
}

TEST_F(CampaignStoreTest, TheSameFindingAgainAndAgainStaysSmall) {
  const auto store = create();
  ASSERT_OK(store->add_finding(test_finding("same")));
  const std::string id = *store->bug_of("same");
  for (int i = 0; i < 1500; ++i) {
    Ledger ledger;
    ledger.add_repeat(id, "storm");
    ledger.add_repeat(id, "storm");
    ASSERT_OK(store->flush(ledger.take()));
  }
  EXPECT_EQ(store->view().bug(id)->count, 3001u);
  EXPECT_EQ(store->stats().total.findings, 3001u);
  EXPECT_EQ(store->view().stats()->total.findings, 3001u);
  EXPECT_EQ(store->view().findings(10000)->size(), 1000u);
}

TEST_F(CampaignStoreTest, AThousandBugsStayQuick) {
  const auto store = create();
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(store->add_finding(test_finding("signature " + std::to_string(i))));
  }
  const std::clock_t filled = std::clock();
  const auto view = CampaignStore::open_read_only(path_);
  ASSERT_OK(view);
  for (int i = 0; i < 20; ++i) {
    const auto bugs = (*view)->bugs();
    ASSERT_OK(bugs);
    ASSERT_EQ(bugs->size(), 1000u);
    ASSERT_OK((*view)->stats());
  }
  const std::clock_t read = std::clock();
  RecordProperty("seconds_to_add", std::to_string(cpu_seconds_between(begin, filled)));
  RecordProperty("seconds_to_read_20_times", std::to_string(cpu_seconds_between(filled, read)));
  EXPECT_LT(cpu_seconds_between(filled, read), 20);
}

TEST_F(CampaignStoreTest, TwoSignaturesWithTheSameDigitsGetDifferentIds) {
  const auto store = create();
  const auto first = store->add_finding(test_finding("one"));
  ASSERT_OK(first);
  // A folder of another bug stands where the second one's would be.
  const auto wanted = store->add_finding(test_finding("two"));
  ASSERT_OK(wanted);
  TestFolder other;
  auto second = CampaignStore::create(other.path() / "c", kSettings);
  ASSERT_OK(second);
  fs::copy(path_ / "bugs" / first->bug, other.path() / "c/bugs" / wanted->bug);
  const auto added = (*second)->add_finding(test_finding("two"));
  ASSERT_OK(added);
  EXPECT_THAT(added->bug, StartsWith(wanted->bug));
  EXPECT_EQ(added->bug.size(), wanted->bug.size() + 4);
}

TEST_F(CampaignStoreTest, AFolderInUseIsRefused) {
  {
    const auto store = create();
    const auto second = CampaignStore::open(path_);
    ASSERT_FALSE(second.has_value());
    EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(getpid())));
    EXPECT_THAT(second.error().message, HasSubstr("is writing to '" + path_.string() + "'"));
  }
  EXPECT_EQ(message_of_open(), "");
}

TEST_F(CampaignStoreTest, CreateRefusesWhatIsThere) {
  create();
  auto again = CampaignStore::create(path_, kSettings);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again.error().message, HasSubstr("is a campaign already; continue it with --resume"));

  fs::create_directories(home_.path() / "full");
  write(home_.path() / "full" / "thesis.tex", "x");
  again = CampaignStore::create(home_.path() / "full", kSettings);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again.error().message, HasSubstr("is not empty (it has 'thesis.tex')"));
  EXPECT_FALSE(fs::exists(home_.path() / "full" / "campaign.lock"));

  again = CampaignStore::create(home_.path() / "full" / "thesis.tex", kSettings);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again.error().message, HasSubstr("is not a folder"));
  again = CampaignStore::create(home_.path() / "full" / "thesis.tex" / "x", kSettings);
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again.error().message, HasSubstr("Not a directory"));
}

TEST_F(CampaignStoreTest, AnUnfinishedCreationIsNoObstacle) {
  create();
  fs::remove(path_ / "campaign.toml");
  EXPECT_THAT(message_of_open(), HasSubstr("has no campaign.toml"));
  EXPECT_NE(create(), nullptr);
  EXPECT_TRUE(fs::exists(path_ / "campaign.toml"));
}

TEST_F(CampaignStoreTest, OpeningWhatIsNoCampaignSaysSo) {
  EXPECT_THAT(message_of_open(), HasSubstr("does not exist"));
  auto view = CampaignStore::open_read_only(path_);
  ASSERT_FALSE(view.has_value());
  EXPECT_THAT(view.error().message, HasSubstr("does not exist"));
  fs::create_directories(path_);
  view = CampaignStore::open_read_only(path_);
  ASSERT_FALSE(view.has_value());
  EXPECT_THAT(view.error().message, HasSubstr("it has no campaign.db"));
}

TEST_F(CampaignStoreTest, WhatWasHalfWrittenIsRemovedAndCompleteFoldersAreTakenUp) {
  std::string kept;
  std::string lost;
  {
    const auto store = create();
    kept = store->add_finding(test_finding("kept"))->bug;
    lost = store->add_finding(test_finding("lost"))->bug;
  }
  fs::create_directories(path_ / "bugs" / ".tmp-z3-crash-12345678");
  write(path_ / "bugs" / ".tmp-z3-crash-12345678" / "original.smt2", "(che");
  write(path_ / ".tmp-stats.json", "{");
  write(path_ / "bugs" / kept / ".tmp-report.md", "#");
  fs::create_directories(path_ / "bugs" / kept / "also");
  write(path_ / "bugs" / kept / "also" / ".tmp-1.smt2", "(");
  write(path_ / "plot_data", "# a\n1, 2\n3, ");
  fs::remove_all(path_ / "bugs" / lost);
  // As if the process had been killed after the folder was renamed and before the row was written.
  Manifest orphan = test_finding("orphan").manifest;
  orphan.id = "z3-crash-abcdef01";
  orphan.time = 1600000000;
  ASSERT_OK(BugFolders(CampaignFolder(path_)).add(orphan, {{"original.smt2", "(check-sat)"}}));

  const auto store = reopen();
  ASSERT_EQ(store->problems().size(), 1u);
  EXPECT_THAT(store->problems()[0], HasSubstr("the folder of the bug " + lost + " is missing"));
  EXPECT_EQ(store->view().events()->size(), 1u);
  EXPECT_EQ(store->bug_of("orphan"), orphan.id);
  EXPECT_EQ(store->view().bug(orphan.id)->first_seen, 1600000000);
  EXPECT_EQ(store->stats().total.bugs, 3u);
  EXPECT_EQ(store->stats().total.findings, 3u);
  EXPECT_FALSE(fs::exists(path_ / "bugs" / ".tmp-z3-crash-12345678"));
  EXPECT_FALSE(fs::exists(path_ / ".tmp-stats.json"));
  EXPECT_FALSE(fs::exists(path_ / "bugs" / kept / ".tmp-report.md"));
  EXPECT_FALSE(fs::exists(path_ / "bugs" / kept / "also" / ".tmp-1.smt2"));
  EXPECT_EQ(*read_file(path_ / "plot_data"), "# a\n1, 2\n");

  // A bug whose folder is gone gets it back with the next finding.
  const auto again = store->add_finding(test_finding("lost"));
  ASSERT_OK(again);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(again->count, 2u);
  EXPECT_TRUE(fs::exists(path_ / "bugs" / lost / "original.smt2"));
}

TEST_F(CampaignStoreTest, BrokenManifestsAreReportedAndLeftAlone) {
  std::string id;
  {
    const auto store = create();
    id = store->add_finding(test_finding("one"))->bug;
  }
  write(path_ / "bugs" / id / "manifest.json", "{\"id\": 3");
  fs::create_directories(path_ / "bugs" / "empty");
  fs::create_directories(path_ / "bugs" / "renamed");
  Manifest other = test_finding("other").manifest;
  other.id = "elsewhere";
  write(path_ / "bugs" / "renamed" / "manifest.json", print_manifest(other));
  fs::create_directories(path_ / "bugs" / "twin");
  other = test_finding("one").manifest;
  other.id = "twin";
  write(path_ / "bugs" / "twin" / "manifest.json", print_manifest(other));
  const auto store = reopen();
  EXPECT_THAT(store->problems(),
              ElementsAre(HasSubstr("No such file"), HasSubstr("is that of another bug, elsewhere"),
                          HasSubstr("has the signature of " + id), HasSubstr("it is not JSON")));
  EXPECT_EQ(store->stats().total.bugs, 1u);
}

TEST_F(CampaignStoreTest, FilesOfABugStayInItsFolder) {
  const auto store = create();
  const std::string id = store->add_finding(test_finding("one"))->bug;
  for (const char* name : {"../x", "/etc/passwd", ".hidden", "a/../b", "a/b/c", "", "a/", "a b"}) {
    Finding other = test_finding("other");
    other.files.push_back({name, "x"});
    EXPECT_FALSE(store->add_finding(other).has_value()) << name;
    EXPECT_FALSE(store->view().read_bug_file(id, name).has_value()) << name;
  }
  EXPECT_FALSE(store->view().manifest("..").has_value());
  EXPECT_EQ(store->stats().total.bugs, 1u);
}

TEST_F(CampaignStoreTest, OddBytesInAFindingDoNoHarm) {
  std::string id;
  {
    const auto store = create();
    Finding finding = test_finding("assertion \xff\xfe <script> \x01 'x'; DROP TABLE bugs", "../..",
                                   "/opt/My Solver/bin");
    finding.manifest.options = {"--a=\"b\"", "\xc3"};
    const auto added = store->add_finding(finding);
    ASSERT_OK(added);
    id = added->bug;
    EXPECT_THAT(id, StartsWith("opt-my-solver-bin-x-"));
    EXPECT_FALSE(store->add_finding(finding)->is_new);
  }
  const auto store = reopen();
  EXPECT_TRUE(store->problems().empty());
  EXPECT_EQ(store->view().bug(id)->count, 2u);
}

TEST_F(CampaignStoreTest, PrefixesOfIdsSuffice) {
  const auto store = create();
  const std::string first = store->add_finding(test_finding("one"))->bug;
  const std::string second = store->add_finding(test_finding("two"))->bug;
  EXPECT_EQ(store->view().bug(first.substr(0, 13))->id, first);
  EXPECT_EQ(store->view().bug(second)->id, second);
  EXPECT_THAT(store->view().bug("z3").error().message, HasSubstr("may be any of"));
  EXPECT_THAT(store->view().bug("cvc5").error().message, HasSubstr("there is no bug 'cvc5'"));
  EXPECT_FALSE(store->view().bug("").has_value());
  EXPECT_FALSE(store->view().bug("%").has_value());
}

TEST_F(CampaignStoreTest, AFolderThatIsGoneIsSaid) {
  const auto store = create();
  fs::remove_all(path_);
  fs::create_directories(path_ / "bugs");
  const auto flushed = store->flush({});
  ASSERT_FALSE(flushed.has_value());
  EXPECT_THAT(flushed.error().message, HasSubstr("campaign.db"));
}

TEST_F(CampaignStoreTest, AnUnwritableCountWaitsForTheNextFlush) {
  const auto store = create();
  Ledger ledger;
  ledger.add_run("storm", "z3", Outcome::kSat, 1, 1);
  {
    // Another connection that writes stands in the way.
    auto other = Database::open(path_ / "campaign.db", Database::Access::kWrite);
    ASSERT_OK(other);
    ASSERT_OK((*other)->run_script("DROP TABLE skips; BEGIN IMMEDIATE"));
    ledger.add_skip("storm", "", "x");
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      EXPECT_TRUE((*other)->run_script("COMMIT").has_value());
    });
    const auto failed = store->flush(ledger.take());
    later.join();
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(store->view().runs()->size(), 0u);
    EXPECT_EQ(store->stats().total.runs, 1u);
    ASSERT_OK(
        (*other)->run_script("CREATE TABLE skips(engine TEXT, reason TEXT, count INTEGER, PRIMARY "
                             "KEY(engine, reason))"));
  }
  ASSERT_OK(store->flush({}));
  EXPECT_EQ(store->view().stats()->total.runs, 1u);
}

TEST_F(CampaignStoreTest, ViewersReadWhileTheCampaignWrites) {
  const auto store = create();
  ASSERT_OK(store->flush({}));
  std::atomic<bool> done = false;
  std::atomic<int> reads = 0;
  std::thread reader([&] {
    uint64_t before = 0;
    // Once at least, however late this thread begins.
    do {
      const auto view = CampaignStore::open_read_only(path_);
      ASSERT_OK(view);
      for (int i = 0; i < 5; ++i) {
        const auto bugs = (*view)->bugs();
        ASSERT_OK(bugs);
        EXPECT_GE(bugs->size(), before);
        before = bugs->size();
        for (const BugRecord& bug : *bugs) ASSERT_OK((*view)->manifest(bug.id));
        ++reads;
      }
    } while (!done);
  });
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(store->add_finding(test_finding(std::to_string(i))));
    ASSERT_OK(store->flush({}));
    ASSERT_OK(store->write_status());
  }
  done = true;
  reader.join();
  EXPECT_GT(reads, 0);
}

TEST_F(CampaignStoreTest, WorkersStoreAtTheSameTime) {
  const auto store = create();
  std::vector<std::thread> workers;
  std::vector<Ledger> ledgers(4);
  for (size_t w = 0; w < ledgers.size(); ++w) {
    workers.emplace_back([&, w] {
      for (int i = 0; i < 25; ++i) {
        ledgers[w].add_run("storm", "z3", Outcome::kSat, 0.1, 0.1);
        EXPECT_TRUE(store->add_finding(test_finding(std::to_string(i))).has_value());
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    for (Ledger& ledger : ledgers) ASSERT_OK(store->flush(ledger.take()));
  }
  for (std::thread& worker : workers) worker.join();
  for (Ledger& ledger : ledgers) ASSERT_OK(store->flush(ledger.take()));
  EXPECT_EQ(store->stats().total.bugs, 25u);
  EXPECT_EQ(store->stats().total.findings, 100u);
  EXPECT_EQ(store->view().stats()->total.runs, 100u);
}

TEST_F(CampaignStoreTest, TheStatusFilesAreInTheirDocumentedForm) {
  const auto store = create();
  ASSERT_OK(store->add_finding(test_finding("one")));
  Ledger ledger;
  for (int i = 0; i < 20; ++i) ledger.add_run("storm", "z3", Outcome::kUnsat, 0.5, 0.5);
  ledger.add_test("storm", "seeds", true, true);
  time_ += 10;
  ASSERT_OK(store->flush(ledger.take()));
  ASSERT_OK(store->write_status({.corpus = 30, .current = 3, .timeout_ms = 2000}));
  time_ += 2;
  ASSERT_OK(store->write_status());
  time_ += 10;
  ASSERT_OK(store->write_status());

  const auto stats = nlohmann::json::parse(*read_file(path_ / "stats.json"));
  EXPECT_EQ(stats["tests"], 1);
  EXPECT_EQ(stats["runs"], 20);
  EXPECT_EQ(stats["bugs"], 1);
  EXPECT_EQ(stats["seconds"], 22);
  EXPECT_EQ(stats["cpu_seconds_solvers"], 10);
  EXPECT_EQ(stats["engines"]["storm"]["decided"], 1);
  EXPECT_EQ(stats["engines"]["typefuzz"]["bugs"], 1);
  EXPECT_EQ(stats["solvers"]["z3"]["unsat"], 20);
  const std::string plot = *read_file(path_ / "plot_data");
  EXPECT_THAT(plot, StartsWith("# relative_time, cycles_done, cur_item, corpus_count, "));
  EXPECT_THAT(plot, HasSubstr("\n10, 0, 3, 30, 0, 0, 0.00%, 1, 0, 1, 2.00, 20, 0\n22, "));
  EXPECT_EQ(std::count(plot.begin(), plot.end(), '\n'), 3);
  EXPECT_THAT(*read_file(path_ / "fuzzer_stats"), HasSubstr("execs_done        : 20\n"));
}

TEST_F(CampaignStoreTest, EveryStatisticIsDocumented) {
  const auto store = create();
  ASSERT_OK(store->add_finding(test_finding("one")));
  ASSERT_OK(store->write_status());
  const auto docs = read_file(ELENCHUS_SOURCE_DIR "/docs/formats.md");
  ASSERT_OK(docs);
  const auto check = [&docs](const fs::path& path) {
    const auto text = read_file(path);
    ASSERT_OK(text);
    const auto object = nlohmann::json::parse(*text);
    for (const auto& [name, value] : object.items()) {
      EXPECT_THAT(*docs, HasSubstr("`" + name + "`")) << path;
    }
  };
  check(path_ / "stats.json");
  check(path_ / "bugs" / *store->bug_of("one") / "manifest.json");
}

}  // namespace
}  // namespace elenchus::store
