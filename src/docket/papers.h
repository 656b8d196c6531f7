#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "docket/suspicion.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/truth.h"
#include "lab/solver_lab.h"
#include "oracle/exam.h"
#include "oracle/finding.h"

namespace elenchus::docket {

// By which findings are told apart before they are reduced.
struct Looks {
  std::string cause;  // see triage::probable_cause()
  std::string look;   // the signature of the script as it is
};
Looks looks_of(const ir::TermStore& store, const lab::SolverLab& lab, const oracle::Case& test,
               const oracle::Finding& finding);

// Writes down what an oracle found in a lab, in words. `run` is that of the guilty solver, for the
// transcript of its session. Fails where the script cannot be printed.
base::Result<Suspicion> suspicion_of(const ir::TermStore& store, const lab::SolverLab& lab,
                                     const oracle::Case& test, const oracle::Finding& finding,
                                     const solver::Run* run, Origin origin);

// A suspicion read back into terms, as far as it has come.
struct Papers {
  ir::Script script;
  std::vector<ir::Truth> expected;
  std::optional<ir::Model> model;  // that the test was made to satisfy
  std::string construction;
  oracle::Finding finding;
  bool is_as_found = true;  // the script is that of the suspicion

  oracle::Case test() const {
    return {.script = script,
            .expected = expected,
            .witness = model ? &*model : nullptr,
            .construction = construction};
  }
};

// Fails where a text cannot be read, or a solver is not in the lab.
base::Result<Papers> read_papers(ir::TermStore& store, lab::SolverLab& lab,
                                 const Suspicion& suspicion);

// The number of a party in a lab; a guest gets its options. Fails where it is not there.
base::Result<size_t> seat_of(lab::SolverLab& lab, const Party& party);

}  // namespace elenchus::docket
