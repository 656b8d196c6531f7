#include "ir/logic.h"

#include <span>

namespace elenchus::ir {
namespace {

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// The arithmetic at the front of the text: IDL, LRA, NIRA and so on.
bool take_arithmetic(std::string_view& text, Logic& logic) {
  struct Name {
    std::string_view text;
    bool ints;
    bool reals;
    Arithmetic arithmetic;
  };
  constexpr Name kNames[] = {
      {"IRDL", true, true, Arithmetic::kDifference}, {"IDL", true, false, Arithmetic::kDifference},
      {"RDL", false, true, Arithmetic::kDifference}, {"LIRA", true, true, Arithmetic::kLinear},
      {"LIA", true, false, Arithmetic::kLinear},     {"LRA", false, true, Arithmetic::kLinear},
      {"NIRA", true, true, Arithmetic::kNonlinear},  {"NIA", true, false, Arithmetic::kNonlinear},
      {"NRA", false, true, Arithmetic::kNonlinear},
  };
  for (const Name& name : kNames) {
    if (!take(text, name.text)) continue;
    logic.ints = name.ints;
    logic.reals = name.reals;
    logic.arithmetic = name.arithmetic;
    logic.calculates = true;
    if (take(text, "T")) logic.transcendentals = true;
    return true;
  }
  return false;
}

bool take_theory(std::string_view& text, Logic& logic) {
  struct Name {
    std::string_view text;
    bool Logic::*flag;
  };
  // Longer names before those that they begin with.
  constexpr Name kNames[] = {
      {"AX", &Logic::arrays},    {"A", &Logic::arrays},       {"UFC", &Logic::functions},
      {"UF", &Logic::functions}, {"BV", &Logic::bit_vectors}, {"FF", &Logic::fields},
      {"FP", &Logic::floats},    {"FS", &Logic::sets},        {"DT", &Logic::datatypes},
      {"S", &Logic::strings},
  };
  for (const Name& name : kNames) {
    if (!take(text, name.text)) continue;
    logic.*name.flag = true;
    return true;
  }
  return false;
}

struct Renaming {
  std::string_view from;
  std::string_view to;
};

// The name with another ending; empty when it has none of those.
std::string with_ending(std::string_view name, std::span<const Renaming> endings) {
  for (const Renaming& ending : endings) {
    if (!name.ends_with(ending.from)) continue;
    name.remove_suffix(ending.from.size());
    return std::string(name).append(ending.to);
  }
  return {};
}

}  // namespace

Logic parse_logic(std::string_view name) {
  Logic logic;
  logic.higher_order = take(name, "HO_");
  logic.quantifiers = !take(name, "QF_");
  logic.separation = take(name, "SEP_");
  if (name.empty() || name == "ALL" || name == "ALL_SUPPORTED") {
    logic.everything = true;
    return logic;
  }
  while (!name.empty()) {
    if (take_arithmetic(name, logic) || take_theory(name, logic)) continue;
    logic.everything = true;
    return logic;
  }
  // The theory of strings has integers: lengths and positions.
  if (logic.strings) logic.ints = true;
  return logic;
}

bool Logic::admits(Theory theory) const {
  if (everything) return true;
  switch (theory) {
    case Theory::kCore:
    case Theory::kUser: return true;
    case Theory::kInts: return ints && calculates;
    case Theory::kReals: return reals;
    case Theory::kRealsInts: return calculates;
    case Theory::kBitVectors: return bit_vectors;
    case Theory::kFloatingPoint: return floats;
    case Theory::kStrings:
    case Theory::kRegexes:
    case Theory::kCharacters:
    case Theory::kSequences: return strings;
    case Theory::kArrays: return arrays;
    case Theory::kDatatypes: return datatypes;
    case Theory::kSets:
    case Theory::kRelations: return sets;
    case Theory::kFiniteFields: return fields;
    case Theory::kTranscendentals: return transcendentals;
    case Theory::kHigherOrder: return higher_order;
    case Theory::kSeparationLogic: return separation;
    case Theory::kBags:
    case Theory::kTables:
    case Theory::kSpecialRelations:
    case Theory::kPseudoBoolean: return false;
  }
  return false;
}

bool Logic::admits(SortKind kind) const {
  if (everything) return true;
  switch (kind) {
    case SortKind::kInt: return ints;
    case SortKind::kReal: return reals;
    case SortKind::kString:
    case SortKind::kRegLan:
    case SortKind::kChar:
    case SortKind::kSeq:
    case SortKind::kRegEx: return strings;
    case SortKind::kRoundingMode:
    case SortKind::kFloatingPoint: return floats;
    case SortKind::kBitVec: return bit_vectors || floats;
    case SortKind::kFiniteField: return fields;
    case SortKind::kArray: return arrays;
    case SortKind::kSet: return sets;
    case SortKind::kFiniteSet:
    case SortKind::kBag: return false;
    case SortKind::kTuple:
    case SortKind::kNullable:
    case SortKind::kDatatype: return datatypes;
    case SortKind::kFunction: return higher_order;
    case SortKind::kNone:
    case SortKind::kBool:
    case SortKind::kUnknown:
    case SortKind::kUninterpreted:
    case SortKind::kParameter:
    case SortKind::kOpaque: return true;
  }
  return true;
}

bool numerals_are_real(std::string_view name) {
  const Logic logic = parse_logic(name);
  return !logic.everything && logic.reals && !logic.ints;
}

std::string with_sums(std::string_view logic) {
  constexpr Renaming kEndings[] = {{"IRDL", "LIRA"}, {"IDL", "LIA"}, {"RDL", "LRA"}};
  if (logic == "QF_S") return "QF_SLIA";
  const std::string larger = with_ending(logic, kEndings);
  return larger.empty() ? std::string(logic) : larger;
}

std::string with_products(std::string_view logic) {
  constexpr Renaming kEndings[] = {{"LIRA", "NIRA"}, {"LIA", "NIA"}, {"LRA", "NRA"}};
  const std::string larger = with_ending(logic, kEndings);
  return larger.empty() ? std::string(everything(logic)) : larger;
}

std::string_view everything(std::string_view logic) {
  return logic.starts_with("HO_") ? "HO_ALL" : "ALL";
}

}  // namespace elenchus::ir
