#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "solver/outcome.h"
#include "solver/solver.h"

namespace elenchus::lab {

// Runs queries on one solver that will probably be wanted soon, several at a time: each thread has
// a runner of its own. Used by one thread.
class RunAhead {
 public:
  RunAhead(const solver::Solver& solver, bool fresh, size_t threads);
  ~RunAhead();
  RunAhead(const RunAhead&) = delete;
  RunAhead& operator=(const RunAhead&) = delete;

  // Begins to run the query, unless it is known already or no thread is free.
  void expect(const solver::Query& query, const solver::RunLimits& limits);

  // What came of a query that was expected; waits where it is under way. Nothing for others, and
  // where it could not be run: whoever runs it again will see why.
  std::optional<solver::Run> take(const solver::Query& query);

 private:
  struct Errand {
    solver::Query query;
    solver::RunLimits limits;
    std::optional<solver::Run> run;  // none where running it failed
    bool is_taken_up = false;
    bool is_done = false;
  };

  void work(const solver::Solver& solver, bool fresh);
  static std::optional<solver::Run> result_of(solver::Runner& runner, const Errand& errand);
  Errand* find(const solver::Query& query);
  void forget_old();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Errand> errands_;  // the oldest first
  size_t busy_ = 0;             // errands that are not done
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace elenchus::lab
