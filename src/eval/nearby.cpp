#include "eval/nearby.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/functions.h"
#include "ir/walk.h"

namespace elenchus::eval {
namespace {

using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

class Nearby {
 public:
  Nearby(ir::TermStore& store, std::span<const ir::Claim> claims, const NearbySettings& settings)
      : store_(store), settings_(settings) {
    for (const ir::Claim& claim : claims) add_parts(claim.term);
    collect_functions();
  }

  std::optional<ir::Model> run(const ir::Model& start) {
    ir::Model model = transferred(start);
    Truths truths = judge(model);
    while (truths.count < parts_.size()) {
      if (!improve(model, truths)) return {};
    }
    return model;
  }

  const NearbyWork& work() const { return work_; }

 private:
  static constexpr size_t kMostParts = 10'000;
  static constexpr size_t kMostValues = 24;  // tried for one constant

  // Which parts are true.
  struct Truths {
    std::vector<bool> is_true;
    size_t count = 0;
  };

  // --- The formula. ---

  // Conjunctions are taken apart, so that there is progress to see.
  void add_parts(TermId claim) {
    std::vector<TermId> stack = {claim};
    while (!stack.empty()) {
      const TermId term = stack.back();
      stack.pop_back();
      const bool opens = store_.op(term) == Op::kAnd && parts_.size() + stack.size() < kMostParts;
      if (!opens) {
        parts_.push_back(term);
        continue;
      }
      const auto args = store_.args(term);
      stack.insert(stack.end(), args.rbegin(), args.rend());
    }
  }

  void collect_functions() {
    ir::Walker walker(store_);
    std::unordered_set<uint32_t> seen;
    for (const TermId part : parts_) {
      walker.walk(part, [&](TermId term) {
        ir::for_each_function(store_, term, [&](FunId fun) {
          const bool is_open = store_.fun(fun).kind == ir::FunKind::kDeclared;
          if (is_open && seen.insert(fun.value).second) functions_.push_back(fun);
        });
      });
    }
  }

  // --- Models. ---

  // The definitions of the same functions, or of functions of the same name and sorts; others are
  // made up.
  ir::Model transferred(const ir::Model& start) {
    ir::Model model = start;
    std::unordered_set<uint32_t> known;
    Namesakes namesakes;
    for (const auto& function : start.functions) {
      known.insert(function.fun.value);
      namesakes.emplace(store_.fun(function.fun).name.value, &function);
    }
    for (const ir::Universe& universe : start.universes) {
      for (const FunId element : universe.elements) known.insert(element.value);
    }
    for (const FunId fun : functions_) {
      if (known.contains(fun.value)) continue;
      auto definition = namesake(namesakes, fun);
      if (!definition) definition = made_up(start, fun);
      if (definition) model.functions.push_back({fun, std::move(*definition)});
    }
    return model;
  }

  // The functions of a model by their names; the first of a name comes first.
  using Namesakes = std::multimap<uint32_t, const ir::FunctionDefinition*>;

  std::optional<ir::Definition> namesake(const Namesakes& namesakes, FunId fun) const {
    const ir::FunDecl decl = store_.fun(fun);
    const auto params = store_.params(fun);
    const auto [first, last] = namesakes.equal_range(decl.name.value);
    for (auto at = first; at != last; ++at) {
      const FunId other = at->second->fun;
      const auto of_other = store_.params(other);
      const bool is_same =
          store_.fun(other).result == decl.result &&
          std::equal(params.begin(), params.end(), of_other.begin(), of_other.end());
      if (is_same) return at->second->definition;
    }
    return {};
  }

  // Some value of the sort, the same for all functions of it.
  TermId any_value(const ir::Model& model, SortId sort) {
    const auto [at, is_new] = any_values_.try_emplace(sort.value);
    if (is_new) {
      const auto evaluator = evaluator_for(model);
      const Value value = evaluator->domains().any(sort);
      if (value.known()) at->second = term_of(store_, evaluator->values(), value, sort);
    }
    return at->second;
  }

  std::optional<ir::Definition> made_up(const ir::Model& model, FunId fun) {
    ir::Definition definition;
    definition.body = any_value(model, store_.fun(fun).result);
    if (!definition.body.valid()) return {};
    const auto span = store_.params(fun);
    const std::vector<SortId> params(span.begin(), span.end());
    for (const SortId param : params) {
      const auto level = static_cast<uint32_t>(definition.formals.size());
      definition.formals.push_back(store_.variable(store_.symbols().intern("x"), param, level));
    }
    return definition;
  }

  std::unique_ptr<Evaluator> evaluator_for(const ir::Model& model) {
    ++work_.evaluators;
    const Settings settings{.steps = settings_.steps, .complete = true};
    return std::make_unique<Evaluator>(store_, model, settings);
  }

  Truths judge(const ir::Model& model) {
    ++tried_;
    const auto evaluator = evaluator_for(model);
    Truths truths;
    for (const TermId part : parts_) {
      const Value value = evaluator->evaluate(part);
      const bool holds = value.known() && value.is_true();
      truths.is_true.push_back(holds);
      truths.count += holds ? 1 : 0;
    }
    return truths;
  }

  // --- The search. ---

  // One step to a model with more true parts.
  bool improve(ir::Model& model, Truths& truths) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (truths.is_true[i]) continue;
      for (const FunId constant : constants_in(parts_[i])) {
        if (improve_by(model, truths, parts_[i], constant)) return true;
        if (tried_ >= settings_.tries) return false;
      }
    }
    return false;
  }

  bool improve_by(ir::Model& model, Truths& truths, TermId part, FunId constant) {
    const auto at = std::find_if(model.functions.begin(), model.functions.end(),
                                 [&](const auto& function) { return function.fun == constant; });
    if (at == model.functions.end()) return false;
    const TermId old = at->definition.body;
    for (const TermId value : values_for(model, part, store_.fun(constant).result)) {
      if (value == old) continue;
      if (tried_ >= settings_.tries) break;
      at->definition.body = value;
      Truths now = judge(model);
      if (now.count > truths.count) {
        truths = std::move(now);
        return true;
      }
    }
    at->definition.body = old;
    return false;
  }

  std::vector<FunId> constants_in(TermId part) {
    std::vector<FunId> constants;
    ir::Walker walker(store_);
    walker.walk(part, [&](TermId term) {
      if (store_.op(term) != Op::kCall || !store_.args(term).empty()) return;
      const FunId fun = store_.callee(term);
      if (store_.fun(fun).kind == ir::FunKind::kDeclared) constants.push_back(fun);
    });
    return constants;
  }

  // Values of other terms of the sort in this part, what lies next to them, and usual ones.
  std::vector<TermId> values_for(const ir::Model& model, TermId part, SortId sort) {
    std::vector<TermId> terms;
    ir::Walker walker(store_);
    walker.walk(part, [&](TermId term) {
      if (store_.sort(term) == sort && !store_.has(term, ir::kHasVariables)) terms.push_back(term);
    });
    const auto evaluator = evaluator_for(model);
    std::vector<TermId> values;
    const auto add = [&](const Value& value) {
      if (!value.known() || values.size() >= kMostValues) return;
      const TermId made = term_of(store_, evaluator->values(), value, sort);
      const bool is_new = std::find(values.begin(), values.end(), made) == values.end();
      if (made.valid() && is_new) values.push_back(made);
    };
    // Outer terms first: they are what the constant is compared with.
    for (size_t i = terms.size(); i-- > 0;) add(evaluator->evaluate(terms[i]));
    const std::vector<TermId> found = values;
    for (const TermId value : found) {
      for (const TermId next : neighbours(value, sort)) add(evaluator->evaluate(next));
    }
    Domains& domains = evaluator->domains();
    const auto count = domains.cardinality(sort);
    const bool are_few = count && *count <= kMostValues;
    for (const Value& value : are_few ? domains.all(sort) : domains.samples(sort)) add(value);
    return values;
  }

  std::vector<TermId> neighbours(TermId value, SortId sort) {
    const SortKind kind = store_.sorts().kind(sort);
    if (kind != SortKind::kInt && kind != SortKind::kReal) return {};
    const TermId one = kind == SortKind::kInt ? store_.small_int(1) : store_.real_literal("1.0");
    const std::array<TermId, 2> args = {value, one};
    std::vector<TermId> next;
    for (const Op op : {Op::kAdd, Op::kSub}) {
      const TermId term = ir::apply(store_, op, args);
      if (term.valid()) next.push_back(term);
    }
    return next;
  }

  ir::TermStore& store_;
  NearbySettings settings_;
  std::vector<TermId> parts_;
  std::vector<FunId> functions_;
  std::unordered_map<uint32_t, TermId> any_values_;  // by sort
  uint32_t tried_ = 0;
  NearbyWork work_;
};

}  // namespace

std::optional<ir::Model> find_nearby(ir::TermStore& store, std::span<const ir::Claim> claims,
                                     const ir::Model& model, const NearbySettings& settings,
                                     NearbyWork* work) {
  Nearby nearby(store, claims, settings);
  auto found = nearby.run(model);
  if (work != nullptr) *work = nearby.work();
  return found;
}

}  // namespace elenchus::eval
