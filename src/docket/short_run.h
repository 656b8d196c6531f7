#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/solver_lab.h"
#include "proc/process.h"
#include "solver/solver.h"
#include "store/record_folders.h"

namespace elenchus::docket {

// A folder of its own for as long as this lives.
class ShortLivedFolder {
 public:
  ShortLivedFolder();
  ~ShortLivedFolder();
  ShortLivedFolder(const ShortLivedFolder&) = delete;
  ShortLivedFolder& operator=(const ShortLivedFolder&) = delete;

  // Whether all of them could be written.
  bool put(const std::vector<store::RecordFile>& files) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;  // empty where none could be made
};

// A program that ran to its end by itself.
struct ShortRun {
  std::string out;
  proc::Exit exit;
};

// Runs a command with nothing to read. Nothing where it cannot be started, takes longer than that,
// or takes or writes more than solvers may. What it cost is added up, whatever comes of it.
std::optional<ShortRun> run_briefly(std::vector<std::string> command, double seconds,
                                    const solver::RunLimits& limits, lab::Expense& expense);

}  // namespace elenchus::docket
