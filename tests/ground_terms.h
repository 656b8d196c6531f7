#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ir/apply.h"
#include "ir/signature.h"
#include "ir/term_store.h"
#include "random_values.h"

namespace elenchus {

// Applications of one operator to random values: closed, well-sorted terms, one operator deep but
// for regular expressions.
class GroundTerms {
 public:
  GroundTerms(ir::TermStore& store, base::Rng& rng)
      : store_(store), rng_(rng), values_(store, rng) {}

  RandomValues& values() { return values_; }

  // None where the dice give nothing that fits.
  ir::TermId application(ir::Op op) {
    const auto& signatures = store_.ops().info(op).signatures;
    const ir::Signature& signature = signatures[rng_.below(signatures.size())];
    switch (signature.rule) {
      case ir::Rule::kIs:
      case ir::Rule::kUpdate: return on_datatype(op, signature.rule == ir::Rule::kIs);
      case ir::Rule::kAsArray: return as_array(op);
      case ir::Rule::kTuple: return values_.apply(op, values_.values(some_sorts(0, 3), 0));
      case ir::Rule::kTupleSelect:
      case ir::Rule::kTupleUpdate:
      case ir::Rule::kTupleProject: return on_tuple(op, signature.rule);
      case ir::Rule::kAnyBool: return weighted(op);
      case ir::Rule::kAny: return values_.apply(op, values_.values(booleans(1, 9), 0));
      default: return plain(op, signature);
    }
  }

  // --- What has syntax of its own. ---

  ir::TermId constructor_call() {
    const ir::SortId sort = any_datatype();
    return values_.value(sort);
  }

  // Of any constructor of the datatype: the value may be open.
  ir::TermId selector_call() {
    const ir::SortId sort = any_datatype();
    const ir::FunId selector = any_selector(sort);
    if (!selector.valid()) return {};
    std::vector<ir::TermId> args = {values_.value(sort)};
    return ir::call(store_, selector, args);
  }

  // One case for each constructor, the last perhaps for all that is left.
  ir::TermId match() {
    const ir::SortId sort = any_datatype();
    const ir::SortId result = values_.sort(1);
    std::vector<ir::TermId> parts = {values_.value(sort)};
    const ir::Datatype datatype = store_.datatype(ir::DatatypeId{store_.sorts()[sort].a});
    for (const ir::Constructor& constructor : datatype.constructors) {
      const bool is_last = parts.size() == datatype.constructors.size();
      const bool for_all = is_last && rng_.one_in(3);
      parts.push_back(match_case(for_all ? ir::FunId{} : constructor.fun, sort, result));
      if (!parts.back().valid()) return {};
    }
    return store_.make(ir::Op::kMatch, result, 0, parts);
  }

  // Over small sorts, of a relation between the variables and a value.
  ir::TermId quantified(ir::Op binder) {
    const ir::SortId sort = small_sort();
    const ir::TermId x = store_.variable(store_.symbols().intern("x"), sort, 0);
    const ir::TermId y = store_.variable(store_.symbols().intern("y"), sort, 0);
    const auto atom = [&] {
      const ir::TermId right = rng_.one_in(2) ? y : values_.value(sort);
      return rng_.one_in(2) ? values_.apply(ir::Op::kEq, {x, right})
                            : values_.apply(ir::Op::kDistinct, {right, x});
    };
    const ir::Op join = rng_.one_in(2) ? ir::Op::kAnd : ir::Op::kOr;
    const ir::TermId body = values_.apply(join, {atom(), values_.apply(ir::Op::kNot, {atom()})});
    const std::vector<ir::TermId> parts = {x, y, body};
    return store_.make(binder, ir::kBoolSort, 0, parts);
  }

  // (select (lambda ...) v), or the same for a function of cvc5.
  ir::TermId applied_lambda() {
    const std::vector<ir::SortId> sorts = {values_.sort(1), values_.sort(1)};
    const ir::SortId whole = store_.sorts().make(ir::SortKind::kFunction, sorts);
    const ir::TermId function = values_.value(whole);
    if (!function.valid()) return {};
    return values_.apply(ir::Op::kHoApply, {function, values_.value(sorts[0])});
  }

  // A call of one of the functions that the prelude defines.
  ir::TermId defined_call() {
    const std::vector<ir::FunId> defined = defined_functions();
    const ir::FunId fun = defined[rng_.below(defined.size())];
    const auto params = store_.params(fun);
    std::vector<ir::TermId> args = values_.values(params, 0);
    return ir::call(store_, fun, args);
  }

 private:
  using SortKind = ir::SortKind;

  // --- Operators that a pattern types. ---

  ir::TermId plain(ir::Op op, const ir::Signature& signature) {
    ir::Bindings bindings;
    int attempts = 100;
    while (!bind(op, signature, bindings)) {
      if (--attempts == 0) return {};
    }
    const size_t count = argument_count(signature);
    std::vector<ir::TermId> args;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t pattern = ir::parameter_of(signature, i, count);
      const ir::SortId sort = ir::instantiate(store_.sorts(), signature, pattern, bindings);
      if (!sort.valid()) return {};
      args.push_back(argument(op, sort, args));
      if (!args.back().valid()) return {};
    }
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < signature.own_indices; ++i) {
      indices.push_back(static_cast<uint32_t>(bindings.indices[i]));
    }
    ir::SortId as;
    if (signature.needs_as) {
      as = ir::instantiate(store_.sorts(), signature, signature.result, bindings);
      if (!as.valid()) return {};
    }
    return values_.apply(op, std::move(args), std::move(indices), as);
  }

  size_t argument_count(const ir::Signature& signature) {
    const bool may_grow =
        signature.arity != ir::Arity::kFixed || signature.rule == ir::Rule::kConcat;
    return signature.params.size() + (may_grow && rng_.one_in(4) ? rng_.below(3) : 0);
  }

  // Equal arguments are the interesting case of many operators, and so are positions within a
  // sequence, and ranges of single characters.
  ir::TermId argument(ir::Op op, ir::SortId sort, const std::vector<ir::TermId>& before) {
    if (rng_.one_in(5)) {
      for (const ir::TermId term : before) {
        if (store_.sort(term) == sort) return term;
      }
    }
    if (op == ir::Op::kReRange && !rng_.one_in(8)) return values_.one_character();
    const SortKind first = before.empty() ? SortKind::kNone : kind_of(before[0]);
    const bool is_position = first == SortKind::kSeq || first == SortKind::kString;
    if (sort == ir::kIntSort && is_position && rng_.one_in(2)) {
      return values_.integer(values_.small_integer());
    }
    return values_.value(sort);
  }

  SortKind kind_of(ir::TermId term) const { return store_.sorts().kind(store_.sort(term)); }

  bool bind(ir::Op op, const ir::Signature& signature, ir::Bindings& bindings) {
    for (uint32_t i = 0; i < signature.sort_variables; ++i) bindings.sorts[i] = values_.sort();
    const num::FloatFormat format = values_.format();
    const num::FloatFormat other = values_.format();
    for (size_t i = 0; i < signature.index_names.size(); ++i) {
      const bool is_own = i < signature.own_indices;
      bindings.index_bound[i] = true;
      bindings.indices[i] = index(op, signature.index_names[i], is_own, format, other);
    }
    return ir::conditions_hold(signature, bindings);
  }

  // By the habits of the names in ops.def: e and s are a float's format, p is the order of a field.
  int64_t index(ir::Op op, const std::string& name, bool is_own, num::FloatFormat format,
                num::FloatFormat other) {
    if (name == "p") return values_.field_order();
    if (name == "e") return format.exponent;
    if (name == "s") return format.significand;
    switch (op) {
      case ir::Op::kFp: return format.significand - 1;
      case ir::Op::kFpFromFp: return name == "i" ? other.exponent : other.significand;
      case ir::Op::kFpFromParts: return name == "m" ? format.exponent : format.significand - 1;
      case ir::Op::kFpFromIeeeBv: return format.exponent + format.significand;
      case ir::Op::kCharLiteral: return static_cast<int64_t>(rng_.below(num::kMaxCharacter + 1));
      case ir::Op::kIntAnd: return static_cast<int64_t>(rng_.below(70));
      default: break;
    }
    if (!is_own || name == "m") return values_.width();
    return static_cast<int64_t>(rng_.one_in(4) ? rng_.below(140) : rng_.below(6));
  }

  // --- Datatypes and tuples. ---

  ir::SortId any_datatype() {
    const std::vector<ir::SortId> both = {values_.sort(1), values_.sort(1)};
    switch (rng_.below(5)) {
      case 0: return values_.datatype_sort("E", {});
      case 1: return values_.datatype_sort("Tree", {});
      case 2: return values_.datatype_sort("Forest", {});
      case 3: return values_.datatype_sort("L", std::span(both).first(1));
      default: return values_.datatype_sort("P", both);
    }
  }

  ir::FunId any_selector(ir::SortId sort) {
    std::vector<ir::FunId> selectors;
    const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{store_.sorts()[sort].a});
    for (const ir::Constructor& constructor : datatype.constructors) {
      selectors.insert(selectors.end(), constructor.selectors.begin(), constructor.selectors.end());
    }
    return selectors.empty() ? ir::FunId{} : selectors[rng_.below(selectors.size())];
  }

  ir::TermId on_datatype(ir::Op op, bool is_test) {
    const ir::SortId sort = any_datatype();
    const ir::TermId value = values_.value(sort);
    if (is_test) {
      const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{store_.sorts()[sort].a});
      const auto& constructors = datatype.constructors;
      const ir::FunId constructor = constructors[rng_.below(constructors.size())].fun;
      return values_.apply(op, {value}, {constructor.value});
    }
    const ir::FunId selector = any_selector(sort);
    if (!selector.valid()) return {};
    const ir::SortId field =
        ir::substitute_sort(store_.sorts(), store_.fun(selector).result, values_.bindings_of(sort));
    return values_.apply(op, {value, values_.value(field)}, {selector.value});
  }

  ir::TermId match_case(ir::FunId constructor, ir::SortId sort, ir::SortId result) {
    std::vector<ir::SortId> fields = {sort};
    if (constructor.valid()) {
      const auto params = store_.params(constructor);
      fields.assign(params.begin(), params.end());
    }
    const ir::SortBindings bindings = values_.bindings_of(sort);
    std::vector<ir::TermId> parts;
    ir::TermId body = values_.value(result);
    for (size_t i = 0; i < fields.size(); ++i) {
      const auto name = store_.symbols().intern("v" + std::to_string(i));
      const ir::SortId field = ir::substitute_sort(store_.sorts(), fields[i], bindings);
      parts.push_back(store_.variable(name, field, 0));
      if (field == result) body = parts.back();
    }
    if (!body.valid()) return {};
    parts.push_back(body);
    return store_.make(ir::Op::kMatchCase, result, constructor.value, parts);
  }

  std::vector<ir::SortId> some_sorts(uint32_t low, uint32_t high) {
    std::vector<ir::SortId> sorts(low + rng_.below(high - low + 1));
    for (ir::SortId& sort : sorts) sort = values_.sort(1);
    return sorts;
  }

  ir::TermId on_tuple(ir::Op op, ir::Rule rule) {
    const std::vector<ir::SortId> sorts = some_sorts(1, 3);
    std::vector<ir::TermId> args = {values_.apply(ir::Op::kTuple, values_.values(sorts, 0))};
    const auto any = [&] { return static_cast<uint32_t>(rng_.below(sorts.size())); };
    std::vector<uint32_t> indices = {any()};
    if (rule == ir::Rule::kTupleUpdate) args.push_back(values_.value(sorts[indices[0]], 1));
    if (rule == ir::Rule::kTupleProject && rng_.one_in(2)) indices.push_back(any());
    return values_.apply(op, std::move(args), std::move(indices));
  }

  // --- Others. ---

  std::vector<ir::SortId> booleans(uint32_t low, uint32_t high) {
    return std::vector<ir::SortId>(low + rng_.below(high - low + 1), ir::kBoolSort);
  }

  // A limit, then a weight for each argument.
  ir::TermId weighted(ir::Op op) {
    std::vector<ir::TermId> args = values_.values(booleans(1, 5), 0);
    std::vector<uint32_t> indices = {static_cast<uint32_t>(rng_.below(9))};
    for (size_t i = 0; i < args.size(); ++i) {
      indices.push_back(static_cast<uint32_t>(rng_.below(5)));
    }
    return values_.apply(op, std::move(args), std::move(indices));
  }

  std::vector<ir::FunId> defined_functions() const {
    std::vector<ir::FunId> found;
    for (uint32_t id = 1; id < store_.fun_count(); ++id) {
      if (store_.fun(ir::FunId{id}).body.valid()) found.push_back(ir::FunId{id});
    }
    return found;
  }

  // An array says nothing by itself: an element of it.
  ir::TermId as_array(ir::Op op) {
    const std::vector<ir::FunId> defined = defined_functions();
    const ir::FunId fun = defined[rng_.below(defined.size())];
    std::vector<ir::TermId> args = {values_.apply(op, {}, {fun.value})};
    for (const ir::TermId argument : values_.values(store_.params(fun), 0)) {
      args.push_back(argument);
    }
    return values_.apply(ir::Op::kSelect, std::move(args));
  }

  ir::SortId small_sort() {
    switch (rng_.below(4)) {
      case 0: return ir::kBoolSort;
      case 1: return ir::kRoundingModeSort;
      case 2: return values_.datatype_sort("E", {});
      default: return store_.sorts().bit_vec(static_cast<uint32_t>(1 + rng_.below(3)));
    }
  }

  ir::TermStore& store_;
  base::Rng& rng_;
  RandomValues values_;
};

}  // namespace elenchus
