#include "knobs/knob.h"

namespace elenchus::knobs {

std::string_view to_string(Type type) {
  switch (type) {
    case Type::kBool: return "bool";
    case Type::kInteger: return "int";
    case Type::kReal: return "real";
    case Type::kEnum: return "enum";
    case Type::kString: return "string";
  }
  return "";
}

std::string written(const solver::Profile& profile, const Knob& knob, std::string_view value) {
  if (profile.knobs.flags && knob.type == Type::kBool) {
    return (value == "true" ? "--" : "--no-") + knob.name;
  }
  return profile.write_option(knob.name, value);
}

bool fits(std::string_view pattern, std::string_view name) {
  size_t at = 0;
  size_t in = 0;
  size_t star = std::string_view::npos;  // the last one met, and where its text ends for now
  size_t resume = 0;
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      resume = at;
    } else if (in < pattern.size() && pattern[in] == name[at]) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (in < pattern.size() && pattern[in] == '*') ++in;
  return in == pattern.size();
}

}  // namespace elenchus::knobs
