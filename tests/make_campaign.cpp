// For tests that need a campaign's folder with figures in it: makes one of the size asked for.

#include <chrono>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "store/synthetic_campaign.h"

int main(int argc, char** argv) {
  CLI::App app("Makes the folder of a campaign that never ran.", "make_campaign");
  std::string folder;
  elenchus::store::SyntheticCampaign wish;
  app.add_option("DIR", folder, "the folder to make")->required();
  app.add_option("--bugs", wish.bugs, "how many");
  app.add_option("--hours", wish.hours, "how long it ran");
  app.add_option("--rng", wish.rng, "number that the figures follow from");
  app.add_flag("--hostile", wish.hostile, "texts that try to be markup");
  CLI11_PARSE(app, argc, argv);
  wish.end =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const auto made = elenchus::store::make_campaign(folder, wish);
  if (!made) fmt::print(stderr, "make_campaign: error: {}\n", made.error().message);
  return made ? 0 : 2;
}
