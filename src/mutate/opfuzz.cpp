// Type-aware operator mutation (D. Winterer, C. Zhang, Z. Su: On the Unusual Effectiveness of
// Type-Aware Operator Mutation, OOPSLA 2020): an occurrence of an operator is replaced by another
// operator that takes the same arguments and gives the same sort.
//
// The paper's table has a few classes of Core, arithmetic and string operators. Here the classes
// follow from the signatures of the operator table, over all theories: sorts must match exactly,
// with as many arguments as there are. An operator with indices gets indices that fit, also in
// place of its own; functions of the script replace functions of the same rank, constructors among
// them; `forall` and `exists` replace each other.
#include "mutate/opfuzz.h"

#include <algorithm>

#include "mutate/admission.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::TermId;

namespace {

// Times that a function of the script is tried first: in the place of another one, of which there
// may be few, and in the place of an operator, where functions would soon be all there is.
constexpr uint64_t kFunctionForCallOneIn = 2;
constexpr uint64_t kFunctionForOperatorOneIn = 8;

class OpfuzzChain final : public Chain {
 public:
  using Chain::Chain;

 protected:
  void begin(base::Rng&) override {}

  // Where the operator has no alternative, such as `store`, those around it get their turn.
  bool step(base::Rng& rng) override {
    if (!draft_.choose(rng, place_)) return false;
    while (!swap(rng)) {
      do {
        if (place_.path.empty()) return false;
        place_.term = place_.ancestors.back();
        place_.ancestors.pop_back();
        place_.path.pop_back();
      } while (!expressions().facts(place_.term).is_target);
    }
    return true;
  }

 private:
  bool swap(base::Rng& rng) {
    const Op op = draft_.store().op(place_.term);
    if (op == Op::kForall || op == Op::kExists) return swap_quantifier();
    // A function of the script may take the place of an operator, and the other way round.
    const uint64_t one_in = op == Op::kCall ? kFunctionForCallOneIn : kFunctionForOperatorOneIn;
    if (rng.one_in(one_in) && swap_function(rng)) return true;
    return swap_operator(rng);
  }

  bool swap_quantifier() {
    ir::TermStore& store = draft_.store();
    const TermId term = place_.term;
    const Op other = store.op(term) == Op::kForall ? Op::kExists : Op::kForall;
    return replace(place_, store.make(other, store.sort(term), 0, store.args(term)), kAnyone);
  }

  bool swap_function(base::Rng& rng) {
    ir::TermStore& store = draft_.store();
    const TermId term = place_.term;
    const auto candidates = expressions().functions(store.sort(term));
    if (candidates.empty()) return false;
    const FunId fun = candidates[rng.below(candidates.size())];
    const auto args = store.args(term);
    const auto params = store.params(fun);
    const bool fits =
        std::equal(params.begin(), params.end(), args.begin(), args.end(),
                   [&](ir::SortId sort, TermId arg) { return store.sort(arg) == sort; });
    if (!fits || !expressions().span(fun).holds(place_.at)) return false;
    const TermId other = store.make(Op::kCall, store.sort(term), fun.value, args);
    return other != term && replace(place_, other, kAnyone);
  }

  bool swap_operator(base::Rng& rng) {
    constexpr int kTries = 8;
    ir::TermStore& store = draft_.store();
    const TermId term = place_.term;
    const ir::SortId sort = store.sort(term);
    const auto args = store.args(term);
    if (logic().is_difference() && (sort == ir::kIntSort || sort == ir::kRealSort)) return false;
    gen::KindMask given = 0;
    for (const TermId arg : args) given |= gen::mask_of(store.sorts().kind(store.sort(arg)));
    const Workshop::Wheel& wheel =
        workshop_->wheel(vocabulary(), store.sorts().kind(sort), given, args.size());
    gen::Applier applier(store, rng);
    for (int i = 0; i < kTries && !wheel.empty(); ++i) {
      const gen::Choice& choice = *wheel[rng.below(wheel.size())];
      if (!welcomes(choice.readers)) continue;
      // The script has given the name another meaning.
      if (store.is_function_name(store.ops().info(choice.op).name)) continue;
      const TermId other = applier.apply_to(choice, sort, args);
      if (!other.valid() || other == term) continue;
      const uint16_t readers =
          choice.readers & readers_of_application(store, logic(), choice.op, args);
      if ((readers & readers_) != 0 && replace(place_, other, readers)) return true;
    }
    return false;
  }
};

class Opfuzz final : public Engine {
 public:
  explicit Opfuzz(const OpfuzzSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "opfuzz"; }
  uint32_t series_length() const override { return settings_.length; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    return std::make_unique<OpfuzzChain>(vacant(workshop_, settings_.vocabulary), settings_, store,
                                         seed, Expressions::Targets::kOperators);
  }

 private:
  OpfuzzSettings settings_;
  std::shared_ptr<Workshop> workshop_;
};

}  // namespace

std::unique_ptr<Engine> make_opfuzz(const OpfuzzSettings& settings) {
  return std::make_unique<Opfuzz>(settings);
}

}  // namespace elenchus::mutate
