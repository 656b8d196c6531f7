#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash_index.h"
#include "ir/term_store.h"

namespace elenchus::smtlib {

// What a sort's name means.
struct SortName {
  enum class Kind : uint8_t { kUninterpreted, kDatatype, kAbbreviation, kParameter };
  Kind kind = Kind::kUninterpreted;
  uint32_t arity = 0;
  ir::DatatypeId datatype;
  ir::SortId body;  // of an abbreviation, over `parameters`
  std::vector<ir::SortId> parameters;
};

// What names mean at a point of a script: local names (let, binders) above functions, and sorts,
// with the levels of push and pop. Look-ups are array accesses by symbol.
class Scope {
 public:
  explicit Scope(ir::TermStore& store) : store_(store) {}

  // --- Local names. ---

  ir::TermId local(ir::SymbolId name) const {
    return name.value < locals_.size() ? locals_[name.value] : ir::TermId{};
  }
  // How many binders around here bind this name.
  uint32_t binder_depth(ir::SymbolId name) const {
    return name.value < binder_depth_.size() ? binder_depth_[name.value] : 0;
  }
  void bind_local(ir::SymbolId name, ir::TermId term, bool by_binder);
  uint32_t local_count() const { return static_cast<uint32_t>(local_undo_.size()); }
  // Whether `let` has bound one of the names (SymbolIds).
  bool any_let(const std::unordered_set<uint32_t>& names) const;
  // Forgets the locals bound since there were `count`.
  void unbind_locals(uint32_t count) {
    while (local_undo_.size() > count) unbind_local();
  }

  // --- Functions. ---

  // The newest function of this name; the older ones by overload().
  ir::FunId function(ir::SymbolId name) const {
    return name.value < functions_.size() ? functions_[name.value] : ir::FunId{};
  }
  ir::FunId overload(ir::FunId newer) const { return older_[newer.value]; }

  // A visible function with this name and these parameters, or none.
  ir::FunId same_signature(ir::SymbolId name, std::span<const ir::SortId> params) const;
  void add_function(ir::FunId fun);

  // --- Sorts. ---

  const SortName* sort_name(ir::SymbolId name) const;
  void add_sort(ir::SymbolId name, SortName meaning);
  // Takes the newest meaning of the name back.
  void remove_sort(ir::SymbolId name);

  // --- Levels. ---

  size_t level() const { return levels_.size(); }
  void push();
  void pop();
  // (reset): as if nothing had been declared.
  void reset();
  // (reset-assertions): everything stays visible and may be declared once more.
  void allow_redeclaration();

  // :global-declarations true: pop keeps what was declared.
  bool keep_declarations = false;

 private:
  struct LocalUndo {
    ir::SymbolId name;
    ir::TermId before;
    bool by_binder;
  };
  struct Declared {
    ir::FunId fun;         // a function, or
    ir::SymbolId sort;     // a sort's name
    bool indexed = false;  // the function is in signatures_
  };

  void unbind_local();
  uint32_t signature_hash(ir::SymbolId name, std::span<const ir::SortId> params) const;
  void undo_to(size_t count);

  ir::TermStore& store_;
  std::vector<ir::TermId> locals_;
  std::vector<uint32_t> binder_depth_;
  std::vector<LocalUndo> local_undo_;

  std::vector<ir::FunId> functions_;
  std::vector<ir::FunId> older_;  // by function: the one of the same name before it
  base::HashIndex signatures_;

  std::unordered_map<uint32_t, std::vector<SortName>> sorts_;  // by symbol, newest last

  std::vector<Declared> declared_;
  std::vector<size_t> levels_;
};

}  // namespace elenchus::smtlib
