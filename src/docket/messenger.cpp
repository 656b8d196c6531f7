#include "docket/messenger.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "proc/process.h"

namespace elenchus::docket {
namespace {

constexpr double kCommandSeconds = 60;
// For all commands that still wait at the end.
constexpr std::chrono::seconds kLastCommands{60};

// What becomes of it is told.
bool is_for_now(const base::Result<store::Manifest>& manifest) {
  return manifest && manifest->is_provisional;
}

}  // namespace

Messenger::Messenger(std::string command, const store::CampaignView& view, Complain complain)
    : command_(std::move(command)), view_(view), complain_(std::move(complain)) {
  if (command_.empty()) return;
  if (const auto bugs = view_.bugs()) {
    for (const store::BugRecord& bug : *bugs) {
      if (!is_for_now(view_.manifest(bug.id))) told_.insert(bug.id);
    }
  }
  thread_ = std::thread([this] { run(); });
}

void Messenger::look(uint64_t bugs) {
  report_failures();
  if (command_.empty() || (bugs == seen_ && bugs != UINT64_MAX)) return;
  seen_ = bugs;
  const auto all = view_.bugs();
  if (!all) return;
  for (const store::BugRecord& bug : *all) {
    if (told_.contains(bug.id) || is_for_now(view_.manifest(bug.id))) continue;
    told_.insert(bug.id);
    if (!is_news(bug)) continue;
    const std::lock_guard lock(mutex_);
    waiting_.push_back(bug.id);
    is_wanted_.notify_one();
  }
}

bool Messenger::is_news(const store::BugRecord& bug) const {
  // What another node has found, it tells.
  if (view_.read_bug_file(bug.id, store::kNodeName)) return false;
  const auto manifest = view_.manifest(bug.id);
  return !manifest || (manifest->known.empty() && manifest->outside_policy.empty());
}

void Messenger::close() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = Clock::now() + kLastCommands;
    is_wanted_.notify_one();
  }
  thread_.join();
  report_failures();
  for (const std::string& id : waiting_) complain_(fmt::format("no time for --on-bug {}", id));
}

void Messenger::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    is_wanted_.wait(lock, [this] { return end_ || !waiting_.empty(); });
    if (waiting_.empty() || (end_ && Clock::now() >= *end_)) return;
    const std::string id = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const bool is_well = send(id);
    lock.lock();
    if (!is_well) failed_.push_back(id);
  }
}

bool Messenger::send(const std::string& id) const {
  const std::string folder = std::filesystem::absolute(view_.folder().bug(id)).string();
  const auto done = proc::capture({.command = {"/bin/sh", "-c", command_ + " \"$1\"", "sh", folder},
                                   .environment = {},
                                   .file = {}},
                                  kCommandSeconds);
  return done && !done->timed_out && done->exit.code == 0;
}

void Messenger::report_failures() {
  std::vector<std::string> failed;
  {
    const std::lock_guard lock(mutex_);
    failed.swap(failed_);
  }
  for (const std::string& id : failed) complain_(fmt::format("--on-bug failed for {}", id));
}

}  // namespace elenchus::docket
