#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elenchus::ir {

// The version of a solver or of the standard, as a number: 4.8.12 is 4'008'012.
using Version = uint32_t;

// Whatever comes after the numbers is passed over: "1.3.1-dev" is 1.3.1. 0 without a number.
constexpr Version parse_version(std::string_view text) {
  constexpr Version kPlaces[] = {1'000'000, 1'000, 1};
  constexpr Version kLargestPart = 999;
  Version version = 0;
  size_t at = 0;
  for (const Version place : kPlaces) {
    Version part = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      part = part * 10 + static_cast<Version>(text[at] - '0');
      if (part > kLargestPart) part = kLargestPart;
    }
    version += part * place;
    if (at == text.size() || text[at] != '.') break;
    ++at;
  }
  return version;
}

inline constexpr Version kUnreleased = UINT32_MAX;  // in no release so far
inline constexpr Version kNewest = kUnreleased - 1;

// A language that solvers read: the standard, or what one solver makes of it.
enum class Dialect : uint8_t {
#define ELENCHUS_DIALECT(enumerator, name, version, habits) k##enumerator,
#include "ir/ops.def"
  kCount
};
inline constexpr size_t kDialectCount = static_cast<size_t>(Dialect::kCount);

// What a reader wants of an operator before it takes it; the table says why.
enum class Limit : uint8_t {
#define ELENCHUS_LIMIT(enumerator, name, meaning) k##enumerator,
#include "ir/ops.def"
  kCount
};
inline constexpr size_t kLimitCount = static_cast<size_t>(Limit::kCount);

// What holds for everything that a reader reads.
enum class Habit : uint8_t {
#define ELENCHUS_HABIT(enumerator, name, meaning) k##enumerator,
#include "ir/ops.def"
  kCount
};
inline constexpr size_t kHabitCount = static_cast<size_t>(Habit::kCount);

enum class Theory : uint8_t;

// The names that profiles use, in the order of the enumerators: of dialects, limits, habits and
// theories.
template <typename Word>
std::span<const std::string_view> names_of();
template <>
std::span<const std::string_view> names_of<Dialect>();
template <>
std::span<const std::string_view> names_of<Limit>();
template <>
std::span<const std::string_view> names_of<Habit>();
template <>
std::span<const std::string_view> names_of<Theory>();

// None when there is none of this name.
template <typename Word>
std::optional<Word> find_word(std::string_view name) {
  const auto names = names_of<Word>();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Word>(i);
  }
  return std::nullopt;
}

// The version that the table's plain marks speak of.
Version baseline(Dialect dialect);

// Readers are bits of a set. These are in every table; a campaign adds those of its solvers that
// read something else (OpTable::add_reader).
enum BuiltInReader : uint16_t {
  kStdReader = 1,       // SMT-LIB 2.6
  kNewStdReader = 2,    // SMT-LIB 2.7
  kZ3Reader = 4,        // z3 4.8.12
  kNewZ3Reader = 8,     // the newest release
  kCvc4Reader = 16,     // cvc4 1.8
  kCvc5Reader = 32,     // cvc5 1.0.3
  kNewCvc5Reader = 64,  // the newest release
  kDebianReaders = kZ3Reader | kCvc4Reader | kCvc5Reader,
};
inline constexpr uint16_t kStandardReaders = kStdReader | kNewStdReader;
inline constexpr uint16_t kEveryReader = 0xFFFF;

// What somebody reads: dialects in a version of each, with exceptions. Operators are named as in
// scripts; a name means all rows that have it.
struct Reader {
  std::array<Version, kDialectCount> versions{};  // 0: it does not read the dialect
  std::vector<Habit> habits;                      // beyond those of its dialects
  std::vector<Theory> theories;                   // the only ones that it has; empty: all
  // Operators beyond its dialects. Those that the table does not have come with a signature, as in
  // (my.op Int Int).
  std::vector<std::string> also;
  std::vector<std::string> without;                   // operators that it does not read
  std::vector<std::pair<Limit, std::string>> limits;  // beyond those of its dialects
};

// Whether the text is a signature, where a name might stand as well.
inline bool is_signature(std::string_view text) { return text.starts_with('('); }

}  // namespace elenchus::ir
