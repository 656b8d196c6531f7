#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/campaign_view.h"

namespace elenchus::docket {

// Runs a shell command for each bug that this session adds and that is to be reported, with the
// bug's folder as its last argument. Commands run one after the other in a thread of their own: the
// campaign does not wait for them, until its end, and not for long.
class Messenger {
 public:
  // Is told what did not work, in the thread of the caller.
  using Complain = std::function<void(const std::string&)>;

  // An empty command does nothing.
  Messenger(std::string command, const store::CampaignView& view, Complain complain);
  ~Messenger() { close(); }
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  // Cheap where the number of bugs has not changed.
  void look(uint64_t bugs);
  // Whatever their number.
  void look_again() { look(UINT64_MAX); }
  // What waits has some time left.
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  bool is_news(const store::BugRecord& bug) const;
  bool send(const std::string& id) const;
  void report_failures();

  std::string command_;
  const store::CampaignView& view_;
  Complain complain_;
  uint64_t seen_ = 0;  // bugs, at the last look
  std::set<std::string> told_;
  std::mutex mutex_;
  std::condition_variable is_wanted_;
  std::deque<std::string> waiting_;
  std::vector<std::string> failed_;
  std::optional<Clock::time_point> end_;  // when the rest is given up; nothing before the end
  std::thread thread_;
};

}  // namespace elenchus::docket
