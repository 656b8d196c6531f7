#include "cli/common_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/numbers.h"
#include "cli/word_checks.h"
#include "oracle/oracle.h"

namespace elenchus::cli {
namespace {

std::vector<std::string> oracles_always_on() {
  std::vector<std::string> names;
  for (const oracle::OracleBrief& one : oracle::oracle_briefs()) {
    if (!one.is_optional) names.emplace_back(one.name);
  }
  return names;
}

}  // namespace

CLI::Option* add_operators(CLI::App& command, std::string& file) {
  return command.add_option("--operators", file, "a file that declares further operators")
      ->type_name("FILE");
}

CLI::Option* add_operators_with_example(CLI::App& command, std::string& file) {
  return command
      .add_option("--operators", file,
                  "a file that declares further operators, such as (my.op Int Int Bool :chainable)")
      ->type_name("FILE");
}

void add_limits(CLI::App& command, std::string& timeout, std::string& memory) {
  command.add_option("--timeout", timeout, "time limit of a check-sat")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_option("--memory", memory, "memory limit of a solver")
      ->type_name("SIZE")
      ->capture_default_str();
}

void add_solver_policy(CLI::App& command, std::string& policy) {
  command
      .add_option("--policy", policy,
                  "refuse solvers with more options than this allows: default (none), regular "
                  "(one), anything")
      ->type_name("P");
}

void add_oracles(CLI::App& command, std::vector<std::string>& oracles) {
  CLI::Option* option =
      command
          .add_option("--oracle", oracles,
                      "also use these oracles, which are off otherwise: slow, incomplete, "
                      "elimination")
          ->type_name("LIST")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->check([always_on = oracles_always_on()](const std::string& word) -> std::string {
            const bool is_on =
                std::find(always_on.begin(), always_on.end(), word) != always_on.end();
            return is_on ? fmt::format("'{}' is always on", word) : "";
          });
  require_known_word(*option);
}

void add_making(CLI::App& command, Making& making, const MakingWords& words) {
  command.add_option("-n,--count", making.count, words.count)
      ->type_name("N")
      ->check(CLI::Range(1U, 1'000'000'000U))
      ->capture_default_str();
  add_rng(command, making.rng, words.rng)->capture_default_str();
  command.add_option("-j,--jobs", making.jobs, words.jobs)
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("-o,--out", making.out, "a folder for 1.smt2, 2.smt2 and so on")
      ->type_name("DIR");
}

}  // namespace elenchus::cli
