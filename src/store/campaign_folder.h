#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace elenchus::store {

// Where everything of one campaign lies. The only place that knows the names; see docs/formats.md.
class CampaignFolder {
 public:
  explicit CampaignFolder(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path settings() const { return root_ / "campaign.toml"; }
  std::filesystem::path database() const { return root_ / "campaign.db"; }
  std::filesystem::path lock() const { return root_ / "campaign.lock"; }
  std::filesystem::path stats() const { return root_ / "stats.json"; }
  std::filesystem::path fuzzer_stats() const { return root_ / "fuzzer_stats"; }
  std::filesystem::path plot_data() const { return root_ / "plot_data"; }
  std::filesystem::path coverage() const { return root_ / "coverage.json"; }
  // What solvers that were built with --coverage count, a folder each.
  std::filesystem::path gcov() const { return root_ / "gcov"; }
  std::filesystem::path bugs() const { return root_ / "bugs"; }
  std::filesystem::path bug(std::string_view id) const { return bugs() / id; }
  // What was found and is not settled yet, a folder each.
  std::filesystem::path docket() const { return root_ / "docket"; }
  // Of a shared campaign: how its nodes are.
  std::filesystem::path nodes() const { return root_ / "nodes.json"; }
  // Scripts that reached something new, a folder each.
  std::filesystem::path pool() const { return root_ / "pool"; }

 private:
  std::filesystem::path root_;
};

// A file of a bug's folder, as it is given and as it is listed.
inline constexpr std::string_view kManifestName = "manifest.json";
// Beside a bug that another node of a shared campaign has found: the name of the node.
inline constexpr std::string_view kNodeName = "node.txt";
// What somebody says of a bug, written by `elenchus bugs DIR mark`.
inline constexpr std::string_view kMarkName = "mark.json";
// Further examples of a bug lie in a folder of this name below the bug's.
inline constexpr std::string_view kExamplesName = "also";
// A node of a shared campaign that was not heard of for so many seconds is stalled; each is heard
// of every few.
inline constexpr double kNodeSilence = 30;
// Whatever is being written has a name that starts so, and is no file of the campaign yet.
inline constexpr std::string_view kTemporaryPrefix = ".tmp-";

// Whether a bug's file may have this name: letters, digits and "._-+" in at most two parts, none of
// which starts with a dot. So a name that came from outside never leaves the bug's folder.
bool is_bug_file_name(std::string_view name);

// The same for one part; ids of bugs are such names.
bool is_plain_name(std::string_view name);

}  // namespace elenchus::store
