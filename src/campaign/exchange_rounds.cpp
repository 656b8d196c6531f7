// A round sends first and takes then: figures, bugs, what became of suspicions, then news, then
// suspicions that the server does not have, then claims. Everything that is sent can be sent twice:
// figures have numbers, all else is a set. So after an error the next round begins anew.
//
// A suspicion is known to others by its look. Whoever holds its lease prosecutes it; a lease also
// keeps all others of its cause from being claimed. What others settle goes from the docket here.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "campaign/exchange.h"
#include "record/kind.h"
#include "share/pieces.h"
#include "store/json.h"
#include "triage/known.h"

namespace elenchus::campaign {
namespace {

using base::SteadyClock;

// Claims beyond one for each job: some causes have to wait for their turn.
constexpr size_t kMoreClaims = 8;
// What is not urgent goes with every so many rounds, and with fewer where there are many nodes: it
// is about all of them, so that it costs the server the more the more they are.
constexpr uint64_t kSlowRounds = 6;
constexpr uint64_t kNodesForARound = 8;
// Keys that are sent with one statement.
constexpr size_t kKeysAtOnce = 20'000;
// Figures that have waited, merged into one.
constexpr size_t kMostFigures = 20;

constexpr std::string_view kStatisticsBoard = "statistics:";
constexpr std::string_view kEdgesBoard = "edges:";

std::string described(const solver::Solver& solver) {
  return fmt::format("{} {}", solver.name, solver.version);
}

bool is_executable(const std::filesystem::path& path) {
  std::error_code error;
  const auto rights = std::filesystem::status(path, error).permissions();
  return !error && (rights & std::filesystem::perms::owner_exec) != std::filesystem::perms::none;
}

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

}  // namespace

base::Result<void> Exchange::exchange() {
  const bool was_testing = shared_.is_testing();
  const bool is_slow_round = rounds_++ >= next_slow_round_;
  if (is_slow_round) next_slow_round_ = rounds_ + std::max(kSlowRounds, nodes_ / kNodesForARound);
  if (auto done = send_figures(); !done) return done;
  if (auto done = send_bugs(); !done) return done;
  if (auto done = send_events(); !done) return done;
  if (!stop_) {
    if (auto done = take_news(); !done) return done;
  }
  if (auto done = send_suspicions(); !done) return done;
  if (auto done = send_keys(); !done) return done;
  if (auto done = send_pool(); !done) return done;
  if (is_slow_round) {
    if (auto done = send_marks(); !done) return done;
    if (auto done = send_worths(); !done) return done;
  }
  if (stop_) return {};
  if (is_slow_round) {
    if (auto done = take_worths(); !done) return done;
  }
  if (auto done = take_claims(); !done) return done;
  const std::lock_guard lock(mutex_);
  has_no_more_ = !was_testing && held_.empty() && events_.empty();
  return {};
}

std::string Exchange::node_state() {
  const store::Stats stats = shared_.store->stats();
  const auto now = SteadyClock::now();
  const double passed = base::seconds_between(looked_, now);
  if (looked_ != SteadyClock::time_point() && passed > 0.5) {
    speed_ = static_cast<double>(stats.total.tests - std::min(tests_before_, stats.total.tests)) /
             passed;
  }
  if (looked_ == SteadyClock::time_point() || passed > 0.5) {
    looked_ = now;
    tests_before_ = stats.total.tests;
  }
  const share::Traffic traffic = connection_->traffic();
  const nlohmann::ordered_json state = {{"statements", traffic.statements},
                                        {"bytes_sent", traffic.bytes_sent},
                                        {"bytes_received", traffic.bytes_received},
                                        {"rounds", rounds_},
                                        {"exchanging", exchanging_},
                                        {"tests_per_second", std::round(speed_ * 10) / 10},
                                        {"load", load_average()},
                                        {"jobs", shared_.settings.jobs},
                                        {"seconds", stats.seconds},
                                        {"cpu_self", stats.cpu_seconds_self},
                                        {"peak_rss_mb", stats.peak_rss_mb},
                                        {"seeds", stats.seeds},
                                        {"warnings", stats.warnings},
                                        {"waiting", shared_.docket->counts().open()}};
  return store::dump_json(state);
}

base::Result<void> Exchange::send_figures() {
  if (auto dropped = shared_.store->drop_outgoing(member_->last_delta()); !dropped) return dropped;
  ELENCHUS_ASSIGN_OR_RETURN(const auto rows, shared_.store->outgoing(kMostFigures));
  const std::string state = node_state();
  if (rows.empty()) return member_->greet(state, plan_.pace.lease);
  store::Delta delta;
  for (const store::Outgoing& row : rows) {
    ELENCHUS_ASSIGN_OR_RETURN(const store::Delta one, store::parse_delta(row.delta));
    delta.merge(one);
  }
  const uint64_t number = rows.back().number;
  auto added = member_->add_delta(number, store::print_delta(delta), state, plan_.pace.lease);
  if (!added) return added;
  if (auto dropped = shared_.store->drop_outgoing(member_->last_delta()); !dropped) return dropped;
  return rows.size() == kMostFigures ? send_figures() : base::Result<void>();
}

base::Result<void> Exchange::send_bugs() {
  const uint64_t count = shared_.store->stats().total.bugs;
  {
    const std::lock_guard lock(mutex_);
    stale_bugs_.merge(std::exchange(changed_bugs_, {}));
  }
  if (count == bugs_seen_ && stale_bugs_.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, shared_.store->view().bugs());
  for (const store::BugRecord& bug : bugs) {
    if (known_bugs_.contains(bug.signature) && !stale_bugs_.contains(bug.id)) continue;
    if (auto sent = send_bug(bug); !sent) return sent;
    known_bugs_.insert(bug.signature);
    stale_bugs_.erase(bug.id);
  }
  bugs_seen_ = count;
  return {};
}

base::Result<void> Exchange::send_bug(const store::BugRecord& bug) {
  const store::CampaignView& view = shared_.store->view();
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, view.bug_files(bug.id));
  std::vector<store::RecordFile> files;
  for (const std::string& name : names) {
    if (name == store::kNodeName || name == store::kMarkName) continue;
    ELENCHUS_ASSIGN_OR_RETURN(std::string content, view.read_bug_file(bug.id, name));
    const bool runs = is_executable(view.folder().bug(bug.id) / name);
    files.push_back({name, std::move(content), runs});
  }
  return member_->add_bug(bug, files);
}

base::Result<void> Exchange::send_events() {
  while (true) {
    Event event;
    {
      const std::lock_guard lock(mutex_);
      if (events_.empty()) return {};
      event = events_.front();
    }
    // Whoever hears of a bug should find it.
    if (event.what == Event::What::kSettled && !known_bugs_.contains(event.bug)) {
      bugs_seen_ = UINT64_MAX;
      if (auto sent = send_bugs(); !sent) return sent;
    }
    auto told = event.what == Event::What::kSettled   ? member_->settle(event.look, event.bug)
                : event.what == Event::What::kGivenUp ? member_->give_up(event.look)
                                                      : member_->release(event.look);
    if (!told) return told;
    if (event.what == Event::What::kSetAside) refused_.insert(event.look);
    const std::lock_guard lock(mutex_);
    events_.pop_front();
  }
}

// What was told and not taken is to be told again.
base::Result<void> Exchange::take_news() {
  followed_.reset();
  ELENCHUS_ASSIGN_OR_RETURN(const share::News news, member_->news());
  unclaimed_ = news.unclaimed;
  expired_ = news.expired;
  nodes_ = news.nodes;
  shared_.slice->set(news.place, news.nodes);
  if (auto taken = take_bugs(news.bugs); !taken) return taken;
  for (const share::News::Verdict& verdict : news.verdicts) {
    if (auto taken = take_verdict(verdict); !taken) return taken;
  }
  for (const share::News::Marked& marked : news.marks) {
    if (auto taken = take_mark(marked); !taken) return taken;
  }
  for (const std::string& entries : news.known) {
    if (auto taken = take_known(entries); !taken) return taken;
  }
  for (const auto& [board, key] : news.keys) take_key(board, key);
  if (auto taken = take_pool(news.pool); !taken) return taken;
  followed_ = member_->followed();
  return {};
}

base::Result<void> Exchange::take_bugs(const std::vector<share::News::Bug>& bugs) {
  std::vector<int64_t> ids;
  for (const share::News::Bug& bug : bugs) {
    known_bugs_.insert(bug.signature);
    if (!bug.is_own && !foreign_bugs_->is_current(bug.signature, bug.changed)) {
      ids.push_back(bug.id);
    }
  }
  for (const auto& piece : share::fetched_in_pieces(ids)) {
    ELENCHUS_ASSIGN_OR_RETURN(const auto found, member_->bugs(piece));
    for (const share::ForeignBug& bug : found) {
      if (auto taken = take_bug(bug); !taken) return taken;
    }
  }
  return {};
}

base::Result<void> Exchange::take_bug(const share::ForeignBug& bug) {
  const auto taken = foreign_bugs_->take(bug);
  if (taken) shared_.docket->add_bug(bug.signature);
  if (taken || taken.error().kind != base::ErrorKind::kParse) return taken;
  return shared_.store->add_event(
      store::Severity::kWarning, "share",
      fmt::format("a bug of node {} cannot be read, and is passed over", bug.node));
}

base::Result<void> Exchange::take_verdict(const share::News::Verdict& verdict) {
  stages_[verdict.look] = verdict.stage;
  if (verdict.stage != "described") return {};
  ELENCHUS_ASSIGN_OR_RETURN(const auto met,
                            shared_.docket->settle_elsewhere(verdict.look, verdict.bug));
  {
    const std::lock_guard lock(mutex_);
    closed_.insert(verdict.look);
    held_.erase(verdict.look);
  }
  const auto bug = shared_.store->bug_of(verdict.bug);
  if (!bug) return {};
  for (const auto& [engine, count] : met) ledger_.add_repeat(*bug, engine, count);
  return {};
}

base::Result<void> Exchange::take_mark(const share::News::Marked& marked) {
  const auto bug = shared_.store->bug_of(marked.signature);
  if (!bug) return {};
  std::string& known = marks_[*bug];
  const std::string text = store::print_mark(marked.mark);
  if (known == text) return {};
  known = text;
  return shared_.store->view().mark(*bug, marked.mark);
}

// Bugs that were described before are known from then on, too.
base::Result<void> Exchange::take_known(const std::string& entries) {
  if (!known_.insert(entries).second) return {};
  const auto known = triage::KnownBugs::parse(entries, "known bugs of another node");
  if (!known) {
    return shared_.store->add_event(store::Severity::kWarning, "share", known.error().message);
  }
  triage::KnownBugs::extend_standard(*known);
  return triage::note_known(*shared_.store, *known);
}

void Exchange::take_key(const std::string& board, uint64_t key) {
  for (size_t i = 0; i < shared_.solvers.size(); ++i) {
    const std::string solver = described(shared_.solvers[i]);
    if (board == std::string(kStatisticsBoard) + solver) shared_.keys->learn(i, key);
    if (board == std::string(kEdgesBoard) + solver) shared_.edges->learn(i, key);
  }
}

// As long as some transaction takes its time, the same is told again and again.
base::Result<void> Exchange::take_pool(std::vector<int64_t> ids) {
  if (shared_.pool == nullptr) return {};
  std::erase_if(ids, [&](int64_t id) { return known_pool_.contains(id); });
  for (const auto& piece : share::fetched_in_pieces(ids)) {
    ELENCHUS_ASSIGN_OR_RETURN(const auto entries, member_->pool(piece));
    for (const auto& files : entries) {
      if (auto taken = take_pooled(files); !taken) return taken;
    }
    known_pool_.insert(piece.begin(), piece.end());
  }
  return {};
}

// One that cannot be read must not keep this node from all others.
base::Result<void> Exchange::take_pooled(const std::vector<store::RecordFile>& files) {
  const auto entry = shared_.pool->adopt(files);
  if (!entry && entry.error().kind != base::ErrorKind::kParse) return entry.error();
  if (!entry) {
    return shared_.store->add_event(
        store::Severity::kWarning, "share",
        fmt::format("a script of the pool is passed over: {}", entry.error().message));
  }
  if (*entry) shared_.adopt(**entry);
  return {};
}

base::Result<void> Exchange::send_suspicions() {
  for (const auto& [id, look] : shared_.docket->open()) {
    const auto stage = stages_.find(look);
    if (stage != stages_.end() && stage->second != "unconfirmed") continue;
    const auto suspicion = shared_.docket->read(id);
    if (!suspicion) continue;  // settled meanwhile
    share::SharedSuspicion told{look,
                                suspicion->cause,
                                suspicion->kind,
                                record::rank_of(suspicion->kind),
                                {},
                                docket::files_of(*suspicion)};
    for (const solver::Solver& solver : shared_.solvers) {
      const bool takes_part = solver.name == suspicion->solver.solver ||
                              (suspicion->other && solver.name == suspicion->other->solver);
      if (takes_part) told.needs.push_back(described(solver));
    }
    ELENCHUS_ASSIGN_OR_RETURN(const std::string result, member_->add_suspicion(told));
    stages_[look] = result;
    if (result == "open") ++unclaimed_;
    // What others have described meanwhile is among the next news.
    if (result != "unconfirmed") continue;
    // Others gave it up often enough, so it is this node's own affair.
    stages_[look] = "described";
    const std::lock_guard lock(mutex_);
    closed_.insert(look);
  }
  return {};
}

base::Result<void> Exchange::send_keys() {
  const std::pair<std::string_view, KeyBoard*> boards[] = {{kStatisticsBoard, shared_.keys.get()},
                                                           {kEdgesBoard, shared_.edges.get()}};
  for (const auto& [start, board] : boards) {
    for (size_t i = 0; i < shared_.solvers.size(); ++i) {
      const auto fresh = board->take_untold(i);
      if (fresh.empty()) continue;
      std::vector<int64_t>& waiting = keys_[std::string(start) + described(shared_.solvers[i])];
      for (const uint64_t key : fresh) waiting.push_back(static_cast<int64_t>(key));
    }
  }
  for (auto& [board, keys] : keys_) {
    while (!keys.empty()) {
      const size_t count = std::min(keys.size(), kKeysAtOnce);
      const auto from = keys.end() - static_cast<std::ptrdiff_t>(count);
      if (auto sent = member_->add_keys(board, {from, keys.end()}); !sent) return sent;
      keys.erase(from, keys.end());
    }
  }
  return {};
}

base::Result<void> Exchange::send_pool() {
  if (shared_.pool == nullptr) return {};
  for (auto& files : shared_.pool->take_untold()) pooled_.push_back(std::move(files));
  while (!pooled_.empty()) {
    const std::string digest = digest_of(pooled_.front().front().content);
    if (auto sent = member_->add_pool(pooled_.front(), digest); !sent) return sent;
    pooled_.pop_front();
  }
  return {};
}

// Somebody may have marked a bug in this folder.
base::Result<void> Exchange::send_marks() {
  ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, shared_.store->view().bugs());
  for (const store::BugRecord& bug : bugs) {
    const auto text = shared_.store->view().read_bug_file(bug.id, store::kMarkName);
    if (!text || marks_[bug.id] == *text) continue;
    const auto mark = store::parse_mark(*text);
    if (!mark) continue;
    if (auto sent = member_->put_mark(bug.signature, *mark); !sent) return sent;
    marks_[bug.id] = *text;
  }
  return {};
}

base::Result<void> Exchange::send_worths() {
  const Scheduler::Earnings earnings = shared_.scheduler->earnings();
  std::vector<share::NamedWorth> worths;
  for (const auto& [engine, worth] : earnings.engines) worths.push_back({"engine", engine, worth});
  for (const auto& [seed, worth] : earnings.seeds) {
    worths.push_back({"seed", shared_.seed(seed).key, worth});
  }
  return worths.empty() ? base::Result<void>() : member_->put_worths(worths);
}

// They are sums over the others: what has come since the last time is news. A node that began anew
// makes a sum smaller; then there is none.
base::Result<void> Exchange::take_worths() {
  place_seeds();
  ELENCHUS_ASSIGN_OR_RETURN(const auto worths, member_->worths());
  for (const share::NamedWorth& one : worths) {
    share::Worth& before = heard_[one.what + ":" + one.name];
    const share::Worth news{one.worth.value - before.value, one.worth.seconds - before.seconds};
    before = one.worth;
    if (news.value < 0 || news.seconds <= 0) continue;
    if (one.what == "engine") shared_.scheduler->learn(one.name, news);
    const auto place = seed_places_.find(one.name);
    if (one.what == "seed" && place != seed_places_.end()) {
      shared_.scheduler->learn(place->second, news);
    }
  }
  return {};
}

// Scripts of the pool are seeds, too, from when they join.
void Exchange::place_seeds() {
  for (; seeds_placed_ < shared_.scheduler->seeds(); ++seeds_placed_) {
    seed_places_.emplace(shared_.seed(seeds_placed_).key, seeds_placed_);
  }
}

std::vector<std::string> Exchange::solvers() const {
  std::vector<std::string> names;
  for (const solver::Solver& solver : shared_.solvers) names.push_back(described(solver));
  return names;
}

size_t Exchange::most_claims() const { return shared_.settings.jobs + kMoreClaims; }

base::Result<void> Exchange::take_claims() {
  if (auto released = release_lost_claims(); !released) return released;
  if (expired_ > 0) {
    if (auto dropped = member_->drop_expired_leases(); !dropped) return dropped;
  }
  for (uint64_t left = unclaimed_ + expired_; left > 0; --left) {
    std::vector<std::string> mine;
    for (const auto& [id, look] : shared_.docket->open()) mine.push_back(look);
    {
      const std::lock_guard lock(mutex_);
      if (held_.size() >= most_claims()) return {};
    }
    ELENCHUS_ASSIGN_OR_RETURN(
        const auto claim,
        member_->claim(mine, solvers(), {refused_.begin(), refused_.end()}, plan_.pace.lease));
    if (!claim) return {};
    if (auto taken = take_claim(*claim); !taken) return taken;
  }
  return {};
}

// What cannot be read is for others to try.
base::Result<void> Exchange::take_claim(const share::Claim& claim) {
  base::Result<void> adopted;
  if (claim.is_broken) adopted = base::Error{base::ErrorKind::kParse, "no files", {}};
  if (!claim.files.empty()) adopted = shared_.docket->adopt(claim.files, claim.look);
  if (!adopted) {
    refused_.insert(claim.look);
    (void)shared_.store->add_event(
        store::Severity::kWarning, "share",
        fmt::format("a suspicion of another node cannot be taken: {}", adopted.error().message));
    return member_->release(claim.look);
  }
  const std::lock_guard lock(mutex_);
  held_.insert(claim.look);
  return {};
}

// Leases of what is not in the docket here: the answer to the claim was lost.
base::Result<void> Exchange::release_lost_claims() {
  std::set<std::string> lost;
  std::set<std::string> there;
  for (auto& [id, look] : shared_.docket->open()) there.insert(std::move(look));
  {
    const std::lock_guard lock(mutex_);
    std::set_difference(held_.begin(), held_.end(), there.begin(), there.end(),
                        std::inserter(lost, lost.end()));
    for (const std::string& look : lost) held_.erase(look);
  }
  for (const std::string& look : lost) {
    if (auto released = member_->release(look); !released) return released;
  }
  return {};
}

}  // namespace elenchus::campaign
