#include "mutate/edit/original.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gen/constants.h"
#include "ir/fresh_name.h"
#include "ir/script_parts.h"
#include "ir/settings.h"
#include "ir/walk.h"
#include "mutate/admission.h"

namespace elenchus::mutate::edit {

using ir::Command;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

Original::Original(std::shared_ptr<Workshop> workshop, const EditSettings& settings,
                   ir::TermStore& store, const ir::Script& script, const Stock& stock)
    : Maker(store, *workshop),
      workshop_(std::move(workshop)),
      settings_(settings),
      stock_(stock),
      draft_(store, script),
      timeline_(store, draft_.script()) {
  draft_.index(expressions(), Expressions::Targets::kAll);
  vocabulary_ = &workshop_->vocabulary(store.ops(), ir::logic_name(store, draft_.script(), "ALL"));
  readers_ = expressions().readers() & settings_.vocabulary.solvers;
  // Solvers and seeds that do not go together: then nothing is known of who reads what.
  if (readers_ == 0) readers_ = settings_.vocabulary.solvers;
  const uint64_t size = draft_.size();
  const uint64_t most = size > UINT64_MAX / settings_.growth ? size : size * settings_.growth;
  room_ = std::max<uint64_t>(most, settings_.min_size) - std::min(most, size);
  scene_.vocabulary = vocabulary_;
  scene_.kinds = expressions().kinds();
  scene_.readers = readers_;
  add_companions();
  collect();
}

void Original::collect() {
  ir::TermStore& terms = store();
  for (const Command& command : script().commands) {
    ir::for_each_declared(terms, script(), command, [&](FunId fun) {
      const TermId constant = terms.fun(fun).constant;
      const bool is_plain = terms.fun(fun).kind == ir::FunKind::kDeclared ||
                            terms.fun(fun).kind == ir::FunKind::kDefined;
      if (constant.valid() && is_plain) constants_[terms.sort(constant).value].push_back(constant);
    });
  }
  for (const SortId sort : expressions().sorts()) {
    for (const TermId term : expressions().of_sort(sort)) {
      if (is_value(terms, term)) literals_[sort.value].push_back(term);
    }
  }
}

std::span<const TermId> Original::constants(SortId sort) {
  const auto found = constants_.find(sort.value);
  return found == constants_.end() ? std::span<const TermId>() : found->second;
}

std::span<const TermId> Original::literals(SortId sort) {
  const auto found = literals_.find(sort.value);
  return found == literals_.end() ? std::span<const TermId>() : found->second;
}

bool Original::is_usable(TermId term, const Place& place) {
  const Expressions::Facts facts = expressions().facts(term);
  if (term == place.term || facts.size > room_ || !facts.span.holds(place.at)) return false;
  const auto free = expressions().free_variables(term);
  return std::all_of(free.begin(), free.end(), [&](TermId variable) {
    return std::find(place.bound.begin(), place.bound.end(), variable) != place.bound.end();
  });
}

TermId Original::fresh_constant(SortId sort) {
  TermId& known = fresh_[sort.value];
  if (!known.valid()) {
    const FunId fun = ir::fresh_constant(store(), "e", next_fresh_, sort);
    known = store().make(Op::kCall, sort, fun.value, {});
    expressions().add_function(fun, {});
  }
  return known;
}

// --- Operators. ---

const gen::Choice* Original::choice_of(TermId term) {
  const auto all = operators(store().sort(term));
  const auto found = std::find_if(all.begin(), all.end(), [&](const gen::Choice& choice) {
    return choice.op == store().op(term) && ir::takes(*choice.signature, store().args(term).size());
  });
  return found == all.end() ? nullptr : &*found;
}

TermId Original::applied(const gen::Choice& choice, SortId sort, std::span<const TermId> args,
                         const Site& site) {
  if (!ir::takes(*choice.signature, args.size())) return {};
  gen::KindMask given = 0;
  for (const TermId arg : args) given |= gen::mask_of(store().sorts().kind(store().sort(arg)));
  if ((choice.needs & ~given) != 0) return {};
  // The script has given the name another meaning.
  if (store().is_function_name(store().ops().info(choice.op).name)) return {};
  const uint16_t readers =
      choice.readers & readers_of_application(store(), logic(), choice.op, args) & readers_;
  if (readers == 0) return {};
  const std::vector<TermId> copy(args.begin(), args.end());
  const TermId made = gen::Applier(store(), site.rng).apply_to(choice, sort, copy);
  if (made.valid()) site.readers &= readers;
  return made;
}

// --- What is new. ---

void Original::enter(const Site& site) {
  scene_.rng = &site.rng;
  scene_.at = site.place.at;
  place_ = &site.place;
}

TermId Original::boundary(SortId sort, const Site& site) {
  enter(site);
  return admissible_constant(sort);
}

TermId Original::near(TermId literal, const Site& site) {
  enter(site);
  if (!logic().admits(store().sorts().kind(store().sort(literal)))) return {};
  return unsigned_if_needed(gen::neighbour(store(), site.rng, literal));
}

TermId Original::application(SortId sort, const Site& site, TermId inside) {
  const bool is_number = sort == ir::kIntSort || sort == ir::kRealSort;
  if (logic().is_difference() && is_number) return {};
  enter(site);
  inside_ = inside;
  uint16_t readers = kAnyone;
  const TermId made = Maker::application(sort, readers);
  const bool is_used = !inside_.valid();
  inside_ = {};
  if (!made.valid() || (inside.valid() && !is_used)) return {};
  site.readers &= readers;
  return made;
}

TermId Original::pick(SortId sort) {
  constexpr uint64_t kConstantOneIn = 8;
  if (inside_.valid() && store().sort(inside_) == sort) return std::exchange(inside_, TermId{});
  base::Rng& rng = *scene_.rng;
  if (!rng.one_in(kConstantOneIn)) {
    const TermId term = existing(sort, *place_, rng);
    if (term.valid()) return term;
  }
  return admissible_constant(sort);
}

// Small ones rather than large ones: what is put in should not hide what was there.
TermId Original::existing(SortId sort, const Place& place, base::Rng& rng) {
  constexpr int kDraws = 6;
  const auto pool = expressions().of_sort(sort);
  const auto declared = constants(sort);
  TermId best;
  for (int i = 0; i < kDraws && pool.size() + declared.size() > 0; ++i) {
    const uint64_t draw = rng.below(pool.size() + declared.size());
    const TermId term = draw < pool.size() ? pool[draw] : declared[draw - pool.size()];
    if (!is_usable(term, place)) continue;
    if (best.valid() && expressions().facts(best).size <= expressions().facts(term).size) continue;
    best = term;
    if (rng.coin()) break;
  }
  return best;
}

TermId Original::graft(SortId sort, const Site& site) {
  const size_t count = grafts(sort);
  if (count == 0) return {};
  enter(site);
  const TermId made =
      stock_.make(store(), sort, site.rng.below(count), [&](SortId hole) { return pick(hole); });
  if (!made.valid()) return {};
  site.readers &= readers_of(made);
  return made;
}

// Who reads a small term that was not made by the rules of the vocabulary.
uint16_t Original::readers_of(TermId term) {
  uint16_t readers = readers_;
  ir::Walker walker(store());
  walker.walk(term, [&](TermId each) {
    const SortKind kind = store().sorts().kind(store().sort(each));
    if (!logic().admits(kind)) readers = 0;
    readers &= store().ops().sort_readers(kind);
    const Op op = store().op(each);
    if (op <= Op::kUnknownText) return;
    if (!logic().admits(store().ops().info(op).theory)) readers = 0;
    readers &= vocabulary_->readers(store().ops(), op);
    readers &= readers_of_application(store(), logic(), op, store().args(each));
  });
  return readers;
}

// --- Edited scripts. ---

void Original::declare(ir::Script& script, size_t command, FunId fun) {
  Command declaration;
  declaration.kind = ir::CommandKind::kDeclareConst;
  const uint32_t items[] = {fun.value};
  script.set_items(declaration, items);
  script.commands.insert(script.commands.begin() + static_cast<ptrdiff_t>(command), declaration);
}

std::optional<ir::Script> Original::with(const Place& place, TermId replacement, uint16_t readers) {
  readers &= readers_;
  if (readers == 0) return {};
  const TermId root = draft_.rebuild(place, replacement, logic(), readers);
  if (!root.valid()) return {};
  Draft changed = draft_;
  const bool is_in_definition =
      script().commands[place.command].kind == ir::CommandKind::kDefineFun;
  const bool is_done = changed.commit(place, root);
  // A changed definition makes the expressions those of the other script.
  if (is_in_definition) draft_.index(expressions(), Expressions::Targets::kAll);
  if (!is_done) return {};
  ir::Script result = changed.script();
  for (const auto& [sort, constant] : fresh_) {
    if (replacement == constant) declare(result, place.command, store().callee(constant));
  }
  return result;
}

}  // namespace elenchus::mutate::edit
