#include "ir/op_table.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/check.h"

namespace elenchus::ir {
namespace {

// Those whose spelling of an operator matters: the later names of z3 are on sorts that are written
// otherwise, too (FiniteSet).
constexpr uint16_t kSpellers = kDebianReaders | kNewCvc5Reader;

}  // namespace

const char* to_string(Theory theory) {
  switch (theory) {
    case Theory::kCore: return "core";
    case Theory::kInts: return "ints";
    case Theory::kReals: return "reals";
    case Theory::kRealsInts: return "reals-ints";
    case Theory::kBitVectors: return "bit-vectors";
    case Theory::kFloatingPoint: return "floating-point";
    case Theory::kStrings: return "strings";
    case Theory::kRegexes: return "regular-expressions";
    case Theory::kArrays: return "arrays";
    case Theory::kDatatypes: return "datatypes";
    case Theory::kSequences: return "sequences";
    case Theory::kSets: return "sets";
    case Theory::kRelations: return "relations";
    case Theory::kBags: return "bags";
    case Theory::kTables: return "tables";
    case Theory::kFiniteFields: return "finite-fields";
    case Theory::kTranscendentals: return "transcendentals";
    case Theory::kHigherOrder: return "higher-order";
    case Theory::kSpecialRelations: return "special-relations";
    case Theory::kPseudoBoolean: return "pseudo-boolean";
    case Theory::kSeparationLogic: return "separation-logic";
    case Theory::kCharacters: return "characters";
    case Theory::kUser: return "user";
  }
  return "";
}

OpTable::OpTable() {
  using namespace marks;
  infos_.resize(kOpCount);
  for (uint32_t op = 0; op < kOpCount; ++op) {
    infos_[op].meaning = static_cast<Op>(op);
    infos_[op].who = kEveryReader;
  }
#define ELENCHUS_SORT(kind, theory, readers, made_for)                                    \
  subjects_.push_back({Op::kNone, SortKind::k##kind, false, Theory::k##theory, readers}); \
  subjects_.push_back({Op::kNone, SortKind::k##kind, true, Theory::k##theory, made_for});
#define ELENCHUS_FORM(kind, readers) \
  subjects_.push_back({Op::k##kind, SortKind::kNone, false, Theory::kCore, readers});
#include "ir/ops.def"
// Marks are constants: those that g++ 12 works out in the middle of other code lose what `until`
// says.
#define ELENCHUS_OP(enumerator, theory, who, signatures)             \
  {                                                                  \
    constexpr Marks kWho = who;                                      \
    add_row(Op::k##enumerator, Theory::k##theory, kWho, signatures); \
  }
#define ELENCHUS_ALIAS(name, enumerator, who)
#include "ir/ops.def"
#define ELENCHUS_OP(enumerator, theory, who, signatures)
#define ELENCHUS_ALIAS(name, enumerator, who) add_alias(name, Op::k##enumerator, who);
#include "ir/ops.def"
  add_built_in_readers();
}

std::shared_ptr<const OpTable> OpTable::standard() {
  static const auto table = std::make_shared<const OpTable>();
  return table;
}

void OpTable::link(SymbolId name, Op op) {
  if (by_name_.size() <= name.value) by_name_.resize(name.value + 1);
  by_name_[name.value].push_back(op);
}

void OpTable::add_row(Op op, Theory theory, const Marks& marks, const char* signatures) {
  auto parsed = parse_signatures(signatures);
  ELENCHUS_CHECK(parsed.has_value(), std::string(signatures) + ": " + parsed.error().message);
  OpInfo& info = infos_[static_cast<size_t>(op)];
  info.name = symbols_.intern(parsed->front().name);
  info.theory = theory;
  info.signatures = std::move(*parsed);
  for (const Signature& signature : info.signatures) info.needs_as |= signature.needs_as;
  link(info.name, op);
  subjects_.push_back({op, SortKind::kNone, false, theory, marks});
}

uint16_t OpTable::format_readers(const SortNode& sort) const {
  if (sort.kind != SortKind::kFloatingPoint) return kEveryReader;
  uint16_t others = 0;
  if (!has_named_format(sort)) others |= with_habit(Habit::kNamedFormats);
  if (!is_single_or_double(sort)) others |= with_habit(Habit::kSingleAndDouble);
  return static_cast<uint16_t>(~others);
}

// Where the row's own name reaches every solver that reads the other spelling, the spelling need
// not be remembered: the printer writes the row's name.
void OpTable::add_alias(const char* name, Op op, const Marks& marks) {
  const SymbolId symbol = symbols_.intern(name);
  const auto row = std::find_if(subjects_.begin(), subjects_.end(),
                                [&](const Subject& each) { return each.op == op; });
  if ((built_in_readers(marks) & kSpellers & ~built_in_readers(row->marks)) == 0) {
    link(symbol, op);
    return;
  }
  OpInfo spelling = info(op);
  spelling.name = symbol;
  const auto id = static_cast<Op>(infos_.size());
  infos_.push_back(std::move(spelling));
  link(symbol, id);
  // The limits are those of the meaning.
  Subject subject = *row;
  subject.op = id;
  subject.marks.spans = marks.spans;
  subjects_.push_back(subject);
}

base::Result<void> OpTable::add_user_operators(std::string_view text) {
  additions_.emplace_back(std::string(text));
  return add_operators(text, kEveryReader);
}

base::Result<void> OpTable::add_operators(std::string_view text, uint16_t who) {
  ELENCHUS_ASSIGN_OR_RETURN(std::vector<Signature> signatures, parse_signatures(text));
  for (Signature& signature : signatures) {
    const SymbolId name = symbols_.intern(signature.name);
    const auto known = named(name);
    // A further signature of a user operator is an overload; one of a known operator is dropped
    // when the table has it already.
    const auto same = [&](Op op) {
      const auto& rows = info(op).signatures;
      return std::any_of(rows.begin(), rows.end(),
                         [&](const Signature& row) { return row.text == signature.text; });
    };
    const auto there = std::find_if(known.begin(), known.end(), same);
    if (there != known.end()) {
      OpInfo& info = infos_[static_cast<size_t>(*there)];
      if (info.theory == Theory::kUser || who != kEveryReader) info.who |= who;
      continue;
    }
    const auto user = std::find_if(known.begin(), known.end(),
                                   [&](Op op) { return info(op).theory == Theory::kUser; });
    if (user != known.end()) {
      OpInfo& info = infos_[static_cast<size_t>(*user)];
      info.who |= who;
      info.needs_as |= signature.needs_as;
      info.signatures.push_back(std::move(signature));
      continue;
    }
    if (infos_.size() > std::numeric_limits<std::underlying_type_t<Op>>::max()) {
      return base::Error{base::ErrorKind::kLimit, "too many operators"};
    }
    const auto op = static_cast<Op>(infos_.size());
    OpInfo info;
    info.name = name;
    info.meaning = op;
    info.theory = Theory::kUser;
    info.who = who;
    info.needs_as = signature.needs_as;
    info.signatures.push_back(std::move(signature));
    infos_.push_back(std::move(info));
    link(name, op);
  }
  return {};
}

std::vector<Op> OpTable::all() const {
  std::vector<Op> ops;
  for (size_t op = 0; op < infos_.size(); ++op) {
    if (!infos_[op].signatures.empty()) ops.push_back(static_cast<Op>(op));
  }
  return ops;
}

}  // namespace elenchus::ir
