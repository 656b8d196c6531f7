// What a later session should know: written with the counts, taken up when a campaign is resumed.

#include "campaign/campaign.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace elenchus::campaign {
namespace {

// Names of what a later session should know: the schedule, what each lane brought, what there is of
// each seed, keys of each solver, and what was learnt of findings.
constexpr std::string_view kSchedule = "schedule";
constexpr std::string_view kLaneNotes = "lanes";
constexpr std::string_view kSeed = "seed:";
constexpr std::string_view kStatistics = "statistics";
constexpr std::string_view kEdges = "edges";
constexpr std::string_view kDocket = "docket:";

std::string key_notes(std::string_view board, const solver::Solver& solver) {
  return fmt::format("keys:{}:{}:", board, solver.name);
}

}  // namespace

base::Result<void> Campaign::recall() {
  ELENCHUS_ASSIGN_OR_RETURN(const auto notes, shared_.store->view().memories(kSchedule));
  for (const store::Memory& note : notes) shared_.scheduler->restore(note.content);
  ELENCHUS_ASSIGN_OR_RETURN(const auto learnt, shared_.store->view().memories(kDocket));
  for (const store::Memory& note : learnt) {
    shared_.docket->restore(std::string_view(note.name).substr(kDocket.size()), note.content);
  }
  ELENCHUS_ASSIGN_OR_RETURN(const auto lanes, shared_.store->view().memories(kLaneNotes));
  for (const store::Memory& note : lanes) shared_.lanes->restore(note.content);
  if (auto done = recall_seeds(); !done) return done;
  return recall_keys();
}

// Seeds are known by their keys: some may have come or gone. What was dropped is not probed again,
// and with --only-seeds each seed is run once, however often the campaign is resumed.
base::Result<void> Campaign::recall_seeds() {
  std::unordered_map<std::string_view, size_t> places;
  std::vector<std::string> keys;
  for (size_t i = 0; i < shared_.scheduler->seeds(); ++i) keys.push_back(shared_.seed(i).key);
  for (size_t i = 0; i < keys.size(); ++i) places[keys[i]] = i;
  ELENCHUS_ASSIGN_OR_RETURN(const auto notes, shared_.store->view().memories(kSeed));
  for (const store::Memory& note : notes) {
    const auto place = places.find(std::string_view(note.name).substr(kSeed.size()));
    if (place != places.end()) shared_.scheduler->restore_seed(place->second, note.content);
  }
  ELENCHUS_ASSIGN_OR_RETURN(const auto records, shared_.store->view().seeds());
  for (const store::SeedRecord& record : records) {
    const auto place = places.find(record.path);
    const bool is_done = record.status == store::SeedStatus::kDropped ||
                         (shared_.settings.only_seeds && record.counts.tests > 0);
    if (place != places.end() && is_done) shared_.scheduler->drop(place->second);
  }
  return {};
}

base::Result<void> Campaign::recall_keys() {
  for (const auto& [name, board] :
       {std::pair(kStatistics, shared_.keys.get()), std::pair(kEdges, shared_.edges.get())}) {
    for (size_t i = 0; i < shared_.solvers.size(); ++i) {
      const std::string prefix = key_notes(name, shared_.solvers[i]);
      ELENCHUS_ASSIGN_OR_RETURN(const auto notes, shared_.store->view().memories(prefix));
      for (const store::Memory& note : notes) board->restore(i, note.content);
      key_notes_ += notes.size();
    }
  }
  return {};
}

base::Result<void> Campaign::remember() {
  const Scheduler::Notes notes = shared_.scheduler->take_notes();
  unsaved_[std::string(kSchedule)] = notes.whole;
  unsaved_[std::string(kLaneNotes)] = shared_.lanes->notes();
  for (const auto& [seed, note] : notes.seeds) {
    unsaved_[std::string(kSeed) + shared_.seed(seed).key] = note;
  }
  for (const auto& [name, note] : shared_.docket->take_notes()) {
    unsaved_[fmt::format("{}{}", kDocket, name)] = note;
  }
  for (const auto& [name, board] :
       {std::pair(kStatistics, shared_.keys.get()), std::pair(kEdges, shared_.edges.get())}) {
    for (size_t i = 0; i < shared_.solvers.size(); ++i) {
      std::string keys = board->take_notes(i);
      if (keys.empty()) continue;
      unsaved_[fmt::format("{}{}", key_notes(name, shared_.solvers[i]), key_notes_++)] =
          std::move(keys);
    }
  }
  std::vector<store::Memory> memories;
  memories.reserve(unsaved_.size());
  for (const auto& [name, content] : unsaved_) memories.push_back({name, content});
  auto done = shared_.store->remember(memories);
  if (done) unsaved_.clear();
  return done;
}

}  // namespace elenchus::campaign
