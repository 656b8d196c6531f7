// Prime fields, with residues from 0 on.
#include <string>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "num/arith.h"

namespace elenchus::eval {
namespace {

using ir::Op;

Value residue(const Call& call, const mpz_class& number) {
  const ir::SortNode& sort = call.terms.sorts()[call.sort()];
  const mpz_class order(std::string(call.terms.symbols().text(ir::SymbolId{sort.a})));
  return call.values.field(num::mod_euclid(number, order));
}

Value add(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    return residue(call, call.values.field(a) + call.values.field(b));
  });
}

Value multiply(const Call& call) {
  return fold_left(call, [&](const Value& a, const Value& b) {
    return residue(call, call.values.field(a) * call.values.field(b));
  });
}

Value negate(const Call& call) { return residue(call, -call.values.field(call.args[0])); }

Value bit_sum(const Call& call) {
  Value total = residue(call, 0);
  for (size_t i = call.args.size(); i-- > 0;) {
    total = residue(call, 2 * call.values.field(total) + call.values.field(call.args[i]));
  }
  return total;
}

constexpr OpRule kFieldRules[] = {
    {Op::kFfAdd, add},
    {Op::kFfMul, multiply},
    {Op::kFfNeg, negate},
    {Op::kFfBitsum, bit_sum},
};

}  // namespace

std::span<const OpRule> field_rules() { return kFieldRules; }

}  // namespace elenchus::eval
