// Sessions against one process per test, like for like: the same mutants, the same limit, and only
// those that both ways decide.
//
//   session_speed FOLDER [MUTANTS]     all .smt2 files below FOLDER are seeds
//
// Every solver found runs each mutant both ways, one after the other, so that both meet the same
// weather. A test here is making the query, running it and having its answer and model as text.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "queries.h"
#include "seeds.h"
#include "solver/query.h"
#include "solver/solver.h"

namespace {

using namespace elenchus;
using namespace elenchus::bench;

constexpr double kLimit = 0.1;  // seconds

struct Sum {
  double seconds = 0;
  double solver = 0;
  double self = 0;
};

solver::Run timed(solver::Runner& runner, const solver::Query& query, Sum& sum) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  auto run = runner.run(query, {.seconds = kLimit});
  sum.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  sum.self = cpu_seconds() - cpu;
  sum.solver = run.cpu_seconds;
  return run;
}

void add(Sum& total, const Sum& one) {
  total.seconds += one.seconds;
  total.solver += one.solver;
  total.self += one.self;
}

void measure(const solver::Solver& solver, const std::vector<solver::Query>& queries) {
  solver::Runner session(solver, false);
  solver::Runner fresh(solver, true);
  Sum in_session;
  Sum in_fresh;
  uint32_t tests = 0;
  for (const solver::Query& query : queries) {
    Sum one;
    Sum other;
    const auto first = timed(session, query, one);
    const auto second = timed(fresh, query, other);
    if (!is_decided(first.outcome) || !is_decided(second.outcome) || first.fresh) continue;
    ++tests;
    add(in_session, one);
    add(in_fresh, other);
  }
  if (tests == 0) return;
  fmt::print(
      "{:<8}{:>6} of {} tests decided both ways; sessions {:>7.1f} tests/s, fresh {:>6.1f}, "
      "{:.1f} times; own CPU in sessions {:.1f}% of the solver's\n",
      solver.name, tests, queries.size(), tests / in_session.seconds, tests / in_fresh.seconds,
      in_fresh.seconds / in_session.seconds, 100 * in_session.self / in_session.solver);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: session_speed FOLDER [MUTANTS]\n");
    return 2;
  }
  const auto queries = make_queries(argv[1], argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000);
  if (queries.empty()) {
    fmt::print(stderr, "no seeds in {}\n", argv[1]);
    return 2;
  }
  for (const auto& solver : solver::find_all_solvers(solver::Profiles::standard())) {
    measure(solver, queries);
  }
  return 0;
}
