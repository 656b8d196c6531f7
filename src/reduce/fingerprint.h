#pragma once

#include <cstdint>
#include <unordered_map>

#include "ir/script.h"
#include "ir/term_cache.h"
#include "ir/term_store.h"

namespace elenchus::reduce {

// A hash of what a script says, for finding out that it was tried before. It does not depend on
// ids: those of a rejected candidate are used again for the next one.
class Fingerprints {
 public:
  explicit Fingerprints(const ir::TermStore& store) : store_(store), terms_(store) {}

  uint64_t of(const ir::Script& script);
  uint64_t of(ir::TermId term);

 private:
  uint64_t compute(ir::TermId term);
  uint64_t payload(ir::TermId term);
  uint64_t sort(ir::SortId sort);
  uint64_t text(ir::SymbolId symbol) const;
  uint64_t function(ir::FunId fun);
  uint64_t datatype(ir::DatatypeId id);
  uint64_t item(ir::CommandKind kind, size_t position, uint32_t item);

  const ir::TermStore& store_;
  ir::TermCache<uint64_t> terms_;
  uint64_t generation_ = 0;
  std::unordered_map<uint32_t, uint64_t> sorts_;
};

}  // namespace elenchus::reduce
