#include "campaign/shared.h"

#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "base/clock.h"
#include "store/usage.h"

namespace elenchus::campaign {
namespace {

constexpr size_t kMostNoted = 1'000'000;
constexpr size_t kDigits = 16;  // of a key in notes

}  // namespace

uint32_t KeyBoard::add(size_t solver, std::span<const uint64_t> keys, uint64_t& known,
                       std::vector<uint64_t>* fresh) {
  const std::lock_guard lock(mutex_);
  uint32_t count = 0;
  for (const uint64_t key : keys) {
    if (!seen_[solver].insert(key).second) continue;
    ++count;
    if (fresh != nullptr) fresh->push_back(key);
    if (seen_[solver].size() > kMostNoted) continue;
    unnoted_[solver].push_back(key);
    if (untold_[solver]) untold_[solver]->push_back(key);
  }
  known = seen_[solver].size();
  return count;
}

std::string KeyBoard::take_notes(size_t solver) {
  const std::lock_guard lock(mutex_);
  std::string notes;
  notes.reserve(unnoted_[solver].size() * kDigits);
  for (const uint64_t key : std::exchange(unnoted_[solver], {})) {
    fmt::format_to(std::back_inserter(notes), "{:016x}", key);
  }
  return notes;
}

void KeyBoard::restore(size_t solver, std::string_view notes) {
  const std::lock_guard lock(mutex_);
  for (; notes.size() >= kDigits; notes.remove_prefix(kDigits)) {
    uint64_t key = 0;
    const char* const end = notes.data() + kDigits;
    if (std::from_chars(notes.data(), end, key, 16).ptr == end) seen_[solver].insert(key);
  }
}

std::vector<uint64_t> KeyBoard::take_untold(size_t solver) {
  const std::lock_guard lock(mutex_);
  if (untold_[solver]) return std::exchange(*untold_[solver], {});
  untold_[solver].emplace();
  return {seen_[solver].begin(), seen_[solver].end()};
}

void KeyBoard::learn(size_t solver, uint64_t key) {
  const std::lock_guard lock(mutex_);
  if (!seen_[solver].insert(key).second) return;
  if (seen_[solver].size() <= kMostNoted) unnoted_[solver].push_back(key);
}

void Matchmaker::note(size_t seed, ir::Truth status, std::string_view logic) {
  const std::lock_guard lock(mutex_);
  if (seed >= is_known_.size()) is_known_.resize(seed + 1, false);
  if (status == ir::Truth::kUnknown || is_known_[seed]) return;
  is_known_[seed] = true;
  seeds_[{status, std::string()}].push_back(seed);
  if (!logic.empty()) seeds_[{status, std::string(logic)}].push_back(seed);
}

std::optional<size_t> Matchmaker::partner_of(size_t seed, ir::Truth status, std::string_view logic,
                                             base::Rng& rng) {
  // Two logics make a formula of all logics, which solvers treat otherwise.
  constexpr uint64_t kAnyLogicOneIn = 4;
  const std::lock_guard lock(mutex_);
  const std::string wanted(rng.one_in(kAnyLogicOneIn) ? std::string_view() : logic);
  for (const std::string& name : {wanted, std::string()}) {
    std::vector<size_t> others = seeds_[{status, name}];
    std::erase(others, seed);
    if (!others.empty()) return others[rng.below(others.size())];
  }
  return {};
}

void AnswerBoard::note(const std::string& seed, std::string answers) {
  const std::lock_guard lock(mutex_);
  answers_[seed] = std::move(answers);
}

bool AnswerBoard::differ(const std::string& seed, std::string_view answers) const {
  const std::lock_guard lock(mutex_);
  const auto known = answers_.find(seed);
  return known != answers_.end() && known->second != answers;
}

std::string LooksOfSeeds::first_with(uint64_t look, const std::string& seed) {
  const std::lock_guard lock(mutex_);
  return seeds_.try_emplace(look, seed).first->second;
}

void Strays::add(Stray stray) {
  const std::lock_guard lock(mutex_);
  strays_.push_back(std::move(stray));
  if (strays_.size() > kMost) strays_.pop_front();
}

std::optional<Stray> Strays::take() {
  const std::lock_guard lock(mutex_);
  if (strays_.empty()) return {};
  Stray stray = std::move(strays_.front());
  strays_.pop_front();
  return stray;
}

SeedFile Shared::seed(size_t place) const {
  if (place < seeds.files.size()) return seeds.files[place];
  const std::lock_guard lock(descendants_mutex_);
  return descendants_[place - seeds.files.size()];
}

void Shared::adopt(const Pooled& entry) {
  const std::string path = pool->script_of(entry.id).string();
  const std::lock_guard lock(descendants_mutex_);
  descendants_.push_back({.path = path,
                          .folder = "pool",
                          .text = nullptr,
                          .key = "pool:" + digest_of(entry.script),
                          .ancestor = entry.seed,
                          .generation = entry.generation});
  scheduler->add_seed(seeds.place_of(entry.seed));
}

bool Shared::is_over() {
  if (control->stop || budget_spent || has_failed_) return true;
  const bool is_late = std::chrono::steady_clock::now() >= deadline;
  const bool has_bugs = settings.bugs != 0 && new_bugs >= settings.bugs;
  if (is_late || has_bugs || is_cpu_spent()) budget_spent = true;
  return budget_spent;
}

void Shared::end_testing(bool has_grace) {
  if (has_grace) overdue_at_ = base::steady_after(settings.grace);
  is_testing_ = false;
  turnstile->end_testing();
}

bool Shared::is_overdue() const {
  const bool is_late = std::chrono::steady_clock::now() >= overdue_at_.load();
  return control->now || has_failed_ || is_late || is_cpu_spent();
}

bool Shared::is_cpu_spent() const {
  if (cpu_seconds <= 0) return false;
  return solver_cpu_ + store::own_usage().cpu_seconds - own_cpu_before >= cpu_seconds;
}

bool Shared::take_test() {
  const uint64_t number = tests.fetch_add(1, std::memory_order_relaxed);
  if (settings.tests == 0 || number < settings.tests) return true;
  tests.fetch_sub(1, std::memory_order_relaxed);
  budget_spent = true;
  return false;
}

void Shared::give_back_test() { tests.fetch_sub(1, std::memory_order_relaxed); }

void Shared::fail(base::Error error) {
  const std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = std::move(error);
  has_failed_ = true;
}

void Shared::fail_with_loss(const base::Error& error) {
  const std::lock_guard lock(failure_mutex_);
  if (failure_) {
    failure_->message += '\n' + error.message;
  } else {
    failure_ = error;
  }
  has_failed_ = true;
}

std::optional<base::Error> Shared::failure() const {
  const std::lock_guard lock(failure_mutex_);
  return failure_;
}

}  // namespace elenchus::campaign
