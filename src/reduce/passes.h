#pragma once

#include "reduce/session.h"

// The steps of a reduction. Each offers candidates to the session and leaves the best script there;
// all of them are tried until none succeeds.
namespace elenchus::reduce {

// Commands: levels, assertions, everything else that nothing depends on; assumptions as assertions.
void reduce_commands(Session& session);

// Functions: names given by :named and definitions inlined, or declared without a body; fewer
// parameters. Annotations dropped.
void reduce_functions(Session& session);

// Terms, from the roots down: by a value, by something below them, with fewer arguments.
void reduce_terms(Session& session);

// Literals and operators' indices towards zero, strings shorter.
void reduce_literals(Session& session);

// Sorts by simpler ones; constructors and fields of datatypes that nothing uses dropped.
void reduce_sorts(Session& session);

// Bit-vectors narrower, floats towards the formats that every solver has.
void reduce_widths(Session& session);

// What an asserted equation says in the place of the name that it is said of. When no other step
// succeeds.
void reduce_equations(Session& session);

// Once, when all is done: the logic dropped, names short.
void finish_names(Session& session);

}  // namespace elenchus::reduce
