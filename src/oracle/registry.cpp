#include <algorithm>
#include <array>

#include "oracle/oracle.h"

namespace elenchus::oracle {

std::span<const Oracle* const> all_oracles() {
  static const std::array<const Oracle*, 8> kOracles = {
      &crash_oracle(),      &construction_oracle(), &model_oracle(),  &difference_oracle(),
      &self_check_oracle(), &reassertion_oracle(),  &pieces_oracle(), &core_oracle(),
  };
  return kOracles;
}

std::span<const Oracle* const> optional_oracles() {
  static const std::array<const Oracle*, 2> kOracles = {&slow_oracle(), &incomplete_oracle()};
  return kOracles;
}

const Oracle* find_oracle(std::string_view name) {
  for (const auto oracles : {all_oracles(), optional_oracles()}) {
    const auto found = std::find_if(oracles.begin(), oracles.end(),
                                    [&](const Oracle* oracle) { return oracle->name() == name; });
    if (found != oracles.end()) return *found;
  }
  return nullptr;
}

}  // namespace elenchus::oracle
