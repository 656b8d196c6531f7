#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// Options that several commands have in the same words.
namespace elenchus::cli {

// --operators FILE
CLI::Option* add_operators(CLI::App& command, std::string& file);
// The same where the help shows the notation of such files.
CLI::Option* add_operators_with_example(CLI::App& command, std::string& file);

// --timeout and --memory of solvers that are asked one question after the other.
void add_limits(CLI::App& command, std::string& timeout, std::string& memory);

// --policy where it is about the solvers that the user names; see check_choice().
void add_solver_policy(CLI::App& command, std::string& policy);

// --oracle: those that are off unless they are named.
void add_oracles(CLI::App& command, std::vector<std::string>& oracles);

// How commands that write scripts are told how many of them there are to be, and where.
struct Making {
  uint32_t count = 1;
  uint64_t rng = 0;
  uint32_t jobs = 1;
  std::string out;
};

// What the same options are called by different commands.
struct MakingWords {
  std::string count;
  std::string rng;
  std::string jobs;
};
void add_making(CLI::App& command, Making& making, const MakingWords& words);

}  // namespace elenchus::cli
