// The thread that talks to the server: when, what it does where it cannot, and what others in this
// process are told at once. What passes in a round is in exchange_rounds.cpp.

#include "campaign/exchange.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/hash.h"
#include "share/schema.h"

namespace elenchus::campaign {
namespace {

using base::SteadyClock;

constexpr auto kNap = std::chrono::milliseconds(50);
// Between attempts to reach a server: seconds, and the part of a lease.
constexpr double kLongestPause = 60;
constexpr double kPauseOfLease = 1.0 / 6;
// How long to try to say goodbye to a server that was reached before, and how often.
constexpr auto kFarewell = std::chrono::seconds(4);
constexpr auto kBetweenFarewells = std::chrono::seconds(1);
// A server that refuses does so at once.
constexpr auto kHangs = std::chrono::seconds(2);

}  // namespace

Exchange::Exchange(Shared& shared, Plan plan)
    : shared_(shared), plan_(std::move(plan)), jitter_(base::hash_bytes(plan_.introduction.uid)) {}

Exchange::~Exchange() { stop(); }

base::Result<void> Exchange::begin() { return talk(); }

void Exchange::start() {
  thread_ = std::thread([this] { run(); });
}

// Failures come seldom one at a time: each makes the next attempt later, but not so late that the
// leases end. Nodes that lost a server at one moment must not all come back at another.
double Exchange::pause_after(uint32_t failures, bool is_testing) {
  const double usual = is_testing ? plan_.pace.every : std::min(plan_.pace.every, 1.0);
  if (failures == 0) return usual;
  const double longest = std::max(usual, std::min(kLongestPause, plan_.pace.lease * kPauseOfLease));
  return std::min(longest, usual * std::exp2(std::min(failures, 10U))) * (0.5 + jitter_.unit() / 2);
}

void Exchange::run() {
  SteadyClock::time_point last = SteadyClock::now();
  uint32_t failures = is_alone() ? 1 : 0;
  bool was_testing = true;
  double pause = pause_after(failures, was_testing);
  while (!stop_) {
    std::this_thread::sleep_for(kNap);
    const bool is_testing = shared_.is_testing();
    const bool has_just_ended = std::exchange(was_testing, is_testing) && !is_testing;
    if (!has_just_ended && base::seconds_between(last, SteadyClock::now()) < pause) continue;
    failures = talk() ? 0 : failures + 1;
    pause = pause_after(failures, is_testing);
    last = SteadyClock::now();
  }
}

void Exchange::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

// A server that is away for a moment is worth some tries, as long as there is time. One that hung
// when it was tried last is worth none where somebody waits for the end.
void Exchange::finish() {
  if (is_alone() && has_hung_ && shared_.control->stop) return;
  const auto until = heard_at_ ? SteadyClock::now() + kFarewell : SteadyClock::time_point();
  while (true) {
    auto left = talk();
    if (left) left = member_->leave();
    if (left) return;
    tell_state(fmt::format("goes on alone: {}", left.error().message), true);
    if (SteadyClock::now() >= until || shared_.is_overdue()) return;
    std::this_thread::sleep_for(kBetweenFarewells);
  }
}

void Exchange::tell_state(std::string state, bool is_alone) {
  bool is_news = false;
  {
    const std::lock_guard lock(mutex_);
    is_news = state != state_;
    state_ = state;
    is_alone_ = is_alone;
    if (is_alone) has_no_more_ = false;
    if (!is_alone) heard_at_ = SteadyClock::now();
  }
  // A disk that is full says so elsewhere.
  const auto severity = is_alone ? store::Severity::kWarning : store::Severity::kNote;
  if (is_news) (void)shared_.store->add_event(severity, "share", state);
}

std::string Exchange::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool Exchange::is_alone() const {
  const std::lock_guard lock(mutex_);
  return is_alone_;
}

base::Result<void> Exchange::talk() {
  const auto asked = SteadyClock::now();
  auto done = connection_ == nullptr ? connect() : base::Result<void>();
  const auto began = SteadyClock::now();
  if (done) done = exchange();
  has_hung_ = !done && SteadyClock::now() - asked > kHangs;
  if (done) {
    exchanging_ += base::seconds_between(began, SteadyClock::now());
    tell_state(fmt::format("node {} of {} at {}", member_->name(), plan_.introduction.campaign,
                           plan_.address.shown()),
               false);
    return done;
  }
  member_.reset();
  connection_.reset();
  tell_state(fmt::format("goes on alone: {}", done.error().message), true);
  return done;
}

// Another database may be behind the same name by now; then nothing is taken for known. Leases may
// have ended meanwhile, and the answer to a claim may have been lost.
base::Result<void> Exchange::connect() {
  ELENCHUS_ASSIGN_OR_RETURN(auto connection, share::Connection::open(plan_.address));
  if (auto fits = share::check_schema(*connection); !fits) return fits;
  ELENCHUS_ASSIGN_OR_RETURN(member_, share::Member::join(*connection, plan_.introduction));
  plan_.introduction.is_restart = false;
  if (!plan_.known.empty()) {
    if (auto told = member_->add_known(plan_.known); !told) return told;
  }
  ELENCHUS_ASSIGN_OR_RETURN(const auto held, member_->held());
  {
    const std::lock_guard lock(mutex_);
    held_ = {held.begin(), held.end()};
  }
  bool goes_on = false;
  if (followed_) {
    ELENCHUS_ASSIGN_OR_RETURN(goes_on, member_->go_on_from(*followed_));
  }
  connection_ = std::move(connection);
  if (goes_on) return {};
  ELENCHUS_ASSIGN_OR_RETURN(foreign_bugs_, share::ForeignBugs::of(*shared_.store));
  known_bugs_.clear();
  known_pool_.clear();
  stages_.clear();
  bugs_seen_ = UINT64_MAX;
  return {};
}

// Others have what this node knows by heart only as long as their leases last; after that, it is
// better to do what somebody else may do, too, than to do nothing. With the lock held.
bool Exchange::has_left_others() const {
  if (!is_alone_) return false;
  return !heard_at_ || base::seconds_between(*heard_at_, SteadyClock::now()) > plan_.pace.lease;
}

bool Exchange::may_take(const std::string& look) {
  const std::lock_guard lock(mutex_);
  return has_left_others() || held_.contains(look) || closed_.contains(look);
}

bool Exchange::has_no_more() {
  const std::lock_guard lock(mutex_);
  // Nobody answers, and whoever interrupted it waits.
  const bool is_in_vain = is_alone_ && held_.empty() && shared_.control->stop;
  return has_left_others() || has_no_more_ || is_in_vain;
}

void Exchange::tell_again(const std::string& bug) {
  const std::lock_guard lock(mutex_);
  changed_bugs_.insert(bug);
}

void Exchange::add_event(Event event) {
  const std::lock_guard lock(mutex_);
  held_.erase(event.look);
  has_no_more_ = false;
  events_.push_back(std::move(event));
}

void Exchange::settled(const std::string& look, const std::string& bug) {
  add_event({Event::What::kSettled, look, bug});
}

void Exchange::given_up(const std::string& look) { add_event({Event::What::kGivenUp, look, {}}); }

void Exchange::set_aside(const std::string& look) { add_event({Event::What::kSetAside, look, {}}); }

}  // namespace elenchus::campaign
