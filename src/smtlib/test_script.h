#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ir/apply.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::smtlib {

// A store of its own, what a text says in it, and short ways to look at that.
class TestScript {
 public:
  ir::TermStore store;
  ir::Script script;

  // False after an error, which error() tells.
  bool read(std::string_view text, const ParseOptions& options = {}) {
    auto result = parse_script(store, text, options);
    error_.clear();
    if (!result) {
      error_ = place(result.error().where) + ": " + result.error().message;
      kind_ = result.error().kind;
      return false;
    }
    script = std::move(*result);
    return true;
  }

  // "line:column: message", empty after success.
  const std::string& error() const { return error_; }
  base::ErrorKind error_kind() const { return kind_; }

  // One warning to a line.
  std::string warnings() const {
    std::string text;
    for (const ir::Warning& warning : script.warnings) {
      text += place(warning.where) + ": " + warning.message + "\n";
    }
    return text;
  }

  std::string print(const PrintOptions& options = {}) const {
    auto text = print_script(store, script, options);
    EXPECT_TRUE(text.has_value());
    return text ? *text : std::string();
  }

  // The term of the last command: what it asserts, or the first that it lists.
  ir::TermId last_term() const {
    const ir::Command& command = script.commands.back();
    if (command.term.valid()) return command.term;
    return ir::TermId{script.items(command)[0]};
  }

 private:
  static std::string place(base::Location where) {
    return std::to_string(where.line) + ":" + std::to_string(where.column);
  }

  std::string error_;
  base::ErrorKind kind_ = base::ErrorKind::kInternal;
};

// What the script looks like after it was read, or its error.
inline std::string printed(std::string_view text, const PrintOptions& options = {}) {
  TestScript test;
  if (!test.read(text)) return test.error();
  return test.print(options);
}

// The same for one term, read after the declarations.
inline std::string printed_term(std::string_view declarations, std::string_view term,
                                const PrintOptions& options = {}) {
  TestScript test;
  std::string text(declarations);
  text += "(get-value (" + std::string(term) + "))";
  if (!test.read(text)) return test.error();
  const auto result = print_term(test.store, test.last_term(), options);
  return result ? *result : result.error().message;
}

// The sort of one term, read after the declarations.
inline std::string sort_of(std::string_view declarations, std::string_view term) {
  TestScript test;
  std::string text(declarations);
  text += "(get-value (" + std::string(term) + "))";
  if (!test.read(text)) return test.error();
  return ir::describe_sort(test.store, test.store.sort(test.last_term()));
}

// "line:column: message", or "no error".
inline std::string error_in(std::string_view text, const ParseOptions& options = {}) {
  TestScript test;
  return test.read(text, options) ? "no error" : test.error();
}

// All warnings, one to a line; or the error.
inline std::string warnings_in(std::string_view text) {
  TestScript test;
  return test.read(text) ? test.warnings() : test.error();
}

}  // namespace elenchus::smtlib
