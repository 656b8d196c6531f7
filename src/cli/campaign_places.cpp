#include "cli/campaign_places.h"

#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

#include "share/address.h"
#include "triage/known.h"

namespace elenchus::cli {
namespace {

std::filesystem::path cache_folder() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string cache = set("XDG_CACHE_HOME"); !cache.empty()) {
    return std::filesystem::path(cache) / "elenchus" / "shared";
  }
  if (const std::string home = set("HOME"); !home.empty()) {
    return std::filesystem::path(home) / ".cache" / "elenchus" / "shared";
  }
  return std::filesystem::temp_directory_path() / fmt::format("elenchus-shared-{}", getuid());
}

// What some node knows holds for all bugs. A file that cannot be read here says nothing.
base::Result<void> note_known(share::Mirror& mirror) {
  if (mirror.store() == nullptr) return {};
  for (const std::string& entries : mirror.known()) {
    const auto known = triage::KnownBugs::parse(entries, "known bugs");
    if (!known) continue;
    if (auto noted = triage::note_known(*mirror.store(), *known); !noted) return noted;
  }
  return {};
}

}  // namespace

base::Result<CampaignPlaces> CampaignPlaces::find(const std::vector<std::string>& named) {
  CampaignPlaces places;
  for (const std::string& name : named) {
    if (!share::is_address(name)) {
      places.folders_.push_back(name);
      continue;
    }
    ELENCHUS_ASSIGN_OR_RETURN(const share::Address address, share::parse_address(name));
    ELENCHUS_ASSIGN_OR_RETURN(auto mirror, share::Mirror::open(address, cache_folder()));
    if (auto noted = note_known(*mirror); !noted) return noted.error();
    places.folders_.push_back(mirror->folder().string());
    places.mirrors_.push_back(std::move(mirror));
  }
  return places;
}

std::map<std::string, std::string> CampaignPlaces::refresh() {
  std::map<std::string, std::string> troubles;
  for (const auto& mirror : mirrors_) {
    auto done = mirror->refresh();
    if (done) done = note_known(*mirror);
    if (!done) troubles[mirror->folder().string()] = done.error().message;
  }
  return troubles;
}

base::Result<void> CampaignPlaces::mark(const std::filesystem::path& folder,
                                        const std::string& signature, const record::Mark& mark) {
  for (const auto& mirror : mirrors_) {
    if (mirror->folder() == folder) return mirror->mark(signature, mark);
  }
  return {};
}

}  // namespace elenchus::cli
