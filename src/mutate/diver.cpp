// Oracle-guided testing with unrestricted random mutations (J. Kim, S. So, H. Oh: DIVER:
// Oracle-Guided SMT Solver Testing with Unrestricted Random Mutations, ICSE 2023). A seed comes
// with a model; an occurrence is replaced by a random term; mutants that are still true under the
// model are satisfiable. Occurrences are chosen by how much room their surroundings leave for their
// value (eval/range.h), so that few random terms are in vain.
//
// Where we differ:
//   - All theories, and several models of one seed.
//   - `Complicate` for every sort whose ranges can be written down.
//   - The mirror: mutants that are false under the model, together with formulas that leave no
//     other model (mutate/forcing.h), are unsatisfiable.
//   - A formula that shares its parts is a huge tree: occurrences are considered from the roots
//     down, up to a number.
#include "mutate/diver.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "eval/range.h"
#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/walk.h"
#include "mutate/admission.h"
#include "mutate/around_core.h"
#include "mutate/assignment.h"
#include "mutate/draft.h"
#include "mutate/flat.h"
#include "mutate/forcing.h"
#include "mutate/maker.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::TermId;

namespace {

constexpr uint32_t kNoParent = UINT32_MAX;

// An occurrence, and how much room it has.
struct Spot {
  TermId term;
  uint32_t parent = kNoParent;
  uint32_t position = 0;  // among the parent's arguments
  uint32_t claim = 0;
  bool is_bound = false;  // below a binder: its value is none in particular
  eval::Range range;
};

// Formulas that a model makes true, with the pre-analysis of their occurrences.
class World {
 public:
  World(ir::TermStore& store, const DiverSettings& settings, ir::Script its_frame,
        std::vector<TermId> its_claims, std::shared_ptr<const ir::Model> its_model)
      : frame(std::move(its_frame)),
        claims(std::move(its_claims)),
        model(std::move(its_model)),
        store_(store),
        settings_(settings),
        evaluator_(store, *model, limits(settings)),
        ranges_(evaluator_) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Whether the model makes all claims true, without a value that the standard leaves open. Takes
  // at most so many steps, and lowers the number.
  bool holds(uint64_t& steps) {
    return std::all_of(claims.begin(), claims.end(),
                       [&](TermId claim) { return evaluate(claim, steps).is_true(); });
  }

  eval::Value evaluate(TermId term, uint64_t& steps) {
    const eval::Value value = evaluator_.evaluate(term, steps);
    steps = evaluator_.steps_left();
    return value;
  }

  // Works out the range of every occurrence, from the roots down.
  void analyse() {
    for (uint32_t i = 0; i < claims.size(); ++i) {
      spots_.push_back({.term = claims[i],
                        .parent = kNoParent,
                        .position = 0,
                        .claim = i,
                        .is_bound = false,
                        .range = eval::Ranges::only(eval::boolean(true))});
    }
    for (uint32_t i = 0; i < spots_.size() && spots_.size() < settings_.max_spots; ++i) expand(i);
    sums_.reserve(spots_.size());
    double sum = 0;
    for (const Spot& spot : spots_) {
      sum += settings_.is_weighted ? eval::Ranges::score(spot.range) : 1;
      sums_.push_back(sum);
    }
  }

  bool has_spots() const { return !spots_.empty(); }

  uint32_t choose(base::Rng& rng) const {
    const double draw = rng.unit() * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), draw);
    return static_cast<uint32_t>(
        std::min<size_t>(static_cast<size_t>(found - sums_.begin()), sums_.size() - 1));
  }

  const Spot& spot(uint32_t index) const { return spots_[index]; }

  void find_place(uint32_t index, Place& place) const {
    place.path.clear();
    place.ancestors.clear();
    place.bound.clear();
    place.term = spots_[index].term;
    place.command = static_cast<uint32_t>(frame.commands.size()) + spots_[index].claim;
    place.at = place.command;
    for (uint32_t i = index; spots_[i].parent != kNoParent; i = spots_[i].parent) {
      const TermId parent = spots_[spots_[i].parent].term;
      place.path.push_back(spots_[i].position);
      place.ancestors.push_back(parent);
      if (!ir::is_binder(store_.op(parent))) continue;
      for (const TermId variable : store_.bound_variables(parent)) place.bound.push_back(variable);
    }
    std::reverse(place.path.begin(), place.path.end());
    std::reverse(place.ancestors.begin(), place.ancestors.end());
  }

  eval::Evaluator& evaluator() { return evaluator_; }
  eval::Ranges& ranges() { return ranges_; }

  const ir::Script frame;
  const std::vector<TermId> claims;
  const std::shared_ptr<const ir::Model> model;
  uint32_t mutants = 0;  // that were made of it

 private:
  static eval::Settings limits(const DiverSettings& settings) {
    eval::Settings limits;
    limits.steps = settings.evaluation_steps;
    return limits;
  }

  void expand(uint32_t index) {
    const Spot spot = spots_[index];
    const Op op = store_.op(spot.term);
    // A case binds the fields; its bodies are not worth the trouble.
    if (op == Op::kMatch) return;
    const bool is_bound = spot.is_bound || ir::is_binder(op);
    const auto [first, end] = ir::proper_args(store_, spot.term);
    for (uint32_t i = first; i < end; ++i) {
      Spot child{.term = store_.args(spot.term)[i],
                 .parent = index,
                 .position = i,
                 .claim = spot.claim,
                 .is_bound = is_bound,
                 .range = {}};
      if (op == Op::kAnnotated) {
        child.range = spot.range;
      } else if (!is_bound) {
        child.range = ranges_.of_argument(spot.term, i, spot.range);
      } else {
        child.range = {eval::NoValue{}};
      }
      spots_.push_back(std::move(child));
    }
  }

  ir::TermStore& store_;
  const DiverSettings& settings_;
  eval::Evaluator evaluator_;
  eval::Ranges ranges_;
  std::vector<Spot> spots_;
  std::vector<double> sums_;  // of the scores up to each spot
};

class DiverSeries final : public Series, private Maker {
 public:
  DiverSeries(const DiverSettings& settings, std::shared_ptr<Workshop> workshop,
              ir::TermStore& store, std::vector<std::unique_ptr<World>> worlds)
      : Maker(store, *workshop),
        settings_(settings),
        workshop_(std::move(workshop)),
        store_(store),
        measures_(store),
        worlds_(std::move(worlds)) {}

  Attempt next(base::Rng& rng) override {
    scene_.rng = &rng;
    if (!draft_) begin(rng);
    if (expressions().exhausted()) return Skip{"too many variables"};
    const size_t at = rng.below(worlds_.size());
    World& world = *worlds_[at];
    if (!world.has_spots()) return Skip{"nothing to replace"};
    const bool is_mirror = settings_.mirror_one_in != 0 && rng.one_in(settings_.mirror_one_in);
    Attempt attempt = is_mirror ? mirror(world) : preserve(world);
    if (std::holds_alternative<Mutant>(attempt)) retire(at);
    return attempt;
  }

 private:
  // --- Getting started. ---

  void begin(base::Rng& rng) {
    const World& world = *worlds_[0];
    draft_.emplace(store_, with_assertions(world.frame, world.claims));
    const std::string logic = settle_logic(rng);
    draft_->index(expressions(), Expressions::Targets::kAll);
    scene_.vocabulary = &workshop_->vocabulary(store_.ops(), logic);
    scene_.readers = expressions().readers() & settings_.vocabulary.solvers;
    if (scene_.readers == 0) scene_.readers = settings_.vocabulary.solvers;
    scene_.kinds = expressions().kinds();
    add_companions();
    for (const auto& each : worlds_) collect_leaves(*each);
  }

  // Hardly anything can be changed and stay within differences, and QF_S does not count.
  std::string settle_logic(base::Rng& rng) {
    const ir::SymbolId name = draft_->script().logic;
    std::string logic(name.valid() ? store_.symbols().text(name) : "ALL");
    if (logic.ends_with("IDL")) logic.replace(logic.size() - 3, 3, "LIA");
    if (logic.ends_with("RDL")) logic.replace(logic.size() - 3, 3, "LRA");
    if (logic == "QF_S") logic = "QF_SLIA";
    const bool may_widen = settings_.widen_one_in != 0 && !logic.starts_with("HO_");
    if (may_widen && rng.one_in(settings_.widen_one_in)) logic = "ALL";
    if (name.valid()) logic_ = logic;
    return logic;
  }

  // Constants of the script, literals, and the values of the model, by sort.
  void collect_leaves(const World& world) {
    ir::Walker walker(store_);
    for (const TermId claim : world.claims) {
      walker.walk(claim, [&](TermId term) {
        const bool is_constant = store_.op(term) == Op::kCall && store_.args(term).empty();
        if (is_constant || ir::is_literal(store_.op(term))) add_leaf(term);
      });
    }
    // Solvers also list definitions, which are written out and gone, and functions of their own.
    std::unordered_set<uint32_t> declared;
    for (const ir::Command& command : world.frame.commands) {
      const bool is_declaration = command.kind == ir::CommandKind::kDeclareFun ||
                                  command.kind == ir::CommandKind::kDeclareConst;
      if (is_declaration) declared.insert(world.frame.items(command)[0]);
    }
    for (const ir::FunctionDefinition& known : world.model->functions) {
      const ir::FunDecl& decl = store_.fun(known.fun);
      if (decl.param_count != 0 || !declared.contains(known.fun.value)) continue;
      if (decl.constant.valid()) add_leaf(decl.constant);
      // Elements of uninterpreted sorts are in the model alone.
      const bool is_plain = !store_.has(known.definition.body, ir::kHasUnknown) &&
                            is_value(store_, known.definition.body);
      if (is_plain && logic().admits(store_.sorts().kind(decl.result))) {
        add_leaf(unsigned_if_needed(known.definition.body));
      }
    }
  }

  void add_leaf(TermId term) {
    auto& known = leaves_[store_.sort(term).value];
    if (std::find(known.begin(), known.end(), term) == known.end()) known.push_back(term);
  }

  // A world that has served long enough makes room, if it is not the last one.
  void retire(size_t at) {
    if (++worlds_[at]->mutants < settings_.mutants_per_seed || worlds_.size() == 1) return;
    worlds_.erase(worlds_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // --- Replacements. ---

  // A replacement of an occurrence, and the claim with it.
  struct Change {
    Place place;
    TermId replacement;
    TermId root;
    uint16_t readers = 0;
  };

  // A random replacement at the spot after which the claim has this value.
  bool find_change(World& world, uint32_t spot, bool wanted, Change& change) {
    world.find_place(spot, change.place);
    scene_.at = change.place.at;
    place_ = &change.place;
    uint64_t steps = settings_.evaluation_steps;
    for (uint32_t i = 0; i < settings_.tries && steps > 0; ++i) {
      if (!try_change(world, change)) continue;
      const eval::Value value = world.evaluate(change.root, steps);
      if (wanted ? value.is_true() : value.is_false()) return true;
    }
    return false;
  }

  bool try_change(World& world, Change& change) {
    base::Rng& rng = *scene_.rng;
    expansions_ = settings_.expansions;
    made_for_ = scene_.readers;
    change.replacement =
        rng.one_in(8) ? leaf(store_.sort(change.place.term)) : grow(store_.sort(change.place.term));
    if (!change.replacement.valid() || change.replacement == change.place.term) return false;
    if (measures_.of(change.replacement).size > settings_.max_nodes) return false;
    change.readers = made_for_;
    change.root = draft_->rebuild(change.place, change.replacement, logic(), change.readers);
    if (!change.root.valid() || !is_welcome(rng, change.readers, scene_.readers)) return false;
    const TermId old = world.claims[change.place.command - world.frame.commands.size()];
    return change.root != old && measures_.of(change.root).size <= settings_.max_nodes;
  }

  TermId grow(SortId sort) {
    if (expansions_ > 0) {
      --expansions_;
      uint16_t readers = kAnyone;
      const TermId made = application(sort, readers);
      if (made.valid()) {
        made_for_ &= readers;
        return made;
      }
    }
    return leaf(sort);
  }

  TermId leaf(SortId sort) {
    base::Rng& rng = *scene_.rng;
    if (!place_->bound.empty() && rng.one_in(2)) {
      const TermId variable = place_->bound[rng.below(place_->bound.size())];
      if (store_.sort(variable) == sort) return variable;
    }
    const auto known = leaves_.find(sort.value);
    if (known != leaves_.end() && !rng.one_in(8)) {
      return known->second[rng.below(known->second.size())];
    }
    return admissible_constant(sort);
  }

  // gen::Arguments: at each argument an operator or a leaf.
  TermId pick(SortId sort) override { return scene_.rng->one_in(2) ? leaf(sort) : grow(sort); }

  // --- Mutants that stay true. ---

  Attempt preserve(World& world) {
    Change change;
    if (!find_change(world, world.choose(*scene_.rng), true, change))
      return Skip{"no replacement keeps the model"};
    std::vector<TermId> claims = world.claims;
    TermId& changed = claims[change.place.command - world.frame.commands.size()];
    changed = change.root;
    ir::Script frame = world.frame;
    std::shared_ptr<const ir::Model> model = world.model;
    const bool may_complicate = settings_.may_complicate && change.place.bound.empty();
    if (may_complicate && scene_.rng->one_in(2)) complicate(world, change, frame, claims, model);
    const ir::Script script = with_assertions(frame, claims);
    if (worlds_.size() < settings_.pool && scene_.rng->one_in(settings_.join_one_in)) {
      join(frame, claims, model);
    }
    Mutant mutant;
    mutant.script = named(script);
    mutant.expected = {Truth::kSat};
    mutant.witness = std::move(model);
    return mutant;
  }

  ir::Script named(ir::Script script) {
    if (logic_.empty()) return script;
    const ir::SymbolId name = store_.symbols().intern(logic_);
    for (ir::Command& command : script.commands) {
      if (command.kind == ir::CommandKind::kSetLogic) command.text = name;
    }
    script.logic = name;
    return script;
  }

  void join(const ir::Script& frame, const std::vector<TermId>& claims,
            const std::shared_ptr<const ir::Model>& model) {
    auto world = std::make_unique<World>(store_, settings_, frame, claims, model);
    uint64_t steps = settings_.model_steps;
    if (!world->holds(steps)) return;
    world->analyse();
    worlds_.push_back(std::move(world));
  }

  // A leaf of the replacement becomes a fresh constant, whose value is kept within the leaf's
  // range.
  void complicate(World& world, const Change& change, ir::Script& frame,
                  std::vector<TermId>& claims, std::shared_ptr<const ir::Model>& model) {
    Place place = change.place;
    eval::Range range = eval::Ranges::only(eval::boolean(true));
    const std::vector<uint32_t> path = full_path(change);
    place.path.clear();
    place.ancestors.clear();
    TermId term = change.root;
    for (const uint32_t step : path) {
      if (store_.op(term) != Op::kAnnotated) range = world.ranges().of_argument(term, step, range);
      place.path.push_back(step);
      place.ancestors.push_back(term);
      term = store_.args(term)[step];
    }
    place.term = term;
    const TermId value = value_of_leaf(*world.model, term);
    // The value of what was replaced may lie outside of what its surroundings seemed to allow.
    if (!value.valid() || !world.ranges().contains(range, world.evaluator().evaluate(term))) return;
    const FunId fresh = fresh_constant(store_.sort(term));
    const TermId constant = store_.fun(fresh).constant;
    const TermId bounds = world.ranges().formula(store_, range, constant);
    if (!bounds.valid() || !takes_bounds(*world.model, bounds)) return;
    uint16_t readers = change.readers;
    const TermId root = draft_->rebuild(place, constant, logic(), readers);
    if (!root.valid() || (readers & scene_.readers) == 0) return;
    claims[change.place.command - world.frame.commands.size()] = root;
    if (store_.op(bounds) != Op::kTrue) claims.push_back(bounds);
    add_declaration(frame, fresh);
    auto extended = std::make_shared<ir::Model>(*model);
    extended->functions.push_back({fresh, {{}, value}});
    model = std::move(extended);
  }

  // From the claim down to a random leaf of the replacement.
  std::vector<uint32_t> full_path(const Change& change) {
    std::vector<uint32_t> path = change.place.path;
    TermId term = change.replacement;
    while (!store_.args(term).empty() && !ir::is_binder(store_.op(term)) &&
           store_.op(term) != Op::kMatch) {
      const auto [first, end] = ir::proper_args(store_, term);
      const auto step = static_cast<uint32_t>(first + scene_.rng->below(end - first));
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
    return !is_arithmetic || logic().admits(ir::Theory::kRealsInts);
  }

  FunId fresh_constant(SortId sort) {
    for (;; ++fresh_) {
      const ir::SymbolId name = store_.symbols().intern("fresh!" + std::to_string(fresh_));
      if (store_.is_function_name(name) || store_.is_variable_name(name)) continue;
      return store_.declare(name, ir::FunKind::kDeclared, {}, sort);
    }
  }

  // --- Mutants that become false. ---

  // A spot of a claim whose parts can be forced to have their values, if there seem to be any.
  uint32_t choose_breakable(const World& world) {
    constexpr int kTries = 8;
    uint32_t spot = world.choose(*scene_.rng);
    const auto is_good = [&] {
      return may_be_forced(store_, world.claims[world.spot(spot).claim]);
    };
    for (int i = 0; i < kTries && !is_good(); ++i) spot = world.choose(*scene_.rng);
    return spot;
  }

  Attempt mirror(World& world) {
    const uint32_t spot = choose_breakable(world);
    Change change;
    if (!find_change(world, spot, false, change)) return Skip{"no replacement breaks the model"};
    std::vector<const ir::Model*> others;
    for (const auto& other : worlds_) {
      if (other.get() != &world) others.push_back(other->model.get());
    }
    const auto forcing = force_false(store_, *world.model, others, change.root, *scene_.rng);
    if (!forcing) return Skip{"the model cannot be forced"};
    std::vector<TermId> claims = world.claims;
    claims[change.place.command - world.frame.commands.size()] = change.root;
    claims.insert(claims.end(), forcing->formulas.begin(), forcing->formulas.end());
    scene_.rng->shuffle(std::span(claims));
    ir::Script frame = world.frame;
    for (const FunId constant : forcing->constants) add_declaration(frame, constant);
    Mutant mutant;
    mutant.script = named(with_assertions(frame, claims));
    mutant.expected = {Truth::kUnsat};
    mutant.construction = kForcedContradiction;
    return mutant;
  }

  const DiverSettings& settings_;
  std::shared_ptr<Workshop> workshop_;
  ir::TermStore& store_;
  ir::Measures measures_;
  std::vector<std::unique_ptr<World>> worlds_;
  std::optional<Draft> draft_;  // the first world's script, for what all of them share
  std::string logic_;           // that the mutants name
  std::unordered_map<uint32_t, std::vector<TermId>> leaves_;  // by sort
  const Place* place_ = nullptr;                              // of the change under way
  uint32_t expansions_ = 0;                                   // that are left
  uint16_t made_for_ = 0;                                     // who reads what was made
  uint64_t fresh_ = 0;
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
    const Flat& parts = std::get<Flat>(flat);
    if (parts.claims.empty()) return Skip{"no assertions"};
    if (is_large(store, parts)) return Skip{"too large"};
    if (!seed.core.empty())
      return start_around_core(settings_.beside_core, store, parts, seed.core);
    std::vector<std::unique_ptr<World>> worlds = worlds_of(store, parts, seed.models);
    if (worlds.empty() && seed.status != Truth::kUnsat) worlds = guess(store, parts);
    if (worlds.empty()) {
      return Skip{seed.models.empty() ? std::string_view("no model")
                                      : std::string_view("its model does not evaluate")};
    }
    return std::make_unique<DiverSeries>(settings_, vacant(workshop_, settings_.vocabulary), store,
                                         std::move(worlds));
  }

 private:
  bool is_large(const ir::TermStore& store, const Flat& parts) const {
    // The paper's 200 KB, at some ten bytes a node.
    constexpr uint64_t kMostNodes = 20'000;
    ir::Measures measures(store);
    uint64_t size = 0;
    for (const TermId claim : parts.claims) {
      size = ir::saturating_add(size, measures.of(claim).size);
    }
    return size > kMostNodes;
  }

  std::vector<std::unique_ptr<World>> worlds_of(ir::TermStore& store, const Flat& parts,
                                                std::span<const ir::Model> models) const {
    Assigner assigner(store, parts.frame, parts.claims);
    // What a solver leaves out of its model may be anything.
    base::Rng rng(0);
    std::vector<std::unique_ptr<World>> worlds;
    for (const ir::Model& given : models) {
      auto model = std::make_shared<ir::Model>(given);
      model->operators.clear();
      assigner.complete(*model, rng);
      uint64_t steps = settings_.model_steps;
      add_if_it_holds(store, parts, std::move(model), steps, worlds);
    }
    return worlds;
  }

  // Where nobody knows a model, some assignment may happen to be one.
  std::vector<std::unique_ptr<World>> guess(ir::TermStore& store, const Flat& parts) const {
    Assigner assigner(store, parts.frame, parts.claims);
    base::Rng rng(1);
    std::vector<std::unique_ptr<World>> worlds;
    uint64_t steps = settings_.guess_steps;
    for (uint32_t i = 0; i < settings_.guesses && worlds.empty() && steps > 0; ++i) {
      add_if_it_holds(store, parts, std::make_shared<ir::Model>(assigner.draw(rng)), steps, worlds);
    }
    return worlds;
  }

  void add_if_it_holds(ir::TermStore& store, const Flat& parts,
                       std::shared_ptr<const ir::Model> model, uint64_t& steps,
                       std::vector<std::unique_ptr<World>>& worlds) const {
    auto world =
        std::make_unique<World>(store, settings_, parts.frame, parts.claims, std::move(model));
    if (!world->holds(steps)) return;
    world->analyse();
    worlds.push_back(std::move(world));
  }

  DiverSettings settings_;
  std::shared_ptr<Workshop> workshop_;
};

}  // namespace

std::unique_ptr<Engine> make_diver(const DiverSettings& settings) {
  return std::make_unique<Diver>(settings);
}

}  // namespace elenchus::mutate
