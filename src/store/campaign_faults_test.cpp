// What a campaign's folder must survive: kill -9 at any moment, a full disk, a folder that cannot
// be written, damaged files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "base/rng.h"
#include "store/campaign_store.h"
#include "store/database.h"
#include "store/files.h"
#include "store/test_campaign.h"

namespace elenchus::store {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* kSettings = "rng = 7\n";

void say(int pipe, const std::string& line) {
  // One write of a short line is never cut.
  if (write(pipe, line.data(), line.size()) < 0) _exit(1);
}

// What the child does until it is killed: every finding that is counted is reported.
[[noreturn]] void keep_storing(const fs::path& path, int round, int pipe) {
  auto store = CampaignStore::open(path);
  if (!store) {
    say(pipe, "error " + store.error().message + "\n");
    _exit(1);
  }
  if (!(*store)->problems().empty()) say(pipe, "error " + (*store)->problems()[0] + "\n");
  for (int i = 0;; ++i) {
    const std::string name = std::to_string(round) + "." + std::to_string(i);
    const auto added = (*store)->add_finding(test_finding("bug " + name));
    say(pipe, added ? "bug " + added->bug + "\n" : "error " + added.error().message + "\n");
    const auto again = (*store)->add_finding(test_finding("known"));
    say(pipe, again ? "known\n" : "error " + again.error().message + "\n");
    Ledger ledger;
    ledger.add_run("storm", "z3", Outcome::kSat, 1, 1);
    say(pipe, (*store)->flush(ledger.take()) ? "run\n" : "error flush\n");
    if (!(*store)->write_status()) say(pipe, "error status\n");
  }
}

struct Heard {
  std::set<std::string> bugs;
  uint64_t known = 0;
  uint64_t runs = 0;
};

// Starts a child, kills it some time after its first word, and takes down what it said.
void kill_once(const fs::path& path, int round, base::Rng& rng, Heard& heard) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(ends[0]);
    keep_storing(path, round, ends[1]);
  }
  close(ends[1]);
  // Some are killed while they start, the others when they are at work, however slow the machine
  // is.
  const bool is_early = round % 3 == 0;
  struct pollfd first_word {
    ends[0], POLLIN, 0
  };
  if (!is_early) {
    ASSERT_EQ(poll(&first_word, 1, 300'000), 1);
  }
  usleep(static_cast<useconds_t>(rng.below(is_early ? 20'000 : 100'000)));
  ASSERT_EQ(kill(child, SIGKILL), 0);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << text;
  std::istringstream lines(text);
  for (std::string word; lines >> word;) {
    ASSERT_NE(word, "error") << text;
    if (word == "bug") {
      lines >> word;
      heard.bugs.insert(word);
    } else {
      ++(word == "known" ? heard.known : heard.runs);
    }
  }
}

void check_is_sound(const fs::path& path) {
  auto database = Database::open(path / "campaign.db", Database::Access::kRead);
  ASSERT_OK(database);
  std::string verdict;
  ASSERT_OK((*database)->query("PRAGMA integrity_check",
                               [&](const Statement& row) { verdict += row.text(0); }));
  EXPECT_EQ(verdict, "ok");
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".tmp-")) << entry.path();
  }
}

void survive_kills(const fs::path& path) {
  ASSERT_OK(CampaignStore::create(path, kSettings));
  Heard heard;
  base::Rng rng(20);
  for (int round = 0; round < 20; ++round) {
    kill_once(path, round, rng, heard);
    if (::testing::Test::HasFatalFailure()) return;
  }
  const auto store = CampaignStore::open(path);
  ASSERT_OK(store);
  EXPECT_TRUE((*store)->problems().empty());
  check_is_sound(path);
  const auto bugs = (*store)->view().bugs();
  ASSERT_OK(bugs);
  std::set<std::string> stored;
  uint64_t known = 0;
  for (const BugRecord& bug : *bugs) {
    stored.insert(bug.id);
    const Finding made = test_finding(bug.signature);
    for (const BugFile& file : made.files) {
      EXPECT_EQ(*(*store)->view().read_bug_file(bug.id, file.name), file.content);
    }
    ASSERT_OK((*store)->view().manifest(bug.id));
    if (bug.signature == "known") known = bug.count;
  }
  EXPECT_GT(heard.bugs.size(), 0u);
  EXPECT_TRUE(std::includes(stored.begin(), stored.end(), heard.bugs.begin(), heard.bugs.end()));
  // In each round at most one finding was in flight.
  EXPECT_GE(known, heard.known);
  EXPECT_LE(known, heard.known + 20);
  EXPECT_LE(stored.size(), heard.bugs.size() + 1 + 20);
  EXPECT_GE((*store)->stats().total.runs, heard.runs);
  EXPECT_LE((*store)->stats().total.runs, heard.runs + 20);
}

TEST(CampaignFaultsTest, TwentyKillsLoseNothingThatWasCounted) {
  const TestFolder home;
  survive_kills(home.path() / "campaign");
}

TEST(CampaignFaultsTest, TwentyKillsOnADiskLoseNothingThatWasCounted) {
  const TestFolder home(TestFolder::Where::kDisk);
  survive_kills(home.path() / "campaign");
}

// A small file system in memory, which only this process sees.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& place) : place_(place) {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=1m") != 0) {
      why_not_ = std::strerror(errno);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (why_not_.empty()) umount2(place_.c_str(), MNT_DETACH);
  }

  const std::string& why_not() const { return why_not_; }

  bool make_read_only(bool read_only) const {
    const unsigned long flags = MS_REMOUNT | (read_only ? MS_RDONLY : 0);
    return mount("tmpfs", place_.c_str(), "tmpfs", flags, "size=1m") == 0;
  }

 private:
  fs::path place_;
  std::string why_not_;
};

#define MOUNT_OR_SKIP(disk)                                                      \
  if (!(disk).why_not().empty()) {                                               \
    GTEST_SKIP() << "skipped: cannot mount a file system: " << (disk).why_not(); \
  }

// Fills what is left of the disk.
void fill(const fs::path& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string block(512, 'x');
  while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
}

TEST(CampaignFaultsTest, AFullDiskIsSaidAndNothingHalfWrittenIsCounted) {
  const TestFolder home;
  const SmallDisk disk(home.path());
  MOUNT_OR_SKIP(disk);
  const fs::path path = home.path() / "campaign";
  auto store = CampaignStore::create(path, kSettings);
  ASSERT_OK(store);
  ASSERT_OK((*store)->add_finding(test_finding("first")));
  ASSERT_OK((*store)->write_status());
  const std::string status = *read_file(path / "stats.json");
  fill(home.path() / "ballast");

  const auto failed = (*store)->add_finding(test_finding("second"));
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().kind, base::ErrorKind::kLimit);
  EXPECT_THAT(failed.error().message,
              AllOf(HasSubstr("'" + path.string() + "/bugs/"), HasSubstr("No space left")));
  EXPECT_EQ((*store)->bug_of("second"), std::nullopt);
  EXPECT_EQ((*store)->stats().total.bugs, 1u);
  const auto not_written = (*store)->write_status();
  ASSERT_FALSE(not_written.has_value());
  EXPECT_THAT(not_written.error().message, HasSubstr("stats.json': No space left"));
  EXPECT_EQ(*read_file(path / "stats.json"), status);
  // The log has some room of its own; in the end it is full, too.
  std::string message;
  uint64_t runs = 0;
  for (int i = 0; i < 10000 && message.empty(); ++i, ++runs) {
    Ledger ledger;
    ledger.add_run("storm", "solver " + std::to_string(i), Outcome::kSat, 1, 1);
    const auto flushed = (*store)->flush(ledger.take());
    if (!flushed) message = flushed.error().message;
  }
  EXPECT_THAT(message, AllOf(HasSubstr("campaign.db'"), HasSubstr("make room")));
  EXPECT_EQ((*store)->stats().total.runs, runs);

  // With room again, everything goes on, and what waited is written.
  fs::remove(home.path() / "ballast");
  ASSERT_OK((*store)->add_finding(test_finding("second")));
  ASSERT_OK((*store)->flush({}));
  ASSERT_OK((*store)->write_status());
  EXPECT_EQ((*store)->view().stats()->total.runs, runs);
  store = base::Error{};
  store = CampaignStore::open(path);
  ASSERT_OK(store);
  EXPECT_TRUE((*store)->problems().empty());
  EXPECT_EQ((*store)->stats().total.bugs, 2u);
  EXPECT_EQ((*store)->stats().total.runs, runs);
  check_is_sound(path);
}

TEST(CampaignFaultsTest, AtNoFreeSpaceWhateverABugIsWholeOrNotThere) {
  const TestFolder home;
  const SmallDisk disk(home.path());
  MOUNT_OR_SKIP(disk);
  for (uintmax_t room = 0; room <= 200'000; room += 20'000) {
    const fs::path path = home.path() / "campaign";
    fs::remove_all(path);
    auto store = CampaignStore::create(path, kSettings);
    ASSERT_OK(store);
    fill(home.path() / "ballast");
    fs::resize_file(home.path() / "ballast", fs::file_size(home.path() / "ballast") - room);
    Finding finding = test_finding("big");
    finding.files.push_back({"more.smt2", std::string(30'000, ';')});
    finding.files.push_back({"most.smt2", std::string(50'000, ';')});
    const bool counted = (*store)->add_finding(finding).has_value();
    EXPECT_EQ((*store)->bug_of("big").has_value(), counted);
    EXPECT_EQ((*store)->view().bugs()->size(), counted ? 1u : 0u);
    fs::remove(home.path() / "ballast");
    const auto again = (*store)->add_finding(finding);
    ASSERT_OK(again);
    EXPECT_EQ(again->is_new, !counted);
    for (const BugFile& file : finding.files) {
      EXPECT_EQ(*(*store)->view().read_bug_file(again->bug, file.name), file.content);
    }
    check_is_sound(path);
  }
}

TEST(CampaignFaultsTest, AFolderThatCannotBeCreatedOnAFullDiskIsSaid) {
  const TestFolder home;
  const SmallDisk disk(home.path());
  MOUNT_OR_SKIP(disk);
  fill(home.path() / "ballast");
  const auto store = CampaignStore::create(home.path() / "campaign", kSettings);
  ASSERT_FALSE(store.has_value());
  EXPECT_THAT(store.error().message, AnyOf(HasSubstr("No space left"), HasSubstr("full")));
  fs::remove(home.path() / "ballast");
  EXPECT_OK(CampaignStore::create(home.path() / "campaign", kSettings));
}

TEST(CampaignFaultsTest, AReadOnlyFolderIsSaidAndCanBeViewed) {
  const TestFolder home;
  const SmallDisk disk(home.path());
  MOUNT_OR_SKIP(disk);
  const fs::path path = home.path() / "campaign";
  auto store = CampaignStore::create(path, kSettings);
  ASSERT_OK(store);
  ASSERT_OK((*store)->add_finding(test_finding("first")));
  store = base::Error{};
  ASSERT_TRUE(disk.make_read_only(true)) << std::strerror(errno);

  store = CampaignStore::open(path);
  ASSERT_FALSE(store.has_value());
  EXPECT_THAT(store.error().message, HasSubstr("campaign.lock': Read-only file system"));
  store = CampaignStore::create(home.path() / "other", kSettings);
  ASSERT_FALSE(store.has_value());
  EXPECT_THAT(store.error().message, HasSubstr("other': Read-only file system"));
  {
    const auto view = CampaignStore::open_read_only(path);
    ASSERT_OK(view);
    EXPECT_EQ((*view)->bugs()->size(), 1u);
  }
  ASSERT_TRUE(disk.make_read_only(false));

  // The same after a campaign that was killed, whose log still holds what it wrote last.
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto killed = CampaignStore::open(path);
    _exit(killed && (*killed)->add_finding(test_finding("second")) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(fs::exists(path / "campaign.db-wal"));
  ASSERT_TRUE(disk.make_read_only(true)) << std::strerror(errno);
  {
    const auto view = CampaignStore::open_read_only(path);
    ASSERT_OK(view);
    EXPECT_EQ((*view)->bugs()->size(), 2u);
  }
  ASSERT_TRUE(disk.make_read_only(false));
  EXPECT_OK(CampaignStore::open(path));
}

TEST(CampaignFaultsTest, AFileThatMayNotGrowIsSaid) {
  const TestFolder home;
  auto store = CampaignStore::create(home.path() / "campaign", kSettings);
  ASSERT_OK(store);
  Finding finding = test_finding("big");
  finding.files.push_back({"big.smt2", std::string(1 << 20, ';')});
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 1 << 19, before.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto failed = (*store)->add_finding(finding);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().message, HasSubstr("big.smt2': File too large"));
  EXPECT_EQ((*store)->view().bugs()->size(), 0u);
  EXPECT_OK((*store)->add_finding(finding));
}

class DamagedDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = CampaignStore::create(path_, kSettings);
    ASSERT_OK(store);
    for (int i = 0; i < 60; ++i) {
      ASSERT_OK((*store)->add_finding(test_finding("bug " + std::to_string(i))));
    }
  }
  void expect_refusal(const std::string& words) const {
    const auto store = CampaignStore::open(path_);
    ASSERT_FALSE(store.has_value());
    EXPECT_THAT(store.error().message, HasSubstr(words));
  }

  TestFolder home_;
  fs::path path_ = home_.path() / "campaign";
  fs::path database_ = path_ / "campaign.db";
};

TEST_F(DamagedDatabaseTest, TruncatedIsSaidAndTheBugsCanBeTakenUp) {
  fs::resize_file(database_, fs::file_size(database_) / 2);
  expect_refusal("damaged");
  // A viewer may see part of it, or say why not.
  const auto view = CampaignStore::open_read_only(path_);
  if (view) {
    const auto bugs = (*view)->bugs();
    EXPECT_TRUE(bugs.has_value() || bugs.error().message.find("campaign.db") != std::string::npos);
  }
  fs::rename(database_, home_.path() / "broken.db");
  const auto store = CampaignStore::open(path_);
  ASSERT_OK(store);
  EXPECT_EQ((*store)->stats().total.bugs, 60u);
  EXPECT_TRUE((*store)->problems().empty());
}

TEST_F(DamagedDatabaseTest, GarbageIsSaid) {
  std::ofstream(database_) << std::string(5000, '?');
  expect_refusal("damaged");
  const auto view = CampaignStore::open_read_only(path_);
  ASSERT_FALSE(view.has_value());
  EXPECT_THAT(view.error().message, HasSubstr("damaged"));
}

TEST_F(DamagedDatabaseTest, ANewerFormatIsSaid) {
  {
    auto database = Database::open(database_, Database::Access::kWrite);
    ASSERT_OK(database);
    ASSERT_OK((*database)->run_script("PRAGMA user_version = 99"));
  }
  expect_refusal("written by a newer Elenchus (its format is 99");
  const auto view = CampaignStore::open_read_only(path_);
  ASSERT_FALSE(view.has_value());
  EXPECT_THAT(view.error().message, HasSubstr("newer Elenchus"));
}

TEST_F(DamagedDatabaseTest, AnotherProgramsDatabaseIsSaid) {
  {
    auto database = Database::open(database_, Database::Access::kWrite);
    ASSERT_OK(database);
    ASSERT_OK((*database)->run_script("PRAGMA application_id = 5"));
  }
  expect_refusal("not of an Elenchus campaign");
}

}  // namespace
}  // namespace elenchus::store
