#include "reduce/fingerprint.h"

#include <string>

#include "base/hash.h"
#include "ir/apply.h"
#include "reduce/script_parts.h"

namespace elenchus::reduce {

using base::hash_mix;
using ir::CommandKind;
using ir::Op;
using ir::TermId;

uint64_t Fingerprints::text(ir::SymbolId symbol) const {
  return symbol.valid() ? base::hash_bytes(store_.symbols().text(symbol)) : 1;
}

uint64_t Fingerprints::sort(ir::SortId sort) {
  if (generation_ != store_.generation()) {
    sorts_.clear();
    generation_ = store_.generation();
  }
  uint64_t& hash = sorts_[sort.value];
  if (hash == 0) hash = base::hash_bytes(ir::describe_sort(store_, sort)) | 1;
  return hash;
}

uint64_t Fingerprints::function(ir::FunId fun) {
  if (!fun.valid()) return 2;
  uint64_t hash = hash_mix(text(store_.fun(fun).name), sort(store_.fun(fun).result));
  for (const ir::SortId param : store_.params(fun)) hash = hash_mix(hash, sort(param));
  return hash;
}

uint64_t Fingerprints::payload(TermId term) {
  const uint32_t raw = store_.payload(term);
  const Op op = store_.op(term);
  if (is_literal(op) || op == Op::kUnknownCall || op == Op::kUnknownText) {
    return text(ir::SymbolId{raw});
  }
  if (op == Op::kCall || op == Op::kFunRef || op == Op::kMatchCase) {
    return function(store_.callee(term));
  }
  if (raw == 0 || is_binder(op) || op == Op::kMatch) return raw;
  uint64_t hash = 3;
  const auto indices = store_.indices(term);
  for (size_t i = 0; i < indices.size(); ++i) {
    const uint32_t index = indices[i];
    const bool symbol = op == Op::kAnnotated || (op == Op::kVar && i == 0);
    if (symbol || (index & ir::kSymbolIndex) != 0) {
      hash = hash_mix(hash, text(ir::SymbolId{index & ~ir::kSymbolIndex}));
    } else if (op != Op::kVar && has_function_indices(store_, term)) {
      hash = hash_mix(hash, function(ir::FunId{index}));
    } else {
      hash = hash_mix(hash, index);
    }
  }
  return hash;
}

uint64_t Fingerprints::compute(TermId term) {
  uint64_t hash = hash_mix(static_cast<uint64_t>(store_.op(term)), sort(store_.sort(term)));
  hash = hash_mix(hash, payload(term));
  for (const TermId arg : store_.args(term)) hash = hash_mix(hash, terms_.get(arg));
  return hash;
}

uint64_t Fingerprints::of(TermId term) {
  return terms_.at(term, [this](TermId t) { return compute(t); });
}

uint64_t Fingerprints::datatype(ir::DatatypeId id) {
  const ir::Datatype& datatype = store_.datatype(id);
  uint64_t hash = text(datatype.name);
  for (const ir::Constructor& constructor : datatype.constructors) {
    hash = hash_mix(hash, function(constructor.fun));
    for (const ir::FunId selector : constructor.selectors)
      hash = hash_mix(hash, function(selector));
  }
  return hash;
}

uint64_t Fingerprints::item(CommandKind kind, size_t position, uint32_t item) {
  switch (kind) {
    case CommandKind::kDeclareSort:
    case CommandKind::kDeclareSortParameter: return text(ir::SymbolId{item});
    case CommandKind::kDefineSort:
      return position == 0 ? text(ir::SymbolId{item}) : sort(ir::SortId{item});
    case CommandKind::kDeclareDatatypes: return datatype(ir::DatatypeId{item});
    case CommandKind::kCheckSatAssuming:
    case CommandKind::kGetValue: return of(TermId{item});
    default: {
      const TermId body = store_.fun(ir::FunId{item}).body;
      const uint64_t hash = function(ir::FunId{item});
      return body.valid() ? hash_mix(hash, of(body)) : hash;
    }
  }
}

uint64_t Fingerprints::of(const ir::Script& script) {
  // Without a logic, a script is printed with the logic ALL.
  const ir::SymbolId all = store_.symbols().find("ALL");
  uint64_t hash = script.logic == all ? text({}) : text(script.logic);
  for (const ir::Command& command : script.commands) {
    if (command.kind == CommandKind::kSetLogic && command.text == all) continue;
    hash = hash_mix(hash, static_cast<uint64_t>(command.kind));
    hash = hash_mix(hash, command.number);
    hash = hash_mix(hash, text(command.text));
    if (ir::has_term(command.kind)) hash = hash_mix(hash, of(command.term));
    const auto items = script.items(command);
    for (size_t i = 0; i < items.size(); ++i) {
      hash = hash_mix(hash, item(command.kind, i, items[i]));
    }
  }
  return hash;
}

}  // namespace elenchus::reduce
