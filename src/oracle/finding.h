#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/model.h"
#include "ir/script.h"

namespace elenchus::oracle {

// What can be wrong, in the order in which maintainers want to hear of it.
enum class Kind : uint8_t {
  kRefutationUnsound,    // says unsat; a model that we checked says otherwise
  kSolutionUnsound,      // says sat; unsat by construction
  kInvalidModel,         // its model makes an assertion false
  kCrash,                // signal, assertion, internal error, sanitizer report
  kWrongCore,            // an unsat core that is satisfiable
  kInconsistentOptions,  // sat and unsat under two option sets
  kInconsistent,         // contradicts itself
  kSelfCheck,            // reports an invalid model, core or proof of its own
  kIncomplete,           // says unknown where it should decide
  kSlow,                 // times out where others are quick
  kDisagreement,         // sat and unsat from two solvers, and nothing settles it
};

constexpr Kind kLastKind = Kind::kDisagreement;

// "refutation-unsound": the name in reports and files.
std::string_view to_string(Kind kind);

// An oracle's claim about a run. Its terms live in the store of the test.
struct Finding {
  Kind kind = Kind::kCrash;
  std::string_view oracle;
  size_t solver = 0;                 // the guilty one
  std::optional<size_t> other = {};  // the one that it contradicts, where there is one
  size_t check = 0;                  // which check-sat, counted from 0
  std::string claim;                 // one line: what the solver did
  std::string evidence;              // lines that show that it is wrong
  // What crash messages are told apart by; empty for other kinds.
  std::string location;
  // The model that proves that the formula is satisfiable, as a solver or we wrote it, and read.
  std::string witness;
  std::optional<ir::Model> model = {};
  // What shows it, where that is not the script of the test itself.
  std::optional<ir::Script> script = {};
  // The assertion that a model makes false.
  ir::TermId false_claim = {};
};

}  // namespace elenchus::oracle
