#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "record/bug.h"

namespace elenchus::triage {

inline constexpr size_t kMaxTitle = 80;

// "z3 4.8.12: wrong unsat on (= (bvmul x1 x1) c)": at most kMaxTitle characters that tell a bug
// from others. What it is about is the formula, where it is short enough, or its operators; of a
// crash the place, without signatures and folders. `location` is that of the finding;
// `is_after_reset` where it takes a (reset).
std::string title_of(const record::Bug& bug, std::string_view location,
                     bool is_after_reset = false);

// The name of a function as one says it: "smt::context::propagate(bool, int)" and
// "virtual void a::b::context::propagate<x>()" are context::propagate.
std::string spoken_function(std::string_view signature);

}  // namespace elenchus::triage
