#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/ids.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// In an index list, a word with this bit is a SymbolId (a name, a large number or a piece of text)
// and not a number.
inline constexpr uint32_t kSymbolIndex = 0x8000'0000U;

// Whether the term's index list holds FunIds: (_ is c), (_ map f).
inline bool has_function_indices(const TermStore& store, TermId term) {
  if (store.op(term) <= Op::kUnknownText || store.payload(term) == 0) return false;
  const auto& signatures = store.ops().info(store.op(term)).signatures;
  return !signatures.empty() && signatures[0].symbolic_index;
}

// An operator to be applied: what its name may mean, (_ name indices), (as name sort). For
// operators with symbolic indices, a plain index is a FunId.
struct Head {
  std::span<const Op> ops;
  std::span<const uint32_t> indices = {};
  SortId as = {};
};

// The well-sorted application, or none. Where nothing fits as it is, arguments are coerced as z3
// does: Int to Real and back, lambdas to arrays; an associative operator of one argument is that
// argument. `args` is overwritten with the arguments used.
TermId apply(TermStore& store, const Head& head, std::span<TermId> args);

// The same for an operator without indices, for code that knows what it builds; none when the
// arguments do not fit.
TermId apply(TermStore& store, Op op, std::span<const TermId> args);

// For code that builds terms of terms: none where an argument is none.
TermId apply_if_all(TermStore& store, Op op, std::vector<TermId> args,
                    std::span<const uint32_t> indices = {});

// A call of a declared function, with the same coercions; none when the arguments do not fit, or
// when the result sort is open and `as` does not say it.
TermId call(TermStore& store, FunId fun, std::span<TermId> args, SortId as = {});

// The function as a value, of sort (-> ...).
TermId function_value(TermStore& store, FunId fun);

// The term with the sort `target`: itself, or a conversion that z3 would insert; else none.
TermId coerce(TermStore& store, TermId term, SortId target);

// The result sort of the operator for these argument sorts, without coercions; none if it does not
// take them. `chosen` receives the operator.
SortId result_sort(TermStore& store, const Head& head, std::span<const SortId> args, Op* chosen);

// What sort parameters stand for.
using SortBindings = std::vector<std::pair<SortId, SortId>>;
bool match_sort(const SortTable& sorts, SortId pattern, SortId sort, SortBindings& bindings);
SortId substitute_sort(SortTable& sorts, SortId sort, const SortBindings& bindings);

// "(Int Bool)": the sorts of the arguments, for messages.
std::string describe_sorts(const TermStore& store, std::span<const TermId> args);
std::string describe_sort(const TermStore& store, SortId sort);

}  // namespace elenchus::ir
