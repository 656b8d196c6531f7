#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mutate/registry.h"

namespace elenchus::mutate {

// What a user can set of an engine: a number within a range, or true or false.
struct Tunable {
  std::string_view name;  // the engine, a dot, a name: storm.max-depth
  std::string_view help;
  uint32_t low = 0;  // of numbers; both included
  uint32_t high = 0;
  // Exactly one of them is there.
  uint32_t& (*number)(EngineSettings& settings) = nullptr;
  bool& (*flag)(EngineSettings& settings) = nullptr;

  // Before the dot.
  std::string_view engine() const { return name.substr(0, name.find('.')); }
  // "1 to 20", "true or false".
  std::string range() const;
  // As it would be written after `=`.
  std::string value_in(EngineSettings settings) const;
};

// All of them, those of an engine one after the other.
std::span<const Tunable> tunables();

// Takes NAME=VALUE, such as storm.max-depth=5.
base::Result<void> set_tunable(EngineSettings& settings, std::string_view assignment);

// The default settings after all assignments, the last word counting.
base::Result<EngineSettings> tuned(std::span<const std::string> assignments);

}  // namespace elenchus::mutate
