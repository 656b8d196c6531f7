#include "gen/grammar.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gen/term_maker.h"
#include "gen/world.h"
#include "ir/naming.h"

namespace elenchus::gen {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

namespace {

constexpr uint32_t kMaxLevels = 3;
constexpr uint32_t kMaxChecks = 5;
constexpr int64_t kDefinitionSize = 12;

// One script under way.
class Writer {
 public:
  Writer(ir::TermStore& store, base::Rng& rng, World& world, TermMaker& maker,
         const GrammarSettings& settings)
      : store_(store), rng_(rng), world_(world), maker_(maker), settings_(settings) {}

  ir::Script write(std::string_view logic) {
    wants_cores_ = rng_.happens(settings_.core_one_in);
    wants_models_ = rng_.happens(settings_.request_one_in);
    is_incremental_ = rng_.happens(settings_.incremental_one_in);
    if (rng_.happens(settings_.definition_one_in)) define();
    make_body();
    ir::Script script;
    begin(script, logic);
    world_.declare(script);
    for (const FunId fun : definitions_) {
      Command command;
      command.kind = CommandKind::kDefineFun;
      script.set_items(command, {{fun.value}});
      script.commands.push_back(command);
    }
    for (const Step& step : body_) {
      Command command = step.command;
      if (!step.items.empty()) script.set_items(command, step.items);
      script.commands.push_back(command);
    }
    return script;
  }

 private:
  // A command with its items; declarations that come before it are not known yet.
  struct Step {
    Command command;
    std::vector<uint32_t> items;
  };

  // --- The head. ---

  void begin(ir::Script& script, std::string_view logic) {
    if (wants_models_) switch_on(script, ":produce-models");
    if (wants_cores_) switch_on(script, ":produce-unsat-cores");
    if (wants_failed_) switch_on(script, ":produce-unsat-assumptions");
    script.logic = store_.symbols().intern(logic);
    Command command;
    command.kind = CommandKind::kSetLogic;
    command.text = script.logic;
    script.commands.push_back(command);
  }

  void switch_on(ir::Script& script, std::string_view option) {
    Command command;
    command.kind = CommandKind::kSetOption;
    command.text = store_.symbols().intern(option);
    command.value = store_.symbols().intern("true");
    script.commands.push_back(command);
  }

  void define() {
    for (uint64_t i = 0, count = 1 + rng_.below(2); i < count; ++i) {
      std::vector<TermId> formals;
      std::vector<SortId> params(rng_.below(World::kMaxParams + 1));
      for (SortId& param : params) {
        param = world_.any_sort(SortKind::kNone);
        formals.push_back(store_.variable(world_.new_name("y"), param, 0));
      }
      // Numbers are compared in difference logics, and not computed.
      const bool is_formula = rng_.coin() || world_.logic().is_difference();
      const SortId result = is_formula ? ir::kBoolSort : world_.any_sort(SortKind::kNone);
      const TermId body = maker_.make_over(formals, result, kDefinitionSize);
      const FunId fun = store_.declare(world_.new_name("h"), ir::FunKind::kDefined, params, result);
      store_.define(fun, formals, body);
      definitions_.push_back(fun);
      has_hidden_binders_ |= store_.has(body, ir::kHasBinders);
      world_.add_definition(fun);
    }
  }

  // --- The body. ---

  void make_body() {
    const uint64_t count = 1 + rng_.below(std::max(settings_.assertions, 1U));
    const int64_t share = std::max<int64_t>(1, settings_.size / static_cast<int64_t>(count));
    uint32_t levels = 0;
    for (uint64_t i = 0; i < count; ++i) {
      if (is_incremental_) levels = move(levels);
      assert_formula(share);
      if (is_incremental_ && i + 1 < count && rng_.coin()) check();
    }
    check();
    if (!is_incremental_ || levels == 0 || rng_.coin()) return;
    step(CommandKind::kPop, levels);
    check();
  }

  uint32_t move(uint32_t levels) {
    if (levels > 0 && rng_.happens(settings_.pop_one_in)) {
      const auto count = static_cast<uint32_t>(1 + rng_.below(levels));
      step(CommandKind::kPop, count);
      return levels - count;
    }
    if (levels >= kMaxLevels || rng_.happens(settings_.stay_one_in)) return levels;
    const uint32_t count = rng_.happens(settings_.double_push_one_in) ? 2 : 1;
    step(CommandKind::kPush, count);
    return levels + count;
  }

  Step& step(CommandKind kind, uint32_t number = 0) {
    Step& made = body_.emplace_back();
    made.command.kind = kind;
    made.command.number = number;
    return made;
  }

  void text_step(std::string_view text) {
    step(CommandKind::kText).command.text = store_.symbols().intern(text);
  }

  void assert_formula(int64_t size) {
    TermId formula = maker_.make(ir::kBoolSort, size);
    if (wants_cores_ && !rng_.happens(settings_.unnamed_one_in)) formula = named(formula);
    step(CommandKind::kAssert).command.term = formula;
  }

  TermId named(TermId formula) {
    return ir::declared_and_named(store_, formula, world_.new_name("n"));
  }

  void check() {
    if (checks_ >= kMaxChecks) return;
    ++checks_;
    if (rng_.happens(settings_.assuming_one_in)) {
      std::vector<uint32_t> literals;
      for (uint64_t i = 0, count = 1 + rng_.below(3); i < count; ++i) {
        literals.push_back(maker_.literal().value);
      }
      step(CommandKind::kCheckSatAssuming).items = std::move(literals);
      if (wants_cores_ && rng_.coin()) {
        wants_failed_ = true;
        text_step("(get-unsat-assumptions)");
      }
    } else {
      step(CommandKind::kCheckSat);
      if (wants_cores_) text_step("(get-unsat-core)");
    }
    if (wants_models_) request();
  }

  void request() {
    std::vector<uint32_t> values;
    for (uint64_t i = 0, count = rng_.below(4); i < count; ++i) {
      // Nobody gives the value of a quantifier, also where it stands in a definition.
      const bool is_made = rng_.coin() && !has_hidden_binders_;
      const TermId term = is_made ? maker_.made_before() : any_variable();
      if (term.valid() && has_value(term)) values.push_back(term.value);
    }
    if (values.empty() || rng_.happens(settings_.model_one_in)) text_step("(get-model)");
    if (!values.empty()) step(CommandKind::kGetValue).items = std::move(values);
  }

  TermId any_variable() {
    const auto variables = world_.variables();
    if (variables.empty()) return {};
    return store_.fun(variables[rng_.below(variables.size())]).constant;
  }

  bool has_value(TermId term) const {
    const SortKind kind = store_.sorts().kind(store_.sort(term));
    return can_be_variable(kind) && kind != SortKind::kFunction;
  }

  ir::TermStore& store_;
  base::Rng& rng_;
  World& world_;
  TermMaker& maker_;
  const GrammarSettings& settings_;
  bool wants_cores_ = false;
  bool wants_failed_ = false;
  bool wants_models_ = false;
  bool is_incremental_ = false;
  bool has_hidden_binders_ = false;
  uint32_t checks_ = 0;
  std::vector<FunId> definitions_;
  std::vector<Step> body_;
};

}  // namespace

Grammar::Grammar(const ir::OpTable& table, std::string_view logic, const GrammarSettings& settings)
    : settings_(settings),
      name_(logic),
      vocabulary_(table, ir::parse_logic(logic), settings.vocabulary),
      swarm_(table, vocabulary_, settings_),
      readers_(readers_of_logic(table)) {}

// The solvers in use that have all theories of the logic; all of them, where none has.
uint16_t Grammar::readers_of_logic(const ir::OpTable& table) const {
  constexpr SortKind kTheories[] = {
      SortKind::kInt,    SortKind::kReal,  SortKind::kBitVec,   SortKind::kFloatingPoint,
      SortKind::kString, SortKind::kArray, SortKind::kDatatype, SortKind::kFiniteField};
  uint16_t readers = settings_.vocabulary.solvers;
  if (logic().everything) return readers;
  for (const SortKind kind : kTheories) {
    if (logic().admits(kind)) readers &= table.theory_readers(kind);
  }
  return readers != 0 ? readers : settings_.vocabulary.solvers;
}

// Who reads the script: all solvers in use, so that their answers can be compared; those who read
// the standard only; or some of them, so that what the others do not read is tested, too.
uint16_t Grammar::draw_audience(base::Rng& rng) const {
  const uint16_t all = readers_;
  const uint16_t named = all & ~ir::kStandardReaders;
  // Of eight scripts.
  constexpr uint64_t kStandard = 1;
  constexpr uint64_t kComparable = 5;
  const uint64_t draw = rng.below(8);
  if (named == 0 || draw < kStandard) return all;
  if (draw < kStandard + kComparable || std::has_single_bit(named)) return named;
  uint16_t some = 0;
  while (some == 0) some = named & static_cast<uint16_t>(rng.next());
  return some;
}

ir::Script Grammar::script(ir::TermStore& store, base::Rng& rng, const Bias* bias) {
  World world(store, rng, vocabulary_.logic(), draw_audience(rng), settings_);
  swarm_.begin(world.audience(), world.kinds(), bias);
  TermMaker maker(store, rng, world, swarm_, settings_, bias);
  return Writer(store, rng, world, maker, settings_).write(name_);
}

}  // namespace elenchus::gen
