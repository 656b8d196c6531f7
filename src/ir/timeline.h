#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// Something that a check-sat asks for: an assertion that is in force, or an assumption.
struct Claim {
  TermId term;
  size_t command = 0;  // of the script
};

// What is in force where in a script, after push, pop, reset, reset-assertions and with global
// declarations. What a command says is in force from the next command on, up to the one that takes
// it back: declarations and assertions with their level, settings with (reset).
class Timeline {
 public:
  static constexpr uint32_t kNever = UINT32_MAX;

  Timeline(const TermStore& store, const Script& script) : Timeline(&store, script) {}

  // The command that takes back what this one says.
  uint32_t end(size_t command) const { return moments_[command].end; }
  bool holds(size_t command, size_t at) const { return command < at && at <= end(command); }

  // Whether a declaration can be used at a command. (reset-assertions) takes declarations back by
  // the standard; solvers differ, so that they may be used and made once more.
  bool is_usable(size_t command, size_t at) const {
    return command < at && at <= moments_[command].last_use;
  }

  // Of a pop: the push that opened the outermost level that it closes, or kNever.
  uint32_t opener(size_t pop) const { return moments_[pop].opener; }
  // Whether the command is a pop of more levels than are open.
  bool pops_too_many(size_t command) const { return moments_[command].pops_too_many; }
  // Of a pop: likewise, when it takes declarations and names back; kNever when they are global.
  uint32_t taken_back_to(size_t pop) const {
    return moments_[pop].keeps_declarations ? kNever : moments_[pop].opener;
  }

  // What the check command asks for; past the last command, what is asserted at the end. Takes time
  // by the number of claims, so that one timeline serves many checks.
  std::vector<Claim> claims(const Script& script, size_t check) const;

 private:
  friend std::vector<Claim> claims_at(const Script& script, size_t check);
  class Pass;

  struct Moment {
    uint32_t end = kNever;
    uint32_t last_use = kNever;
    uint32_t opener = kNever;
    bool pops_too_many = false;
    bool keeps_declarations = false;
    uint32_t newest = kNever;  // of what is asserted before the command
  };

  // Without a store, options are not looked at: they are no matter of claims.
  Timeline(const TermStore* store, const Script& script);

  std::vector<Moment> moments_;      // by command
  uint32_t newest_at_end_ = kNever;  // of what is asserted after the last command
};

// The commands of the script that check satisfiability.
std::vector<size_t> checks_of(const Script& script);

// Timeline::claims(), for one check.
std::vector<Claim> claims_at(const Script& script, size_t check);

}  // namespace elenchus::ir
