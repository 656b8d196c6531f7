#include "ir/signature.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "ir/alike.h"

namespace elenchus::ir {
namespace {

using base::Error;
using base::ErrorKind;
using base::Location;
using base::Result;

// An s-expression of the notation: a word, or a list.
struct Node {
  std::string word;
  std::vector<Node> items;
  bool is_list = false;
  Location where;
};

class NotationReader {
 public:
  explicit NotationReader(std::string_view text) : text_(text) {}

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  Location here() const { return {line_, static_cast<uint32_t>(at_ - line_start_ + 1)}; }

  Result<Node> read(uint32_t depth = 0) {
    skip_space();
    Node node;
    node.where = here();
    if (at_ == text_.size())
      return Error{ErrorKind::kParse, "unexpected end of the signature", here()};
    if (text_[at_] == ')') return Error{ErrorKind::kParse, "unexpected ')'", here()};
    if (text_[at_] != '(') {
      node.word = read_word();
      return node;
    }
    if (depth > kMaxDepth) return Error{ErrorKind::kLimit, "nested too deep", here()};
    node.is_list = true;
    ++at_;
    for (;;) {
      if (at_end()) return Error{ErrorKind::kParse, "')' missing", node.where};
      if (text_[at_] == ')') break;
      ELENCHUS_ASSIGN_OR_RETURN(Node item, read(depth + 1));
      node.items.push_back(std::move(item));
    }
    ++at_;
    return node;
  }

 private:
  static constexpr uint32_t kMaxDepth = 64;

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  void skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (is_space(text_[at_])) {
        if (text_[at_] == '\n') {
          ++line_;
          line_start_ = at_ + 1;
        }
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string read_word() {
    const size_t start = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' &&
           text_[at_] != ';') {
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
};

constexpr std::pair<std::string_view, SortKind> kSortNames[] = {
    {"Bool", SortKind::kBool},         {"Int", SortKind::kInt},
    {"Real", SortKind::kReal},         {"String", SortKind::kString},
    {"RegLan", SortKind::kRegLan},     {"RoundingMode", SortKind::kRoundingMode},
    {"Char", SortKind::kChar},         {"BitVec", SortKind::kBitVec},
    {"Array", SortKind::kArray},       {"FloatingPoint", SortKind::kFloatingPoint},
    {"Seq", SortKind::kSeq},           {"FiniteField", SortKind::kFiniteField},
    {"Set", SortKind::kSet},           {"FiniteSet", SortKind::kFiniteSet},
    {"Bag", SortKind::kBag},           {"Tuple", SortKind::kTuple},
    {"Nullable", SortKind::kNullable}, {"RegEx", SortKind::kRegEx},
    {"->", SortKind::kFunction},
};

constexpr std::pair<std::string_view, Rule> kRuleNames[] = {
#define ELENCHUS_RULE(enumerator, name) {name, Rule::k##enumerator},
#include "ir/ops.def"
};

constexpr std::pair<std::string_view, Arity> kArityNames[] = {
    {":left-assoc", Arity::kLeftAssoc}, {":right-assoc", Arity::kRightAssoc},
    {":chainable", Arity::kChainable},  {":pairwise", Arity::kPairwise},
    {":variadic", Arity::kVariadic},    {":variadic-first", Arity::kVariadicFirst},
};

template <typename T, size_t N>
std::optional<T> look_up(const std::pair<std::string_view, T> (&table)[N], std::string_view name) {
  for (const auto& [key, value] : table) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<uint32_t> to_number(const std::string& word) {
  if (word.empty() || word.size() > 9) return std::nullopt;
  uint32_t value = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint32_t>(c - '0');
  }
  return value;
}

// As written, less what only matters to us: :commutative, and :rule with its name.
std::string to_text(const Node& node) {
  if (!node.is_list) return node.word;
  std::string text = "(";
  for (size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    if (item.word == ":rule") ++i;
    if (item.word == ":rule" || item.word == ":commutative") continue;
    if (text.size() > 1) text += ' ';
    text += to_text(item);
  }
  return text + ")";
}

// Whether a sort of this kind may have so many sorts below it.
bool takes_sorts(SortKind kind, size_t count) {
  switch (kind) {
    case SortKind::kArray:
    case SortKind::kFunction: return count >= 2;
    case SortKind::kTuple: return true;
    default: return count == (kind > SortKind::kFiniteField ? 1 : 0);
  }
}

// Turns one s-expression into a Signature.
class Compiler {
 public:
  Result<Signature> compile(const Node& node) {
    const Node* inner = &node;
    if (node.is_list && node.items.size() == 3 && node.items[0].word == "par") {
      for (const Node& variable : node.items[1].items) sort_names_.push_back(variable.word);
      if (sort_names_.empty() || sort_names_.size() > kMaxSortVariables) {
        return fail(node, "`par` needs a list of one to eight sort variables");
      }
      inner = &node.items[2];
    }
    if (!inner->is_list || inner->items.size() < 2) {
      return fail(*inner, "a signature is (name argument-sort... result-sort attribute...)");
    }
    signature_.text = to_text(node);
    signature_.sort_variables = static_cast<uint32_t>(sort_names_.size());
    auto done = read_head(inner->items[0]);
    if (!done) return done.error();
    done = read_sorts(*inner);
    if (!done) return done.error();
    done = read_attributes(*inner);
    if (!done) return done.error();
    return finish(*inner);
  }

 private:
  static Error fail(const Node& node, std::string message) {
    return Error{ErrorKind::kParse, std::move(message), node.where};
  }

  Result<void> read_head(const Node& head) {
    if (!head.is_list) {
      signature_.name = head.word;
      return {};
    }
    const bool flat = std::none_of(head.items.begin(), head.items.end(),
                                   [](const Node& item) { return item.is_list; });
    if (head.items.size() < 3 || head.items[0].word != "_" || !flat) {
      return fail(head, "an indexed operator is written (_ name index...)");
    }
    signature_.name = head.items[1].word;
    for (const Node& item : std::span(head.items).subspan(2)) {
      const size_t before = signature_.index_names.size();
      if (index_variable(item.word) < before) {
        return fail(item, "index '" + item.word + "' occurs twice");
      }
      if (before == kMaxIndexVariables) return fail(item, "more than eight index variables");
    }
    signature_.own_indices = static_cast<uint32_t>(signature_.index_names.size());
    return {};
  }

  Result<void> read_sorts(const Node& node) {
    size_t end = 1;
    while (end < node.items.size() && !is_keyword(node.items[end])) ++end;
    if (end < 2) return fail(node, "the result sort is missing");
    for (size_t i = 1; i < end; ++i) {
      ELENCHUS_ASSIGN_OR_RETURN(const uint32_t pattern, sort_pattern(node.items[i]));
      if (i + 1 == end) {
        signature_.result = pattern;
      } else {
        signature_.params.push_back(pattern);
      }
    }
    next_ = end;
    return {};
  }

  Result<void> read_attributes(const Node& node) {
    while (next_ < node.items.size()) {
      const Node& item = node.items[next_++];
      if (const auto arity = look_up(kArityNames, item.word)) {
        signature_.arity = *arity;
      } else if (item.word == ":commutative") {
        signature_.commutative = true;
      } else if (item.word == ":rule" && next_ < node.items.size()) {
        const auto rule = look_up(kRuleNames, node.items[next_].word);
        if (!rule) return fail(node.items[next_], "unknown rule '" + node.items[next_].word + "'");
        signature_.rule = *rule;
        ++next_;
      } else if (item.word == ":where") {
        while (next_ < node.items.size() && !is_keyword(node.items[next_])) {
          const auto done = read_condition(node.items[next_++]);
          if (!done) return done.error();
        }
      } else {
        return fail(item, "unknown attribute '" + to_text(item) + "'");
      }
    }
    return {};
  }

  Result<void> read_condition(const Node& node) {
    if (!node.is_list || node.items.size() != 3)
      return fail(node, "a condition is (< a b), (<= a b) or (= a b)");
    IndexCondition condition;
    const std::string& word = node.items[0].word;
    const bool swap = word == ">" || word == ">=";
    if (word == "<" || word == ">") {
      condition.relation = IndexCondition::Relation::kLess;
    } else if (word == "<=" || word == ">=") {
      condition.relation = IndexCondition::Relation::kLessEqual;
    } else if (word == "=") {
      condition.relation = IndexCondition::Relation::kEqual;
    } else {
      return fail(node, "a condition is (< a b), (<= a b) or (= a b)");
    }
    ELENCHUS_ASSIGN_OR_RETURN(condition.left, index_expr(node.items[swap ? 2 : 1]));
    ELENCHUS_ASSIGN_OR_RETURN(condition.right, index_expr(node.items[swap ? 1 : 2]));
    signature_.conditions.push_back(condition);
    return {};
  }

  Result<Signature> finish(const Node& node) {
    const size_t count = signature_.params.size();
    const bool two = signature_.arity >= Arity::kLeftAssoc && signature_.arity <= Arity::kPairwise;
    if (two && count != 2) return fail(node, "this attribute needs exactly two argument sorts");
    if (signature_.arity >= Arity::kVariadic && count == 0) {
      return fail(node, "this attribute needs an argument sort");
    }
    signature_.symbolic_index = signature_.rule == Rule::kIs || signature_.rule == Rule::kUpdate ||
                                signature_.rule == Rule::kArrayMap ||
                                signature_.rule == Rule::kAsArray ||
                                signature_.rule == Rule::kAnyBoolArgsAny;
    mark_bound_variables();
    const auto is_plain = [&](uint32_t p) {
      const SortKind kind = signature_.patterns[p].kind;
      return kind != SortKind::kNone && kind < SortKind::kUnknown;
    };
    signature_.plain = signature_.rule == Rule::kNone && signature_.own_indices == 0 &&
                       is_plain(signature_.result) &&
                       std::all_of(signature_.params.begin(), signature_.params.end(), is_plain);
    const auto plain_sort = [&](uint32_t p) {
      return SortId{static_cast<uint32_t>(signature_.patterns[p].kind)};
    };
    if (signature_.plain) {
      signature_.plain_result = plain_sort(signature_.result);
      for (const uint32_t p : signature_.params) signature_.plain_params.push_back(plain_sort(p));
    }
    return std::move(signature_);
  }

  void mark_bound_variables() {
    std::vector<bool> bound(sort_names_.size(), false);
    for (const uint32_t param : signature_.params) collect_variables(param, bound);
    std::vector<bool> used(sort_names_.size(), false);
    collect_variables(signature_.result, used);
    for (size_t i = 0; i < bound.size(); ++i) {
      if (used[i] && !bound[i]) signature_.needs_as = true;
    }
    if (signature_.rule != Rule::kNone) signature_.needs_as = false;
  }

  void collect_variables(uint32_t position, std::vector<bool>& out) const {
    const SortPattern& pattern = signature_.patterns[position];
    if (pattern.kind == SortKind::kNone) out[pattern.variable] = true;
    for (const uint32_t child : pattern.children) collect_variables(child, out);
  }

  static bool is_keyword(const Node& node) { return !node.is_list && node.word[0] == ':'; }

  uint32_t index_variable(const std::string& name) {
    auto& names = signature_.index_names;
    const auto found = std::find(names.begin(), names.end(), name);
    const auto position = static_cast<uint32_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return position;
  }

  uint32_t add(IndexExpr expr) {
    signature_.index_exprs.push_back(expr);
    return static_cast<uint32_t>(signature_.index_exprs.size() - 1);
  }

  uint32_t add(SortPattern pattern) {
    signature_.patterns.push_back(std::move(pattern));
    return static_cast<uint32_t>(signature_.patterns.size() - 1);
  }

  Result<uint32_t> index_expr(const Node& node) {
    if (!node.is_list) {
      if (const auto number = to_number(node.word)) {
        return add(IndexExpr{IndexExpr::Kind::kNumber, *number, 0});
      }
      const uint32_t variable = index_variable(node.word);
      if (variable >= kMaxIndexVariables) return fail(node, "more than eight index variables");
      return add(IndexExpr{IndexExpr::Kind::kVariable, variable, 0});
    }
    if (node.items.size() != 3) return fail(node, "an index is a number, a variable or (+ a b)");
    IndexExpr expr;
    if (node.items[0].word == "+") {
      expr.kind = IndexExpr::Kind::kAdd;
    } else if (node.items[0].word == "-") {
      expr.kind = IndexExpr::Kind::kSub;
    } else if (node.items[0].word == "*") {
      expr.kind = IndexExpr::Kind::kMul;
    } else {
      return fail(node, "an index is a number, a variable or (+ a b)");
    }
    ELENCHUS_ASSIGN_OR_RETURN(expr.a, index_expr(node.items[1]));
    ELENCHUS_ASSIGN_OR_RETURN(expr.b, index_expr(node.items[2]));
    return add(expr);
  }

  Result<uint32_t> sort_pattern(const Node& node) {
    SortPattern pattern;
    if (!node.is_list) {
      const auto found = std::find(sort_names_.begin(), sort_names_.end(), node.word);
      if (found != sort_names_.end()) {
        pattern.variable = static_cast<uint32_t>(found - sort_names_.begin());
        return add(std::move(pattern));
      }
      const auto kind = look_up(kSortNames, node.word);
      if (!kind || (*kind >= SortKind::kUnknown && *kind != SortKind::kTuple)) {
        return fail(node, "unknown sort '" + node.word + "'");
      }
      pattern.kind = *kind;
      return add(std::move(pattern));
    }
    const bool indexed = !node.items.empty() && node.items[0].word == "_";
    const size_t head = indexed ? 1 : 0;
    const auto kind = node.items.size() > head ? look_up(kSortNames, node.items[head].word)
                                               : std::optional<SortKind>();
    if (!kind || indexed != (*kind > SortKind::kUnknown && *kind <= SortKind::kFiniteField)) {
      return fail(node, "unknown sort '" + to_text(node) + "'");
    }
    pattern.kind = *kind;
    const size_t wanted = *kind == SortKind::kFloatingPoint ? 2 : 1;
    if (indexed && node.items.size() != 2 + wanted) return fail(node, "wrong number of indices");
    if (!indexed && !takes_sorts(*kind, node.items.size() - 1)) {
      return fail(node, "wrong number of sorts");
    }
    for (size_t i = head + 1; i < node.items.size(); ++i) {
      if (indexed) {
        ELENCHUS_ASSIGN_OR_RETURN(pattern.index[i - 2], index_expr(node.items[i]));
      } else {
        ELENCHUS_ASSIGN_OR_RETURN(const uint32_t child, sort_pattern(node.items[i]));
        pattern.children.push_back(child);
      }
    }
    return add(std::move(pattern));
  }

  Signature signature_;
  std::vector<std::string> sort_names_;
  size_t next_ = 0;
};

// The value of an index expression; nothing while a variable is unbound, or beyond 64 bits.
std::optional<int64_t> evaluate(const Signature& signature, uint32_t position,
                                const Bindings& bindings) {
  const IndexExpr& expr = signature.index_exprs[position];
  if (expr.kind == IndexExpr::Kind::kNumber) return expr.a;
  if (expr.kind == IndexExpr::Kind::kVariable) {
    if (!bindings.index_bound[expr.a]) return std::nullopt;
    return bindings.indices[expr.a];
  }
  const auto left = evaluate(signature, expr.a, bindings);
  const auto right = evaluate(signature, expr.b, bindings);
  if (!left || !right) return std::nullopt;
  int64_t value = 0;
  const bool overflow =
      expr.kind == IndexExpr::Kind::kAdd   ? __builtin_add_overflow(*left, *right, &value)
      : expr.kind == IndexExpr::Kind::kSub ? __builtin_sub_overflow(*left, *right, &value)
                                           : __builtin_mul_overflow(*left, *right, &value);
  return overflow ? std::nullopt : std::optional(value);
}

bool match_index(const Signature& signature, uint32_t position, uint32_t value,
                 Bindings& bindings) {
  const IndexExpr& expr = signature.index_exprs[position];
  if (expr.kind == IndexExpr::Kind::kVariable && !bindings.index_bound[expr.a]) {
    bindings.index_bound[expr.a] = true;
    bindings.indices[expr.a] = value;
    return true;
  }
  const auto known = evaluate(signature, position, bindings);
  return known && *known == value;
}

}  // namespace

Result<std::vector<Signature>> parse_signatures(std::string_view text) {
  std::vector<Signature> signatures;
  NotationReader reader(text);
  while (!reader.at_end()) {
    ELENCHUS_ASSIGN_OR_RETURN(const Node node, reader.read());
    ELENCHUS_ASSIGN_OR_RETURN(Signature signature, Compiler().compile(node));
    signatures.push_back(std::move(signature));
  }
  return signatures;
}

bool match(const SortTable& sorts, const Signature& signature, uint32_t position, SortId sort,
           Bindings& bindings) {
  if (sort == kUnknownSort) {
    bindings.saw_unknown = true;
    return true;
  }
  const SortPattern& pattern = signature.patterns[position];
  if (pattern.kind == SortKind::kNone) {
    SortId& bound = bindings.sorts[pattern.variable];
    if (!bound.valid()) bound = sort;
    return bound == sort || are_alike(sorts, bound, sort);
  }
  const SortNode& node = sorts[sort];
  if (node.kind != pattern.kind) return false;
  if (node.kind < SortKind::kUnknown) return true;
  if (node.kind <= SortKind::kFiniteField) {
    if (!match_index(signature, pattern.index[0], node.a, bindings)) return false;
    return node.kind != SortKind::kFloatingPoint ||
           match_index(signature, pattern.index[1], node.b, bindings);
  }
  const auto children = sorts.children(sort);
  if (children.size() != pattern.children.size()) return false;
  for (size_t i = 0; i < children.size(); ++i) {
    if (!match(sorts, signature, pattern.children[i], children[i], bindings)) return false;
  }
  return true;
}

SortId instantiate(SortTable& sorts, const Signature& signature, uint32_t position,
                   const Bindings& bindings) {
  const SortPattern& pattern = signature.patterns[position];
  const SortId otherwise = bindings.saw_unknown ? kUnknownSort : SortId{};
  if (pattern.kind == SortKind::kNone) {
    const SortId bound = bindings.sorts[pattern.variable];
    return bound.valid() ? bound : otherwise;
  }
  if (pattern.kind < SortKind::kUnknown) return SortId{static_cast<uint32_t>(pattern.kind)};
  if (pattern.kind <= SortKind::kFiniteField) {
    uint32_t indices[2] = {0, 0};
    const size_t count = pattern.kind == SortKind::kFloatingPoint ? 2 : 1;
    for (size_t i = 0; i < count; ++i) {
      const auto value = evaluate(signature, pattern.index[i], bindings);
      if (!value) return otherwise;
      // FloatingPoint theory: more than one bit for the exponent and for the significand.
      const int64_t least = pattern.kind == SortKind::kFloatingPoint ? 2 : 1;
      if (*value < least || *value > INT32_MAX) return {};
      indices[i] = static_cast<uint32_t>(*value);
    }
    return sorts.make(pattern.kind, indices[0], indices[1], {});
  }
  std::vector<SortId> children;
  for (const uint32_t child : pattern.children) {
    const SortId sort = instantiate(sorts, signature, child, bindings);
    if (!sort.valid()) return {};
    if (sort == kUnknownSort) return kUnknownSort;
    children.push_back(sort);
  }
  return sorts.make(pattern.kind, children);
}

bool conditions_hold(const Signature& signature, const Bindings& bindings) {
  for (const IndexCondition& condition : signature.conditions) {
    const auto left = evaluate(signature, condition.left, bindings);
    const auto right = evaluate(signature, condition.right, bindings);
    if (!left || !right) {
      if (bindings.saw_unknown) continue;
      return false;
    }
    const bool holds = condition.relation == IndexCondition::Relation::kLess ? *left < *right
                       : condition.relation == IndexCondition::Relation::kLessEqual
                           ? *left <= *right
                           : *left == *right;
    if (!holds) return false;
  }
  return true;
}

uint32_t parameter_of(const Signature& signature, size_t i, size_t count) {
  const auto& params = signature.params;
  // (f a b c) is (f a (f b c)) for a right-associative f: all but the last are of the first sort.
  if (signature.arity == Arity::kVariadicFirst || signature.arity == Arity::kRightAssoc) {
    const size_t extra = count - params.size();
    return params[i <= extra ? 0 : i - extra];
  }
  return params[std::min(i, params.size() - 1)];
}

}  // namespace elenchus::ir
