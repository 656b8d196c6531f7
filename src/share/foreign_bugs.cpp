#include "share/foreign_bugs.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "share/bundle.h"

namespace elenchus::share {
namespace {

// Names in the folder's memory.
constexpr std::string_view kPrefix = "shared bug:";

base::Result<void> adopt(store::CampaignStore& store, const ForeignBug& bug) {
  const auto text = std::find_if(bug.files.begin(), bug.files.end(), [](const auto& file) {
    return file.name == store::kManifestName;
  });
  if (text == bug.files.end()) {
    return base::Error{base::ErrorKind::kParse, "it has no manifest", {}};
  }
  ELENCHUS_ASSIGN_OR_RETURN(auto manifest, store::parse_manifest(text->content));
  if (manifest.signature != bug.signature) {
    return base::Error{base::ErrorKind::kParse, "its manifest is that of another", {}};
  }
  return store.adopt_bug(std::move(manifest), bug.files, bug.node);
}

}  // namespace

base::Result<std::vector<ForeignBug>> read_bugs(Connection& connection,
                                                const std::vector<int64_t>& ids) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection.run("SELECT b.signature, n.name, b.changed, b.files FROM bugs b JOIN nodes n ON "
                     "n.id = b.node WHERE b.id = ANY ($1::bigint[]) ORDER BY b.id",
                     {Value::list(ids)}));
  std::vector<ForeignBug> bugs;
  for (size_t row = 0; row < rows.size(); ++row) {
    bugs.push_back({rows.text(row, 0), rows.text(row, 1), rows.integer(row, 2), {}});
    if (auto files = unbundle(rows.bytes(row, 3))) bugs.back().files = std::move(*files);
  }
  return bugs;
}

base::Result<void> put_mark(Connection& connection, int64_t campaign, std::string_view signature,
                            const record::Mark& mark) {
  const auto put = connection.run(
      "INSERT INTO marks(campaign, signature, state, reference, note) VALUES ($1, $2, $3, $4, $5) "
      "ON CONFLICT (campaign, md5(signature)) DO UPDATE SET state = excluded.state, "
      "reference = excluded.reference, note = excluded.note, made = now(), "
      "changed = this_change()",
      {campaign, signature, mark.state, mark.reference, mark.note});
  return put ? base::Result<void>() : put.error();
}

base::Result<ForeignBugs> ForeignBugs::of(store::CampaignStore& store) {
  ForeignBugs bugs(store);
  ELENCHUS_ASSIGN_OR_RETURN(const auto notes, store.view().memories(kPrefix));
  for (const store::Memory& note : notes) {
    int64_t changed = 0;
    const std::string& text = note.content;
    std::from_chars(text.data(), text.data() + text.size(), changed);
    bugs.changes_[note.name.substr(kPrefix.size())] = changed;
  }
  return bugs;
}

bool ForeignBugs::is_current(std::string_view signature, int64_t changed) const {
  const auto known = changes_.find(signature);
  return known != changes_.end() && known->second == changed;
}

base::Result<void> ForeignBugs::take(const ForeignBug& bug) {
  const auto adopted = adopt(*store_, bug);
  if (!adopted && adopted.error().kind != base::ErrorKind::kParse) return adopted;
  const store::Memory note{std::string(kPrefix) + bug.signature, std::to_string(bug.changed)};
  if (auto noted = store_->remember(std::span(&note, 1)); !noted) return noted;
  changes_[bug.signature] = bug.changed;
  return adopted;
}

}  // namespace elenchus::share
