// Unsatisfiable by construction. DIVER (J. Kim, S. So, H. Oh: Diver: Oracle-Guided SMT Solver
// Testing with Unrestricted Random Mutations, ICSE 2023) keeps formulas true under a model and so
// knows that they are satisfiable. Here a formula that is false under a model is made
// unsatisfiable: it is asserted together with formulas that leave only that model.
//
// What has to be forced are the calls of declared functions that occur, each for the values that
// its arguments have: f(3) = 5. In every model of these equations each subterm has the value that
// it has in ours, by induction: operators have a fixed meaning, or else the evaluator would not
// know their value. It is asked for every subterm, because by itself it passes over those that
// others make irrelevant: calls in there would stay free.
//
// An element of an uninterpreted sort is a constant that differs from those of the other elements.
// Another model may have more elements; quantifier-free formulas cannot tell, but arrays over such
// a sort can, by their equality: they are refused.
//
// An array that is only read need not be forced: what is read is enough.
#include "mutate/forcing.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "eval/evaluator.h"
#include "ir/apply.h"
#include "ir/functions.h"
#include "ir/substitute.h"
#include "ir/walk.h"
#include "mutate/pinning.h"

namespace elenchus::mutate {

using eval::Value;
using ir::FunId;
using ir::FunKind;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

bool is_of_datatype(const ir::TermStore& store, FunId fun) {
  const FunKind kind = store.fun(fun).kind;
  return kind == FunKind::kConstructor || kind == FunKind::kSelector;
}

class Forcer {
 public:
  Forcer(ir::TermStore& store, eval::Evaluator& evaluator, base::Rng& rng)
      : store_(store), evaluator_(evaluator), rng_(rng), pinner_(store, evaluator.values(), rng) {}

  std::optional<Forcing> force(std::span<const TermId> terms) {
    if (!collect(terms)) return {};
    if (!std::all_of(subterms_.begin(), subterms_.end(), [&](TermId t) { return is_settled(t); })) {
      return {};
    }
    if (!find_points(terms)) return {};
    rng_.shuffle(std::span(points_));
    for (const auto& [term, value] : points_) {
      if (!pinner_.pin(term, value)) return {};
    }
    return pinner_.take();
  }

 private:
  // A call for given arguments, and its value.
  struct Point {
    TermId term;
    Value value;
  };

  bool collect(std::span<const TermId> terms);
  bool is_settled(TermId term);
  bool has_settled_operator(TermId term) const;
  bool is_settled_sort(SortId sort);
  bool has_uninterpreted_part(SortId sort) const;

  bool is_declared_call(TermId term) const {
    return store_.op(term) == Op::kCall &&
           store_.fun(store_.callee(term)).kind == FunKind::kDeclared;
  }
  bool is_array(TermId term) const {
    return store_.sorts().kind(store_.sort(term)) == SortKind::kArray;
  }
  bool find_points(std::span<const TermId> terms);
  bool find_calls();
  void find_whole_arrays(std::span<const TermId> terms);
  bool find_reads();
  bool add_point(TermId term, const Value& value);
  bool value_terms(std::span<const TermId> args, std::vector<TermId>& out);

  ir::TermStore& store_;
  eval::Evaluator& evaluator_;
  base::Rng& rng_;
  Pinner pinner_;
  std::vector<TermId> subterms_;                   // arguments first
  std::unordered_map<uint32_t, bool> sorts_;       // whether they are settled
  std::vector<Point> points_;                      // what is to be pinned
  std::unordered_set<uint32_t> known_points_;      // by term
  std::unordered_map<uint32_t, TermId> point_of_;  // of a call
  std::unordered_set<uint32_t> whole_;             // calls that are used as whole arrays
  std::unordered_set<uint32_t> read_only_;         // calls for values that are only read
};

bool Forcer::collect(std::span<const TermId> terms) {
  ir::Walker walker(store_);
  for (const TermId term : terms) {
    if (!may_be_forced(store_, term)) return false;
    walker.walk(term, [&](TermId part) { subterms_.push_back(part); });
  }
  return true;
}

// --- What has the same value in all models that agree on the symbols. ---

bool Forcer::is_settled(TermId term) {
  if (!has_settled_operator(term) || !is_settled_sort(store_.sort(term))) return false;
  const Value value = evaluator_.evaluate(term);
  if (!value.known()) return false;
  return value.kind != eval::ValueKind::kReal || evaluator_.values().is_rational(value);
}

bool Forcer::has_settled_operator(TermId term) const {
  const Op op = store_.op(term);
  if (op == Op::kFunRef) return false;
  if (op == Op::kCall) {
    const ir::FunDecl& decl = store_.fun(store_.callee(term));
    return is_of_datatype(store_, store_.callee(term)) ||
           (decl.kind == FunKind::kDeclared && !decl.polymorphic);
  }
  // (_ map f) calls f for what is nowhere written.
  return !ir::names_function(store_, term, [&](FunId fun) { return !is_of_datatype(store_, fun); });
}

bool Forcer::is_settled_sort(SortId sort) {
  if (store_.sorts().kind(sort) == SortKind::kUninterpreted) return true;
  const auto [known, is_new] = sorts_.emplace(sort.value, true);
  if (is_new) known->second = !has_uninterpreted_part(sort);
  return known->second;
}

// Also in the fields of datatypes. Functions as values count as such: they have no equality that
// could be relied on.
bool Forcer::has_uninterpreted_part(SortId sort) const {
  std::vector<SortId> todo = {sort};
  std::unordered_set<uint32_t> seen;
  const auto want = [&](SortId part) {
    if (seen.insert(part.value).second) todo.push_back(part);
  };
  while (!todo.empty()) {
    const SortId part = todo.back();
    todo.pop_back();
    const ir::SortNode& node = store_.sorts()[part];
    if (node.kind == SortKind::kUninterpreted || node.kind == SortKind::kFunction ||
        node.kind == SortKind::kOpaque || node.kind == SortKind::kUnknown) {
      return true;
    }
    for (const SortId child : store_.sorts().children(part)) want(child);
    if (node.kind != SortKind::kDatatype) continue;
    for (const ir::Constructor& made : store_.datatype(ir::DatatypeId{node.a}).constructors) {
      for (const SortId field : store_.params(made.fun)) want(field);
    }
  }
  return false;
}

// --- What to force. ---

bool Forcer::find_points(std::span<const TermId> terms) {
  if (!find_calls()) return false;
  find_whole_arrays(terms);
  std::vector<Point> calls = std::move(points_);
  points_.clear();
  for (const Point& call : calls) {
    const bool may_be_read_only = is_array(call.term) && !whole_.contains(call.term.value);
    const bool has_term = pinner_.term_of(call.value, store_.sort(call.term)).valid();
    if (may_be_read_only && (!has_term || rng_.coin())) {
      read_only_.insert(call.term.value);
    } else if (has_term) {
      points_.push_back(call);
    } else {
      return false;
    }
  }
  return find_reads();
}

bool Forcer::find_calls() {
  for (const TermId term : subterms_) {
    if (!is_declared_call(term)) continue;
    std::vector<TermId> args;
    if (!value_terms(store_.args(term), args)) return false;
    const TermId point = ir::call(store_, store_.callee(term), args);
    if (!add_point(point, evaluator_.evaluate(term))) return false;
    point_of_.emplace(term.value, point);
  }
  return true;
}

void Forcer::find_whole_arrays(std::span<const TermId> terms) {
  const auto mark = [&](TermId term) {
    const auto point = point_of_.find(term.value);
    if (point != point_of_.end()) whole_.insert(point->second.value);
  };
  for (const TermId term : terms) mark(term);
  for (const TermId term : subterms_) {
    const auto args = store_.args(term);
    const bool reads = store_.meaning(term) == Op::kSelect;
    for (const TermId arg : args.subspan(reads ? 1 : 0)) mark(arg);
  }
}

bool Forcer::find_reads() {
  for (const TermId term : subterms_) {
    if (store_.meaning(term) != Op::kSelect) continue;
    const auto view = store_.args(term);
    const auto array = point_of_.find(view[0].value);
    if (array == point_of_.end() || !read_only_.contains(array->second.value)) continue;
    std::vector<TermId> args = {array->second};
    if (!value_terms(view.subspan(1), args)) return false;
    if (!add_point(ir::with_args(store_, term, args), evaluator_.evaluate(term))) return false;
  }
  return true;
}

bool Forcer::add_point(TermId term, const Value& value) {
  if (!term.valid()) return false;
  if (known_points_.insert(term.value).second) points_.push_back({term, value});
  return true;
}

bool Forcer::value_terms(std::span<const TermId> args, std::vector<TermId>& out) {
  for (const TermId arg : args) {
    out.push_back(pinner_.term_of(evaluator_.evaluate(arg), store_.sort(arg)));
    if (!out.back().valid()) return false;
  }
  return true;
}

// The arguments joined by `and` or `or`.
TermId junction(ir::TermStore& store, Op op, std::span<const TermId> parts) {
  if (parts.size() == 1) return parts[0];
  if (parts.empty()) return ir::apply(store, op == Op::kAnd ? Op::kTrue : Op::kFalse, {});
  return ir::apply(store, op, parts);
}

// A test that takes long to make is not worth it.
eval::Settings limits() {
  eval::Settings limits;
  limits.steps = 100'000;
  return limits;
}

// The model, or where it says something of operators, a copy that does not.
const ir::Model& without_operators(const ir::Model& model, std::optional<ir::Model>& copy) {
  if (model.operators.empty()) return model;
  copy = model;
  copy->operators.clear();
  return *copy;
}

// Whether the model says what every function of the formula is. What constructors and selectors
// are, nobody has to say.
bool covers(const ir::TermStore& store, const ir::Model& model, TermId formula) {
  const auto is_open = [&](FunId fun) {
    return !is_of_datatype(store, fun) &&
           std::none_of(model.functions.begin(), model.functions.end(),
                        [&](const auto& known) { return known.fun == fun; });
  };
  ir::Walker walker(store);
  return !ir::any_function_in(store, walker, formula, is_open);
}

bool is_false(ir::TermStore& store, const ir::Model& model, TermId formula) {
  if (!covers(store, model, formula)) return false;
  std::optional<ir::Model> copy;
  const Value value =
      eval::Evaluator(store, without_operators(model, copy), limits()).evaluate(formula);
  return value.known() && !value.is_true();
}

}  // namespace

bool may_be_forced(const ir::TermStore& store, TermId term) {
  constexpr uint8_t kRefused = ir::kHasVariables | ir::kHasBinders | ir::kHasUnknown;
  return (store.flags(term) & kRefused) == 0;
}

std::optional<Forcing> force(ir::TermStore& store, const ir::Model& model,
                             std::span<const TermId> terms, base::Rng& rng) {
  std::optional<ir::Model> copy;
  eval::Evaluator evaluator(store, without_operators(model, copy), limits());
  return Forcer(store, evaluator, rng).force(terms);
}

std::optional<Forcing> force_one_of(ir::TermStore& store, std::span<const ir::Model* const> models,
                                    std::span<const TermId> terms, base::Rng& rng) {
  if (models.empty()) return {};
  Forcing all;
  std::vector<TermId> cases;
  for (const ir::Model* model : models) {
    auto one = force(store, *model, terms, rng);
    if (!one) return {};
    cases.push_back(junction(store, Op::kAnd, one->formulas));
    all.constants.insert(all.constants.end(), one->constants.begin(), one->constants.end());
    all.definitions.insert(all.definitions.end(), one->definitions.begin(), one->definitions.end());
  }
  all.formulas = {junction(store, Op::kOr, cases)};
  return all;
}

std::optional<Forcing> force_false(ir::TermStore& store, const ir::Model& model,
                                   std::span<const ir::Model* const> others, TermId formula,
                                   base::Rng& rng) {
  constexpr size_t kMostCases = 3;
  if (!may_be_forced(store, formula)) return {};
  std::vector<const ir::Model*> cases = {&model};
  if (!others.empty() && rng.coin()) {
    for (const ir::Model* other : others) {
      if (cases.size() < kMostCases && is_false(store, *other, formula)) cases.push_back(other);
    }
  }
  const TermId terms[] = {formula};
  if (cases.size() == 1) return force(store, model, terms, rng);
  rng.shuffle(std::span(cases));
  return force_one_of(store, cases, terms, rng);
}

}  // namespace elenchus::mutate
