#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "docket/prosecutor.h"
#include "solver/solver.h"

namespace elenchus::docket {

// The functions that a debugger's list of frames names, the innermost first and without their
// arguments: those of the C and C++ libraries that come before the first of the solver are left
// out, what leads to it, too. Where the solver does not name the function it dies in, the places in
// its file of the innermost two ("libcvc5.so.1+0x87b6f8"), which are told by the mappings that
// stand below the list; none where these are not there.
std::vector<std::string> frames_in(std::string_view text);

// Where a crash happens: runs the bug's own call in gdb, once. Empty where there is no gdb, and
// where it ends in another way there.
std::vector<std::string> backtrace_of(const Indictment& indictment, const solver::RunLimits& limits,
                                      lab::Expense& expense);

}  // namespace elenchus::docket
