#include "triage/known.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/check.h"
#include "base/toml_guard.h"
#include "store/kinds.h"

namespace elenchus::triage {

// Made by cmake/Embed.cmake.
std::span<const base::EmbeddedFile> embedded_known();

namespace {

base::Error broken(const std::string& file, std::string_view what,
                   const toml::source_position& at) {
  return {base::ErrorKind::kParse, fmt::format("{}: {}", file, what), {at.line, at.column}};
}

// Reads the keys of one entry; the first problem is kept.
class Entry {
 public:
  explicit Entry(const toml::table& table) : table_(table) {}

  void read(std::string_view key, std::string& into) {
    asked_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    if (const auto text = node->value<std::string>()) {
      into = *text;
    } else {
      complain(fmt::format("'{}' is a string", key));
    }
  }
  void read(std::string_view key, std::vector<std::string>& into) {
    asked_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) return complain(fmt::format("'{}' is a list of strings", key));
    for (const toml::node& item : *array) {
      const auto text = item.value<std::string>();
      if (!text) return complain(fmt::format("'{}' is a list of strings", key));
      into.push_back(*text);
    }
  }
  void complain(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }
  // A misspelt key would silently mean nothing.
  void check_keys() {
    for (const auto& [key, value] : table_) {
      if (!asked_.contains(key.str())) complain(fmt::format("there is no key '{}'", key.str()));
    }
  }
  const std::string& problem() const { return problem_; }

 private:
  const toml::table& table_;
  std::set<std::string_view> asked_;
  std::string problem_;
};

bool is_kind(std::string_view name) {
  const auto kinds = store::kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const store::Kind& kind) { return kind.name == name; });
}

base::Result<KnownBug> read_bug(const toml::table& table, const std::string& file) {
  KnownBug bug;
  Entry entry(table);
  entry.read("title", bug.title);
  entry.read("reference", bug.reference);
  entry.read("solver", bug.solver);
  entry.read("kind", bug.kind);
  entry.read("versions", bug.versions);
  entry.read("operators", bug.operators);
  entry.read("location", bug.location);
  entry.read("shape", bug.shape);
  entry.check_keys();
  if (bug.title.empty() || bug.solver.empty() || bug.reference.empty()) {
    entry.complain("a known bug needs a title, a solver and a reference");
  }
  if (bug.operators.empty() && bug.location.empty() && bug.shape.empty()) {
    entry.complain("a known bug needs operators, a location or a shape to be told by");
  }
  if (!bug.kind.empty() && !is_kind(bug.kind)) {
    entry.complain(fmt::format("there is no kind '{}'", bug.kind));
  }
  if (!entry.problem().empty()) return broken(file, entry.problem(), table.source().begin);
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

bool fits(const KnownBug& known, const store::Manifest& bug) {
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
  if (const auto readable = base::check_toml(text); !readable) {
    return base::Error{base::ErrorKind::kParse, base::describe(readable.error(), file), {}};
  }
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return broken(file, error.description(), error.source().begin);
  }
  KnownBugs known;
  for (const auto& [key, node] : table) {
    const toml::array* list = node.as_array();
    if (key.str() != "bug" || list == nullptr) {
      return broken(file, "only [[bug]] entries are known here", node.source().begin);
    }
    for (const toml::node& item : *list) {
      const toml::table* entry = item.as_table();
      if (entry == nullptr) return broken(file, "a bug is a table", item.source().begin);
      ELENCHUS_ASSIGN_OR_RETURN(KnownBug bug, read_bug(*entry, file));
      known.bugs_.push_back(std::move(bug));
    }
  }
  return known;
}

const KnownBugs& KnownBugs::standard() {
  static const KnownBugs known = [] {
    KnownBugs all;
    for (const base::EmbeddedFile& file : embedded_known()) {
      const auto parsed = parse(file.content, std::string(file.path));
      ELENCHUS_CHECK(parsed.has_value(), parsed.error().message);
      all.add(*parsed);
    }
    return all;
  }();
  return known;
}

void KnownBugs::add(const KnownBugs& more) {
  bugs_.insert(bugs_.end(), more.bugs_.begin(), more.bugs_.end());
}

const KnownBug* KnownBugs::find(const store::Manifest& bug) const {
  const auto found = std::find_if(bugs_.begin(), bugs_.end(),
                                  [&](const KnownBug& known) { return fits(known, bug); });
  return found == bugs_.end() ? nullptr : &*found;
}

std::string text_of(const KnownBug& bug) {
  return fmt::format("{} ({})", bug.title, bug.reference);
}

}  // namespace elenchus::triage
