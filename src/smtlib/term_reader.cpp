// The term reader is a stack machine. step() consumes one token: an atom is a finished term, an
// opening parenthesis pushes a group, a closing one finishes an application. A finished term is
// delivered to the group on top, which may thereby finish in turn (the body of a let, say).
//
// `let` disappears: the name stands for the term. A bound variable is known by its name, its sort
// and how many binders around it bind the same name, so that equal quantified terms are one term
// and an inner variable is never taken for an outer one of its name.
//
// What we do not know is carried through. An application of an unknown operator keeps its
// arguments; when those do not read as terms, the innermost such application is kept as text.
#include "smtlib/term_reader.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "ir/apply.h"

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
      if (groups_.empty()) return term;
      if (groups_.back().kind == Kind::kApply) {  // the usual case of deliver()
        push_value(term);
        break;
      }
      term = deliver(term);
      // Each recovery removes a group, so this ends.
      if (r_.failed()) term = recover();
    }
    if (r_.failed()) break;
  }
  groups_.clear();
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

// --- Opening parentheses. ---

TermReader::Group& TermReader::push(Kind kind, uint32_t start) {
  Group& group = groups_.emplace_back();
  group.kind = kind;
  group.start = start;
  group.values = static_cast<uint32_t>(values_.size());
  group.locals = r_.scope.local_count();
  group.indices = static_cast<uint32_t>(indices_.size());
  group.names = static_cast<uint32_t>(names_.size());
  return group;
}

bool TermReader::is_known_head(SymbolId name) const {
  return r_.scope.local(name).valid() || r_.scope.function(name).valid() ||
         !r_.ops_named(name).empty();
}

void TermReader::open_apply(SymbolId head, uint32_t start) {
  Group& group = push(Kind::kApply, start);
  group.head = head;
  group.function = r_.scope.function(head);
  group.is_unknown =
      !group.function.valid() && r_.ops_named(head).empty() && !r_.scope.local(head).valid();
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
      Group& group = push(Kind::kApply, start);
      group.is_unknown = true;
      return r_.fail_parse(inner, "qualified and indexed operator");
    }
    const SymbolId name = r_.expect_symbol("a name");
    if (!name.valid()) return false;
    open_apply(name, start);
    if (indexed) return read_indices(name);
    const SortId sort = r_.read_sort();
    if (!sort.valid()) return false;
    groups_.back().as = sort;
    return r_.expect_close("')' after the sort");
  }
  push(Kind::kApplyTerm, start);
  r_.lexer.rewind(inner);
  return true;
}

bool TermReader::open_let(uint32_t start) {
  Group& group = push(Kind::kLetValue, start);
  if (!r_.expect_open("'(' before the bindings of let")) return false;
  return next_let_value(group);
}

// Another binding, or the end of the list: then the names become visible, all at once.
bool TermReader::next_let_value(Group& group) {
  const Token token = r_.lexer.next();
  if (token.kind == TokenKind::kOpen) {
    const SymbolId name = r_.expect_symbol("a name to bind");
    if (!name.valid()) return false;
    names_.push_back(name);
    return true;
  }
  if (token.kind != TokenKind::kClose) return r_.fail_token(token, "a binding or ')'");
  const size_t count = names_.size() - group.names;
  for (size_t i = 0; i < count; ++i) {
    r_.scope.bind_local(names_[group.names + i], values_[group.values + i], false);
  }
  shrink(names_, group.names);
  shrink(values_, group.values);
  group.kind = Kind::kLetBody;
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
  groups_.back().names = static_cast<uint32_t>(values_.size());
  return true;
}

// --- Finished values. ---

TermId TermReader::deliver(TermId value) {
  Group& group = groups_.back();
  if (group.kind == Kind::kApply) {
    push_value(value);
    return {};
  }
  value = settled(value);
  values_.push_back(value);
  switch (group.kind) {
    case Kind::kApply:
    case Kind::kApplyTerm:
    case Kind::kPattern: return {};
    case Kind::kLetValue:
      if (r_.expect_close("')' after the value of a binding")) next_let_value(group);
      return {};
    case Kind::kLetBody: {
      if (!r_.expect_close("')' after the body of let")) return {};
      const Group done = group;
      drop_group(done);
      return value;
    }
    case Kind::kBinder: {
      // A comprehension has two terms after its variables.
      const bool more = group.binder == Op::kComprehension && values_.size() == group.names + 1;
      if (more && r_.lexer.peek() != ')') return {};
      if (!r_.expect_close("')' after the body of a binder")) return {};
      return finish_binder(group);
    }
    case Kind::kAnnotation: return finish_annotation();
    case Kind::kMatch:
      if (r_.expect_open("'(' before the cases of match")) open_case(group);
      return {};
    case Kind::kCase: {
      if (!r_.expect_close("')' after a case")) return {};
      const Group done = group;
      const std::vector<TermId> parts(values_.begin() + done.values, values_.end());
      const TermId term =
          store_.make(Op::kMatchCase, store_.sort(value), done.constructor.value, parts);
      drop_group(done);
      values_.push_back(term);
      if (r_.lexer.peek() == '(') {
        open_case(groups_.back());
        return {};
      }
      if (!r_.expect_close("')' after the cases") || !r_.expect_close("')' after match")) return {};
      return finish_match(groups_.back());
    }
  }
  return {};
}

void TermReader::drop_group(const Group& group) {
  r_.scope.unbind_locals(group.locals);
  shrink(values_, group.values);
  if (group.kind != Kind::kBinder) shrink(names_, group.names);
  shrink(indices_, group.indices);
  groups_.pop_back();
}

// The usual case of close(): an application that can wait.
TermId TermReader::close_apply(const Group& group) {
  if (group.kind != Kind::kApply) return {};
  const TermId term = apply_later(group, std::span(values_).subspan(group.values));
  if (term.valid()) drop_group(group);
  return term;
}

TermId TermReader::close(const Token& token) {
  if (groups_.empty()) {
    r_.fail_token(token, "a term");
    return {};
  }
  if (const TermId term = close_apply(groups_.back()); term.valid()) return term;
  const Group group = groups_.back();
  if (group.kind == Kind::kPattern) {
    const std::vector<TermId> patterns(values_.begin() + group.values, values_.end());
    drop_group(group);
    const SymbolId text = patterns.empty() ? store_.symbols().intern("()") : SymbolId{};
    annotate(values_.back(), group.head, text, patterns);
    const TermId term = values_.back();
    values_.pop_back();
    return deliver(term);
  }
  if (group.kind != Kind::kApply && group.kind != Kind::kApplyTerm) {
    r_.fail_token(token, "a term");
    return {};
  }
  settle();
  std::span<TermId> args(values_.data() + group.values, values_.size() - group.values);
  TermId term;
  if (group.kind == Kind::kApplyTerm) {
    term = args.size() < 2 ? TermId{} : apply_value(args[0], args.subspan(1));
    if (!term.valid()) {
      r_.fail_type(group.start, fmt::format("a term of sort {} cannot be applied to {}",
                                            r_.shown(store_.sort(args[0])),
                                            ir::describe_sorts(store_, args.subspan(1))));
    }
  } else if (args.empty() && group.is_unknown && !r_.strict) {
    r_.warn(group.start,
            fmt::format("unknown operator '{}' is carried through", r_.shown(group.head)));
    const SymbolId text = store_.symbols().intern(r_.lexer.text(group.start, r_.lexer.offset()));
    term = store_.make(Op::kUnknownText, ir::kUnknownSort, text.value, {});
  } else if (args.empty()) {
    term = apply_to_nothing(group);
  } else {
    term = apply_group(group, args);
  }
  if (!term.valid()) return {};
  drop_group(group);
  return term;
}

TermId TermReader::finish_binder(const Group& group) {
  const Group done = group;
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
    // In models it is mostly z3's notation for an array.
    sort = store_.sorts().make(r_.from_solver ? SortKind::kArray : SortKind::kFunction, signature);
  } else if (body_sort != ir::kBoolSort && body_sort != ir::kUnknownSort) {
    r_.fail_type(done.start,
                 fmt::format("the body of this binder has sort {}, not Bool", r_.shown(body_sort)));
    return {};
  } else if (done.binder == Op::kChoice) {
    sort = store_.sort(variables[0]);
  } else if (done.binder == Op::kComprehension) {
    if (parts.size() != variables.size() + 2) {
      r_.fail_parse(done.start, "a comprehension needs a condition and an element");
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
  drop_group(done);
  return term;
}

// The annotated term is the group's value; attributes follow until the closing parenthesis.
TermId TermReader::finish_annotation() {
  for (;;) {
    const Token token = r_.lexer.next();
    if (token.kind == TokenKind::kClose) {
      const TermId term = values_.back();
      drop_group(Group(groups_.back()));
      return term;
    }
    if (token.kind != TokenKind::kKeyword) {
      r_.fail_token(token, "an attribute or ')'");
      return {};
    }
    const size_t depth = groups_.size();
    if (!read_attribute(token) || groups_.size() > depth) return {};
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
  if (keyword.text == ":named") return read_named(groups_.back());
  SymbolId value;
  if (next != ')' && next != ':') {
    std::string_view text;
    if (!r_.expect_text(text)) return false;
    value = store_.symbols().intern(text);
  }
  annotate(values_.back(), word, value, {});
  return true;
}

bool TermReader::read_named(Group& group) {
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a name");
  if (!name.valid()) return false;
  if (r_.scope.same_signature(name, {}).valid()) {
    return r_.fail_type(offset, fmt::format("'{}' is declared already", r_.shown(name)));
  }
  const TermId term = values_[group.values];
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

// --- Going on after an error. ---

// The names of a let are gone from the text that is printed. So where the group's text mentions
// one, the lets around have to be kept, all of them, as one may mention the names of another.
size_t TermReader::group_to_keep(size_t group, std::string_view text) const {
  std::unordered_set<uint32_t> names;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (is_symbol(token)) names.insert(store_.symbols().find(token.text).value);
  }
  if (!r_.scope.any_let(names)) return group;
  const auto is_let = [](const Group& other) { return other.kind == Kind::kLetBody; };
  const auto outermost = std::find_if(groups_.begin(), groups_.end(), is_let);
  return std::min(group, static_cast<size_t>(outermost - groups_.begin()));
}

// The text of the group's expression, or none when it does not end.
std::string_view TermReader::text_of(const Group& group) {
  r_.lexer.rewind(group.start);
  if (!r_.lexer.skip_expression()) return {};
  const std::string_view text = r_.lexer.text(group.start, r_.lexer.offset());
  reread_ += text.size();
  return text;
}

// The group that is kept as text, or as many as there are groups. Where nested expressions fail one
// after the other, each reads the inner ones again; a script that goes on like that loses its
// outermost expression instead.
size_t TermReader::recoverable_group() const {
  constexpr uint64_t kMaxReread = 100'000'000;
  const auto is_recoverable = [](const Group& group) {
    return group.is_unknown || group.kind == Kind::kPattern;
  };
  const auto outermost = std::find_if(groups_.begin(), groups_.end(), is_recoverable);
  if (outermost == groups_.end() || reread_ > kMaxReread) {
    return static_cast<size_t>(outermost - groups_.begin());
  }
  const auto innermost = std::find_if(groups_.rbegin(), groups_.rend(), is_recoverable);
  return static_cast<size_t>(groups_.rend() - innermost) - 1;
}

// Keeps the innermost application of an unknown operator, or a pattern, as text. Gives the term
// that replaces it, or none when there is nothing of the kind and the error stands.
TermId TermReader::recover() {
  if (r_.strict) return {};
  const size_t found = recoverable_group();
  if (found == groups_.size()) return {};
  const Group unknown = groups_[found];
  std::string_view text = text_of(unknown);
  if (text.empty()) return {};
  const size_t kept = group_to_keep(found, text);
  const Group group = groups_[kept];
  if (group.start != unknown.start) text = text_of(group);
  if (text.empty()) return {};
  r_.forgive();
  groups_.resize(kept + 1);
  drop_group(group);
  const SymbolId carried = store_.symbols().intern(text);
  if (group.kind == Kind::kPattern) {
    r_.warn(group.start, "a pattern that is not a list of terms is carried through");
    annotate(values_.back(), group.head, carried, {});
    const TermId term = values_.back();
    values_.pop_back();
    return term;
  }
  r_.warn(unknown.start, fmt::format("an expression with unknown operator '{}' is carried through",
                                     r_.shown(unknown.head)));
  return store_.make(Op::kUnknownText, ir::kUnknownSort, carried.value, {});
}

}  // namespace elenchus::smtlib
