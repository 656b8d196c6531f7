#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "ir/ids.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::history {

// Copies terms of one store into another, with the functions and datatypes that they need, each
// once. What is declared there gets a prefix to its name, and functions an untaken one. Both stores
// must outlive it, and neither be rolled back meanwhile.
class Importer {
 public:
  Importer(const ir::TermStore& from, ir::TermStore& to, std::string prefix)
      : from_(from), to_(to), prefix_(std::move(prefix)), walker_(from) {}

  // Whether terms of this kind can be copied: no definitions, names or unknown parts in them.
  static bool takes(ir::Op op);

  ir::TermId term(ir::TermId root);
  // Forgets copies of terms.
  void restart() { terms_.clear(); }
  // What stands for the term in copies, until then.
  void set(ir::TermId term, ir::TermId copy) { terms_[term.value] = copy; }
  ir::FunId function(ir::FunId fun);
  ir::DatatypeId datatype(ir::DatatypeId id);
  ir::SortId sort(ir::SortId sort);

 private:
  ir::TermId copied(ir::TermId term);
  uint32_t payload(ir::TermId term);
  ir::SymbolId symbol(uint32_t id) const {
    return to_.symbols().intern(from_.symbols().text(ir::SymbolId{id}));
  }
  ir::SymbolId prefixed(ir::SymbolId name) const;

  const ir::TermStore& from_;
  ir::TermStore& to_;
  const std::string prefix_;
  ir::Walker walker_;
  std::unordered_map<uint32_t, ir::TermId> terms_;
  std::unordered_map<uint32_t, ir::FunId> functions_;
  std::unordered_map<uint32_t, ir::DatatypeId> datatypes_;
};

}  // namespace elenchus::history
