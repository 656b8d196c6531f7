// Oracle-guided testing with unrestricted random mutations (J. Kim, S. So, H. Oh: DIVER:
// Oracle-Guided SMT Solver Testing with Unrestricted Random Mutations, ICSE 2023). A seed comes
// with a model; an occurrence is replaced by a random term; mutants that are still true under the
// model are satisfiable. Occurrences are chosen by how much room their surroundings leave for their
// value (mutate/diver/range.h), so that few random terms are in vain.
//
// Where we differ:
//   - All theories, and several models of one seed.
//   - `Complicate` for every sort whose ranges can be written down.
//   - The mirror: mutants that are false under the model, together with formulas that leave no
//     other model (mutate/forcing.h), are unsatisfiable.
//   - Of seeds that ask in steps, half of the mutants do so, too; what a level takes back again is
//     as in the seed. Earlier checks are satisfiable where the model makes that true as well.
//   - A formula that shares its parts is a huge tree: up to a number of occurrences are considered,
//     on random ways from the roots to the leaves.
#include "mutate/diver/diver.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "ir/fresh_name.h"
#include "ir/walk.h"
#include "mutate/around_core.h"
#include "mutate/diver/modelled_script.h"
#include "mutate/diver/range.h"
#include "mutate/diver/replacer.h"
#include "mutate/flat.h"
#include "mutate/forcing.h"
#include "mutate/seed_models.h"
#include "mutate/tactics.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::TermId;

namespace {

using diver::Change;
using diver::ModelledScript;
using diver::Range;
using diver::Ranges;
using diver::Replacer;

// The seed, and mutants that serve as seeds.
using Sources = std::vector<std::unique_ptr<ModelledScript>>;

// A mutant in the making, with its witness.
struct Mutation {
  ir::Script frame;
  std::vector<TermId> claims;
  std::shared_ptr<const ir::Model> model;
  uint16_t readers = 0;
};

eval::Settings limits_of(const DiverSettings& settings) {
  return {.steps = settings.evaluation_steps};
}

class DiverSeries final : public Series {
 public:
  DiverSeries(const DiverSettings& settings, std::shared_ptr<Workshop> workshop,
              ir::TermStore& store, Sources sources, const Flat& seed)
      : settings_(settings),
        store_(store),
        tactic_(seed.tactic),
        steps_(seed.steps),
        replacer_(settings, std::move(workshop), store),
        sources_(std::move(sources)) {}

  Attempt next(base::Rng& rng) override {
    if (!replacer_.is_ready()) replacer_.begin(rng, sources_);
    const size_t at = rng.below(sources_.size());
    ModelledScript& source = *sources_[at];
    if (!source.has_spots()) return Skip{"nothing to replace"};
    const bool is_mirror = rng.happens(settings_.mirror_one_in);
    Attempt attempt = is_mirror ? mirror(rng, source) : preserve(rng, source);
    if (std::holds_alternative<Mutant>(attempt)) retire(at);
    return attempt;
  }

 private:
  // A script that has served long enough makes room, if it is not the last one.
  void retire(size_t at) {
    if (++sources_[at]->mutants < settings_.mutants_per_seed || sources_.size() == 1) return;
    sources_.erase(sources_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // --- Mutants that stay true. ---

  Attempt preserve(base::Rng& rng, ModelledScript& source) {
    Change change;
    if (!replacer_.find_change(rng, source, source.choose(rng), true, change)) {
      return Skip{"no replacement keeps the model"};
    }
    Mutation mutation{source.frame, source.claims, source.model, change.readers};
    mutation.claims[source.claim_of(change.place)] = change.root;
    const bool may_complicate = settings_.may_complicate && change.place.bound.empty();
    if (may_complicate && rng.coin()) complicate(rng, source, change, mutation);
    Mutant mutant;
    if (asks_in_steps(rng)) {
      mutant.script = named(with_steps(mutation.frame, steps_, fillings(mutation.claims)));
      mutant.expected = expectations(steps_, [&](TermId beside) {
        uint64_t most = settings_.evaluation_steps;
        return source.evaluate(beside, most).is_true();
      });
    } else {
      mutant.script = named(with_assertions(mutation.frame, mutation.claims));
      mutant.expected = {Truth::kSat};
    }
    if (sources_.size() < settings_.pool && rng.one_in(settings_.join_one_in)) join(mutation);
    mutant.witness = std::move(mutation.model);
    return mutant;
  }

  bool asks_in_steps(base::Rng& rng) const {
    return !steps_.empty() && rng.happens(settings_.steps_one_in);
  }

  // The claims where the seed has them, and what came to them beside the last one.
  Fillings fillings(std::span<const TermId> claims) const {
    Fillings found;
    size_t own = 0;
    size_t last = 0;
    for (const Step& step : steps_) {
      if (step.command.kind != ir::CommandKind::kAssert) continue;
      const bool is_claim = step.claim != Step::kNoClaim;
      if (is_claim) last = found.size();
      found.push_back({is_claim ? claims[own++] : step.command.term});
    }
    const auto added = claims.subspan(own);
    found[last].insert(found[last].end(), added.begin(), added.end());
    return found;
  }

  // As the seed's logic and tactic want it.
  ir::Script named(ir::Script script) {
    set_logic(store_, script, replacer_.logic_name());
    if (tactic_.valid()) ask_by(script, tactic_);
    return script;
  }

  void join(const Mutation& mutation) {
    TruthBudget budget{.left = settings_.model_steps};
    auto model = held(store_, mutation.claims, mutation.model, budget, limits_of(settings_));
    if (!model) return;
    sources_.push_back(std::make_unique<ModelledScript>(store_, settings_, mutation.frame,
                                                        mutation.claims, std::move(*model)));
    sources_.back()->readers = mutation.readers;
  }

  // Up to three leaves of the replacement become fresh constants.
  void complicate(base::Rng& rng, ModelledScript& source, const Change& change,
                  Mutation& mutation) {
    constexpr uint64_t kMostVariables = 3;
    const size_t claim = source.claim_of(change.place);
    std::vector<std::vector<uint32_t>> taken;
    const uint64_t wanted = 1 + rng.below(kMostVariables);
    for (uint64_t i = 0; i < wanted; ++i) {
      std::vector<uint32_t> path = full_path(rng, change);
      if (std::find(taken.begin(), taken.end(), path) != taken.end()) continue;
      const Leaf leaf = leaf_at(source, change.root, path);
      auto fresh = fresh_for(source, leaf, *mutation.model);
      if (!fresh) continue;
      const Place place = place_at(change, mutation.claims[claim], path);
      const TermId root = replacer_.rebuilt(place, fresh->constant, change.readers);
      if (!root.valid()) continue;
      mutation.claims[claim] = root;
      if (store_.op(fresh->bounds) != Op::kTrue) mutation.claims.push_back(fresh->bounds);
      add_declaration(mutation.frame, store_.callee(fresh->constant));
      mutation.model = std::move(fresh->model);
      taken.push_back(std::move(path));
    }
  }

  // What stands at the end of a path, and what it may be.
  struct Leaf {
    TermId term;
    Range range;
  };

  Leaf leaf_at(ModelledScript& source, TermId root, const std::vector<uint32_t>& path) {
    Leaf leaf{root, Ranges::only(eval::boolean(true))};
    for (const uint32_t step : path) {
      if (store_.op(leaf.term) != Op::kAnnotated) {
        leaf.range = source.ranges().of_argument(leaf.term, step, leaf.range);
      }
      leaf.term = store_.args(leaf.term)[step];
    }
    return leaf;
  }

  Place place_at(const Change& change, TermId root, const std::vector<uint32_t>& path) const {
    Place place = change.place;
    place.path = path;
    place.ancestors.clear();
    place.term = root;
    for (const uint32_t step : path) {
      place.ancestors.push_back(place.term);
      place.term = store_.args(place.term)[step];
    }
    return place;
  }

  // A constant with a leaf's value, and what keeps it within the leaf's range.
  struct Fresh {
    TermId constant;
    TermId bounds;
    std::shared_ptr<const ir::Model> model;
  };

  // Nothing where that cannot be said.
  std::optional<Fresh> fresh_for(ModelledScript& source, const Leaf& leaf, const ir::Model& model) {
    const TermId value = value_of_leaf(*source.model, leaf.term);
    // The value of what was replaced may lie outside of what its surroundings seemed to allow.
    if (!value.valid() || !source.contains(leaf.range, leaf.term)) return {};
    const FunId fresh = ir::fresh_constant(store_, "fresh!", next_fresh_, store_.sort(leaf.term));
    const TermId constant = store_.fun(fresh).constant;
    const TermId bounds = source.ranges().formula(store_, leaf.range, constant);
    if (!bounds.valid() || !takes_bounds(*source.model, bounds)) return {};
    auto extended = std::make_shared<ir::Model>(model);
    extended->functions.push_back({fresh, {{}, value}});
    // A range may be right and yet written down wrongly.
    TruthBudget budget{.left = settings_.evaluation_steps};
    if (!held(store_, {&bounds, 1}, extended, budget)) return {};
    return Fresh{constant, bounds, std::move(extended)};
  }

  // From the claim down to a random leaf of the replacement.
  std::vector<uint32_t> full_path(base::Rng& rng, const Change& change) const {
    std::vector<uint32_t> path = change.place.path;
    TermId term = change.replacement;
    while (!store_.args(term).empty() && !ir::is_binder(store_.op(term)) &&
           store_.op(term) != Op::kMatch) {
      const auto [first, end] = ir::proper_args(store_, term);
      const auto step = static_cast<uint32_t>(first + rng.below(end - first));
      path.push_back(step);
      term = store_.args(term)[step];
    }
    return path;
  }

  // What the model says of a literal or a constant, as a term; none for anything else.
  TermId value_of_leaf(const ir::Model& model, TermId leaf) const {
    if (ir::is_literal(store_.op(leaf))) return leaf;
    if (store_.op(leaf) != Op::kCall || !store_.args(leaf).empty()) return {};
    for (const ir::FunctionDefinition& known : model.functions) {
      if (known.fun == store_.callee(leaf)) return known.definition.body;
    }
    return {};
  }

  // Elements of uninterpreted sorts have names in the model alone, and comparisons of numbers are
  // no part of logics that only count characters.
  bool takes_bounds(const ir::Model& model, TermId bounds) const {
    const auto is_element = [&](TermId term) {
      return store_.op(term) == Op::kCall &&
             std::any_of(model.universes.begin(), model.universes.end(), [&](const auto& universe) {
               const auto& elements = universe.elements;
               return std::find(elements.begin(), elements.end(), store_.callee(term)) !=
                      elements.end();
             });
    };
    if (!model.universes.empty() && ir::Walker(store_).find(bounds, is_element)) return false;
    const auto args = store_.args(bounds);
    const bool is_arithmetic = !args.empty() && (store_.sort(args[0]) == ir::kIntSort ||
                                                 store_.sort(args[0]) == ir::kRealSort);
    return !is_arithmetic || replacer_.logic().admits(ir::Theory::kRealsInts);
  }

  // --- Mutants that become false. ---

  // A spot of a claim whose parts can be forced to have their values, if there seem to be any.
  uint32_t choose_breakable(base::Rng& rng, ModelledScript& source) const {
    constexpr int kTries = 8;
    uint32_t spot = source.choose(rng);
    const auto is_good = [&] {
      return may_be_forced(store_, source.claims[source.spot(spot).claim]);
    };
    for (int i = 0; i < kTries && !is_good(); ++i) spot = source.choose(rng);
    return spot;
  }

  Attempt mirror(base::Rng& rng, ModelledScript& source) {
    const uint32_t spot = choose_breakable(rng, source);
    Change change;
    if (!replacer_.find_change(rng, source, spot, false, change)) {
      return Skip{"no replacement breaks the model"};
    }
    std::vector<const ir::Model*> others;
    for (const auto& other : sources_) {
      if (other.get() != &source) others.push_back(other->model.get());
    }
    const auto forcing = force_false(store_, *source.model, others, change.root, rng);
    if (!forcing) return Skip{"the model cannot be forced"};
    std::vector<TermId> claims = source.claims;
    claims[source.claim_of(change.place)] = change.root;
    claims.insert(claims.end(), forcing->formulas.begin(), forcing->formulas.end());
    rng.shuffle(std::span(claims));
    ir::Script frame = source.frame;
    for (const FunId constant : forcing->constants) add_declaration(frame, constant);
    Mutant mutant;
    mutant.script = named(with_assertions(frame, claims));
    mutant.expected = {Truth::kUnsat};
    mutant.construction = kForcedContradiction;
    return mutant;
  }

  const DiverSettings& settings_;
  ir::TermStore& store_;
  ir::SymbolId tactic_;  // of the seed, if it has one
  const Steps steps_;    // likewise
  Replacer replacer_;
  Sources sources_;
  uint32_t next_fresh_ = 0;
};

class Diver final : public Engine {
 public:
  explicit Diver(const DiverSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "diver"; }
  uint32_t series_length() const override { return settings_.length; }
  bool wants_models() const override { return true; }

  Start start(ir::TermStore& store, const Seed& seed) override {
    auto flat = flatten_known(store, seed.script);
    if (const auto* skip = std::get_if<Skip>(&flat)) return *skip;
    Flat& parts = std::get<Flat>(flat);
    if (parts.claims.empty()) return Skip{"no assertions"};
    if (distinct_terms(store, parts.claims) > settings_.max_seed_nodes) return Skip{"too large"};
    if (distinct_terms(store, assertions_of(parts.steps)) > settings_.max_seed_nodes) {
      parts.steps.clear();
    }
    if (!seed.core.empty())
      return start_around_core(settings_.beside_core, store, parts, seed.core);
    std::vector<HeldModel> models = models_of(store, parts, seed);
    if (models.empty()) {
      return Skip{seed.models.empty() ? std::string_view("no model")
                                      : std::string_view("its model does not evaluate")};
    }
    Sources sources;
    for (HeldModel& model : models) {
      sources.push_back(std::make_unique<ModelledScript>(store, settings_, parts.frame,
                                                         parts.claims, std::move(model)));
    }
    return std::make_unique<DiverSeries>(settings_, vacant(workshop_, settings_.vocabulary), store,
                                         std::move(sources), parts);
  }

 private:
  // The given ones that hold; where nobody knows one, an assignment that happens to be one.
  std::vector<HeldModel> models_of(ir::TermStore& store, const Flat& parts,
                                   const Seed& seed) const {
    SeedModels models(store, parts);
    base::Rng completing(0);
    const eval::Settings limits = limits_of(settings_);
    std::vector<HeldModel> good =
        models.given(seed.models, completing, {.left = settings_.model_steps}, limits);
    if (!good.empty() || seed.status == Truth::kUnsat) return good;
    base::Rng guessing(1);
    return models.guessed(settings_.guesses, guessing, {.left = settings_.guess_steps}, limits);
  }

  DiverSettings settings_;
  std::shared_ptr<Workshop> workshop_;
};

}  // namespace

std::unique_ptr<Engine> make_diver(const DiverSettings& settings) {
  return std::make_unique<Diver>(settings);
}

}  // namespace elenchus::mutate
