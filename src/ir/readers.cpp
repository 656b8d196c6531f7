#include "ir/readers.h"

#include <algorithm>

#include "ir/habits.h"
#include "ir/op_table.h"
#include "ir/signature.h"

namespace elenchus::ir {
namespace {

using namespace marks;

struct DialectRow {
  Version version;
  uint32_t habits;
};

constexpr DialectRow kDialects[] = {
#define ELENCHUS_DIALECT(enumerator, name, version, habits) {parse_version(version), habits},
#include "ir/ops.def"
};
constexpr std::string_view kDialectNames[] = {
#define ELENCHUS_DIALECT(enumerator, name, version, habits) name,
#include "ir/ops.def"
};
constexpr std::string_view kLimitNames[] = {
#define ELENCHUS_LIMIT(enumerator, name, meaning) name,
#include "ir/ops.def"
};
constexpr std::string_view kHabitNames[] = {
#define ELENCHUS_HABIT(enumerator, name, meaning) name,
#include "ir/ops.def"
};

// In the order of their bits.
struct BuiltIn {
  Dialect dialect;
  Version version;
};
constexpr BuiltIn kBuiltIn[] = {
    {Dialect::kStd, parse_version("2.6")},
    {Dialect::kStd, kNewest},
    {Dialect::kZ3, parse_version("4.8.12")},
    {Dialect::kZ3, kNewest},
    {Dialect::kCvc4, parse_version("1.8")},
    {Dialect::kCvc5, parse_version("1.0.3")},
    {Dialect::kCvc5, kNewest},
};
constexpr size_t kMaxReaders = 16;

// Versions before the one that plain marks speak of are taken to read the same.
bool is_in(const Marks::Span& span, Dialect dialect, Version version) {
  if (version == 0) return false;
  version = std::max(version, baseline(dialect));
  return span.since != kUnreleased && span.since <= version && version < span.until;
}

bool is_in(const Marks& marks, const Reader& reader) {
  for (size_t i = 0; i < kDialectCount; ++i) {
    if (is_in(marks.spans[i], static_cast<Dialect>(i), reader.versions[i])) return true;
  }
  return false;
}

DialectSet dialects_of(const Reader& reader) {
  DialectSet set = 0;
  for (size_t i = 0; i < kDialectCount; ++i) {
    if (reader.versions[i] != 0) set |= static_cast<DialectSet>(1U << i);
  }
  return set;
}

bool contains(const std::vector<Theory>& theories, Theory theory) {
  return std::find(theories.begin(), theories.end(), theory) != theories.end();
}

bool has_theory(const Reader& reader, Theory theory) {
  if (reader.theories.empty() || theory == Theory::kCore) return true;
  if (contains(reader.theories, theory)) return true;
  // What integers and reals share.
  return theory == Theory::kRealsInts &&
         (contains(reader.theories, Theory::kInts) || contains(reader.theories, Theory::kReals));
}

Reader reader_of(const BuiltIn& built_in) {
  Reader reader;
  reader.versions[static_cast<size_t>(built_in.dialect)] = built_in.version;
  return reader;
}

uint32_t habits_of(const Reader& reader) {
  uint32_t habits = 0;
  for (size_t i = 0; i < kDialectCount; ++i) {
    if (reader.versions[i] != 0) habits |= kDialects[i].habits;
  }
  for (const Habit habit : reader.habits) habits |= 1U << static_cast<uint32_t>(habit);
  return habits;
}

void put(uint16_t& readers, uint16_t bit, bool value) {
  readers = value ? readers | bit : readers & static_cast<uint16_t>(~bit);
}

}  // namespace

bool has_habit(const Reader& reader, Habit habit) {
  return (habits_of(reader) >> static_cast<uint32_t>(habit) & 1U) != 0;
}

template <>
std::span<const std::string_view> names_of<Dialect>() {
  return kDialectNames;
}

template <>
std::span<const std::string_view> names_of<Limit>() {
  return kLimitNames;
}

template <>
std::span<const std::string_view> names_of<Habit>() {
  return kHabitNames;
}

template <>
std::span<const std::string_view> names_of<Theory>() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (uint8_t i = 0; i < static_cast<uint8_t>(Theory::kUser); ++i) {
      names.emplace_back(to_string(static_cast<Theory>(i)));
    }
    return names;
  }();
  return kNames;
}

Version baseline(Dialect dialect) { return kDialects[static_cast<size_t>(dialect)].version; }

uint16_t built_in_readers(const Marks& marks) {
  uint16_t readers = 0;
  for (size_t i = 0; i < std::size(kBuiltIn); ++i) {
    put(readers, static_cast<uint16_t>(1U << i), is_in(marks, reader_of(kBuiltIn[i])));
  }
  return readers;
}

// --- The readers of a table. ---

// A reader's lists of operators, looked up.
struct OpTable::Exceptions {
  std::vector<Op> also;
  std::vector<Op> without;
  std::vector<std::pair<Limit, Op>> limits;
  std::string signatures;                    // of operators that the table does not have
  std::array<bool, kSortKindCount> sorts{};  // of further operators: whoever has them has these

  static bool has(const std::vector<Op>& ops, Op op) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
  }
  void add_sorts(const std::vector<Signature>& of) {
    for (const Signature& signature : of) {
      for (const SortPattern& pattern : signature.patterns) {
        sorts[static_cast<size_t>(pattern.kind)] = true;
      }
    }
  }
};

base::Result<std::vector<Op>> OpTable::ops_named(const std::string& name) const {
  const SymbolId symbol = symbols_.find(name);
  if (!symbol.valid() || named(symbol).empty()) {
    return base::Error{base::ErrorKind::kParse, "no operator '" + name + "'", {}};
  }
  const auto ops = named(symbol);
  return std::vector<Op>(ops.begin(), ops.end());
}

base::Result<OpTable::Exceptions> OpTable::exceptions_of(const Reader& reader) const {
  Exceptions exceptions;
  for (const std::string& name : reader.also) {
    if (is_signature(name)) {
      ELENCHUS_ASSIGN_OR_RETURN(const std::vector<Signature> own, parse_signatures(name));
      exceptions.add_sorts(own);
      exceptions.signatures += name + '\n';
      continue;
    }
    ELENCHUS_ASSIGN_OR_RETURN(const std::vector<Op> ops, ops_named(name));
    exceptions.also.insert(exceptions.also.end(), ops.begin(), ops.end());
    for (const Op op : ops) exceptions.add_sorts(info(op).signatures);
  }
  for (const std::string& name : reader.without) {
    ELENCHUS_ASSIGN_OR_RETURN(const std::vector<Op> ops, ops_named(name));
    exceptions.without.insert(exceptions.without.end(), ops.begin(), ops.end());
  }
  for (const auto& [limit, name] : reader.limits) {
    ELENCHUS_ASSIGN_OR_RETURN(const std::vector<Op> ops, ops_named(name));
    for (const Op op : ops) exceptions.limits.emplace_back(limit, op);
  }
  return exceptions;
}

OpTable::Reading OpTable::reading(const Reader& reader, const Exceptions& exceptions,
                                  const Subject& subject) {
  Reading reading;
  const bool is_sort = subject.kind != SortKind::kNone;
  reading.is_read = has_theory(reader, subject.theory) && is_in(subject.marks, reader);
  // A solver may have a theory that none of its dialects has.
  if (is_sort) {
    reading.is_read |= contains(reader.theories, subject.theory);
    reading.is_read |= exceptions.sorts[static_cast<size_t>(subject.kind)];
  }
  reading.is_read |= Exceptions::has(exceptions.also, subject.op);
  reading.is_read &= !Exceptions::has(exceptions.without, subject.op);
  constexpr auto kEveryDialect = static_cast<DialectSet>(~0U);
  for (size_t i = 0; i < kLimitCount; ++i) {
    const DialectSet limited = subject.marks.limits[i];
    if (limited == kEveryDialect || (limited & dialects_of(reader)) != 0) reading.limits |= 1U << i;
  }
  for (const auto& [limit, op] : exceptions.limits) {
    if (op == subject.op) reading.limits |= 1U << static_cast<uint32_t>(limit);
  }
  return reading;
}

OpTable::Column OpTable::column(const Reader& reader, const Exceptions& exceptions) const {
  Column column;
  column.has_theory.fill(true);
  for (const Subject& subject : subjects_) {
    column.readings.push_back(reading(reader, exceptions, subject));
    if (subject.kind != SortKind::kNone) {
      column.has_theory[static_cast<size_t>(subject.kind)] = has_theory(reader, subject.theory);
    }
  }
  column.habits = habits_of(reader);
  return column;
}

uint16_t& OpTable::who_of(const Subject& subject) {
  if (subject.kind == SortKind::kNone) return infos_[static_cast<size_t>(subject.op)].who;
  SortReaders& sort = sorts_[static_cast<size_t>(subject.kind)];
  return subject.is_made ? sort.made_for : sort.readers;
}

void OpTable::install(uint16_t bit, const Column& column) {
  for (size_t i = 0; i < subjects_.size(); ++i) {
    const Reading& reading = column.readings[i];
    put(who_of(subjects_[i]), bit, reading.is_read);
    if (subjects_[i].kind != SortKind::kNone) continue;
    OpInfo& info = infos_[static_cast<size_t>(subjects_[i].op)];
    for (size_t limit = 0; limit < kLimitCount; ++limit) {
      put(info.limits[limit], bit, (reading.limits >> limit & 1) != 0);
    }
  }
  for (size_t i = 0; i < kSortKindCount; ++i) {
    put(sorts_[i].theory_readers, bit, column.has_theory[i]);
  }
  for (size_t i = 0; i < kHabitCount; ++i) put(habits_[i], bit, (column.habits >> i & 1) != 0);
}

void OpTable::add_built_in_readers() {
  // Bits that nobody has read nothing, and are limited wherever somebody is.
  for (const Subject& subject : subjects_) {
    who_of(subject) = 0;
    if (subject.kind != SortKind::kNone) continue;
    OpInfo& info = infos_[static_cast<size_t>(subject.op)];
    for (size_t i = 0; i < kLimitCount; ++i) {
      info.limits[i] = subject.marks.limits[i] != 0 ? kEveryReader : 0;
    }
  }
  for (const BuiltIn& built_in : kBuiltIn) {
    columns_.push_back(column(reader_of(built_in), {}));
    install(static_cast<uint16_t>(1U << (columns_.size() - 1)), columns_.back());
  }
}

base::Result<uint16_t> OpTable::add_reader(const Reader& reader) {
  ELENCHUS_ASSIGN_OR_RETURN(const Exceptions exceptions, exceptions_of(reader));
  Column added = column(reader, exceptions);
  // Whoever has operators of its own reads what nobody else does.
  const auto same = exceptions.signatures.empty()
                        ? std::find(columns_.begin(), columns_.end(), added)
                        : columns_.end();
  if (same != columns_.end()) return static_cast<uint16_t>(1U << (same - columns_.begin()));
  if (columns_.size() < kMaxReaders) {
    columns_.push_back(std::move(added));
  } else {
    columns_.back() = shared(columns_.back(), added);
  }
  const auto bit = static_cast<uint16_t>(1U << (columns_.size() - 1));
  install(bit, columns_.back());
  additions_.emplace_back(reader);
  if (const auto own = add_operators(exceptions.signatures, bit); !own) return own.error();
  return bit;
}

OpTable::Column OpTable::shared(const Column& a, const Column& b) {
  Column both = a;
  for (size_t i = 0; i < both.readings.size(); ++i) {
    both.readings[i].is_read &= b.readings[i].is_read;
    both.readings[i].limits |= b.readings[i].limits;
  }
  for (size_t i = 0; i < kSortKindCount; ++i) both.has_theory[i] &= b.has_theory[i];
  both.habits |= b.habits;
  return both;
}

std::shared_ptr<OpTable> OpTable::copy() const {
  auto table = std::make_shared<OpTable>();
  // All this could be added once, so that it can be added again.
  for (const auto& addition : additions_) {
    if (const auto* operators = std::get_if<std::string>(&addition)) {
      static_cast<void>(table->add_user_operators(*operators));
    } else {
      static_cast<void>(table->add_reader(std::get<Reader>(addition)));
    }
  }
  return table;
}

}  // namespace elenchus::ir
