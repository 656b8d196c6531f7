#include "smtlib/reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/apply.h"

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
    {"Bool", SortKind::kBool, 0, false},       {"Int", SortKind::kInt, 0, false},
    {"Real", SortKind::kReal, 0, false},       {"String", SortKind::kString, 0, false},
    {"RegLan", SortKind::kRegLan, 0, false},   {"RoundingMode", SortKind::kRoundingMode, 0, false},
    {"Char", SortKind::kChar, 0, false},       {"Unicode", SortKind::kChar, 0, false},
    {"Array", SortKind::kArray, 2, true},      {"=>", SortKind::kArray, 2, true},  // as z3 reads it
    {"Seq", SortKind::kSeq, 1, false},         {"Set", SortKind::kSet, 1, false},
    {"Bag", SortKind::kBag, 1, false},         {"Tuple", SortKind::kTuple, 0, true},
    {"UnitTuple", SortKind::kTuple, 0, false}, {"Nullable", SortKind::kNullable, 1, false},
    {"RegEx", SortKind::kRegEx, 1, false},     {"->", SortKind::kFunction, 2, true},
};

struct FloatName {
  std::string_view name;
  uint32_t exponent;
  uint32_t significand;
};

constexpr FloatName kFloatNames[] = {
    {"Float16", 5, 11}, {"Float32", 8, 24}, {"Float64", 11, 53}, {"Float128", 15, 113}};

}  // namespace

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
  if (token.kind != TokenKind::kSymbol && token.kind != TokenKind::kQuotedSymbol) {
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
  if (token.kind == TokenKind::kSymbol || token.kind == TokenKind::kQuotedSymbol) {
    return sort_application(intern(token), token.offset, {});
  }
  if (token.kind != TokenKind::kOpen) {
    fail_token(token, "a sort");
    return {};
  }
  if (depth >= ir::kMaxSortDepth) return too_large(token.offset);
  const Token head = lexer.next();
  if (head.kind == TokenKind::kSymbol && head.text == "_") return read_indexed_sort(token.offset);
  if (head.kind != TokenKind::kSymbol && head.kind != TokenKind::kQuotedSymbol) {
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
  for (const FloatName& format : kFloatNames) {
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
  if (strict) {
    fail(start, base::ErrorKind::kUnsupported,
         fmt::format("unknown sort '{}'", base::shown(whole)));
    return {};
  }
  warn(start, fmt::format("unknown sort '{}' is carried through", base::shown(whole)));
  return store.sorts().make(SortKind::kOpaque, store.symbols().intern(whole).value, 0, {});
}

}  // namespace elenchus::smtlib
