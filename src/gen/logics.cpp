#include "gen/logics.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "ir/logic.h"

namespace elenchus::gen {
namespace {

constexpr std::string_view kKnown[] = {
    "ABV",       "ABVFP",       "ABVFPLRA",    "ALIA",        "ALL",         "ANIA",
    "AUFBV",     "AUFBVDTLIA",  "AUFBVDTNIA",  "AUFBVFP",     "AUFDTLIA",    "AUFDTLIRA",
    "AUFDTNIRA", "AUFFPDTNIRA", "AUFLIA",      "AUFLIRA",     "AUFNIA",      "AUFNIRA",
    "BV",        "BVFP",        "BVFPLRA",     "FP",          "FPLRA",       "HO_ALL",
    "HO_UF",     "HO_UFLIA",    "LIA",         "LIRA",        "LRA",         "NIA",
    "NIRA",      "NRA",         "QF_ABV",      "QF_ABVFP",    "QF_ABVFPLRA", "QF_ALIA",
    "QF_ANIA",   "QF_AUFBV",    "QF_AUFBVLIA", "QF_AUFBVNIA", "QF_AUFLIA",   "QF_AUFLIRA",
    "QF_AUFNIA", "QF_AX",       "QF_BV",       "QF_BVFP",     "QF_BVFPLRA",  "QF_DT",
    "QF_FP",     "QF_FPLRA",    "QF_IDL",      "QF_LIA",      "QF_LIRA",     "QF_LRA",
    "QF_NIA",    "QF_NIRA",     "QF_NRA",      "QF_NRAT",     "QF_RDL",      "QF_S",
    "QF_SLIA",   "QF_SNIA",     "QF_UF",       "QF_UFBV",     "QF_UFBVDT",   "QF_UFBVLIA",
    "QF_UFDT",   "QF_UFDTLIA",  "QF_UFDTLIRA", "QF_UFDTNIA",  "QF_UFFP",     "QF_UFFPDTNIRA",
    "QF_UFIDL",  "QF_UFLIA",    "QF_UFLIRA",   "QF_UFLRA",    "QF_UFNIA",    "QF_UFNIRA",
    "QF_UFNRA",  "UF",          "UFBV",        "UFBVDT",      "UFBVFP",      "UFBVLIA",
    "UFDT",      "UFDTLIA",     "UFDTLIRA",    "UFDTNIA",     "UFDTNIRA",    "UFFPDTNIRA",
    "UFIDL",     "UFLIA",       "UFLRA",       "UFNIA",       "UFNIRA",      "UFNRA",
};

std::string arithmetic_of(const ir::Logic& logic) {
  if (!logic.calculates) return {};
  std::string name = logic.ints ? "I" : "";
  if (logic.reals) name += "R";
  switch (logic.arithmetic) {
    case ir::Arithmetic::kDifference: name += "DL"; break;
    case ir::Arithmetic::kLinear: name = "L" + name + "A"; break;
    case ir::Arithmetic::kNonlinear: name = "N" + name + "A"; break;
  }
  return logic.transcendentals ? name + "T" : name;
}

// The logic's name, its theories in order.
std::string name_of(const ir::Logic& logic) {
  std::string name = logic.higher_order ? "HO_" : "";
  if (!logic.quantifiers) name += "QF_";
  if (logic.arrays) name += "A";
  if (logic.functions) name += "UF";
  if (logic.bit_vectors) name += "BV";
  if (logic.fields) name += "FF";
  if (logic.floats) name += "FP";
  if (logic.datatypes) name += "DT";
  if (logic.strings) name += "S";
  name += arithmetic_of(logic);
  return logic.sets ? name + "FS" : name;
}

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return capitals;
}

// Levenshtein's.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

}  // namespace

std::span<const std::string_view> known_logics() { return kKnown; }

bool is_logic_name(std::string_view name) {
  if (std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown)) return true;
  const ir::Logic logic = ir::parse_logic(name);
  return !logic.everything && name_of(logic) == name;
}

std::vector<std::string> similar_logics(std::string_view name) {
  constexpr size_t kLongest = 32;
  constexpr size_t kMost = 3;
  const std::string wanted = in_capitals(name.substr(0, kLongest));
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (const std::string_view known : kKnown) ranked.emplace_back(distance(wanted, known), known);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> similar;
  for (size_t i = 0; i < kMost; ++i) similar.emplace_back(ranked[i].second);
  return similar;
}

}  // namespace elenchus::gen
