#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ir/readers.h"

// The words of the column Who of ops.def.
namespace elenchus::ir {

using DialectSet = uint8_t;
static_assert(kDialectCount <= 8);

// In which dialects something is, and which of them limit it. Spans are assigned as a whole: where
// one member alone is set in a constant expression, g++ 12 may forget the other one.
struct Marks {
  struct Span {
    Version since = kUnreleased;
    Version until = kUnreleased;  // no longer in this one
  };
  std::array<Span, kDialectCount> spans{};
  std::array<DialectSet, kLimitCount> limits{};

  // The same since another version.
  constexpr Marks operator()(Version since) const {
    Marks marks = *this;
    for (Span& span : marks.spans) {
      if (span.since != kUnreleased) span = Span{since, span.until};
    }
    return marks;
  }
  constexpr Marks operator()(std::string_view since) const {
    return operator()(parse_version(since));
  }
  constexpr Marks until(std::string_view version) const {
    Marks marks = *this;
    for (Span& span : marks.spans) {
      if (span.since != kUnreleased) span = Span{span.since, parse_version(version)};
    }
    return marks;
  }

  constexpr DialectSet dialects() const {
    DialectSet set = 0;
    for (size_t i = 0; i < kDialectCount; ++i) {
      if (spans[i].since != kUnreleased) set |= static_cast<DialectSet>(1U << i);
    }
    return set;
  }

  friend constexpr Marks operator|(Marks a, const Marks& b) {
    for (size_t i = 0; i < kDialectCount; ++i) {
      if (b.spans[i].since != kUnreleased) a.spans[i] = b.spans[i];
    }
    for (size_t i = 0; i < kLimitCount; ++i) a.limits[i] |= b.limits[i];
    return a;
  }
};

constexpr Marks marks_of(Dialect dialect) {
  Marks marks;
  marks.spans[static_cast<size_t>(dialect)] = Marks::Span{0, kUnreleased};
  return marks;
}

// A limit for everybody, or for the dialects that it is given.
struct LimitMark : Marks {
  Limit limit;

  constexpr explicit LimitMark(Limit which) : limit(which) {
    limits[static_cast<size_t>(which)] = static_cast<DialectSet>(~0U);
  }
  constexpr Marks operator()(const Marks& who) const {
    Marks marks;
    marks.limits[static_cast<size_t>(limit)] = who.dialects();
    return marks;
  }
};

// The words themselves.
namespace marks {
#define ELENCHUS_DIALECT(enumerator, name, version, habits) \
  inline constexpr Marks k##enumerator = marks_of(Dialect::k##enumerator);
#define ELENCHUS_LIMIT(enumerator, name, meaning) \
  inline constexpr LimitMark k##enumerator{Limit::k##enumerator};
#define ELENCHUS_HABIT(enumerator, name, meaning) \
  inline constexpr uint32_t k##enumerator = 1U << static_cast<uint32_t>(Habit::k##enumerator);
#include "ir/ops.def"

inline constexpr Marks kAll = kStd | kZ3 | kCvc4 | kCvc5;

}  // namespace marks

// Those of every table who read what is marked so.
uint16_t built_in_readers(const Marks& marks);

}  // namespace elenchus::ir
