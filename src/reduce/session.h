#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/fingerprint.h"
#include "ir/free_variables.h"
#include "ir/rewrite_script.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "reduce/declarations.h"
#include "reduce/reduce.h"
#include "reduce/size.h"

namespace elenchus::reduce {

using ir::Change;

// The state of one reduction: the best script so far, and the one place where candidates are
// checked and offered to the predicate.
//
// Terms made since the last success are dropped when a candidate is rejected, unless pin() was
// called after they were made.
class Session {
 public:
  Session(ir::TermStore& store, const ir::Script& script, const Predicate& still_bad,
          const Settings& settings);

  ir::TermStore& store() { return store_; }
  const ir::Script& best() const { return best_; }
  const Size& size() const { return size_; }
  Sizes& sizes() { return sizes_; }
  ir::FreeVariables& free_variables() { return free_; }

  // Takes the candidate for the best script and says true, if it is well-formed, smaller, not tried
  // before and still bad. Declarations that the change made useless are dropped from it.
  bool offer(ir::Script candidate);

  // The same for a change of the best script.
  bool offer(const Change& change) { return offer(rewrite(store_, best_, change)); }

  // Says that these may be offered next. Drops the terms that were made for it.
  void foresee(ir::Script candidate);
  void foresee(const Change& change) { foresee(rewrite(store_, best_, change)); }
  // How many to foresee.
  size_t ahead() const { return settings_.foresee ? settings_.ahead : 0; }

  // Keeps the terms made so far.
  void pin() { mark_ = store_.mark(); }

  // Whether the budget is used up, or we were asked to stop.
  bool stopped();

  void begin_pass(std::string_view name) { progress_.trying = name; }
  uint32_t accepted() const { return progress_.accepted; }
  uint32_t tries() const { return progress_.tries; }

  // Commands of the script that declare what nothing uses.
  std::vector<uint32_t> unused(const ir::Script& script) { return declarations_.unused(script); }
  // All names in the best script.
  std::unordered_set<std::string> names() { return declarations_.names(best_); }

 private:
  // Candidates built for each call of the predicate: most fail a cheap test before.
  static constexpr uint32_t kBuiltPerTry = 50;

  void prune(ir::Script& candidate);
  // Drops what it can do without; false where it is no smaller than the best, or not well-formed.
  bool prepare(ir::Script& candidate, Size& size);
  bool is_well_formed(const ir::Script& candidate);
  bool reject();

  ir::TermStore& store_;
  const Predicate& still_bad_;
  const Settings& settings_;
  Sizes sizes_;
  ir::Fingerprints fingerprints_;
  Declarations declarations_;
  ir::FreeVariables free_;
  ir::Script best_;
  Size size_;
  Progress progress_;
  bool check_scopes_ = true;  // the script was well-formed as far as we can tell
  bool stopped_ = false;
  uint64_t built_ = 0;
  std::unordered_set<uint64_t> tried_;
  std::unordered_set<uint64_t> kept_unused_;  // declarations that the script has although unused
  ir::TermStore::Mark mark_;
};

}  // namespace elenchus::reduce
