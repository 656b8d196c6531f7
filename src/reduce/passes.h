#pragma once

#include "reduce/session.h"

// The steps of a reduction. Each offers candidates to the session and leaves the best script there;
// all of them are tried until none succeeds.
namespace elenchus::reduce {

// Commands: levels, assertions, everything else that nothing depends on; assumptions as assertions.
void reduce_commands(Session& session);

// Terms, from the roots down: by a value, by something below them, with fewer arguments.
void reduce_terms(Session& session);

}  // namespace elenchus::reduce
