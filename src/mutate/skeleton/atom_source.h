#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "history/importer.h"
#include "history/library.h"
#include "ir/free_variables.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "mutate/skeleton/atom.h"
#include "mutate/skeleton/atom_maker.h"
#include "mutate/skeleton/declarations.h"
#include "mutate/skeleton/rule_tracker.h"
#include "mutate/skeleton/shelf.h"
#include "mutate/skeleton/skeleton.h"

namespace elenchus::mutate {

// The atoms of a series of tests: of the knowledge, of the seed, and such as are made to fit a
// signature, all within one theme.
class AtomSource {
 public:
  AtomSource(Shelf& shelf, const SkeletonSettings& settings, ir::TermStore& store,
             std::span<const ir::TermId> seed_claims);

  // Draws the theme and gathers what goes with it. Takes its time.
  void begin(base::Rng& rng, Declarations& declarations);
  bool is_empty() const { return candidates_.empty() && usable_seed_atoms_.empty(); }

  // An atom for the next hole of a skeleton, preferably one that these readers read: by a rule that
  // the atoms before it meet, or else at random.
  const Atom& draw(base::Rng& rng, uint16_t readers);
  // For another skeleton.
  void restart() { rules_->restart(); }

  // Who reads tests of the theme.
  uint16_t readers() const { return readers_; }
  AtomMaker& maker() { return *maker_; }

 private:
  using KindSet = history::KindSet;

  struct SeedAtom {
    ir::TermId term;  // with the variables that were bound around it
    uint32_t signature = history::Library::kUnknown;
    KindSet kinds = 0;
  };
  // An atom and its signature.
  using Drawn = std::pair<const Atom*, uint32_t>;

  void collect_seed_atoms(std::span<const ir::TermId> claims);
  ir::TermId closed(ir::FreeVariables& free, ir::TermId atom);
  KindSet draw_theme(base::Rng& rng) const;
  void begin_import(Declarations& declarations);
  void add_seed_sorts();
  void add_seed_atoms();
  void choose_candidates();
  // None when the atom cannot be used.
  const Atom* keep(ir::TermId term);

  Drawn by_rule(base::Rng& rng, uint16_t readers);
  Drawn at_random(base::Rng& rng, uint16_t readers);
  const Atom* atom_of(base::Rng& rng, uint32_t signature, uint16_t readers);
  const Atom* some_atom_of(base::Rng& rng, uint32_t signature);
  std::span<const uint32_t> forms_of(uint32_t signature);
  const Atom* known_atom(base::Rng& rng, uint32_t form);
  ir::TermId filled(base::Rng& rng, const history::Library::Form& form);

  Shelf& shelf_;
  const history::Library& library_;
  const SkeletonSettings& settings_;
  ir::TermStore& store_;
  ir::Walker walker_;
  std::vector<SeedAtom> seed_atoms_;
  std::unique_ptr<AtomMaker> maker_;
  std::optional<history::Importer> importer_;
  KindSet theme_ = 0;
  uint16_t readers_ = 0;
  std::vector<std::unique_ptr<Atom>> atoms_;
  // What the series has and draws for a signature.
  struct Stock {
    std::vector<const Atom*> atoms;
    std::vector<uint32_t> forms;  // of the library, within the theme; once they were asked for
    bool has_forms = false;
    bool are_texts = false;  // forms are atoms as they are, rather than shapes
  };
  std::vector<Stock> stocks_;                              // by signature
  std::unordered_map<uint32_t, const Atom*> known_atoms_;  // by form
  std::vector<Drawn> usable_seed_atoms_;
  const Atom* boolean_ = nullptr;
  std::vector<uint32_t> candidates_;  // signatures, each as often as it weighs
  std::optional<RuleTracker> rules_;  // over candidates
};

}  // namespace elenchus::mutate
