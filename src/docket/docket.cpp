#include "docket/docket.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "record/kind.h"
#include "triage/signature.h"

namespace elenchus::docket {
namespace {

// While so many of one cause wait on the disk, what a bug accounts for is only counted.
constexpr uint32_t kMostWaiting = 32;
// While so many wait, nothing more of the cause is written down: wrong answers of one solver have
// one cause, and may be many bugs.
constexpr uint32_t kMostOfCause = 1000;
// A look that came to nothing so often is not written down again.
constexpr uint32_t kMostFailed = 3;
// So many in a row that turned out to be known, and a cause is known well.
constexpr uint32_t kKnownWell = 3;
// Of a cause that is known well, every finding is a sample whose number is this to some power.
constexpr uint64_t kSampleBase = 8;
constexpr double kLongestDelay = 600;  // seconds

// What a later session should know, by the beginning of its name.
constexpr std::string_view kCauseNote = "cause:";
constexpr std::string_view kFamilyNote = "family:";
constexpr std::string_view kLookNote = "look:";

bool is_sample_number(uint64_t number) {
  if (number < kSampleBase * kSampleBase) return false;
  while (number % kSampleBase == 0) number /= kSampleBase;
  return number == 1;
}

uint64_t number_of(std::string_view id) {
  uint64_t number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number);
  return number;
}

// Whether none of these is probably the same bug.
bool is_unlike_all(std::string_view look, const std::vector<std::string_view>& others) {
  return std::none_of(others.begin(), others.end(), [&](std::string_view other) {
    return look == other || triage::share_operator(look, other);
  });
}

}  // namespace

Docket::Docket(std::filesystem::path folder, Clock clock)
    : folders_(std::move(folder)), clock_(clock ? std::move(clock) : Clock(base::seconds_now)) {}

base::Result<std::unique_ptr<Docket>> Docket::open(const std::filesystem::path& folder,
                                                   Clock clock) {
  std::unique_ptr<Docket> docket(new Docket(folder, std::move(clock)));
  if (auto loaded = docket->load(); !loaded) return loaded.error();
  return docket;
}

base::Result<void> Docket::load() {
  if (auto done = folders_.remove_temporaries(); !done) return done;
  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, folders_.list());
  for (const std::string& id : ids) {
    next_ = std::max(next_, number_of(id) + 1);
    const auto suspicion = read_suspicion(folders_, id);
    if (!suspicion) {
      problems_.push_back(suspicion.error().message);
      continue;
    }
    if (suspicion->stage == Stage::kUnconfirmed) {
      ++unconfirmed_;
      ++looks_[suspicion->look].failed;
    } else {
      enter(id, *suspicion, false);
    }
  }
  return {};
}

void Docket::add_bug(const std::string& signature) {
  const std::lock_guard lock(mutex_);
  note_bug(signature);
}

std::map<std::string, std::string> Docket::take_notes() {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::string> notes;
  for (const std::string& name : std::exchange(unnoted_.causes, {})) {
    const Cause& cause = causes_[name];
    notes[fmt::format("{}{}", kCauseNote, name)] =
        fmt::format("{} {} {}", cause.met, cause.known, cause.failed);
  }
  for (const auto& [cause, family] : std::exchange(unnoted_.families, {})) {
    notes[fmt::format("{}{}:{}", kFamilyNote, cause, family)] = cause;
  }
  for (const std::string& look : std::exchange(unnoted_.looks, {})) {
    notes[fmt::format("{}{}", kLookNote, look)] = looks_[look].bug;
  }
  return notes;
}

void Docket::restore(std::string_view name, std::string_view content) {
  const std::lock_guard lock(mutex_);
  const auto is_about = [&](std::string_view what) {
    if (!name.starts_with(what)) return false;
    name.remove_prefix(what.size());
    return true;
  };
  if (is_about(kLookNote)) {
    looks_[std::string(name)].bug = content;
  } else if (is_about(kFamilyNote)) {
    const bool is_whole = name.starts_with(content) && name.size() > content.size();
    if (!is_whole) return;
    causes_[std::string(content)].families.emplace(name.substr(content.size() + 1));
  } else if (is_about(kCauseNote)) {
    Cause& cause = causes_[std::string(name)];
    std::istringstream(std::string(content)) >> cause.met >> cause.known >> cause.failed;
  }
}

void Docket::note_bug(const std::string& signature) {
  if (std::find(bugs_.begin(), bugs_.end(), signature) != bugs_.end()) return;
  bugs_.push_back(signature);
  for (auto& [id, entry] : entries_) {
    entry.is_accounted_for = entry.is_accounted_for || triage::accounts_for(signature, entry.look);
  }
}

void Docket::remember(const std::string& look, const std::string& bug) {
  note_bug(bug);
  looks_[look].bug = bug;
  unnoted_.looks.insert(look);
}

// What was thought to be one bug has turned out to be the other.
void Docket::forget(const std::string& signature, const std::string& bug) {
  if (signature == bug) return;
  std::erase(bugs_, signature);
  for (auto& [look, of] : looks_) {
    if (of.bug != signature) continue;
    of.bug = bug;
    unnoted_.looks.insert(look);
  }
}

std::string Docket::bug_accounting_for(const std::string& look) const {
  const auto found = std::find_if(bugs_.begin(), bugs_.end(), [&](const std::string& bug) {
    return triage::accounts_for(bug, look);
  });
  return found == bugs_.end() ? std::string() : *found;
}

Reception Docket::receive(const std::string& cause, const std::string& look,
                          const std::string& family) {
  const std::lock_guard lock(mutex_);
  Cause& known = causes_[cause];
  const auto seen = looks_.find(look);
  Look* before = seen == looks_.end() ? nullptr : &seen->second;
  ++known.met;
  unnoted_.causes.insert(cause);
  if (before != nullptr && before->failed >= kMostFailed) return {};
  const bool is_waiting = before != nullptr && before->is_waiting;
  const bool is_first = known.met == 1 && before == nullptr;
  if (!is_waiting && is_sample_number(known.met)) {
    return {.is_wanted = true, .is_sample = true, .is_first = is_first};
  }
  const bool is_new_family = !family.empty() && !known.families.contains(family);
  if (before != nullptr && !before->bug.empty() && (before->bug == look || !is_new_family)) {
    return {.bug = before->bug};
  }
  if (is_waiting) {
    ++before->unbooked;
    return {};
  }
  const bool is_full = known.waiting >= kMostWaiting;
  if (is_full || (known.known >= kKnownWell && !is_new_family)) {
    std::string bug = bug_accounting_for(look);
    if (!bug.empty()) return {.bug = std::move(bug)};
  }
  if (known.waiting >= kMostOfCause) {
    ++lost_;
    return {};
  }
  return {.is_wanted = true, .is_first = is_first};
}

void Docket::enter(const std::string& id, const Suspicion& suspicion, bool is_sample) {
  const auto& seeds = suspicion.origin.seeds;
  Cause& cause = causes_[suspicion.cause];
  const bool is_new_family = !seeds.empty() && cause.families.insert(seeds.front()).second;
  if (is_new_family) unnoted_.families.emplace(suspicion.cause, seeds.front());
  entries_[id] = {.cause = suspicion.cause,
                  .look = suspicion.look,
                  .rank = record::rank_of(suspicion.kind),
                  .stage = suspicion.stage,
                  .is_sample = is_sample,
                  .is_first_of_family = is_new_family,
                  .is_accounted_for = !bug_accounting_for(suspicion.look).empty(),
                  .is_taken = false};
  ++cause.waiting;
  looks_[suspicion.look].is_waiting = true;
}

void Docket::leave(const std::string& id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  Cause& cause = causes_[found->second.cause];
  --cause.waiting;
  looks_[found->second.look].is_waiting = false;
  entries_.erase(found);
}

base::Result<void> Docket::add(Suspicion suspicion, bool is_sample) {
  {
    const std::lock_guard lock(mutex_);
    suspicion.id = fmt::format("{:06}-{}", next_++, suspicion.kind);
  }
  if (auto written = folders_.add(suspicion.id, files_of(suspicion)); !written) return written;
  const std::lock_guard lock(mutex_);
  enter(suspicion.id, suspicion, is_sample);
  return {};
}

// What is known well comes last, however grave: most of it is what was reported before. So does
// what never shows again. Those further on first: what was begun is brought to its end.
bool Docket::is_better(const Entry& one, const Entry& other) const {
  const Cause& mine = causes_.at(one.cause);
  const Cause& theirs = causes_.at(other.cause);
  const auto is_barren = [](const Entry& entry, const Cause& cause) {
    const bool is_known = cause.known >= kKnownWell && entry.is_accounted_for;
    return is_known || cause.failed >= kKnownWell;
  };
  const bool am_barren = is_barren(one, mine);
  if (am_barren != is_barren(other, theirs)) return !am_barren;
  if (one.rank != other.rank) return one.rank < other.rank;
  if (one.is_accounted_for != other.is_accounted_for) return other.is_accounted_for;
  if (mine.known != theirs.known) return mine.known < theirs.known;
  return one.stage > other.stage;
}

std::map<std::string_view, std::vector<std::string_view>> Docket::under_way() const {
  std::map<std::string_view, std::vector<std::string_view>> looks;
  for (const auto& [id, entry] : entries_) {
    if (entry.is_taken) looks[entry.cause].push_back(entry.look);
  }
  return looks;
}

// Whether it may be taken beside what is under way. `rivals`: those of its cause.
bool Docket::may_go_on(const Entry& entry, bool at_once,
                       const std::vector<std::string_view>& rivals) const {
  const Cause& cause = causes_.at(entry.cause);
  // What never shows again makes a first finding of many families.
  const bool is_promising = entry.is_first_of_family && cause.failed < kKnownWell;
  const bool must_wait = clock_() < cause.not_before && !is_promising;
  if (!at_once && must_wait) return false;
  const bool may_be_another = at_once || !entry.is_accounted_for;
  if (!rivals.empty() && !(may_be_another && is_unlike_all(entry.look, rivals))) return false;
  return partners_ == nullptr || partners_->may_take(entry.look);
}

base::Result<Docket::Taken> Docket::take(bool at_once) {
  Taken taken;
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    auto busy = under_way();
    auto best = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->second.is_taken) continue;
      taken.waits = true;
      if (!may_go_on(entry->second, at_once, busy[entry->second.cause])) continue;
      if (best == entries_.end() || is_better(entry->second, best->second)) best = entry;
    }
    if (best == entries_.end()) return taken;
    best->second.is_taken = true;
    const Cause& cause = causes_[best->second.cause];
    id = best->first;
    taken.assignment.emplace();
    const bool may_be_known =
        cause.known >= kKnownWell && !best->second.is_sample && !best->second.is_first_of_family;
    if (may_be_known) taken.assignment->probable_bug = bug_accounting_for(best->second.look);
  }
  auto suspicion = read_suspicion(folders_, id);
  if (!suspicion) {
    const std::lock_guard lock(mutex_);
    leave(id);
    return suspicion.error();
  }
  taken.assignment->suspicion = std::move(*suspicion);
  return taken;
}

// The texts first: a description that says "reduced" always has the reduced script beside it.
base::Result<void> Docket::advance(const Suspicion& suspicion) {
  std::vector<store::RecordFile> files = files_of(suspicion);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (auto put = folders_.put(suspicion.id, *file); !put) return put;
  }
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(suspicion.id);
  if (found != entries_.end()) found->second.stage = suspicion.stage;
  return {};
}

base::Result<uint64_t> Docket::settle(const Suspicion& suspicion, const std::string& bug,
                                      bool is_new) {
  if (auto removed = folders_.remove(suspicion.id); !removed) return removed.error();
  const std::lock_guard lock(mutex_);
  leave(suspicion.id);
  if (!suspicion.provisional.empty()) forget(suspicion.provisional, bug);
  remember(suspicion.look, bug);
  if (partners_ != nullptr) partners_->settled(suspicion.look, bug);
  Cause& cause = causes_[suspicion.cause];
  unnoted_.causes.insert(suspicion.cause);
  cause.failed = 0;
  cause.known = is_new ? 0 : cause.known + 1;
  cause.not_before = is_new ? 0 : due_after(cause.known);
  return std::exchange(looks_[suspicion.look].unbooked, 0);
}

double Docket::due_after(uint32_t in_a_row) const {
  return clock_() + std::min(kLongestDelay, std::exp2(std::min(in_a_row, 20U)));
}

base::Result<void> Docket::give_up(const Suspicion& suspicion) {
  if (auto put = advance(suspicion); !put) return put;
  const std::lock_guard lock(mutex_);
  leave(suspicion.id);
  Cause& cause = causes_[suspicion.cause];
  unnoted_.causes.insert(suspicion.cause);
  cause.not_before = due_after(++cause.failed);
  ++looks_[suspicion.look].failed;
  ++unconfirmed_;
  if (partners_ != nullptr) partners_->given_up(suspicion.look);
  return {};
}

void Docket::set_aside(const Suspicion& suspicion) {
  const std::lock_guard lock(mutex_);
  leave(suspicion.id);
  if (partners_ != nullptr) partners_->set_aside(suspicion.look);
}

void Docket::put_back(const Suspicion& suspicion) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(suspicion.id);
  if (found == entries_.end()) return;
  found->second.is_taken = false;
}

DocketCounts Docket::counts() const {
  const std::lock_guard lock(mutex_);
  DocketCounts counts;
  for (const auto& [id, entry] : entries_) {
    counts.suspected += entry.stage == Stage::kSuspected ? 1 : 0;
    counts.confirmed += entry.stage == Stage::kConfirmed ? 1 : 0;
    counts.reduced += entry.stage == Stage::kReduced ? 1 : 0;
  }
  counts.unconfirmed = unconfirmed_;
  counts.lost = lost_;
  return counts;
}

bool Docket::is_done() const {
  const std::lock_guard lock(mutex_);
  const auto can_be_done = [&](const auto& item) {
    const Entry& entry = item.second;
    return entry.is_taken || partners_ == nullptr || partners_->may_take(entry.look);
  };
  if (std::any_of(entries_.begin(), entries_.end(), can_be_done)) return false;
  return partners_ == nullptr || partners_->has_no_more();
}

void Docket::set_partners(Partners* partners) {
  const std::lock_guard lock(mutex_);
  partners_ = partners;
}

std::vector<std::pair<std::string, std::string>> Docket::open() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> open;
  for (const auto& [id, entry] : entries_) open.emplace_back(id, entry.look);
  return open;
}

base::Result<Suspicion> Docket::read(const std::string& id) const {
  return read_suspicion(folders_, id);
}

base::Result<void> Docket::adopt(const std::vector<store::RecordFile>& files,
                                 const std::string& look) {
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    id = fmt::format("{:06}-shared", next_++);
  }
  if (auto written = folders_.add(id, files); !written) return written;
  const auto suspicion = read_suspicion(folders_, id);
  if (!suspicion || suspicion->look != look) {
    (void)folders_.remove(id);
    if (!suspicion) return suspicion.error();
    return base::Error{base::ErrorKind::kParse, "it is not the suspicion that it seemed", {}};
  }
  const std::lock_guard lock(mutex_);
  enter(id, *suspicion, false);
  return {};
}

base::Result<std::map<std::string, uint64_t>> Docket::settle_elsewhere(const std::string& look,
                                                                       const std::string& bug) {
  std::map<std::string, uint64_t> met;
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    remember(look, bug);
    for (auto& [id, entry] : entries_) {
      if (entry.look != look || entry.is_taken || entry.is_sample) continue;
      entry.is_taken = true;
      ids.push_back(id);
    }
  }
  for (const std::string& id : ids) {
    const auto suspicion = read_suspicion(folders_, id);
    auto removed = folders_.remove(id);
    const std::lock_guard lock(mutex_);
    leave(id);
    if (!removed) return removed.error();
    const uint64_t unbooked = std::exchange(looks_[look].unbooked, 0);
    if (suspicion) met[suspicion->origin.engine] += 1 + unbooked;
  }
  return met;
}

std::vector<std::pair<std::string_view, uint64_t>> DocketCounts::by_stage() const {
  return {{to_string(Stage::kSuspected), suspected},
          {to_string(Stage::kConfirmed), confirmed},
          {to_string(Stage::kReduced), reduced},
          {to_string(Stage::kUnconfirmed), unconfirmed}};
}

base::Result<std::vector<Suspicion>> read_docket(const std::filesystem::path& folder) {
  const store::RecordFolders folders(folder);
  std::vector<Suspicion> suspicions;
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) return suspicions;  // of an older campaign
  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, folders.list());
  for (const std::string& id : ids) {
    // One that is being settled may be gone by now.
    if (auto one = read_suspicion(folders, id)) suspicions.push_back(std::move(*one));
  }
  std::stable_sort(suspicions.begin(), suspicions.end(), [](const auto& one, const auto& other) {
    return record::rank_of(one.kind) < record::rank_of(other.kind);
  });
  return suspicions;
}

}  // namespace elenchus::docket
