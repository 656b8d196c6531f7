#include "ir/script_stats.h"

#include <algorithm>
#include <vector>

#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/walk.h"

namespace elenchus::ir {
namespace {

bool is_declaration(CommandKind kind) {
  return kind >= CommandKind::kDeclareFun && kind <= CommandKind::kDeclareDatatypes;
}

bool is_definition(CommandKind kind) {
  return kind >= CommandKind::kDefineFun && kind <= CommandKind::kDefineFunsRec;
}

// Every term that the command holds.
std::vector<TermId> terms_of(const TermStore& store, const Script& script, const Command& command) {
  std::vector<TermId> terms;
  if (has_term(command.kind)) terms.push_back(command.term);
  for (const uint32_t item : script.items(command)) {
    if (has_term_items(command.kind)) terms.push_back(TermId{item});
    if (is_definition(command.kind)) terms.push_back(store.fun(FunId{item}).body);
  }
  return terms;
}

uint64_t& count_at(std::vector<uint64_t>& counts, uint32_t index) {
  if (counts.size() <= index) counts.resize(index + 1);
  return counts[index];
}

}  // namespace

std::string op_label(const TermStore& store, Op op) {
  switch (op) {
    case Op::kVar: return "variable";
    case Op::kIntLiteral:
    case Op::kRealLiteral:
    case Op::kBitsLiteral:
    case Op::kStringLiteral:
    case Op::kFieldLiteral:
    case Op::kAlgebraicLiteral: return "literal";
    case Op::kCall: return "call";
    case Op::kFunRef: return "function-value";
    case Op::kForall: return "forall";
    case Op::kExists: return "exists";
    case Op::kLambda: return "lambda";
    case Op::kChoice: return "witness";
    case Op::kComprehension: return "set.comprehension";
    case Op::kMatch: return "match";
    case Op::kMatchCase: return "match-case";
    case Op::kAnnotated: return "!";
    case Op::kUnknownCall:
    case Op::kUnknownText: return "unknown";
    default: return std::string(store.ops().name(op));
  }
}

ScriptStats script_stats(const TermStore& store, const Script& script) {
  ScriptStats stats;
  Measures measures(store);
  Walker walker(store);
  std::vector<uint64_t> by_op;
  std::vector<uint64_t> by_sort;
  for (const Command& command : script.commands) {
    ++stats.commands;
    if (command.kind == CommandKind::kAssert) ++stats.assertions;
    if (is_check(command.kind)) ++stats.checks;
    if (is_declaration(command.kind)) stats.declarations += command.item_count;
    for (const TermId root : terms_of(store, script, command)) {
      const Measure& measure = measures.of(root);
      stats.tree_size = saturating_add(stats.tree_size, measure.size);
      stats.depth = std::max(stats.depth, measure.depth);
      walker.walk(root, [&](TermId term) {
        ++stats.terms;
        ++count_at(by_op, static_cast<uint32_t>(store.op(term)));
        ++count_at(by_sort, store.sort(term).value);
      });
    }
  }
  for (uint32_t op = 0; op < by_op.size(); ++op) {
    if (by_op[op] > 0) stats.operators[op_label(store, static_cast<Op>(op))] += by_op[op];
  }
  for (uint32_t sort = 0; sort < by_sort.size(); ++sort) {
    if (by_sort[sort] > 0) stats.sorts[describe_sort(store, SortId{sort})] += by_sort[sort];
  }
  return stats;
}

}  // namespace elenchus::ir
