#include "smtlib/reader.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "ir/apply.h"
#include "smtlib/script_scope.h"

namespace elenchus::smtlib {

using ir::SortId;
using ir::SortKind;
using ir::SymbolId;

namespace {

// How many sort arguments a built-in name takes.
struct BuiltinSort {
  std::string_view name;
  SortKind kind;
  uint32_t least;
  bool or_more;
};

constexpr BuiltinSort kBuiltinSorts[] = {
    {"Bool", SortKind::kBool, 0, false},
    {"Int", SortKind::kInt, 0, false},
    {"Real", SortKind::kReal, 0, false},
    {"String", SortKind::kString, 0, false},
    {"RegLan", SortKind::kRegLan, 0, false},
    {"RoundingMode", SortKind::kRoundingMode, 0, false},
    {"Char", SortKind::kChar, 0, false},
    {"Unicode", SortKind::kChar, 0, false},
    {"Array", SortKind::kArray, 2, true},
    {"=>", SortKind::kArray, 2, true},  // as z3 reads it
    {"Seq", SortKind::kSeq, 1, false},
    {"Set", SortKind::kSet, 1, false},
    {"FiniteSet", SortKind::kFiniteSet, 1, false},
    {"Bag", SortKind::kBag, 1, false},
    {"Tuple", SortKind::kTuple, 0, true},
    {"UnitTuple", SortKind::kTuple, 0, false},
    {"Nullable", SortKind::kNullable, 1, false},
    {"RegEx", SortKind::kRegEx, 1, false},
    {"->", SortKind::kFunction, 2, true},
};

// A sort of some solver that we do not know, as it is written.
SortId opaque_sort(Reader& r, uint32_t start, std::string_view text) {
  if (r.strict) {
    r.fail(start, base::ErrorKind::kUnsupported,
           fmt::format("unknown sort '{}'", base::shown(text)));
    return {};
  }
  r.warn(start, fmt::format("unknown sort '{}' is carried through", base::shown(text)));
  return r.store.sorts().make(SortKind::kOpaque, r.store.symbols().intern(text).value, 0, {});
}

// Takes the sort's text from what is left to write, about; false when it does not fit.
bool takes_room(const ir::TermStore& store, SortId sort, size_t& left) {
  const ir::SortNode& node = store.sorts()[sort];
  const bool is_opaque = node.kind == SortKind::kOpaque;
  const size_t own = is_opaque ? store.symbols().text(SymbolId{node.a}).size() : 1;
  if (own > left) return false;
  left -= own;
  const auto children = store.sorts().children(sort);
  return std::all_of(children.begin(), children.end(),
                     [&](SortId child) { return takes_room(store, child, left); });
}

// Empty when it would be too long. A sort that is kept as text is of depth 1 and has one part,
// whatever it is applied to, so that the limits of sorts do not hold its text down: abbreviations
// double it with each step.
std::string application_text(const ir::TermStore& store, SymbolId name,
                             std::span<const SortId> args) {
  constexpr size_t kLongest = 10'000;
  std::string text = "(" + std::string(store.symbols().text(name));
  for (const SortId arg : args) {
    size_t left = kLongest;
    if (!takes_room(store, arg, left)) return {};
    text += ' ' + ir::describe_sort(store, arg);
    if (text.size() > kLongest) return {};
  }
  return text + ')';
}

// The only name that other sets have, too, and whose arguments do not tell the sort.
bool has_singletons(std::string_view text) {
  static constexpr std::string_view kName = "set.singleton";
  static const std::boyer_moore_horspool_searcher kSearcher(kName.begin(), kName.end());
  return std::search(text.begin(), text.end(), kSearcher) != text.end();
}

bool is_of_finite_sets(const ir::OpTable& table, ir::Op op) {
  const auto& signatures = table.info(op).signatures;
  return std::any_of(signatures.begin(), signatures.end(), [](const ir::Signature& signature) {
    return signature.text.find("FiniteSet") != std::string::npos;
  });
}

}  // namespace

Reader::Reader(ir::TermStore& terms, std::string_view text)
    : store(terms), lexer(text), scope(terms), located_offset_(lexer.start()) {
  has_singletons_ = has_singletons(text);
  if (has_singletons_ && mentions_finite_sets(text)) prefer_finite_sets();
}

// Whether the text names the sort, or an operator that only finite sets have, wherever that is: a
// reduced script need not declare anything before the first set.
bool Reader::mentions_finite_sets(std::string_view text) const {
  Lexer tokens(text);
  for (Token token = tokens.next(); token.kind != TokenKind::kEnd; token = tokens.next()) {
    // Reported, if it matters, when the text is read.
    if (token.kind == TokenKind::kError) tokens.rewind(token.offset + 1);
    if (!is_symbol(token)) continue;
    if (token.text == "FiniteSet") return true;
    const SymbolId name = store.symbols().find(token.text);
    const auto ops = name.valid() ? store.ops().named(name) : std::span<const ir::Op>();
    if (!ops.empty() && std::all_of(ops.begin(), ops.end(), [&](ir::Op op) {
          return is_of_finite_sets(store.ops(), op);
        })) {
      return true;
    }
  }
  return false;
}

void Reader::prefer_finite_sets() {
  const ir::OpTable& table = store.ops();
  const auto is_finite = [&](ir::Op op) { return is_of_finite_sets(table, op); };
  for (const ir::Op op : table.all()) {
    if (!is_finite(op)) continue;
    const SymbolId name = table.info(op).name;
    const auto ops = table.named(name);
    std::vector<ir::Op> ordered(ops.begin(), ops.end());
    std::stable_partition(ordered.begin(), ordered.end(), is_finite);
    finite_first_.emplace(name.value, std::move(ordered));
  }
}

void Reader::add_declarations(const ir::Script& script, size_t end) {
  smtlib::add_declarations(scope, store, script, end);
  if (has_singletons_ && finite_first_.empty() && declares_finite_sets(store, script, end)) {
    prefer_finite_sets();
  }
}

bool Reader::fail_token(const Token& token, std::string_view wanted) {
  switch (token.kind) {
    case TokenKind::kError: return fail_parse(token.offset, std::string(token.text));
    case TokenKind::kEnd:
      return fail_parse(token.offset, fmt::format("unexpected end of file, {} expected", wanted));
    default: {
      return fail_parse(token.offset,
                        fmt::format("'{}' found, {} expected", base::shown(token.text), wanted));
    }
  }
}

void Reader::warn(uint32_t offset, std::string message) {
  constexpr size_t kMost = 1000;
  if (warnings_.size() >= kMost || !warned_.insert(message).second) return;
  warnings_.emplace_back(offset, std::move(message));
}

std::vector<ir::Warning> Reader::take_warnings() {
  std::stable_sort(warnings_.begin(), warnings_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ir::Warning> result;
  for (auto& [offset, message] : warnings_) {
    result.push_back({locate(offset), std::move(message)});
  }
  return result;
}

std::string Reader::shown(SortId sort) const {
  return base::shown(ir::describe_sort(store, sort), 200);
}

base::Location Reader::locate(uint32_t offset) {
  if (offset < located_offset_) {
    located_offset_ = lexer.start();
    located_ = {1, 1};
  }
  const std::string_view text = lexer.text(located_offset_, offset);
  size_t line_start = std::string_view::npos;
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    ++located_.line;
    line_start = at + 1;
  }
  if (line_start == std::string_view::npos) {
    located_.column += static_cast<uint32_t>(text.size());
  } else {
    located_.column = static_cast<uint32_t>(text.size() - line_start + 1);
  }
  located_offset_ = offset;
  return located_;
}

bool Reader::expect_open(std::string_view what) {
  const Token token = lexer.next();
  return token.kind == TokenKind::kOpen || fail_token(token, what);
}

bool Reader::expect_close(std::string_view what) {
  const Token token = lexer.next();
  return token.kind == TokenKind::kClose || fail_token(token, what);
}

SymbolId Reader::expect_symbol(std::string_view what) {
  const Token token = lexer.next();
  if (!is_symbol(token)) {
    fail_token(token, what);
    return {};
  }
  return intern(token);
}

bool Reader::expect_number(std::string_view what, uint32_t& value) {
  const Token token = lexer.next();
  if (token.kind != TokenKind::kNumeral) return fail_token(token, what);
  uint64_t number = 0;
  for (const char c : token.text) {
    number = number * 10 + static_cast<uint64_t>(c - '0');
    if (number > INT32_MAX) {
      return fail(token.offset, base::ErrorKind::kLimit, "number too large here (2^31 or more)");
    }
  }
  value = static_cast<uint32_t>(number);
  return true;
}

bool Reader::expect_text(std::string_view& text) {
  lexer.peek();
  const uint32_t start = lexer.offset();
  if (!lexer.skip_expression()) return fail_token(lexer.error(), "an expression");
  text = lexer.text(start, lexer.offset());
  return true;
}

SortId Reader::too_large(uint32_t offset) {
  fail(offset, base::ErrorKind::kLimit,
       fmt::format("sort too large (nested deeper than {} or more than {} parts)",
                   ir::kMaxSortDepth, ir::kMaxSortSize));
  return {};
}

SortId Reader::read_sort(uint32_t depth) {
  const Token token = lexer.next();
  if (is_symbol(token)) {
    return sort_application(intern(token), token.offset, {});
  }
  if (token.kind != TokenKind::kOpen) {
    fail_token(token, "a sort");
    return {};
  }
  if (depth >= ir::kMaxSortDepth) return too_large(token.offset);
  const Token head = lexer.next();
  if (head.kind == TokenKind::kSymbol && head.text == "_") return read_indexed_sort(token.offset);
  if (!is_symbol(head)) {
    fail_token(head, "a sort's name");
    return {};
  }
  const SymbolId name = intern(head);
  std::vector<SortId> args;
  for (char c = lexer.peek(); c != ')'; c = lexer.peek()) {
    args.push_back(read_sort(depth + 1));
    if (!args.back().valid()) return {};
  }
  lexer.next();
  return sort_application(name, head.offset, args);
}

SortId Reader::sort_application(SymbolId name, uint32_t offset, std::span<const SortId> args) {
  const std::string_view text = store.symbols().text(name);
  const auto arity_error = [&](uint32_t wanted) {
    fail_type(offset, fmt::format("sort '{}' takes {} arguments, not {}", shown(name), wanted,
                                  args.size()));
    return SortId{};
  };
  SortId result;
  if (const SortName* meaning = scope.sort_name(name)) {
    if (meaning->arity != args.size()) return arity_error(meaning->arity);
    switch (meaning->kind) {
      case SortName::Kind::kParameter: return meaning->body;
      case SortName::Kind::kUninterpreted:
        result = store.sorts().make(SortKind::kUninterpreted, name.value, 0, args);
        break;
      case SortName::Kind::kDatatype:
        result = store.sorts().make(SortKind::kDatatype, meaning->datatype.value, name.value, args);
        if (!args.empty() && result.valid() && !store.sorts()[result].has_parameters) {
          const auto [known, is_first] = instances_.emplace(meaning->datatype.value, result);
          if (!is_first && known->second != result) known->second = {};
        }
        break;
      case SortName::Kind::kAbbreviation: {
        ir::SortBindings bindings;
        for (size_t i = 0; i < args.size(); ++i) {
          bindings.emplace_back(meaning->parameters[i], args[i]);
        }
        result = ir::substitute_sort(store.sorts(), meaning->body, bindings);
        break;
      }
    }
    return result.valid() ? result : too_large(offset);
  }
  for (const BuiltinSort& builtin : kBuiltinSorts) {
    if (builtin.name != text) continue;
    const bool fits = builtin.or_more ? args.size() >= builtin.least : args.size() == builtin.least;
    if (!fits) return arity_error(builtin.least);
    if (builtin.kind == SortKind::kSeq && args[0] == ir::kCharSort) return ir::kStringSort;
    if (builtin.kind == SortKind::kRegEx && args[0] == ir::kStringSort) return ir::kRegLanSort;
    result = store.sorts().make(builtin.kind, args);
    return result.valid() ? result : too_large(offset);
  }
  for (const ir::NamedFormat& format : ir::kNamedFormats) {
    if (format.name == text && args.empty()) {
      return store.sorts().floating_point(format.exponent, format.significand);
    }
  }
  // cvc5 writes sets and bags of tuples as relations and tables.
  if (text == "Relation" || text == "Table") {
    const SortId tuple[] = {store.sorts().make(SortKind::kTuple, args)};
    if (!tuple[0].valid()) return too_large(offset);
    return store.sorts().make(text == "Table" ? SortKind::kBag : SortKind::kSet, tuple);
  }
  if (text == "List" && args.size() == 1) {
    declare_list(name);
    return sort_application(name, offset, args);
  }
  // A name without arguments is rather one that is misspelt. Text cannot be instantiated: with a
  // parameter inside, it would be the same sort for all that the parameter stands for.
  const bool is_generic = std::any_of(
      args.begin(), args.end(), [&](SortId arg) { return store.sorts()[arg].has_parameters; });
  if (!args.empty() && !is_generic) {
    const std::string written = application_text(store, name, args);
    return written.empty() ? too_large(offset) : opaque_sort(*this, offset, written);
  }
  fail_type(offset, fmt::format("unknown sort '{}'", shown(name)));
  return {};
}

// z3 knows (List T) with nil, insert, head and tail as long as no logic is set. The script gets the
// declaration.
void Reader::declare_list(SymbolId name) {
  ir::SortTable& sorts = store.sorts();
  const ir::DatatypeId id = store.new_datatype(name);
  const SortId parameter =
      sorts.make(SortKind::kParameter, store.symbols().intern("T").value, 0, {});
  const SortId list = sorts.make(SortKind::kDatatype, id.value, name.value, {&parameter, 1});
  scope.add_sort(name, {SortName::Kind::kDatatype, 1, id, {}, {}});
  const auto declare = [&](std::string_view symbol, ir::FunKind kind,
                           std::span<const SortId> params, SortId result, uint32_t constructor,
                           uint32_t field) {
    const ir::FunId fun = store.declare(store.symbols().intern(symbol), kind, params, result);
    ir::FunDecl& decl = store.fun(fun);
    decl.datatype = id;
    decl.constructor = constructor;
    decl.field = field;
    decl.needs_as = params.empty();
    scope.add_function(fun);
    return fun;
  };
  const SortId fields[] = {parameter, list};
  ir::Constructor nil{declare("nil", ir::FunKind::kConstructor, {}, list, 0, 0), {}};
  ir::Constructor insert{declare("insert", ir::FunKind::kConstructor, fields, list, 1, 0), {}};
  insert.selectors.push_back(declare("head", ir::FunKind::kSelector, {&list, 1}, parameter, 1, 0));
  insert.selectors.push_back(declare("tail", ir::FunKind::kSelector, {&list, 1}, list, 1, 1));
  ir::Datatype& datatype = store.datatype(id);
  datatype.parameters = {parameter};
  datatype.constructors = {std::move(nil), std::move(insert)};
  implicit_datatypes.push_back(id);
}

SortId Reader::only_instance(ir::DatatypeId datatype) const {
  const auto found = instances_.find(datatype.value);
  return found == instances_.end() ? SortId{} : found->second;
}

// After "(_". An indexed sort that we do not know is kept as text.
SortId Reader::read_indexed_sort(uint32_t start) {
  const SymbolId name = expect_symbol("an indexed sort's name");
  if (!name.valid()) return {};
  const std::string_view text = store.symbols().text(name);
  if (text == "BitVec" || text == "FloatingPoint") {
    uint32_t index[2] = {0, 0};
    const size_t count = text == "BitVec" ? 1 : 2;
    for (size_t i = 0; i < count; ++i) {
      if (!expect_number("a number of bits", index[i])) return {};
      const uint32_t least = count == 1 ? 1 : 2;
      if (index[i] < least) {
        fail_type(start, fmt::format("a {} sort of {} bits", text, index[i]));
        return {};
      }
    }
    if (!expect_close("')' after the indices")) return {};
    return count == 1 ? store.sorts().bit_vec(index[0])
                      : store.sorts().floating_point(index[0], index[1]);
  }
  if (text == "FiniteField") {
    const Token order = lexer.next();
    if (order.kind != TokenKind::kNumeral) {
      fail_token(order, "the order of the field");
      return {};
    }
    if (!expect_close("')' after the order")) return {};
    return store.sorts().make(SortKind::kFiniteField, store.symbols().intern(order.text).value, 0,
                              {});
  }
  lexer.rewind(start);
  std::string_view whole;
  if (!expect_text(whole)) return {};
  return opaque_sort(*this, start, whole);
}

}  // namespace elenchus::smtlib
