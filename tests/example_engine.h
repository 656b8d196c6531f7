// A small engine to copy: docs/ARCHITECTURE.md, "Adding an engine", goes through it. In the program
// it would be src/mutate/swap.h, with the classes in swap.cpp.
//
// `swap` exchanges two arguments of one operator that have the same sort: (- x y) becomes (- y x).
// Solvers bring the arguments of commutative operators into an order of their own, and take care
// with the others; a mistake in either shows. Nothing is known of the answer of such a mutant.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mutate/admission.h"
#include "mutate/draft.h"
#include "mutate/engine.h"

namespace elenchus::mutate {

// The mutants of one seed. Terms that are made here live in the seed's store, which the campaign
// rolls back when the series is over.
class SwapSeries final : public Series {
 public:
  SwapSeries(ir::TermStore& store, const Seed& seed) : store_(store), seed_(seed.script) {
    if (seed_.logic.valid()) logic_ = ir::parse_logic(store_.symbols().text(seed_.logic));
  }

  Attempt next(base::Rng& rng) override {
    Draft draft(store_, seed_);
    draft.index(expressions_, Expressions::Targets::kOperators);
    constexpr int kTries = 16;
    for (int i = 0; i < kTries; ++i) {
      Place place;
      if (!draft.choose(rng, place)) return Skip{"no operator"};
      const ir::TermId other = swapped(place.term, rng);
      if (!other.valid() || !put(draft, place, other)) continue;
      Mutant mutant;
      mutant.script = draft.script();
      return mutant;
    }
    return Skip{"no two arguments of one sort"};
  }

 private:
  // The term with two of its arguments exchanged; none where that changes nothing.
  ir::TermId swapped(ir::TermId term, base::Rng& rng) {
    const auto given = store_.args(term);
    std::vector<ir::TermId> args(given.begin(), given.end());
    if (args.size() < 2 || ir::is_binder(store_.op(term))) return {};
    ir::TermId& one = args[rng.below(args.size())];
    ir::TermId& other = args[rng.below(args.size())];
    if (one == other || store_.sort(one) != store_.sort(other)) return {};
    std::swap(one, other);
    return store_.make(store_.op(term), store_.sort(term), store_.payload(term), args);
  }

  // Puts the term in the place, unless no solver would read what comes of it.
  bool put(Draft& draft, const Place& place, ir::TermId other) {
    uint16_t readers = kAnyone;
    const ir::TermId root = draft.rebuild(place, other, logic_, readers);
    return root.valid() && readers != 0 && draft.commit(place, root);
  }

  ir::TermStore& store_;
  const ir::Script& seed_;
  ir::Logic logic_ = ir::parse_logic("ALL");
  Expressions expressions_;
};

class Swap final : public Engine {
 public:
  std::string_view name() const override { return "swap"; }
  uint32_t series_length() const override { return 16; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    return std::make_unique<SwapSeries>(store, seed);
  }
};

}  // namespace elenchus::mutate
