#include "ir/fingerprint.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "ir/apply.h"
#include "ir/script_parts.h"

namespace elenchus::ir {

using base::hash_mix;

uint64_t Fingerprints::text(SymbolId symbol) const {
  return symbol.valid() ? base::hash_bytes(store_.symbols().text(symbol)) : 1;
}

// Of what a script declares or binds.
uint64_t Fingerprints::name(SymbolId symbol) {
  if (names_ == Names::kCount || !symbol.valid()) return text(symbol);
  return numbers_.try_emplace(symbol.value, numbers_.size() + 2).first->second;
}

uint64_t Fingerprints::name_of_sort(SymbolId symbol) {
  sort_names_.insert(symbol.value);
  return name(symbol);
}

// The text of the sort, with numbers in place of names that are declared.
uint64_t Fingerprints::sort_without_names(SortId sort) {
  const std::string text = describe_sort(store_, sort);
  constexpr std::string_view kBetween = " ()";
  uint64_t hash = 4;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const std::string_view word(text.data() + at, std::max(end - at, size_t{1}));
    const SymbolId symbol = store_.symbols().find(word);
    const bool is_name = symbol.valid() && sort_names_.count(symbol.value) > 0;
    hash = hash_mix(hash, is_name ? name(symbol) : base::hash_bytes(word));
    at += word.size();
  }
  return hash;
}

uint64_t Fingerprints::sort(SortId sort) {
  if (generation_ != store_.generation()) {
    sorts_.clear();
    generation_ = store_.generation();
  }
  uint64_t& hash = sorts_[sort.value];
  if (hash != 0) return hash;
  const bool by_text = names_ == Names::kCount;
  hash = (by_text ? base::hash_bytes(describe_sort(store_, sort)) : sort_without_names(sort)) | 1;
  return hash;
}

uint64_t Fingerprints::function(FunId fun) {
  if (!fun.valid()) return 2;
  uint64_t hash = hash_mix(name(store_.fun(fun).name), sort(store_.fun(fun).result));
  for (const SortId param : store_.params(fun)) hash = hash_mix(hash, sort(param));
  return hash;
}

uint64_t Fingerprints::payload(TermId term) {
  const uint32_t raw = store_.payload(term);
  const Op op = store_.op(term);
  if (is_literal(op) || op == Op::kUnknownCall || op == Op::kUnknownText) {
    return text(SymbolId{raw});
  }
  if (op == Op::kCall || op == Op::kFunRef || op == Op::kMatchCase) {
    return function(store_.callee(term));
  }
  if (raw == 0 || is_binder(op) || op == Op::kMatch) return raw;
  uint64_t hash = 3;
  const auto indices = store_.indices(term);
  for (size_t i = 0; i < indices.size(); ++i) {
    const uint32_t index = indices[i];
    if (op == Op::kVar && i == 0) {
      hash = hash_mix(hash, name(SymbolId{index}));
    } else if (op == Op::kAnnotated || (index & kSymbolIndex) != 0) {
      hash = hash_mix(hash, text(SymbolId{index & ~kSymbolIndex}));
    } else if (op != Op::kVar && has_function_indices(store_, term)) {
      hash = hash_mix(hash, function(FunId{index}));
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

uint64_t Fingerprints::datatype(DatatypeId id) {
  const Datatype& datatype = store_.datatype(id);
  uint64_t hash = name_of_sort(datatype.name);
  for (const Constructor& constructor : datatype.constructors) {
    hash = hash_mix(hash, function(constructor.fun));
    for (const FunId selector : constructor.selectors) hash = hash_mix(hash, function(selector));
  }
  return hash;
}

uint64_t Fingerprints::item(CommandKind kind, size_t position, uint32_t item) {
  switch (kind) {
    case CommandKind::kDeclareSort:
    case CommandKind::kDeclareSortParameter: return name_of_sort(SymbolId{item});
    case CommandKind::kDefineSort:
      return position == 0 ? name_of_sort(SymbolId{item}) : sort(SortId{item});
    case CommandKind::kDeclareDatatypes: return datatype(DatatypeId{item});
    case CommandKind::kCheckSatAssuming:
    case CommandKind::kGetValue: return of(TermId{item});
    default: {
      const TermId body = store_.fun(FunId{item}).body;
      const uint64_t hash = function(FunId{item});
      return body.valid() ? hash_mix(hash, of(body)) : hash;
    }
  }
}

uint64_t Fingerprints::of(const Script& script) {
  // Without a logic, a script is printed with the logic ALL.
  const SymbolId all = store_.symbols().find("ALL");
  uint64_t hash = script.logic == all ? text({}) : text(script.logic);
  for (const Command& command : script.commands) {
    if (command.kind == CommandKind::kSetLogic && command.text == all) continue;
    if (command.kind == CommandKind::kSetInfo && names_ == Names::kDoNotCount) continue;
    hash = hash_mix(hash, static_cast<uint64_t>(command.kind));
    hash = hash_mix(hash, command.number);
    hash = hash_mix(hash, text(command.text));
    hash = hash_mix(hash, text(command.value));
    if (has_term(command.kind)) hash = hash_mix(hash, of(command.term));
    const auto items = script.items(command);
    for (size_t i = 0; i < items.size(); ++i) {
      hash = hash_mix(hash, item(command.kind, i, items[i]));
    }
  }
  return hash;
}

}  // namespace elenchus::ir
