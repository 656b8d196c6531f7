#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "mutate/engine.h"

namespace elenchus::mutate {

// What a modifier does to a mutant: it asks the same in another way, and what is expected stays
// true.
using Modification = std::function<void(ir::TermStore&, Mutant&, base::Rng&)>;

// The mutants of another engine, each modified. Its name is that of the engine, `+` and the
// modifier's.
std::unique_ptr<Engine> make_modified(std::unique_ptr<Engine> inner, std::string_view modifier,
                                      Modification modification);

}  // namespace elenchus::mutate
