#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/chunked_array.h"
#include "base/hash_index.h"
#include "base/ids.h"
#include "num/literal.h"

// Regular expressions over the characters 0..kMaxCharacter.
namespace elenchus::num {

using RegexId = base::Id<struct RegexTag>;

// The characters from `first` to `last`, both included.
struct CharRange {
  char32_t first = 0;
  char32_t last = kMaxCharacter;

  friend bool operator==(const CharRange&, const CharRange&) = default;
};

enum class RegexKind : uint8_t {
  kNone,     // no string
  kEpsilon,  // the empty string
  kAll,      // all strings
  kSet,      // one character out of ranges: sorted, disjoint, not adjacent
  kLiteral,  // one string of at least two characters
  kConcat,   // two children, nested in any way
  kUnion,    // at least two children, sorted
  kInter,    // the same
  kComp,     // one child
  kLoop,     // one child, repeated `low` to `high` times; not {0,0}, {0,1} or {1,1}
};

// Owns hash-consed expressions. The constructors normalise: kNone is part of no other expression,
// unions and intersections are sorted and free of duplicates, sets of characters are merged. The
// cost of each is proportional to its own arguments, however deep or long these are: unions nested
// by a user stay nested when they are large, and concatenations always do. Equal ids mean equal
// languages; different ids say nothing.
class RegexStore {
 public:
  static constexpr uint64_t kUnbounded = UINT64_MAX;

  // Unions and intersections up to this size are merged into those around them.
  static constexpr size_t kSpliceLimit = 32;

  RegexStore();

  static RegexId none() { return {1}; }
  static RegexId epsilon() { return {2}; }
  static RegexId all() { return {3}; }
  static RegexId any_char() { return {4}; }

  // One character in [first, last]; none when first > last.
  RegexId range(char32_t first, char32_t last);
  RegexId literal(std::u32string_view text);

  RegexId concat(RegexId left, RegexId right);
  RegexId concat(std::span<const RegexId> parts);
  RegexId union_of(std::span<const RegexId> parts);
  RegexId union_of(RegexId left, RegexId right);
  RegexId inter(std::span<const RegexId> parts);
  RegexId inter(RegexId left, RegexId right);
  RegexId comp(RegexId regex);
  RegexId diff(RegexId left, RegexId right) { return inter(left, comp(right)); }

  // From `low` to `high` times, `high` included unless it is kUnbounded; none when low > high.
  // Nothing is unfolded. `low` is less than kUnbounded.
  RegexId loop(RegexId regex, uint64_t low, uint64_t high);
  RegexId star(RegexId regex) { return loop(regex, 0, kUnbounded); }
  RegexId plus(RegexId regex) { return loop(regex, 1, kUnbounded); }
  RegexId opt(RegexId regex) { return union_of(epsilon(), regex); }
  RegexId power(RegexId regex, uint64_t count) { return loop(regex, count, count); }

  // The language of the reversed strings.
  RegexId reverse(RegexId regex);

  // A union (intersection) whose children are none. Costs as much as all that is nested in it.
  RegexId flat(RegexId junction);

  RegexKind kind(RegexId regex) const { return nodes_[regex.value].kind; }
  // Whether the empty string is a member.
  bool nullable(RegexId regex) const { return nodes_[regex.value].nullable; }
  // Whether no complement and no intersection is in it. Then it is empty only if it is none().
  bool positive(RegexId regex) const { return nodes_[regex.value].positive; }

  std::span<const RegexId> children(RegexId regex) const;
  RegexId child(RegexId regex) const { return children(regex)[0]; }
  std::span<const CharRange> ranges(RegexId set) const;
  std::u32string_view text(RegexId literal) const;
  uint64_t low(RegexId loop) const { return nodes_[loop.value].low; }
  uint64_t high(RegexId loop) const { return nodes_[loop.value].high; }

  // A literal without its first character.
  RegexId literal_tail(RegexId literal);

  // Ids are below this.
  uint32_t size() const { return nodes_.size(); }

  // Drops all that was made since the mark, in time proportional to it.
  struct Mark {
    uint32_t nodes;
    uint32_t children;
    uint32_t ranges;
    uint32_t characters;
    uint32_t texts;
  };
  Mark mark() const;
  void rollback(const Mark& mark);

  // The same, but keeps one expression, whose new id is returned.
  RegexId rollback_except(const Mark& mark, RegexId kept);

  // Changes whenever ids are dropped: caches of ids are then void.
  uint64_t generation() const { return generation_; }

 private:
  struct Node {
    RegexKind kind;
    bool nullable;
    bool positive;
    uint32_t hash;
    uint32_t first;  // children, or ranges
    uint32_t count;
    uint64_t low;  // of a loop; for a literal, where its characters are
    uint64_t high;
  };

  // What makes a node; equal parts are one node.
  struct Parts {
    RegexKind kind;
    uint64_t low = 0;
    uint64_t high = 0;
    std::span<const RegexId> children = {};
    std::span<const CharRange> ranges = {};
  };

  struct Text {
    uint32_t hash;
    uint32_t first;
    uint32_t count;
  };

  RegexId intern(const Parts& parts);
  Parts parts_of(RegexId regex) const;
  bool has_parts(RegexId regex, const Parts& parts) const;
  bool nullable_by(const Parts& parts) const;
  bool positive_by(const Parts& parts) const;

  RegexId set_of(std::vector<CharRange>& ranges);
  RegexId suffix(uint32_t first, uint32_t count);
  uint32_t intern_text(std::u32string_view text);

  RegexId junction(RegexKind kind, std::span<const RegexId> parts);
  RegexId finish_junction(RegexKind kind, std::vector<RegexId>& parts);
  void merge_sets(RegexKind kind, std::vector<RegexId>& parts);
  void merge_loops(std::vector<RegexId>& parts);
  bool has_opposites(std::span<const RegexId> sorted) const;
  void absorb_epsilon(std::vector<RegexId>& parts) const;

  RegexId without_epsilon(RegexId body);
  std::optional<RegexId> nested_loop(RegexId inner, uint64_t low, uint64_t high);
  bool is_star(RegexId regex) const;

  template <typename ChildOf>
  RegexId reversed_node(RegexId regex, ChildOf reversed);
  std::vector<RegexId> reachable_from(RegexId regex, uint32_t first) const;

  base::ChunkedArray<Node> nodes_;
  base::ChunkedArray<RegexId> children_;
  base::ChunkedArray<CharRange> ranges_;
  base::ChunkedArray<char32_t> characters_;
  base::ChunkedArray<Text> texts_;
  base::HashIndex index_;
  base::HashIndex text_index_;
  uint64_t generation_ = 0;
};

}  // namespace elenchus::num
