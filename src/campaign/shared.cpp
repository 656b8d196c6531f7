#include "campaign/shared.h"

namespace elenchus::campaign {

uint32_t KeyBoard::add(size_t solver, std::span<const uint64_t> keys, uint64_t& known) {
  const std::lock_guard lock(mutex_);
  uint32_t fresh = 0;
  for (const uint64_t key : keys) fresh += seen_[solver].insert(key).second ? 1 : 0;
  known = seen_[solver].size();
  return fresh;
}

void Matchmaker::note(size_t seed, ir::Truth status, std::string_view logic) {
  const std::lock_guard lock(mutex_);
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

bool Shared::is_over() {
  if (control->stop || budget_spent || store_failed) return true;
  const bool is_late = std::chrono::steady_clock::now() >= deadline;
  const bool has_bugs = settings.bugs != 0 && new_bugs >= settings.bugs;
  if (is_late || has_bugs) budget_spent = true;
  return budget_spent;
}

bool Shared::is_overdue() const {
  constexpr std::chrono::seconds kGrace(2);
  return control->now || std::chrono::steady_clock::now() - kGrace >= deadline;
}

bool Shared::take_test() {
  const uint64_t number = tests.fetch_add(1, std::memory_order_relaxed);
  if (settings.tests == 0 || number < settings.tests) return true;
  tests.fetch_sub(1, std::memory_order_relaxed);
  budget_spent = true;
  return false;
}

}  // namespace elenchus::campaign
