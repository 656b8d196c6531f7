// How ScriptReader reads declarations of sorts, datatypes among them.
#include "smtlib/script_reader.h"

#include <utility>

#include <fmt/format.h>

#include "ir/apply.h"

namespace elenchus::smtlib {

using base::ErrorKind;
using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::FunKind;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;

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
  while (r_.lexer.peek() != ')') {
    NewConstructor constructor;
    if (!read_constructor(constructor)) return false;
    if (!declare_constructor(datatype, sort, constructor)) return false;
  }
  const uint32_t end = r_.lexer.offset();
  r_.lexer.next();
  if (!r_.store.datatype(datatype.id).constructors.empty()) return true;
  return r_.fail_type(end,
                      fmt::format("datatype '{}' has no constructor", r_.shown(datatype.name)));
}

// (cons (head T) (tail (List T))), or just nil.
bool ScriptReader::read_constructor(NewConstructor& constructor) {
  const Token open = r_.lexer.next();
  constructor.offset = open.offset;
  if (is_symbol(open)) {
    constructor.name = r_.store.symbols().intern(open.text);
    return true;
  }
  if (open.kind != TokenKind::kOpen) return r_.fail_token(open, "a constructor");
  constructor.name = r_.expect_symbol("a constructor");
  if (!constructor.name.valid()) return false;
  while (r_.lexer.peek() != ')') {
    if (!r_.expect_open("'(' before a selector")) return false;
    constructor.selectors.push_back(r_.expect_symbol("a selector"));
    if (!constructor.selectors.back().valid()) return false;
    constructor.fields.push_back(r_.read_sort());
    if (!constructor.fields.back().valid()) return false;
    if (!r_.expect_close("')' after a selector")) return false;
  }
  r_.lexer.next();
  return true;
}

bool ScriptReader::declare_constructor(const NewDatatype& datatype, SortId sort,
                                       const NewConstructor& read) {
  bool is_taken = false;
  const auto position = static_cast<uint32_t>(r_.store.datatype(datatype.id).constructors.size());
  const auto declare = [&](SymbolId name, FunKind kind, std::span<const SortId> params,
                           SortId result, uint32_t field) {
    const FunId same = r_.scope.same_signature(name, params);
    is_taken = is_taken || (same.valid() && r_.store.fun(same).result == result);
    const FunId fun = r_.store.declare(name, kind, params, result);
    ir::FunDecl& decl = r_.store.fun(fun);
    decl.datatype = datatype.id;
    decl.constructor = position;
    decl.field = field;
    r_.scope.add_function(fun);
    return fun;
  };
  ir::Constructor constructor;
  constructor.fun = declare(read.name, FunKind::kConstructor, read.fields, sort, 0);
  // Every parameter must occur in the fields, or the call does not determine the sort.
  ir::SortBindings bound;
  for (const SortId field : read.fields) ir::match_sort(r_.store.sorts(), field, field, bound);
  r_.store.fun(constructor.fun).needs_as = bound.size() < datatype.arity;
  const SortId of[] = {sort};
  for (uint32_t i = 0; i < read.selectors.size(); ++i) {
    constructor.selectors.push_back(
        declare(read.selectors[i], FunKind::kSelector, of, read.fields[i], i));
  }
  r_.store.datatype(datatype.id).constructors.push_back(std::move(constructor));
  if (!is_taken) return true;
  return r_.fail_type(read.offset, fmt::format("'{}' or one of its selectors is declared already",
                                               r_.shown(read.name)));
}

}  // namespace elenchus::smtlib
