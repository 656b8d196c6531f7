#include "store/kinds.h"

#include <algorithm>
#include <array>

namespace elenchus::store {
namespace {

constexpr std::array kKinds = {
    Kind{"refutation-unsound", "says unsat, and a model shows that it is sat"},
    Kind{"solution-unsound", "says sat, and it is unsat by construction"},
    Kind{"invalid-model", "gives a model that makes an assertion false"},
    Kind{"crash", "ends by a signal, an assertion, an internal error or a sanitizer's report"},
    Kind{"wrong-core", "gives an unsat core that is satisfiable"},
    Kind{"inconsistent", "contradicts itself"},
    Kind{"inconsistent-options", "says sat and unsat under two sets of options"},
    Kind{"self-check", "reports its own model, core or proof as invalid"},
    Kind{"incomplete", "says unknown where it should decide"},
    Kind{"slow", "times out where others are quick"},
    Kind{"disagreement", "contradicts another solver, and nothing settles who is right"},
};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

int rank_of(std::string_view kind) {
  const auto* at = std::find_if(kKinds.begin(), kKinds.end(),
                                [kind](const Kind& known) { return known.name == kind; });
  return static_cast<int>(at - kKinds.begin()) + 1;
}

}  // namespace elenchus::store
