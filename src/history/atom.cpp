#include "history/atom.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "history/skeleton.h"
#include "ir/rewriter.h"
#include "smtlib/printer.h"

namespace elenchus::history {

using ir::FunId;
using ir::FunKind;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

// What can be part of a name, from the text of a sort: (_ BitVec 8) becomes BitVec_8.
std::string mangled(std::string_view sort) {
  std::string name;
  for (const char c : sort) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

constexpr std::string_view kVariable = "v";
constexpr std::string_view kFunction = "f";

std::string numbered_name(std::string_view prefix, std::string_view sorts, uint32_t number) {
  return fmt::format("{}{}_{}", prefix, number, mangled(sorts));
}

// Whether terms of this kind can be written without declarations of their own.
bool is_plain(SortKind kind) {
  switch (kind) {
    case SortKind::kNone:
    case SortKind::kUnknown:
    case SortKind::kFunction:
    case SortKind::kDatatype:
    case SortKind::kParameter:
    case SortKind::kOpaque: return false;
    default: return true;
  }
}

}  // namespace

std::string variable_name(std::string_view sort, uint32_t number) {
  return numbered_name(kVariable, sort, number);
}

std::string function_name(std::string_view sorts, uint32_t number) {
  return numbered_name(kFunction, sorts, number);
}

LeafName parse_leaf_name(std::string_view name) {
  LeafName leaf;
  const size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  leaf.constant = class_named(name.substr(0, digits));
  std::from_chars(name.data() + digits, name.data() + name.size(), leaf.number);
  // Files may say anything; an atom has no more leaves than this.
  leaf.number = std::min(leaf.number, static_cast<uint32_t>(kMaxAtomNodes));
  return leaf;
}

std::string sort_declarations() {
  std::string text;
  for (uint32_t i = 0; i < kMaxAtomSorts; ++i) text += fmt::format("(declare-sort U{} 0)", i);
  return text;
}

std::vector<TermId> atoms_of(const ir::TermStore& store, TermId formula) {
  std::vector<TermId> atoms;
  std::unordered_set<uint32_t> seen;
  std::vector<TermId> stack = {formula};
  while (!stack.empty()) {
    const TermId term = without_annotations(store, stack.back());
    stack.pop_back();
    if (!seen.insert(term.value).second) continue;
    const Op op = connective_of(store, term);
    if (op == Op::kNone) {
      atoms.push_back(term);
      continue;
    }
    auto args = store.args(term);
    if (ir::is_binder(op)) args = args.last(1);
    stack.insert(stack.end(), args.rbegin(), args.rend());
  }
  return atoms;
}

struct AtomNamer::Hooks : ir::RewriteHooks {
  AtomNamer& namer;
  TermId after(TermId term, std::span<const TermId> args) const {
    return namer.rebuilt(term, args);
  }
  bool is_stopped() const { return !namer.is_good_; }
};

std::optional<NamedAtom> AtomNamer::name(TermId atom, Constants constants) {
  constants_ = constants;
  if (store_.has(atom, ir::kHasUnknown) || measures_.of(atom).size > kMaxAtomNodes) return {};
  functions_.clear();
  sorts_.clear();
  counts_.clear();
  bound_.clear();
  declarations_.clear();
  is_good_ = true;
  walker_.restart();
  walker_.walk(atom, [&](TermId term) {
    if (!ir::is_binder(store_.op(term))) return;
    for (const TermId variable : store_.bound_variables(term)) bound_[variable.value] = true;
  });
  Hooks hooks{{}, *this};
  const TermId result = ir::Rewriter<ir::SparseMemo>(store_).rewrite(atom, hooks);
  if (!is_good_) return {};
  auto text = smtlib::print_term(store_, result, {.let_size = UINT32_MAX});
  if (!text) return {};
  return NamedAtom{std::move(*text), declarations_};
}

TermId AtomNamer::rebuilt(TermId term, std::span<const TermId> args) {
  const SortId result = mapped(store_.sort(term));
  is_good_ = is_good_ && result.valid();
  if (!is_good_) return term;
  if (constants_ == Constants::kClassed && ir::is_literal(store_.op(term))) return classed(term);
  switch (store_.op(term)) {
    case Op::kVar: return renamed_variable(term);
    case Op::kCall: return renamed_call(term, args);
    case Op::kAnnotated: return args[0];
    case Op::kFunRef:
    case Op::kMatch:
    case Op::kMatchCase:
    case Op::kUnknownCall:
    case Op::kUnknownText: is_good_ = false; return term;
    default: return store_.make(store_.op(term), result, store_.payload(term), args);
  }
}

TermId AtomNamer::renamed_call(TermId term, std::span<const TermId> args) {
  const FunId fun = store_.callee(term);
  const ir::FunDecl decl = store_.fun(fun);
  if (decl.polymorphic || decl.kind == FunKind::kConstructor || decl.kind == FunKind::kSelector) {
    is_good_ = false;
    return term;
  }
  auto known = functions_.find(fun.value);
  if (known == functions_.end()) {
    std::vector<SortId> params;
    params.reserve(args.size());
    for (const TermId arg : args) params.push_back(store_.sort(arg));
    const FunId renamed =
        function(params.empty() ? kVariable : kFunction, params, mapped(store_.sort(term)));
    known = functions_.emplace(fun.value, renamed).first;
  }
  return store_.make(Op::kCall, store_.fun(known->second).result, known->second.value, args);
}

TermId AtomNamer::renamed_variable(TermId variable) {
  const SortId sort = mapped(store_.sort(variable));
  if (!bound_.contains(variable.value)) return store_.fun(function(kVariable, {}, sort)).constant;
  const auto name = store_.symbols().intern(fmt::format("b{}", counts_["bound"]++));
  return store_.variable(name, sort, 0);
}

// Each literal is visited once, so that the same constant again has the same name.
TermId AtomNamer::classed(TermId literal) {
  const auto constant = class_of(store_, literal);
  is_good_ = is_good_ && constant;
  if (!is_good_) return literal;
  return store_.fun(function(word_of(*constant), {}, store_.sort(literal))).constant;
}

FunId AtomNamer::function(std::string_view prefix, const std::vector<SortId>& params,
                          SortId result) {
  Declaration declaration;
  declaration.sorts = "(";
  for (const SortId param : params) {
    if (declaration.sorts.size() > 1) declaration.sorts += ' ';
    append_sort(declaration.sorts, store_.sorts(), store_.symbols(), param);
  }
  declaration.sorts += ") ";
  append_sort(declaration.sorts, store_.sorts(), store_.symbols(), result);
  const uint32_t number = counts_[std::string(prefix) + declaration.sorts]++;
  declaration.name = numbered_name(prefix, declaration.sorts, number);
  const auto name = store_.symbols().intern(declaration.name);
  declarations_.push_back(std::move(declaration));
  return store_.declare(name, FunKind::kDeclared, params, result);
}

// The sort with uninterpreted sorts renamed. The depth of sorts is bounded.
SortId AtomNamer::mapped(SortId sort) {
  const ir::SortNode node = store_.sorts()[sort];
  if (!is_plain(node.kind)) return {};
  if (node.kind == SortKind::kUninterpreted) {
    const auto known = sorts_.find(sort.value);
    if (known != sorts_.end()) return known->second;
    if (node.child_count > 0 || sorts_.size() >= kMaxAtomSorts) return {};
    const auto name = store_.symbols().intern(fmt::format("U{}", sorts_.size()));
    const SortId renamed = store_.sorts().make(SortKind::kUninterpreted, name.value, 0, {});
    sorts_.emplace(sort.value, renamed);
    return renamed;
  }
  if (node.child_count == 0) return sort;
  std::vector<SortId> children;
  for (const SortId child : store_.sorts().children(sort)) {
    children.push_back(mapped(child));
    if (!children.back().valid()) return {};
  }
  return store_.sorts().make(node.kind, node.a, node.b, children);
}

}  // namespace elenchus::history
