#include "history/importer.h"

#include <vector>

#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "ir/script_parts.h"

namespace elenchus::history {

using ir::DatatypeId;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

bool Importer::takes(Op op) {
  switch (op) {
    case Op::kFunRef:
    case Op::kMatch:
    case Op::kMatchCase:
    case Op::kAnnotated:
    case Op::kUnknownCall:
    case Op::kUnknownText: return false;
    default: return true;
  }
}

SymbolId Importer::prefixed(SymbolId name) const {
  return to_.symbols().intern(prefix_ + std::string(from_.symbols().text(name)));
}

// --- Declarations. ---

FunId Importer::function(FunId fun) {
  if (const auto known = functions_.find(fun.value); known != functions_.end()) {
    return known->second;
  }
  const ir::FunDecl& decl = from_.fun(fun);
  std::vector<SortId> params;
  for (const SortId param : from_.params(fun)) params.push_back(sort(param));
  const SortId result = sort(decl.result);
  const SymbolId wanted = prefixed(decl.name);
  const SymbolId name = decl.kind == ir::FunKind::kDeclared
                            ? ir::untaken_name(to_, to_.symbols().text(wanted))
                            : wanted;
  const FunId copy = to_.declare(name, decl.kind, params, result);
  to_.fun(copy).constructor = decl.constructor;
  to_.fun(copy).field = decl.field;
  functions_.emplace(fun.value, copy);
  return copy;
}

DatatypeId Importer::datatype(DatatypeId id) {
  if (const auto known = datatypes_.find(id.value); known != datatypes_.end()) {
    return known->second;
  }
  const DatatypeId copy = to_.new_datatype(prefixed(from_.datatype(id).name));
  datatypes_.emplace(id.value, copy);
  auto constructors = ir::copied_constructors(to_, copy, from_.datatype(id).constructors,
                                              [&](FunId fun) { return function(fun); });
  to_.datatype(copy).constructors = std::move(constructors);
  return copy;
}

// The depth of sorts is bounded.
SortId Importer::sort(SortId sort) {
  const ir::SortNode& node = from_.sorts()[sort];
  uint32_t a = node.a;
  uint32_t b = node.b;
  if (node.kind == SortKind::kUninterpreted || node.kind == SortKind::kFiniteField) {
    a = symbol(a).value;
  }
  if (node.kind == SortKind::kDatatype) {
    const DatatypeId copy = datatype(DatatypeId{a});
    a = copy.value;
    b = to_.datatype(copy).name.value;
  }
  std::vector<SortId> children;
  for (const SortId child : from_.sorts().children(sort)) children.push_back(this->sort(child));
  return to_.sorts().make(node.kind, a, b, children);
}

// --- Terms. ---

TermId Importer::term(TermId root) {
  walker_.restart();
  walker_.walk(root, [&](TermId term) {
    if (terms_.contains(term.value)) return;
    const TermId copy = copied(term);
    terms_.emplace(term.value, copy);
  });
  return terms_.at(root.value);
}

TermId Importer::copied(TermId term) {
  const Op op = from_.op(term);
  if (op == Op::kIntLiteral) return to_.int_literal(from_.literal_text(term));
  const SortId result = sort(from_.sort(term));
  if (op == Op::kVar) {
    const SymbolId name = symbol(from_.variable_name(term).value);
    return to_.variable(name, result, from_.variable_level(term));
  }
  std::vector<TermId> args;
  for (const TermId arg : from_.args(term)) args.push_back(terms_.at(arg.value));
  const uint32_t copied_payload = payload(term);
  return to_.make(op, result, copied_payload, args);
}

uint32_t Importer::payload(TermId term) {
  const Op op = from_.op(term);
  if (op == Op::kCall) return function(from_.callee(term)).value;
  if (ir::is_literal(op)) return symbol(from_.payload(term)).value;
  if (op <= Op::kUnknownText || from_.payload(term) == 0) return from_.payload(term);
  const bool are_functions = ir::has_function_indices(from_, term);
  const auto old = from_.indices(term);
  std::vector<uint32_t> indices(old.begin(), old.end());
  for (uint32_t& index : indices) {
    if ((index & ir::kSymbolIndex) != 0) {
      index = symbol(index & ~ir::kSymbolIndex).value | ir::kSymbolIndex;
    } else if (are_functions) {
      index = function(FunId{index}).value;
    }
  }
  return to_.index_list(indices).value;
}

}  // namespace elenchus::history
