#include "campaign/pool.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "store/files.h"

namespace elenchus::campaign {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kScript = "script.smt2";
constexpr std::string_view kEntry = "entry.json";
// All together, and of one family: a pool that grows without end pushes the seeds aside.
constexpr uint64_t kMost = 2000;
constexpr uint32_t kMostOfFamily = 6;
// Of a script that showed thousands of new keys, these are enough to know it by.
constexpr size_t kMostKeys = 256;

std::string written(const Pooled& entry) {
  Json keys = Json::array();
  for (size_t i = 0; i < entry.keys.size() && i < kMostKeys; ++i) {
    keys.push_back(fmt::format("{:016x}", entry.keys[i]));
  }
  const Json json = {
      {"seed", entry.seed},       {"engine", entry.engine},      {"generation", entry.generation},
      {"because", entry.because}, {"foreign", entry.is_foreign}, {"keys", std::move(keys)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

uint64_t key_of(const std::string& text) {
  uint64_t key = 0;
  std::from_chars(text.data(), text.data() + text.size(), key, 16);
  return key;
}

base::Result<Pooled> parse_entry(const std::string& id, const std::string& text,
                                 std::string script) {
  Pooled entry;
  entry.id = id;
  entry.script = std::move(script);
  try {
    const Json json = Json::parse(text);
    json.at("seed").get_to(entry.seed);
    json.at("engine").get_to(entry.engine);
    json.at("generation").get_to(entry.generation);
    json.at("because").get_to(entry.because);
    entry.is_foreign = json.value("foreign", false);
    for (const std::string key : json.at("keys")) entry.keys.push_back(key_of(key));
  } catch (const Json::exception& error) {
    return base::Error{
        base::ErrorKind::kParse, fmt::format("{}/{}: {}", id, kEntry, error.what()), {}};
  }
  return entry;
}

base::Result<Pooled> read_entry(const store::RecordFolders& folders, const std::string& id) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, folders.read(id, kEntry));
  ELENCHUS_ASSIGN_OR_RETURN(std::string script, folders.read(id, kScript));
  return parse_entry(id, text, std::move(script));
}

std::vector<store::RecordFile> files_of(const Pooled& entry) {
  return {{std::string(kScript), entry.script}, {std::string(kEntry), written(entry)}};
}

}  // namespace

std::string digest_of(std::string_view script) {
  return fmt::format("{:016x}-{}", base::hash_bytes(script), script.size());
}

base::Result<std::unique_ptr<Pool>> Pool::open(const std::filesystem::path& folder) {
  std::unique_ptr<Pool> pool(new Pool(folder));
  if (auto loaded = pool->load(); !loaded) return loaded.error();
  return pool;
}

base::Result<void> Pool::load() {
  if (auto made = store::make_folder(folders_.root()); !made) return made;
  if (auto cleared = folders_.remove_temporaries(); !cleared) return cleared;
  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, folders_.list());
  for (const std::string& id : ids) {
    uint64_t number = 0;
    std::from_chars(id.data(), id.data() + id.size(), number);
    next_ = std::max(next_, number + 1);
    auto entry = read_entry(folders_, id);
    if (!entry) continue;
    ++count_;
    ++families_[entry->seed];
    digests_.insert(digest_of(entry->script));
    if (!entry->is_foreign) untold_.push_back(id);
    kept_.push_back(std::move(*entry));
  }
  return {};
}

bool Pool::is_new_outcome(std::string_view seed, std::string_view outcome) {
  const std::lock_guard lock(mutex_);
  return outcomes_[std::string(seed)].emplace(outcome).second;
}

bool Pool::has_room(std::string_view seed) const {
  const std::lock_guard lock(mutex_);
  const auto family = families_.find(seed);
  return count_ < kMost && (family == families_.end() || family->second < kMostOfFamily);
}

base::Result<void> Pool::add(Pooled& entry) {
  if (auto written = write(entry); !written) return written;
  const std::lock_guard lock(mutex_);
  untold_.push_back(entry.id);
  return {};
}

// It has its place before it is written, so that no other takes it.
base::Result<void> Pool::write(Pooled& entry) {
  {
    const std::lock_guard lock(mutex_);
    entry.id = fmt::format("{:06}", next_++);
    ++families_[entry.seed];
    ++count_;
    digests_.insert(digest_of(entry.script));
  }
  auto written = folders_.add(entry.id, files_of(entry));
  if (written) return written;
  const std::lock_guard lock(mutex_);
  --families_[entry.seed];
  --count_;
  digests_.erase(digest_of(entry.script));
  return written;
}

std::vector<std::vector<store::RecordFile>> Pool::take_untold() {
  std::vector<std::string> ids;
  {
    const std::lock_guard lock(mutex_);
    ids = std::exchange(untold_, {});
  }
  std::vector<std::vector<store::RecordFile>> entries;
  for (const std::string& id : ids) {
    if (const auto entry = read_entry(folders_, id)) entries.push_back(files_of(*entry));
  }
  return entries;
}

base::Result<std::optional<Pooled>> Pool::adopt(const std::vector<store::RecordFile>& files) {
  std::string script;
  std::string text;
  for (const store::RecordFile& file : files) {
    if (file.name == kScript) script = file.content;
    if (file.name == kEntry) text = file.content;
  }
  ELENCHUS_ASSIGN_OR_RETURN(Pooled entry, parse_entry("shared", text, std::move(script)));
  entry.is_foreign = true;
  {
    const std::lock_guard lock(mutex_);
    if (digests_.contains(digest_of(entry.script))) return std::optional<Pooled>();
  }
  const bool is_known = entry.keys.empty() && !is_new_outcome(entry.seed, entry.because);
  if (is_known || !has_room(entry.seed)) return std::optional<Pooled>();
  if (auto written = write(entry); !written) return written.error();
  return std::optional<Pooled>(std::move(entry));
}

std::filesystem::path Pool::script_of(std::string_view id) const {
  return folders_.root() / id / kScript;
}

uint64_t Pool::added() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

base::Result<std::vector<Pooled>> read_pool(const std::filesystem::path& folder) {
  const store::RecordFolders folders(folder);
  std::vector<Pooled> entries;
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) return entries;
  ELENCHUS_ASSIGN_OR_RETURN(const auto ids, folders.list());
  for (const std::string& id : ids) {
    ELENCHUS_ASSIGN_OR_RETURN(auto entry, read_entry(folders, id));
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Greedy: the one with the most that is missing comes next. Of those with as much, the smallest.
std::vector<size_t> smallest_set(std::span<const Pooled> entries) {
  std::set<size_t> chosen;
  std::map<std::string_view, size_t> answers;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].keys.empty()) continue;
    const auto [one, is_first] = answers.emplace(entries[i].because, i);
    if (!is_first && entries[i].script.size() < entries[one->second].script.size()) one->second = i;
  }
  for (const auto& [because, place] : answers) chosen.insert(place);
  std::set<uint64_t> covered;
  while (true) {
    size_t best = 0;
    size_t most = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto missing =
          static_cast<size_t>(std::count_if(entries[i].keys.begin(), entries[i].keys.end(),
                                            [&](uint64_t key) { return !covered.contains(key); }));
      const bool is_better =
          missing > most || (missing > 0 && missing == most &&
                             entries[i].script.size() < entries[best].script.size());
      if (!is_better) continue;
      most = missing;
      best = i;
    }
    if (most == 0) return {chosen.begin(), chosen.end()};
    chosen.insert(best);
    covered.insert(entries[best].keys.begin(), entries[best].keys.end());
  }
}

}  // namespace elenchus::campaign
