#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/record_folders.h"

namespace elenchus::docket {

// How far a suspicion has come. One that is described is a bug, and leaves the docket.
enum class Stage : uint8_t {
  kSuspected,    // as an oracle said it
  kConfirmed,    // it shows again in fresh processes
  kReduced,      // and on a smaller script
  kUnconfirmed,  // it does not show again; kept for those who want to look at it
};
std::string_view to_string(Stage stage);

// Where a test came from.
struct Origin {
  std::string engine;
  std::vector<std::string> seeds;
  uint64_t rng = 0;
  std::string expectation;  // "sat", "unsat" or "unknown" for each check-sat
};

// A solver of the campaign, and what it was told beyond its own options.
struct Party {
  std::string solver;
  std::vector<std::string> options;
};

// What an oracle said of a test, with all that is needed to show it again: text only, so that it
// can wait on the disk for as long as it has to.
struct Suspicion {
  std::string id;
  Stage stage = Stage::kSuspected;
  double time = 0;  // when it was found, seconds since 1970

  // The finding.
  std::string kind;
  std::string oracle;
  Party solver;  // the guilty one
  std::optional<Party> other;
  uint64_t check = 0;  // which check-sat, counted from 0
  std::string claim;
  std::string evidence;
  std::string location;
  std::string look;   // the signature of what was found as it was found
  std::string cause;  // what is probably the same fault, see triage::probable_cause()

  // The test.
  Origin origin;
  std::string construction;           // why an expected unsat is unsat
  std::vector<std::string> expected;  // for each check-sat of the script, or none at all
  bool is_by_variant = false;         // the script is one that an oracle made of the test

  // What has come of it.
  bool needs_history = false;  // it shows only after other queries, which the script has
  bool is_minimal = false;
  uint64_t tries = 0;
  uint64_t reduced_check = 0;  // the same as `check`, of what is left of the script
  std::string provisional;     // the signature of the bug that it is for the time being
  std::string reason;          // why it is not confirmed

  // Files of their own.
  std::string script;
  std::string witness;          // of the finding: a model that satisfies the script
  std::string test_model;       // that the test was made to satisfy
  std::string session;          // transcript of the guilty process up to and with the test
  std::string reduced;          // what is left of the script
  std::string reduced_witness;  // the same as `witness`, for what is left
};

// All that its folder holds.
std::vector<store::RecordFile> files_of(const Suspicion& suspicion);
base::Result<Suspicion> read_suspicion(const store::RecordFolders& folders, std::string_view id);

// suspicion.json, the part that changes with every step.
store::RecordFile description_of(const Suspicion& suspicion);

// One suspicion as `bugs --unconfirmed --json` gives it.
std::string json_text(const Suspicion& suspicion);

}  // namespace elenchus::docket
