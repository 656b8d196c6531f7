#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ir/term_batch.h"
#include "ir/term_store.h"
#include "smtlib/reader.h"

namespace elenchus::smtlib {

// Reads terms, typing them as it goes. Nesting is kept on a stack of its own, so that depth costs
// memory only.
class TermReader {
 public:
  explicit TermReader(Reader& reader);

  // The next term of the text; none after a failure.
  ir::TermId read();

  // Reads a term that need not be there at once: terms made together cost less. Gives its sort,
  // none after a failure.
  ir::SortId read_later();
  // Whether no more terms should wait.
  bool is_full() const { return batch_.is_full(); }
  // What read_later() has read since the last call, in order.
  std::vector<ir::TermId> take_waiting();

  // Binds the formals of a definition: ((x Int) ...). Returns false after a failure; the caller
  // unbinds the locals afterwards.
  bool read_variables(std::vector<ir::TermId>& variables);

 private:
  enum class Kind : uint8_t {
    kApply,       // (f args...
    kApplyTerm,   // ((f x) args...: the head is the first value
    kLetValue,    // (let (... (x value
    kLetBody,     // (let (...) body
    kBinder,      // (forall (...) body
    kAnnotation,  // (! term
    kPattern,     // (! term :pattern (terms...
    kMatch,       // (match term
    kCase,        // (match term (... (pattern body
  };

  // Words with a syntax of their own.
  enum class Form : uint8_t {
    kNone,
    kLet,
    kAnnotation,
    kIndexed,
    kAs,
    kMatch,
    kBinder,
    kAlgebraic
  };
  struct Word {
    Form form = Form::kNone;
    ir::Op binder = ir::Op::kNone;
  };
  void add_word(std::string_view text, Form form, ir::Op binder = ir::Op::kNone);
  Word word(ir::SymbolId symbol) const {
    return symbol.value < words_.size() ? words_[symbol.value] : Word{};
  }

  // An open parenthesis, and what was read after it.
  struct Group {
    Kind kind = Kind::kApply;
    bool is_unknown = false;  // the head is no name that we know
    ir::Op binder = ir::Op::kNone;
    uint32_t start = 0;    // offset of the opening parenthesis
    uint32_t values = 0;   // how many values there were before this group's
    uint32_t locals = 0;   // likewise for local names,
    uint32_t indices = 0;  // head indices,
    uint32_t names = 0;    // and names of let
    ir::SymbolId head;     // function name, or keyword of a pattern
    ir::FunId function;    // the newest function of that name
    ir::SortId as;
    ir::FunId constructor;
  };

  ir::TermId read_value();
  // Each step yields a finished term, or none: then more text is needed, or it failed.
  ir::TermId step();
  ir::TermId deliver(ir::TermId value);
  ir::TermId atom(const Token& token);
  ir::TermId open(uint32_t start);
  ir::TermId close(const Token& token);
  ir::TermId close_apply(const Group& group);

  ir::TermId symbol_atom(ir::SymbolId name, uint32_t offset);
  ir::TermId negative_number(std::string_view text);
  ir::TermId qualified_atom(ir::SymbolId name, ir::SortId as, uint32_t offset);
  ir::TermId indexed_atom(uint32_t start);
  ir::TermId field_literal(const Token& token);
  ir::TermId algebraic_literal(uint32_t start);

  Group& push(Kind kind, uint32_t start);
  void open_apply(ir::SymbolId head, uint32_t start);
  bool open_list_head(uint32_t start);
  bool read_indices(ir::SymbolId name);
  bool read_symbolic_index();
  bool is_symbolic(ir::SymbolId name) const;
  ir::FunId datatype_function(ir::SymbolId name, ir::FunKind kind) const;

  bool open_let(uint32_t start);
  bool next_let_value(Group& group);
  bool open_binder(ir::Op op, uint32_t start);
  ir::TermId finish_binder(const Group& group);
  ir::TermId finish_annotation();
  bool read_attribute(const Token& keyword);
  bool read_named(Group& group);
  void annotate(ir::TermId& term, ir::SymbolId keyword, ir::SymbolId value,
                std::span<const ir::TermId> patterns);
  bool open_case(const Group& match);
  ir::FunId constructor_of(ir::SymbolId name, ir::SortId sort) const;
  bool read_case_pattern(Group& group, ir::SortId scrutinee);
  bool covers_all(uint32_t start, std::span<const ir::TermId> parts);
  ir::TermId finish_match(const Group& group);

  // Values of applications wait in a batch until something other than an application wants them.
  void push_value(ir::TermId value) {
    if (ir::TermBatch::is_pending(value)) first_pending_ = std::min(first_pending_, values_.size());
    values_.push_back(value);
  }
  ir::TermId apply_later(const Group& group, std::span<const ir::TermId> args);
  void settle();
  ir::TermId settled(ir::TermId value);

  ir::TermId apply_group(const Group& group, std::span<ir::TermId> args);
  ir::TermId apply_to_nothing(const Group& group);
  ir::TermId apply_function(ir::FunId fun, ir::SortId as, std::span<ir::TermId> args);
  ir::TermId apply_partially(ir::FunId fun, std::span<ir::TermId> args);
  ir::TermId apply_value(ir::TermId function, std::span<ir::TermId> args);
  ir::TermId apply_tester(std::string_view name, std::span<ir::TermId> args);
  ir::TermId unknown_call(const Group& group, std::span<ir::TermId> args);
  bool wrong_indices(const Group& group);
  ir::TermId mismatch(const Group& group, std::span<ir::TermId> args);

  bool is_known_head(ir::SymbolId name) const;
  ir::TermId recover();
  size_t recoverable_group() const;
  std::string_view text_of(const Group& group);
  size_t group_to_keep(size_t group, std::string_view text) const;
  void drop_group(const Group& group);

  // (_ ...) and (as ...) as terms of their own, and forms that push their own group.
  ir::TermId open_form(Word form, uint32_t start);

  Reader& r_;
  ir::TermStore& store_;
  ir::TermBatch batch_;
  std::vector<Group> groups_;
  std::vector<ir::TermId> values_;  // those of read_later(), then those of the groups
  size_t first_pending_ = 0;        // values before this one are in the store
  std::vector<uint32_t> indices_;
  std::vector<ir::SymbolId> names_;
  std::vector<Word> words_;  // by symbol
  uint64_t reread_ = 0;      // bytes that recover() went through
};

}  // namespace elenchus::smtlib
