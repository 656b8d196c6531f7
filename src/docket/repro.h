#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "docket/prosecutor.h"
#include "solver/solver.h"
#include "store/record_folders.h"

namespace elenchus::docket {

// The call of a solver for a script with one or several check-sats.
Call call_of(const solver::Solver& solver, std::string_view script);

// As one types it: the program's name, or its path.
enum class Naming : unsigned char { kPath, kName };
std::string shell_command(const Call& call, std::string_view file, Naming naming = Naming::kPath);

// The script as one would paste it: models, cores and what a solver makes of a term are asked for
// where they are the point.
std::string with_requests(const Indictment& indictment);

// What a script may ask for so that the finding shows, the least first.
std::vector<Requests> requests_for(const oracle::Finding& finding);

// The files by which a bug shows: the script, repro.sh, and what repro.sh reads beside them. It
// exits 1 while the bug shows, 0 when it does not and 2 when that cannot be told, and needs nothing
// but the solver and a shell. A wrong model is known by being the same as before; another one is
// judged by the solver itself, which is asked whether the assertions hold with these values.
std::vector<store::RecordFile> repro_files(const Indictment& indictment);

// The call with the fewest words with which a bug shows, if it does so with the one given. The last
// `own` options stay: they have been tried one by one before. A file in place of the standard input
// is plainer.
Call plainest_call(const Call& call, size_t own, const std::function<bool(const Call&)>& shows);

// Runs repro.sh in a folder that is removed afterwards, with this call in place of the bug's own.
// Whether it says that the bug shows, in the same place where it is a crash.
bool shows_by_script(const Indictment& indictment, const Call& call,
                     const solver::RunLimits& limits, lab::Expense& expense);

}  // namespace elenchus::docket
