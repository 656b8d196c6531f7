// Optimization takes a solver through code that deciding does not: core-guided search, the simplex
// over an objective, incremental bounds, the sorting networks of pseudo-Boolean constraints. What
// comes out can be checked well: a value that some solution beats is wrong, whoever knows the
// solution.
//
// Objectives stand before the last check. Many terms of a test are unbounded, which solvers find
// out quickly; so some get a bound. Where the test has a witness, the bound is at or beyond the
// value that the term has there: the witness stays one, and close to it is the optimum.
//
// Values that are approached and not reached (reals below a strict bound) have an optimum only as
// long as they are alone: of several such objectives no lexicographic best exists. So a real number
// is the only objective of its test, or it gets a bound that can be reached.
#include "mutate/objectives.h"

#include <gmpxx.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "eval/evaluator.h"
#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "ir/settings.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "mutate/modified.h"

namespace elenchus::mutate {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::SortKind;
using ir::TermId;

constexpr size_t kMostObjectives = 3;
constexpr size_t kMostSofts = 5;
constexpr uint64_t kEvaluationSteps = 100'000;

// Terms of a check that can be objectives, in the order of their ids.
struct Material {
  std::vector<TermId> numbers;
  std::vector<TermId> truths;
};

bool is_number(SortKind kind) {
  return kind == SortKind::kInt || kind == SortKind::kReal || kind == SortKind::kBitVec;
}

Material material_of(const ir::TermStore& store, const ir::Script& script, size_t check) {
  Material material;
  ir::Walker walker(store);
  const auto look_at = [&](TermId term) {
    const bool is_closed = !store.has(term, ir::kHasVariables) && !store.has(term, ir::kHasBinders);
    const bool is_plain = !store.has(term, ir::kHasUnknown) && !store.has(term, ir::kHasNamed);
    if (!is_closed || !is_plain || ir::is_literal(store.op(term))) return;
    if (store.op(term) == Op::kAnnotated) return;
    const SortKind kind = store.sorts().kind(store.sort(term));
    if (is_number(kind)) material.numbers.push_back(term);
    if (kind == SortKind::kBool) material.truths.push_back(term);
  };
  for (const ir::Claim& claim : ir::claims_at(script, check)) walker.walk(claim.term, look_at);
  std::sort(material.numbers.begin(), material.numbers.end());
  std::sort(material.truths.begin(), material.truths.end());
  return material;
}

// Puts objectives before the last check of one mutant.
class Setter {
 public:
  Setter(ir::TermStore& store, Mutant& mutant, const ObjectiveSettings& settings, base::Rng& rng)
      : store_(store), mutant_(mutant), settings_(settings), rng_(rng) {}

  void run() {
    const auto checks = ir::checks_of(mutant_.script);
    if (checks.empty()) return;
    // A tactic does not look at objectives.
    if (mutant_.script.commands[checks.back()].kind == CommandKind::kCheckSatUsing) return;
    material_ = material_of(store_, mutant_.script, checks.back());
    const uint64_t count = 1 + (rng_.coin() ? 0 : rng_.below(kMostObjectives));
    for (uint64_t i = 0; i < count; ++i) add(count > 1);
    if (added_.empty()) return;
    auto& commands = mutant_.script.commands;
    commands.insert(commands.begin() + static_cast<std::ptrdiff_t>(checks.back()), added_.begin(),
                    added_.end());
    if (objectives_ > 1) set_priority(checks.size());
  }

 private:
  void add(bool is_one_of_several) {
    const bool has_numbers = !material_.numbers.empty();
    if (!material_.truths.empty() && (!has_numbers || rng_.one_in(settings_.soft_one_in))) {
      return add_softs();
    }
    if (!has_numbers) return;
    const TermId term = material_.numbers[rng_.below(material_.numbers.size())];
    const bool is_real = store_.sort(term) == ir::kRealSort;
    const bool is_up = rng_.coin();
    const bool wants_bound = rng_.one_in(settings_.bounded_one_in) || is_one_of_several;
    const bool is_bounded = wants_bound && add_bound(term, is_up);
    if (is_real && is_one_of_several && !is_bounded) return;
    command(is_up ? CommandKind::kMaximize : CommandKind::kMinimize, term);
    ++objectives_;
  }

  Command& command(CommandKind kind, TermId term) {
    Command& made = added_.emplace_back();
    made.kind = kind;
    made.term = term;
    return made;
  }

  // With a name, since solvers differ in what they make of those without.
  void add_softs() {
    const uint64_t count = 1 + rng_.below(kMostSofts);
    uint32_t next = 0;
    const auto group = store_.symbols().text(ir::fresh_name(store_, "group", next));
    const std::string name = fmt::format("{}_{}", group, objectives_);
    for (uint64_t i = 0; i < count; ++i) {
      TermId term = material_.truths[rng_.below(material_.truths.size())];
      if (rng_.coin()) term = applied(Op::kNot, {term});
      if (!term.valid()) continue;
      const bool is_half = rng_.one_in(settings_.half_one_in);
      const std::string weight = is_half ? "0.5" : fmt::format("{}", 1 + rng_.below(8));
      command(CommandKind::kAssertSoft, term).text =
          store_.symbols().intern(fmt::format(":weight {} :id {}", weight, name));
    }
    ++objectives_;
  }

  TermId applied(Op op, std::initializer_list<TermId> args) {
    return ir::apply(store_, op, std::span(args.begin(), args.size()));
  }

  // An assertion that the term is not beyond some value. False where none can be made, or where it
  // might take away the only solutions.
  bool add_bound(TermId term, bool is_up) {
    const bool must_hold = std::find(mutant_.expected.begin(), mutant_.expected.end(),
                                     Truth::kSat) != mutant_.expected.end();
    if (must_hold && mutant_.witness == nullptr) return false;
    static const ir::Model kNone;
    eval::Evaluator evaluator(store_, mutant_.witness ? *mutant_.witness : kNone);
    const eval::Value value = mutant_.witness ? evaluator.evaluate(term, kEvaluationSteps)
                                              : some_value(evaluator.values(), term);
    const TermId bound = beyond(evaluator.values(), value, store_.sort(term), is_up);
    if (!bound.valid()) return false;
    const bool is_bits = store_.sorts().kind(store_.sort(term)) == SortKind::kBitVec;
    const Op at_most = is_bits ? Op::kBvUle : Op::kLe;
    const TermId claim = is_up ? applied(at_most, {term, bound}) : applied(at_most, {bound, term});
    if (!claim.valid()) return false;
    command(CommandKind::kAssert, claim);
    return true;
  }

  eval::Value some_value(eval::ValueStore& values, TermId term) {
    const mpz_class number = static_cast<unsigned long>(rng_.below(64));
    const ir::SortId sort = store_.sort(term);
    switch (store_.sorts().kind(sort)) {
      case SortKind::kInt: return values.integer(number);
      case SortKind::kReal: return values.real(mpq_class(number));
      default: return values.bits(number, store_.sorts()[sort].a);
    }
  }

  // The value, or one a little further on; not where that would be another bit-vector altogether.
  TermId beyond(eval::ValueStore& values, const eval::Value& value, ir::SortId sort, bool is_up) {
    if (!value.known()) return {};
    const long step = static_cast<long>(rng_.coin() ? 0 : rng_.below(8)) * (is_up ? 1 : -1);
    switch (value.kind) {
      case eval::ValueKind::kInt:
        return term_of(values, values.integer(values.big_integer(value) + step), sort);
      case eval::ValueKind::kReal:
        if (!values.is_rational(value)) return {};
        return term_of(values, values.real(mpq_class(values.rational(value) + step)), sort);
      case eval::ValueKind::kBits: return term_of(values, value, sort);
      default: return {};
    }
  }

  TermId term_of(const eval::ValueStore& values, const eval::Value& value, ir::SortId sort) {
    return eval::term_of(store_, values, value, sort);
  }

  // The only one of the script: of several, nobody could say which holds.
  // With several checks a solver that walks along the Pareto front has more than one answer.
  void set_priority(size_t checks) {
    if (!rng_.one_in(settings_.priority_one_in)) return;
    const std::string_view priority = checks > 1 || rng_.coin() ? "box" : "pareto";
    Command option;
    option.kind = CommandKind::kSetOption;
    option.text = store_.symbols().intern(":opt.priority");
    option.value = store_.symbols().intern(priority);
    auto& commands = mutant_.script.commands;
    std::erase_if(commands, [&](const Command& command) {
      return ir::is_objective_priority(store_, command);
    });
    commands.insert(commands.begin(), option);
  }

  ir::TermStore& store_;
  Mutant& mutant_;
  const ObjectiveSettings& settings_;
  base::Rng& rng_;
  Material material_;
  std::vector<Command> added_;
  uint32_t objectives_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_objectives(std::unique_ptr<Engine> inner,
                                        const ObjectiveSettings& settings) {
  return make_modified(std::move(inner), "objectives",
                       [settings](ir::TermStore& store, Mutant& mutant, base::Rng& rng) {
                         Setter(store, mutant, settings, rng).run();
                       });
}

}  // namespace elenchus::mutate
