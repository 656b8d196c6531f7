#include <algorithm>
#include <array>

#include "oracle/oracle.h"
#include "record/kind.h"

namespace elenchus::oracle {

std::span<const Oracle* const> all_oracles() {
  static const std::array kOracles = {
#define ELENCHUS_ORACLE(name, ...) &name##_oracle(),
#define ELENCHUS_OPTIONAL_ORACLE(name, ...)
#include "oracle/oracles.def"
#undef ELENCHUS_ORACLE
#undef ELENCHUS_OPTIONAL_ORACLE
  };
  return kOracles;
}

std::span<const Oracle* const> optional_oracles() {
  static const std::array kOracles = {
#define ELENCHUS_ORACLE(name, ...)
#define ELENCHUS_OPTIONAL_ORACLE(name, ...) &name##_oracle(),
#include "oracle/oracles.def"
#undef ELENCHUS_ORACLE
#undef ELENCHUS_OPTIONAL_ORACLE
  };
  return kOracles;
}

std::vector<const Oracle*> oracles_for(std::string_view kind) {
  const auto all = all_oracles();
  std::vector<const Oracle*> oracles(all.begin(), all.end());
  const record::KindInfo* known = record::find_kind(kind);
  if (known == nullptr || !known->has(record::kOptional)) return oracles;
  const auto optional = optional_oracles();
  oracles.insert(oracles.end(), optional.begin(), optional.end());
  return oracles;
}

const Oracle* find_oracle(std::string_view name) {
  for (const auto oracles : {all_oracles(), optional_oracles()}) {
    const auto found = std::find_if(oracles.begin(), oracles.end(),
                                    [&](const Oracle* oracle) { return oracle->name() == name; });
    if (found != oracles.end()) return *found;
  }
  return nullptr;
}

std::vector<OracleBrief> oracle_briefs() {
  return {
#define ELENCHUS_ORACLE(id, ...) {id##_oracle().name(), "" __VA_ARGS__, false},
#define ELENCHUS_OPTIONAL_ORACLE(id, ...) {id##_oracle().name(), "" __VA_ARGS__, true},
#include "oracle/oracles.def"
#undef ELENCHUS_ORACLE
#undef ELENCHUS_OPTIONAL_ORACLE
  };
}

}  // namespace elenchus::oracle
