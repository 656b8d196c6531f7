#include "campaign/shared.h"

namespace elenchus::campaign {

uint32_t KeyBoard::add(size_t solver, std::span<const uint64_t> keys, uint64_t& known) {
  const std::lock_guard lock(mutex_);
  uint32_t fresh = 0;
  for (const uint64_t key : keys) fresh += seen_[solver].insert(key).second ? 1 : 0;
  known = seen_[solver].size();
  return fresh;
}

bool Shared::is_over() {
  if (control->stop || budget_spent || store_failed) return true;
  const bool is_late = std::chrono::steady_clock::now() >= deadline;
  const bool has_bugs = settings.bugs != 0 && new_bugs >= settings.bugs;
  if (is_late || has_bugs) budget_spent = true;
  return budget_spent;
}

bool Shared::take_test() {
  const uint64_t number = tests.fetch_add(1, std::memory_order_relaxed);
  if (settings.tests == 0 || number < settings.tests) return true;
  tests.fetch_sub(1, std::memory_order_relaxed);
  budget_spent = true;
  return false;
}

}  // namespace elenchus::campaign
