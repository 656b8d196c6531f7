// Blackbox mutational fuzzing (M. N. Mansur, M. Christakis, V. Wüstholz, F. Zhang: Detecting
// Critical Bugs in SMT Solvers using Blackbox Mutational Fuzzing, ESEC/FSE 2020), algorithm 1: the
// Boolean parts of a seed, each with its value under an assignment, are joined at random to new
// formulas whose values are known; those that are false are negated. So every instance is
// satisfiable, with the assignment as its witness.
//
// Where we differ:
//   - Any assignment will do: models that solvers gave for the seed, and random ones; the values
//     come from our evaluator. What it cannot tell stays out.
//   - `and` and `not` could make every formula; other connectives take other ways through a solver,
//     so some are mixed in.
//   - Instances have a bound on their size too: conjunctions of conjunctions double it every time.
//   - Of seeds that ask in steps, half of the instances do so, too, at the same places: as every
//     formula is true under one assignment, every check is satisfiable.
#include "mutate/storm.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/timeline.h"
#include "mutate/around_core.h"
#include "mutate/flat.h"
#include "mutate/forcing.h"
#include "mutate/fragments.h"
#include "mutate/seed_models.h"

namespace elenchus::mutate {

using ir::Op;
using ir::TermId;

namespace {

// A formula and its value under the assignment.
struct Valued {
  TermId formula;
  bool value = true;
  uint32_t size = 0;
};

// The pools of one assignment.
class Pools {
 public:
  Pools(ir::TermStore& store, const StormSettings& settings, ir::Measures& measures,
        ConnectiveDepths& depths)
      : store_(store), settings_(settings), measures_(measures), depths_(depths) {}

  // Seed fragmentation: the Boolean parts that the assignment gives a value.
  void add_fragments(std::span<const TermId> fragments, const ir::Model& model) {
    constexpr uint64_t kCheap = 50;
    eval::Evaluator evaluator(store_, model);
    uint64_t left = settings_.pool_steps;
    for (const TermId fragment : fragments) {
      const uint64_t most = std::max(std::min<uint64_t>(left, settings_.evaluation_steps), kCheap);
      const eval::Value value = evaluator.evaluate(fragment, most);
      left -= std::min(left, most - evaluator.steps_left());
      if (!value.known()) continue;
      initial_.push_back({fragment, value.is_true(), size_of(fragment)});
    }
  }

  bool is_empty() const { return initial_.empty(); }

  // Formula generation. Small seeds give few different formulas.
  void enrich(base::Rng& rng) {
    constexpr size_t kPerFragment = 8;
    const size_t wanted = std::min<size_t>(settings_.enrichment, initial_.size() * kPerFragment);
    // Formulas that would be too deep are not kept: tries are bounded, too.
    for (size_t i = 0; i < 2 * wanted && constructed_.size() < wanted; ++i) {
      const Valued made = combine(rng);
      if (!made.formula.valid() || made.size > settings_.max_nodes) continue;
      if (depths_.of(made.formula) <= settings_.max_depth) constructed_.push_back(made);
    }
  }

  // Instance generation: a formula that is true under the assignment.
  Valued true_formula(base::Rng& rng) { return formula(rng, true); }
  // One whose value can be forced, if there seem to be any.
  Valued false_formula(base::Rng& rng) {
    constexpr int kTries = 8;
    Valued drawn = formula(rng, false);
    for (int i = 0; i < kTries && !may_be_forced(store_, drawn.formula); ++i) {
      drawn = formula(rng, false);
    }
    return drawn;
  }

 private:
  Valued formula(base::Rng& rng, bool wanted) {
    const bool is_initial = rng.below(100) < settings_.initial_percent || constructed_.empty();
    const std::vector<Valued>& pool = is_initial ? initial_ : constructed_;
    const Valued drawn = pool[rng.below(pool.size())];
    if (drawn.value == wanted) return drawn;
    return {apply(Op::kNot, {drawn.formula}), wanted, drawn.size + 1};
  }

  // Uniformly from both pools.
  const Valued& draw_any(base::Rng& rng) const {
    const uint64_t at = rng.below(initial_.size() + constructed_.size());
    return at < initial_.size() ? initial_[at] : constructed_[at - initial_.size()];
  }

  uint32_t size_of(TermId term) {
    return static_cast<uint32_t>(std::min<uint64_t>(measures_.of(term).size, UINT32_MAX / 4));
  }

  TermId apply(Op op, std::initializer_list<TermId> args) {
    return store_.make(op, ir::kBoolSort, 0, {args.begin(), args.size()});
  }

  Valued combine(base::Rng& rng) {
    const Valued a = draw_any(rng);
    if (rng.happens(settings_.other_one_in)) {
      return combine_otherwise(rng, a);
    }
    if (rng.coin()) return {apply(Op::kNot, {a.formula}), !a.value, a.size + 1};
    const Valued b = draw_any(rng);
    return {apply(Op::kAnd, {a.formula, b.formula}), a.value && b.value, a.size + b.size + 1};
  }

  Valued combine_otherwise(base::Rng& rng, const Valued& a) {
    const Valued b = draw_any(rng);
    const uint32_t size = a.size + b.size + 1;
    switch (rng.below(6)) {
      case 0: return {apply(Op::kOr, {a.formula, b.formula}), a.value || b.value, size};
      case 1: return {apply(Op::kImplies, {a.formula, b.formula}), !a.value || b.value, size};
      case 2: return {apply(Op::kXor, {a.formula, b.formula}), a.value != b.value, size};
      case 3: return {apply(Op::kEq, {a.formula, b.formula}), a.value == b.value, size};
      case 4: return {apply(Op::kDistinct, {a.formula, b.formula}), a.value != b.value, size};
      default: break;
    }
    const Valued c = draw_any(rng);
    return {apply(Op::kIte, {a.formula, b.formula, c.formula}), a.value ? b.value : c.value,
            size + c.size};
  }

  ir::TermStore& store_;
  const StormSettings& settings_;
  ir::Measures& measures_;
  ConnectiveDepths& depths_;
  std::vector<Valued> initial_;
  std::vector<Valued> constructed_;
};

class StormSeries final : public Series {
 public:
  StormSeries(const StormSettings& settings, ir::TermStore& store, Flat flat, const Seed& seed)
      : settings_(settings),
        store_(store),
        flat_(std::move(flat)),
        measures_(store),
        depths_(store),
        seed_models_(store, flat_),
        given_(seed.models.begin(), seed.models.end()) {
    given_.insert(given_.end(), seed.assignments.begin(), seed.assignments.end());
    fragments_ = fragments_of(store_, measures_, depths_, flat_.claims, settings_.max_depth,
                              settings_.max_nodes);
    // All too deep: then they are used as they are.
    if (fragments_.empty()) {
      fragments_ =
          fragments_of(store_, measures_, depths_, flat_.claims, UINT32_MAX, settings_.max_nodes);
    }
  }

  Attempt next(base::Rng& rng) override {
    if (fragments_.empty()) return Skip{"no formulas to take apart"};
    if (!std::exchange(is_begun_, true)) make_assignments(rng);
    if (assignments_.empty()) return Skip{"no formula has a value"};
    Assignment& assignment = assignments_[rng.below(assignments_.size())];
    return instance(assignment, rng);
  }

 private:
  // An assignment with its pools.
  struct Assignment {
    std::shared_ptr<const ir::Model> model;
    Pools pools;
  };

  void make_assignments(base::Rng& rng) {
    for (uint32_t i = 0; i < settings_.assignments; ++i) {
      auto model = std::make_shared<const ir::Model>(
          seed_models_.completed(i < given_.size() ? given_[i] : ir::Model(), rng));
      Pools pools(store_, settings_, measures_, depths_);
      pools.add_fragments(fragments_, *model);
      if (pools.is_empty()) continue;
      pools.enrich(rng);
      assignments_.push_back({std::move(model), std::move(pools)});
    }
  }

  Attempt instance(Assignment& assignment, base::Rng& rng) {
    const uint64_t count = 1 + rng.below(settings_.max_assertions);
    assertions_.clear();
    uint64_t size = 0;
    // Small seeds have few formulas: tries are bounded.
    for (uint64_t i = 0; i < 2 * count && assertions_.size() < count; ++i) {
      const Valued formula = assignment.pools.true_formula(rng);
      if (!assertions_.empty() && size + formula.size > settings_.max_nodes) break;
      if (add_once(formula.formula)) size += formula.size;
    }
    if (rng.happens(settings_.mirror_one_in)) {
      return contradiction(assignment, rng);
    }
    Mutant mutant;
    if (asks_in_steps(rng)) {
      mutant.script = with_steps(flat_.frame, flat_.steps, fillings(rng));
    } else {
      mutant.script = with_assertions(flat_.frame, assertions_);
    }
    settle_tactic(mutant.script, rng);
    mutant.expected.assign(ir::checks_of(mutant.script).size(), Truth::kSat);
    mutant.witness = assignment.model;
    return mutant;
  }

  bool asks_in_steps(base::Rng& rng) const {
    return !flat_.steps.empty() && rng.happens(settings_.steps_one_in);
  }

  // Each assertion of the seed gives way to one of the instance, as long as there are some; what is
  // left goes anywhere.
  Fillings fillings(base::Rng& rng) const {
    Fillings found(assertions_of(flat_.steps).size());
    std::vector<size_t> order(found.size());
    std::iota(order.begin(), order.end(), size_t{0});
    rng.shuffle(std::span(order));
    for (size_t i = 0; i < assertions_.size(); ++i) {
      found[i < order.size() ? order[i] : rng.below(order.size())].push_back(assertions_[i]);
    }
    return found;
  }

  // False where the assertion is there already.
  bool add_once(TermId assertion) {
    const bool is_there =
        std::find(assertions_.begin(), assertions_.end(), assertion) != assertions_.end();
    if (!is_there) assertions_.push_back(assertion);
    return !is_there;
  }

  // With a formula that is false under the assignment, and others that leave no other assignment.
  Attempt contradiction(Assignment& assignment, base::Rng& rng) {
    const TermId broken = assignment.pools.false_formula(rng).formula;
    std::vector<const ir::Model*> others;
    for (const Assignment& other : assignments_) {
      if (&other != &assignment) others.push_back(other.model.get());
    }
    auto forcing = force_false(store_, *assignment.model, others, broken, rng);
    if (!forcing) return Skip{"the assignment cannot be forced"};
    assertions_.push_back(broken);
    for (const TermId formula : forcing->formulas) add_once(formula);
    rng.shuffle(std::span(assertions_));
    ir::Script frame = flat_.frame;
    for (const ir::FunId constant : forcing->constants) add_declaration(frame, constant);
    Mutant mutant;
    mutant.script = with_assertions(frame, assertions_);
    settle_tactic(mutant.script, rng);
    mutant.expected = {Truth::kUnsat};
    mutant.construction = kForcedContradiction;
    return mutant;
  }

  // The seed's own, or one of ours.
  void settle_tactic(ir::Script& script, base::Rng& rng) {
    ir::SymbolId tactic = flat_.tactic;
    const bool may_draw = rng.happens(settings_.tactic_one_in);
    if (!tactic.valid() && may_draw && has_tactics(store_.ops(), settings_.tactics.solvers)) {
      tactic = store_.symbols().intern(random_tactic(rng, settings_.tactics));
    }
    if (tactic.valid()) ask_by(script, tactic);
  }

  const StormSettings& settings_;
  ir::TermStore& store_;
  Flat flat_;
  ir::Measures measures_;
  ConnectiveDepths depths_;
  SeedModels seed_models_;
  std::vector<ir::Model> given_;  // assignments
  std::vector<TermId> fragments_;
  std::vector<Assignment> assignments_;
  std::vector<TermId> assertions_;
  bool is_begun_ = false;
};

class Storm final : public Engine {
 public:
  explicit Storm(const StormSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "storm"; }
  uint32_t series_length() const override { return settings_.length; }
  bool wants_models() const override { return true; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    auto flat = flatten_known(store, seed.script);
    if (const auto* skip = std::get_if<Skip>(&flat)) return *skip;
    Flat& parts = std::get<Flat>(flat);
    auto beside_core = series_in(start_around_core(settings_.beside_core, store, parts, seed.core));
    auto series = std::make_unique<StormSeries>(settings_, store, std::move(parts), seed);
    if (beside_core == nullptr) return series;
    return either(std::move(series), std::move(beside_core));
  }

  // The paper's minimisation: the instance is the seed of instances under smaller bounds. Binary
  // search on the number of assertions, then on the depth.
  std::optional<Mutant> smaller(ir::TermStore& store, const Mutant& mutant,
                                const std::function<bool(const Mutant&)>& is_wanted,
                                base::Rng& rng) override {
    if (mutant.witness == nullptr) return {};
    StormSettings bounds = settings_;
    bounds.mirror_one_in = 0;
    bounds.tactic_one_in = 0;
    std::optional<Mutant> best;
    for (uint32_t StormSettings::*bound :
         {&StormSettings::max_assertions, &StormSettings::max_depth}) {
      uint32_t least = 1;
      uint32_t most = bounds.*bound;
      while (least < most) {
        bounds.*bound = least + (most - least) / 2;
        auto found = instance_within(bounds, store, best ? *best : mutant, is_wanted, rng);
        if (found) {
          best = std::move(found);
          most = bounds.*bound;
        } else {
          least = bounds.*bound + 1;
        }
      }
      bounds.*bound = most;
    }
    return best;
  }

 private:
  static std::optional<Mutant> instance_within(const StormSettings& bounds, ir::TermStore& store,
                                               const Mutant& seed,
                                               const std::function<bool(const Mutant&)>& is_wanted,
                                               base::Rng& rng) {
    auto flat = flatten(store, seed.script);
    if (std::holds_alternative<Skip>(flat)) return {};
    StormSeries series(bounds, store, std::move(std::get<Flat>(flat)),
                       {seed.script, {seed.witness.get(), 1}});
    for (uint32_t i = 0; i < bounds.minimising_tries; ++i) {
      auto attempt = series.next(rng);
      auto* mutant = std::get_if<Mutant>(&attempt);
      if (mutant != nullptr && is_wanted(*mutant)) return std::move(*mutant);
    }
    return {};
  }

  StormSettings settings_;
};

}  // namespace

std::unique_ptr<Engine> make_storm(const StormSettings& settings) {
  return std::make_unique<Storm>(settings);
}

}  // namespace elenchus::mutate
