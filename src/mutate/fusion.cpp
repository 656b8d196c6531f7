// Semantic fusion (D. Winterer, C. Zhang, Z. Su: Validating SMT Solvers via Semantic Fusion, PLDI
// 2020): two seeds that are both satisfiable, or both unsatisfiable, become one formula of the same
// kind. Their names are kept apart; pairs of variables x of the one and y of the other, of one
// sort, get a third variable z that stands for f(x, y); and random occurrences of x and y are
// replaced by terms that compute them from z: g_x(y, z) and g_y(x, z) (mutate/fuser.h).
//
// Both satisfiable: all formulas are asserted. The models of both, with the value of f(x, y) for
// each z, are the witness. Nothing is concluded from the algebra of f and g: an inverse is used
// only if the evaluator finds it equal to its variable under the witness (so a division by a
// variable that is zero there is not used), and a mutant is given away only when the evaluator
// finds every assertion true under the witness.
//
// Both unsatisfiable: with A the conjunction of the one, B that of the other, A' and B' what the
// replacements make of them, (or A' B') is asserted, and, each for itself, x = g_x for every
// variable of which some occurrence was replaced by g_x; often z = f(x, y) and unneeded equations
// of this kind, too. This is unsatisfiable in every interpretation of what the standard leaves
// open:
//   1. g_x is a closed term: it consists of x, y, z, literals and operators. So no binder of A can
//      capture anything in it, and in a given interpretation it has one value wherever it stands.
//   2. Take an interpretation that makes all assertions true. By x = g_x it gives g_x the value of
//      x, whatever it makes of a division by zero. So A' has the value that A has, and B' that of
//      B, since terms differ only in subterms of equal values.
//   3. A' or B' is true, hence A or B, as the seeds have them; only names differ. But that, with
//      the declarations, is a model of an unsatisfiable seed. Options are no part of the meaning.
// Nothing in this depends on f, nor on g_x being an inverse of f. Further assertions only add to
// it, and (or A' B') may be written as (or a B') for every conjunct a of A'. The seeds are taken
// to be unsatisfiable where that is said of them: Seed::status.
//
// Definitions are written out before (mutate/flat.h), and recursive ones are renamed with the
// rest. Where there is no partner, or none of its variables fits, the seed is fused with a renamed
// copy of itself.
//
// Where we differ: bit-vectors and Booleans, more functions and coefficients; a variable may be
// part of several fusions; integers can be fused with reals, and bit-vectors of different widths.
#include "mutate/fusion.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "eval/value_term.h"
#include "ir/logic.h"
#include "ir/measure.h"
#include "ir/settings.h"
#include "ir/template.h"
#include "ir/walk.h"
#include "mutate/apart.h"
#include "mutate/flat.h"
#include "mutate/fuser.h"
#include "mutate/seed_models.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::TermId;

namespace {

constexpr std::string_view kConstruction =
    "a disjunction of two formulas that two solvers find unsatisfiable, in which variables are "
    "replaced by terms that other assertions equate with them";

// A seed, ready to be fused.
struct Half {
  Flat flat;
  std::vector<HeldModel> models;  // none where it is unsatisfiable
};

// Two seeds side by side, with names of their own.
struct Joint {
  ir::Script frame;
  std::vector<TermId> claims[2];
  std::optional<ir::Model> model;  // none: both are unsatisfiable
};

// A logic for both; empty where none is named. Sums leave difference logics, and positions of
// strings are calculated.
std::string joint_logic(const ir::TermStore& store, const ir::Script& a, const ir::Script& b) {
  const std::string_view logic = ir::logic_name(store, a);
  const std::string_view other = ir::logic_name(store, b);
  if (logic == other) return ir::with_sums(logic);
  return std::string(ir::everything(logic.starts_with("HO_") ? logic : other));
}

// The constants that formulas are about and that can be fused, in the order in which they are met.
std::vector<TermId> constants_of(const ir::TermStore& store, const std::vector<TermId>& claims) {
  std::vector<TermId> constants;
  ir::Walker walker(store);
  for (const TermId claim : claims) {
    walker.walk(claim, [&](TermId term) {
      if (store.op(term) != Op::kCall || !store.args(term).empty()) return;
      const ir::FunDecl& decl = store.fun(store.callee(term));
      const bool is_variable = decl.kind == ir::FunKind::kDeclared && decl.constant == term;
      if (is_variable && Fuser::takes(store, decl.result)) constants.push_back(term);
    });
  }
  return constants;
}

// Those of the others that the constant can be fused with.
std::vector<TermId> mates_of(const ir::TermStore& store, TermId constant,
                             const std::vector<TermId>& others) {
  std::vector<TermId> mates;
  for (const TermId other : others) {
    if (Fuser::takes(store, store.sort(constant), store.sort(other))) mates.push_back(other);
  }
  return mates;
}

bool has_pair(const ir::TermStore& store, const std::vector<TermId>& a,
              const std::vector<TermId>& b) {
  const auto others = constants_of(store, b);
  const auto constants = constants_of(store, a);
  return std::any_of(constants.begin(), constants.end(),
                     [&](TermId constant) { return !mates_of(store, constant, others).empty(); });
}

class FusionSeries final : public Series {
 public:
  FusionSeries(const FusionSettings& settings, ir::TermStore& store, Joint joint, std::string logic)
      : settings_(settings),
        store_(store),
        joint_(std::move(joint)),
        logic_name_(std::move(logic)),
        logic_(ir::parse_logic(logic_name_)),
        measures_(store) {}

  Attempt next(base::Rng& rng) override {
    if (!std::exchange(is_begun_, true)) begin(rng);
    if (pool_.empty()) return Skip{"no two variables to be fused"};
    choose(rng);
    if (!rewrite(rng)) return Skip{"no occurrence was replaced"};
    return evaluator_ ? conjunction(rng) : disjunction(rng);
  }

 private:
  // A fusion with what is known of it.
  struct Entry {
    Fusion fusion;
    TermId value;    // of z, where there is a witness
    uint32_t x = 0;  // positions among the constants
    uint32_t y = 0;
    std::string logic;     // that it asks for; empty: the one of the seeds
    bool is_used[2] = {};  // some occurrence of x, of y was replaced
    bool any_used() const { return is_used[0] || is_used[1]; }
  };

  // Which fusion a replacement comes from.
  struct Source {
    Entry* entry;
    uint32_t side;
  };

  // --- Getting started. ---

  void begin(base::Rng& rng) {
    make_pool(rng, constants_of(store_, joint_.claims[0]), constants_of(store_, joint_.claims[1]));
    if (joint_.model) keep_what_holds();
    if (pool_.empty()) return;
    choices_.resize(constants_.size());
    sources_.resize(constants_.size());
    ir::Walker walker(store_);
    for (int side = 0; side < 2; ++side) {
      for (const TermId claim : joint_.claims[side]) {
        formulas_[side].emplace_back(store_, walker, claim, constants_);
      }
    }
  }

  void make_pool(base::Rng& rng, const std::vector<TermId>& xs, const std::vector<TermId>& ys) {
    Fuser fuser(store_);
    // Not every constant has a mate; and few constants make few different fusions.
    const size_t wanted = std::min<size_t>(settings_.pool, 2 * xs.size() * ys.size());
    for (size_t i = 0; i < 4 * wanted && pool_.size() < wanted; ++i) {
      const TermId x = xs[rng.below(xs.size())];
      const std::vector<TermId> mates = mates_of(store_, x, ys);
      if (mates.empty()) continue;
      const TermId y = mates[rng.below(mates.size())];
      const bool may_multiply = !logic_.is_linear() || rng.happens(settings_.multiply_one_in);
      const auto fusion = fuser.fuse(rng, x, y, may_multiply);
      if (!fusion) continue;
      Entry entry;
      entry.fusion = *fusion;
      entry.x = position_of(x);
      entry.y = position_of(y);
      if (!fusion->is_linear && logic_.is_linear()) entry.logic = ir::with_products(logic_name_);
      if (!Fuser::is_at_home(store_, store_.sort(x), logic_) ||
          !Fuser::is_at_home(store_, store_.sort(y), logic_)) {
        entry.logic = ir::everything(logic_name_);
      }
      pool_.push_back(std::move(entry));
    }
  }

  uint32_t position_of(TermId constant) {
    const auto found = std::find(constants_.begin(), constants_.end(), constant);
    if (found == constants_.end()) constants_.push_back(constant);
    return static_cast<uint32_t>(std::find(constants_.begin(), constants_.end(), constant) -
                                 constants_.begin());
  }

  // Gives each z its value, and drops inverses that are none for the values of the witness.
  void keep_what_holds() {
    const eval::Settings limits{.steps = settings_.evaluation_steps};
    eval::Evaluator plain(store_, *joint_.model, limits);
    full_model_ = *joint_.model;
    for (Entry& entry : pool_) {
      const eval::Value value = plain.evaluate(entry.fusion.fused);
      if (!value.known()) continue;
      entry.value = eval::term_of(store_, plain.values(), value, store_.sort(entry.fusion.fused));
      if (entry.value.valid()) full_model_.functions.push_back(definition_of(entry));
    }
    std::erase_if(pool_, [](const Entry& entry) { return !entry.value.valid(); });
    evaluator_.emplace(store_, full_model_, limits);
    for (Entry& entry : pool_) {
      Fusion& fusion = entry.fusion;
      if (!holds(equal(fusion.x, fusion.x_inverse))) fusion.x_inverse = {};
      if (!holds(equal(fusion.y, fusion.y_inverse))) fusion.y_inverse = {};
    }
    std::erase_if(pool_, [](const Entry& entry) {
      return !entry.fusion.x_inverse.valid() && !entry.fusion.y_inverse.valid();
    });
  }

  ir::FunctionDefinition definition_of(const Entry& entry) const {
    return {.fun = store_.callee(entry.fusion.z), .definition = {{}, entry.value}};
  }

  bool holds(TermId formula) { return evaluator_->evaluate(formula).is_true(); }

  TermId equal(TermId a, TermId b) {
    const TermId sides[] = {a, b};
    return store_.make(Op::kEq, ir::kBoolSort, 0, sides);
  }

  TermId junction(Op op, std::span<const TermId> parts) {
    return parts.size() == 1 ? parts[0] : store_.make(op, ir::kBoolSort, 0, parts);
  }

  // --- One mutant. ---

  // Which fusions may take part.
  void choose(base::Rng& rng) {
    for (auto& list : choices_) list.clear();
    for (auto& list : sources_) list.clear();
    for (Entry& entry : pool_) entry.is_used[0] = entry.is_used[1] = false;
    const uint64_t count = 1 + rng.below(std::min<uint64_t>(settings_.max_pairs, pool_.size()));
    for (uint64_t i = 0; i < count; ++i) {
      Entry& entry = pool_[rng.below(pool_.size())];
      offer(entry, 0);
      offer(entry, 1);
    }
  }

  void offer(Entry& entry, uint32_t side) {
    const TermId inverse = side == 0 ? entry.fusion.x_inverse : entry.fusion.y_inverse;
    const uint32_t constant = side == 0 ? entry.x : entry.y;
    if (!inverse.valid()) return;
    choices_[constant].push_back(inverse);
    sources_[constant].push_back({&entry, side});
  }

  // Fills `claims_`. False when no occurrence was replaced.
  bool rewrite(base::Rng& rng) {
    constexpr uint32_t kTries = 8;
    constexpr uint32_t kPercents[] = {20, 50, 80, 100};
    bool is_changed = false;
    const uint32_t percent = kPercents[rng.below(std::size(kPercents))];
    const auto draw = [&](size_t constant) {
      const std::vector<TermId>& choices = choices_[constant];
      if (choices.empty() || rng.below(100) >= percent) return constants_[constant];
      const size_t choice = rng.below(choices.size());
      const Source& source = sources_[constant][choice];
      source.entry->is_used[source.side] = true;
      is_changed = true;
      return choices[choice];
    };
    for (uint32_t i = 0; i < kTries && !is_changed; ++i) {
      for (int side = 0; side < 2; ++side) {
        claims_[side].clear();
        for (const ir::Template& formula : formulas_[side]) {
          claims_[side].push_back(formula.fill(store_, scratch_, draw));
        }
      }
    }
    return is_changed;
  }

  Attempt conjunction(base::Rng& rng) {
    std::vector<TermId> claims = claims_[0];
    claims.insert(claims.end(), claims_[1].begin(), claims_[1].end());
    for (const Entry& entry : pool_) {
      if (!entry.any_used() || rng.coin()) continue;
      claims.push_back(equal(entry.fusion.z, entry.fusion.fused));
    }
    for (const TermId claim : claims) {
      if (!holds(claim)) return Skip{"the witness does not evaluate"};
    }
    arrange(rng, claims);
    Mutant mutant;
    mutant.script = script_of(claims);
    mutant.expected = {Truth::kSat};
    auto witness = std::make_shared<ir::Model>(*joint_.model);
    for (const Entry& entry : pool_) {
      if (entry.any_used()) witness->functions.push_back(definition_of(entry));
    }
    mutant.witness = std::move(witness);
    return mutant;
  }

  Attempt disjunction(base::Rng& rng) {
    std::vector<TermId> claims = cases(rng);
    for (const Entry& entry : pool_) {
      if (!entry.any_used()) continue;
      const Fusion& fusion = entry.fusion;
      if (!rng.one_in(settings_.loose_one_in)) claims.push_back(equal(fusion.z, fusion.fused));
      // Without the equation of what was replaced, the mutant might be satisfiable.
      const bool keep_x = entry.is_used[0] || rng.coin();
      const bool keep_y = entry.is_used[1] || rng.coin();
      if (keep_x) claims.push_back(equal(fusion.x, fusion.x_inverse));
      if (keep_y) claims.push_back(equal(fusion.y, fusion.y_inverse));
    }
    arrange(rng, claims);
    Mutant mutant;
    mutant.script = script_of(claims);
    mutant.expected = {Truth::kUnsat};
    mutant.construction = kConstruction;
    return mutant;
  }

  // (or A B), or (or a B) for each part of A.
  std::vector<TermId> cases(base::Rng& rng) {
    const int first = rng.coin() ? 0 : 1;
    const std::vector<TermId>& a = claims_[first];
    const TermId b = junction(Op::kAnd, claims_[1 - first]);
    const bool may_distribute = rng.happens(settings_.distribute_one_in) &&
                                measures_.of(b).size * a.size() <= settings_.max_nodes;
    std::vector<TermId> result;
    if (!may_distribute) {
      const TermId sides[] = {junction(Op::kAnd, a), b};
      result.push_back(junction(Op::kOr, sides));
      return result;
    }
    for (const TermId part : a) {
      const TermId sides[] = {part, b};
      result.push_back(junction(Op::kOr, sides));
    }
    return result;
  }

  void arrange(base::Rng& rng, std::vector<TermId>& claims) {
    if (rng.coin()) rng.shuffle(std::span(claims));
    if (!rng.happens(settings_.together_one_in)) return;
    const TermId all = junction(Op::kAnd, claims);
    claims.assign(1, all);
  }

  // With the variables that the mutant uses, and a logic that has all it says.
  ir::Script script_of(const std::vector<TermId>& claims) {
    ir::Script frame = joint_.frame;
    std::string logic = logic_name_;
    for (const Entry& entry : pool_) {
      if (!entry.any_used()) continue;
      add_declaration(frame, store_.callee(entry.fusion.z));
      if (!entry.logic.empty() && !logic.ends_with("ALL")) logic = entry.logic;
    }
    if (!logic.empty()) set_logic(store_, frame, logic);
    return with_assertions(frame, claims);
  }

  const FusionSettings& settings_;
  ir::TermStore& store_;
  const Joint joint_;
  const std::string logic_name_;
  const ir::Logic logic_;
  ir::Measures measures_;
  ir::Model full_model_;  // with the values of all that may be fused
  std::optional<eval::Evaluator> evaluator_;
  std::vector<Entry> pool_;
  std::vector<TermId> constants_;  // that take part
  std::vector<ir::Template> formulas_[2];
  ir::Template::Scratch scratch_;
  // Of the mutant under way, by constant: replacements, and where they come from.
  std::vector<std::vector<TermId>> choices_;
  std::vector<std::vector<Source>> sources_;
  std::vector<TermId> claims_[2];
  bool is_begun_ = false;
};

class FusionEngine final : public Engine {
 public:
  explicit FusionEngine(const FusionSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "fusion"; }
  uint32_t series_length() const override { return settings_.length; }
  bool wants_models() const override { return true; }
  bool wants_partner() const override { return true; }

  Start start(ir::TermStore& store, const Seed& seed) override {
    auto made = prepare(store, seed);
    if (const auto* skip = std::get_if<Skip>(&made)) return *skip;
    const Half left = std::move(std::get<Half>(made));
    std::optional<Half> right;
    if (seed.partner != nullptr && is_unsat(*seed.partner) == is_unsat(seed)) {
      auto other = prepare(store, *seed.partner);
      auto* half = std::get_if<Half>(&other);
      const bool fits = half != nullptr && has_pair(store, left.flat.claims, half->flat.claims);
      if (fits) right = std::move(*half);
    }
    if (!right && !has_pair(store, left.flat.claims, left.flat.claims)) {
      return Skip{"no two variables to be fused"};
    }
    auto joint = join(store, left, right ? *right : left);
    if (!joint) return Skip{"declarations that cannot be copied"};
    std::string logic = joint_logic(store, left.flat.frame, (right ? *right : left).flat.frame);
    return std::make_unique<FusionSeries>(settings_, store, std::move(*joint), std::move(logic));
  }

 private:
  static bool is_unsat(const Seed& seed) { return seed.status == Truth::kUnsat; }

  std::variant<Half, Skip> prepare(ir::TermStore& store, const Seed& seed) const {
    auto flat = flatten_known(store, seed.script);
    if (const auto* skip = std::get_if<Skip>(&flat)) return *skip;
    Half half{std::move(std::get<Flat>(flat)), {}};
    if (half.flat.claims.empty()) return Skip{"no assertions"};
    if (size_of(store, half.flat.claims) > settings_.max_nodes / 2) return Skip{"too large"};
    if (is_unsat(seed)) return half;
    half.models = models_of(store, half.flat, seed.models);
    if (half.models.empty()) {
      return Skip{seed.models.empty() ? std::string_view("no model")
                                      : std::string_view("its model does not evaluate")};
    }
    return half;
  }

  // The given ones that hold; where none are given, an assignment that happens to be one.
  std::vector<HeldModel> models_of(ir::TermStore& store, const Flat& flat,
                                   std::span<const ir::Model> given) const {
    SeedModels models(store, flat);
    base::Rng rng(0);
    const TruthBudget budget{.each = settings_.evaluation_steps};
    if (given.empty()) return models.guessed(settings_.guesses, rng, budget);
    return models.given(given, rng, budget);
  }

  static std::optional<Joint> join(ir::TermStore& store, const Half& left, const Half& right) {
    Joint joint;
    joint.frame = left.flat.frame;
    joint.claims[0] = left.flat.claims;
    Apart apart(store);
    apart.avoid(left.flat.frame);
    if (!left.models.empty()) apart.avoid(*left.models.front().model);
    if (!apart.copy_declarations(right.flat.frame, joint.frame)) return {};
    for (const TermId claim : right.flat.claims) joint.claims[1].push_back(apart.term(claim));
    if (left.models.empty()) return joint;
    joint.model = *left.models.front().model;
    // Of a seed with itself, there may be two different ones.
    ir::Model other = apart.model(*right.models.back().model);
    auto& model = *joint.model;
    model.functions.insert(model.functions.end(), other.functions.begin(), other.functions.end());
    model.universes.insert(model.universes.end(), other.universes.begin(), other.universes.end());
    return joint;
  }

  FusionSettings settings_;
};

}  // namespace

std::unique_ptr<Engine> make_fusion(const FusionSettings& settings) {
  return std::make_unique<FusionEngine>(settings);
}

}  // namespace elenchus::mutate
