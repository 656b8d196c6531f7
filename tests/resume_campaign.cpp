// For tests that need a campaign's folder: makes one, or goes on with one, as a campaign would at
// its start, and writes its status. Bugs that lie in bugs/ are taken up.

#include <filesystem>

#include <fmt/format.h>

#include "store/campaign_store.h"

namespace {

using elenchus::store::CampaignStore;

int run(const std::filesystem::path& folder) {
  const bool is_there = std::filesystem::exists(folder / "campaign.toml");
  auto store =
      is_there ? CampaignStore::open(folder) : CampaignStore::create(folder, "# made by a test\n");
  if (!store) {
    fmt::print(stderr, "resume_campaign: error: {}\n", store.error().message);
    return 2;
  }
  for (const std::string& problem : (*store)->problems()) fmt::print("{}\n", problem);
  const auto written = (*store)->write_status();
  if (!written) fmt::print(stderr, "resume_campaign: error: {}\n", written.error().message);
  return written ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: resume_campaign DIR\n");
    return 2;
  }
  return run(argv[1]);
}
