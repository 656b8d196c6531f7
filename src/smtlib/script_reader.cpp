#include "smtlib/script_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ir/apply.h"
#include "ir/logic.h"

namespace elenchus::smtlib {

using base::ErrorKind;
using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::FunKind;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

namespace {

// Commands that are carried as text on purpose: what they say has no bearing on names and sorts.
// Sorted. Others are carried, too, but with a warning.
constexpr std::string_view kTextCommands[] = {
    "apply",
    "block",
    "block-model",
    "block-model-values",
    "check-synth",
    "check-synth-next",
    "constraint",
    "declare-heap",
    "declare-pool",
    "display",
    "echo",
    "eval",
    "find-synth",
    "find-synth-next",
    "get-abduct",
    "get-abduct-next",
    "get-assertions",
    "get-assignment",
    "get-consequences",
    "get-difficulty",
    "get-info",
    "get-interpolant",
    "get-interpolant-next",
    "get-learned-literals",
    "get-model",
    "get-objectives",
    "get-option",
    "get-proof",
    "get-proof-graph",
    "get-qe",
    "get-qe-disjunct",
    "get-timeout-core",
    "get-timeout-core-assuming",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-unsat-core-lemmas",
    "get-user-tactics",
    "help",
    "help-tactic",
    "include",
    "inv-constraint",
    "labels",
    "model-add",
    "model-del",
    "query",
    "rule",
    "set-info",
    "simplify",
    "synth-fun",
    "synth-inv",
};

std::vector<SortId> sorts_of(const ir::TermStore& store, std::span<const TermId> terms) {
  std::vector<SortId> sorts;
  sorts.reserve(terms.size());
  for (const TermId term : terms) sorts.push_back(store.sort(term));
  return sorts;
}

}  // namespace

ScriptReader::Handler ScriptReader::handler_of(std::string_view name) {
  static constexpr std::pair<std::string_view, Handler> kHandlers[] = {
      {"assert", &ScriptReader::assert_term},
      {"declare-fun", &ScriptReader::declare_fun},
      {"declare-const", &ScriptReader::declare_const},
      {"declare-var", &ScriptReader::declare_var},
      {"check-sat", &ScriptReader::check_sat},
      {"set-logic", &ScriptReader::set_logic},
      {"set-option", &ScriptReader::set_option},
      {"push", &ScriptReader::push},
      {"pop", &ScriptReader::pop},
      {"define-fun", &ScriptReader::define_fun},
      {"define-const", &ScriptReader::define_const},
      {"define-fun-rec", &ScriptReader::define_fun_rec},
      {"define-funs-rec", &ScriptReader::define_funs_rec},
      {"declare-sort", &ScriptReader::declare_sort},
      {"define-sort", &ScriptReader::define_sort},
      {"declare-sort-parameter", &ScriptReader::declare_sort_parameter},
      {"declare-datatype", &ScriptReader::declare_datatype},
      {"declare-datatypes", &ScriptReader::declare_datatypes},
      {"declare-codatatype", &ScriptReader::declare_codatatype},
      {"declare-codatatypes", &ScriptReader::declare_codatatypes},
      {"assert-soft", &ScriptReader::assert_soft},
      {"minimize", &ScriptReader::minimize},
      {"maximize", &ScriptReader::maximize},
      {"check-sat-assuming", &ScriptReader::check_sat_assuming},
      {"check-sat-using", &ScriptReader::check_sat_using},
      {"get-value", &ScriptReader::get_value},
      {"reset", &ScriptReader::reset},
      {"reset-assertions", &ScriptReader::reset_assertions},
      {"exit", &ScriptReader::end_script},
  };
  for (const auto& [word, handler] : kHandlers) {
    if (word == name) return handler;
  }
  return &ScriptReader::any_text;
}

bool ScriptReader::read(ir::Script& script) {
  script_ = &script;
  if (!read_commands()) return false;
  settle_assertions();
  return true;
}

bool ScriptReader::read_commands() {
  while (!done_) {
    const Token token = r_.lexer.next();
    if (token.kind == TokenKind::kEnd) return true;
    if (token.kind != TokenKind::kOpen) return r_.fail_token(token, "'(' before a command");
    if (!read_command(token.offset)) return false;
  }
  return true;
}

bool ScriptReader::read_command(uint32_t start) {
  const Token name = r_.lexer.next();
  if (name.kind != TokenKind::kSymbol) return r_.fail_token(name, "a command");
  Command command;
  command.where = r_.locate(start);
  const Handler handler = handler_of(name.text);
  if (handler == &ScriptReader::any_text) {
    if (!std::binary_search(std::begin(kTextCommands), std::end(kTextCommands), name.text)) {
      if (r_.strict) {
        return r_.fail(start, ErrorKind::kUnsupported,
                       fmt::format("unknown command '{}'", base::shown(name.text)));
      }
      r_.warn(start,
              fmt::format("unknown command '{}' is carried through", base::shown(name.text)));
    }
    r_.lexer.rewind(start);
  }
  return (this->*handler)(command);
}

// The closing parenthesis, and the command is part of the script.
bool ScriptReader::finish(Command& command) {
  if (!r_.expect_close("')' at the end of the command")) return false;
  for (const ir::DatatypeId datatype : std::exchange(r_.implicit_datatypes, {})) {
    Command declaration;
    declaration.kind = CommandKind::kDeclareDatatypes;
    declaration.where = command.where;
    const uint32_t items[] = {datatype.value};
    script_->set_items(declaration, items);
    script_->commands.push_back(declaration);
  }
  script_->commands.push_back(command);
  return true;
}

bool ScriptReader::rest_as_text(Command& command) {
  r_.lexer.peek();
  const uint32_t start = r_.lexer.offset();
  uint32_t end = start;
  while (r_.lexer.peek() != ')') {
    std::string_view skipped;
    if (!r_.expect_text(skipped)) return false;
    end = r_.lexer.offset();
  }
  if (end > start) command.text = r_.store.symbols().intern(r_.lexer.text(start, end));
  return finish(command);
}

// --- Settings and text. ---

bool ScriptReader::any_text(Command& command) {
  std::string_view text;
  if (!r_.expect_text(text)) return false;
  command.kind = CommandKind::kText;
  command.text = r_.store.symbols().intern(text);
  script_->commands.push_back(command);
  return true;
}

bool ScriptReader::set_logic(Command& command) {
  command.kind = CommandKind::kSetLogic;
  command.text = r_.expect_symbol("a logic's name");
  if (!command.text.valid()) return false;
  if (!script_->logic.valid()) script_->logic = command.text;
  r_.numerals_are_real = ir::numerals_are_real(r_.store.symbols().text(command.text));
  return finish(command);
}

bool ScriptReader::set_option(Command& command) {
  command.kind = CommandKind::kText;
  const Token keyword = r_.lexer.next();
  if (keyword.kind != TokenKind::kKeyword) return r_.fail_token(keyword, "a keyword");
  const uint32_t start = keyword.offset;
  const bool has_value = r_.lexer.peek() != ')';
  std::string_view value;
  if (has_value && !r_.expect_text(value)) return false;
  if (keyword.text == ":global-declarations" || keyword.text == ":global-decls") {
    r_.scope.keep_declarations = value == "true";
  }
  const std::string text =
      "(set-option " + std::string(r_.lexer.text(start, r_.lexer.offset())) + ")";
  command.text = r_.store.symbols().intern(text);
  return finish(command);
}

// --- Sorts. ---

SymbolId ScriptReader::new_sort_name(std::string_view what) {
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol(what);
  const bool built_in = name == r_.store.symbols().find("Bool") ||
                        name == r_.store.symbols().find("Int") ||
                        name == r_.store.symbols().find("Real");
  if (name.valid() && (built_in || r_.scope.sort_name(name) != nullptr)) {
    r_.fail_type(offset, fmt::format("sort '{}' is declared already", r_.shown(name)));
    return {};
  }
  return name;
}

bool ScriptReader::declare_sort(Command& command) {
  command.kind = CommandKind::kDeclareSort;
  const SymbolId name = new_sort_name("a sort's name");
  if (!name.valid()) return false;
  // Without an arity, as z3 allows it, the sort takes no arguments.
  if (r_.lexer.peek() != ')' && !r_.expect_number("the sort's arity", command.number)) return false;
  r_.scope.add_sort(name, {SortName::Kind::kUninterpreted, command.number, {}, {}, {}});
  const uint32_t items[] = {name.value};
  script_->set_items(command, items);
  return finish(command);
}

bool ScriptReader::read_symbol_list(std::vector<SymbolId>& names) {
  if (!r_.expect_open("'(' before the parameters")) return false;
  while (r_.lexer.peek() != ')') {
    names.push_back(r_.expect_symbol("a parameter"));
    if (!names.back().valid()) return false;
  }
  return r_.expect_close("')' after the parameters");
}

std::vector<SortId> ScriptReader::bind_parameters(std::span<const SymbolId> names) {
  std::vector<SortId> sorts;
  for (const SymbolId name : names) {
    const SortId sort = r_.store.sorts().make(SortKind::kParameter, name.value, 0, {});
    r_.scope.add_sort(name, {SortName::Kind::kParameter, 0, {}, sort, {}});
    sorts.push_back(sort);
  }
  return sorts;
}

void ScriptReader::unbind_parameters(std::span<const SymbolId> names) {
  for (const SymbolId name : names) r_.scope.remove_sort(name);
}

bool ScriptReader::define_sort(Command& command) {
  command.kind = CommandKind::kDefineSort;
  const SymbolId name = new_sort_name("a sort's name");
  std::vector<SymbolId> names;
  if (!name.valid() || !read_symbol_list(names)) return false;
  const std::vector<SortId> parameters = bind_parameters(names);
  const SortId body = r_.read_sort();
  unbind_parameters(names);
  if (!body.valid()) return false;
  std::vector<uint32_t> items = {name.value, body.value};
  for (const SortId parameter : parameters) items.push_back(parameter.value);
  script_->set_items(command, items);
  r_.scope.add_sort(
      name,
      {SortName::Kind::kAbbreviation, static_cast<uint32_t>(names.size()), {}, body, parameters});
  return finish(command);
}

bool ScriptReader::declare_sort_parameter(Command& command) {
  command.kind = CommandKind::kDeclareSortParameter;
  const SymbolId name = new_sort_name("a sort parameter");
  if (!name.valid()) return false;
  const SymbolId names[] = {name};
  bind_parameters(names);
  const uint32_t items[] = {name.value};
  script_->set_items(command, items);
  return finish(command);
}

// --- Functions. ---

bool ScriptReader::add_function(Command& command, SymbolId name, uint32_t offset, FunKind kind,
                                std::span<const SortId> params, SortId result, FunId& fun) {
  // z3 takes such a declaration, and nobody knows which of the two it means afterwards.
  const std::string_view text = r_.store.symbols().text(name);
  if (params.empty() && (text == "true" || text == "false")) {
    return r_.fail_type(offset, fmt::format("'{}' is a constant of the theory Core", text));
  }
  // The same arguments with another result are an overload, to be told apart by `as`.
  const FunId same = r_.scope.same_signature(name, params);
  if (same.valid() && r_.store.fun(same).result == result) {
    return r_.fail_type(
        offset, fmt::format("'{}' is declared already with these argument sorts", r_.shown(name)));
  }
  fun = r_.store.declare(name, kind, params, result);
  r_.scope.add_function(fun);
  const uint32_t items[] = {fun.value};
  script_->set_items(command, items);
  return true;
}

bool ScriptReader::declare_fun(Command& command) {
  command.kind = CommandKind::kDeclareFun;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a function's name");
  if (!name.valid() || !r_.expect_open("'(' before the argument sorts")) return false;
  std::vector<SortId> params;
  while (r_.lexer.peek() != ')') {
    params.push_back(r_.read_sort());
    if (!params.back().valid()) return false;
  }
  r_.lexer.next();
  const SortId result = r_.read_sort();
  FunId fun;
  return result.valid() &&
         add_function(command, name, offset, FunKind::kDeclared, params, result, fun) &&
         finish(command);
}

bool ScriptReader::declare_const(Command& command) {
  command.kind = CommandKind::kDeclareConst;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a constant's name");
  if (!name.valid()) return false;
  const SortId result = r_.read_sort();
  FunId fun;
  return result.valid() &&
         add_function(command, name, offset, FunKind::kDeclared, {}, result, fun) &&
         finish(command);
}

// z3's constant for rules: printed as it was.
bool ScriptReader::declare_var(Command& command) {
  if (!declare_const(command)) return false;
  Command& last = script_->commands.back();
  const FunId fun{script_->items(last)[0]};
  std::string line = "(declare-var ";
  ir::append_symbol(line, r_.store.symbols(), r_.store.fun(fun).name);
  line += ' ' + ir::describe_sort(r_.store, r_.store.fun(fun).result) + ')';
  last.kind = CommandKind::kText;
  last.text = r_.store.symbols().intern(line);
  last.item_count = 0;
  return true;
}

bool ScriptReader::read_body(SortId wanted, TermId& body) {
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const TermId term = terms_.read();
  if (!term.valid()) return false;
  body = ir::coerce(r_.store, term, wanted);
  if (body.valid()) return true;
  return r_.fail_type(offset, fmt::format("the term has sort {}, not {}",
                                          r_.shown(r_.store.sort(term)), r_.shown(wanted)));
}

// A definition's name is not yet visible in its body.
bool ScriptReader::define_fun(Command& command) {
  command.kind = CommandKind::kDefineFun;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a function's name");
  if (!name.valid()) return false;
  const uint32_t locals = r_.scope.local_count();
  std::vector<TermId> formals;
  if (!terms_.read_variables(formals)) return false;
  const SortId result = r_.read_sort();
  TermId body;
  if (!result.valid() || !read_body(result, body)) return false;
  r_.scope.unbind_locals(locals);
  const std::vector<SortId> params = sorts_of(r_.store, formals);
  FunId fun;
  if (!add_function(command, name, offset, FunKind::kDefined, params, result, fun)) return false;
  r_.store.define(fun, formals, body);
  return finish(command);
}

bool ScriptReader::define_const(Command& command) {
  command.kind = CommandKind::kDefineConst;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a constant's name");
  if (!name.valid()) return false;
  const SortId result = r_.read_sort();
  TermId body;
  if (!result.valid() || !read_body(result, body)) return false;
  FunId fun;
  if (!add_function(command, name, offset, FunKind::kDefined, {}, result, fun)) return false;
  r_.store.define(fun, {}, body);
  return finish(command);
}

bool ScriptReader::define_fun_rec(Command& command) {
  command.kind = CommandKind::kDefineFunRec;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol("a function's name");
  if (!name.valid()) return false;
  const uint32_t locals = r_.scope.local_count();
  std::vector<TermId> formals;
  if (!terms_.read_variables(formals)) return false;
  const SortId result = r_.read_sort();
  if (!result.valid()) return false;
  const std::vector<SortId> params = sorts_of(r_.store, formals);
  FunId fun;
  TermId body;
  if (!add_function(command, name, offset, FunKind::kRecursive, params, result, fun)) return false;
  if (!read_body(result, body)) return false;
  r_.scope.unbind_locals(locals);
  r_.store.define(fun, formals, body);
  return finish(command);
}

bool ScriptReader::define_funs_rec(Command& command) {
  command.kind = CommandKind::kDefineFunsRec;
  struct Signature {
    FunId fun;
    std::vector<TermId> formals;
  };
  std::vector<Signature> functions;
  std::vector<uint32_t> items;
  if (!r_.expect_open("'(' before the signatures")) return false;
  while (r_.lexer.peek() == '(') {
    r_.lexer.next();
    r_.lexer.peek();
    const uint32_t offset = r_.lexer.offset();
    const SymbolId name = r_.expect_symbol("a function's name");
    if (!name.valid()) return false;
    const uint32_t locals = r_.scope.local_count();
    Signature& function = functions.emplace_back();
    if (!terms_.read_variables(function.formals)) return false;
    r_.scope.unbind_locals(locals);
    const SortId result = r_.read_sort();
    if (!result.valid() || !r_.expect_close("')' after a signature")) return false;
    const std::vector<SortId> params = sorts_of(r_.store, function.formals);
    if (!add_function(command, name, offset, FunKind::kRecursive, params, result, function.fun)) {
      return false;
    }
    items.push_back(function.fun.value);
  }
  if (!r_.expect_close("')' after the signatures") || !r_.expect_open("'(' before the bodies")) {
    return false;
  }
  for (const Signature& function : functions) {
    const uint32_t locals = r_.scope.local_count();
    for (const TermId formal : function.formals) {
      r_.scope.bind_local(r_.store.variable_name(formal), formal, true);
    }
    TermId body;
    if (!read_body(r_.store.fun(function.fun).result, body)) return false;
    r_.scope.unbind_locals(locals);
    r_.store.define(function.fun, function.formals, body);
  }
  if (!r_.expect_close("')' after the bodies")) return false;
  script_->set_items(command, items);
  return finish(command);
}

// --- Datatypes. ---

void ScriptReader::announce(NewDatatype& datatype, bool codatatype) {
  datatype.id = r_.store.new_datatype(datatype.name);
  r_.store.datatype(datatype.id).is_codatatype = codatatype;
  r_.scope.add_sort(datatype.name,
                    {SortName::Kind::kDatatype, datatype.arity, datatype.id, {}, {}});
}

bool ScriptReader::declare_datatypes(Command& command) { return read_datatypes(command, false); }
bool ScriptReader::declare_codatatypes(Command& command) { return read_datatypes(command, true); }

// ((D n) ...) (bodies), or z3's old (parameters) ((D constructors...) ...).
bool ScriptReader::read_datatypes(Command& command, bool codatatypes) {
  command.kind = CommandKind::kDeclareDatatypes;
  if (!r_.expect_open("'(' before the names")) return false;
  if (r_.lexer.peek() != '(') {
    std::vector<SymbolId> parameters;
    while (r_.lexer.peek() != ')') {
      parameters.push_back(r_.expect_symbol("a parameter"));
      if (!parameters.back().valid()) return false;
    }
    r_.lexer.next();
    return read_old_datatypes(command, std::move(parameters), codatatypes);
  }
  std::vector<NewDatatype> datatypes;
  std::vector<uint32_t> items;
  while (r_.lexer.peek() == '(') {
    r_.lexer.next();
    NewDatatype datatype;
    datatype.name = new_sort_name("a datatype's name");
    if (!datatype.name.valid() || !r_.expect_number("the datatype's arity", datatype.arity) ||
        !r_.expect_close("')' after the arity")) {
      return false;
    }
    announce(datatype, codatatypes);
    datatypes.push_back(datatype);
    items.push_back(datatype.id.value);
  }
  if (!r_.expect_close("')' after the names") || !r_.expect_open("'(' before the bodies")) {
    return false;
  }
  for (const NewDatatype& datatype : datatypes) {
    if (!read_datatype_body(datatype)) return false;
  }
  script_->set_items(command, items);
  return r_.expect_close("')' after the bodies") && finish(command);
}

bool ScriptReader::declare_datatype(Command& command) {
  command.kind = CommandKind::kDeclareDatatypes;
  NewDatatype datatype;
  datatype.name = new_sort_name("a datatype's name");
  if (!datatype.name.valid()) return false;
  // The arity follows from the body: (par (X Y) ...).
  r_.lexer.peek();
  const uint32_t body = r_.lexer.offset();
  if (!r_.expect_open("'(' before the constructors")) return false;
  const Token word = r_.lexer.next();
  if (word.kind == TokenKind::kSymbol && word.text == "par") {
    std::vector<SymbolId> parameters;
    if (!read_symbol_list(parameters)) return false;
    datatype.arity = static_cast<uint32_t>(parameters.size());
  }
  r_.lexer.rewind(body);
  announce(datatype, false);
  const uint32_t items[] = {datatype.id.value};
  script_->set_items(command, items);
  return read_datatype_body(datatype) && finish(command);
}

bool ScriptReader::declare_codatatype(Command& command) {
  if (!declare_datatype(command)) return false;
  const uint32_t id = script_->items(script_->commands.back())[0];
  r_.store.datatype(ir::DatatypeId{id}).is_codatatype = true;
  return true;
}

// z3's notation before SMT-LIB 2.6: (T) ((List nil (cons (head T) (tail List)))). Inside, a
// datatype is named without its parameters.
bool ScriptReader::read_old_datatypes(Command& command, std::vector<SymbolId> names,
                                      bool codatatypes) {
  if (!r_.expect_open("'(' before the datatypes")) return false;
  const uint32_t first = r_.lexer.offset();
  std::vector<NewDatatype> datatypes;
  std::vector<uint32_t> items;
  // The names first: the bodies may mention all of them.
  while (r_.lexer.peek() == '(') {
    r_.lexer.next();
    NewDatatype datatype;
    datatype.name = new_sort_name("a datatype's name");
    if (!datatype.name.valid()) return false;
    datatype.arity = static_cast<uint32_t>(names.size());
    announce(datatype, codatatypes);
    datatypes.push_back(datatype);
    items.push_back(datatype.id.value);
    while (r_.lexer.peek() != ')') {
      std::string_view skipped;
      if (!r_.expect_text(skipped)) return false;
    }
    r_.lexer.next();
  }
  // z3 takes an empty list, which declares nothing.
  if (datatypes.empty()) {
    return r_.expect_close("')' after the datatypes") && r_.expect_close("')' at the end");
  }
  r_.lexer.rewind(first);
  const std::vector<SortId> parameters = bind_parameters(names);
  std::vector<SymbolId> short_names;
  for (const NewDatatype& datatype : datatypes) {
    if (names.empty()) break;
    const SortId sort = r_.store.sorts().make(SortKind::kDatatype, datatype.id.value,
                                              datatype.name.value, parameters);
    if (!sort.valid()) return r_.fail(first, ErrorKind::kLimit, "too many parameters");
    r_.scope.add_sort(datatype.name, {SortName::Kind::kParameter, 0, {}, sort, {}});
    short_names.push_back(datatype.name);
  }
  for (const NewDatatype& datatype : datatypes) {
    r_.lexer.next();
    r_.expect_symbol("a datatype's name");
    if (!read_constructors(datatype, parameters)) return false;
  }
  unbind_parameters(short_names);
  unbind_parameters(names);
  script_->set_items(command, items);
  return r_.expect_close("')' after the datatypes") && finish(command);
}

// (constructors...) or (par (X ...) (constructors...)).
bool ScriptReader::read_datatype_body(const NewDatatype& datatype) {
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  if (!r_.expect_open("'(' before the constructors")) return false;
  const uint32_t inside = r_.lexer.offset();
  std::vector<SymbolId> names;
  const Token word = r_.lexer.next();
  const bool has_par = word.kind == TokenKind::kSymbol && word.text == "par";
  if (has_par) {
    if (!read_symbol_list(names) || !r_.expect_open("'(' before the constructors")) return false;
  } else {
    r_.lexer.rewind(inside);
  }
  if (names.size() != datatype.arity) {
    return r_.fail_type(offset, fmt::format("datatype '{}' has {} parameters, not {}",
                                            r_.shown(datatype.name), datatype.arity, names.size()));
  }
  const std::vector<SortId> parameters = bind_parameters(names);
  const bool done = read_constructors(datatype, parameters);
  unbind_parameters(names);
  return done && (!has_par || r_.expect_close("')' after the body"));
}

// Up to and with the closing parenthesis.
bool ScriptReader::read_constructors(const NewDatatype& datatype,
                                     std::span<const SortId> parameters) {
  const SortId sort = r_.store.sorts().make(SortKind::kDatatype, datatype.id.value,
                                            datatype.name.value, parameters);
  if (!sort.valid()) return r_.fail(r_.lexer.offset(), ErrorKind::kLimit, "too many parameters");
  r_.store.datatype(datatype.id).parameters.assign(parameters.begin(), parameters.end());
  for (uint32_t position = 0; r_.lexer.peek() != ')'; ++position) {
    if (!read_constructor(datatype, sort, position)) return false;
  }
  const uint32_t end = r_.lexer.offset();
  r_.lexer.next();
  if (!r_.store.datatype(datatype.id).constructors.empty()) return true;
  return r_.fail_type(end,
                      fmt::format("datatype '{}' has no constructor", r_.shown(datatype.name)));
}

// (cons (head T) (tail (List T))), or just nil.
bool ScriptReader::read_constructor(const NewDatatype& datatype, SortId sort, uint32_t position) {
  const Token open = r_.lexer.next();
  SymbolId name;
  const bool is_list = open.kind == TokenKind::kOpen;
  if (is_list) {
    name = r_.expect_symbol("a constructor");
    if (!name.valid()) return false;
  } else if (open.kind == TokenKind::kSymbol || open.kind == TokenKind::kQuotedSymbol) {
    name = r_.store.symbols().intern(open.text);
  } else {
    return r_.fail_token(open, "a constructor");
  }
  std::vector<SymbolId> selectors;
  std::vector<SortId> fields;
  while (is_list && r_.lexer.peek() != ')') {
    if (!r_.expect_open("'(' before a selector")) return false;
    selectors.push_back(r_.expect_symbol("a selector"));
    if (!selectors.back().valid()) return false;
    fields.push_back(r_.read_sort());
    if (!fields.back().valid() || !r_.expect_close("')' after a selector")) return false;
  }
  if (is_list) r_.lexer.next();

  const SortId of[] = {sort};
  const auto is_taken = [&](SymbolId symbol, std::span<const SortId> params, SortId result) {
    const FunId same = r_.scope.same_signature(symbol, params);
    return same.valid() && r_.store.fun(same).result == result;
  };
  bool taken = is_taken(name, fields, sort);
  const auto declare = [&](SymbolId symbol, FunKind kind, std::span<const SortId> params,
                           SortId result, uint32_t field) {
    const FunId fun = r_.store.declare(symbol, kind, params, result);
    ir::FunDecl& decl = r_.store.fun(fun);
    decl.datatype = datatype.id;
    decl.constructor = position;
    decl.field = field;
    r_.scope.add_function(fun);
    return fun;
  };
  ir::Constructor constructor;
  constructor.fun = declare(name, FunKind::kConstructor, fields, sort, 0);
  // Every parameter must occur in the fields, or the call does not determine the sort.
  ir::SortBindings bound;
  for (const SortId field : fields) ir::match_sort(r_.store.sorts(), field, field, bound);
  r_.store.fun(constructor.fun).needs_as = bound.size() < datatype.arity;
  for (uint32_t i = 0; i < selectors.size(); ++i) {
    taken = taken || is_taken(selectors[i], of, fields[i]);
    constructor.selectors.push_back(declare(selectors[i], FunKind::kSelector, of, fields[i], i));
  }
  r_.store.datatype(datatype.id).constructors.push_back(std::move(constructor));
  if (!taken) return true;
  return r_.fail_type(
      open.offset, fmt::format("'{}' or one of its selectors is declared already", r_.shown(name)));
}

// --- Assertions and queries. ---

bool ScriptReader::assert_term(Command& command) {
  command.kind = CommandKind::kAssert;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SortId sort = terms_.read_later();
  if (!sort.valid()) return false;
  if (sort != ir::kBoolSort && sort != ir::kUnknownSort) {
    return r_.fail_type(offset,
                        fmt::format("the asserted term has sort {}, not Bool", r_.shown(sort)));
  }
  if (!finish(command)) return false;
  unsettled_.push_back(script_->commands.size() - 1);
  if (terms_.is_full()) settle_assertions();
  return true;
}

void ScriptReader::settle_assertions() {
  const std::vector<TermId> terms = terms_.take_waiting();
  for (size_t i = 0; i < terms.size(); ++i) script_->commands[unsettled_[i]].term = terms[i];
  unsettled_.clear();
}

bool ScriptReader::assert_soft(Command& command) {
  command.kind = CommandKind::kAssertSoft;
  return read_body(ir::kBoolSort, command.term) && rest_as_text(command);
}

bool ScriptReader::read_objective(Command& command, CommandKind kind) {
  command.kind = kind;
  command.term = terms_.read();
  return command.term.valid() && rest_as_text(command);
}

bool ScriptReader::minimize(Command& command) {
  return read_objective(command, CommandKind::kMinimize);
}

bool ScriptReader::maximize(Command& command) {
  return read_objective(command, CommandKind::kMaximize);
}

bool ScriptReader::check_sat(Command& command) {
  command.kind = CommandKind::kCheckSat;
  // z3 takes assumptions here, too.
  if (r_.lexer.peek() != ')') {
    command.kind = CommandKind::kCheckSatAssuming;
    if (!read_terms(command, ir::kBoolSort)) return false;
  }
  return finish(command);
}

// Terms up to a closing parenthesis, of the wanted sort if one is given.
bool ScriptReader::read_terms(Command& command, SortId wanted) {
  std::vector<uint32_t> items;
  while (r_.lexer.peek() != ')') {
    TermId term;
    if (wanted.valid()) {
      if (!read_body(wanted, term)) return false;
    } else {
      term = terms_.read();
      if (!term.valid()) return false;
    }
    items.push_back(term.value);
  }
  script_->set_items(command, items);
  return true;
}

bool ScriptReader::read_term_list(Command& command, SortId wanted) {
  return r_.expect_open("'(' before the terms") && read_terms(command, wanted) &&
         r_.expect_close("')' after the terms");
}

bool ScriptReader::check_sat_assuming(Command& command) {
  command.kind = CommandKind::kCheckSatAssuming;
  return read_term_list(command, ir::kBoolSort) && finish(command);
}

bool ScriptReader::check_sat_using(Command& command) {
  command.kind = CommandKind::kCheckSatUsing;
  return rest_as_text(command);
}

bool ScriptReader::get_value(Command& command) {
  command.kind = CommandKind::kGetValue;
  return read_term_list(command, {}) && rest_as_text(command);
}

// --- Levels. ---

bool ScriptReader::level_change(Command& command) {
  command.number = 1;
  return r_.lexer.peek() == ')' || r_.expect_number("a number of levels", command.number);
}

bool ScriptReader::push(Command& command) {
  constexpr size_t kMaxLevels = 100'000;
  command.kind = CommandKind::kPush;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  if (!level_change(command)) return false;
  if (command.number > kMaxLevels - r_.scope.level()) {
    return r_.fail(offset, ErrorKind::kLimit, fmt::format("more than {} levels", kMaxLevels));
  }
  for (uint32_t i = 0; i < command.number; ++i) r_.scope.push();
  return finish(command);
}

bool ScriptReader::pop(Command& command) {
  command.kind = CommandKind::kPop;
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  if (!level_change(command)) return false;
  if (command.number > r_.scope.level()) {
    return r_.fail_type(offset, fmt::format("pop of {} levels, but there are {}", command.number,
                                            r_.scope.level()));
  }
  for (uint32_t i = 0; i < command.number; ++i) r_.scope.pop();
  return finish(command);
}

bool ScriptReader::reset(Command& command) {
  command.kind = CommandKind::kReset;
  r_.scope.reset();
  r_.numerals_are_real = false;
  return finish(command);
}

bool ScriptReader::reset_assertions(Command& command) {
  command.kind = CommandKind::kResetAssertions;
  r_.scope.allow_redeclaration();
  return finish(command);
}

bool ScriptReader::end_script(Command& command) {
  command.kind = CommandKind::kExit;
  done_ = true;
  return finish(command);
}

}  // namespace elenchus::smtlib
