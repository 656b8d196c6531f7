// The term reader is a stack machine. step() consumes one token: an atom is a finished term, an
// opening parenthesis pushes a frame, a closing one finishes an application. A finished term is
// delivered to the frame on top, which may thereby finish in turn (the body of a let, say).
//
// `let` disappears: the name stands for the term. A bound variable is known by its name, its sort
// and how many binders around it bind the same name, so that equal quantified terms are one term
// and an inner variable is never taken for an outer one of its name.
//
// What we do not know is carried through. An application of an unknown operator keeps its
// arguments; when those do not read as terms, the innermost such application is kept as text.
#include "smtlib/term_reader.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

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

namespace {

bool is_symbol(const Token& token) {
  return token.kind == TokenKind::kSymbol || token.kind == TokenKind::kQuotedSymbol;
}

template <typename T>
void shrink(std::vector<T>& items, size_t size) {
  if (items.size() > size) items.erase(items.begin() + static_cast<ptrdiff_t>(size), items.end());
}

}  // namespace

TermReader::TermReader(Reader& reader) : r_(reader), store_(reader.store), batch_(reader.store) {
  add_word("let", Form::kLet);
  add_word("!", Form::kAnnotation);
  add_word("_", Form::kIndexed);
  add_word("as", Form::kAs);
  add_word("match", Form::kMatch);
  add_word("forall", Form::kBinder, Op::kForall);
  add_word("exists", Form::kBinder, Op::kExists);
  add_word("lambda", Form::kBinder, Op::kLambda);
  add_word("witness", Form::kBinder, Op::kChoice);
  add_word("choice", Form::kBinder, Op::kChoice);
  add_word("set.comprehension", Form::kBinder, Op::kComprehension);
  add_word("comprehension", Form::kBinder, Op::kComprehension);
  add_word("root-obj", Form::kAlgebraic);
  add_word("root-of-with-interval", Form::kAlgebraic);
}

void TermReader::add_word(std::string_view text, Form form, Op binder) {
  const SymbolId symbol = store_.symbols().intern(text);
  if (words_.size() <= symbol.value) words_.resize(symbol.value + 1);
  words_[symbol.value] = {form, binder};
}

TermId TermReader::read() {
  const TermId value = read_value();
  return value.valid() ? settled(value) : value;
}

SortId TermReader::read_later() {
  const TermId value = read_value();
  if (!value.valid()) return {};
  push_value(value);
  return batch_.sort(value);
}

std::vector<TermId> TermReader::take_waiting() {
  settle();
  first_pending_ = 0;
  return std::exchange(values_, {});
}

TermId TermReader::read_value() {
  for (;;) {
    TermId term = step();
    if (r_.failed()) term = recover();
    while (term.valid()) {
      if (frames_.empty()) return term;
      if (frames_.back().kind == Kind::kApply) {  // the usual case of deliver()
        push_value(term);
        break;
      }
      term = deliver(term);
      // Each recovery removes a frame, so this ends.
      if (r_.failed()) term = recover();
    }
    if (r_.failed()) break;
  }
  frames_.clear();
  values_.clear();
  indices_.clear();
  names_.clear();
  batch_.clear();
  return {};
}

TermId TermReader::step() {
  const Token token = r_.lexer.next();
  switch (token.kind) {
    case TokenKind::kOpen: return open(token.offset);
    case TokenKind::kClose: return close(token);
    default: return atom(token);
  }
}

// --- Atoms. ---

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
  if (const auto ops = store_.ops().named(name); !ops.empty()) {
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
  if (!store_.ops().named(name).empty()) {
    const bool open_sort = store_.ops().info(store_.ops().named(name)[0]).needs_as;
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
  if (const auto ops = store_.ops().named(name); !ops.empty()) {
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
  Frame frame;
  frame.start = start;
  frame.head = name;
  frame.indices = static_cast<uint32_t>(indices_.size());
  frame.is_unknown = !is_known_head(name);
  if (!read_indices(name)) return {};
  const TermId term = apply_frame(frame, {});
  indices_.resize(frame.indices);
  return term;
}

// --- Opening parentheses. ---

TermReader::Frame& TermReader::push(Kind kind, uint32_t start) {
  Frame& frame = frames_.emplace_back();
  frame.kind = kind;
  frame.start = start;
  frame.values = static_cast<uint32_t>(values_.size());
  frame.locals = r_.scope.local_count();
  frame.indices = static_cast<uint32_t>(indices_.size());
  frame.names = static_cast<uint32_t>(names_.size());
  return frame;
}

bool TermReader::is_known_head(SymbolId name) const {
  return r_.scope.local(name).valid() || r_.scope.function(name).valid() ||
         !store_.ops().named(name).empty();
}

void TermReader::open_apply(SymbolId head, uint32_t start) {
  Frame& frame = push(Kind::kApply, start);
  frame.head = head;
  frame.function = r_.scope.function(head);
  frame.is_unknown =
      !frame.function.valid() && store_.ops().named(head).empty() && !r_.scope.local(head).valid();
}

// Yields a term only for forms that are atoms.
TermId TermReader::open(uint32_t start) {
  const Token head = r_.lexer.next();
  if (head.kind == TokenKind::kOpen) {
    open_list_head(start);
    return {};
  }
  if (!is_symbol(head)) {
    r_.fail_token(head, "an operator");
    return {};
  }
  const SymbolId symbol = r_.intern(head);
  const Word form = head.kind == TokenKind::kSymbol ? word(symbol) : Word{};
  // A script may declare names that only some solvers reserve.
  const bool is_name = form.form >= Form::kMatch && is_known_head(symbol);
  if (form.form != Form::kNone && !is_name) return open_form(form, start);
  open_apply(symbol, start);
  return {};
}

TermId TermReader::open_form(Word form, uint32_t start) {
  switch (form.form) {
    case Form::kLet: open_let(start); break;
    case Form::kAnnotation: push(Kind::kAnnotation, start); break;
    case Form::kMatch: push(Kind::kMatch, start); break;
    case Form::kBinder: open_binder(form.binder, start); break;
    case Form::kIndexed: return indexed_atom(start);
    case Form::kAlgebraic: return algebraic_literal(start);
    case Form::kAs: {
      const SymbolId name = r_.expect_symbol("a name");
      if (!name.valid()) return {};
      const SortId sort = r_.read_sort();
      if (!sort.valid() || !r_.expect_close("')' after the sort")) return {};
      return qualified_atom(name, sort, start);
    }
    case Form::kNone: break;
  }
  return {};
}

// After "((": an indexed or qualified operator, or any term that is a function.
bool TermReader::open_list_head(uint32_t start) {
  const uint32_t inner = r_.lexer.offset() - 1;
  const Token word = r_.lexer.next();
  if (word.kind == TokenKind::kSymbol && (word.text == "_" || word.text == "as")) {
    const bool indexed = word.text == "_";
    if (!indexed && r_.lexer.peek() == '(') {
      // ((as (_ f i) S) args): rare enough to be kept as text.
      Frame& frame = push(Kind::kApply, start);
      frame.is_unknown = true;
      return r_.fail_parse(inner, "qualified and indexed operator");
    }
    const SymbolId name = r_.expect_symbol("a name");
    if (!name.valid()) return false;
    open_apply(name, start);
    if (indexed) return read_indices(name);
    const SortId sort = r_.read_sort();
    if (!sort.valid()) return false;
    frames_.back().as = r_.from_solver ? array_of(sort) : sort;
    return r_.expect_close("')' after the sort");
  }
  push(Kind::kApplyTerm, start);
  r_.lexer.rewind(inner);
  return true;
}

// z3's sets are arrays of Booleans, and it prints ((as const (Set Int)) false).
SortId TermReader::array_of(SortId sort) {
  if (store_.sorts().kind(sort) != SortKind::kSet) return sort;
  const SortId parts[] = {store_.sorts().children(sort)[0], ir::kBoolSort};
  const SortId array = store_.sorts().make(SortKind::kArray, parts);
  return array.valid() ? array : sort;
}

bool TermReader::is_symbolic(SymbolId name) const {
  const auto ops = store_.ops().named(name);
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

bool TermReader::open_let(uint32_t start) {
  Frame& frame = push(Kind::kLetValue, start);
  if (!r_.expect_open("'(' before the bindings of let")) return false;
  return next_let_value(frame);
}

// Another binding, or the end of the list: then the names become visible, all at once.
bool TermReader::next_let_value(Frame& frame) {
  const Token token = r_.lexer.next();
  if (token.kind == TokenKind::kOpen) {
    const SymbolId name = r_.expect_symbol("a name to bind");
    if (!name.valid()) return false;
    names_.push_back(name);
    return true;
  }
  if (token.kind != TokenKind::kClose) return r_.fail_token(token, "a binding or ')'");
  const size_t count = names_.size() - frame.names;
  for (size_t i = 0; i < count; ++i) {
    r_.scope.bind_local(names_[frame.names + i], values_[frame.values + i], false);
  }
  shrink(names_, frame.names);
  shrink(values_, frame.values);
  frame.kind = Kind::kLetBody;
  return true;
}

bool TermReader::read_variables(std::vector<TermId>& variables) {
  if (!r_.expect_open("'(' before the variables")) return false;
  for (;;) {
    const Token token = r_.lexer.next();
    if (token.kind == TokenKind::kClose) return true;
    if (token.kind != TokenKind::kOpen) return r_.fail_token(token, "'(' before a variable");
    const SymbolId name = r_.expect_symbol("a variable's name");
    if (!name.valid()) return false;
    const SortId sort = r_.read_sort();
    if (!sort.valid() || !r_.expect_close("')' after a variable's sort")) return false;
    // Twice the same name in one list: the last one counts, and the first is another variable.
    const TermId variable = store_.variable(name, sort, r_.scope.binder_depth(name));
    r_.scope.bind_local(name, variable, true);
    variables.push_back(variable);
  }
}

bool TermReader::open_binder(Op op, uint32_t start) {
  push(Kind::kBinder, start).binder = op;
  std::vector<TermId> variables;
  if (!read_variables(variables)) return false;
  if (variables.empty()) return r_.fail_parse(start, "a binder without variables");
  values_.insert(values_.end(), variables.begin(), variables.end());
  // The values before the body are the variables: remember where the body starts.
  frames_.back().names = static_cast<uint32_t>(values_.size());
  return true;
}

// --- Finished values. ---

TermId TermReader::deliver(TermId value) {
  Frame& frame = frames_.back();
  if (frame.kind == Kind::kApply) {
    push_value(value);
    return {};
  }
  value = settled(value);
  values_.push_back(value);
  switch (frame.kind) {
    case Kind::kApply:
    case Kind::kApplyTerm:
    case Kind::kPattern: return {};
    case Kind::kLetValue:
      if (r_.expect_close("')' after the value of a binding")) next_let_value(frame);
      return {};
    case Kind::kLetBody: {
      if (!r_.expect_close("')' after the body of let")) return {};
      const Frame done = frame;
      drop_frame(done);
      return value;
    }
    case Kind::kBinder: {
      // A comprehension has two terms after its variables.
      const bool more = frame.binder == Op::kComprehension && values_.size() == frame.names + 1;
      if (more && r_.lexer.peek() != ')') return {};
      if (!r_.expect_close("')' after the body of a binder")) return {};
      return finish_binder(frame);
    }
    case Kind::kAnnotation: return finish_annotation();
    case Kind::kMatch:
      if (r_.expect_open("'(' before the cases of match")) open_case(frame);
      return {};
    case Kind::kCase: {
      if (!r_.expect_close("')' after a case")) return {};
      const Frame done = frame;
      const std::vector<TermId> parts(values_.begin() + done.values, values_.end());
      const TermId term =
          store_.make(Op::kMatchCase, store_.sort(value), done.constructor.value, parts);
      drop_frame(done);
      values_.push_back(term);
      if (r_.lexer.peek() == '(') {
        open_case(frames_.back());
        return {};
      }
      if (!r_.expect_close("')' after the cases") || !r_.expect_close("')' after match")) return {};
      return finish_match(frames_.back());
    }
  }
  return {};
}

void TermReader::drop_frame(const Frame& frame) {
  r_.scope.unbind_locals(frame.locals);
  shrink(values_, frame.values);
  if (frame.kind != Kind::kBinder) shrink(names_, frame.names);
  shrink(indices_, frame.indices);
  frames_.pop_back();
}

// The usual case of close(): an application that can wait.
TermId TermReader::close_apply(const Frame& frame) {
  if (frame.kind != Kind::kApply) return {};
  const TermId term = apply_later(frame, std::span(values_).subspan(frame.values));
  if (term.valid()) drop_frame(frame);
  return term;
}

TermId TermReader::close(const Token& token) {
  if (frames_.empty()) {
    r_.fail_token(token, "a term");
    return {};
  }
  if (const TermId term = close_apply(frames_.back()); term.valid()) return term;
  const Frame frame = frames_.back();
  if (frame.kind == Kind::kPattern) {
    const std::vector<TermId> patterns(values_.begin() + frame.values, values_.end());
    drop_frame(frame);
    const SymbolId text = patterns.empty() ? store_.symbols().intern("()") : SymbolId{};
    annotate(values_.back(), frame.head, text, patterns);
    const TermId term = values_.back();
    values_.pop_back();
    return deliver(term);
  }
  if (frame.kind != Kind::kApply && frame.kind != Kind::kApplyTerm) {
    r_.fail_token(token, "a term");
    return {};
  }
  settle();
  std::span<TermId> args(values_.data() + frame.values, values_.size() - frame.values);
  TermId term;
  if (frame.kind == Kind::kApplyTerm) {
    term = args.size() < 2 ? TermId{} : apply_value(args[0], args.subspan(1));
    if (!term.valid()) {
      r_.fail_type(frame.start, fmt::format("a term of sort {} cannot be applied to {}",
                                            r_.shown(store_.sort(args[0])),
                                            ir::describe_sorts(store_, args.subspan(1))));
    }
  } else if (args.empty() && frame.is_unknown && !r_.strict) {
    r_.warn(frame.start,
            fmt::format("unknown operator '{}' is carried through", r_.shown(frame.head)));
    const SymbolId text = store_.symbols().intern(r_.lexer.text(frame.start, r_.lexer.offset()));
    term = store_.make(Op::kUnknownText, ir::kUnknownSort, text.value, {});
  } else if (args.empty()) {
    r_.fail_parse(frame.start, fmt::format("'{}' is applied to nothing", r_.shown(frame.head)));
  } else {
    term = apply_frame(frame, args);
  }
  if (!term.valid()) return {};
  drop_frame(frame);
  return term;
}

TermId TermReader::finish_binder(const Frame& frame) {
  const Frame done = frame;
  const uint32_t first_body = done.names;
  const std::vector<TermId> parts(values_.begin() + done.values, values_.end());
  const std::span<const TermId> variables(parts.data(), first_body - done.values);
  const TermId body = values_[first_body];
  const SortId body_sort = store_.sort(body);
  SortId sort = ir::kBoolSort;
  if (done.binder == Op::kLambda) {
    std::vector<SortId> signature;
    for (const TermId variable : variables) signature.push_back(store_.sort(variable));
    signature.push_back(body_sort);
    sort = store_.sorts().make(SortKind::kFunction, signature);
  } else if (body_sort != ir::kBoolSort && body_sort != ir::kUnknownSort) {
    r_.fail_type(done.start,
                 fmt::format("the body of this binder has sort {}, not Bool", r_.shown(body_sort)));
    return {};
  } else if (done.binder == Op::kChoice) {
    sort = store_.sort(variables[0]);
  } else if (done.binder == Op::kComprehension) {
    if (parts.size() != variables.size() + 2) {
      r_.fail_parse(done.start, "a comprehension wants a condition and an element");
      return {};
    }
    const SortId element[] = {store_.sort(parts.back())};
    sort = store_.sorts().make(SortKind::kSet, element);
  }
  if (!sort.valid()) {
    r_.fail(done.start, ErrorKind::kLimit, "sort too large");
    return {};
  }
  const TermId term = store_.make(done.binder, sort, 0, parts);
  drop_frame(done);
  return term;
}

// The annotated term is the frame's value; attributes follow until the closing parenthesis.
TermId TermReader::finish_annotation() {
  for (;;) {
    const Token token = r_.lexer.next();
    if (token.kind == TokenKind::kClose) {
      const TermId term = values_.back();
      drop_frame(Frame(frames_.back()));
      return term;
    }
    if (token.kind != TokenKind::kKeyword) {
      r_.fail_token(token, "an attribute or ')'");
      return {};
    }
    const size_t depth = frames_.size();
    if (!read_attribute(token) || frames_.size() > depth) return {};
  }
}

// Reads one attribute; for a pattern only opens it.
bool TermReader::read_attribute(const Token& keyword) {
  const SymbolId word = store_.symbols().intern(keyword.text);
  const char next = r_.lexer.peek();
  if ((keyword.text == ":pattern" || keyword.text == ":no-pattern") && next == '(') {
    const uint32_t start = r_.lexer.offset();
    r_.lexer.next();
    push(Kind::kPattern, start).head = word;
    return true;
  }
  if (keyword.text == ":named") return read_named(frames_.back());
  SymbolId value;
  if (next != ')' && next != ':') {
    std::string_view text;
    if (!r_.expect_text(text)) return false;
    value = store_.symbols().intern(text);
  }
  annotate(values_.back(), word, value, {});
  return true;
}

bool TermReader::read_named(Frame& frame) {
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a name");
  if (!name.valid()) return false;
  if (r_.scope.same_signature(name, {}).valid()) {
    return r_.fail_type(offset, fmt::format("'{}' is declared already", r_.shown(name)));
  }
  const TermId term = values_[frame.values];
  const FunId fun = store_.declare(name, FunKind::kNamed, {}, store_.sort(term));
  store_.define(fun, {}, term);
  r_.scope.add_function(fun);
  annotate(values_.back(), store_.symbols().intern(":named"), name, {});
  return true;
}

void TermReader::annotate(TermId& term, SymbolId keyword, SymbolId value,
                          std::span<const TermId> patterns) {
  const uint32_t parts[] = {keyword.value, value.value};
  std::vector<TermId> args = {term};
  args.insert(args.end(), patterns.begin(), patterns.end());
  term = store_.make(Op::kAnnotated, store_.sort(term), store_.index_list(parts).value, args);
}

// --- Match. ---

bool TermReader::open_case(const Frame& match) {
  const SortId scrutinee = store_.sort(values_[match.values]);
  if (store_.sorts().kind(scrutinee) != SortKind::kDatatype && scrutinee != ir::kUnknownSort) {
    return r_.fail_type(match.start, fmt::format("match on a term of sort {}, which is no datatype",
                                                 r_.shown(scrutinee)));
  }
  if (!r_.expect_open("'(' before a case")) return false;
  Frame& frame = push(Kind::kCase, r_.lexer.offset());
  return read_case_pattern(frame, scrutinee);
}

// The constructor of that name that makes values of the sort, else the newest of that name.
FunId TermReader::constructor_of(SymbolId name, SortId sort) const {
  const ir::SortNode& node = store_.sorts()[sort];
  for (FunId fun = r_.scope.function(name); fun.valid(); fun = r_.scope.overload(fun)) {
    const ir::FunDecl& decl = store_.fun(fun);
    if (decl.kind == FunKind::kConstructor && node.kind == SortKind::kDatatype &&
        decl.datatype.value == node.a) {
      return fun;
    }
  }
  return datatype_function(name, FunKind::kConstructor);
}

// cons, (cons x y), x or _. Binds the variables and leaves them as the frame's first values.
bool TermReader::read_case_pattern(Frame& frame, SortId scrutinee) {
  const Token token = r_.lexer.next();
  const bool with_fields = token.kind == TokenKind::kOpen;
  SymbolId name;
  if (with_fields) {
    name = r_.expect_symbol("a constructor");
    if (!name.valid()) return false;
  } else if (is_symbol(token)) {
    name = r_.intern(token);
  } else {
    return r_.fail_token(token, "a pattern");
  }
  const FunId constructor = constructor_of(name, scrutinee);
  const auto bind = [&](SymbolId variable, SortId sort) {
    const TermId term = store_.variable(variable, sort, r_.scope.binder_depth(variable));
    r_.scope.bind_local(variable, term, true);
    values_.push_back(term);
  };
  if (!with_fields && (!constructor.valid() || store_.fun(constructor).param_count > 0)) {
    bind(name, scrutinee);
    return true;
  }
  if (!constructor.valid()) {
    return r_.fail_type(token.offset, fmt::format("'{}' is no constructor", r_.shown(name)));
  }
  frame.constructor = constructor;
  ir::SortBindings bindings;
  if (!ir::match_sort(store_.sorts(), store_.fun(constructor).result, scrutinee, bindings)) {
    return r_.fail_type(token.offset, fmt::format("'{}' is no constructor of sort {}",
                                                  r_.shown(name), r_.shown(scrutinee)));
  }
  if (!with_fields) return true;
  for (const SortId param : store_.params(constructor)) {
    const SymbolId variable = r_.expect_symbol("a variable for each field");
    if (!variable.valid()) return false;
    // A scrutinee of unknown sort does not say what the parameters are.
    const bool is_open = scrutinee == ir::kUnknownSort && store_.sorts()[param].has_parameters;
    bind(variable,
         is_open ? ir::kUnknownSort : ir::substitute_sort(store_.sorts(), param, bindings));
  }
  return r_.expect_close("')' after the pattern");
}

// Whether the cases leave no constructor of the scrutinee out. What we do not know is not judged.
bool TermReader::covers_all(uint32_t start, std::span<const TermId> parts) {
  const SortId scrutinee = store_.sort(parts[0]);
  if (store_.sorts().kind(scrutinee) != SortKind::kDatatype) return true;
  std::vector<FunId> covered;
  for (const TermId match_case : parts.subspan(1)) {
    const FunId constructor = store_.callee(match_case);
    if (!constructor.valid()) return true;
    covered.push_back(constructor);
  }
  std::sort(covered.begin(), covered.end());
  const ir::DatatypeId datatype{store_.sorts()[scrutinee].a};
  for (const ir::Constructor& constructor : store_.datatype(datatype).constructors) {
    if (std::binary_search(covered.begin(), covered.end(), constructor.fun)) continue;
    return r_.fail_type(start, fmt::format("the cases of match leave out '{}'",
                                           r_.shown(store_.fun(constructor.fun).name)));
  }
  return true;
}

TermId TermReader::finish_match(const Frame& frame) {
  const Frame done = frame;
  std::vector<TermId> parts(values_.begin() + done.values, values_.end());
  SortId sort = store_.sort(parts[1]);
  for (size_t i = 2; i < parts.size(); ++i) {
    if (sort == ir::kUnknownSort) sort = store_.sort(parts[i]);
    if (store_.sort(parts[i]) == sort || store_.sort(parts[i]) == ir::kUnknownSort) continue;
    r_.fail_type(done.start, fmt::format("the cases of match have sorts {} and {}", r_.shown(sort),
                                         r_.shown(store_.sort(parts[i]))));
    return {};
  }
  if (!covers_all(done.start, parts)) return {};
  const TermId term = store_.make(Op::kMatch, sort, 0, parts);
  drop_frame(done);
  return term;
}

// --- Applications. ---

// The application as a term to be made later; none when it is not one of an operator or function
// that takes the arguments as they are.
TermId TermReader::apply_later(const Frame& frame, std::span<const TermId> args) {
  constexpr size_t kFewArgs = 16;
  if (frame.is_unknown || frame.as.valid() || args.empty() || args.size() > kFewArgs) return {};
  if (r_.scope.local(frame.head).valid()) return {};
  SortId sorts[kFewArgs];
  for (size_t i = 0; i < args.size(); ++i) sorts[i] = batch_.sort(args[i]);
  const std::span<const SortId> arg_sorts(sorts, args.size());
  const std::span<const uint32_t> indices(indices_.data() + frame.indices,
                                          indices_.size() - frame.indices);
  if (const FunId fun = frame.function; fun.valid()) {
    const auto params = store_.params(fun);
    if (!indices.empty() || store_.fun(fun).polymorphic ||
        !std::equal(params.begin(), params.end(), arg_sorts.begin(), arg_sorts.end())) {
      return {};
    }
    return batch_.add(Op::kCall, store_.fun(fun).result, fun.value, args);
  }
  Op chosen = Op::kNone;
  const ir::Head head{store_.ops().named(frame.head), indices};
  const SortId sort = ir::result_sort(store_, head, arg_sorts, &chosen);
  if (!sort.valid()) return {};
  const uint32_t payload = indices.empty() ? 0 : store_.index_list(indices).value;
  return batch_.add(chosen, sort, payload, args);
}

// Makes all waiting terms and puts them in place of the pending values.
void TermReader::settle() {
  if (!batch_.empty()) {
    batch_.resolve();
    for (size_t i = first_pending_; i < values_.size(); ++i) {
      values_[i] = batch_.resolved(values_[i]);
    }
    batch_.clear();
  }
  first_pending_ = values_.size();
}

TermId TermReader::settled(TermId value) {
  if (!ir::TermBatch::is_pending(value)) return value;
  push_value(value);
  settle();
  value = values_.back();
  values_.pop_back();
  return value;
}

// Who a name means when it is applied: a local function, a declared one, an operator, a tester.
TermId TermReader::apply_frame(const Frame& frame, std::span<TermId> args) {
  const std::span<const uint32_t> indices(indices_.data() + frame.indices,
                                          indices_.size() - frame.indices);
  if (frame.is_unknown) {
    if (indices.empty()) {
      const std::string_view name = store_.symbols().text(frame.head);
      if (const TermId term = apply_tester(name, args); term.valid()) return term;
    }
    return unknown_call(frame, args);
  }
  if (indices.empty()) {
    // A local name hides functions, but not operators.
    if (const TermId local = r_.scope.local(frame.head); local.valid()) {
      if (const TermId term = apply_value(local, args); term.valid()) return term;
    } else if (const FunId fun = r_.scope.function(frame.head); fun.valid()) {
      if (const TermId term = apply_function(fun, frame.as, args); term.valid()) return term;
    }
  }
  if (const auto ops = store_.ops().named(frame.head); !ops.empty()) {
    const TermId term = ir::apply(store_, {ops, indices, frame.as}, args);
    if (term.valid()) return term;
  }
  return mismatch(frame, args);
}

// An overload that takes the arguments as they are goes before one that wants conversions. Those
// are tried on the newest only: a name may have any number of overloads.
TermId TermReader::apply_function(FunId newest, SortId as, std::span<TermId> args) {
  constexpr uint32_t kMostTried = 64;
  std::vector<SortId> sorts;
  for (const TermId arg : args) sorts.push_back(store_.sort(arg));
  const FunId same = r_.scope.same_signature(store_.fun(newest).name, sorts);
  if (same.valid()) {
    if (const TermId term = ir::call(store_, same, args, as); term.valid()) return term;
  }
  std::vector<TermId> attempt;
  uint32_t tried = 0;
  for (FunId fun = newest; fun.valid() && tried < kMostTried; fun = r_.scope.overload(fun)) {
    ++tried;
    attempt.assign(args.begin(), args.end());
    if (const TermId term = ir::call(store_, fun, attempt, as); term.valid()) return term;
  }
  tried = 0;
  for (FunId fun = newest; fun.valid() && tried < kMostTried; fun = r_.scope.overload(fun)) {
    ++tried;
    if (const TermId term = apply_partially(fun, args); term.valid()) return term;
  }
  return {};
}

// Higher order: a constant of a function sort, or fewer arguments than parameters.
TermId TermReader::apply_partially(FunId fun, std::span<TermId> args) {
  const ir::FunDecl& decl = store_.fun(fun);
  if (decl.constant.valid()) return apply_value(decl.constant, args);
  if (decl.polymorphic) return {};
  if (args.size() < decl.param_count) {
    const TermId value = ir::function_value(store_, fun);
    return value.valid() ? apply_value(value, args) : TermId{};
  }
  // More arguments than parameters: the result is a function in its turn.
  if (args.size() == decl.param_count || store_.sorts().kind(decl.result) != SortKind::kFunction) {
    return {};
  }
  const TermId first = ir::call(store_, fun, args.first(decl.param_count));
  return first.valid() ? apply_value(first, args.subspan(decl.param_count)) : TermId{};
}

TermId TermReader::apply_value(TermId function, std::span<TermId> args) {
  std::vector<TermId> parts = {function};
  parts.insert(parts.end(), args.begin(), args.end());
  // z3's functions as values are arrays.
  const bool is_array = store_.sorts().kind(store_.sort(function)) == SortKind::kArray;
  const Op ops[] = {is_array ? Op::kSelect : Op::kHoApply};
  return ir::apply(store_, ir::Head{ops}, parts);
}

// is-cons, the old spelling of (_ is cons).
TermId TermReader::apply_tester(std::string_view name, std::span<TermId> args) {
  if (!name.starts_with("is-")) return {};
  const SymbolId symbol = store_.symbols().find(name.substr(3));
  if (!symbol.valid()) return {};
  const FunId constructor = datatype_function(symbol, FunKind::kConstructor);
  if (!constructor.valid()) return {};
  const Op ops[] = {Op::kIs};
  const uint32_t indices[] = {constructor.value};
  return ir::apply(store_, {ops, indices}, args);
}

TermId TermReader::unknown_call(const Frame& frame, std::span<TermId> args) {
  std::string head;
  ir::append_symbol(head, store_.symbols(), frame.head);
  if (indices_.size() > frame.indices) {
    head = "(_ " + head;
    for (size_t i = frame.indices; i < indices_.size(); ++i) {
      head += ' ';
      const uint32_t index = indices_[i];
      if ((index & ir::kSymbolIndex) != 0) {
        head += store_.symbols().text(SymbolId{index & ~ir::kSymbolIndex});
      } else {
        head += std::to_string(index);
      }
    }
    head += ')';
  }
  if (frame.as.valid()) head = "(as " + head + ' ' + ir::describe_sort(store_, frame.as) + ')';
  if (r_.strict) {
    r_.fail(frame.start, ErrorKind::kUnsupported,
            fmt::format("unknown operator '{}'", r_.shown(frame.head)));
    return {};
  }
  r_.warn(frame.start,
          fmt::format("unknown operator '{}' is carried through", r_.shown(frame.head)));
  const SortId sort = frame.as.valid() ? frame.as : ir::kUnknownSort;
  return store_.make(Op::kUnknownCall, sort, store_.symbols().intern(head).value, args);
}

// Says so when the trouble is with the indices rather than with the arguments.
bool TermReader::wrong_indices(const Frame& frame) {
  const auto ops = store_.ops().named(frame.head);
  const size_t count = indices_.size() - frame.indices;
  if (ops.empty() || (count == 0 && r_.scope.function(frame.head).valid())) return false;
  const ir::Signature& first = store_.ops().info(ops[0]).signatures[0];
  if ((first.rule == ir::Rule::kIs || first.rule == ir::Rule::kUpdate) && count == 1) {
    const uint32_t index = indices_.back();
    const bool is_name = (index & ir::kSymbolIndex) != 0;
    const FunKind wanted = first.rule == ir::Rule::kIs ? FunKind::kConstructor : FunKind::kSelector;
    if (!is_name && store_.fun(FunId{index}).kind == wanted) return false;
    const SymbolId name =
        is_name ? SymbolId{index & ~ir::kSymbolIndex} : store_.fun(FunId{index}).name;
    r_.fail_type(frame.start,
                 fmt::format("'{}' is no {}", r_.shown(name),
                             wanted == FunKind::kConstructor ? "constructor" : "selector"));
    return true;
  }
  for (const Op op : ops) {
    for (const ir::Signature& signature : store_.ops().info(op).signatures) {
      if (signature.own_indices == count || signature.rule != ir::Rule::kNone) return false;
    }
  }
  r_.fail_type(frame.start, fmt::format("'{}' has {} indices, not {}", r_.shown(frame.head),
                                        first.own_indices, count));
  return true;
}

TermId TermReader::mismatch(const Frame& frame, std::span<TermId> args) {
  constexpr size_t kEnough = 400;
  const std::string name = r_.shown(frame.head);
  if (wrong_indices(frame)) return {};
  std::string wanted;
  const auto add = [&](std::string_view text) {
    if (wanted.size() > kEnough) return;
    wanted += wanted.empty() ? "" : " or ";
    wanted += text;
  };
  for (FunId fun = r_.scope.function(frame.head); fun.valid() && wanted.size() < kEnough;
       fun = r_.scope.overload(fun)) {
    std::string text = "(" + name;
    for (const SortId param : store_.params(fun)) text += ' ' + r_.shown(param);
    add(text + ")");
  }
  for (const Op op : store_.ops().named(frame.head)) {
    for (const auto& signature : store_.ops().info(op).signatures) add(signature.text);
  }
  if (wanted.empty()) {
    r_.fail_type(frame.start, fmt::format("'{}' is no function", name));
  } else {
    r_.fail_type(frame.start,
                 fmt::format("'{}' cannot take {}: it is {}", name,
                             base::shown(ir::describe_sorts(store_, args), 400), wanted));
  }
  return {};
}

// --- Going on after an error. ---

// The names of a let are gone from the text that is printed. So where the frame's text mentions
// one, the lets around have to be kept, all of them, as one may mention the names of another.
size_t TermReader::frame_to_keep(size_t frame, std::string_view text) const {
  std::unordered_set<uint32_t> names;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (is_symbol(token)) names.insert(store_.symbols().find(token.text).value);
  }
  if (!r_.scope.any_let(names)) return frame;
  const auto is_let = [](const Frame& other) { return other.kind == Kind::kLetBody; };
  const auto outermost = std::find_if(frames_.begin(), frames_.end(), is_let);
  return std::min(frame, static_cast<size_t>(outermost - frames_.begin()));
}

// The text of the frame's expression, or none when it does not end.
std::string_view TermReader::text_of(const Frame& frame) {
  r_.lexer.rewind(frame.start);
  if (!r_.lexer.skip_expression()) return {};
  const std::string_view text = r_.lexer.text(frame.start, r_.lexer.offset());
  reread_ += text.size();
  return text;
}

// Keeps the innermost application of an unknown operator, or a pattern, as text. Gives the term
// that replaces it, or none when there is nothing of the kind and the error stands. Where nested
// expressions fail one after the other, each reads the inner ones again; a script that goes on like
// that loses its outermost expression instead.
TermId TermReader::recover() {
  constexpr uint64_t kMaxReread = 100'000'000;
  if (r_.strict) return {};
  const auto is_recoverable = [](const Frame& frame) {
    return frame.is_unknown || frame.kind == Kind::kPattern;
  };
  const auto outermost = std::find_if(frames_.begin(), frames_.end(), is_recoverable);
  if (outermost == frames_.end()) return {};
  const auto innermost = std::find_if(frames_.rbegin(), frames_.rend(), is_recoverable);
  const auto found = reread_ > kMaxReread ? outermost : std::prev(innermost.base());
  const Frame unknown = *found;
  std::string_view text = text_of(unknown);
  if (text.empty()) return {};
  const size_t kept = frame_to_keep(static_cast<size_t>(found - frames_.begin()), text);
  const Frame frame = frames_[kept];
  if (frame.start != unknown.start) text = text_of(frame);
  if (text.empty()) return {};
  r_.forgive();
  frames_.resize(kept + 1);
  if (frame.kind == Kind::kPattern) {
    r_.warn(frame.start, "a pattern that is no list of terms is carried through");
    drop_frame(frame);
    annotate(values_.back(), frame.head, store_.symbols().intern(text), {});
    const TermId term = values_.back();
    values_.pop_back();
    return term;
  }
  r_.warn(unknown.start, fmt::format("an expression with unknown operator '{}' is carried through",
                                     r_.shown(unknown.head)));
  drop_frame(frame);
  return store_.make(Op::kUnknownText, ir::kUnknownSort, store_.symbols().intern(text).value, {});
}

}  // namespace elenchus::smtlib
