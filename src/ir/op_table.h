#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "ir/marks.h"
#include "ir/op.h"
#include "ir/readers.h"
#include "ir/signature.h"
#include "ir/symbol.h"

namespace elenchus::ir {

// What the table says of one operator.
struct OpInfo {
  SymbolId name;
  // The operator whose meaning this one has: itself, or for another spelling the row it spells.
  Op meaning = Op::kNone;
  Theory theory = Theory::kCore;
  uint16_t who = 0;  // readers
  std::array<uint16_t, kLimitCount> limits{};
  std::vector<Signature> signatures;  // those of the meaning, for a spelling
  bool needs_as = false;

  // The readers that it is limited for.
  uint16_t limited(Limit limit) const { return limits[static_cast<size_t>(limit)]; }
  // Whether it is in SMT-LIB 2.6; what a user added is not.
  bool is_standard() const { return theory != Theory::kUser && (who & kStdReader) != 0; }
};

// Every operator there is: the rows of ops.def, spellings of them that some solver reads while it
// does not read the row's own name, and operators that a user added. Immutable once it is shared.
class OpTable {
 public:
  OpTable();

  // The table without user operators.
  static std::shared_ptr<const OpTable> standard();

  // Adds operators in the notation of ops.def. They have no evaluation. Nobody says who reads a
  // user's operator: it is there to be used.
  base::Result<void> add_user_operators(std::string_view text);

  // The bit of somebody who reads this; that of an earlier reader who reads the same. More readers
  // than there are bits share the last: for all of them, what each of them reads.
  base::Result<uint16_t> add_reader(const Reader& reader);

  // A table with the same operators and readers, to which more can be added.
  std::shared_ptr<OpTable> copy() const;

  // Who reads terms of such sorts, and for whom variables of them are made.
  uint16_t sort_readers(SortKind kind) const { return sorts_[static_cast<size_t>(kind)].readers; }
  uint16_t made_for(SortKind kind) const { return sorts_[static_cast<size_t>(kind)].made_for; }
  // Who has the theory of such sorts, even if not in the form of this table.
  uint16_t theory_readers(SortKind kind) const {
    return sorts_[static_cast<size_t>(kind)].theory_readers;
  }
  // Who has the format of a floating-point sort; everybody, if it is of another kind.
  uint16_t format_readers(const SortNode& sort) const;
  uint16_t with_habit(Habit habit) const { return habits_[static_cast<size_t>(habit)]; }

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
  struct SortReaders {
    uint16_t readers = kEveryReader;
    uint16_t made_for = kEveryReader;
    uint16_t theory_readers = kEveryReader;
  };
  // An operator, or a sort and whether it is read or made, with what the table says of it.
  struct Subject {
    Op op = Op::kNone;
    SortKind kind = SortKind::kNone;
    bool is_made = false;
    Theory theory = Theory::kCore;
    Marks marks;
  };
  // What a reader makes of one subject, and of all in their order.
  struct Reading {
    bool is_read = false;
    uint32_t limits = 0;  // a set
    bool operator==(const Reading&) const = default;
  };
  struct Column {
    std::vector<Reading> readings;
    std::array<bool, kSortKindCount> has_theory{};
    uint32_t habits = 0;  // a set
    bool operator==(const Column&) const = default;
  };
  struct Exceptions;

  void add_row(Op op, Theory theory, const Marks& marks, const char* signatures);
  void add_alias(const char* name, Op op, const Marks& marks);
  void add_built_in_readers();
  base::Result<void> add_operators(std::string_view text, uint16_t who);
  void link(SymbolId name, Op op);
  uint16_t& who_of(const Subject& subject);

  base::Result<std::vector<Op>> ops_named(const std::string& name) const;
  base::Result<Exceptions> exceptions_of(const Reader& reader) const;
  static Reading reading(const Reader& reader, const Exceptions& exceptions,
                         const Subject& subject);
  Column column(const Reader& reader, const Exceptions& exceptions) const;
  static Column shared(const Column& a, const Column& b);
  void install(uint16_t bit, const Column& column);

  SymbolTable symbols_;
  std::vector<OpInfo> infos_;
  std::vector<std::vector<Op>> by_name_;
  std::vector<Subject> subjects_;
  std::vector<Column> columns_;  // of the readers, in the order of their bits
  std::array<SortReaders, kSortKindCount> sorts_{};
  std::array<uint16_t, kHabitCount> habits_{};
  std::vector<std::variant<std::string, Reader>> additions_;  // operators and readers, in order
};

}  // namespace elenchus::ir
