#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus {

// Compares two scripts that live in two stores: command by command, terms by structure, bound
// variables up to renaming, functions by a one-to-one map that keeps names and signatures, sorts
// and literals by their text.
//
// Equal subterms under the same binders are compared once, so that shared terms cost no more than
// their nodes. A name given by :named is part of the text once, wherever the term occurs: it is
// compared for the script as a whole and not for each occurrence.
class SameScript {
 public:
  SameScript(const ir::TermStore& a, const ir::Script& script_a, const ir::TermStore& b,
             const ir::Script& script_b)
      : a_(a), b_(b), script_a_(script_a), script_b_(script_b), free_a_(a), free_b_(b) {}

  // Empty when they are the same, else what differs.
  std::string difference() {
    size_t first_b = 0;
    const auto& commands_a = script_a_.commands;
    const auto& commands_b = script_b_.commands;
    for (size_t i = 0; i < commands_a.size(); ++i, ++first_b) {
      // The printer adds the logic that the first script may lack.
      if (!script_a_.logic.valid() && first_b == i && first_b < commands_b.size() &&
          commands_b[first_b].kind == ir::CommandKind::kSetLogic) {
        ++first_b;
      }
      if (first_b >= commands_b.size()) return "commands are missing";
      if (!same_command(commands_a[i], commands_b[first_b])) {
        return "command " + std::to_string(i + 1) + ": " + why_;
      }
    }
    if (first_b != commands_b.size()) return "there are more commands";
    if (names_of(a_) != names_of(b_)) return "other names are given by :named";
    return {};
  }

 private:
  bool differ(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return false;
  }

  bool same_text(ir::SymbolId a, ir::SymbolId b) {
    const std::string_view text_a = a.valid() ? a_.symbols().text(a) : std::string_view();
    const std::string_view text_b = b.valid() ? b_.symbols().text(b) : std::string_view();
    if (a.valid() == b.valid() && text_a == text_b) return true;
    return differ("'" + std::string(text_a) + "' and '" + std::string(text_b) + "'");
  }

  // --- Commands. ---

  static ir::CommandKind printed_kind(ir::CommandKind kind) {
    return kind == ir::CommandKind::kDefineConst ? ir::CommandKind::kDefineFun : kind;
  }

  bool same_command(const ir::Command& a, const ir::Command& b) {
    if (printed_kind(a.kind) != printed_kind(b.kind)) return differ("of another kind");
    if (a.number != b.number) return differ("another number");
    if (!same_text(a.text, b.text) || !same_text(a.value, b.value)) return false;
    const auto items_a = script_a_.items(a);
    const auto items_b = script_b_.items(b);
    if (items_a.size() != items_b.size()) return differ("another number of parts");
    if (ir::has_term(a.kind) && !same_term(a.term, b.term)) return false;
    for (size_t i = 0; i < items_a.size(); ++i) {
      if (!same_item(a.kind, i, items_a[i], items_b[i])) return false;
    }
    return true;
  }

  bool same_item(ir::CommandKind kind, size_t position, uint32_t a, uint32_t b) {
    switch (kind) {
      case ir::CommandKind::kDeclareSort:
      case ir::CommandKind::kDeclareSortParameter:
        return same_text(ir::SymbolId{a}, ir::SymbolId{b});
      case ir::CommandKind::kDefineSort:
        return position == 0 ? same_text(ir::SymbolId{a}, ir::SymbolId{b})
                             : same_sort(ir::SortId{a}, ir::SortId{b});
      case ir::CommandKind::kDeclareDatatypes:
        return same_datatype(ir::DatatypeId{a}, ir::DatatypeId{b});
      case ir::CommandKind::kCheckSatAssuming:
      case ir::CommandKind::kGetValue: return same_term(ir::TermId{a}, ir::TermId{b});
      default: return same_definition(ir::FunId{a}, ir::FunId{b});
    }
  }

  bool same_definition(ir::FunId a, ir::FunId b) {
    if (!same_function(a, b)) return false;
    const ir::TermId body_a = a_.fun(a).body;
    const ir::TermId body_b = b_.fun(b).body;
    if (body_a.valid() != body_b.valid()) return differ("one has a body");
    if (!body_a.valid()) return true;
    bind(a_.formals(a), b_.formals(b));
    const bool same = same_term(body_a, body_b);
    unbind(a_.formals(a), b_.formals(b));
    return same;
  }

  bool same_datatype(ir::DatatypeId a, ir::DatatypeId b) {
    const ir::Datatype& left = a_.datatype(a);
    const ir::Datatype& right = b_.datatype(b);
    if (!same_text(left.name, right.name)) return false;
    if (left.is_codatatype != right.is_codatatype) return differ("datatype and codatatype");
    if (left.parameters.size() != right.parameters.size() ||
        left.constructors.size() != right.constructors.size()) {
      return differ("datatypes of another shape");
    }
    for (size_t i = 0; i < left.parameters.size(); ++i) {
      if (!same_sort(left.parameters[i], right.parameters[i])) return false;
    }
    for (size_t i = 0; i < left.constructors.size(); ++i) {
      const ir::Constructor& one = left.constructors[i];
      const ir::Constructor& other = right.constructors[i];
      if (!same_function(one.fun, other.fun)) return false;
      if (one.selectors.size() != other.selectors.size()) return differ("other selectors");
      for (size_t k = 0; k < one.selectors.size(); ++k) {
        if (!same_function(one.selectors[k], other.selectors[k])) return false;
      }
    }
    return true;
  }

  // How often each name is given.
  static std::map<std::string, int> names_of(const ir::TermStore& store) {
    std::map<std::string, int> names;
    for (uint32_t id = 1; id < store.fun_count(); ++id) {
      const ir::FunDecl& fun = store.fun(ir::FunId{id});
      if (fun.kind != ir::FunKind::kNamed) continue;
      ++names[std::string(store.symbols().text(fun.name)) + " " +
              ir::describe_sort(store, fun.result)];
    }
    return names;
  }

  // --- Sorts and functions. ---

  bool same_sort(ir::SortId a, ir::SortId b) {
    const auto known = sorts_.find(a.value);
    if (known != sorts_.end()) {
      if (known->second == b.value) return true;
    } else if (ir::describe_sort(a_, a) == ir::describe_sort(b_, b)) {
      sorts_.emplace(a.value, b.value);
      return true;
    }
    return differ("sorts " + ir::describe_sort(a_, a) + " and " + ir::describe_sort(b_, b));
  }

  bool same_function(ir::FunId a, ir::FunId b) {
    const auto [left, new_a] = functions_.emplace(a.value, b.value);
    const auto [right, new_b] = functions_back_.emplace(b.value, a.value);
    if (left->second != b.value || right->second != a.value) {
      return differ("one function for two: " + std::string(a_.symbols().text(a_.fun(a).name)));
    }
    if (!new_a && !new_b) return true;
    const ir::FunDecl& one = a_.fun(a);
    const ir::FunDecl& other = b_.fun(b);
    if (!same_text(one.name, other.name)) return false;
    if (one.kind != other.kind || one.param_count != other.param_count ||
        one.needs_as != other.needs_as || one.constructor != other.constructor ||
        one.field != other.field) {
      return differ("functions of another kind");
    }
    for (uint32_t i = 0; i < one.param_count; ++i) {
      if (!same_sort(a_.params(a)[i], b_.params(b)[i])) return false;
    }
    return same_sort(one.result, other.result);
  }

  // --- Terms. ---

  struct Pair {
    ir::TermId a;
    ir::TermId b;
    enum class Step : uint8_t { kEnter, kLeaveBinder, kLeave } step = Step::kEnter;
  };

  // Where a pair of terms was found equal: the binders of their free variables.
  struct Found {
    ir::TermId b;
    std::vector<uint32_t> binders_a;
    std::vector<uint32_t> binders_b;
  };

  bool same_term(ir::TermId a, ir::TermId b) {
    std::vector<Pair> stack = {{a, b}};
    while (!stack.empty()) {
      const Pair pair = stack.back();
      stack.pop_back();
      if (pair.step == Pair::Step::kLeaveBinder) {
        unbind(a_.bound_variables(pair.a), b_.bound_variables(pair.b));
        continue;
      }
      if (pair.step == Pair::Step::kLeave) {
        found_[pair.a.value] = {pair.b, binders(free_a_, bound_a_, pair.a),
                                binders(free_b_, bound_b_, pair.b)};
        continue;
      }
      const ir::TermId left = without_name(a_, pair.a);
      const ir::TermId right = without_name(b_, pair.b);
      if (was_found(left, right)) continue;
      if (!same_node(left, right)) return false;
      enter_arguments(left, right, stack);
    }
    return true;
  }

  void enter_arguments(ir::TermId a, ir::TermId b, std::vector<Pair>& stack) {
    const auto args_a = a_.args(a);
    const auto args_b = b_.args(b);
    if (args_a.empty()) return;
    stack.push_back({a, b, Pair::Step::kLeave});
    size_t first = 0;
    if (ir::is_binder(a_.op(a))) {
      first = a_.bound_count(a);
      bind(a_.bound_variables(a), b_.bound_variables(b));
      stack.push_back({a, b, Pair::Step::kLeaveBinder});
    }
    for (size_t i = args_a.size(); i > first; --i) stack.push_back({args_a[i - 1], args_b[i - 1]});
  }

  bool was_found(ir::TermId a, ir::TermId b) {
    const auto known = found_.find(a.value);
    return known != found_.end() && known->second.b == b &&
           known->second.binders_a == binders(free_a_, bound_a_, a) &&
           known->second.binders_b == binders(free_b_, bound_b_, b);
  }

  static ir::TermId without_name(const ir::TermStore& store, ir::TermId term) {
    while (store.op(term) == ir::Op::kAnnotated &&
           store.symbols().text(ir::SymbolId{store.indices(term)[0]}) == ":named") {
      term = store.args(term)[0];
    }
    return term;
  }

  // Everything but the arguments.
  bool same_node(ir::TermId a, ir::TermId b) {
    if (a_.op(a) != b_.op(b)) return differ("operators " + label(a_, a) + " and " + label(b_, b));
    if (!same_sort(a_.sort(a), b_.sort(b))) return false;
    if (a_.args(a).size() != b_.args(b).size()) return differ("other arguments of " + label(a_, a));
    const ir::Op op = a_.op(a);
    if (op == ir::Op::kVar) return same_variable(a, b);
    if (ir::is_binder(op) && !same_bound_sorts(a, b)) return false;
    switch (op) {
      case ir::Op::kIntLiteral:
      case ir::Op::kRealLiteral:
      case ir::Op::kBitsLiteral:
      case ir::Op::kStringLiteral:
      case ir::Op::kFieldLiteral:
      case ir::Op::kAlgebraicLiteral:
      case ir::Op::kUnknownCall:
      case ir::Op::kUnknownText:
        return same_text(ir::SymbolId{a_.payload(a)}, ir::SymbolId{b_.payload(b)});
      case ir::Op::kCall:
      case ir::Op::kFunRef: return same_function(a_.callee(a), b_.callee(b));
      case ir::Op::kMatchCase:
        if (!a_.callee(a).valid() && !b_.callee(b).valid()) return true;
        return same_function(a_.callee(a), b_.callee(b));
      case ir::Op::kAnnotated: {
        const auto left = a_.indices(a);
        const auto right = b_.indices(b);
        return same_text(ir::SymbolId{left[0]}, ir::SymbolId{right[0]}) &&
               same_text(ir::SymbolId{left[1]}, ir::SymbolId{right[1]});
      }
      default: return same_indices(a, b);
    }
  }

  bool same_indices(ir::TermId a, ir::TermId b) {
    if ((a_.payload(a) == 0) != (b_.payload(b) == 0)) return differ("one has indices");
    if (a_.payload(a) == 0) return true;
    const auto left = a_.indices(a);
    const auto right = b_.indices(b);
    if (left.size() != right.size()) return differ("another number of indices");
    const bool functions = a_.ops().info(a_.op(a)).signatures[0].symbolic_index;
    for (size_t i = 0; i < left.size(); ++i) {
      const bool by_text = (left[i] & ir::kSymbolIndex) != 0;
      if (by_text != ((right[i] & ir::kSymbolIndex) != 0)) return differ("indices");
      if (by_text) {
        if (!same_text(ir::SymbolId{left[i] & ~ir::kSymbolIndex},
                       ir::SymbolId{right[i] & ~ir::kSymbolIndex})) {
          return false;
        }
      } else if (functions) {
        if (!same_function(ir::FunId{left[i]}, ir::FunId{right[i]})) return false;
      } else if (left[i] != right[i]) {
        return differ("indices");
      }
    }
    return true;
  }

  bool same_bound_sorts(ir::TermId a, ir::TermId b) {
    const auto left = a_.bound_variables(a);
    const auto right = b_.bound_variables(b);
    for (size_t i = 0; i < left.size(); ++i) {
      if (!same_sort(a_.sort(left[i]), b_.sort(right[i]))) return false;
    }
    return true;
  }

  static std::string label(const ir::TermStore& store, ir::TermId term) {
    const std::string name(store.ops().name(store.op(term)));
    return name.empty() ? "#" + std::to_string(static_cast<int>(store.op(term))) : name;
  }

  // --- Variables. ---

  // For each variable in scope a number for each of its binders, innermost last. Two variables are
  // the same when the same place of the same binder binds them.
  using Bound = std::unordered_map<uint32_t, std::vector<uint32_t>>;

  static uint32_t binder_of(const Bound& bound, ir::TermId variable) {
    const auto found = bound.find(variable.value);
    return found == bound.end() || found->second.empty() ? 0 : found->second.back();
  }

  static std::vector<uint32_t> binders(ir::FreeVariables& free, const Bound& bound,
                                       ir::TermId term) {
    std::vector<uint32_t> result;
    for (const ir::TermId variable : free.of(term)) result.push_back(binder_of(bound, variable));
    return result;
  }

  bool same_variable(ir::TermId a, ir::TermId b) {
    const uint32_t left = binder_of(bound_a_, a);
    const uint32_t right = binder_of(bound_b_, b);
    if (left != right) return differ("variables of other binders");
    return left != 0 || same_text(a_.variable_name(a), b_.variable_name(b));
  }

  void bind(std::span<const ir::TermId> a, std::span<const ir::TermId> b) {
    for (size_t i = 0; i < a.size(); ++i) {
      ++binder_count_;
      bound_a_[a[i].value].push_back(binder_count_);
      bound_b_[b[i].value].push_back(binder_count_);
    }
  }

  void unbind(std::span<const ir::TermId> a, std::span<const ir::TermId> b) {
    for (const ir::TermId variable : a) bound_a_[variable.value].pop_back();
    for (const ir::TermId variable : b) bound_b_[variable.value].pop_back();
  }

  const ir::TermStore& a_;
  const ir::TermStore& b_;
  const ir::Script& script_a_;
  const ir::Script& script_b_;
  ir::FreeVariables free_a_;
  ir::FreeVariables free_b_;
  std::string why_;
  std::unordered_map<uint32_t, uint32_t> sorts_;
  std::unordered_map<uint32_t, uint32_t> functions_;
  std::unordered_map<uint32_t, uint32_t> functions_back_;
  std::unordered_map<uint32_t, Found> found_;
  Bound bound_a_;
  Bound bound_b_;
  uint32_t binder_count_ = 0;
};

}  // namespace elenchus
