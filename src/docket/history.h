#pragma once

#include <functional>
#include <optional>
#include <string>

#include "docket/suspicion.h"
#include "solver/profile.h"

namespace elenchus::docket {

// A fault that shows in a session and not alone needs what the session was asked before. Looks for
// the fewest of those queries with which it shows in one fresh process: first the last ones, as few
// as will do, then without those in between that are not needed. What comes out is the suspicion
// with one script for all of them, a (reset) between each two.
//
// `shows` says whether the suspicion shows as it is given; `stop` ends the search with what is
// smallest then.
std::optional<Suspicion> with_history(const Suspicion& suspicion, const solver::Profile& profile,
                                      const std::function<bool(const Suspicion&)>& shows,
                                      const std::function<bool()>& stop);

}  // namespace elenchus::docket
