// Edits of an occurrence of a term. Each has a count of choices, which may be too large, and makes
// the replacement for one of them, or none.
//
// `turns`: of 98 live bugs that one random typed edit of a quiet script showed, 38 came by a change
// of variables, 35 of operators, 26 of constants, 26 of negations, 23 of subterms and 19 of dropped
// arguments.
#include <algorithm>
#include <array>
#include <vector>

#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/fresh_name.h"
#include "ir/substitute.h"
#include "ir/walk.h"
#include "mutate/admission.h"
#include "mutate/edit/kinds.h"

namespace elenchus::mutate::edit {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

// What is drawn at random and not counted gets so many tries at a place.
constexpr uint64_t kBoundaries = 6;
constexpr uint64_t kNeighbours = 6;
constexpr uint64_t kApplications = 16;
constexpr uint64_t kGrafts = 8;
// Arguments of one operator that are looked at: some have thousands.
constexpr uint64_t kMostArguments = 16;

bool is_variable(const ir::TermStore& store, TermId term) {
  if (store.op(term) == Op::kVar) return true;
  if (store.op(term) != Op::kCall || !store.args(term).empty()) return false;
  const ir::FunKind kind = store.fun(store.callee(term)).kind;
  return kind == ir::FunKind::kDeclared || kind == ir::FunKind::kDefined;
}

std::vector<TermId> args_of(Original& original, TermId term) {
  const auto args = original.store().args(term);
  return {args.begin(), args.end()};
}

// --- Operators. ---

bool is_application(const ir::TermStore& store, TermId term) {
  const Op op = store.op(term);
  return op > Op::kUnknownText || (op == Op::kCall && !store.args(term).empty());
}

// Operators twice: those with indices get others the second time.
uint64_t operator_choices(Original& original, const Place& place) {
  ir::TermStore& store = original.store();
  if (!is_application(store, place.term)) return 0;
  const SortId sort = store.sort(place.term);
  const bool is_number = sort == ir::kIntSort || sort == ir::kRealSort;
  if (original.logic().is_difference() && is_number) return 0;
  return 2 * original.operators(sort).size() + original.expressions().functions(sort).size();
}

TermId other_function(Original& original, const Site& site, FunId fun) {
  ir::TermStore& store = original.store();
  const auto args = store.args(site.place.term);
  const auto params = store.params(fun);
  const bool fits = std::equal(params.begin(), params.end(), args.begin(), args.end(),
                               [&](SortId sort, TermId arg) { return store.sort(arg) == sort; });
  if (!fits || !original.expressions().span(fun).holds(site.place.at)) return {};
  return store.make(Op::kCall, store.sort(site.place.term), fun.value, args);
}

TermId other_operator(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const SortId sort = store.sort(site.place.term);
  const auto operators = original.operators(sort);
  if (site.choice >= 2 * operators.size()) {
    const auto functions = original.expressions().functions(sort);
    return other_function(original, site, functions[site.choice - 2 * operators.size()]);
  }
  const gen::Choice& choice = operators[site.choice % operators.size()];
  if (site.choice >= operators.size() && choice.signature->own_indices == 0) return {};
  return original.applied(choice, sort, store.args(site.place.term), site);
}

// --- Variables, subterms, pieces of other scripts. ---

uint64_t variable_choices(Original& original, const Place& place) {
  if (!is_variable(original.store(), place.term)) return 0;
  const SortId sort = original.store().sort(place.term);
  return original.constants(sort).size() + place.bound.size() + 1;
}

TermId other_variable(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const SortId sort = store.sort(site.place.term);
  const auto constants = original.constants(sort);
  if (site.choice < constants.size()) {
    const TermId other = constants[site.choice];
    return original.is_usable(other, site.place) ? other : TermId{};
  }
  const uint64_t bound = site.choice - constants.size();
  if (bound == site.place.bound.size()) return original.fresh_constant(sort);
  return store.sort(site.place.bound[bound]) == sort ? site.place.bound[bound] : TermId{};
}

bool is_free_to_change(Original& original, const Place& place) {
  // A difference stays one when a variable replaces a variable, and a number a number.
  const SortId sort = original.store().sort(place.term);
  const bool is_number = sort == ir::kIntSort || sort == ir::kRealSort;
  return !original.logic().is_difference() || !is_number;
}

uint64_t subterm_choices(Original& original, const Place& place) {
  if (!is_free_to_change(original, place)) return 0;
  return original.expressions().of_sort(original.store().sort(place.term)).size();
}

TermId other_subterm(Original& original, const Site& site) {
  const TermId other =
      original.expressions().of_sort(original.store().sort(site.place.term))[site.choice];
  return original.is_usable(other, site.place) ? other : TermId{};
}

uint64_t graft_choices(Original& original, const Place& place) {
  if (!is_free_to_change(original, place)) return 0;
  return std::min<uint64_t>(kGrafts, original.grafts(original.store().sort(place.term)));
}

TermId grafted(Original& original, const Site& site) {
  return original.graft(original.store().sort(site.place.term), site);
}

// --- Constants. ---

uint64_t constant_choices(Original& original, const Place& place) {
  if (!is_value(original.store(), place.term)) return 0;
  const SortId sort = original.store().sort(place.term);
  return kNeighbours + kBoundaries + original.literals(sort).size();
}

TermId other_constant(Original& original, const Site& site) {
  const TermId term = site.place.term;
  const SortId sort = original.store().sort(term);
  if (site.choice < kNeighbours) return original.near(term, site);
  const uint64_t rest = site.choice - kNeighbours;
  if (rest < kBoundaries) return original.boundary(sort, site);
  const TermId other = original.literals(sort)[rest - kBoundaries];
  return original.is_usable(other, site.place) ? other : TermId{};
}

uint64_t value_choices(Original& original, const Place& place) {
  if (!is_free_to_change(original, place)) return 0;
  return is_value(original.store(), place.term) ? 0 : kBoundaries;
}

TermId boundary_value(Original& original, const Site& site) {
  return original.boundary(original.store().sort(site.place.term), site);
}

// --- Applications. ---

uint64_t application_choices(Original& original, const Place& place) {
  return is_free_to_change(original, place) ? kApplications : 0;
}

TermId new_application(Original& original, const Site& site) {
  return original.application(original.store().sort(site.place.term), site, {});
}

TermId wrapped(Original& original, const Site& site) {
  return original.application(original.store().sort(site.place.term), site, site.place.term);
}

// --- Arguments. ---

// Without one of the arguments; or one of them instead of all.
uint64_t drop_choices(Original& original, const Place& place) {
  ir::TermStore& store = original.store();
  if (!is_application(store, place.term)) return 0;
  return 2 * std::min<uint64_t>(store.args(place.term).size(), kMostArguments);
}

TermId without_argument(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const TermId term = site.place.term;
  const SortId sort = store.sort(term);
  std::vector<TermId> args = args_of(original, term);
  const size_t at = site.choice / 2;
  if (site.choice % 2 == 1) return store.sort(args[at]) == sort ? args[at] : TermId{};
  const gen::Choice* choice = args.size() < 3 ? nullptr : original.choice_of(term);
  if (choice == nullptr || store.payload(term) != 0) return {};
  args.erase(args.begin() + static_cast<ptrdiff_t>(at));
  return original.applied(*choice, sort, args, site);
}

// One more of the sort of the last one, first or last.
uint64_t add_choices(Original& original, const Place& place) {
  ir::TermStore& store = original.store();
  const auto args = store.args(place.term);
  if (store.op(place.term) <= Op::kUnknownText || args.empty() || store.payload(place.term) != 0) {
    return 0;
  }
  const gen::Choice* choice = original.choice_of(place.term);
  if (choice == nullptr || !ir::takes(*choice->signature, args.size() + 1)) return 0;
  return 2 * original.expressions().of_sort(store.sort(args.back())).size();
}

TermId with_argument(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const TermId term = site.place.term;
  std::vector<TermId> args = args_of(original, term);
  const TermId more = original.expressions().of_sort(store.sort(args.back()))[site.choice / 2];
  const gen::Choice* choice = original.choice_of(term);
  if (choice == nullptr || !original.is_usable(more, site.place)) return {};
  args.insert(site.choice % 2 == 0 ? args.begin() : args.end(), more);
  return original.applied(*choice, store.sort(term), args, site);
}

// Two arguments, each in the other's place.
uint64_t exchange_choices(Original& original, const Place& place) {
  ir::TermStore& store = original.store();
  if (!is_application(store, place.term)) return 0;
  const uint64_t count = std::min<uint64_t>(store.args(place.term).size(), kMostArguments);
  return count < 2 ? 0 : count * (count - 1) / 2;
}

TermId exchanged(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  std::vector<TermId> args = args_of(original, site.place.term);
  uint64_t second = 1;
  uint64_t first = site.choice;
  while (first >= second) first -= second++;
  if (args[first] == args[second] || store.sort(args[first]) != store.sort(args[second])) return {};
  std::swap(args[first], args[second]);
  return ir::with_args(store, site.place.term, args);
}

// --- Negation. ---

// What turns a value round.
constexpr std::array kNegations = {Op::kNot,   Op::kNeg,   Op::kBvNot,
                                   Op::kBvNeg, Op::kFpNeg, Op::kReComp};

uint64_t negation_choices(Original& original, const Place& place) {
  return is_free_to_change(original, place) ? kNegations.size() : 0;
}

TermId negated(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const Op op = kNegations[site.choice];
  const TermId term = site.place.term;
  if (store.op(term) == op) return store.args(term)[0];
  const auto operators = original.operators(store.sort(term));
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&](const gen::Choice& choice) { return choice.op == op; });
  if (found == operators.end()) return {};
  const TermId args[] = {term};
  return original.applied(*found, store.sort(term), args, site);
}

// --- Quantifiers. ---

constexpr uint64_t kGeneralised = 4;    // constants that become variables, at one place
constexpr uint64_t kMostNodes = 2'000;  // of a formula that is rebuilt for that

uint64_t quantifier_choices(Original& original, const Place& place) {
  ir::TermStore& store = original.store();
  const Op op = store.op(place.term);
  if (op == Op::kForall || op == Op::kExists) return 1 + 2 * store.bound_count(place.term);
  const bool is_formula = store.sort(place.term) == ir::kBoolSort && op > Op::kUnknownText &&
                          original.expressions().facts(place.term).size <= kMostNodes;
  return is_formula && original.logic().quantifiers ? 2 * kGeneralised : 0;
}

// The quantifier without one of its variables, which becomes a constant.
TermId without_variable(Original& original, const Site& site, uint64_t which) {
  ir::TermStore& store = original.store();
  const TermId term = site.place.term;
  const auto bound = store.bound_variables(term);
  const TermId variable = bound[which];
  std::vector<TermId> args = args_of(original, term);
  ir::FreeVariables free(store);
  if (free.is_free(variable, args.back())) {
    const auto constants = original.constants(store.sort(variable));
    TermId value;
    if (!constants.empty()) value = constants[site.rng.below(constants.size())];
    if (!value.valid() || !original.is_in_force(value, site.place.at)) {
      value = original.boundary(store.sort(variable), site);
    }
    if (!value.valid()) return {};
    args.back() = ir::substitute(store, free, args.back(), {{variable, value}});
  }
  if (bound.size() == 1) return args.back();
  args.erase(args.begin() + static_cast<ptrdiff_t>(which));
  return store.make(store.op(term), store.sort(term), store.payload(term), args);
}

// The formula for all values of a constant that it has, or for some.
TermId generalised(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const TermId term = site.place.term;
  if (store.has(term, ir::kHasNamed) || store.has(term, ir::kHasUnknown)) return {};
  std::vector<TermId> constants;
  ir::Walker walker(store);
  walker.walk(term, [&](TermId each) {
    if (constants.size() < kGeneralised && store.op(each) == Op::kCall &&
        is_variable(store, each)) {
      constants.push_back(each);
    }
  });
  const uint64_t which = site.choice / 2;
  if (which >= constants.size()) return {};
  uint32_t next = 1;
  const ir::SymbolId name = ir::fresh_name(store, "q", next);
  const TermId variable = store.variable(name, store.sort(constants[which]), 0);
  ir::FreeVariables free(store);
  const TermId body = ir::substitute(store, free, term, {{constants[which], variable}});
  const TermId args[] = {variable, body};
  return store.make(site.choice % 2 == 0 ? Op::kForall : Op::kExists, ir::kBoolSort, 0, args);
}

TermId other_quantifier(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const TermId term = site.place.term;
  const Op op = store.op(term);
  if (op != Op::kForall && op != Op::kExists) return generalised(original, site);
  if (site.choice > 0) return without_variable(original, site, (site.choice - 1) / 2);
  const Op other = op == Op::kForall ? Op::kExists : Op::kForall;
  return store.make(other, store.sort(term), store.payload(term), store.args(term));
}

// --- Indices. ---

constexpr uint64_t kIndexChanges = 6;

uint64_t index_choices(Original& original, const Place& place) {
  ir::TermStore& store = original.store();
  const TermId term = place.term;
  if (store.op(term) <= Op::kUnknownText || store.payload(term) == 0) return 0;
  if (ir::has_function_indices(store, term)) return 0;
  return (store.indices(term).size() + 1) * kIndexChanges;
}

uint32_t changed_index(uint32_t index, uint64_t how) {
  switch (how) {
    case 0: return index + 1;
    case 1: return index == 0 ? 0 : index - 1;
    case 2: return 0;
    case 3: return 1;
    case 4: return 2 * index;
    default: return index / 2;
  }
}

// One index, or all of them the same way.
TermId other_indices(Original& original, const Site& site) {
  ir::TermStore& store = original.store();
  const TermId term = site.place.term;
  const auto span = store.indices(term);
  std::vector<uint32_t> indices(span.begin(), span.end());
  const uint64_t which = site.choice / kIndexChanges;
  for (size_t i = 0; i < indices.size(); ++i) {
    const bool is_meant = which == i || which == indices.size();
    if ((indices[i] & ir::kSymbolIndex) != 0) return {};
    if (is_meant) indices[i] = changed_index(indices[i], site.choice % kIndexChanges);
  }
  const Op ops[] = {store.op(term)};
  std::vector<TermId> args = args_of(original, term);
  const SortId sort = store.sort(term);
  const bool is_open = store.ops().info(ops[0]).needs_as;
  const TermId other = ir::apply(store, {ops, indices, is_open ? sort : SortId{}}, args);
  return other.valid() && store.sort(other) == sort ? other : TermId{};
}

constexpr Kind kTermKinds[] = {
    {.name = "variable", .turns = 3, .choices_at = variable_choices, .replacement = other_variable},
    {.name = "operator", .turns = 3, .choices_at = operator_choices, .replacement = other_operator},
    {.name = "constant", .turns = 2, .choices_at = constant_choices, .replacement = other_constant},
    {.name = "negation", .turns = 2, .choices_at = negation_choices, .replacement = negated},
    {.name = "subterm", .turns = 2, .choices_at = subterm_choices, .replacement = other_subterm},
    {.name = "drop-argument",
     .turns = 2,
     .choices_at = drop_choices,
     .replacement = without_argument},
    {.name = "add-argument", .choices_at = add_choices, .replacement = with_argument},
    {.name = "exchange-arguments", .choices_at = exchange_choices, .replacement = exchanged},
    {.name = "value", .choices_at = value_choices, .replacement = boundary_value},
    {.name = "application", .choices_at = application_choices, .replacement = new_application},
    {.name = "wrap", .choices_at = application_choices, .replacement = wrapped},
    {.name = "graft", .choices_at = graft_choices, .replacement = grafted},
    {.name = "quantifier", .choices_at = quantifier_choices, .replacement = other_quantifier},
    {.name = "index", .choices_at = index_choices, .replacement = other_indices},
};

}  // namespace

std::span<const Kind> term_kinds() { return kTermKinds; }

}  // namespace elenchus::mutate::edit
