#include "lab/run_ahead.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/threads.h"

namespace elenchus::lab {
namespace {

bool is_same(const solver::Query& one, const solver::Query& other) {
  return one.text == other.text && one.want_models == other.want_models &&
         one.want_cores == other.want_cores && one.want_proofs == other.want_proofs &&
         one.want_statistics == other.want_statistics &&
         one.want_objectives == other.want_objectives && one.questions == other.questions;
}

}  // namespace

RunAhead::RunAhead(const solver::Solver& solver, bool fresh, size_t threads) {
  try {
    threads_ = base::start_threads(threads, [this, solver, fresh] { work(solver, fresh); });
  } catch (const std::system_error&) {
    // Then nothing runs ahead.
  }
}

RunAhead::~RunAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// An exception must not leave a thread.
std::optional<solver::Run> RunAhead::result_of(solver::Runner& runner, const Errand& errand) {
  try {
    return runner.run(errand.query, errand.limits);
  } catch (const std::exception&) {
    return {};
  }
}

void RunAhead::work(const solver::Solver& solver, bool fresh) {
  solver::Runner runner(solver, fresh);
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto next = std::find_if(errands_.begin(), errands_.end(),
                                   [](const Errand& errand) { return !errand.is_taken_up; });
    if (is_over_) return;
    if (next == errands_.end()) {
      changed_.wait(lock);
      continue;
    }
    // An errand stays where it is until it is done.
    Errand& errand = *next;
    errand.is_taken_up = true;
    lock.unlock();
    auto run = result_of(runner, errand);
    lock.lock();
    errand.run = std::move(run);
    errand.is_done = true;
    --busy_;
    changed_.notify_all();
  }
}

RunAhead::Errand* RunAhead::find(const solver::Query& query) {
  const auto found = std::find_if(errands_.begin(), errands_.end(), [&](const Errand& errand) {
    return is_same(errand.query, query);
  });
  return found == errands_.end() ? nullptr : &*found;
}

void RunAhead::forget_old() {
  const size_t most = 4 * threads_.size();
  while (errands_.size() > most && errands_.front().is_done) errands_.pop_front();
}

void RunAhead::expect(const solver::Query& query, const solver::RunLimits& limits) {
  const std::lock_guard lock(mutex_);
  if (busy_ >= threads_.size() || find(query) != nullptr) return;
  forget_old();
  errands_.push_back({query, limits, {}});
  ++busy_;
  changed_.notify_all();
}

std::optional<solver::Run> RunAhead::take(const solver::Query& query) {
  std::unique_lock lock(mutex_);
  const Errand* errand = find(query);
  if (errand == nullptr) return {};
  changed_.wait(lock, [&] { return errand->is_done; });
  return errand->run;
}

}  // namespace elenchus::lab
