#include "reduce/values.h"

#include "ir/apply.h"
#include "ir/logic.h"
#include "num/literal.h"

namespace elenchus::reduce {
namespace {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

TermId apply_to_nothing(ir::TermStore& store, Op op, std::initializer_list<uint32_t> indices,
                        SortId as = {}) {
  const Op ops[] = {op};
  const std::vector<uint32_t> list(indices);
  return ir::apply(store, ir::Head{ops, list, as}, {});
}

bool numerals_are_real(const ir::TermStore& store, const ir::Script& script) {
  return script.logic.valid() && ir::numerals_are_real(store.symbols().text(script.logic));
}

void add_bit_vectors(ir::TermStore& store, uint32_t width, std::vector<TermId>& values) {
  for (const char* number : {"0", "1"}) {
    const auto text = num::bits_literal_of_number(number, width);
    if (text) values.push_back(store.bits_literal(*text));
  }
}

// The first constructor without fields.
void add_constructor(ir::TermStore& store, SortId sort, std::vector<TermId>& values) {
  const ir::DatatypeId id{store.sorts()[sort].a};
  for (size_t i = 0; i < store.datatype(id).constructors.size(); ++i) {
    const ir::FunId fun = store.datatype(id).constructors[i].fun;
    if (store.fun(fun).param_count > 0) continue;
    const bool open = store.fun(fun).needs_as || store.fun(fun).polymorphic;
    values.push_back(ir::call(store, fun, {}, open ? sort : SortId{}));
    return;
  }
}

}  // namespace

std::vector<TermId> plain_values(ir::TermStore& store, const ir::Script& script, SortId sort) {
  std::vector<TermId> values;
  const auto add = [&](Op op, std::initializer_list<uint32_t> indices = {}, SortId as = {}) {
    values.push_back(apply_to_nothing(store, op, indices, as));
  };
  const ir::SortNode node = store.sorts()[sort];
  switch (node.kind) {
    case SortKind::kBool:
      add(Op::kTrue);
      add(Op::kFalse);
      break;
    case SortKind::kInt:
      // There, 0 would be read as a real number.
      if (numerals_are_real(store, script)) break;
      values.push_back(store.small_int(0));
      values.push_back(store.small_int(1));
      break;
    case SortKind::kReal:
      values.push_back(store.real_literal("0.0"));
      values.push_back(store.real_literal("1.0"));
      break;
    case SortKind::kString: values.push_back(store.string_literal("")); break;
    case SortKind::kRegLan:
      add(Op::kReNone);
      add(Op::kReAll);
      add(Op::kReAllchar);
      break;
    case SortKind::kRoundingMode: add(Op::kRmRne); break;
    case SortKind::kBitVec: add_bit_vectors(store, node.a, values); break;
    case SortKind::kFloatingPoint:
      add(Op::kFpPlusZero, {node.a, node.b});
      add(Op::kFpNan, {node.a, node.b});
      break;
    case SortKind::kSeq: add(Op::kSeqEmpty, {}, sort); break;
    case SortKind::kSet: add(Op::kSetEmpty, {}, sort); break;
    case SortKind::kFiniteSet: add(Op::kFiniteSetEmpty, {}, sort); break;
    case SortKind::kDatatype: add_constructor(store, sort, values); break;
    default: break;
  }
  std::erase_if(values, [&](TermId value) { return !value.valid() || store.sort(value) != sort; });
  return values;
}

bool is_plain(const ir::TermStore& store, TermId term) {
  if (!store.args(term).empty()) return false;
  const Op op = store.op(term);
  if (ir::is_literal(op)) return true;
  if (op == Op::kCall) return store.fun(store.callee(term)).kind == ir::FunKind::kConstructor;
  return op > Op::kUnknownText;
}

}  // namespace elenchus::reduce
