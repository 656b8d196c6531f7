#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "record/bug.h"

namespace elenchus::store {

using record::kSeedItself;
using record::SolverAnswer;
using record::tested_solver;

// A bug as its folder describes it, in manifest.json.
using Manifest = record::Bug;

// JSON text of one object, with a line for each field. Bytes that are no UTF-8 are replaced.
std::string print_manifest(const Manifest& manifest);

// Reads that back. Unknown fields are passed over; id, kind, solver and signature must be there.
base::Result<Manifest> parse_manifest(std::string_view text);

// The same for what somebody says of a bug, in mark.json.
std::string print_mark(const record::Mark& mark);
base::Result<record::Mark> parse_mark(std::string_view text);

}  // namespace elenchus::store
