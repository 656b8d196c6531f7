#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "ir/logic.h"
#include "ir/measure.h"
#include "ir/term_store.h"
#include "mutate/diver/diver.h"
#include "mutate/diver/modelled_script.h"
#include "mutate/draft.h"
#include "mutate/maker.h"

namespace elenchus::mutate::diver {

// A replacement of an occurrence, and the claim with it.
struct Change {
  Place place;
  ir::TermId replacement;
  ir::TermId root;
  uint16_t readers = 0;
};

// Replaces occurrences by random terms, made of what the scripts and their models have.
class Replacer : private Maker {
 public:
  Replacer(const DiverSettings& settings, std::shared_ptr<Workshop> workshop, ir::TermStore& store);

  // Takes its time. The scripts differ in their claims and fresh constants only.
  void begin(base::Rng& rng, const std::vector<std::unique_ptr<ModelledScript>>& sources);
  bool is_ready() const { return draft_.has_value(); }

  // A random replacement at the spot after which the claim has this value.
  bool find_change(base::Rng& rng, ModelledScript& source, uint32_t spot, bool wanted,
                   Change& change);
  // The place's claim with another term there; none when no solver would take it. `readers`: who
  // reads the claim as it is.
  ir::TermId rebuilt(const Place& place, ir::TermId replacement, uint16_t readers);

  using Maker::logic;
  // That the mutants name; empty: none.
  const std::string& logic_name() const { return logic_name_; }

 private:
  std::string settle_logic(base::Rng& rng);
  void collect_leaves(const ModelledScript& source);
  void add_leaf(ir::TermId term);

  bool try_change(const ModelledScript& source, Change& change);
  void set_limit(const ModelledScript& seed);
  ir::TermId grow(ir::SortId sort);
  ir::TermId leaf(ir::SortId sort);
  // gen::Arguments: at each argument an operator or a leaf.
  ir::TermId pick(ir::SortId sort) override { return scene_.rng->coin() ? leaf(sort) : grow(sort); }

  const DiverSettings& settings_;
  std::shared_ptr<Workshop> workshop_;
  ir::TermStore& store_;
  ir::Measures measures_;
  std::optional<Draft> draft_;  // the first source's script, for what all of them share
  std::string logic_name_;
  std::unordered_map<uint32_t, std::vector<ir::TermId>> leaves_;  // by sort
  const Place* place_ = nullptr;                                  // of the change under way
  uint64_t limit_ = 0;                                            // nodes of a changed claim
  uint32_t expansions_ = 0;                                       // that are left
  uint16_t made_for_ = 0;                                         // who reads what was made
};

}  // namespace elenchus::mutate::diver
