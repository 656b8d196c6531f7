#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/model.h"
#include "ir/rewriter.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// Copies what belongs to one script, so that it can stand beside another one: functions, sorts and
// datatypes of the copy are new, and have names that the other script does not use. Names that do
// not clash stay.
class Apart {
 public:
  explicit Apart(ir::TermStore& store) : store_(store), rewriter_(store) {}

  // Names of the other script, and of what is known of it.
  void avoid(const ir::Script& frame);
  void avoid(const ir::Model& model);

  // Adds copies of the frame's declarations to the other frame; logic, options and abbreviations
  // are left behind. Comes before the functions below. False where there is something that cannot
  // be copied.
  bool copy_declarations(const ir::Script& frame, ir::Script& other);

  ir::TermId term(ir::TermId root);
  ir::Model model(const ir::Model& model);

 private:
  struct Hooks;

  bool copy_command(const ir::Script& frame, ir::Command command, ir::Script& other);
  ir::SymbolId unused(ir::SymbolId name);
  ir::SortId sort(ir::SortId root);
  ir::SortId copied_sort(ir::SortId sort);
  ir::FunId function(ir::FunId fun);
  ir::FunId copied_signature(ir::FunId fun);
  ir::DatatypeId datatype(ir::DatatypeId id);
  void finish_datatypes();
  void finish_bodies();
  ir::TermId copied(ir::TermId root);
  std::vector<ir::TermId> copied_formals(const std::vector<ir::TermId>& formals);

  ir::TermStore& store_;
  ir::Rewriter<> rewriter_;
  std::unordered_set<uint32_t> taken_;                    // symbols
  std::unordered_map<uint32_t, ir::SymbolId> own_sorts_;  // new names by old ones
  std::unordered_map<uint32_t, ir::SortId> sorts_;
  std::unordered_map<uint32_t, ir::FunId> functions_;
  std::unordered_map<uint32_t, ir::DatatypeId> datatypes_;
  // Datatypes and functions whose copies have no constructors and no bodies yet.
  std::vector<ir::DatatypeId> bare_datatypes_;
  std::vector<ir::FunId> bare_functions_;
};

}  // namespace elenchus::mutate
