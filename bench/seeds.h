// What benchmarks of engines have in common: seeds with models, and a clock.
#pragma once

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "campaign/seed_facts.h"
#include "ir/term_store.h"
#include "lab/solver_lab.h"
#include "smtlib/parser.h"
#include "solver/solver.h"

namespace elenchus::bench {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct SeedWithModels {
  ir::Script script;
  std::vector<ir::Model> models;
};

// Of the first solver found.
inline void ask_for_models(ir::TermStore& store, std::vector<SeedWithModels>& seeds) {
  const auto solvers = solver::find_all_solvers(solver::Profiles::standard());
  if (solvers.empty()) return;
  lab::SolverLab lab(store, std::span(solvers).first(1), false, {.seconds = 0.5});
  base::Rng rng(1);
  for (SeedWithModels& seed : seeds) {
    seed.models = campaign::ask_about(store, lab, seed.script, 1, rng).models;
  }
}

// All .smt2 files below the folder that can be read.
inline std::vector<SeedWithModels> read_seeds(ir::TermStore& store, const std::string& folder,
                                              size_t& bytes) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".smt2") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<SeedWithModels> seeds;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto script = smtlib::parse_script(store, text);
    if (!script) continue;
    bytes += text.size();
    seeds.push_back({std::move(*script), {}});
  }
  return seeds;
}

}  // namespace elenchus::bench
