#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "gen/vocabulary.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "mutate/chain.h"
#include "mutate/draft.h"
#include "mutate/edit/edit.h"
#include "mutate/edit/stock.h"
#include "mutate/maker.h"

namespace elenchus::mutate::edit {

// Where a term is to be put, with what is drawn for it.
struct Site {
  const Place& place;
  uint64_t choice;
  base::Rng& rng;
  // Who reads the replacement as far as is known; whoever makes it takes others away.
  uint16_t& readers;
};

// The script whose edits are made, and what there is to make them of.
class Original : private Maker {
 public:
  Original(std::shared_ptr<Workshop> workshop, const EditSettings& settings, ir::TermStore& store,
           const ir::Script& script, const Stock& stock);

  ir::TermStore& store() { return draft_.store(); }
  const ir::Script& script() const { return draft_.script(); }
  const ir::Timeline& timeline() const { return timeline_; }
  const ir::Logic& logic() const { return vocabulary_->logic(); }
  using Maker::expressions;

  uint64_t places() const { return draft_.places(); }
  void find(uint64_t number, base::Rng& rng, Place& place) { draft_.find(number, rng, place); }

  // Why nothing can be edited; empty: something can.
  std::string_view problem() { return expressions().exhausted() ? "too many variables" : ""; }

  // --- What terms are made of. ---

  // Operators whose result is of the sort, usable or not.
  std::span<const gen::Choice> operators(ir::SortId sort) {
    return vocabulary_->for_result(store().sorts().kind(sort));
  }
  // The same operator as in the term, to be used with other arguments.
  const gen::Choice* choice_of(ir::TermId term);
  // The operator on these arguments. None when it does not take them, or nobody reads that.
  ir::TermId applied(const gen::Choice& choice, ir::SortId sort, std::span<const ir::TermId> args,
                     const Site& site);
  // Constants that the script declares, used or not.
  std::span<const ir::TermId> constants(ir::SortId sort);
  // Literals of the script.
  std::span<const ir::TermId> literals(ir::SortId sort);
  // Whether the term may stand at the place.
  bool is_usable(ir::TermId term, const Place& place);
  bool is_in_force(ir::TermId term, uint32_t at) {
    return expressions().facts(term).span.holds(at);
  }
  // A constant that the script does not have, one for each sort.
  ir::TermId fresh_constant(ir::SortId sort);

  // A boundary value; none where the logic has no such constants.
  ir::TermId boundary(ir::SortId sort, const Site& site);
  // A value near that of the literal, likewise.
  ir::TermId near(ir::TermId literal, const Site& site);
  // An operator on what the script has; one argument is `inside`, if that is given.
  ir::TermId application(ir::SortId sort, const Site& site, ir::TermId inside);
  // A piece of another script.
  size_t grafts(ir::SortId sort) { return stock_.count(store(), sort); }
  ir::TermId graft(ir::SortId sort, const Site& site);

  // Who reads the script.
  uint16_t readers() const { return readers_; }

  // --- Edited scripts. ---

  // None when nobody would read it.
  std::optional<ir::Script> with(const Place& place, ir::TermId replacement, uint16_t readers);
  // Inserts a declaration of the constant before the command.
  static void declare(ir::Script& script, size_t command, ir::FunId fun);

 private:
  // --- gen::Arguments ---
  ir::TermId pick(ir::SortId sort) override;

  ir::TermId existing(ir::SortId sort, const Place& place, base::Rng& rng);
  void enter(const Site& site);
  uint16_t readers_of(ir::TermId term);
  void collect();

  std::shared_ptr<Workshop> workshop_;
  const EditSettings& settings_;
  const Stock& stock_;
  Draft draft_;
  ir::Timeline timeline_;
  const gen::Vocabulary* vocabulary_ = nullptr;
  uint16_t readers_ = 0;
  uint64_t room_ = 0;  // nodes that a replacement may have
  std::unordered_map<uint32_t, std::vector<ir::TermId>> constants_;  // by sort
  std::unordered_map<uint32_t, std::vector<ir::TermId>> literals_;
  std::unordered_map<uint32_t, ir::TermId> fresh_;
  uint32_t next_fresh_ = 1;
  const Place* place_ = nullptr;  // of the replacement that is made
  ir::TermId inside_;             // to be used as an argument
};

}  // namespace elenchus::mutate::edit
