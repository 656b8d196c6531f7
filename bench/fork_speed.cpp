// Children of a fork server against processes, like for like: the same mutants, the same limit, the
// same coverage map, and only those that both ways decide.
//
//   fork_speed SOLVER FOLDER [MUTANTS]     all .smt2 files below FOLDER are seeds
//
// The solver is built with afl-clang-fast (tools/build_solver SOLVER afl). Each mutant runs both
// ways, one after the other, so that both meet the same weather. A run here is clearing the map,
// running the query and reading the map.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/afl_map.h"
#include "queries.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace {

using namespace elenchus;
using namespace elenchus::bench;

constexpr double kLimit = 1;  // seconds

// One way to run the solver, and what it took.
struct Contestant {
  Contestant(const solver::Solver& solver, size_t map_size, bool is_instrumented)
      : map(coverage::AflMap::make(map_size).value()), runner(solver, true) {
    runner.set_launch_hook([words = map.environment(), is_instrumented](proc::Launch& launch) {
      launch.environment = words;
      launch.is_instrumented = is_instrumented;
    });
  }

  solver::Run run(const solver::Query& query) {
    const auto start = std::chrono::steady_clock::now();
    map.clear();
    solver::Run result = runner.run(query, {.seconds = kLimit});
    keys += map.new_keys().size();
    last = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

  coverage::AflMap map;
  solver::Runner runner;
  size_t keys = 0;
  double last = 0;   // seconds
  double total = 0;  // of what counts
};

int measure(const solver::Solver& solver, const std::vector<solver::Query>& queries) {
  const auto map_size = coverage::afl_map_size(solver.program);
  if (!map_size) {
    fmt::print(stderr, "{} is not instrumented\n", solver.program);
    return 2;
  }
  Contestant served(solver, *map_size, true);
  Contestant plain(solver, *map_size, false);
  uint32_t tests = 0;
  uint32_t differences = 0;
  for (const solver::Query& query : queries) {
    const auto one = served.run(query);
    const auto other = plain.run(query);
    if (one.outcome != other.outcome || one.out != other.out) ++differences;
    if (!is_decided(one.outcome) || !is_decided(other.outcome)) continue;
    ++tests;
    served.total += served.last;
    plain.total += plain.last;
  }
  fmt::print(
      "{}: {} of {} tests decided both ways, {} answered differently; fork server {:.1f} tests/s "
      "({} keys), processes {:.1f} ({} keys), {:.2f} times\n",
      solver.name, tests, queries.size(), differences, tests / served.total, served.keys,
      tests / plain.total, plain.keys, plain.total / served.total);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: fork_speed SOLVER FOLDER [MUTANTS]\n");
    return 2;
  }
  const auto solver = solver::find_solver(solver::Profiles::standard(), argv[1]);
  if (!solver) {
    fmt::print(stderr, "{}\n", solver.error().message);
    return 2;
  }
  const auto queries = make_queries(argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1000);
  return measure(*solver, queries);
}
