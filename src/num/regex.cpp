#include "num/regex.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/check.h"
#include "base/hash.h"

namespace elenchus::num {
namespace {

// The product, or nothing when it does not fit. Unbounded times a positive number is unbounded.
std::optional<uint64_t> bound_product(uint64_t left, uint64_t right) {
  if (left == 0 || right == 0) return 0;
  if (left == RegexStore::kUnbounded || right == RegexStore::kUnbounded) {
    return RegexStore::kUnbounded;
  }
  uint64_t product = 0;
  if (__builtin_mul_overflow(left, right, &product)) return std::nullopt;
  return product == RegexStore::kUnbounded ? std::nullopt : std::optional(product);
}

// Sorted, with neither overlaps nor neighbours.
void normalise(std::vector<CharRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const CharRange& a, const CharRange& b) { return a.first < b.first; });
  size_t kept = 0;
  for (const CharRange& range : ranges) {
    if (kept > 0 && range.first <= ranges[kept - 1].last + 1) {
      ranges[kept - 1].last = std::max(ranges[kept - 1].last, range.last);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

uint32_t hash_text(std::u32string_view text) {
  uint64_t hash = text.size();
  for (const char32_t c : text) hash = base::hash_mix(hash, c);
  return static_cast<uint32_t>(hash);
}

}  // namespace

RegexStore::RegexStore() {
  nodes_.push_back({});  // id 0 is nothing
  intern({.kind = RegexKind::kNone});
  intern({.kind = RegexKind::kEpsilon});
  intern({.kind = RegexKind::kAll});
  const RegexId any = range(0, kMaxCharacter);
  ELENCHUS_CHECK(any == any_char(), "the fixed ids are in order");
}

// ---- Nodes ----

RegexId RegexStore::intern(const Parts& parts) {
  uint64_t mixed = base::hash_mix(static_cast<uint64_t>(parts.kind), parts.low);
  mixed = base::hash_mix(mixed, parts.high);
  for (const RegexId child : parts.children) mixed = base::hash_mix(mixed, child.value);
  for (const CharRange& range : parts.ranges) {
    mixed = base::hash_mix(mixed, (uint64_t{range.first} << 32) | range.last);
  }
  const auto hash = static_cast<uint32_t>(mixed);
  const auto known = index_.find(hash, [&](uint32_t id) { return has_parts(RegexId{id}, parts); });
  if (known != 0) return {known};

  Node node{.kind = parts.kind,
            .nullable = nullable_by(parts),
            .positive = positive_by(parts),
            .hash = hash,
            .first = 0,
            .count = 0,
            .low = parts.low,
            .high = parts.high};
  if (parts.kind == RegexKind::kSet) {
    node.first = ranges_.append(parts.ranges);
    node.count = static_cast<uint32_t>(parts.ranges.size());
  } else {
    node.first = children_.append(parts.children);
    node.count = static_cast<uint32_t>(parts.children.size());
  }
  const uint32_t id = nodes_.push_back(node);
  index_.insert(hash, id);
  return {id};
}

RegexStore::Parts RegexStore::parts_of(RegexId regex) const {
  const Node& node = nodes_[regex.value];
  Parts parts{.kind = node.kind, .low = node.low, .high = node.high};
  if (node.kind == RegexKind::kSet) {
    parts.ranges = ranges(regex);
  } else {
    parts.children = children(regex);
  }
  return parts;
}

bool RegexStore::has_parts(RegexId regex, const Parts& parts) const {
  const Parts other = parts_of(regex);
  return other.kind == parts.kind && other.low == parts.low && other.high == parts.high &&
         std::ranges::equal(other.children, parts.children) &&
         std::ranges::equal(other.ranges, parts.ranges);
}

bool RegexStore::nullable_by(const Parts& parts) const {
  const auto is_nullable = [this](RegexId child) { return nullable(child); };
  switch (parts.kind) {
    case RegexKind::kNone:
    case RegexKind::kSet:
    case RegexKind::kLiteral: return false;
    case RegexKind::kEpsilon:
    case RegexKind::kAll: return true;
    case RegexKind::kConcat:
    case RegexKind::kInter: return std::ranges::all_of(parts.children, is_nullable);
    case RegexKind::kUnion: return std::ranges::any_of(parts.children, is_nullable);
    case RegexKind::kComp: return !nullable(parts.children[0]);
    case RegexKind::kLoop: return parts.low == 0 || nullable(parts.children[0]);
  }
  return false;
}

bool RegexStore::positive_by(const Parts& parts) const {
  if (parts.kind == RegexKind::kComp || parts.kind == RegexKind::kInter) return false;
  return std::ranges::all_of(parts.children, [this](RegexId child) { return positive(child); });
}

std::span<const RegexId> RegexStore::children(RegexId regex) const {
  const Node& node = nodes_[regex.value];
  if (node.kind == RegexKind::kSet) return {};
  return children_.view(node.first, node.count);
}

std::span<const CharRange> RegexStore::ranges(RegexId set) const {
  const Node& node = nodes_[set.value];
  ELENCHUS_DCHECK(node.kind == RegexKind::kSet, "only sets have ranges");
  return ranges_.view(node.first, node.count);
}

// ---- Characters and literals ----

RegexId RegexStore::range(char32_t first, char32_t last) {
  last = std::min<char32_t>(last, kMaxCharacter);
  if (first > last) return none();
  const CharRange only{first, last};
  return intern({.kind = RegexKind::kSet, .ranges = {&only, 1}});
}

RegexId RegexStore::set_of(std::vector<CharRange>& ranges) {
  normalise(ranges);
  if (ranges.empty()) return none();
  return intern({.kind = RegexKind::kSet, .ranges = ranges});
}

RegexId RegexStore::literal(std::u32string_view text) {
  if (text.empty()) return epsilon();
  if (text.size() == 1) return range(text[0], text[0]);
  return suffix(intern_text(text), static_cast<uint32_t>(text.size()));
}

// A literal is known by the place of its characters, so that its tails share them: a long one is
// consumed without copies.
RegexId RegexStore::suffix(uint32_t first, uint32_t count) {
  if (count == 1) return range(characters_[first], characters_[first]);
  return intern({.kind = RegexKind::kLiteral, .low = first, .high = count});
}

uint32_t RegexStore::intern_text(std::u32string_view text) {
  const std::span<const char32_t> characters = text;
  const uint32_t hash = hash_text(text);
  const uint32_t known = text_index_.find(hash, [&](uint32_t id) {
    const Text& other = texts_[id - 1];
    return std::ranges::equal(characters_.view(other.first, other.count), characters);
  });
  if (known != 0) return texts_[known - 1].first;
  const uint32_t first = characters_.append(characters);
  const uint32_t at = texts_.push_back({hash, first, static_cast<uint32_t>(text.size())});
  text_index_.insert(hash, at + 1);
  return first;
}

std::u32string_view RegexStore::text(RegexId literal) const {
  const Node& node = nodes_[literal.value];
  ELENCHUS_DCHECK(node.kind == RegexKind::kLiteral, "only literals have text");
  return {&characters_[static_cast<uint32_t>(node.low)], node.high};
}

RegexId RegexStore::literal_tail(RegexId literal) {
  const Node& node = nodes_[literal.value];
  return suffix(static_cast<uint32_t>(node.low) + 1, static_cast<uint32_t>(node.high) - 1);
}

// ---- Concatenation, complement, loops ----

bool RegexStore::is_star(RegexId regex) const {
  if (regex == all()) return true;
  return kind(regex) == RegexKind::kLoop && low(regex) == 0 && high(regex) == kUnbounded;
}

RegexId RegexStore::concat(RegexId left, RegexId right) {
  if (left == none() || right == none()) return none();
  if (left == epsilon()) return right;
  if (right == epsilon()) return left;
  if (is_star(left)) {  // r* r* = r*
    if (left == right) return right;
    if (kind(right) == RegexKind::kConcat && child(right) == left) return right;
  }
  const RegexId both[] = {left, right};
  return intern({.kind = RegexKind::kConcat, .children = both});
}

RegexId RegexStore::concat(std::span<const RegexId> parts) {
  RegexId result = epsilon();
  for (size_t i = parts.size(); i > 0; --i) result = concat(parts[i - 1], result);
  return result;
}

RegexId RegexStore::comp(RegexId regex) {
  if (regex == none()) return all();
  if (regex == all()) return none();
  if (regex == epsilon()) return plus(any_char());
  if (kind(regex) == RegexKind::kComp) return child(regex);
  if (regex == plus(any_char())) return epsilon();
  return intern({.kind = RegexKind::kComp, .children = {&regex, 1}});
}

RegexId RegexStore::loop(RegexId regex, uint64_t low, uint64_t high) {
  ELENCHUS_CHECK(low < kUnbounded, "the lower bound is a number");
  if (low > high) return none();
  if (high == 0) return epsilon();
  if (regex == none()) return low == 0 ? epsilon() : none();
  if (regex == epsilon() || regex == all()) return regex;
  // Where the empty string is among the choices, fewer repetitions can be filled up with it.
  if (nullable(regex)) low = 0;
  const RegexId body = without_epsilon(regex);
  if (const auto merged = nested_loop(body, low, high)) return *merged;
  if (high == 1) return low == 0 ? opt(body) : body;
  if (body == any_char() && low == 0 && high == kUnbounded) return all();
  return intern({.kind = RegexKind::kLoop, .low = low, .high = high, .children = {&body, 1}});
}

// In a loop from 0 on, an optional body does what the body does.
RegexId RegexStore::without_epsilon(RegexId body) {
  if (kind(body) != RegexKind::kUnion) return body;
  const auto parts = children(body);
  if (parts[0] != epsilon()) return body;  // sorted: epsilon has the least id
  return union_of(parts.subspan(1));
}

// (r{a,b}){low,high} as one loop, where the numbers k*a..k*b for k = low..high leave no gap: where
// (k+1)*a <= k*b + 1, which is hardest for the least k.
std::optional<RegexId> RegexStore::nested_loop(RegexId inner, uint64_t low, uint64_t high) {
  if (kind(inner) != RegexKind::kLoop) return std::nullopt;
  const uint64_t inner_low = this->low(inner);
  const uint64_t inner_high = this->high(inner);
  const uint64_t width = inner_high == kUnbounded ? kUnbounded : inner_high - inner_low;
  const auto slack = bound_product(low, width);
  const bool gapless = low == high || inner_low <= 1 || !slack || inner_low - 1 <= *slack;
  const auto new_low = bound_product(inner_low, low);
  const auto new_high = bound_product(inner_high, high);
  if (!gapless || !new_low || !new_high) return std::nullopt;
  return loop(child(inner), *new_low, *new_high);
}

// ---- Reversal ----

RegexId RegexStore::reverse(RegexId regex) {
  std::unordered_map<uint32_t, RegexId> done;
  std::vector<RegexId> todo = {regex};
  const auto reversed = [&](RegexId child) { return done.at(child.value); };
  while (!todo.empty()) {
    const RegexId next = todo.back();
    const size_t before = todo.size();
    if (!done.contains(next.value)) {
      for (const RegexId child : children(next)) {
        if (!done.contains(child.value)) todo.push_back(child);
      }
      if (todo.size() > before) continue;
      done.emplace(next.value, reversed_node(next, reversed));
    }
    todo.pop_back();
  }
  return reversed(regex);
}

template <typename ChildOf>
RegexId RegexStore::reversed_node(RegexId regex, ChildOf reversed) {
  std::vector<RegexId> parts;
  for (const RegexId child : children(regex)) parts.push_back(reversed(child));
  switch (kind(regex)) {
    case RegexKind::kNone:
    case RegexKind::kEpsilon:
    case RegexKind::kAll:
    case RegexKind::kSet: return regex;
    case RegexKind::kLiteral: {
      const std::u32string_view forward = text(regex);
      return literal(std::u32string(forward.rbegin(), forward.rend()));
    }
    case RegexKind::kConcat: return concat(parts[1], parts[0]);
    case RegexKind::kUnion: return union_of(parts);
    case RegexKind::kInter: return inter(parts);
    case RegexKind::kComp: return comp(parts[0]);
    case RegexKind::kLoop: return loop(parts[0], low(regex), high(regex));
  }
  return regex;
}

// ---- Dropping ----

RegexStore::Mark RegexStore::mark() const {
  return {nodes_.size(), children_.size(), ranges_.size(), characters_.size(), texts_.size()};
}

void RegexStore::rollback(const Mark& mark) {
  for (uint32_t id = nodes_.size(); id > mark.nodes; --id) {
    index_.erase(nodes_[id - 1].hash, id - 1);
  }
  for (uint32_t at = texts_.size(); at > mark.texts; --at) {
    text_index_.erase(texts_[at - 1].hash, at);
  }
  nodes_.truncate(mark.nodes);
  children_.truncate(mark.children);
  ranges_.truncate(mark.ranges);
  characters_.truncate(mark.characters);
  texts_.truncate(mark.texts);
  ++generation_;
}

// The ids from `first` on that the expression needs, itself included; ascending, so that children
// come before what is made of them.
std::vector<RegexId> RegexStore::reachable_from(RegexId regex, uint32_t first) const {
  std::vector<RegexId> found;
  std::vector<RegexId> todo = {regex};
  std::unordered_set<uint32_t> seen = {regex.value};
  while (!todo.empty()) {
    const RegexId next = todo.back();
    todo.pop_back();
    if (next.value < first) continue;
    found.push_back(next);
    for (const RegexId child : children(next)) {
      if (seen.insert(child.value).second) todo.push_back(child);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

RegexId RegexStore::rollback_except(const Mark& mark, RegexId kept) {
  struct Copy {
    RegexId old_id;
    RegexKind kind;
    uint64_t low;
    uint64_t high;
    std::vector<RegexId> children;
    std::vector<CharRange> ranges;
  };
  std::vector<Copy> copies;
  for (const RegexId id : reachable_from(kept, mark.nodes)) {
    const Parts parts = parts_of(id);
    copies.push_back({id,
                      parts.kind,
                      parts.low,
                      parts.high,
                      {parts.children.begin(), parts.children.end()},
                      {parts.ranges.begin(), parts.ranges.end()}});
  }
  Mark keeping_texts = mark;  // literals that stay may lie in texts made since
  keeping_texts.characters = characters_.size();
  keeping_texts.texts = texts_.size();
  rollback(keeping_texts);

  // New ids ascend as the old ones did, so that sorted children stay sorted.
  std::unordered_map<uint32_t, RegexId> renamed;
  const auto now = [&](RegexId id) { return id.value < mark.nodes ? id : renamed.at(id.value); };
  for (Copy& copy : copies) {
    for (RegexId& child : copy.children) child = now(child);
    const RegexId id = intern({.kind = copy.kind,
                               .low = copy.low,
                               .high = copy.high,
                               .children = copy.children,
                               .ranges = copy.ranges});
    renamed.emplace(copy.old_id.value, id);
  }
  return now(kept);
}

}  // namespace elenchus::num
