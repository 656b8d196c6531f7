#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ir/term_store.h"
#include "mutate/engine.h"
#include "mutate/flat.h"
#include "mutate/typefuzz.h"

namespace elenchus::mutate {

// What a test says that is built so.
inline constexpr std::string_view kIntactCore =
    "it asserts what a part of its seed asserts that two solvers call unsatisfiable";

// Mutants of an unsatisfiable seed that are unsatisfiable too: the core, which are claims of the
// seed that contradict each other on their own, is asserted in every one, in other words perhaps.
// What stands beside it is changed at will. Skips where there is nothing to be changed.
Start start_around_core(const TypefuzzSettings& settings, ir::TermStore& store, const Flat& flat,
                        std::span<const ir::TermId> core);

// Mutants of one series or the other, at random.
std::unique_ptr<Series> either(std::unique_ptr<Series> one, std::unique_ptr<Series> other);

}  // namespace elenchus::mutate
