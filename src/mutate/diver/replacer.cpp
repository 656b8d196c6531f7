#include "mutate/diver/replacer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "ir/logic.h"
#include "ir/script_parts.h"
#include "ir/settings.h"
#include "ir/walk.h"
#include "mutate/admission.h"
#include "mutate/flat.h"

namespace elenchus::mutate::diver {

using ir::Op;
using ir::SortId;
using ir::TermId;

Replacer::Replacer(const DiverSettings& settings, std::shared_ptr<Workshop> workshop,
                   ir::TermStore& store)
    : Maker(store, *workshop),
      settings_(settings),
      workshop_(std::move(workshop)),
      store_(store),
      measures_(store) {}

// --- Getting started. ---

void Replacer::begin(base::Rng& rng, const std::vector<std::unique_ptr<ModelledScript>>& sources) {
  scene_.rng = &rng;
  const ModelledScript& first = *sources.front();
  draft_.emplace(store_, with_assertions(first.frame, first.claims));
  const std::string logic = settle_logic(rng);
  draft_->index(expressions(), Expressions::Targets::kAll);
  scene_.vocabulary = &workshop_->vocabulary(store_.ops(), logic);
  // A mutant's answer is known: one solver is enough to be wrong.
  scene_.takes_fewer = true;
  scene_.readers = expressions().readers() & settings_.vocabulary.solvers;
  if (scene_.readers == 0) scene_.readers = settings_.vocabulary.solvers;
  scene_.kinds = expressions().kinds();
  add_companions();
  set_limit(first);
  for (const auto& each : sources) collect_leaves(*each);
}

// Large seeds may grow, too.
void Replacer::set_limit(const ModelledScript& seed) {
  limit_ = settings_.max_nodes;
  for (const TermId claim : seed.claims) {
    const uint64_t size = measures_.of(claim).size;
    limit_ = std::max(limit_, ir::saturating_add(size, size / 2));
  }
}

// Hardly anything can be changed and stay within differences, and QF_S does not count.
std::string Replacer::settle_logic(base::Rng& rng) {
  std::string logic = ir::with_sums(ir::logic_name(store_, draft_->script(), "ALL"));
  if (!logic.starts_with("HO_") && rng.happens(settings_.widen_one_in)) logic = "ALL";
  if (draft_->script().logic.valid()) logic_name_ = logic;
  return logic;
}

// Constants of the script, literals, and the values of the model, by sort.
void Replacer::collect_leaves(const ModelledScript& source) {
  ir::Walker walker(store_);
  for (const TermId claim : source.claims) {
    walker.walk(claim, [&](TermId term) {
      const bool is_constant = store_.op(term) == Op::kCall && store_.args(term).empty();
      if (is_constant || ir::is_literal(store_.op(term))) add_leaf(term);
    });
  }
  // Solvers also list definitions, which are written out and gone, and functions of their own.
  std::unordered_set<uint32_t> declared;
  for (const ir::Command& command : source.frame.commands) {
    if (ir::declares_open_function(command.kind)) declared.insert(source.frame.items(command)[0]);
  }
  for (const ir::FunctionDefinition& known : source.model->functions) {
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

void Replacer::add_leaf(TermId term) {
  auto& known = leaves_[store_.sort(term).value];
  if (std::find(known.begin(), known.end(), term) == known.end()) known.push_back(term);
}

// --- Replacements. ---

bool Replacer::find_change(base::Rng& rng, ModelledScript& source, uint32_t spot, bool wanted,
                           Change& change) {
  scene_.rng = &rng;
  source.find_place(spot, change.place);
  scene_.at = change.place.at;
  place_ = &change.place;
  uint64_t steps = settings_.evaluation_steps;
  for (uint32_t i = 0; i < settings_.tries && steps > 0; ++i) {
    if (!try_change(source, change)) continue;
    const eval::Value value = source.evaluate(change.root, steps);
    if (wanted ? value.is_true() : value.is_false()) return true;
  }
  return false;
}

bool Replacer::try_change(const ModelledScript& source, Change& change) {
  base::Rng& rng = *scene_.rng;
  expansions_ = settings_.expansions;
  made_for_ = scene_.readers & source.readers;
  const SortId sort = store_.sort(change.place.term);
  change.replacement = rng.one_in(settings_.leaf_one_in) ? leaf(sort) : grow(sort);
  if (!change.replacement.valid() || change.replacement == change.place.term) return false;
  if (measures_.of(change.replacement).size > settings_.max_nodes) return false;
  change.readers = made_for_;
  change.root = draft_->rebuild(change.place, change.replacement, logic(), change.readers);
  if (!change.root.valid() || (change.readers & scene_.readers) == 0) return false;
  const TermId old = source.claims[source.claim_of(change.place)];
  return change.root != old && measures_.of(change.root).size <= limit_;
}

TermId Replacer::rebuilt(const Place& place, TermId replacement, uint16_t readers) {
  const TermId root = draft_->rebuild(place, replacement, logic(), readers);
  return (readers & scene_.readers) == 0 ? TermId{} : root;
}

TermId Replacer::grow(SortId sort) {
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

TermId Replacer::leaf(SortId sort) {
  base::Rng& rng = *scene_.rng;
  if (!place_->bound.empty() && rng.coin()) {
    const TermId variable = place_->bound[rng.below(place_->bound.size())];
    if (store_.sort(variable) == sort) return variable;
  }
  const auto known = leaves_.find(sort.value);
  if (known != leaves_.end() && !rng.one_in(settings_.boundary_one_in)) {
    return known->second[rng.below(known->second.size())];
  }
  return admissible_constant(sort);
}

}  // namespace elenchus::mutate::diver
