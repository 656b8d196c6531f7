#include "smtlib/script_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ir/apply.h"
#include "ir/logic.h"
#include "ir/settings.h"

namespace elenchus::smtlib {

using base::ErrorKind;
using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::FunKind;
using ir::SortId;
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
      {"set-info", &ScriptReader::set_info},
      {"push", &ScriptReader::push},
      {"pop", &ScriptReader::pop},
      {"define-fun", &ScriptReader::define_fun},
      {"define-const", &ScriptReader::define_const},
      {"define-fun-rec", &ScriptReader::define_fun_rec},
      {"define-funs-rec", &ScriptReader::define_funs_rec},
      {"declare-sort", &ScriptReader::declare_sort},
      {"define-sort", &ScriptReader::define_sort},
      {"declare-sort-parameter", &ScriptReader::declare_sort_parameter},
      {"declare-type-var", &ScriptReader::declare_sort_parameter},  // as z3 reads it
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

bool ScriptReader::read_rest(SymbolId& text) {
  r_.lexer.peek();
  const uint32_t start = r_.lexer.offset();
  uint32_t end = start;
  while (r_.lexer.peek() != ')') {
    std::string_view skipped;
    if (!r_.expect_text(skipped)) return false;
    end = r_.lexer.offset();
  }
  if (end > start) text = r_.store.symbols().intern(r_.lexer.text(start, end));
  return true;
}

bool ScriptReader::rest_as_text(Command& command) {
  return read_rest(command.text) && finish(command);
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
  command.kind = CommandKind::kSetOption;
  if (!read_setting(command)) return false;
  if (ir::is_global_declarations(r_.store, command)) {
    r_.scope.keep_declarations = ir::is_switched_on(r_.store, command);
  }
  return true;
}

bool ScriptReader::set_info(Command& command) {
  command.kind = CommandKind::kSetInfo;
  return read_setting(command);
}

bool ScriptReader::read_setting(Command& command) {
  const Token keyword = r_.lexer.next();
  if (keyword.kind != TokenKind::kKeyword) return r_.fail_token(keyword, "a keyword");
  // z3's own name of an option, which other solvers do not know.
  const bool is_z3_name =
      command.kind == CommandKind::kSetOption && keyword.text == ":global-decls";
  command.text = r_.store.symbols().intern(is_z3_name ? ":global-declarations" : keyword.text);
  return read_rest(command.value) && finish(command);
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

bool ScriptReader::define_fun(Command& command) {
  command.kind = CommandKind::kDefineFun;
  return define(command, "a function's name", FunKind::kDefined);
}

bool ScriptReader::define_const(Command& command) {
  command.kind = CommandKind::kDefineConst;
  return define(command, "a constant's name", FunKind::kDefined);
}

bool ScriptReader::define_fun_rec(Command& command) {
  command.kind = CommandKind::kDefineFunRec;
  return define(command, "a function's name", FunKind::kRecursive);
}

// Only a recursive definition's name is visible in its body.
bool ScriptReader::define(Command& command, std::string_view what, FunKind kind) {
  r_.lexer.peek();
  const uint32_t offset = r_.lexer.offset();
  const SymbolId name = r_.expect_symbol(what);
  if (!name.valid()) return false;
  const uint32_t locals = r_.scope.local_count();
  std::vector<TermId> formals;
  if (command.kind != CommandKind::kDefineConst && !terms_.read_variables(formals)) return false;
  const SortId result = r_.read_sort();
  if (!result.valid()) return false;
  const std::vector<SortId> params = sorts_of(r_.store, formals);
  FunId fun;
  const auto add = [&] { return add_function(command, name, offset, kind, params, result, fun); };
  const bool is_recursive = kind == FunKind::kRecursive;
  if (is_recursive && !add()) return false;
  TermId body;
  if (!read_body(result, body)) return false;
  r_.scope.unbind_locals(locals);
  if (!is_recursive && !add()) return false;
  r_.store.define(fun, formals, body);
  return finish(command);
}

bool ScriptReader::define_funs_rec(Command& command) {
  command.kind = CommandKind::kDefineFunsRec;
  struct Header {
    FunId fun;
    std::vector<TermId> formals;
  };
  std::vector<Header> functions;
  std::vector<uint32_t> items;
  if (!r_.expect_open("'(' before the signatures")) return false;
  while (r_.lexer.peek() == '(') {
    r_.lexer.next();
    r_.lexer.peek();
    const uint32_t offset = r_.lexer.offset();
    const SymbolId name = r_.expect_symbol("a function's name");
    if (!name.valid()) return false;
    const uint32_t locals = r_.scope.local_count();
    Header& function = functions.emplace_back();
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
  for (const Header& function : functions) {
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
