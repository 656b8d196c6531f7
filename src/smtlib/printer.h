#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::smtlib {

struct PrintOptions {
  // A subterm that occurs more than once is printed once, bound by `let`, when it has at least this
  // many nodes as a tree.
  uint32_t let_size = 12;
};

// The script as standard SMT-LIB. A script without set-logic gets (set-logic ALL). Fails only when
// a term nests more binders over more variables than memory allows.
base::Result<std::string> print_script(const ir::TermStore& store, const ir::Script& script,
                                       const PrintOptions& options = {});

struct PrintedScript {
  std::string text;
  std::vector<uint32_t> command_ends;  // for each command, the offset one past its text
};

class ScriptWriter;

// Prints one script after the other, such as the mutants of a seed, with the same tables. The store
// may grow and be rolled back in between.
class ScriptPrinter {
 public:
  explicit ScriptPrinter(const ir::TermStore& store, const PrintOptions& options = {});
  ~ScriptPrinter();
  ScriptPrinter(ScriptPrinter&&) noexcept;
  ScriptPrinter& operator=(ScriptPrinter&&) = delete;

  // As print_script().
  base::Result<PrintedScript> print(const ir::Script& script);

 private:
  const ir::TermStore& store_;
  PrintOptions options_;
  std::unique_ptr<ScriptWriter> writer_;
};

base::Result<std::string> print_term(const ir::TermStore& store, ir::TermId term,
                                     const PrintOptions& options = {});

}  // namespace elenchus::smtlib
