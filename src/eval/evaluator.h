#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/paged_array.h"
#include "eval/domain.h"
#include "eval/rules.h"
#include "eval/value.h"
#include "ir/free_variables.h"
#include "ir/model.h"
#include "ir/term_store.h"

namespace elenchus::eval {

// What an evaluation may cost, and how it treats what the model leaves out. Where a limit is met,
// the value is unknown.
struct Settings {
  uint64_t steps = 20'000'000;  // for each call of evaluate() that does not say
  uint64_t bytes = 1ULL << 28;  // of values
  uint32_t depth = 4'000'000;   // terms under evaluation at once
  uint32_t nesting = 64;        // evaluations inside the rule of an operator
  bool complete = false;        // give what the model and the standard leave open some value
};

// The value of terms under a model: exact, or unknown with a reason. Where the standard leaves a
// value open and the model does not say it, the value is unknown, and so is what depends on it.
//
// Depth costs memory only. Shared terms are evaluated once; below a binder, once for each
// assignment of the variables that they mention.
class Evaluator {
 public:
  // What the model does not define is unknown, or gets some value: see Settings::complete.
  Evaluator(const ir::TermStore& terms, const ir::Model& model, const Settings& settings = {});
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // The term has no free variables.
  Value evaluate(ir::TermId term) { return evaluate(term, settings_.steps); }
  // Unknown where the value is a real number without exact form.
  Value evaluate(ir::TermId term, uint64_t steps);

  ValueStore& values() { return values_; }
  Domains& domains() { return domains_; }
  uint64_t steps_left() const { return steps_left_; }
  const ir::TermStore& terms() const { return terms_; }

  // Functions that the model leaves out and that were needed, in order of need.
  const std::vector<ir::FunId>& completed() const { return completed_; }
  // Values that the standard leaves open, for which one was chosen: "div by zero".
  const std::vector<std::string>& chosen() const { return chosen_; }

  // The values of a quantifier's variables that made it true or false when it was evaluated last;
  // empty where all values had to be tried.
  std::span<const Value> deciding_values(ir::TermId quantifier) const;

  // --- For rules. ---

  bool pay(uint64_t steps);
  Value apply(const Value& function, std::span<const Value> arguments);
  // The value of an operator where the standard leaves it open: what the model says, or else any or
  // unknown.
  Value open(ir::Op op, ir::SortId sort, std::span<const Value> arguments, std::string_view reason);
  // Unknown where the values contain functions that cannot be compared.
  Value equal(const Value& a, const Value& b);
  // A function of the script as a value.
  Value function_value(ir::FunId fun);

  // Gives a free variable a value, over whatever value it has.
  void bind(ir::TermId variable, const Value& value);
  // Takes the newest bindings back, until there are `count` of them.
  void unbind(size_t count);
  size_t binding_count() const { return bindings_.size(); }

 private:
  static constexpr const char* kTooManySteps = "the evaluation takes too many steps";

  // How far the evaluation of a term has come, for kinds that do not simply evaluate all arguments.
  enum class Stage : uint8_t { kArguments, kBody };

  struct Frame {
    ir::TermId term;
    uint32_t next = 0;      // the argument to be evaluated next
    uint32_t operands = 0;  // how many operands there were before
    uint32_t bound = 0;     // how many bindings there were before
    Stage stage = Stage::kArguments;
  };

  struct Slot {
    Value value;
    uint64_t time = 0;
  };

  struct Binding {
    ir::TermId variable;
    Slot before;
  };

  // Where the enumeration of a quantifier's variables stands.
  struct Search {
    std::vector<std::vector<Value>> choices;  // for each variable
    std::vector<size_t> at;
    bool is_exhaustive = true;
    Value open;  // the first unknown that was met
    bool met_open = false;
  };

  enum class Known : uint8_t { kNot, kBusy, kYes };
  struct FunctionEntry {
    const ir::Definition* definition = nullptr;
    Known constant = Known::kNot;
    bool tried_table = false;
    Value value;  // of a constant that is an element or was completed
    Value table;
  };

  // The machine (evaluator.cpp).
  Value run(ir::TermId term);
  struct Height {
    size_t frames, bindings, searches, chains;
  };
  Height height() const;
  void abandon(const Height& height);
  const Value* find(ir::TermId term);
  bool want(ir::TermId term);
  void finish(const Value& value);
  void step();
  bool evaluate_arguments(Frame& frame);
  bool evaluate_all_arguments(Frame& frame);
  const Value* first_unknown(const Frame& frame) const;
  void step_product(Frame& frame);
  bool are_sets_listed(const Frame& frame) const;
  bool has_expressions(const Frame& frame) const;
  Value exact_or_unknown(const Value& value);
  void step_operator(Frame& frame, ir::Op op);
  void step_annotated(Frame& frame);
  void step_junction(Frame& frame, bool decides);
  void step_implication(Frame& frame);
  void step_ite(Frame& frame);
  void step_equality(Frame& frame);
  void step_match(Frame& frame);
  void step_choice(Frame& frame);
  void start_body(Frame& frame, std::span<const ir::TermId> formals,
                  std::span<const Value> arguments, ir::TermId body);
  void finish_body(Frame& frame);
  void step_call(Frame& frame);
  void call_definition(Frame& frame, std::span<const ir::TermId> formals, ir::TermId body);
  FunctionEntry& entry(ir::FunId fun);
  Value call_with_unknown(ir::FunId fun, const Value& open);
  Value field_of(ir::FunId selector, const Value& data, ir::SortId sort);
  Value any_or_unknown(ir::SortId sort, std::string_view what);
  Value complete(ir::FunId fun, ir::SortId sort);

  // Functions as values (functions.cpp).
  void step_application(Frame& frame);
  void apply_in(Frame& frame, const Value& function, std::span<const Value> arguments);
  Value is_in(const Value& set, const Value& element);
  Value apply_partially(const Function& function, std::span<const Value> arguments,
                        ir::SortId sort);
  void step_store(Frame& frame);
  std::vector<ir::TermId> store_chain(ir::TermId outermost);
  Value stored(ir::SortId sort, const Value& array, std::span<const Value> parts);
  Value stored_in_set(ir::SortId sort, const Value& set, std::span<const Value> parts);
  Value look_up(const Function& function, std::span<const Value> arguments);
  Value closure(ir::TermId lambda);
  Value table_of(ir::FunId fun);
  Value tabulate(std::span<const ir::TermId> formals, ir::TermId body);
  Value tabulate_chain(std::span<const ir::TermId> formals, ir::TermId body);
  Value tabulate_all(std::span<const ir::TermId> formals, ir::TermId body);
  Value tabulate_distinguished(std::span<const ir::TermId> formals, ir::TermId body);
  Value rows_of(std::span<const ir::TermId> formals, ir::TermId body,
                std::span<const std::span<const Value>> choices,
                std::vector<std::vector<Value>>& rows);
  Value function_of(std::span<const ir::TermId> formals, std::vector<std::vector<Value>> rows,
                    const Value& otherwise);
  bool read_key(ir::TermId condition, std::span<const ir::TermId> formals, std::vector<Value>& key);
  bool is_closed_for(std::span<const ir::TermId> formals, ir::TermId term);
  Value equal_parts(const Value& a, const Value& b, std::vector<std::pair<Value, Value>>& pairs);
  Value equal_sets(const Value& a, const Value& b);
  Value equal_functions(const Value& a, const Value& b);
  Value equal_expressions(const Value& a, const Value& b);

  // Quantifiers (quantifiers.cpp).
  void step_quantifier(Frame& frame);
  Search start_search(ir::TermId quantifier);
  static bool advance(Search& search);
  void bind_choice(ir::TermId quantifier, const Search& search);
  Value value_for_all(ir::TermId quantifier);
  void remember_choice(ir::TermId quantifier, const Search& search);
  void end_search(const Value& value);

  // Which values of a variable need to be tried (choices.cpp).
  struct Choices {
    std::vector<Value> values;
    bool is_exhaustive = false;  // what holds for these holds for all
    bool is_cut = false;         // there would be a list of all, if steps were left for it
  };
  struct Condition {
    ir::TermId atom;
    bool truth = true;
  };
  Choices choices_for(ir::TermId quantifier, ir::TermId variable);
  std::vector<Condition> conditions_of(ir::TermId quantifier);
  bool pinned_values(ir::TermId quantifier, ir::TermId variable, std::vector<Value>& values);
  bool bounded_values(ir::TermId quantifier, ir::TermId variable, std::vector<Value>& values);
  bool is_linear(std::span<const ir::TermId> variables, ir::TermId variable, ir::TermId term);
  using Sides = std::pair<ir::TermId, ir::TermId>;
  std::optional<std::pair<mpq_class, mpq_class>> line_of(std::span<const ir::TermId> variables,
                                                         ir::TermId variable, const Sides& sides);
  std::optional<mpq_class> difference_at(const Sides& sides, ir::TermId variable, int64_t at);
  bool distinguished_values(std::span<const ir::TermId> variables, ir::TermId body,
                            ir::TermId variable, std::vector<Value>& values);
  bool add_distinguished(ir::TermId term, size_t position, std::span<const ir::TermId> variables,
                         std::vector<Value>& values);

  const ir::TermStore& terms_;
  const ir::Model& model_;
  Settings settings_;
  uint32_t tabulations_ = 0;  // under way
  ValueStore values_;
  Domains domains_;
  ir::FreeVariables free_;

  base::PagedArray<Slot> slots_;  // by term; a variable's slot is its binding
  uint64_t clock_ = 1;
  uint64_t last_binding_ = 0;
  std::vector<Frame> frames_;
  std::vector<Value> operands_;
  std::vector<Binding> bindings_;
  std::vector<Search> searches_;
  std::vector<std::vector<ir::TermId>> chains_;  // of stores under evaluation
  std::vector<FunctionEntry> functions_;         // by function
  std::vector<ir::FunId> completed_;
  std::vector<std::string> chosen_;
  std::unordered_map<uint32_t, std::vector<Value>> deciding_;  // by quantifier
  uint64_t steps_left_ = 0;
  uint32_t nesting_ = 0;
};

}  // namespace elenchus::eval
