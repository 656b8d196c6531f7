#include "store/ledger.h"

#include <algorithm>
#include <numeric>

namespace elenchus::store {
namespace {

using NameViews = std::pair<std::string_view, std::string_view>;

template <typename Map>
auto& at(Map& map, std::string_view first, std::string_view second) {
  const auto found = map.find(NameViews(first, second));
  if (found != map.end()) return found->second;
  return map[NamePair(first, second)];
}

template <typename Map>
auto& at(Map& map, std::string_view name) {
  const auto found = map.find(name);
  if (found != map.end()) return found->second;
  return map[std::string(name)];
}

template <typename Map>
void add_all(Map& to, const Map& from) {
  for (const auto& [key, value] : from) to[key] += value;
}

}  // namespace

const char* to_string(Purpose purpose) {
  switch (purpose) {
    case Purpose::kTest: return "test";
    case Purpose::kProbe: return "probe";
    case Purpose::kLearn: return "learn";
    case Purpose::kProsecute: return "prosecute";
    case Purpose::kTerms: return "terms";
    case Purpose::kApart: return "apart";
  }
  return "?";
}

Spent& Spent::operator+=(const Spent& other) {
  runs += other.runs;
  wall += other.wall;
  cpu += other.cpu;
  return *this;
}

uint64_t RunCounts::runs() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), uint64_t{0});
}

RunCounts& RunCounts::operator+=(const RunCounts& other) {
  for (size_t i = 0; i < kOutcomes; ++i) outcomes[i] += other.outcomes[i];
  wall += other.wall;
  cpu += other.cpu;
  return *this;
}

TestCounts& TestCounts::operator+=(const TestCounts& other) {
  tests += other.tests;
  accepted += other.accepted;
  rejected += other.rejected;
  decided += other.decided;
  valid += other.valid;
  skipped += other.skipped;
  return *this;
}

SeedCounts& SeedCounts::operator+=(const SeedCounts& other) {
  tests += other.tests;
  accepted += other.accepted;
  decided += other.decided;
  findings += other.findings;
  cpu += other.cpu;
  return *this;
}

Tried& Tried::operator+=(const Tried& other) {
  count += other.count;
  new_keys += other.new_keys;
  findings += other.findings;
  return *this;
}

bool Tallies::empty() const {
  return runs.empty() && spent.empty() && tests.empty() && skips.empty() && repeats.empty() &&
         seeds.empty() && dropped.empty() && keys.empty() && tried.empty();
}

void Tallies::merge(const Tallies& other) {
  add_all(runs, other.runs);
  add_all(spent, other.spent);
  add_all(tests, other.tests);
  add_all(skips, other.skips);
  add_all(repeats, other.repeats);
  add_all(seeds, other.seeds);
  add_all(tried, other.tried);
  dropped.insert(other.dropped.begin(), other.dropped.end());
  for (const auto& [solver, known] : other.keys) {
    keys[solver] = std::max(keys[solver], known);
  }
}

void Ledger::add_run(std::string_view engine, std::string_view solver, Outcome outcome,
                     double wall_seconds, double cpu_seconds, Purpose purpose) {
  const std::lock_guard lock(mutex_);
  at(tallies_.spent, to_string(purpose), solver) += {1, wall_seconds, cpu_seconds};
  RunCounts& counts = at(tallies_.runs, engine, solver);
  ++counts.outcomes[static_cast<size_t>(outcome)];
  counts.wall += wall_seconds;
  counts.cpu += cpu_seconds;
}

void Ledger::add_spent(Purpose purpose, std::string_view solver, const Spent& spent) {
  const std::lock_guard lock(mutex_);
  at(tallies_.spent, to_string(purpose), solver) += spent;
}

void Ledger::add_test(std::string_view engine, std::string_view folder, bool accepted, bool decided,
                      bool valid) {
  const std::lock_guard lock(mutex_);
  TestCounts& counts = at(tallies_.tests, engine, folder);
  ++counts.tests;
  ++(accepted ? counts.accepted : counts.rejected);
  counts.decided += decided ? 1 : 0;
  counts.valid += valid ? 1 : 0;
}

void Ledger::add_skip(std::string_view engine, std::string_view folder, std::string_view reason) {
  const std::lock_guard lock(mutex_);
  ++at(tallies_.tests, engine, folder).skipped;
  ++at(tallies_.skips, engine, reason);
}

void Ledger::add_seed_use(std::string_view path, const SeedCounts& counts) {
  const std::lock_guard lock(mutex_);
  at(tallies_.seeds, path) += counts;
}

void Ledger::drop_seed(std::string_view path, std::string_view folder, std::string_view reason) {
  const std::lock_guard lock(mutex_);
  at(tallies_.dropped, path) = {std::string(folder), std::string(reason)};
}

void Ledger::add_repeat(std::string_view bug, std::string_view engine, uint64_t count) {
  if (count == 0) return;
  const std::lock_guard lock(mutex_);
  at(tallies_.repeats, bug, engine) += count;
}

void Ledger::add_tried(std::string_view what, std::string_view name, const Tried& tried) {
  // Solvers have some hundred options and tactics each.
  constexpr size_t kMostNames = 5000;
  const std::lock_guard lock(mutex_);
  const bool has_room = tallies_.tried.size() < kMostNames ||
                        tallies_.tried.find(NameViews(what, name)) != tallies_.tried.end();
  at(tallies_.tried, what, has_room ? name : "others") += tried;
}

void Ledger::set_keys(std::string_view solver, uint64_t known) {
  const std::lock_guard lock(mutex_);
  uint64_t& keys = at(tallies_.keys, solver);
  keys = std::max(keys, known);
}

Tallies Ledger::take() {
  Tallies taken;
  const std::lock_guard lock(mutex_);
  std::swap(taken, tallies_);
  return taken;
}

}  // namespace elenchus::store
