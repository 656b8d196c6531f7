#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "campaign/settings.h"
#include "ir/op_table.h"
#include "lab/solver_lab.h"
#include "solver/solver.h"

// What will go wrong with a campaign on this machine, or test nothing.
namespace elenchus::campaign {

// What a campaign would be given.
struct Prospect {
  std::vector<std::string> seeds;
  std::string out = ".";
  uint32_t jobs = 1;
  uint64_t rng = 0;
  uint32_t sample = 50;  // seeds that are tried
  solver::RunLimits limits;
  Policy policy = Policy::kRegular;
  std::shared_ptr<const ir::OpTable> ops;
  // What is done to labs before they run anything.
  std::function<void(lab::SolverLab&)> prepare = {};
};

// One thing that was looked at.
struct Diagnosis {
  enum class Level : uint8_t { kGood, kWarning, kBad };

  Level level = Level::kGood;
  std::string what;
  std::string advice;
};

// Looks at one thing after the other, and keeps what is to be said of it.
class Doctor {
 public:
  explicit Doctor(const Prospect& prospect) : prospect_(prospect) {}

  void look_at_machine();
  void look_at_disk();
  // Those that are named, each as its specification says, or all that are found.
  void look_for_solvers(const solver::Profiles& profiles, const std::vector<std::string>& specs);
  // What follows is about these, and of them only about those that work.
  void look_at_solvers(std::vector<solver::Solver> solvers);
  void look_at_open_files();
  void look_at_seeds();

  void note(Diagnosis::Level level, std::string what, std::string advice = {});
  const std::vector<Diagnosis>& found() const { return found_; }

 private:
  bool look_at_solver(const solver::Solver& solver);
  bool answers_simple_questions(const solver::Solver& solver, bool& has_models);
  void report_seeds(size_t all, size_t count, size_t read, size_t accepted, size_t decided);
  lab::SolverLab new_lab(const ir::TermStore& store, std::span<const solver::Solver> solvers,
                         bool fresh, const solver::RunLimits& limits) const;

  const Prospect& prospect_;
  std::vector<Diagnosis> found_;
  std::vector<solver::Solver> solvers_;
};

}  // namespace elenchus::campaign
