#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/free_variables.h"
#include "ir/measure.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "smtlib/shared_terms.h"

namespace elenchus::smtlib {

// Appends terms as text. Keeps tables between calls, so one printer should print many terms.
class TermPrinter {
 public:
  TermPrinter(const ir::TermStore& store, uint32_t let_size);

  // What earlier scripts named means nothing any more. The store may have changed in between.
  void start_script();
  // Names made up so far are forgotten: the text of a command does not depend on those before it.
  void start_command() {
    binder_count_ = 0;
    rename_count_ = 0;
  }

  // Free variables are written by their names. False when the term is out of reach: see
  // FreeVariables::exhausted().
  bool append(std::string& out, ir::TermId term);

  // The formals of a definition get names that mean nothing else in its body; until they are
  // closed, append_variables() and append() write those.
  void open_formals(std::span<const ir::TermId> formals, ir::TermId body);
  void close_formals(std::span<const ir::TermId> formals) { close_scope(formals); }

  // (x S) (y T).
  void append_variables(std::string& out, std::span<const ir::TermId> variables);

  // A name is given once by :named: later occurrences of the annotation are left out, until
  // forget_names() takes the names back that were given after the first `count`.
  size_t name_count() const { return given_order_.size(); }
  void forget_names(size_t count);

  // Names that append() wrote although no annotation before had given them: the annotation was in
  // the value of a let that is used later, or never.
  const std::vector<ir::FunId>& missing_names() const { return missing_names_; }
  void forget_missing_names() { missing_names_.clear(); }
  // False when the function's name is given already.
  bool give_name(ir::FunId fun) { return give_name(store_.fun(fun).name.value); }

 private:
  // What is left to write, last first.
  struct Item {
    enum class Kind : uint8_t {
      kText,
      kTerm,
      kSpacedTerm,  // after a space
      kUnit,        // `term` as a place for lets, below the binder of that number
      kDefinition,  // the value of a let: in full although it has a name
      kLetName,
      kAttribute,  // of the annotation `term`, without its patterns
      kEndScope,   // of the binder `term`
      kEndUnit,
    };
    Kind kind = Kind::kText;
    const char* text = nullptr;
    ir::TermId term;
    uint32_t binder = 0;
  };
  static constexpr uint32_t kNoUnit = UINT32_MAX;

  // A variable in scope.
  struct Binding {
    std::string name;
    uint32_t binder = 0;  // a number for each binder written; 0 outside
  };

  // A subterm that has a name in the text.
  struct Let {
    std::string name;
    // The binders of its free variables. Where they differ, the name means something else.
    std::vector<uint32_t> binders;
    uint32_t outer = 0;  // what innermost_let_ said of the term before
  };

  void run();
  void write(ir::TermId term);
  void write_in_full(ir::TermId term);
  void write_application(ir::TermId term);
  void write_call_head(ir::TermId term);
  void write_op_head(ir::TermId term);
  void write_index(ir::TermId term, uint32_t index);
  void write_higher_order(ir::TermId term);
  void write_binder(ir::TermId term);
  void write_match(ir::TermId term);
  void write_case(ir::TermId term);
  void write_annotation(ir::TermId term, uint32_t binder);
  void write_attribute(ir::TermId annotation);
  void write_rest(std::span<const ir::TermId> args);
  void write_symbol(ir::SymbolId symbol) { append_symbol(*out_, store_.symbols(), symbol); }
  void write_sort(ir::SortId sort) { append_sort(*out_, store_.sorts(), store_.symbols(), sort); }
  void write_variable(ir::TermId variable);
  void push(Item::Kind kind, ir::TermId term) { stack_.push_back({kind, nullptr, term, 0}); }
  void push_text(const char* text) { stack_.push_back({Item::Kind::kText, text, {}, 0}); }

  bool is_leaf(ir::TermId term) const;
  const Let* usable_let(ir::TermId term);
  const Let& innermost_let(ir::TermId term) const { return lets_[innermost_let_[term.value] - 1]; }
  bool is_in_scope(ir::TermId variable) const;

  void open_scope(ir::TermId binder);
  void close_scope(std::span<const ir::TermId> variables);
  std::string name_for(ir::TermId variable, ir::TermId binder);
  void collect_taken_names(ir::TermId binder);
  bool applies(ir::TermId root, ir::SymbolId name);

  void push_unit(ir::TermId root, uint32_t binder);
  void open_unit(ir::TermId root, uint32_t binder);
  void give_let(ir::TermId term);
  std::string new_let_name();
  void choose_let_prefix();
  bool is_worth_a_name(ir::TermId term);
  void bind_level(const std::vector<ir::TermId>& level);

  bool give_name(uint32_t symbol);
  void note_name(ir::FunId fun);
  void note_names_in(std::string_view text);

  const ir::TermStore& store_;
  uint32_t let_size_;
  ir::FreeVariables free_;
  ir::Measures measures_;
  ir::Walker walker_;
  std::string* out_ = nullptr;
  std::unordered_set<uint32_t> given_names_;
  std::vector<uint32_t> given_order_;
  std::vector<ir::FunId> missing_names_;
  std::unordered_set<uint32_t> names_in_text_;  // that expressions carried as text may give
  std::vector<Item> stack_;

  std::unordered_map<uint32_t, std::vector<Binding>> scope_;  // by variable, innermost last
  std::vector<Let> lets_;                                     // open ones, innermost last
  std::vector<uint32_t> innermost_let_;         // by term: one more than its place in lets_, or 0
  std::vector<std::vector<ir::TermId>> units_;  // what each open unit named
  uint32_t binder_count_ = 0;
  uint32_t rename_count_ = 0;
  std::unordered_set<std::string> taken_names_;  // in the binder whose variables get their names
  // Steps that looking for shared terms and for clashes of names may still take. Thousands of
  // nested binders can ask for quadratically many.
  uint64_t name_budget_ = kNameBudget;
  static constexpr uint64_t kNameBudget = 20'000'000;
  uint64_t budget_ = kBudget;
  static constexpr uint64_t kBudget = 1'000'000'000;

  SharedTerms shared_terms_;

  uint32_t let_count_ = 0;
  std::string let_prefix_;
  uint64_t prefix_generation_ = 0;  // of the store when its symbols were looked at
  uint32_t prefix_symbols_ = 0;     // how many of them
  std::vector<ir::SymbolId> similar_names_;
};

}  // namespace elenchus::smtlib
