#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elenchus::cli {

// An option that takes a whole number from 0 to 2^64 - 1, in decimal; anything else is bad usage.
CLI::Option* add_number(CLI::App& command, const std::string& name, uint64_t& number,
                        const std::string& help);

// Refuses 0 and what is below it.
void require_positive(CLI::Option& option);

// --rng: the number that random choices follow from.
CLI::Option* add_rng(CLI::App& command, uint64_t& rng, const std::string& help);

}  // namespace elenchus::cli
