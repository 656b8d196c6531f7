#include "triage/known.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "config/toml_reader.h"
#include "record/kind.h"

namespace elenchus::triage {

// Made by cmake/Embed.cmake.
std::span<const base::EmbeddedFile> embedded_known();

namespace {

KnownBug read_bug(config::TomlReader& entry, const toml::node& at) {
  KnownBug bug;
  entry.read("title", bug.title);
  entry.read("reference", bug.reference);
  entry.read("solver", bug.solver);
  entry.read("kind", bug.kind);
  entry.read("versions", bug.versions);
  entry.read("operators", bug.operators);
  entry.read("location", bug.location);
  entry.read("shape", bug.shape);
  entry.refuse_unknown_keys();
  if (bug.title.empty() || bug.solver.empty() || bug.reference.empty()) {
    entry.fail("it needs a title, a solver and a reference", at);
  }
  if (bug.operators.empty() && bug.location.empty() && bug.shape.empty()) {
    entry.fail("it needs operators, a location or a shape to be told by", at);
  }
  if (!bug.kind.empty() && record::find_kind(bug.kind) == nullptr) {
    entry.fail(fmt::format("there is no kind '{}'", bug.kind), at);
  }
  return bug;
}

std::string_view tail_of(std::string_view signature) {
  const size_t colon = signature.find(": ");
  return colon == std::string_view::npos ? std::string_view() : signature.substr(colon + 2);
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || text[at - 1] == ' ';
    const size_t end = at + word.size();
    if (starts && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

bool fits(const KnownBug& known, const record::Bug& bug) {
  if (known.solver != bug.solver) return false;
  if (!known.kind.empty() && known.kind != bug.kind) return false;
  const auto& versions = known.versions;
  const bool has_version = versions.empty() || std::find(versions.begin(), versions.end(),
                                                         bug.version) != versions.end();
  if (!has_version) return false;
  const std::string_view tail = tail_of(bug.signature);
  if (!known.location.empty() && tail.find(known.location) == std::string_view::npos) return false;
  if (!known.shape.empty() && known.shape != bug.shape) return false;
  return std::all_of(known.operators.begin(), known.operators.end(),
                     [&](const std::string& op) { return has_word(tail, op); });
}

}  // namespace

base::Result<KnownBugs> KnownBugs::parse(std::string_view text, const std::string& file) {
  const auto with_file = [&](base::Error error) {
    error.message = fmt::format("{}: {}", file, error.message);
    return error;
  };
  const auto table = config::parse_toml(text);
  if (!table) return with_file(table.error());
  KnownBugs known;
  base::Error error;
  {
    config::TomlReader top(*table, "", error);
    top.tables("bug", [&](config::TomlReader& entry, const toml::node& at) {
      known.bugs_.push_back(read_bug(entry, at));
    });
  }
  if (!error.message.empty()) return with_file(error);
  return known;
}

namespace {

KnownBugs embedded_known_bugs() {
  KnownBugs all;
  for (const base::EmbeddedFile& file : embedded_known()) {
    const auto parsed = KnownBugs::parse(file.content, std::string(file.path));
    ELENCHUS_CHECK(parsed.has_value(), parsed.error().message);
    all.add(*parsed);
  }
  return all;
}

// What others of a shared campaign know comes while bugs are looked up.
struct OwnKnownBugs {
  std::mutex mutex;
  std::shared_ptr<const KnownBugs> bugs = std::make_shared<const KnownBugs>(embedded_known_bugs());
};

OwnKnownBugs& own_known_bugs() {
  static OwnKnownBugs known;
  return known;
}

}  // namespace

std::shared_ptr<const KnownBugs> KnownBugs::standard() {
  OwnKnownBugs& own = own_known_bugs();
  const std::lock_guard lock(own.mutex);
  return own.bugs;
}

void KnownBugs::extend_standard(const KnownBugs& more) {
  OwnKnownBugs& own = own_known_bugs();
  const std::lock_guard lock(own.mutex);
  KnownBugs all = *own.bugs;
  all.add(more);
  own.bugs = std::make_shared<const KnownBugs>(std::move(all));
}

base::Result<void> note_known(store::CampaignStore& store, const KnownBugs& known) {
  ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, store.view().described_bugs());
  for (const record::Bug& bug : bugs) {
    const KnownBug* found = bug.known.empty() ? known.find(bug) : nullptr;
    if (found == nullptr) continue;
    if (auto noted = store.make_known(bug.id, text_of(*found)); !noted) return noted;
  }
  return {};
}

void KnownBugs::add(const KnownBugs& more) {
  bugs_.insert(bugs_.end(), more.bugs_.begin(), more.bugs_.end());
}

const KnownBug* KnownBugs::find(const record::Bug& bug) const {
  const auto found = std::find_if(bugs_.begin(), bugs_.end(),
                                  [&](const KnownBug& known) { return fits(known, bug); });
  return found == bugs_.end() ? nullptr : &*found;
}

std::string text_of(const KnownBug& bug) {
  return fmt::format("{} ({})", bug.title, bug.reference);
}

}  // namespace elenchus::triage
