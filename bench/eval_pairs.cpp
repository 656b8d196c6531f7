// Reads scripts and models, evaluates all assertions, and says how long that took. For
// bench/eval_speed, which compares with z3.
//
//   eval_pairs ROUNDS LIST     each line of LIST: a script, a tab, a model
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "eval/check.h"
#include "eval/evaluator.h"
#include "ir/term_store.h"
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

struct Totals {
  double reading = 0;
  double evaluating = 0;
  size_t assertions = 0;
  size_t decided = 0;
  size_t failures = 0;
};

// As a worker does it: one store, rolled back after each test.
void evaluate(ir::TermStore& store, const Pair& pair, Totals& totals) {
  const double start = cpu_seconds();
  const auto script = smtlib::parse_script(store, pair.script);
  const auto answers = smtlib::split_answers(pair.model);
  if (!script || !answers || answers->empty()) {
    ++totals.failures;
    return;
  }
  const auto checks = eval::checks_of(*script);
  const size_t check = checks.empty() ? script->commands.size() : checks.back();
  const auto model = smtlib::parse_model(store, *script, check, pair.model, answers->back());
  if (!model) {
    ++totals.failures;
    return;
  }
  const double middle = cpu_seconds();
  eval::Evaluator evaluator(store, *model);
  for (const eval::Claim& claim : eval::claims_at(*script, check)) {
    ++totals.assertions;
    totals.decided += evaluator.evaluate(claim.term).known() ? 1 : 0;
  }
  totals.reading += middle - start;
  totals.evaluating += cpu_seconds() - middle;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: eval_pairs ROUNDS LIST\n");
    return 2;
  }
  const int rounds = std::stoi(argv[1]);
  const std::vector<Pair> pairs = read_pairs(argv[2]);
  Totals totals;
  ir::TermStore store;
  const ir::TermStore::Mark empty = store.mark();
  for (int round = 0; round < rounds; ++round) {
    for (const Pair& pair : pairs) {
      evaluate(store, pair, totals);
      store.rollback(empty);
    }
  }
  fmt::print("{{\"pairs\": {}, \"failures\": {}, \"assertions\": {}, \"decided\": {}, ",
             pairs.size(), totals.failures / rounds, totals.assertions / rounds,
             totals.decided / rounds);
  fmt::print("\"reading\": {:.6f}, \"evaluating\": {:.6f}}}\n", totals.reading / rounds,
             totals.evaluating / rounds);
  return 0;
}
