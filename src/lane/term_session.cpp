#include "lane/term_session.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "solver/execution.h"

namespace elenchus::lane {
namespace {

using proc::Clock;
using proc::Stop;

constexpr std::string_view kSentinel = "elenchus-";
// A batch may take so long, and a little more for each question.
constexpr double kBatchSeconds = 1;
constexpr double kQuestionSeconds = 0.005;
// A term that is longer than that is not read.
constexpr size_t kLongestReply = 64 << 10;
constexpr uint64_t kMostOutput = 16 << 20;
// Of one batch: where more questions fail, or what they fail by takes longer, the rest is given up.
// A solver's turn is not over before.
constexpr uint32_t kMostRestarts = 16;
constexpr double kMostSeconds = 5;
// A solver that was silent so often in a row is asked once in so many times.
constexpr uint32_t kMostSilences = 3;
constexpr uint32_t kSeldom = 32;
// A process makes way for another after so many questions.
constexpr uint64_t kMostQuestions = 200'000;

bool is_complaint(std::string_view text) {
  return text.starts_with("(error") || text.starts_with("unsupported");
}

}  // namespace

TermSession::TermSession(solver::Solver solver, const solver::RunLimits& limits)
    : solver_(std::move(solver)), limits_(limits) {}

bool TermSession::start() {
  proc::Launch launch;
  launch.command = solver::command_line(solver_, true, solver::needs_of(declarations_));
  auto process = proc::Process::start(launch);
  if (!process) return false;
  process_.emplace(std::move(*process));
  solver::await_start(*solver_.profile, *process_);
  asked_ = 0;
  cpu_before_ = 0;
  is_declared_ = false;
  return true;
}

void TermSession::stop() {
  if (!process_) return;
  cpu_ += std::max(process_->cpu_seconds() - cpu_before_, 0.0);
  process_->kill();
  process_.reset();
  is_declared_ = false;
}

double TermSession::take_cpu_seconds() {
  if (process_) {
    const double now = process_->cpu_seconds();
    cpu_ += std::max(now - std::exchange(cpu_before_, now), 0.0);
  }
  return std::exchange(cpu_, 0);
}

bool TermSession::has_room() const {
  return asked_ < kMostQuestions && process_->memory() < solver_.profile->session_bytes;
}

bool TermSession::declare(std::string_view declarations) {
  if (process_ && (!process_->is_open() || !has_room())) stop();
  if (process_ && is_declared_ && declarations == declarations_) return true;
  const bool needs_other_options =
      !solver_.profile->strings_options.empty() &&
      solver::needs_of(declarations).strings != solver::needs_of(declarations_).strings;
  if (process_ && needs_other_options) stop();
  // One that never says anything is not worth the wait.
  if (silences_ >= kMostSilences && ++calls_ % kSeldom != 0) return false;
  declarations_ = declarations;
  is_declared_ = false;
  return take_declarations(Clock::time_point::max());
}

// In a process that has seen others, after (reset).
bool TermSession::take_declarations(Clock::time_point end) {
  if (!process_ && !start()) return false;
  process_->clear_output();
  if (asked_ > 0) process_->send("(reset)\n");
  const std::string sentinel = fmt::format("{}{}", kSentinel, ++sentinels_);
  process_->send(declarations_);
  process_->send(fmt::format("(echo \"{}\")\n", sentinel));
  ++asked_;
  const Stop stopped = process_->wait(
      {.line = sentinel,
       .deadline = std::min(end, base::steady_after(std::max(limits_.seconds, kBatchSeconds))),
       .memory = limits_.memory,
       .output = kMostOutput});
  is_declared_ = stopped == Stop::kFound && process_->out().find("(error") == std::string::npos;
  if (stopped == Stop::kFound) {
    silences_ = 0;
  } else if (Clock::now() < end) {
    ++silences_;
  }
  if (!is_declared_) stop();
  return is_declared_;
}

// What stands before the sentinels, as far as these are in their order.
size_t TermSession::read_replies(size_t base, uint64_t first, std::span<Reply> replies) {
  size_t at = base;
  for (size_t i = 0; i < replies.size(); ++i) {
    const size_t mark = text_.find(kSentinel, at);
    const std::string expected = fmt::format("{}{}", kSentinel, first + i);
    if (mark == std::string::npos || text_.compare(mark, expected.size(), expected) != 0) return i;
    size_t end = mark + expected.size();
    if (end >= text_.size() || (text_[end] != '\n' && text_[end] != '"' && text_[end] != '\r')) {
      return i;
    }
    size_t last = mark;
    if (last > at && text_[last - 1] == '"') --last;
    Reply& reply = replies[i];
    reply.from = std::min(text_.find_first_not_of(" \t\r\n", at), last);
    reply.to = last;
    const std::string_view said = text_of(reply);
    reply.fate = is_complaint(said)            ? Fate::kRefused
                 : said.size() > kLongestReply ? Fate::kTooLong
                                               : Fate::kAnswered;
    at = text_.find('\n', end);
    at = at == std::string::npos ? text_.size() : at + 1;
  }
  return replies.size();
}

// A solver that ends at the first thing it does not like says so first.
Fate TermSession::fate_of(Stop stop, std::string_view rest) {
  if (stop == Stop::kTime || stop == Stop::kOutput || stop == Stop::kMemory) return Fate::kTooLong;
  if (stop == Stop::kFound) return Fate::kConfused;
  const size_t start = std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
  const bool is_refused = is_complaint(rest.substr(start));
  const proc::Exit exit = process_->kill();
  return is_refused && exit.signal == 0 ? Fate::kRefused : Fate::kFatal;
}

size_t TermSession::exchange(std::span<const std::string_view> questions, std::span<Reply> replies,
                             Clock::time_point deadline, Fate& fate) {
  const uint64_t first = sentinels_ + 1;
  process_->clear_output();
  std::string sent;
  for (const std::string_view question : questions) {
    sent += question;
    fmt::format_to(std::back_inserter(sent), "\n(echo \"{}{}\")\n", kSentinel, ++sentinels_);
  }
  process_->send(sent);
  asked_ += questions.size();
  const Stop stopped = process_->wait({.line = fmt::format("{}{}", kSentinel, sentinels_),
                                       .deadline = deadline,
                                       .memory = limits_.memory,
                                       .output = kMostOutput});
  const size_t base = text_.size();
  text_ += process_->out();
  const size_t answered = read_replies(base, first, replies);
  if (answered == questions.size()) return answered;
  const size_t rest = answered == 0 ? base : std::min(replies[answered - 1].to, text_.size());
  const size_t line = text_.find('\n', rest);
  const size_t from = answered == 0 ? base : std::min(line, text_.size());
  fate = fate_of(stopped, std::string_view(text_).substr(from));
  return answered;
}

std::vector<Reply> TermSession::ask(std::span<const std::string_view> questions) {
  std::vector<Reply> replies(questions.size());
  text_.clear();
  const std::span<Reply> all = replies;
  const Clock::time_point end = base::steady_after(kMostSeconds);
  const auto is_over = [&] { return Clock::now() >= end || (is_stopped_ && is_stopped_()); };
  const auto patience = [&](size_t count) {
    return std::min(
        end, base::steady_after(kBatchSeconds + kQuestionSeconds * static_cast<double>(count)));
  };
  uint32_t restarts = 0;
  for (size_t next = 0; next < questions.size() && !is_over();) {
    if (!(process_ && is_declared_) && !take_declarations(end)) break;
    Fate fate = Fate::kLost;
    const auto rest = questions.subspan(next);
    next += exchange(rest, all.subspan(next), patience(rest.size()), fate);
    if (next == questions.size()) break;
    stop();
    // What there was no time for is not to blame.
    if (++restarts > kMostRestarts || (fate == Fate::kTooLong && is_over())) break;
    Reply& culprit = all[next];
    culprit = {.fate = fate};
    // Alone, it shows whether it is to blame; a refusal is plain.
    if (fate != Fate::kRefused && take_declarations(end)) {
      const size_t done =
          exchange(questions.subspan(next, 1), all.subspan(next, 1), patience(1), fate);
      if (done == 0) {
        culprit = {.fate = fate};
        stop();
      }
    }
    ++next;
  }
  return replies;
}

}  // namespace elenchus::lane
