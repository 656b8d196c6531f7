#include "mutate/replacing.h"

#include <unordered_map>

#include "ir/walk.h"

namespace elenchus::mutate {

using ir::TermId;

// Patterns stay as they are: they are hints, and not every term may stand in one.
Replaceable::Replaceable(const ir::TermStore& store, TermId formula,
                         std::span<const TermId> constants)
    : formula_(formula) {
  std::unordered_map<uint32_t, int32_t> refs;
  for (size_t i = 0; i < constants.size(); ++i) {
    refs.emplace(constants[i].value, constant(i));
    if (constants[i] == formula) own_ = static_cast<int32_t>(i);
  }
  ir::Walker walker(store);
  walker.walk(formula, [&](TermId term) {
    const auto args = store.args(term);
    const auto [first, end] = ir::proper_args(store, term);
    const auto first_ref = static_cast<uint32_t>(refs_.size());
    bool is_concerned = false;
    for (uint32_t i = 0; i < args.size(); ++i) {
      const bool is_proper = i >= first && i < end;
      const auto known = is_proper ? refs.find(args[i].value) : refs.end();
      refs_.push_back(known == refs.end() ? kUntouched : known->second);
      is_concerned = is_concerned || known != refs.end();
    }
    if (!is_concerned) {
      refs_.resize(first_ref);
      return;
    }
    refs.emplace(term.value, static_cast<int32_t>(nodes_.size()));
    nodes_.push_back({term, first_ref});
  });
  // The constants are in patterns alone.
  if (!nodes_.empty() && nodes_.back().term != formula) nodes_.clear();
}

}  // namespace elenchus::mutate
