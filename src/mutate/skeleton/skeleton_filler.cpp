#include "mutate/skeleton/skeleton_filler.h"

#include <algorithm>
#include <span>

#include "ir/apply.h"

namespace elenchus::mutate {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::TermId;

SkeletonFiller::SkeletonFiller(const SkeletonSettings& settings, ir::TermStore& store,
                               AtomSource& atoms, Declarations& declarations)
    : settings_(settings), store_(store), atoms_(atoms), declarations_(declarations) {
  const auto is_bound_name = [&](const std::string& name) {
    const ir::SymbolId symbol = store_.symbols().find(name);
    return symbol.valid() && store_.is_variable_name(symbol);
  };
  while (is_bound_name(bound_prefix_ + "0")) bound_prefix_ += 'q';
}

void SkeletonFiller::restart() {
  needs_ = {};
  needs_.readers = atoms_.readers();
  bound_count_ = 0;
}

// How many holes are before each node.
void SkeletonFiller::number_holes(const Skeleton& skeleton) {
  holes_before_.clear();
  uint32_t holes = 0;
  for (const Skeleton::Node& node : skeleton.nodes) {
    holes_before_.push_back(holes);
    holes += node.op == Op::kNone ? 1 : 0;
  }
  holes_before_.push_back(holes);
}

// For each node, the place one past the last node below it.
void SkeletonFiller::find_ends(const Skeleton& skeleton) {
  const size_t count = skeleton.nodes.size();
  ends_.assign(count, 0);
  for (size_t i = count; i-- > 0;) {
    uint32_t end = static_cast<uint32_t>(i) + 1;
    for (uint32_t n = 0; n < skeleton.nodes[i].arity; ++n) end = ends_[end];
    ends_[i] = end;
  }
}

uint32_t SkeletonFiller::term_at(uint32_t hole) const {
  return hole < fillings_.size() ? fillings_[hole].first_term
                                 : static_cast<uint32_t>(terms_.size());
}

// --- Filling. ---

void SkeletonFiller::fill(base::Rng& rng, uint32_t holes) {
  fillings_.clear();
  terms_.clear();
  for (uint32_t i = 0; i < holes; ++i) {
    const Atom& atom = atoms_.draw(rng, needs_.readers);
    needs_ |= atom.needs();
    fillings_.push_back({&atom, static_cast<uint32_t>(terms_.size())});
    for (const TermId variable : atom.variables()) terms_.push_back(translocated(rng, variable));
    for (const FunId fun : atom.functions()) declarations_.use(fun);
    for (const SortId sort : atom.named_sorts()) declarations_.use(sort);
  }
  atoms_.restart();
}

TermId SkeletonFiller::translocated(base::Rng& rng, TermId variable) {
  if (!rng.happens(settings_.translocate_one_in)) return variable;
  return atoms_.maker().any_variable(rng, store_.sort(variable));
}

// Takes up to three variables below the quantifier, or makes some up.
void SkeletonFiller::bind(base::Rng& rng, uint32_t first_term, uint32_t last_term,
                          std::vector<TermId>& bound) {
  constexpr uint32_t kCounts[] = {1, 1, 1, 2, 2, 3};
  const uint32_t count = kCounts[rng.below(std::size(kCounts))];
  free_.clear();
  for (uint32_t i = first_term; i < last_term; ++i) {
    const bool is_free = store_.op(terms_[i]) == Op::kCall;
    if (is_free && std::find(free_.begin(), free_.end(), terms_[i]) == free_.end()) {
      free_.push_back(terms_[i]);
    }
  }
  for (uint32_t n = 0; n < count; ++n) {
    if (free_.empty() || rng.happens(settings_.scratch_one_in)) {
      bound.push_back(new_variable(scratch_sort(rng)));
      continue;
    }
    const size_t chosen = rng.below(free_.size());
    const TermId taken = free_[chosen];
    free_.erase(free_.begin() + static_cast<ptrdiff_t>(chosen));
    const TermId variable = new_variable(store_.sort(taken));
    std::replace(terms_.begin() + first_term, terms_.begin() + last_term, taken, variable);
    bound.push_back(variable);
  }
  for (const TermId variable : bound) {
    declarations_.use(store_.sort(variable));
    needs_ |= needs_of_sort(store_, store_.sort(variable));
  }
}

SortId SkeletonFiller::scratch_sort(base::Rng& rng) const {
  const auto sorts = atoms_.maker().variable_sorts();
  const SortId sort = sorts.empty() ? ir::kBoolSort : sorts[rng.below(sorts.size())];
  return sort;
}

TermId SkeletonFiller::new_variable(SortId sort) {
  const auto name = store_.symbols().intern(bound_prefix_ + std::to_string(bound_count_++));
  return store_.variable(name, sort, 0);
}

// --- Building. ---

// From the last node to the first, so that what is below a node is done before it. First the
// quantifiers bind, inner before outer ones; then the atoms are built with what binds them.
TermId SkeletonFiller::formula(base::Rng& rng, const Skeleton& skeleton) {
  number_holes(skeleton);
  fill(rng, holes_before_.back());
  find_ends(skeleton);
  const size_t count = skeleton.nodes.size();
  bound_.assign(count, {});
  for (size_t i = count; i-- > 0;) {
    if (!ir::is_binder(skeleton.nodes[i].op)) continue;
    needs_.quantifiers = true;
    bind(rng, term_at(holes_before_[i]), term_at(holes_before_[ends_[i]]), bound_[i]);
  }
  for (const Filling& filling : fillings_) use_variables(filling);
  std::vector<TermId> built;
  for (size_t i = count; i-- > 0;) {
    const Skeleton::Node& node = skeleton.nodes[i];
    const TermId made =
        node.op == Op::kNone ? instance(holes_before_[i]) : joined(node, bound_[i], built);
    if (!made.valid()) return {};
    built.push_back(made);
  }
  return built.back();
}

void SkeletonFiller::use_variables(const Filling& filling) {
  for (size_t i = 0; i < filling.atom->variables().size(); ++i) {
    const TermId term = terms_[filling.first_term + i];
    if (store_.op(term) == Op::kCall) declarations_.use(store_.callee(term));
  }
}

TermId SkeletonFiller::instance(uint32_t hole) {
  const Filling& filling = fillings_[hole];
  const auto terms =
      std::span(terms_).subspan(filling.first_term, filling.atom->variables().size());
  return filling.atom->with(store_, terms, scratch_);
}

// The connective or quantifier on what was built last, the first argument on top.
TermId SkeletonFiller::joined(const Skeleton::Node& node, const std::vector<TermId>& bound,
                              std::vector<TermId>& built) {
  args_.assign(bound.begin(), bound.end());
  for (uint32_t i = 0; i < node.arity; ++i) {
    args_.push_back(built.back());
    built.pop_back();
  }
  if (ir::is_binder(node.op)) return store_.make(node.op, ir::kBoolSort, 0, args_);
  return ir::apply(store_, node.op, args_);
}

}  // namespace elenchus::mutate
