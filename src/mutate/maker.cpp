#include "mutate/maker.h"

#include <algorithm>
#include <vector>

#include "gen/constants.h"
#include "ir/apply.h"
#include "mutate/admission.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

TermId Maker::application(SortId sort, uint16_t& readers) {
  constexpr size_t kFunctionWeight = 4;
  base::Rng& rng = *scene_.rng;
  const Workshop::Wheel& wheel =
      workshop_.wheel(*scene_.vocabulary, store_.sorts().kind(sort), scene_.kinds);
  const auto functions = expressions().functions(sort);
  const auto polymorphic = expressions().polymorphic_functions();
  const size_t calls = kFunctionWeight * (functions.size() + polymorphic.size());
  if (wheel.size() + calls == 0) return {};
  size_t draw = rng.below(wheel.size() + std::min(calls, wheel.size() + kFunctionWeight));
  if (draw >= wheel.size()) {
    draw = rng.below(functions.size() + polymorphic.size());
    if (draw < functions.size()) return call(functions[draw]);
    return polymorphic_call(polymorphic[draw - functions.size()], sort);
  }
  const gen::Choice& choice = *wheel[draw];
  if (!is_welcome(choice.readers, scene_.readers, scene_.takes_fewer)) return {};
  // The script has given the name another meaning.
  if (store_.is_function_name(store_.ops().info(choice.op).name)) return {};
  const TermId made = gen::Applier(store_, rng).apply(choice, sort, *this);
  if (!made.valid()) return {};
  readers = choice.readers & readers_of_application(store_, logic(), choice.op, store_.args(made));
  return (readers & scene_.readers) != 0 ? made : TermId{};
}

TermId Maker::call(FunId fun) {
  if (!expressions().span(fun).holds(scene_.at)) return {};
  std::vector<TermId> args;
  for (const SortId param : store_.params(fun)) {
    args.push_back(pick(param));
    if (!args.back().valid()) return {};
  }
  return store_.make(Op::kCall, store_.fun(fun).result, fun.value, args);
}

// A constructor or selector of a datatype with parameters.
TermId Maker::polymorphic_call(FunId fun, SortId result) {
  if (!expressions().span(fun).holds(scene_.at)) return {};
  const ir::FunDecl decl = store_.fun(fun);
  ir::SortBindings bindings;
  if (!ir::match_sort(store_.sorts(), decl.result, result, bindings)) return {};
  std::vector<TermId> args;
  for (const SortId param : store_.params(fun)) {
    SortId sort = ir::substitute_sort(store_.sorts(), param, bindings);
    if (sort.valid() && store_.sorts()[sort].has_parameters) {
      sort = pick_sort(store_.sorts().kind(param));
      if (!sort.valid() || !ir::match_sort(store_.sorts(), param, sort, bindings)) return {};
    }
    args.push_back(sort.valid() ? pick(sort) : TermId{});
    if (!args.back().valid()) return {};
  }
  const TermId made = ir::call(store_, fun, args, decl.needs_as ? result : SortId{});
  return made.valid() && store_.sort(made) == result ? made : TermId{};
}

TermId Maker::admissible_constant(SortId sort) {
  if (!logic().admits(store_.sorts().kind(sort))) return {};
  const TermId made = unsigned_if_needed(gen::interesting_constant(store_, *scene_.rng, sort));
  // A constructor may be out of force although its sort was there.
  return made.valid() && expressions().facts(made).span.holds(scene_.at) ? made : TermId{};
}

// Signs are operators, which not every logic with numbers has: QF_S counts and does not subtract.
TermId Maker::unsigned_if_needed(TermId number) const {
  if (!number.valid() || store_.op(number) != Op::kNeg) return number;
  return logic().admits(ir::Theory::kRealsInts) ? number : store_.args(number)[0];
}

// Sorts whose constants go well with those that are there.
void Maker::add_companions() {
  const auto has = [&](SortKind kind) { return (scene_.kinds & gen::mask_of(kind)) != 0; };
  if (has(SortKind::kFloatingPoint)) scene_.kinds |= gen::mask_of(SortKind::kRoundingMode);
  if (has(SortKind::kString)) scene_.kinds |= gen::mask_of(SortKind::kRegLan);
  const bool counts = has(SortKind::kString) || has(SortKind::kSeq) || has(SortKind::kBag) ||
                      has(SortKind::kFiniteSet);
  if (counts && logic().admits(SortKind::kInt)) scene_.kinds |= gen::mask_of(SortKind::kInt);
}

SortId Maker::pick_sort(SortKind kind) {
  const auto sorts = kind == SortKind::kNone ? expressions().sorts() : expressions().sorts(kind);
  return sorts.empty() ? SortId{} : sorts[scene_.rng->below(sorts.size())];
}

FunId Maker::pick_function(SortId result) {
  const auto functions = expressions().functions(result);
  if (functions.empty()) return {};
  const FunId fun = functions[scene_.rng->below(functions.size())];
  // By an overloaded name nobody knows which is meant.
  const bool plain = store_.fun(fun).kind == ir::FunKind::kDeclared &&
                     store_.ops().named(store_.fun(fun).name).empty();
  return plain && expressions().span(fun).holds(scene_.at) ? fun : FunId{};
}

bool is_welcome(base::Rng& rng, uint16_t operator_readers, uint16_t script_readers) {
  constexpr uint64_t kFewerReadersOneIn = 8;
  const bool is_common = (operator_readers & script_readers) == script_readers;
  return is_common || is_welcome(operator_readers, script_readers, rng.one_in(kFewerReadersOneIn));
}

}  // namespace elenchus::mutate
