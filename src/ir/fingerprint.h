#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "ir/script.h"
#include "ir/term_cache.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// Whether scripts that are alike but for the names that they declare and bind have one hash.
enum class Names : uint8_t { kCount, kDoNotCount };

// A hash of what a script says, for finding out that it was tried before. It does not depend on
// ids: those of a rejected candidate are used again for the next one. Where names do not count, it
// is good for one script: they are numbered as they are met.
class Fingerprints {
 public:
  explicit Fingerprints(const TermStore& store, Names names = Names::kCount)
      : store_(store), terms_(store), names_(names) {}

  uint64_t of(const Script& script);
  uint64_t of(TermId term);

 private:
  uint64_t compute(TermId term);
  uint64_t payload(TermId term);
  uint64_t sort(SortId sort);
  uint64_t text(SymbolId symbol) const;
  uint64_t name(SymbolId symbol);
  uint64_t name_of_sort(SymbolId symbol);
  uint64_t sort_without_names(SortId sort);
  uint64_t function(FunId fun);
  uint64_t datatype(DatatypeId id);
  uint64_t item(CommandKind kind, size_t position, uint32_t item);

  const TermStore& store_;
  TermCache<uint64_t> terms_;
  Names names_;
  uint64_t generation_ = 0;
  std::unordered_map<uint32_t, uint64_t> sorts_;
  std::unordered_map<uint32_t, uint64_t> numbers_;  // of names, by symbol
  std::unordered_set<uint32_t> sort_names_;         // symbols
};

}  // namespace elenchus::ir
