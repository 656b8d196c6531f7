// Reads scripts and models, evaluates all assertions, and says how long that took. For
// bench/eval_speed, which compares with z3.
//
//   eval_pairs ROUNDS LIST     each line of LIST: a script, a tab, a model
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"

namespace {

using namespace elenchus;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Pair {
  std::string script;
  std::string model;
};

std::vector<Pair> read_pairs(const std::string& list) {
  std::vector<Pair> pairs;
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    pairs.push_back({content_of(line.substr(0, tab)), content_of(line.substr(tab + 1))});
  }
  return pairs;
}

struct Test {
  ir::Model model;
  std::vector<ir::TermId> claims;
};

std::optional<Test> read(ir::TermStore& store, const Pair& pair) {
  const auto script = smtlib::parse_script(store, pair.script);
  const auto answers = smtlib::split_answers(pair.model);
  if (!script || !answers || answers->empty()) return std::nullopt;
  const auto checks = ir::checks_of(*script);
  const size_t check = checks.empty() ? script->commands.size() : checks.back();
  auto model = smtlib::parse_model(store, *script, check, pair.model, answers->back());
  if (!model) return std::nullopt;
  Test test{std::move(*model), {}};
  for (const ir::Claim& claim : ir::claims_at(*script, check)) {
    test.claims.push_back(claim.term);
  }
  return test;
}

// Seconds for all pairs, as a worker reads them: one store, rolled back after each test.
double time_reading(const std::vector<Pair>& pairs, int rounds) {
  ir::TermStore store;
  const ir::TermStore::Mark empty = store.mark();
  const double start = cpu_seconds();
  for (int round = 0; round < rounds; ++round) {
    for (const Pair& pair : pairs) {
      read(store, pair);
      store.rollback(empty);
    }
  }
  return (cpu_seconds() - start) / rounds;
}

// How many claims have a value; with an evaluator that knows nothing of earlier rounds.
size_t evaluate(const ir::TermStore& store, const Test& test) {
  size_t decided = 0;
  eval::Evaluator evaluator(store, test.model);
  for (const ir::TermId claim : test.claims) decided += evaluator.evaluate(claim).known() ? 1 : 0;
  return decided;
}

struct Totals {
  size_t tests = 0;
  size_t assertions = 0;
  size_t decided = 0;
  double seconds = 0;
};

// Every test has a store of its own and is read before the clock starts: one test takes so little
// time that reading a clock before and after would be a good part of it.
Totals time_evaluating(const std::vector<Pair>& pairs, int rounds) {
  Totals totals;
  std::vector<std::unique_ptr<ir::TermStore>> stores;
  std::vector<Test> tests;
  for (const Pair& pair : pairs) {
    auto store = std::make_unique<ir::TermStore>();
    auto test = read(*store, pair);
    if (!test) continue;
    totals.assertions += test->claims.size();
    tests.push_back(std::move(*test));
    stores.push_back(std::move(store));
  }
  totals.tests = tests.size();
  const double start = cpu_seconds();
  for (size_t i = 0; i < tests.size(); ++i) {
    for (int round = 0; round < rounds; ++round) totals.decided += evaluate(*stores[i], tests[i]);
  }
  totals.seconds = (cpu_seconds() - start) / rounds;
  return totals;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: eval_pairs ROUNDS LIST\n");
    return 2;
  }
  const int rounds = std::stoi(argv[1]);
  const std::vector<Pair> pairs = read_pairs(argv[2]);
  const double reading = time_reading(pairs, rounds);
  const Totals totals = time_evaluating(pairs, rounds);
  fmt::print("{{\"pairs\": {}, \"failures\": {}, \"assertions\": {}, \"decided\": {}, ",
             pairs.size(), pairs.size() - totals.tests, totals.assertions, totals.decided / rounds);
  fmt::print("\"reading\": {:.6f}, \"evaluating\": {:.6f}}}\n", reading, totals.seconds);
  return 0;
}
