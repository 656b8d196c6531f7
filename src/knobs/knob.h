#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solver/profile.h"

namespace elenchus::knobs {

enum class Type : uint8_t { kBool, kInteger, kReal, kEnum, kString };
std::string_view to_string(Type type);

// An option of a solver, as the solver itself lists it.
struct Knob {
  std::string name;   // "smt.arith.solver", "nl-ext"
  std::string group;  // the module that it belongs to
  Type type = Type::kBool;
  std::string standard;  // its default; empty where the solver does not say
  std::vector<std::string> values;
  double low = 0;  // of numbers
  double high = 0;
  bool is_expert = false;
  std::string about;
  std::string ignored;  // why it is left alone; empty: it is not
  bool tells = false;   // left alone, and yet of use where a bug is to be explained

  bool is_usable() const { return ignored.empty(); }
};

// As the command line wants it: "smt.arith.nl=false", "--no-nl-cov", "--nl-ext=light".
std::string written(const solver::Profile& profile, const Knob& knob, std::string_view value);

// Whether a name fits a pattern, in which * stands for any text.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace elenchus::knobs
