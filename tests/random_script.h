#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/script.h"
#include "ir/signature.h"
#include "ir/term_store.h"
#include "smtlib/parser.h"

namespace elenchus {

// Makes scripts that use every corner of the language: all operators of the table on random sorts,
// terms shared at random, binders whose variables clash with each other, with functions and with
// operators, annotations, match, push and pop. They are well-sorted and mean nothing.
class RandomScript {
 public:
  RandomScript(ir::TermStore& store, base::Rng& rng)
      : store_(store), rng_(rng), free_(store), ops_(operators(store.ops())) {}

  ir::Script make(uint32_t steps) {
    has_finite_sets_ = rng_.one_in(2);
    ir::Script script = prelude();
    script_ = &script;
    for (uint32_t i = 0; i < steps; ++i) grow();
    for (uint32_t i = 0; i < steps / 8 + 1; ++i) {
      grow();
      emit();
    }
    while (!levels_.empty()) pop();
    return script;
  }

  // All operators but one: (_ char c) is a string literal to the parser.
  static std::vector<ir::Op> operators(const ir::OpTable& table) {
    std::vector<ir::Op> ops = table.all();
    std::erase(ops, ir::Op::kStrChar);
    return ops;
  }

  // The operators that any of the scripts had in some term.
  const std::set<ir::Op>& used() const { return used_; }

 private:
  using Pool = std::map<ir::SortId, std::vector<ir::TermId>>;

  struct Level {
    Pool pool;
    uint32_t constants;
  };

  // Names for bound variables: of each other, of functions and constants, of operators, of what the
  // printer makes up, and such as need bars.
  static constexpr std::array<std::string_view, 12> kNames = {
      "x", "x", "x", "y", "x!1", "_let_1", "c0", "f", "and", "true", "a b", "frob"};

  ir::Script prelude() {
    constexpr std::string_view kText =
        "(declare-sort U 0)(declare-sort V 1)"
        "(declare-datatypes ((E 0)) (((e1) (e2) (|e 3|))))"
        "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))"
        "(declare-datatypes ((P 2)) ((par (X Y) ((pair (first X) (second Y)) (left (which X))))))"
        "(declare-datatypes ((Tree 0) (Forest 0)) (((node (label Int) (children Forest))) "
        "((bare) (grow (tree Tree) (rest Forest)))))"
        "(declare-codatatypes ((Stream 0)) (((next (value Int) (others Stream)))))"
        "(declare-fun f (Int) Int)(declare-fun f (Bool Bool) Real)(declare-const f String)"
        "(declare-fun g (Int Real) Bool)(declare-fun h ((-> Int Bool)) U)(declare-fun k (U) U)"
        "(declare-const and Int)(declare-const |a b| Real)(declare-fun bvadd (Int) Bool)"
        "(define-fun d ((x Int) (y Int)) Int (+ x y))"
        "(define-fun-rec r ((x Int)) Int (ite (< x 0) 0 (r (- x 1))))";
    auto script = smtlib::parse_script(
        store_, std::string(rng_.one_in(2) ? "" : "(set-logic ALL)") + std::string(kText) +
                    (has_finite_sets_ ? "(declare-const some (FiniteSet Int))" : ""));
    ELENCHUS_CHECK(script.has_value(), script.error().message);
    functions_.clear();
    for (uint32_t id = 1; id < store_.fun_count(); ++id) functions_.push_back(ir::FunId{id});
    pool_.clear();
    levels_.clear();
    constants_ = 0;
    names_ = 0;
    return std::move(*script);
  }

  // --- Sorts. ---

  ir::SortId named_sort(std::string_view name, std::vector<ir::SortId> args = {}) {
    const ir::SymbolId symbol = store_.symbols().intern(name);
    for (const ir::FunId fun : functions_) {
      const ir::FunDecl& decl = store_.fun(fun);
      if (decl.kind != ir::FunKind::kConstructor) continue;
      if (store_.datatype(decl.datatype).name != symbol) continue;
      return store_.sorts().make(ir::SortKind::kDatatype, decl.datatype.value, symbol.value, args);
    }
    return store_.sorts().make(ir::SortKind::kUninterpreted, symbol.value, 0, args);
  }

  ir::SortId field_sort() {
    const ir::SymbolId order = store_.symbols().intern("17");
    return store_.sorts().make(ir::SortKind::kFiniteField, order.value, 0, {});
  }

  ir::SortId simple_sort() {
    switch (rng_.below(14)) {
      case 0:
      case 1: return ir::kBoolSort;
      case 2:
      case 3: return ir::kIntSort;
      case 4: return ir::kRealSort;
      case 5: return ir::kStringSort;
      case 6: return ir::kRegLanSort;
      case 7: return ir::kRoundingModeSort;
      case 8: return store_.sorts().bit_vec(small());
      case 9: return store_.sorts().floating_point(small() + 1, small() + 1);
      case 10: return named_sort("E");
      case 11: return named_sort("Tree");
      case 12: return field_sort();
      default: return named_sort("U");
    }
  }

  // Mostly a sort that has terms already, so that terms grow and share. Not the characters: a
  // sequence of them is a String, and has no other form.
  ir::SortId random_sort(uint32_t depth = 0) {
    if (!pool_.empty() && rng_.below(3) != 0) {
      const auto at = std::next(pool_.begin(), static_cast<ptrdiff_t>(rng_.below(pool_.size())));
      const bool is_usable = at->first != ir::kCharSort && !store_.sorts()[at->first].has_unknown;
      if (is_usable && store_.sorts()[at->first].size < 6) return at->first;
    }
    if (depth >= 2 || rng_.below(3) != 0) return simple_sort();
    const ir::SortId one = random_sort(depth + 1);
    const ir::SortId two = random_sort(depth + 1);
    const std::array<ir::SortId, 2> both = {one, two};
    const std::span<const ir::SortId> first(both.data(), 1);
    ir::SortTable& sorts = store_.sorts();
    switch (rng_.below(11)) {
      case 0: return sorts.make(ir::SortKind::kArray, both);
      case 1: return sorts.make(ir::SortKind::kSeq, first);
      case 2: return sorts.make(ir::SortKind::kSet, first);
      case 3: return sorts.make(ir::SortKind::kBag, first);
      case 4: return sorts.make(ir::SortKind::kTuple, both);
      case 5: return sorts.make(ir::SortKind::kNullable, first);
      case 6: return sorts.make(ir::SortKind::kFunction, both);
      case 7: return named_sort("L", {one});
      case 8: return named_sort("P", {one, two});
      case 9: return named_sort("V", {one});
      default: return sorts.make(ir::SortKind::kTuple, {});
    }
  }

  uint32_t small() { return 1 + static_cast<uint32_t>(rng_.below(6)); }

  // --- Leaves. ---

  ir::TermId variable(ir::SortId sort) {
    const ir::SymbolId name = store_.symbols().intern(kNames[rng_.below(kNames.size())]);
    return store_.variable(name, sort, static_cast<uint32_t>(rng_.below(3)));
  }

  ir::TermId constant(ir::SortId sort) {
    const std::string name = "c" + std::to_string(constants_++);
    const ir::FunId fun =
        store_.declare(store_.symbols().intern(name), ir::FunKind::kDeclared, {}, sort);
    ir::Command command;
    command.kind = rng_.one_in(2) ? ir::CommandKind::kDeclareConst : ir::CommandKind::kDeclareFun;
    const uint32_t items[] = {fun.value};
    script_->set_items(command, items);
    script_->commands.push_back(command);
    return store_.fun(fun).constant;
  }

  ir::TermId literal(ir::SortId sort) {
    const std::string digits = std::to_string(rng_.below(5));
    switch (store_.sorts().kind(sort)) {
      case ir::SortKind::kInt: return store_.int_literal(digits);
      case ir::SortKind::kReal: return store_.real_literal(digits + ".5");
      case ir::SortKind::kString: return store_.string_literal("a\"\"\\u{" + digits + "}");
      case ir::SortKind::kBitVec: {
        const uint32_t width = store_.sorts()[sort].a;
        const std::string zeros(width % 4 == 0 ? width / 4 : width, '0');
        return store_.bits_literal((width % 4 == 0 ? "#x" : "#b") + zeros);
      }
      case ir::SortKind::kFiniteField:
        return store_.make(ir::Op::kFieldLiteral, sort, store_.symbols().intern(digits).value, {});
      default: return {};
    }
  }

  ir::TermId term_of(ir::SortId sort) {
    if (sort == ir::kUnknownSort) sort = ir::kIntSort;
    const std::vector<ir::TermId>& pool = pool_[sort];
    if (!pool.empty() && rng_.below(12) != 0) {
      // The newest terms are the largest.
      const size_t back = rng_.below(std::min<size_t>(pool.size(), rng_.one_in(3) ? 20 : 6));
      return pool[pool.size() - 1 - back];
    }
    ir::TermId term;
    if (rng_.one_in(40)) term = unknown_call(sort);
    if (!term.valid() && rng_.one_in(3)) term = literal(sort);
    if (!term.valid()) term = rng_.one_in(2) ? variable(sort) : constant(sort);
    return add(term);
  }

  ir::TermId add(ir::TermId term) {
    if (term.valid()) pool_[store_.sort(term)].push_back(term);
    return term;
  }

  // --- Terms. ---

  // Operators of Core tie together what the others make.
  void grow() {
    constexpr std::array<ir::Op, 8> kCore = {ir::Op::kAnd, ir::Op::kOr,     ir::Op::kNot,
                                             ir::Op::kIte, ir::Op::kEq,     ir::Op::kDistinct,
                                             ir::Op::kXor, ir::Op::kImplies};
    switch (rng_.below(24)) {
      case 0:
      case 1:
      case 2: add(binder()); break;
      case 3: add(call()); break;
      case 4: add(annotation()); break;
      case 5: add(match()); break;
      case 6: add(rng_.one_in(2) ? function_value() : higher_order()); break;
      case 7:
      case 8:
      case 9:
      case 10:
      case 11: add(application(kCore[rng_.below(kCore.size())])); break;
      default: {
        const ir::Op op = ops_[rng_.below(ops_.size())];
        if (!is_of_other_sets(op)) add(application(op));
      }
    }
  }

  // A script's singletons are in sets of z3 or in sets of cvc5.
  bool is_of_other_sets(ir::Op op) const {
    if (has_finite_sets_) return op == ir::Op::kSetSingleton;
    const auto& signatures = store_.ops().info(op).signatures;
    return std::any_of(signatures.begin(), signatures.end(), [](const ir::Signature& signature) {
      return signature.text.find("FiniteSet") != std::string::npos;
    });
  }

  ir::TermId application(ir::Op op) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      const auto& signatures = store_.ops().info(op).signatures;
      const ir::Signature& signature = signatures[rng_.below(signatures.size())];
      const ir::TermId term = signature.symbolic_index ? symbolic_application(op, signature)
                                                       : plain_application(op, signature);
      if (!term.valid()) continue;
      used_.insert(store_.op(term));
      return term;
    }
    return {};
  }

  bool bind(const ir::Signature& signature, ir::Bindings& bindings) {
    const bool has_functions = signature.text.find("(->") != std::string::npos;
    for (uint32_t i = 0; i < signature.sort_variables; ++i) {
      bindings.sorts[i] = random_sort();
      // A function with a function for its result is one with more arguments, and has no other
      // form.
      const ir::SortKind kind = store_.sorts().kind(bindings.sorts[i]);
      if (has_functions && kind == ir::SortKind::kFunction) return false;
    }
    for (size_t i = 0; i < signature.index_names.size(); ++i) {
      bindings.index_bound[i] = true;
      bindings.indices[i] = signature.index_names[i] == "p" ? store_.symbols().intern("17").value
                                                            : static_cast<int64_t>(rng_.below(6));
    }
    return ir::conditions_hold(signature, bindings);
  }

  ir::TermId plain_application(ir::Op op, const ir::Signature& signature) {
    ir::Bindings bindings;
    int attempts = 30;
    while (!bind(signature, bindings)) {
      if (--attempts == 0) return {};
    }
    size_t count = signature.params.size();
    const bool is_tuple = signature.rule == ir::Rule::kTuple;
    if (signature.arity != ir::Arity::kFixed || signature.rule == ir::Rule::kConcat) {
      count += rng_.one_in(3) ? rng_.below(4) : 0;
    }
    if (is_tuple) count = rng_.below(4);
    std::vector<ir::TermId> args;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t pattern = is_tuple ? signature.params[std::min<size_t>(i, 1)]
                                        : ir::parameter_of(signature, i, count);
      const ir::SortId sort = ir::instantiate(store_.sorts(), signature, pattern, bindings);
      if (!sort.valid() || has_zero_width(sort)) return {};
      args.push_back(term_of(sort));
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
    return ir::apply(store_, {named_like(op), indices, as}, args);
  }

  bool has_zero_width(ir::SortId sort) const {
    const ir::SortNode& node = store_.sorts()[sort];
    if (node.kind == ir::SortKind::kFloatingPoint) return node.a < 2 || node.b < 2;
    return node.kind == ir::SortKind::kBitVec && node.a < 1;
  }

  // What the parser would try: all operators of the name.
  std::span<const ir::Op> named_like(ir::Op op) const {
    static constexpr std::array kSingleton = {ir::Op::kFiniteSetSingleton};
    if (op == kSingleton[0]) return kSingleton;
    return store_.ops().named(store_.ops().info(op).name);
  }

  // Operators whose index is a function.
  ir::TermId symbolic_application(ir::Op op, const ir::Signature& signature) {
    const ir::FunId fun = functions_[rng_.below(functions_.size())];
    const ir::FunDecl& decl = store_.fun(fun);
    std::vector<uint32_t> indices = {fun.value};
    std::vector<ir::TermId> args;
    const ir::SortId element = random_sort();
    switch (signature.rule) {
      case ir::Rule::kIs:
      case ir::Rule::kUpdate: {
        if (!decl.datatype.valid()) return {};
        ir::SortBindings bindings;
        for (const ir::SortId parameter : store_.datatype(decl.datatype).parameters) {
          bindings.emplace_back(parameter, random_sort());
        }
        const bool is = signature.rule == ir::Rule::kIs;
        if (is != (decl.kind == ir::FunKind::kConstructor)) return {};
        const ir::SortId whole = is ? decl.result : store_.params(fun)[0];
        args.push_back(term_of(ir::substitute_sort(store_.sorts(), whole, bindings)));
        if (!is) {
          args.push_back(term_of(ir::substitute_sort(store_.sorts(), decl.result, bindings)));
        }
        break;
      }
      case ir::Rule::kArrayMap:
        if (rng_.one_in(2)) {
          indices[0] = store_.symbols().intern("or").value | ir::kSymbolIndex;
          for (int i = 0; i < 2; ++i) args.push_back(array_of(element, ir::kBoolSort));
        } else {
          if (is_overloaded(fun) || decl.param_count == 0) return {};
          for (const ir::SortId param : store_.params(fun)) {
            args.push_back(array_of(element, param));
          }
        }
        break;
      case ir::Rule::kAsArray:
        if (is_overloaded(fun)) return {};
        break;
      default:
        indices.assign(signature.own_indices,
                       store_.symbols().intern("U").value | ir::kSymbolIndex);
        for (size_t i = 0; i < signature.params.size(); ++i) args.push_back(term_of(element));
        break;
    }
    return ir::apply(store_, {named_like(op), indices, {}}, args);
  }

  ir::TermId array_of(ir::SortId index, ir::SortId element) {
    const std::array<ir::SortId, 2> parts = {index, element};
    return term_of(store_.sorts().make(ir::SortKind::kArray, parts));
  }

  // Whether the name alone says which function is meant, and the function is a plain one.
  bool is_overloaded(ir::FunId fun) const {
    const ir::FunDecl& decl = store_.fun(fun);
    if (decl.polymorphic || !store_.ops().named(decl.name).empty()) return true;
    return std::count_if(functions_.begin(), functions_.end(),
                         [&](ir::FunId other) { return store_.fun(other).name == decl.name; }) > 1;
  }

  ir::TermId call() {
    const ir::FunId fun = functions_[rng_.below(functions_.size())];
    const ir::FunDecl decl = store_.fun(fun);
    ir::SortBindings bindings;
    if (decl.datatype.valid()) {
      for (const ir::SortId parameter : store_.datatype(decl.datatype).parameters) {
        bindings.emplace_back(parameter, random_sort());
      }
    }
    std::vector<ir::TermId> args;
    for (const ir::SortId param : store_.params(fun)) {
      args.push_back(term_of(ir::substitute_sort(store_.sorts(), param, bindings)));
    }
    const ir::SortId result = ir::substitute_sort(store_.sorts(), decl.result, bindings);
    return ir::call(store_, fun, args, decl.needs_as ? result : ir::SortId{});
  }

  ir::TermId function_value() {
    const ir::FunId fun = functions_[rng_.below(functions_.size())];
    if (is_overloaded(fun) || store_.fun(fun).param_count == 0) return {};
    return ir::function_value(store_, fun);
  }

  // A function that is a value, applied to some of the arguments that it takes.
  ir::TermId higher_order() {
    ir::TermId function = function_value();
    if (!function.valid() || rng_.one_in(2)) {
      const std::array<ir::SortId, 3> sorts = {random_sort(), random_sort(), random_sort()};
      function = term_of(store_.sorts().make(ir::SortKind::kFunction, sorts));
    }
    const ir::SortId sort = store_.sort(function);
    if (store_.sorts().kind(sort) != ir::SortKind::kFunction) return {};
    const auto children = store_.sorts().children(sort);
    const std::vector<ir::SortId> signature(children.begin(), children.end());
    std::vector<ir::TermId> args = {function};
    const size_t count = 1 + rng_.below(signature.size() - 1);
    for (size_t i = 0; i < count; ++i) args.push_back(term_of(signature[i]));
    return ir::apply(store_, {named_like(ir::Op::kHoApply)}, args);
  }

  // An operator that nobody knows, with or without the sort that it has.
  ir::TermId unknown_call(ir::SortId wanted) {
    constexpr std::array<std::string_view, 3> kHeads = {"frob", "|fr ob|", "(_ frob 1 a)"};
    std::string head(kHeads[rng_.below(kHeads.size())]);
    const bool qualified = head[0] != '(' && rng_.one_in(2);
    if (qualified) head = "(as " + head + " " + ir::describe_sort(store_, wanted) + ")";
    const std::array<ir::TermId, 1> args = {term_of(random_sort())};
    return store_.make(ir::Op::kUnknownCall, qualified ? wanted : ir::kUnknownSort,
                       store_.symbols().intern(head).value, args);
  }

  ir::TermId binder() {
    constexpr std::array<ir::Op, 6> kBinders = {ir::Op::kForall, ir::Op::kExists,
                                                ir::Op::kForall, ir::Op::kLambda,
                                                ir::Op::kChoice, ir::Op::kComprehension};
    const ir::Op op = kBinders[rng_.below(kBinders.size())];
    const ir::TermId body = term_of(op == ir::Op::kLambda ? random_sort() : ir::kBoolSort);
    std::vector<ir::TermId> parts;
    // Variables that the body has, and others.
    for (const ir::TermId variable : free_.of(body)) {
      if (rng_.one_in(2) && parts.size() < 3) parts.push_back(variable);
    }
    if (parts.empty() || rng_.one_in(4)) {
      const ir::TermId other = variable(random_sort());
      if (std::find(parts.begin(), parts.end(), other) == parts.end()) parts.push_back(other);
    }
    if (op == ir::Op::kChoice) parts.resize(1);
    ir::SortId sort = ir::kBoolSort;
    if (op == ir::Op::kChoice) sort = store_.sort(parts[0]);
    if (op == ir::Op::kLambda) {
      std::vector<ir::SortId> signature;
      signature.reserve(parts.size() + 1);
      for (const ir::TermId variable : parts) signature.push_back(store_.sort(variable));
      signature.push_back(store_.sort(body));
      sort = store_.sorts().make(ir::SortKind::kFunction, signature);
    }
    parts.push_back(body);
    if (op == ir::Op::kComprehension) {
      const ir::TermId element = term_of(random_sort());
      const std::array<ir::SortId, 1> of = {store_.sort(element)};
      sort = store_.sorts().make(ir::SortKind::kSet, of);
      parts.push_back(element);
    }
    return sort.valid() ? store_.make(op, sort, 0, parts) : ir::TermId{};
  }

  ir::TermId annotation() {
    const ir::TermId term = term_of(ir::kBoolSort);
    std::vector<ir::TermId> parts = {term};
    std::array<uint32_t, 2> attribute = {0, 0};
    switch (rng_.below(3)) {
      case 0: attribute = {symbol(":qid"), symbol("|q q|")}; break;
      case 1: attribute = {symbol(":flag"), 0}; break;
      default:
        attribute = {symbol(rng_.one_in(2) ? ":pattern" : ":no-pattern"), 0};
        for (size_t i = rng_.below(2) + 1; i > 0; --i) parts.push_back(term_of(random_sort()));
        break;
    }
    return store_.make(ir::Op::kAnnotated, store_.sort(term), store_.index_list(attribute).value,
                       parts);
  }

  uint32_t symbol(std::string_view text) { return store_.symbols().intern(text).value; }

  ir::TermId match() {
    const ir::FunId any = functions_[rng_.below(functions_.size())];
    const ir::DatatypeId id = store_.fun(any).datatype;
    if (!id.valid()) return {};
    ir::SortBindings bindings;
    std::vector<ir::SortId> instance;
    for (const ir::SortId parameter : store_.datatype(id).parameters) {
      instance.push_back(random_sort());
      bindings.emplace_back(parameter, instance.back());
    }
    const ir::SortId whole = store_.sorts().make(ir::SortKind::kDatatype, id.value,
                                                 store_.datatype(id).name.value, instance);
    if (!whole.valid()) return {};
    std::vector<ir::TermId> parts = {term_of(whole)};
    // Of an unknown sort: the parser cannot say what sorts the fields have.
    if (store_.sort(parts[0]) != whole) return {};
    const ir::SortId wanted = random_sort();
    ir::SortId sort = ir::kUnknownSort;
    for (const ir::Constructor& constructor : store_.datatype(id).constructors) {
      parts.push_back(match_case(constructor.fun, whole, bindings, wanted));
      if (!parts.back().valid()) return {};
      if (sort == ir::kUnknownSort) sort = store_.sort(parts.back());
      if (store_.payload(parts.back()) == 0) break;
    }
    return store_.make(ir::Op::kMatch, sort, 0, parts);
  }

  // (constructor variables...) or a variable for everything.
  ir::TermId match_case(ir::FunId constructor, ir::SortId whole, const ir::SortBindings& bindings,
                        ir::SortId sort) {
    const bool for_all = rng_.one_in(5);
    std::vector<ir::SortId> fields = {whole};
    if (!for_all) {
      const auto params = store_.params(constructor);
      fields.assign(params.begin(), params.end());
    }
    std::vector<ir::TermId> parts;
    for (const ir::SortId field : fields) {
      const ir::TermId bound = variable(ir::substitute_sort(store_.sorts(), field, bindings));
      if (std::find(parts.begin(), parts.end(), bound) != parts.end()) return {};
      parts.push_back(bound);
    }
    parts.push_back(term_of(sort));
    return store_.make(ir::Op::kMatchCase, store_.sort(parts.back()),
                       for_all ? 0 : constructor.value, parts);
  }

  // --- Commands. ---

  // The term under binders for all its free variables, some of them together.
  ir::TermId closed(ir::TermId term) {
    for (;;) {
      const auto free = free_.of(term);
      if (free.empty()) return term;
      std::vector<ir::TermId> parts(free.begin(), free.end());
      rng_.shuffle(std::span(parts));
      parts.resize(1 + rng_.below(parts.size()));
      parts.push_back(term);
      const ir::Op op = rng_.one_in(2) ? ir::Op::kForall : ir::Op::kExists;
      term = store_.make(op, ir::kBoolSort, 0, parts);
    }
  }

  void emit() {
    ir::Command command;
    switch (rng_.below(12)) {
      case 0: push(); return;
      case 1:
        if (!levels_.empty()) pop();
        return;
      case 2: emit_definition(); return;
      case 3: emit_named(); return;
      case 4: {
        command.kind =
            rng_.one_in(2) ? ir::CommandKind::kCheckSatAssuming : ir::CommandKind::kGetValue;
        const ir::TermId one = closed(term_of(ir::kBoolSort));
        const ir::TermId two = closed(term_of(ir::kBoolSort));
        const uint32_t items[] = {one.value, two.value};
        script_->set_items(command, items);
        break;
      }
      case 5: command.kind = ir::CommandKind::kCheckSat; break;
      case 6:
        command.kind = ir::CommandKind::kAssertSoft;
        command.term = closed(term_of(ir::kBoolSort));
        command.text = store_.symbols().intern(":weight 2");
        break;
      default:
        command.kind = ir::CommandKind::kAssert;
        command.term = closed(term_of(ir::kBoolSort));
        break;
    }
    script_->commands.push_back(command);
  }

  // (assert (! term :named n)), after which n may be used.
  void emit_named() {
    const ir::TermId term = closed(term_of(ir::kBoolSort));
    const ir::SymbolId name = store_.symbols().intern("n" + std::to_string(names_++));
    const ir::FunId fun = store_.declare(name, ir::FunKind::kNamed, {}, store_.sort(term));
    store_.define(fun, {}, term);
    const std::array<uint32_t, 2> attribute = {symbol(":named"), name.value};
    const std::array<ir::TermId, 1> args = {term};
    ir::Command command;
    command.kind = ir::CommandKind::kAssert;
    command.term = store_.make(ir::Op::kAnnotated, store_.sort(term),
                               store_.index_list(attribute).value, args);
    script_->commands.push_back(command);
    add(store_.fun(fun).constant);
  }

  // A function of the term's free variables, if those have different names.
  void emit_definition() {
    const ir::TermId body = term_of(random_sort());
    if (store_.sort(body) == ir::kUnknownSort) return;
    const auto free = free_.of(body);
    const std::vector<ir::TermId> formals(free.begin(), free.end());
    std::set<ir::SymbolId> names;
    std::vector<ir::SortId> params;
    for (const ir::TermId formal : formals) {
      if (!names.insert(store_.variable_name(formal)).second) return;
      params.push_back(store_.sort(formal));
    }
    const std::string name = "def" + std::to_string(names_++);
    const ir::FunId fun = store_.declare(store_.symbols().intern(name), ir::FunKind::kDefined,
                                         params, store_.sort(body));
    store_.define(fun, formals, body);
    ir::Command command;
    command.kind = ir::CommandKind::kDefineFun;
    const uint32_t items[] = {fun.value};
    script_->set_items(command, items);
    script_->commands.push_back(command);
    if (formals.empty()) add(store_.fun(fun).constant);
  }

  // What is declared on a level is gone with it; the names are free for other sorts.
  void push() {
    levels_.push_back({pool_, constants_});
    ir::Command command;
    command.kind = ir::CommandKind::kPush;
    command.number = 1;
    script_->commands.push_back(command);
  }

  void pop() {
    pool_ = std::move(levels_.back().pool);
    constants_ = levels_.back().constants;
    levels_.pop_back();
    ir::Command command;
    command.kind = ir::CommandKind::kPop;
    command.number = 1;
    script_->commands.push_back(command);
  }

  ir::TermStore& store_;
  base::Rng& rng_;
  ir::FreeVariables free_;
  std::vector<ir::Op> ops_;
  bool has_finite_sets_ = false;
  std::set<ir::Op> used_;

  ir::Script* script_ = nullptr;
  std::vector<ir::FunId> functions_;
  Pool pool_;
  std::vector<Level> levels_;
  uint32_t constants_ = 0;
  uint32_t names_ = 0;
};

}  // namespace elenchus
