#pragma once

#include <span>
#include <utility>

#include "reduce/session.h"

namespace elenchus::reduce {

// Makes as many of the replacements of terms in the best script as it can, by delta debugging. What
// they replace terms with must be pinned.
void make_replacements(Session& session,
                       std::span<const std::pair<ir::TermId, ir::TermId>> replacements);

}  // namespace elenchus::reduce
