#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "ir/script.h"
#include "ir/term_store.h"
#include "reduce/size.h"

namespace elenchus::reduce {

// Whether a candidate still shows the same bug. It may be slow (it runs solvers) and is asked once
// for each distinct candidate. It may make terms in the store; what it made is gone after a no.
using Predicate = std::function<bool(const ir::Script&)>;

struct Progress {
  uint32_t tries = 0;
  uint32_t accepted = 0;
  Size now;
  Size start;
  std::string_view trying;  // the name of the pass
};

struct Settings {
  uint32_t max_tries = 2000;  // calls of the predicate
  // Asked between tries; the best so far is kept.
  std::function<bool()> should_stop;
  // How many candidates are told ahead of being asked about, and to whom: whoever can run several
  // at once may begin. Most are asked about later, unless one before them is accepted.
  uint32_t ahead = 0;
  std::function<void(const ir::Script&)> foresee = {};
  // Called after each try.
  std::function<void(const Progress&)> on_progress;
};

struct Reduction {
  ir::Script script;
  uint32_t tries = 0;
  uint32_t accepted = 0;
  bool finished = false;  // nothing more to try
  Size start;
  Size size;
};

// Makes a script smaller as long as `still_bad` holds; it is taken to hold for the script itself.
// Every candidate is well-sorted, and everything in it is declared before its use. New terms go
// into `store`; those of rejected candidates are dropped again. Deterministic.
Reduction reduce(ir::TermStore& store, const ir::Script& script, const Predicate& still_bad,
                 const Settings& settings = {});

}  // namespace elenchus::reduce
