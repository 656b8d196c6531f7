#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::reduce {

// What a script declares, and what it uses of that.
class Declarations {
 public:
  explicit Declarations(const ir::TermStore& store) : store_(store), walker_(store) {}

  // The commands that declare things which nothing uses, directly or through other declarations. A
  // name that occurs in a text which we do not understand counts as used.
  std::vector<uint32_t> unused(const ir::Script& script);

  // Whether everything is declared, before its use and within its level, and nothing twice.
  bool is_closed(const ir::Script& script);

  // Every name in the script: declared, bound, given by :named, or a word of a text.
  std::unordered_set<std::string> names(const ir::Script& script);

 private:
  struct Live;
  struct Scope;

  struct Uses {
    std::unordered_set<uint32_t> functions;
    std::unordered_set<uint32_t> sorts;  // named ones only
    std::unordered_set<uint32_t> seen_sorts;
    std::vector<uint32_t> new_functions;
    std::vector<uint32_t> new_sorts;
    std::unordered_set<uint32_t> names;  // in texts
    std::vector<std::pair<uint32_t, ir::TermId>> given_names;
  };

  // Adds what the term uses, unless it was visited since the walker's last restart.
  void add_term(ir::TermId root, Uses& uses);
  void add_node(ir::TermId term, Uses& uses, std::vector<ir::TermId>& more);
  void add_function(ir::FunId fun, Uses& uses);
  void add_sort(ir::SortId sort, Uses& uses);
  void add_text(ir::SymbolId text, Uses& uses);
  void add_fields(ir::DatatypeId id, Uses& uses);
  void add_signature(ir::FunId fun, Uses& uses);
  bool is_used(const ir::Script& script, const ir::Command& command, const Uses& uses) const;
  bool declare(const ir::Script& script, const ir::Command& command, Live& live);
  bool declare_function(ir::FunId fun, Live& live) const;
  bool declare_datatypes(const ir::Script& script, const ir::Command& command, Live& live);
  bool change_level(const ir::Command& command, Scope& scope);
  void add_sorts_of(const ir::Script& script, const ir::Command& command, Uses& uses);
  static bool give_names(Uses& uses, Live& live);
  bool all_live(Uses& uses, const Live& live) const;
  uint64_t signature_key(ir::FunId fun) const;

  const ir::TermStore& store_;
  ir::Walker walker_;
};

}  // namespace elenchus::reduce
