#include "docket/evidence.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "ir/functions.h"
#include "ir/habits.h"
#include "ir/script_parts.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "oracle/explanation.h"
#include "smtlib/model_printer.h"
#include "solver/readership.h"

namespace elenchus::docket {
namespace {

constexpr size_t kStepsOfAClaim = 24;
constexpr size_t kMaxText = 20'000;
constexpr uint64_t kRandomSeeds = 3;

// The options that set the random seed, by profile.
struct SeedOption {
  std::string_view profile;
  std::string_view option;
};
constexpr std::array kSeedOptions = {
    SeedOption{"z3", "smt.random_seed"},
    SeedOption{"z3", "sat.random_seed"},
    SeedOption{"cvc4", "seed"},
    SeedOption{"cvc5", "seed"},
};

}  // namespace

std::string evaluation_of(ir::TermStore& store, const ir::Script& script,
                          const oracle::Finding& finding) {
  if (finding.kind != oracle::Kind::kRefutationUnsound || !finding.model) return {};
  const auto checks = ir::checks_of(script);
  if (finding.check >= checks.size()) return {};
  std::string text;
  for (const oracle::ExplainedStep& step : oracle::explain_claims(
           store, script, checks[finding.check], *finding.model, kStepsOfAClaim)) {
    if (text.size() > kMaxText) return text + "...\n";
    text += oracle::text_of(step) + '\n';
  }
  return text;
}

namespace {

std::set<ir::FunId> declared_in(const ir::Script& script) {
  std::set<ir::FunId> funs;
  for (const ir::Command& command : script.commands) {
    if (!ir::declares_open_function(command.kind)) continue;
    for (const uint32_t item : script.items(command)) funs.insert(ir::FunId{item});
  }
  return funs;
}

// What the definitions of these functions call, too.
void add_used(const ir::TermStore& store, const ir::Model& model, std::set<ir::FunId>& funs) {
  ir::Walker walker(store);
  for (bool grows = true; grows;) {
    const size_t before = funs.size();
    for (const ir::FunctionDefinition& function : model.functions) {
      if (!funs.contains(function.fun)) continue;
      walker.walk(function.definition.body, [&](ir::TermId term) {
        ir::for_each_function(store, term, [&](ir::FunId fun) { funs.insert(fun); });
      });
    }
    grows = funs.size() > before;
  }
}

}  // namespace

std::string shown_model(const ir::TermStore& store, const ir::Script& script,
                        const oracle::Finding& finding) {
  // Values of operators have no notation of ours.
  if (!finding.model || !finding.model->operators.empty()) return finding.witness;
  std::set<ir::FunId> used = declared_in(script);
  add_used(store, *finding.model, used);
  ir::Model model = *finding.model;
  std::erase_if(model.functions, [&](const ir::FunctionDefinition& function) {
    return !used.contains(function.fun);
  });
  const auto text = smtlib::print_model(store, model);
  return text ? *text : finding.witness;
}

bool leaves_nothing_open(const ir::Script& script) {
  return std::none_of(script.commands.begin(), script.commands.end(),
                      [](const ir::Command& command) {
                        return command.kind == ir::CommandKind::kDeclareFun ||
                               command.kind == ir::CommandKind::kDeclareConst ||
                               command.kind == ir::CommandKind::kDeclareSort;
                      });
}

std::string proof_of(const ir::Script& script, const oracle::Finding& finding) {
  const auto checks = ir::checks_of(script);
  const bool is_wrong_unsat = finding.kind == oracle::Kind::kRefutationUnsound && finding.model;
  if (!is_wrong_unsat || finding.check >= checks.size()) return finding.evidence;
  const size_t claims = ir::claims_at(script, checks[finding.check]).size();
  const bool is_fixed = leaves_nothing_open(script) && finding.model->operators.empty();
  std::string text =
      is_fixed ? fmt::format("by our evaluation {} true, and nothing is left to a model",
                             claims == 1 ? "the assertion is"
                                         : fmt::format("all {} assertions are", claims))
      : claims == 1
          ? std::string("the model below makes the assertion true, by our evaluation")
          : fmt::format("the model below makes all {} assertions true, by our evaluation", claims);
  if (!finding.question.empty()) {
    text += fmt::format("\nwhy it errs: {} gives {}, which has another value{}", finding.question,
                        finding.reply, is_fixed ? "" : " under that model");
  }
  return text;
}

std::string odd_format_in(const ir::TermStore& store, const ir::Script& script,
                          const solver::Profile& profile) {
  const ir::Reader reader = solver::reader_of(profile, "");
  if (!ir::has_habit(reader, ir::Habit::kSingleAndDouble)) return {};
  std::string odd;
  ir::Walker walker(store);
  for (const ir::Command& command : script.commands) {
    ir::for_each_root(store, script, command, [&](ir::TermId root) {
      walker.walk(root, [&](ir::TermId term) {
        const ir::SortNode sort = store.sorts()[store.sort(term)];
        const bool is_odd =
            sort.kind == ir::SortKind::kFloatingPoint && !ir::is_single_or_double(sort);
        if (is_odd && odd.empty()) odd = fmt::format("(_ FloatingPoint {} {})", sort.a, sort.b);
      });
    });
  }
  return odd;
}

std::string beyond_own_rules(const solver::Solver& strict, std::string_view message) {
  return fmt::format("with {} {} refuses it: {}", fmt::join(strict.profile->rules.options, " "),
                     strict.profile->name, base::first_line(message));
}

Stability stability_of(const solver::Solver& solver,
                       const std::function<bool(const solver::Solver&)>& shows) {
  Stability stability;
  for (uint64_t seed = 1; seed <= kRandomSeeds; ++seed) {
    solver::Solver other = solver;
    for (const SeedOption& known : kSeedOptions) {
      if (known.profile != solver.profile->name) continue;
      other.options.push_back(solver.profile->write_option(known.option, std::to_string(seed)));
    }
    if (other.options.size() == solver.options.size()) return stability;
    ++stability.tried;
    if (shows(other)) ++stability.shown;
  }
  return stability;
}

}  // namespace elenchus::docket
