// Generative type-aware mutation (J. Park, D. Winterer, C. Zhang, Z. Su: Generative Type-Aware
// Mutation for Testing SMT Solvers, OOPSLA 2021), algorithms 1 and 2: an occurrence of an
// expression is replaced by a new expression of its sort, which is an operator applied to
// expressions of the script, or an expression of the script (FuzzChick's mutation, which the
// paper's grammar includes). What is put in may use only variables that are bound around the place
// (local compatibility). Mutants form a chain.
//
// Where we differ:
//   - All theories. Widths, formats, element sorts and indices are solved for (gen/application.h).
//     Functions, constructors and selectors of the script are operators like the others.
//   - The paper names two limits: no constants that the seed lacks, no new assertions. Both are
//     mutations here, rare ones: neighbours of literals and boundary values; assertions added,
//     removed and negated.
//   - Scripts with push and pop: an expression is used only where all its functions and sorts are
//     in force.
//   - Mutants do not grow without bound, and stay within what the logic and some solver take.
#include "mutate/typefuzz.h"

#include <algorithm>

#include "gen/constants.h"
#include "ir/measure.h"
#include "mutate/admission.h"
#include "mutate/maker.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

// Trees of more nodes than this are shared terms written out; their number says little.
constexpr uint64_t kHuge = 1'000'000;

class TypefuzzChain final : public Chain, private Maker {
 public:
  TypefuzzChain(std::shared_ptr<Workshop> workshop, const TypefuzzSettings& settings,
                ir::TermStore& store, const Seed& seed)
      : Chain(std::move(workshop), settings, store, seed, Expressions::Targets::kAll),
        Maker(store, *workshop_),
        options_(settings) {}

 protected:
  void begin(base::Rng& rng) override {
    const uint64_t seed = draft_.size();
    const uint64_t cap =
        std::max<uint64_t>({options_.max_size, options_.min_size, seed + seed / 2});
    limit_ = seed > kHuge ? UINT64_MAX
                          : std::clamp<uint64_t>(seed * options_.growth, options_.min_size, cap);
    scene_.vocabulary = &vocabulary();
    scene_.kinds = expressions().kinds();
    add_companions();
    if (is_wide_ && rng.happens(options_.foreign_one_in)) {
      scene_.kinds |= gen::mask_of(SortKind::kInt) | gen::mask_of(SortKind::kReal) |
                      gen::mask_of(SortKind::kString) | gen::mask_of(SortKind::kRegLan);
    }
  }

  bool step(base::Rng& rng) override {
    scene_.rng = &rng;
    scene_.readers = readers_;
    scene_.takes_fewer = takes_fewer_;
    if (rng.happens(options_.assertion_one_in)) return change_assertions(rng);
    if (!draft_.choose(rng, place_)) return false;
    scene_.at = place_.at;
    excluded_ = place_.term;
    const uint64_t old_size = expressions().facts(place_.term).size;
    const uint64_t rest = draft_.size() - std::min(old_size, draft_.size());
    if (rest >= limit_) return false;
    room_ = limit_ - rest;
    uint16_t readers = kAnyone;
    const TermId made = replacement(draft_.store().sort(place_.term), readers);
    if (!made.valid() || made == place_.term) return false;
    if (expressions().facts(made).size > room_) return false;
    const bool is_everywhere =
        rng.happens(options_.everywhere_one_in) && replace_all(made, readers);
    if (!is_everywhere && !replace(place_, made, readers)) return false;
    expressions().add(made);
    return true;
  }

 private:
  using Chain::expressions;
  using Chain::logic;
  using Chain::workshop_;

  // At all uses in the assertion: there the variables may be others.
  bool replace_all(TermId made, uint16_t readers) {
    if (!expressions().free_variables(made).empty() || expressions().exhausted()) return false;
    const TermId before = place_.ancestors.empty() ? place_.term : place_.ancestors.front();
    readers &= readers_;
    const TermId root = draft_.rebuild_all(place_, made, logic(), readers);
    if (!root.valid()) return false;
    const uint64_t old_size = expressions().facts(before).size;
    const uint64_t rest = draft_.size() - std::min(old_size, draft_.size());
    return ir::saturating_add(rest, expressions().facts(root).size) <= limit_ &&
           take(place_, root, readers);
  }

  // --- Replacements. ---

  TermId replacement(SortId sort, uint16_t& readers) {
    base::Rng& rng = *scene_.rng;
    if (logic().is_difference() && (sort == ir::kIntSort || sort == ir::kRealSort)) {
      return same_kind_of_leaf(sort);
    }
    if (rng.happens(options_.constant_one_in)) return constant(sort);
    if (rng.happens(options_.existing_one_in)) return existing(sort);
    return application(sort, readers);
  }

  // A difference stays one when a variable replaces a variable, and a number a number.
  TermId same_kind_of_leaf(SortId sort) {
    ir::TermStore& store = draft_.store();
    if (!place_.term.valid() || !store.args(place_.term).empty()) return {};
    if (ir::is_literal(store.op(place_.term)))
      return gen::neighbour(store, *scene_.rng, place_.term);
    const TermId other = existing(sort);
    if (!other.valid() || store.op(other) != store.op(place_.term)) return {};
    return store.args(other).empty() ? other : TermId{};
  }

  TermId constant(SortId sort) {
    ir::TermStore& store = draft_.store();
    // Signs are operators: a float may be made from 1.5 where there are no reals, and not from
    // -1.5.
    if (!logic().admits(store.sorts().kind(sort))) return {};
    if (place_.term.valid() && scene_.rng->coin()) {
      const TermId near = gen::neighbour(store, *scene_.rng, place_.term);
      if (near.valid()) return unsigned_if_needed(near);
    }
    return admissible_constant(sort);
  }

  bool is_usable(TermId term) {
    const Expressions::Facts facts = expressions().facts(term);
    if (term == excluded_ || facts.size >= room_ || !facts.span.holds(place_.at)) return false;
    const auto free = expressions().free_variables(term);
    const bool is_bound = std::all_of(free.begin(), free.end(), [&](TermId variable) {
      return std::find(place_.bound.begin(), place_.bound.end(), variable) != place_.bound.end();
    });
    return is_bound && !expressions().exhausted();
  }

  // An expression of the sort that may stand at the place. Half of the time the smaller of two.
  TermId existing(SortId sort) {
    constexpr size_t kDraws = 6;
    constexpr size_t kScan = 24;
    base::Rng& rng = *scene_.rng;
    const auto pool = expressions().of_sort(sort);
    if (pool.empty()) return {};
    TermId first;
    for (size_t i = 0; i < kDraws; ++i) {
      const TermId term = pool[rng.below(pool.size())];
      if (!is_usable(term)) continue;
      if (!first.valid() && rng.coin()) {
        first = term;
        continue;
      }
      if (!first.valid()) return term;
      return expressions().facts(first).size < expressions().facts(term).size ? first : term;
    }
    if (first.valid()) return first;
    const size_t start = rng.below(pool.size());
    for (size_t i = 0; i < std::min(pool.size(), kScan); ++i) {
      const TermId term = pool[(start + i) % pool.size()];
      if (is_usable(term)) return term;
    }
    return {};
  }

  // --- gen::Arguments ---

  TermId pick(SortId sort) override {
    if (!scene_.rng->happens(options_.constant_argument_one_in)) {
      const TermId term = existing(sort);
      if (term.valid()) return term;
    }
    return admissible_constant(sort);
  }

  // --- Assertions. ---

  bool change_assertions(base::Rng& rng) {
    switch (rng.below(4)) {
      case 0: return remove_assertion(rng);
      case 1: return negate_assertion(rng);
      default: return add_assertion(rng);
    }
  }

  // Which command, among those of which `wanted` holds; as many as there are commands if none.
  template <typename Wanted>
  uint32_t choose_command(base::Rng& rng, Wanted wanted) const {
    const auto& commands = draft_.script().commands;
    auto chosen = static_cast<uint32_t>(commands.size());
    uint32_t found = 0;
    for (uint32_t i = 0; i < commands.size(); ++i) {
      if (wanted(commands[i]) && rng.below(++found) == 0) chosen = i;
    }
    return chosen;
  }

  bool is_plain_assertion(const ir::Command& command) {
    return command.kind == ir::CommandKind::kAssert &&
           !draft_.store().has(command.term, ir::kHasNamed) &&
           draft_.store().op(command.term) != Op::kAnnotated;
  }

  bool add_assertion(base::Rng& rng) {
    const auto& commands = draft_.script().commands;
    const uint32_t before = choose_command(rng, [](const ir::Command& command) {
      return command.kind == ir::CommandKind::kAssert || ir::is_check(command.kind);
    });
    if (before == commands.size() || draft_.size() >= limit_) return false;
    draft_.place_before(before, place_);
    scene_.at = place_.at;
    excluded_ = {};
    room_ = limit_ - draft_.size();
    uint16_t readers = kAnyone;
    const TermId made = rng.coin() ? existing(ir::kBoolSort) : replacement(ir::kBoolSort, readers);
    if (!made.valid() || expressions().facts(made).size > room_) return false;
    // Saying the same twice tests nothing.
    const bool is_there = std::any_of(commands.begin(), commands.end(), [&](const auto& command) {
      return command.kind == ir::CommandKind::kAssert && command.term == made;
    });
    if (is_there) return false;
    if (!welcomes(readers & readers_)) return false;
    readers_ &= readers;
    draft_.insert_assertion(before, made);
    expressions().add(made);
    return true;
  }

  bool remove_assertion(base::Rng& rng) {
    const auto& commands = draft_.script().commands;
    const auto count = std::count_if(commands.begin(), commands.end(), [](const auto& command) {
      return command.kind == ir::CommandKind::kAssert;
    });
    const uint32_t chosen = choose_command(
        rng, [&](const ir::Command& command) { return is_plain_assertion(command); });
    if (count < 2 || chosen == commands.size()) return false;
    draft_.remove_command(chosen);
    return true;
  }

  bool negate_assertion(base::Rng& rng) {
    const auto& commands = draft_.script().commands;
    const uint32_t chosen = choose_command(
        rng, [&](const ir::Command& command) { return is_plain_assertion(command); });
    if (chosen == commands.size()) return false;
    ir::TermStore& store = draft_.store();
    const TermId term = commands[chosen].term;
    const bool is_negated = store.op(term) == Op::kNot;
    if (!is_negated && draft_.size() >= limit_) return false;
    const TermId args[] = {term};
    draft_.replace_assertion(
        chosen, is_negated ? store.args(term)[0] : store.make(Op::kNot, ir::kBoolSort, 0, args));
    return true;
  }

  const TypefuzzSettings& options_;
  uint64_t limit_ = 0;  // nodes of the draft
  uint64_t room_ = 0;   // nodes of the replacement
  TermId excluded_;     // what is replaced is no argument
};

class Typefuzz final : public Engine {
 public:
  explicit Typefuzz(const TypefuzzSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "typefuzz"; }
  uint32_t series_length() const override { return settings_.length; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    return std::make_unique<TypefuzzChain>(vacant(workshop_, settings_.vocabulary), settings_,
                                           store, seed);
  }

 private:
  TypefuzzSettings settings_;
  std::shared_ptr<Workshop> workshop_;
};

}  // namespace

std::unique_ptr<Engine> make_typefuzz(const TypefuzzSettings& settings) {
  return std::make_unique<Typefuzz>(settings);
}

}  // namespace elenchus::mutate
