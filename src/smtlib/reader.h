#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "smtlib/lexer.h"
#include "smtlib/scope.h"

namespace elenchus::smtlib {

// What the readers of sorts, terms and commands share: the text, the names in scope, and the first
// error. A reader's function signals failure by an empty id or false, after calling fail().
class Reader {
 public:
  Reader(ir::TermStore& terms, std::string_view text);

  ir::TermStore& store;
  Lexer lexer;
  Scope scope;
  bool strict = false;
  bool numerals_are_real = false;
  bool from_solver = false;  // the text is a solver's output, not a script
  // Of a solver's output: strings are taken as they are, and whether one has what may be an escape.
  bool raw_strings = false;
  bool has_escapes = false;

  // Datatypes that came into being without a command, since the last command.
  std::vector<ir::DatatypeId> implicit_datatypes;
  // The only instance of a parametric datatype that the text has mentioned, or none.
  ir::SortId only_instance(ir::DatatypeId datatype) const;

  // Records the first error. Always false.
  bool fail(uint32_t offset, base::ErrorKind kind, std::string message) {
    if (!failed_) {
      failed_ = true;
      error_offset_ = offset;
      error_ = {kind, std::move(message), {}};
    }
    return false;
  }
  bool fail_parse(uint32_t offset, std::string message) {
    return fail(offset, base::ErrorKind::kParse, std::move(message));
  }
  bool fail_type(uint32_t offset, std::string message) {
    return fail(offset, base::ErrorKind::kType, std::move(message));
  }
  bool fail_token(const Token& token, std::string_view wanted);

  bool failed() const { return failed_; }
  // Forgets the error, for a second try at the same text.
  void forgive() { failed_ = false; }
  base::Error take_error() {
    error_.where = lexer.location(error_offset_);
    return std::move(error_);
  }

  // Once per message, and not more than a thousand.
  void warn(uint32_t offset, std::string message);
  // What was warned of, in the order of the text.
  std::vector<ir::Warning> take_warnings();

  // A name or sort for a message.
  std::string shown(ir::SymbolId name) const { return base::shown(store.symbols().text(name)); }
  std::string shown(ir::SortId sort) const;

  // The symbol of a token from our lexer.
  ir::SymbolId intern(const Token& token) {
    return store.symbols().intern_again(token.text, lexer.readable(token));
  }

  // Offsets asked for in ascending order cost one scan of the text in total.
  base::Location locate(uint32_t offset);

  // --- Small steps. ---

  bool expect_open(std::string_view what);
  bool expect_close(std::string_view what);
  // A symbol, quoted or not; none after a failure.
  ir::SymbolId expect_symbol(std::string_view what);
  // A numeral below 2^31.
  bool expect_number(std::string_view what, uint32_t& value);
  // Skips an expression and gives its text.
  bool expect_text(std::string_view& text);

  // --- Operators. ---

  // The operators that a name may mean, in the order in which they are tried. z3's finite sets
  // share names with the sets of cvc5, and an element does not tell which sets are meant: the
  // script does.
  std::span<const ir::Op> ops_named(ir::SymbolId name) const {
    if (finite_first_.empty()) return store.ops().named(name);
    const auto shared = finite_first_.find(name.value);
    return shared == finite_first_.end() ? store.ops().named(name) : shared->second;
  }
  // Of a solver's output: the names mean what they mean in the script before its command `end`.
  void add_declarations(const ir::Script& script, size_t end);

  // --- Sorts. ---

  ir::SortId read_sort(uint32_t depth = 0);

 private:
  bool mentions_finite_sets(std::string_view text) const;
  void prefer_finite_sets();
  ir::SortId sort_application(ir::SymbolId name, uint32_t offset, std::span<const ir::SortId> args);
  ir::SortId read_indexed_sort(uint32_t start);
  void declare_list(ir::SymbolId name);
  ir::SortId too_large(uint32_t offset);

  bool failed_ = false;
  uint32_t error_offset_ = 0;
  base::Error error_;
  std::unordered_set<std::string> warned_;
  std::vector<std::pair<uint32_t, std::string>> warnings_;  // with their offsets
  std::unordered_map<uint32_t, ir::SortId> instances_;  // by datatype; none when there are several
  bool has_singletons_ = false;                         // whether it matters whose the sets are
  // By name: what it may mean where sets are those of z3. Empty where they are those of cvc5.
  std::unordered_map<uint32_t, std::vector<ir::Op>> finite_first_;
  uint32_t located_offset_ = 0;
  base::Location located_ = {1, 1};
};

}  // namespace elenchus::smtlib
