// For tests of engines whose tests have a known answer.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "eval/check.h"
#include "eval/evaluator.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "mutate/engine.h"
#include "oracle/model_check.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/outcome.h"

namespace elenchus {

// Everything that any check asks for is true under the witness, as it is printed.
inline void expect_witness_holds(ir::TermStore& store, const mutate::Mutant& mutant) {
  const std::string text = smtlib::print_script(store, mutant.script).value();
  const std::string model_text = smtlib::print_model(store, *mutant.witness).value();
  ir::TermStore fresh;
  const auto script = smtlib::parse_script(fresh, text);
  ASSERT_TRUE(script.has_value()) << base::describe(script.error(), "mutant") << "\n" << text;
  const auto checks = ir::checks_of(*script);
  ASSERT_EQ(checks.size(), mutant.expected.size()) << text;
  const auto model = smtlib::read_model(fresh, *script, checks.back(), model_text);
  ASSERT_TRUE(model.has_value()) << base::describe(model.error(), "model") << "\n" << model_text;
  eval::Evaluator strict(fresh, *model);
  for (size_t i = 0; i < checks.size(); ++i) {
    if (mutant.expected[i] != mutate::Truth::kSat) continue;
    for (const ir::Claim& claim : ir::claims_at(*script, checks[i])) {
      EXPECT_TRUE(strict.evaluate(claim.term).is_true())
          << text << "\n"
          << model_text << "\n"
          << smtlib::print_term(fresh, claim.term).value();
    }
  }
}

// That a solver's answers do not refute what was constructed. A solver may be wrong, so an answer
// counts as a refutation only where it can be shown: the witness of a `sat` does not hold, or the
// solver's own model of an `unsat` does.
inline void expect_not_refuted(std::string_view solver, const solver::Run& run,
                               ir::TermStore& store, const mutate::Mutant& mutant) {
  const auto checks = ir::checks_of(mutant.script);
  for (size_t i = 0; i < run.checks.size(); ++i) {
    const solver::CheckResult& answer = run.checks[i];
    if (mutant.expected[i] == mutate::Truth::kSat && answer.outcome == solver::Outcome::kUnsat) {
      expect_witness_holds(store, mutant);
    }
    if (mutant.expected[i] != mutate::Truth::kUnsat || answer.outcome != solver::Outcome::kSat) {
      continue;
    }
    const auto model = smtlib::read_model(store, mutant.script, checks[i], answer.model);
    if (!model) continue;
    const auto verdict = oracle::check_model(store, mutant.script, checks[i], *model);
    EXPECT_FALSE(verdict && verdict->verdict == eval::Verdict::kValid)
        << solver << " has a model:\n"
        << answer.model << "\n"
        << smtlib::print_script(store, mutant.script).value();
  }
}

}  // namespace elenchus
