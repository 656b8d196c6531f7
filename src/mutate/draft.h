#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "ir/logic.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "mutate/expressions.h"

namespace elenchus::mutate {

// An occurrence of a term in a draft, with what one needs to know to replace it.
struct Place {
  uint32_t command = 0;
  uint32_t at = 0;                    // which declarations are in force: see Span
  std::vector<uint32_t> path;         // argument positions on the way down
  std::vector<ir::TermId> ancestors;  // from the root on; as many as there are steps
  ir::TermId term;
  std::vector<ir::TermId> bound;  // variables bound around the term
};

// What a mutant must not take over from its seed: the status, which may be wrong now, and commands
// that ask for what there may not be after another answer (get-model, get-value).
bool is_for_seeds_only(const ir::TermStore& store, const ir::Command& command);

// The script that a series is changing. Knows how many occurrences each command holds.
class Draft {
 public:
  // Takes the seed over, without what is for seeds only.
  Draft(ir::TermStore& store, const ir::Script& seed);

  ir::TermStore& store() { return store_; }
  const ir::Script& script() const { return script_; }

  // Finds the occurrences. Needed before the functions below.
  void index(Expressions& expressions, Expressions::Targets targets);

  uint64_t places() const { return places_; }
  // Nodes of all assertions and definitions, as trees.
  uint64_t size() const { return size_; }

  // Draws an occurrence uniformly. False when there is none.
  bool choose(base::Rng& rng, Place& place);
  // The occurrence of this number, counted from the start of the script and from the root down.
  // `rng` is drawn from only where there are too many to be counted.
  void find(uint64_t number, base::Rng& rng, Place& place);
  // A place for a whole new assertion just before the command.
  void place_before(uint32_t command, Place& place) const;

  // The root of the place's command with another term at the place. `readers` loses those who
  // would not take it; none when nobody would. Makes terms but changes nothing.
  ir::TermId rebuild(const Place& place, ir::TermId replacement, const ir::Logic& logic,
                     uint16_t& readers);
  // The same with the other term at all places of the command where the place's term stands: let
  // says once what is used often. None also where the command is too large to be looked through.
  // The replacement has no free variables.
  ir::TermId rebuild_all(const Place& place, ir::TermId replacement, const ir::Logic& logic,
                         uint16_t& readers);
  // Makes it so. False when the definition that the place is in cannot be changed.
  bool commit(const Place& place, ir::TermId root);

  void insert_assertion(uint32_t command, ir::TermId term);
  void remove_command(uint32_t command);
  void replace_assertion(uint32_t command, ir::TermId term);
  void set_logic(std::string_view name);

  // What it is now, and that again.
  struct Saved;
  Saved saved() const;
  void go_back(const Saved& saved);

  // How many terms were rebuilt because definitions changed: what that costs.
  uint64_t rewritten() const { return rewritten_; }

 private:
  struct Callees;
  struct Everywhere;
  struct Entry {
    uint32_t at;
    uint64_t places;
    uint64_t size;
  };

  ir::TermId root_of(const ir::Command& command) const;
  Entry measure(const ir::Command& command, uint32_t at);
  void replace_entry(uint32_t command, const Entry& entry);
  bool redefine(uint32_t command, ir::TermId body);
  void replace_function(uint32_t command, ir::TermId body, Callees& callees);
  bool can_redefine(ir::FunId fun) const;

  ir::TermStore& store_;
  Expressions* expressions_ = nullptr;
  Expressions::Targets targets_ = Expressions::Targets::kAll;
  ir::Script script_;
  std::vector<Entry> entries_;  // of the commands
  uint64_t places_ = 0;
  uint64_t size_ = 0;
  std::vector<ir::TermId> args_;
  uint64_t rewritten_ = 0;
  uint32_t indexed_ = 0;  // how often
};

struct Draft::Saved {
  ir::Script script;
  std::vector<Entry> entries;
  uint64_t places = 0;
  uint64_t size = 0;
  uint32_t indexed = 0;
};

}  // namespace elenchus::mutate
