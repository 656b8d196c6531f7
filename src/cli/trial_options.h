#pragma once

#include <string>

#include "base/result.h"
#include "docket/replay.h"

namespace CLI {
class App;
}

namespace elenchus::cli {

// The options of commands that try stored bugs again.
struct TrialOptions {
  std::string timeout = "10s";
  std::string memory = "2G";
  std::string operators;
  std::string profiles;
};

void add_trial_options(CLI::App& command, TrialOptions& options);

// `file` is the one that an error is about, if it is about one.
base::Result<docket::ReplaySettings> replay_settings(const TrialOptions& options,
                                                     std::string& file);

}  // namespace elenchus::cli
