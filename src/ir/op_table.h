#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/op.h"
#include "ir/signature.h"
#include "ir/symbol.h"

namespace elenchus::ir {

// What the table says of one operator.
struct OpInfo {
  SymbolId name;
  // The operator whose meaning this one has: itself, or for another spelling the row it spells.
  Op meaning = Op::kNone;
  Theory theory = Theory::kCore;
  uint16_t who = 0;
  std::vector<Signature> signatures;  // those of the meaning, for a spelling
  bool needs_as = false;
};

// Every operator there is: the rows of ops.def, spellings of them that some solver reads while it
// does not read the row's own name, and operators that a user added. Immutable once it is shared.
class OpTable {
 public:
  OpTable();

  // The table without user operators.
  static std::shared_ptr<const OpTable> standard();

  // Adds operators in the notation of ops.def. They have no evaluation.
  base::Result<void> add_user_operators(std::string_view text);

  const OpInfo& info(Op op) const { return infos_[static_cast<size_t>(op)]; }
  Op meaning(Op op) const { return info(op).meaning; }
  std::string_view name(Op op) const { return symbols_.text(info(op).name); }

  // The operators that a name may mean. Names have the same SymbolId in every TermStore.
  std::span<const Op> named(SymbolId name) const {
    if (name.value >= by_name_.size()) return {};
    return by_name_[name.value];
  }

  // The names, to be interned first by every TermStore, in this order.
  const SymbolTable& symbols() const { return symbols_; }

  // All operators with signatures: rows, spellings, user operators, in order.
  std::vector<Op> all() const;

 private:
  void add_row(Op op, Theory theory, uint16_t who, const char* signatures);
  void add_alias(const char* name, Op op, uint16_t who);
  void link(SymbolId name, Op op);

  SymbolTable symbols_;
  std::vector<OpInfo> infos_;
  std::vector<std::vector<Op>> by_name_;
};

}  // namespace elenchus::ir
