#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "campaign/option_trials.h"
#include "campaign/seed_facts.h"
#include "ir/op_table.h"
#include "ir/term_store.h"
#include "mutate/engine.h"
#include "smtlib/printer.h"
#include "solver/solver.h"

namespace elenchus::cli {

// What mutants are made of, and how. The makers of all threads share it.
struct MutationPlan {
  std::vector<std::string> files;
  uint32_t count = 1;  // of each file
  std::string model;   // a file with a model of the scripts, or empty
  std::shared_ptr<const ir::OpTable> ops;
  std::function<std::unique_ptr<mutate::Engine>()> make_engine;
  std::vector<solver::Solver> solvers;  // that are asked about the files
  solver::RunLimits limits;
  const campaign::OptionChooser* chooser = nullptr;  // of an engine with +options, or null
  bool wants_witnesses = false;                      // as text, beside the mutants
  std::vector<base::Rng> rngs;                       // one for each file
};

// What is known of the files' satisfiability. Thread-safe.
class Statuses {
 public:
  explicit Statuses(size_t files) : known_(files) {}
  std::optional<mutate::Truth> get(size_t file);
  void set(size_t file, mutate::Truth status);

 private:
  std::mutex mutex_;
  std::vector<std::optional<mutate::Truth>> known_;
};

// A mutant as text, without the number that it gets among all.
struct MutantText {
  std::string expectation;                          // its line
  std::string_view kind;                            // what it is made by, if the engine says so
  std::optional<std::vector<std::string>> options;  // of an engine with +options
  std::optional<std::string> model;                 // its witness
  std::string script;
};

// What became of a file.
struct FileReport {
  uint32_t made = 0;
  std::map<std::string, uint64_t> skips;  // by reason
  std::optional<base::Error> error;
  std::string wrong_file;  // that the error is about
};

// Makes the mutants of one file after the other. What comes of a file depends on nothing but the
// plan: neither on the files before it nor on what other makers do. One per thread.
class MutantMaker {
 public:
  // Takes a mutant; false when no more are wanted.
  using Sink = std::function<bool(MutantText)>;

  MutantMaker(const MutationPlan& plan, Statuses& statuses);

  FileReport make(size_t file, const Sink& sink);

 private:
  // A file that was read, and what is known of it.
  struct Source {
    ir::Script script;
    campaign::SeedFacts facts;
  };

  base::Result<void> mutate_file(size_t file, const Sink& sink);
  base::Result<void> mutate_seed(const mutate::Seed& seed, base::Rng& rng, const Sink& sink);
  base::Result<Source> read_source(size_t file);
  // What solvers say of a file.
  base::Result<campaign::SeedFacts> facts_about(const ir::Script& script, size_t file);
  base::Result<ir::Model> given_model(const ir::Script& script);
  // Another file of the same status. What is wrong with it is said when its turn comes.
  std::optional<Source> find_partner(size_t file, mutate::Truth status, base::Rng& rng);
  // Unknown also where the file cannot be read.
  mutate::Truth status_of(size_t file);
  base::Result<MutantText> text_of(const mutate::Mutant& mutant, base::Rng& rng);

  const MutationPlan& plan_;
  Statuses& statuses_;
  std::unique_ptr<mutate::Engine> engine_;
  ir::TermStore store_;
  ir::TermStore::Mark clean_;
  smtlib::ScriptPrinter printer_;
  std::optional<lab::SolverLab> lab_;
  FileReport report_;
};

}  // namespace elenchus::cli
