// A map shared with a real process that counts as an instrumented program does.
#include "coverage/afl_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "proc/process.h"

namespace elenchus::coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kTarget =
    std::string(ELENCHUS_SOURCE_DIR) + "/tests/fake_solvers/instrumented.py";

// Runs the target on some lines.
void run(const AflMap& map, const std::string& lines) {
  auto process =
      proc::Process::start({.command = {kTarget}, .environment = map.environment(), .file = {}});
  ASSERT_TRUE(process.has_value());
  process->send(lines);
  process->close_input();
  process->wait({.line = {}, .deadline = proc::Clock::now() + std::chrono::seconds(30)});
  EXPECT_EQ(process->kill().code, 0) << process->err();
}

uint64_t key(uint64_t edge, uint64_t hits) { return (edge << 3) | hits; }

TEST(AflMap, KnowsInstrumentedPrograms) {
  EXPECT_EQ(afl_map_size(kTarget), 4096U);
  EXPECT_FALSE(afl_map_size("/bin/true").has_value());
  EXPECT_FALSE(afl_map_size("/no/such/program").has_value());
}

TEST(AflMap, SeesWhatARunTouched) {
  auto map = AflMap::make(4096);
  ASSERT_TRUE(map.has_value());
  run(*map, "(assert true)\n(check-sat)\n");
  EXPECT_THAT(map->new_keys(), ElementsAre(key(1, 0), key(2, 1), key(113, 0)));
  EXPECT_EQ(edge_of(key(113, 0)), 113U);
  EXPECT_THAT(map->edges(), ElementsAre(1U, 2U, 113U));
  // The same again is nothing new; more lines are another class of edge 2.
  map->clear();
  run(*map, "(assert true)\n(check-sat)\n");
  EXPECT_THAT(map->new_keys(), IsEmpty());
  EXPECT_THAT(map->keys(), ElementsAre(key(1, 0), key(2, 1), key(113, 0)));
  map->clear();
  run(*map, "(check-sat)\n(check-sat)\n(check-sat)\n(check-sat)\n(check-sat)\n");
  EXPECT_THAT(map->new_keys(), ElementsAre(key(2, 3)));
}

TEST(AflMap, CountsFromZeroAfterClear) {
  auto map = AflMap::make(4096);
  ASSERT_TRUE(map.has_value());
  run(*map, "(check-sat)\n");
  map->clear();
  EXPECT_THAT(map->new_keys(), IsEmpty());
  EXPECT_THAT(map->edges(), IsEmpty());
}

TEST(AflMap, RefusesSizesOutOfRange) {
  EXPECT_FALSE(AflMap::make(0).has_value());
  EXPECT_FALSE(AflMap::make(size_t{1} << 40).has_value());
}

TEST(AflMap, MovesWithItsMemory) {
  auto made = AflMap::make(64);
  ASSERT_TRUE(made.has_value());
  AflMap map = std::move(*made);
  map.clear();
  EXPECT_EQ(map.size(), 64U);
  map = AflMap::make(128).value();
  EXPECT_EQ(map.size(), 128U);
  EXPECT_THAT(map.new_keys(), IsEmpty());
}

}  // namespace
}  // namespace elenchus::coverage
