#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/model.h"
#include "ir/script.h"
#include "record/kind.h"

namespace elenchus::oracle {

using record::Kind;
using record::to_string;

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
  // Of a term that a solver is wrong about: itself, the command that asks for it, and what was
  // printed.
  ir::TermId asked = {};
  std::string question = {};
  std::string reply = {};
  // Of a wrong rewrite: a script that is satisfiable if the reply in the place of {} is wrong, too.
  std::string doubt = {};
  // The assertion that a model makes false.
  ir::TermId false_claim = {};
};

}  // namespace elenchus::oracle
