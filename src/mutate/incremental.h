#pragma once

#include <memory>

#include "mutate/engine.h"

namespace elenchus::mutate {

// The mutants of another engine, asked bit by bit: with push and pop, and a check-sat here and
// there. The last check is the mutant's own, with all that the mutant asserts in force. Mutants
// that have push, pop, a reset or several checks already are handed on as they are.
std::unique_ptr<Engine> make_incremental(std::unique_ptr<Engine> inner);

}  // namespace elenchus::mutate
