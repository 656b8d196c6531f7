#include "lab/turnstile.h"

#include <algorithm>
#include <chrono>

#include "base/clock.h"

namespace elenchus::lab {
namespace {

// Of one job: enough for a few runs in a row, and little beside a campaign.
constexpr double kSavedSeconds = 2;
// A wait is cut into pieces, as shares can change.
constexpr double kLongestWait = 0.5;

}  // namespace

TimeShare::TimeShare(uint32_t jobs, double share, double now)
    : rate_(share * jobs), most_(kSavedSeconds * jobs), credit_(most_), last_(now) {}

void TimeShare::save_up(double now) {
  credit_ = std::min(most_, credit_ + rate_ * std::max(0.0, now - last_));
  last_ = now;
}

bool TimeShare::is_due(double now) {
  save_up(now);
  return credit_ > 0;
}

double TimeShare::seconds_until_due(double now) {
  save_up(now);
  if (credit_ > 0) return 0;
  return rate_ > 0 ? std::min(kLongestWait, -credit_ / rate_) : kLongestWait;
}

Turnstile::Turnstile(uint32_t jobs, double share)
    : free_(std::max(jobs, 1U)), share_(std::max(jobs, 1U), share, base::seconds_now()) {}

bool Turnstile::may_enter(Purpose purpose, double now) {
  if (free_ == 0) return false;
  if (!is_testing_) return true;
  if (purpose == Purpose::kProsecution) return share_.is_due(now);
  return prosecutors_waiting_ == 0 || !share_.is_due(now);
}

void Turnstile::enter(Purpose purpose) {
  std::unique_lock lock(mutex_);
  const bool is_prosecutor = purpose == Purpose::kProsecution;
  prosecutors_waiting_ += is_prosecutor ? 1 : 0;
  for (double now = base::seconds_now(); !may_enter(purpose, now); now = base::seconds_now()) {
    const bool waits_for_share = is_prosecutor && free_ > 0;
    const double seconds =
        waits_for_share ? std::max(0.001, share_.seconds_until_due(now)) : kLongestWait;
    changed_.wait_for(lock, std::chrono::duration<double>(seconds));
  }
  prosecutors_waiting_ -= is_prosecutor ? 1 : 0;
  --free_;
}

void Turnstile::leave(Purpose purpose, double seconds) {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
    if (purpose == Purpose::kProsecution && is_testing_) share_.spend(seconds);
  }
  changed_.notify_all();
}

void Turnstile::end_testing() {
  {
    const std::lock_guard lock(mutex_);
    is_testing_ = false;
  }
  changed_.notify_all();
}

Turn::Turn(Turnstile* turnstile, Purpose purpose) : turnstile_(turnstile), purpose_(purpose) {
  if (turnstile_ != nullptr) turnstile_->enter(purpose_);
  start_ = std::chrono::steady_clock::now();
}

Turn::~Turn() {
  if (turnstile_ == nullptr) return;
  turnstile_->leave(purpose_, base::seconds_since(start_));
}

}  // namespace elenchus::lab
