#include "ir/template.h"

#include <unordered_map>

namespace elenchus::ir {

Template::Template(const TermStore& store, Walker& walker, TermId term,
                   std::span<const TermId> constants)
    : term_(term) {
  std::unordered_map<uint32_t, int32_t> refs;
  for (size_t i = 0; i < constants.size(); ++i) {
    refs.emplace(constants[i].value, constant(i));
    if (constants[i] == term) own_ = constant(i);
  }
  walker.restart();
  walker.walk(term, [&](TermId part) {
    const auto args = store.args(part);
    const auto [first, end] = proper_args(store, part);
    const auto first_ref = static_cast<uint32_t>(refs_.size());
    bool has_hole = false;
    for (uint32_t i = 0; i < args.size(); ++i) {
      const bool is_proper = i >= first && i < end;
      const auto known = is_proper ? refs.find(args[i].value) : refs.end();
      refs_.push_back(known == refs.end() ? kUntouched : known->second);
      has_hole = has_hole || known != refs.end();
    }
    if (!has_hole) {
      refs_.resize(first_ref);
      return;
    }
    refs.emplace(part.value, static_cast<int32_t>(nodes_.size()));
    nodes_.push_back({part, first_ref});
  });
  // The constants are in patterns alone.
  if (!nodes_.empty() && nodes_.back().term != term) nodes_.clear();
}

}  // namespace elenchus::ir
