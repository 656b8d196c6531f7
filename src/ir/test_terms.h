#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ir/apply.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// A store with short spellings, for the tests of this folder.
class TestTerms {
 public:
  TermStore store;

  SymbolId symbol(std::string_view text) { return store.symbols().intern(text); }

  FunId declare(std::string_view name, std::vector<SortId> params, SortId result,
                FunKind kind = FunKind::kDeclared) {
    return store.declare(symbol(name), kind, params, result);
  }

  TermId constant(std::string_view name, SortId sort = kBoolSort) {
    return store.fun(declare(name, {}, sort)).constant;
  }

  TermId variable(std::string_view name, SortId sort = kBoolSort, uint32_t level = 0) {
    return store.variable(symbol(name), sort, level);
  }

  // A well-sorted application, without coercions.
  TermId make(Op op, std::vector<TermId> args) {
    const TermId term = apply(store, op, args);
    EXPECT_TRUE(term.valid()) << store.ops().name(op) << describe_sorts(store, args);
    return term;
  }

  TermId negate(TermId term) { return make(Op::kNot, {term}); }
  TermId both(TermId a, TermId b) { return make(Op::kAnd, {a, b}); }

  // A forall, exists, lambda or witness.
  TermId bind(Op binder, std::vector<TermId> variables, TermId body) {
    SortId sort = store.sort(body);
    if (binder == Op::kChoice) sort = store.sort(variables[0]);
    if (binder == Op::kLambda) {
      std::vector<SortId> sorts;
      sorts.reserve(variables.size() + 1);
      for (const TermId variable : variables) sorts.push_back(store.sort(variable));
      sorts.push_back(sort);
      sort = store.sorts().make(SortKind::kFunction, sorts);
    }
    variables.push_back(body);
    return store.make(binder, sort, 0, variables);
  }

  TermId forall(std::vector<TermId> variables, TermId body) {
    return bind(Op::kForall, std::move(variables), body);
  }

  // (! term keyword patterns...)
  TermId annotate(TermId term, std::string_view keyword, std::vector<TermId> patterns = {}) {
    const uint32_t parts[] = {symbol(keyword).value, 0};
    patterns.insert(patterns.begin(), term);
    return store.make(Op::kAnnotated, store.sort(term), store.index_list(parts).value, patterns);
  }

  // (match scrutinee ((constructor variables...) body)), with one case.
  TermId match(TermId scrutinee, FunId constructor, std::vector<TermId> variables, TermId body) {
    variables.push_back(body);
    const TermId one = store.make(Op::kMatchCase, store.sort(body), constructor.value, variables);
    const TermId parts[] = {scrutinee, one};
    return store.make(Op::kMatch, store.sort(body), 0, parts);
  }

  // `depth` negations round the term, made without matching signatures: there may be a million.
  TermId tower(TermId term, uint32_t depth) {
    for (uint32_t i = 0; i < depth; ++i) term = store.make(Op::kNot, kBoolSort, 0, {&term, 1});
    return term;
  }

  // (and t t) nested: 2^levels copies of the term when written out.
  TermId doubled(TermId term, uint32_t levels) {
    for (uint32_t i = 0; i < levels; ++i) term = both(term, term);
    return term;
  }

  SortId sort_of(SortKind kind, std::vector<SortId> children) {
    return store.sorts().make(kind, children);
  }

  std::string text(SortId sort) const { return describe_sort(store, sort); }

  // A formula with shared parts, quantifiers over `variables` included, made in `steps` steps.
  TermId random_formula(base::Rng& rng, std::span<const TermId> leaves,
                        std::span<const TermId> variables, uint32_t steps) {
    std::vector<TermId> pool(leaves.begin(), leaves.end());
    pool.insert(pool.end(), variables.begin(), variables.end());
    const auto draw = [&] { return rng.pick(std::span<const TermId>(pool)); };
    for (uint32_t i = 0; i < steps; ++i) {
      const TermId a = draw();
      const TermId b = draw();
      const TermId c = draw();
      switch (rng.below(7)) {
        case 0: pool.push_back(negate(a)); break;
        case 1: pool.push_back(both(a, b)); break;
        case 2: pool.push_back(make(Op::kOr, {a, b, c})); break;
        case 3: pool.push_back(make(Op::kEq, {a, b})); break;
        case 4: pool.push_back(make(Op::kIte, {a, b, c})); break;
        default: {
          const Op binder = rng.coin() ? Op::kForall : Op::kExists;
          std::vector<TermId> bound = {rng.pick(variables)};
          const TermId second = rng.pick(variables);
          if (second != bound[0] && rng.one_in(3)) bound.push_back(second);
          pool.push_back(bind(binder, bound, a));
        }
      }
    }
    return pool.back();
  }
};

// The truth of a formula of Core under values for its constants and variables. Recursive and
// without sharing: what it says is plain to see.
inline bool holds(const TermStore& store, TermId term, std::map<TermId, bool>& values) {
  const auto args = store.args(term);
  const auto value = [&](size_t i) { return holds(store, args[i], values); };
  switch (store.op(term)) {
    case Op::kTrue: return true;
    case Op::kFalse: return false;
    case Op::kVar:
    case Op::kCall: return values.at(term);
    case Op::kAnnotated: return value(0);
    case Op::kNot: return !value(0);
    case Op::kAnd: return value(0) && value(1);
    case Op::kOr: return value(0) || value(1) || value(2);
    case Op::kEq: return value(0) == value(1);
    case Op::kIte: return value(0) ? value(1) : value(2);
    case Op::kForall:
    case Op::kExists: {
      const auto bound = store.bound_variables(term);
      const bool all = store.op(term) == Op::kForall;
      const std::map<TermId, bool> outside = values;
      bool result = all;
      for (uint32_t bits = 0; bits < (1U << bound.size()); ++bits) {
        for (size_t i = 0; i < bound.size(); ++i) values[bound[i]] = ((bits >> i) & 1) != 0;
        const bool here = holds(store, args.back(), values);
        result = all ? result && here : result || here;
      }
      values = outside;
      return result;
    }
    default: ADD_FAILURE() << "no Core term"; return false;
  }
}

}  // namespace elenchus::ir
