#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/threads.h"

namespace elenchus::cli {

// What threads make of numbered tasks, handed on in the order of the tasks whoever is ready first.
// Tasks begin in order, too, so somebody always works at the one whose turn it is; the others run
// ahead as far as there is room, then wait. Thread-safe; one thread reads.
template <typename Item>
class InOrder {
 public:
  // At most `window` tasks are under way, and `room` items of each lie ready.
  InOrder(size_t tasks, size_t window, size_t room) : tasks_(tasks), window_(window), room_(room) {}

  // A task to work at; none when all have begun or nobody wants more.
  std::optional<size_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock,
                  [&] { return is_cancelled_ || begun_ == tasks_ || begun_ < turn_ + window_; });
    if (is_cancelled_ || begun_ == tasks_) return {};
    return begun_++;
  }

  // False when nobody wants more.
  bool put(size_t task, Item item) {
    std::unique_lock lock(mutex_);
    Slot& slot = slots_[task];
    changed_.wait(lock, [&] { return is_cancelled_ || slot.items.size() < room_; });
    if (is_cancelled_) return false;
    slot.items.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  void finish(size_t task) {
    const std::lock_guard lock(mutex_);
    slots_[task].is_done = true;
    changed_.notify_all();
  }

  // The next item of the task whose turn it is; nothing once when that is done, and the turn passes
  // on.
  std::optional<Item> next() {
    std::unique_lock lock(mutex_);
    Slot& slot = slots_[turn_];
    changed_.wait(lock, [&] { return is_cancelled_ || slot.is_done || !slot.items.empty(); });
    if (is_cancelled_) return {};
    changed_.notify_all();
    if (slot.items.empty()) {
      slots_.erase(turn_++);
      return {};
    }
    Item item = std::move(slot.items.front());
    slot.items.pop_front();
    return item;
  }

  // Nobody wants more: whoever waits goes on, empty-handed.
  void cancel() {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
    changed_.notify_all();
  }

  bool is_cancelled() {
    const std::lock_guard lock(mutex_);
    return is_cancelled_;
  }

  // Runs `work` on so many threads and `read` on this one, until both are done. What is thrown
  // anywhere ends everything, and is thrown from here.
  template <typename Work, typename Read>
  void run(size_t threads, Work work, Read read) {
    std::exception_ptr thrown;
    const auto guarded = [&](auto& part) {
      try {
        part();
      } catch (...) {
        cancel();
        const std::lock_guard lock(mutex_);
        if (thrown == nullptr) thrown = std::current_exception();
      }
    };
    std::vector<std::thread> workers = base::start_threads(threads, [&] { guarded(work); });
    guarded(read);
    for (std::thread& worker : workers) worker.join();
    if (thrown != nullptr) std::rethrow_exception(thrown);
  }

 private:
  struct Slot {
    std::deque<Item> items;
    bool is_done = false;
  };

  size_t tasks_;
  size_t window_;
  size_t room_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<size_t, Slot> slots_;  // of tasks that were heard of and are not over
  size_t begun_ = 0;
  size_t turn_ = 0;
  bool is_cancelled_ = false;
};

// Makes `work(i)` of each number below `count`, on so many threads, and hands it to `take(i, ...)`
// on this one, in order, until that says false.
template <typename Item, typename Work, typename Take>
void in_order(size_t count, size_t threads, Work work, Take take) {
  InOrder<Item> order(count, 2 * threads, 1);
  const auto make_all = [&] {
    while (const auto task = order.take()) {
      order.put(*task, work(*task));
      order.finish(*task);
    }
  };
  const auto take_all = [&] {
    for (size_t i = 0; i < count; ++i) {
      while (auto item = order.next()) {
        if (!take(i, std::move(*item))) return order.cancel();
      }
    }
  };
  order.run(std::min(count, threads), make_all, take_all);
}

}  // namespace elenchus::cli
