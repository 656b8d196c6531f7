#include "lab/turnstile.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace elenchus::lab {
namespace {

// Takes a turn of prosecution whenever one is due, in steps of ten milliseconds.
double prosecuted_within(TimeShare& share, double from, double to) {
  constexpr double kStep = 0.01;
  double spent = 0;
  for (double now = from; now < to; now += kStep) {
    if (!share.is_due(now)) continue;
    share.spend(kStep);
    spent += kStep;
  }
  return spent;
}

TEST(TimeShareTest, ProsecutionGetsItsShareInTheLongRun) {
  TimeShare share(1, 0.25, 0);
  EXPECT_NEAR(prosecuted_within(share, 0, 1000), 250, 5);
}

TEST(TimeShareTest, AQuietHourDoesNotBuyAnHourOfProsecution) {
  TimeShare share(1, 0.25, 0);
  EXPECT_TRUE(share.is_due(3600));
  EXPECT_LT(prosecuted_within(share, 3600, 3610), 6);
}

TEST(TimeShareTest, AShareOfNothingIsNeverDueOnceItIsSpent) {
  TimeShare share(2, 0, 0);
  prosecuted_within(share, 0, 100);
  EXPECT_FALSE(share.is_due(10'000));
  EXPECT_GT(share.seconds_until_due(10'000), 0);
}

TEST(TimeShareTest, AClockThatIsSetBackCostsNothing) {
  TimeShare share(1, 0.25, 100);
  share.spend(10);
  EXPECT_FALSE(share.is_due(50));
  EXPECT_FALSE(share.is_due(51));
}

TEST(TurnstileTest, NoMoreThanTheJobsRunAtTheSameTime) {
  Turnstile turnstile(2, 0.5);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  const auto work = [&](Purpose purpose) {
    for (int i = 0; i < 50; ++i) {
      const Turn turn(&turnstile, purpose);
      const int now = ++inside;
      int before = most;
      while (now > before && !most.compare_exchange_weak(before, now)) {
      }
      std::this_thread::yield();
      --inside;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, Purpose::kTesting);
  for (int i = 0; i < 2; ++i) threads.emplace_back(work, Purpose::kProsecution);
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 2);
  EXPECT_EQ(inside, 0);
}

TEST(TurnstileTest, ProsecutionGoesOnWhenTestingIsOver) {
  Turnstile turnstile(1, 0);
  turnstile.enter(Purpose::kProsecution);
  turnstile.leave(Purpose::kProsecution, 1000);  // more than its share for ever
  std::atomic<bool> entered = false;
  std::thread prosecutor([&] {
    const Turn turn(&turnstile, Purpose::kProsecution);
    entered = true;
  });
  { const Turn turn(&turnstile, Purpose::kTesting); }
  EXPECT_FALSE(entered);
  turnstile.end_testing();
  prosecutor.join();
  EXPECT_TRUE(entered);
}

}  // namespace
}  // namespace elenchus::lab
