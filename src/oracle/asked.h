#pragma once

#include <algorithm>
#include <span>

#include "ir/script.h"
#include "ir/script_parts.h"
#include "ir/timeline.h"
#include "ir/walk.h"

namespace elenchus::oracle {

// Whether `wanted` holds of a part of the claims or of a definition's body, which are part of what
// a check asks for.
template <typename Wanted>
bool any_asked_for(const ir::TermStore& store, const ir::Script& script,
                   std::span<const ir::Claim> claims, Wanted wanted) {
  ir::Walker walker(store);
  for (const ir::Command& command : script.commands) {
    if (!ir::is_definition(command.kind)) continue;
    for (const uint32_t fun : script.items(command)) {
      const ir::TermId body = store.fun(ir::FunId{fun}).body;
      if (body.valid() && walker.find(body, wanted)) return true;
    }
  }
  return std::any_of(claims.begin(), claims.end(),
                     [&](const ir::Claim& claim) { return walker.find(claim.term, wanted); });
}

}  // namespace elenchus::oracle
