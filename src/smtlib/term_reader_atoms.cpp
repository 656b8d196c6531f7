// How TermReader reads atoms: literals, names, and names with indices or a sort.
#include "smtlib/term_reader.h"

#include <string>

#include <fmt/format.h>

#include "ir/apply.h"
#include "num/literal.h"

namespace elenchus::smtlib {

using base::ErrorKind;
using ir::FunId;
using ir::FunKind;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

TermId TermReader::atom(const Token& token) {
  switch (token.kind) {
    case TokenKind::kSymbol:
    case TokenKind::kQuotedSymbol: {
      return symbol_atom(r_.intern(token), token.offset);
    }
    case TokenKind::kNumeral: {
      const std::string_view digits = num::canonical_numeral(token.text);
      if (r_.numerals_are_real) return store_.real_literal(std::string(digits) + ".0");
      const uint32_t value = num::small_value(digits, ir::TermStore::kSmallInts);
      if (value < ir::TermStore::kSmallInts) return batch_.add_numeral(value);
      return store_.int_literal(digits);
    }
    case TokenKind::kDecimal: return store_.real_literal(num::canonical_decimal(token.text));
    case TokenKind::kHex:
    case TokenKind::kBinary: {
      if (token.text.size() > num::kMaxLiteralWidth) {
        r_.fail(token.offset, ErrorKind::kLimit, "bit-vector literal too wide");
        return {};
      }
      const bool hex = token.kind == TokenKind::kHex;
      return store_.bits_literal(hex ? num::hex_literal(token.text)
                                     : num::bits_literal(token.text));
    }
    case TokenKind::kString:
      if (!r_.from_solver) return store_.string_literal(num::canonical_string(token.text));
      r_.has_escapes = r_.has_escapes || token.text.find("\\u") != std::string_view::npos;
      return store_.string_literal(r_.raw_strings ? num::canonical_raw_string(token.text)
                                                  : num::canonical_printed_string(token.text));
    case TokenKind::kField: return field_literal(token);
    default: r_.fail_token(token, "a term"); return {};
  }
}

// #f3m17: the element 3 of the field of order 17.
TermId TermReader::field_literal(const Token& token) {
  const size_t m = token.text.find('m');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (m == std::string_view::npos || !is_number(token.text.substr(0, m)) ||
      !is_number(token.text.substr(m + 1))) {
    r_.fail_parse(token.offset, "malformed field literal: #f<value>m<order> expected");
    return {};
  }
  const SymbolId order = store_.symbols().intern(token.text.substr(m + 1));
  const SortId sort = store_.sorts().make(SortKind::kFiniteField, order.value, 0, {});
  const SymbolId value = store_.symbols().intern(token.text.substr(0, m));
  return store_.make(Op::kFieldLiteral, sort, value.value, {});
}

// The rest of (root-obj ...) and its like is kept as it is written, with single spaces: the
// variable of its polynomial is no symbol of the script.
TermId TermReader::algebraic_literal(uint32_t start) {
  r_.lexer.rewind(start);
  if (!r_.lexer.skip_balanced()) {
    r_.fail_parse(start, "unexpected end of file");
    return {};
  }
  std::string text;
  for (const char c : r_.lexer.text(start, r_.lexer.offset())) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space) {
      text += c;
    } else if (!text.ends_with(' ')) {
      text += ' ';
    }
  }
  return store_.make(Op::kAlgebraicLiteral, ir::kRealSort, store_.symbols().intern(text).value, {});
}

TermId TermReader::symbol_atom(SymbolId name, uint32_t offset) {
  if (const TermId local = r_.scope.local(name); local.valid()) return local;
  const FunId function = r_.scope.function(name);
  if (function.valid()) {
    if (store_.fun(function).constant.valid()) return store_.fun(function).constant;
    const FunId constant = r_.scope.same_signature(name, {});
    if (constant.valid() && store_.fun(constant).constant.valid()) {
      return store_.fun(constant).constant;
    }
  }
  if (const auto ops = r_.ops_named(name); !ops.empty()) {
    const TermId term = ir::apply(store_, ir::Head{ops}, {});
    if (term.valid()) return term;
  }
  const std::string_view text = store_.symbols().text(name);
  if (function.valid()) {
    const ir::FunDecl& decl = store_.fun(function);
    if (decl.param_count > 0 && !decl.polymorphic) {
      if (const TermId value = ir::function_value(store_, function); value.valid()) return value;
    }
    // z3 takes a bare nil when only one kind of list is around.
    if (const SortId instance = r_.only_instance(decl.datatype); instance.valid()) {
      if (const TermId term = ir::call(store_, function, {}, instance); term.valid()) return term;
    }
    r_.fail_type(offset, fmt::format("the sort of '{0}' is open here: write (as {0} <sort>)",
                                     r_.shown(name)));
    return {};
  }
  if (!r_.ops_named(name).empty()) {
    const bool open_sort = store_.ops().info(r_.ops_named(name)[0]).needs_as;
    r_.fail_type(offset, open_sort ? fmt::format("write (as {} <sort>)", text)
                                   : fmt::format("operator '{}' lacks its arguments", text));
    return {};
  }
  if (const TermId number = negative_number(text); number.valid()) return number;
  r_.fail_type(offset, fmt::format("unknown constant '{}'", r_.shown(name)));
  return {};
}

// -1 is a symbol in SMT-LIB; cvc5 reads it as a number.
TermId TermReader::negative_number(std::string_view text) {
  if (!text.starts_with('-')) return {};
  Lexer lexer(text.substr(1));
  const Token digits = lexer.next();
  if (digits.text.size() + 1 != text.size()) return {};
  if (digits.kind != TokenKind::kNumeral && digits.kind != TokenKind::kDecimal) return {};
  const TermId args[] = {settled(atom(digits))};
  return ir::apply(store_, Op::kNeg, args);
}

// (as name sort).
TermId TermReader::qualified_atom(SymbolId name, SortId as, uint32_t offset) {
  for (FunId fun = r_.scope.function(name); fun.valid(); fun = r_.scope.overload(fun)) {
    const TermId term = ir::call(store_, fun, {}, as);
    if (term.valid()) return term;
  }
  if (const auto ops = r_.ops_named(name); !ops.empty()) {
    const TermId term = ir::apply(store_, ir::Head{ops, {}, as}, {});
    if (term.valid()) return term;
  }
  const std::string_view text = store_.symbols().text(name);
  // (as ff3 F) is cvc5's element of a field.
  if (store_.sorts().kind(as) == SortKind::kFiniteField && text.size() > 2 &&
      text.starts_with("ff") && text.find_first_not_of("0123456789", 2) == std::string_view::npos) {
    return store_.make(Op::kFieldLiteral, as, store_.symbols().intern(text.substr(2)).value, {});
  }
  if (is_known_head(name)) {
    r_.fail_type(offset, fmt::format("'{}' cannot have sort {}", r_.shown(name), r_.shown(as)));
    return {};
  }
  // A value of a sort in a solver's own notation, such as (as @a0 U).
  if (r_.strict) {
    r_.fail(offset, ErrorKind::kUnsupported, fmt::format("unknown constant '{}'", r_.shown(name)));
    return {};
  }
  r_.warn(offset, fmt::format("unknown constant '{}' is carried through", r_.shown(name)));
  std::string head = "(as ";
  ir::append_symbol(head, store_.symbols(), name);
  head += ' ' + ir::describe_sort(store_, as) + ')';
  return store_.make(Op::kUnknownCall, as, store_.symbols().intern(head).value, {});
}

// After "(_", as a term of its own.
TermId TermReader::indexed_atom(uint32_t start) {
  const SymbolId name = r_.expect_symbol("an indexed name");
  if (!name.valid()) return {};
  const std::string_view text = store_.symbols().text(name);
  if (text.size() > 2 && text.starts_with("bv") &&
      text.find_first_not_of("0123456789", 2) == std::string_view::npos) {
    uint32_t width = 0;
    if (!r_.expect_number("a width", width) || !r_.expect_close("')' after the width")) return {};
    const auto literal = num::bits_literal_of_number(text.substr(2), width);
    if (literal) return store_.bits_literal(*literal);
    r_.fail(start, width == 0 ? ErrorKind::kType : ErrorKind::kLimit,
            fmt::format("a bit-vector literal of {} bits", width));
    return {};
  }
  if (text == "real_algebraic_number") return algebraic_literal(start);
  if (text == "char" || text == "Char") {
    const Token code = r_.lexer.next();
    const bool hex = code.kind == TokenKind::kHex;
    if ((!hex && code.kind != TokenKind::kNumeral) || code.text.size() > 6) {
      r_.fail_token(code, "a character's code");
      return {};
    }
    if (!r_.expect_close("')' after the code")) return {};
    const auto value =
        static_cast<char32_t>(std::stoul(std::string(code.text), nullptr, hex ? 16 : 10));
    if (value > num::kMaxCharacter) {
      r_.fail_type(code.offset, "no character has this code");
      return {};
    }
    if (text == "char") return store_.string_literal(num::encode_string({&value, 1}));
    const Op ops[] = {Op::kCharLiteral};
    const uint32_t indices[] = {static_cast<uint32_t>(value)};
    return ir::apply(store_, {ops, indices}, {});
  }
  Group group;
  group.start = start;
  group.head = name;
  group.indices = static_cast<uint32_t>(indices_.size());
  group.is_unknown = !is_known_head(name);
  if (!read_indices(name)) return {};
  const TermId term = apply_group(group, {});
  indices_.resize(group.indices);
  return term;
}

// --- Indices. ---

bool TermReader::is_symbolic(SymbolId name) const {
  const auto ops = r_.ops_named(name);
  return !ops.empty() && store_.ops().info(ops[0]).signatures[0].symbolic_index;
}

// The indices of (_ name i...) up to and with the closing parenthesis.
bool TermReader::read_indices(SymbolId name) {
  const bool symbolic = is_symbolic(name);
  const size_t before = indices_.size();
  for (;;) {
    if (r_.lexer.peek() == ')') {
      const Token close = r_.lexer.next();
      return indices_.size() > before || r_.fail_token(close, "an index");
    }
    if (symbolic) {
      if (!read_symbolic_index()) return false;
      continue;
    }
    const uint32_t start = r_.lexer.offset();
    const Token token = r_.lexer.next();
    if (token.kind == TokenKind::kNumeral && token.text.size() < 10) {
      indices_.push_back(static_cast<uint32_t>(std::stoul(std::string(token.text))));
      continue;
    }
    // Large numbers, symbols and anything else: kept as written.
    r_.lexer.rewind(start);
    std::string_view text;
    if (!r_.expect_text(text)) return false;
    indices_.push_back(store_.symbols().intern(text).value | ir::kSymbolIndex);
  }
}

FunId TermReader::datatype_function(SymbolId name, FunKind kind) const {
  for (FunId fun = r_.scope.function(name); fun.valid(); fun = r_.scope.overload(fun)) {
    if (store_.fun(fun).kind == kind) return fun;
  }
  return {};
}

// A function's name: (_ is cons), (_ update head), (_ map f), (_ as-array f).
bool TermReader::read_symbolic_index() {
  const uint32_t start = r_.lexer.offset();
  const Token token = r_.lexer.next();
  if (is_symbol(token)) {
    const SymbolId name = r_.intern(token);
    FunId fun = datatype_function(name, FunKind::kConstructor);
    if (!fun.valid()) fun = r_.scope.function(name);
    if (fun.valid()) {
      indices_.push_back(fun.value);
      return true;
    }
  }
  r_.lexer.rewind(start);
  std::string_view text;
  if (!r_.expect_text(text)) return false;
  indices_.push_back(store_.symbols().intern(text).value | ir::kSymbolIndex);
  return true;
}

}  // namespace elenchus::smtlib
