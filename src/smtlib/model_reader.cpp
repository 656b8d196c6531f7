// A model is read in two rounds, since its definitions may use each other in any order: first the
// names and their sorts, then the bodies.
#include "smtlib/model_reader.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "ir/alike.h"
#include "ir/apply.h"
#include "ir/walk.h"
#include "smtlib/reader.h"
#include "smtlib/term_reader.h"

namespace elenchus::smtlib {
namespace {

using ir::FunId;
using ir::FunKind;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

// cvc5 names the elements of sorts with longer names (as @|a b|_0 |a b|) and (as @(S Int)_0 (S
// Int)). Makes symbols of them, of the same length, so that places in messages stay right.
std::string with_plain_elements(std::string_view text) {
  constexpr std::string_view kMark = "(as @";
  std::string plain(text);
  for (size_t at = plain.find(kMark); at != std::string::npos; at = plain.find(kMark, at + 1)) {
    const size_t start = at + kMark.size();
    const char first = start < plain.size() ? plain[start] : '\0';
    if (first != '|' && first != '(') continue;
    Lexer lexer(text);
    lexer.rewind(static_cast<uint32_t>(start));
    if (!lexer.skip_expression()) continue;
    for (size_t i = start; i < lexer.offset(); ++i) {
      constexpr std::string_view kOthers = "|() \t\r\n\"\\;";
      if (kOthers.find(plain[i]) != std::string_view::npos) plain[i] = '_';
    }
  }
  return plain;
}

class ModelReader {
 public:
  ModelReader(ir::TermStore& store, std::string_view text, const AnswerText& part, Strings strings)
      : store_(store),
        text_(with_plain_elements(text.substr(0, part.model_end))),
        r_(store, text_),
        terms_(r_),
        part_(part) {
    r_.from_solver = true;
    r_.raw_strings = strings == Strings::kRaw;
  }

  base::Result<ir::Model> read(const ir::Script& script, size_t check) {
    r_.add_declarations(script, check);
    add_sort_parameters(script, check);
    const bool good = find_elements() && read_parts() && read_bodies();
    if (!good) return r_.take_error();
    read_cardinalities();
    model_.warnings = r_.take_warnings();
    model_.has_escapes = r_.has_escapes;
    return std::move(model_);
  }

 private:
  // A definition whose body is still to be read.
  struct Pending {
    FunId fun;                    // or
    std::span<const ir::Op> ops;  // what the name of an operator may mean
    SortId result;
    uint32_t formals = 0;  // where they start in the text; 0 for none
    uint32_t body = 0;
    uint32_t name = 0;
  };

  std::string_view text() const { return r_.lexer.text(part_.model_start, part_.model_end); }

  void add_sort_parameters(const ir::Script& script, size_t end);

  // --- Elements of uninterpreted sorts. ---

  bool find_elements();
  void read_element_after_as();
  void read_plain_element(std::string_view name);
  ir::Universe& universe(SortId sort);
  void add_element(SymbolId name, SortId sort);
  void read_cardinalities();
  SortId plain_sort(std::string_view name);

  // --- The first round. ---

  bool read_parts();
  bool opens_list();
  bool read_part();
  bool read_definition();
  bool read_declaration(bool has_parameters);
  bool read_axiom(uint32_t start);
  bool read_pair();
  bool read_sort_declaration();
  bool skip_rest(uint32_t start);
  bool skip_value();
  bool add_definition(const Pending& pending, SymbolId name, std::span<const SortId> params);
  FunId script_function(SymbolId name, std::span<const SortId> params, SortId result,
                        uint32_t offset);
  bool fits(SortId given, SortId declared) const;
  std::string signature_of(FunId fun) const;
  bool is_array_of(FunId constant, std::span<const SortId> params, SortId result);

  // --- The second round. ---

  bool read_bodies();
  bool read_body(const Pending& pending);
  bool truncates(TermId body);
  TermId lambda(std::vector<TermId>& formals, TermId body);

  ir::TermStore& store_;
  const std::string text_;
  Reader r_;
  TermReader terms_;
  AnswerText part_;
  ir::Model model_;
  std::unordered_map<uint32_t, size_t> universe_of_;  // by sort
  std::vector<Pending> pending_;
  uint32_t list_ = 0;                               // how many lists of definitions were opened
  std::unordered_map<uint32_t, uint32_t> defined_;  // by function: in which list
  std::unordered_set<uint32_t> own_;                // functions that only the model has
};

// Those that the script declares: a model may name them.
void ModelReader::add_sort_parameters(const ir::Script& script, size_t end) {
  for (size_t i = 0; i < std::min(end, script.commands.size()); ++i) {
    const ir::Command& command = script.commands[i];
    if (command.kind != ir::CommandKind::kDeclareSortParameter) continue;
    const SymbolId name{script.items(command)[0]};
    const SortId sort = store_.sorts().make(SortKind::kParameter, name.value, 0, {});
    r_.scope.add_sort(name, {SortName::Kind::kParameter, 0, {}, sort, {}});
  }
}

// --- Elements. ---

ir::Universe& ModelReader::universe(SortId sort) {
  const auto [known, is_new] = universe_of_.emplace(sort.value, model_.universes.size());
  if (is_new) model_.universes.push_back({sort, {}, false});
  return model_.universes[known->second];
}

void ModelReader::add_element(SymbolId name, SortId sort) {
  if (!sort.valid() || store_.sorts().kind(sort) != SortKind::kUninterpreted) return;
  for (FunId old = r_.scope.function(name); old.valid(); old = r_.scope.overload(old)) {
    if (store_.fun(old).param_count == 0 && store_.fun(old).result == sort) return;
  }
  const FunId fun = store_.declare(name, FunKind::kDeclared, {}, sort);
  r_.scope.add_function(fun);
  universe(sort).elements.push_back(fun);
}

// An uninterpreted sort without parameters.
SortId ModelReader::plain_sort(std::string_view name) {
  const SymbolId symbol = store_.symbols().find(name);
  const SortName* known = symbol.valid() ? r_.scope.sort_name(symbol) : nullptr;
  if (known == nullptr || known->kind != SortName::Kind::kUninterpreted || known->arity != 0) {
    return {};
  }
  return store_.sorts().make(SortKind::kUninterpreted, symbol.value, 0, {});
}

// @uc_U_0 of cvc4 and U!val!0 of z3 name their sort.
void ModelReader::read_plain_element(std::string_view name) {
  std::string_view sort;
  if (name.starts_with("@uc_")) {
    sort = name.substr(4, name.rfind('_') - 4);
  } else if (const size_t mark = name.rfind("!val!"); mark != std::string_view::npos) {
    sort = name.substr(0, mark);
  }
  if (!sort.empty()) add_element(store_.symbols().intern(name), plain_sort(sort));
}

// (as @U_0 U) of cvc5. What is wrong with other uses of `as` is found when terms are read.
void ModelReader::read_element_after_as() {
  const uint32_t start = r_.lexer.offset();
  const Token name = r_.lexer.next();
  if (is_symbol(name) && name.text.starts_with('@')) {
    const SortId sort = r_.read_sort();
    if (!r_.failed()) add_element(store_.symbols().intern(name.text), sort);
    r_.forgive();
  }
  r_.lexer.rewind(start);
}

// Also looks into comments: cvc5 lists the elements there, "; rep: (as @U_0 U)".
bool ModelReader::find_elements() {
  r_.lexer.rewind(part_.model_start);
  for (Token token = r_.lexer.next(); token.kind != TokenKind::kEnd; token = r_.lexer.next()) {
    // Reported, if it matters, by the readers.
    if (token.kind == TokenKind::kError) r_.lexer.rewind(token.offset + 1);
    if (token.kind == TokenKind::kSymbol && token.text == "as") read_element_after_as();
    if (is_symbol(token)) read_plain_element(token.text);
  }
  constexpr std::string_view kMark = "; rep: ";
  const std::string_view whole = r_.lexer.text(0, part_.model_end);
  for (size_t at = whole.find(kMark, part_.model_start); at != std::string_view::npos;
       at = whole.find(kMark, at + 1)) {
    r_.lexer.rewind(static_cast<uint32_t>(at + kMark.size()));
    const Token token = r_.lexer.next();
    if (is_symbol(token)) read_plain_element(token.text);
    if (token.kind == TokenKind::kOpen && r_.lexer.next().text == "as") read_element_after_as();
  }
  r_.lexer.rewind(part_.model_start);
  return true;
}

// cvc4 and cvc5 say in a comment how many elements a sort has: "; cardinality of U is 2".
void ModelReader::read_cardinalities() {
  constexpr std::string_view kMark = "; cardinality of ";
  const std::string_view model = text();
  std::unordered_set<std::string_view> lines;
  for (size_t at = model.find(kMark); at != std::string_view::npos;
       at = model.find(kMark, at + 1)) {
    lines.insert(model.substr(at, model.find_first_of("\r\n", at) - at));
  }
  for (ir::Universe& known : model_.universes) {
    const std::string line = fmt::format("{}{} is {}", kMark, ir::describe_sort(store_, known.sort),
                                         known.elements.size());
    known.is_complete |= lines.contains(line);
  }
}

// --- The first round. ---

// Definitions inside parentheses, maybe after the word `model`, or without. Values may follow that
// were asked for besides.
bool ModelReader::read_parts() {
  r_.lexer.rewind(part_.model_start);
  bool is_inside = false;
  for (;;) {
    const uint32_t before = r_.lexer.offset();
    const Token token = r_.lexer.next();
    if (token.kind == TokenKind::kEnd && !is_inside) return true;
    if (token.kind == TokenKind::kClose && is_inside) {
      is_inside = false;
      continue;
    }
    if (!is_inside && token.kind != TokenKind::kOpen) {
      r_.lexer.rewind(token.offset);
      skip_line(r_.lexer, text_);
      continue;
    }
    if (token.kind != TokenKind::kOpen) return r_.fail_token(token, "'(' before a definition");
    if (!is_inside && opens_list()) {
      is_inside = true;
      ++list_;
      continue;
    }
    r_.lexer.rewind(before);
    if (!read_part()) return false;
  }
}

// After "(": whether definitions follow, and not the inside of one.
bool ModelReader::opens_list() {
  const char next = r_.lexer.peek();
  if (next == '(' || next == ')') return true;
  const uint32_t start = r_.lexer.offset();
  const Token token = r_.lexer.next();
  if (token.kind == TokenKind::kSymbol && token.text == "model") return true;
  r_.lexer.rewind(start);
  return false;
}

bool ModelReader::read_part() {
  r_.lexer.peek();
  const uint32_t start = r_.lexer.offset();
  r_.lexer.next();
  const uint32_t inside = r_.lexer.offset();
  const Token head = r_.lexer.next();
  if (is_other_output(head)) return skip_rest(start);
  if (head.kind != TokenKind::kOpen && !is_symbol(head)) return r_.fail_token(head, "define-fun");
  const std::string_view word = head.text;
  if (word == "define-fun" || word == "define-fun-rec") return read_definition();
  if (word == "declare-fun") return read_declaration(true);
  if (word == "declare-const") return read_declaration(false);
  if (word == "forall") return read_axiom(start);
  if (word == "=") return read_pair();  // (= x 5), as yices writes
  if (word == "declare-sort") return read_sort_declaration();
  const bool is_known = word == "declare-datatypes" || word == "declare-datatype" ||
                        word == "define-sort" || word == "function";
  if (is_known) {
    if (word == "function") r_.warn(start, "a function in the notation of yices is not read");
    return skip_rest(start);
  }
  r_.lexer.rewind(inside);
  return read_pair();
}

bool ModelReader::skip_rest(uint32_t start) {
  r_.lexer.rewind(start);
  if (r_.lexer.skip_expression()) return true;
  return r_.fail_parse(r_.lexer.error().offset, std::string(r_.lexer.error().text));
}

bool ModelReader::skip_value() {
  const uint32_t start = r_.lexer.offset();
  return skip_printed(r_.lexer) || skip_rest(start);
}

// cvc4 also declares sorts that the script does not have, such as the parameters of others.
bool ModelReader::read_sort_declaration() {
  const SymbolId name = r_.expect_symbol("a sort's name");
  uint32_t arity = 0;
  if (!name.valid() || !r_.expect_number("the number of parameters", arity)) return false;
  if (r_.scope.sort_name(name) == nullptr) {
    r_.scope.add_sort(name, {SortName::Kind::kUninterpreted, arity, {}, {}, {}});
  }
  return r_.expect_close("')' after the declaration");
}

// (define-fun f ((x Int) ...) S body), after the word.
bool ModelReader::read_definition() {
  Pending pending;
  const char first = r_.lexer.peek();
  pending.name = r_.lexer.offset();
  // z3 prints the symbol || as nothing at all.
  const SymbolId name =
      first == '(' ? store_.symbols().intern("") : r_.expect_symbol("a function's name");
  if (!name.valid()) return false;
  pending.formals = r_.lexer.offset();
  const uint32_t locals = r_.scope.local_count();
  std::vector<TermId> variables;
  bool good = terms_.read_variables(variables);
  r_.scope.unbind_locals(locals);
  const bool is_operator = !r_.ops_named(name).empty();
  if (!good && is_operator) {
    // z3 writes (x!0 Seq) for the parameters of seq.nth_u. A body that does not use them will do.
    r_.forgive();
    r_.lexer.rewind(pending.formals);
    if (!r_.lexer.skip_expression()) return skip_rest(pending.formals);
    pending.formals = 0;
    good = true;
  }
  if (!good) return false;
  pending.result = r_.read_sort();
  if (!pending.result.valid()) return false;
  r_.lexer.peek();
  pending.body = r_.lexer.offset();
  if (!skip_value()) return false;
  if (!r_.expect_close("')' after the definition")) return false;
  std::vector<SortId> params;
  params.reserve(variables.size());
  for (const TermId variable : variables) params.push_back(store_.sort(variable));
  return add_definition(pending, name, params);
}

// Whether values of one sort are values of the other: it may be a set for an array of Booleans, or
// an array for a function, and integers are reals.
bool ModelReader::fits(SortId given, SortId declared) const {
  const ir::SortTable& sorts = store_.sorts();
  if (given == ir::kIntSort && declared == ir::kRealSort) return true;
  if (sorts.kind(given) == SortKind::kArray && sorts.kind(declared) == SortKind::kFunction) {
    const auto parts = sorts.children(given);
    const auto wanted = sorts.children(declared);
    return std::equal(parts.begin(), parts.end(), wanted.begin(), wanted.end());
  }
  return ir::are_alike(sorts, given, declared);
}

std::string ModelReader::signature_of(FunId fun) const {
  std::string text;
  for (const SortId param : store_.params(fun)) text += (text.empty() ? "" : " ") + r_.shown(param);
  const std::string result = r_.shown(store_.fun(fun).result);
  return text.empty() ? result : fmt::format("({}) {}", text, result);
}

// Boolector prints an array as a function.
bool ModelReader::is_array_of(FunId constant, std::span<const SortId> params, SortId result) {
  const SortId sort = store_.fun(constant).result;
  if (store_.fun(constant).param_count != 0 || params.empty()) return false;
  std::vector<SortId> parts(params.begin(), params.end());
  parts.push_back(result);
  return fits(store_.sorts().make(SortKind::kArray, parts), sort);
}

// The function of the script that a definition is for; none, and maybe a failure, if there is none.
FunId ModelReader::script_function(SymbolId name, std::span<const SortId> params, SortId result,
                                   uint32_t offset) {
  FunId found;
  FunId other;
  for (FunId fun = r_.scope.function(name); fun.valid() && !found.valid();
       fun = r_.scope.overload(fun)) {
    const auto declared = store_.params(fun);
    const bool same = std::equal(params.begin(), params.end(), declared.begin(), declared.end(),
                                 [&](SortId a, SortId b) { return fits(a, b); });
    (same ? found : other) = fun;
  }
  if (!found.valid() && !other.valid()) return {};
  if (!found.valid() && store_.fun(other).polymorphic) return other;
  if (found.valid() && fits(result, store_.fun(found).result)) return found;
  if (other.valid() && is_array_of(other, params, result)) return other;
  const FunId declared = found.valid() ? found : other;
  if (store_.fun(declared).kind == FunKind::kDeclared && !own_.contains(declared.value)) {
    r_.fail_type(offset,
                 fmt::format("the model gives '{}' another sort than the script, where it is {}",
                             r_.shown(name), signature_of(declared)));
  }
  return {};
}

bool ModelReader::add_definition(const Pending& definition, SymbolId name,
                                 std::span<const SortId> params) {
  Pending pending = definition;
  pending.fun = script_function(name, params, pending.result, pending.name);
  if (r_.failed()) return false;
  const auto ops = r_.ops_named(name);
  if (!pending.fun.valid() && !ops.empty()) {
    pending.ops = ops;
    pending_.push_back(pending);
    return true;
  }
  if (!pending.fun.valid()) {
    pending.fun = store_.declare(name, FunKind::kDeclared, params, pending.result);
    r_.scope.add_function(pending.fun);
    own_.insert(pending.fun.value);
  }
  // z3 defines a polymorphic function once for each instance, and the generic one after them.
  if (store_.fun(pending.fun).polymorphic && pending.formals != 0 && !params.empty()) {
    r_.warn(pending.name, fmt::format("instances of '{}' are left out", r_.shown(name)));
    return true;
  }
  // What the script defines means what the script says.
  if (store_.fun(pending.fun).kind != FunKind::kDeclared) return true;
  const auto [earlier, is_new] = defined_.emplace(pending.fun.value, list_);
  if (!is_new && earlier->second != list_) return true;  // said once more by another command
  if (!is_new) {
    return r_.fail_type(pending.name, fmt::format("the model defines '{}' twice", r_.shown(name)));
  }
  pending_.push_back(pending);
  return true;
}

// (declare-fun U!val!0 () U): an element of a sort.
bool ModelReader::read_declaration(bool has_parameters) {
  const uint32_t start = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a constant's name");
  if (!name.valid()) return false;
  if (has_parameters &&
      (!r_.expect_open("'(' before the parameters") || !r_.expect_close("')': no parameters"))) {
    return false;
  }
  const SortId sort = r_.read_sort();
  if (!sort.valid() || !r_.expect_close("')' after the declaration")) return false;
  if (store_.sorts().kind(sort) != SortKind::kUninterpreted) {
    return r_.fail_type(
        start, fmt::format("an element of {}, which is not an uninterpreted sort", r_.shown(sort)));
  }
  add_element(name, sort);
  return true;
}

// (forall ((x U)) (or (= x U!val!0) ...)): z3 says that there are no other elements.
bool ModelReader::read_axiom(uint32_t start) {
  const uint32_t locals = r_.scope.local_count();
  std::vector<TermId> variables;
  const bool good = terms_.read_variables(variables);
  r_.scope.unbind_locals(locals);
  if (!good) return false;
  for (const TermId variable : variables) {
    if (store_.sorts().kind(store_.sort(variable)) != SortKind::kUninterpreted) continue;
    universe(store_.sort(variable)).is_complete = true;
  }
  return skip_rest(start);
}

// The rest of (x 5) or (= x 5). Only constants are of use.
bool ModelReader::read_pair() {
  Pending pending;
  r_.lexer.peek();
  pending.name = r_.lexer.offset();
  const Token token = r_.lexer.next();
  const SymbolId name = is_symbol(token) ? store_.symbols().find(token.text) : SymbolId{};
  const FunId fun = name.valid() ? r_.scope.function(name) : FunId{};
  if (!fun.valid() || store_.fun(fun).param_count != 0) {
    r_.lexer.rewind(pending.name);
    r_.warn(pending.name, "only values of constants are read");
    return skip_value() && skip_value() && r_.expect_close("')' after the value");
  }
  pending.result = store_.fun(fun).result;
  r_.lexer.peek();
  pending.body = r_.lexer.offset();
  return skip_value() && r_.expect_close("')' after the value") &&
         add_definition(pending, name, {});
}

// --- The second round. ---

bool ModelReader::read_bodies() {
  return std::all_of(pending_.begin(), pending_.end(),
                     [&](const Pending& pending) { return read_body(pending); });
}

// Takes the formals.
TermId ModelReader::lambda(std::vector<TermId>& formals, TermId body) {
  std::vector<SortId> signature;
  signature.reserve(formals.size() + 1);
  for (const TermId formal : formals) signature.push_back(store_.sort(formal));
  signature.push_back(store_.sort(body));
  const SortId sort = store_.sorts().make(SortKind::kFunction, signature);
  std::vector<TermId> parts = std::exchange(formals, {});
  parts.push_back(body);
  return store_.make(ir::Op::kLambda, sort, 0, parts);
}

// Whether a fraction stands where an integer belongs: reading scripts as z3 does, we would make one
// of it.
bool ModelReader::truncates(TermId body) {
  ir::Walker walker(store_);
  return walker.find(body, [&](TermId term) {
    if (store_.op(term) != ir::Op::kToInt) return false;
    TermId value = store_.args(term)[0];
    if (store_.op(value) == ir::Op::kNeg) value = store_.args(value)[0];
    if (store_.op(value) == ir::Op::kRealLiteral)
      return !store_.literal_text(value).ends_with(".0");
    return store_.op(value) == ir::Op::kRealDiv &&
           ir::is_literal(store_.op(store_.args(value)[0])) &&
           ir::is_literal(store_.op(store_.args(value)[1]));
  });
}

bool ModelReader::read_body(const Pending& pending) {
  const uint32_t locals = r_.scope.local_count();
  ir::Definition definition;
  if (pending.formals != 0) {
    r_.lexer.rewind(pending.formals);
    if (!terms_.read_variables(definition.formals)) return false;
  }
  r_.lexer.rewind(pending.body);
  TermId body = terms_.read();
  r_.scope.unbind_locals(locals);
  if (!body.valid()) {
    if (pending.fun.valid()) return false;
    r_.forgive();
    r_.warn(pending.name, "a definition that is not understood is left out");
    return true;
  }
  const SortId wanted = pending.fun.valid() ? store_.fun(pending.fun).result : pending.result;
  const bool is_constant = pending.fun.valid() && store_.fun(pending.fun).param_count == 0;
  if (is_constant && !definition.formals.empty()) body = lambda(definition.formals, body);
  definition.body = ir::coerce(store_, body, wanted);
  if (!definition.body.valid() && fits(store_.sort(body), wanted)) definition.body = body;
  if (!definition.body.valid()) {
    return r_.fail_type(pending.body, fmt::format("a value of sort {} where {} is expected",
                                                  r_.shown(store_.sort(body)), r_.shown(wanted)));
  }
  if (truncates(definition.body)) {
    return r_.fail_type(pending.body, "a value that is not an integer where Int is expected");
  }
  if (pending.fun.valid()) {
    model_.functions.push_back({pending.fun, std::move(definition), r_.locate(pending.name)});
  } else {
    for (const ir::Op op : pending.ops) model_.operators.push_back({op, definition});
  }
  return true;
}

}  // namespace

base::Result<ir::Model> parse_model(ir::TermStore& store, const ir::Script& script, size_t check,
                                    std::string_view text, const AnswerText& part,
                                    Strings strings) {
  return ModelReader(store, text, part, strings).read(script, check);
}

base::Result<ir::Model> read_model(ir::TermStore& store, const ir::Script& script, size_t check,
                                   std::string_view text, Strings strings) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::vector<AnswerText> answers, split_answers(text));
  const auto part = std::find_if(answers.begin(), answers.end(),
                                 [](const auto& answer) { return answer.has_model(); });
  if (part == answers.end()) return base::Error{base::ErrorKind::kParse, "no model", {}};
  // A model with errors before it may lack something.
  if (part->trouble.line != 0) {
    return base::Error{base::ErrorKind::kParse, "an error before the model", part->trouble};
  }
  return parse_model(store, script, check, text, *part, strings);
}

}  // namespace elenchus::smtlib
