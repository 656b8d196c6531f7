#include "ir/script_stats.h"

#include <algorithm>
#include <vector>

#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/script_parts.h"
#include "ir/walk.h"

namespace elenchus::ir {
namespace {

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
    if (declares_functions(command.kind) || command.kind == CommandKind::kDeclareDatatypes) {
      stats.declarations += command.item_count;
    }
    for_each_root(store, script, command, [&](TermId root) {
      const Measure& measure = measures.of(root);
      stats.tree_size = saturating_add(stats.tree_size, measure.size);
      stats.depth = std::max(stats.depth, measure.depth);
      walker.walk(root, [&](TermId term) {
        ++stats.terms;
        ++count_at(by_op, static_cast<uint32_t>(store.op(term)));
        ++count_at(by_sort, store.sort(term).value);
      });
    });
  }
  for (uint32_t op = 0; op < by_op.size(); ++op) {
    if (by_op[op] > 0) stats.operators[op_label(store, static_cast<Op>(op))] += by_op[op];
  }
  for (uint32_t sort = 0; sort < by_sort.size(); ++sort) {
    if (by_sort[sort] > 0) stats.sorts[describe_sort(store, SortId{sort})] += by_sort[sort];
  }
  return stats;
}

bool is_constant_value(const TermStore& store, TermId term) {
  const Op op = store.op(term);
  if (is_literal(op)) return true;
  const bool is_symbol = op == Op::kVar || op == Op::kCall || op == Op::kFunRef;
  return op > Op::kUnknownText && !is_symbol && store.args(term).empty();
}

}  // namespace elenchus::ir
