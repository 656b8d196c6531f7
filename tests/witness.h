// For tests of engines whose tests have a known answer.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "eval/check.h"
#include "ir/term_store.h"
#include "mutate/engine.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {

// Everything that any check asks for is true under the witness, as it is printed.
inline void expect_witness_holds(ir::TermStore& store, const mutate::Mutant& mutant) {
  const std::string text = smtlib::print_script(store, mutant.script).value();
  const std::string model_text = smtlib::print_model(store, *mutant.witness).value();
  ir::TermStore fresh;
  const auto script = smtlib::parse_script(fresh, text);
  ASSERT_TRUE(script.has_value()) << base::describe(script.error(), "mutant") << "\n" << text;
  const auto checks = eval::checks_of(*script);
  ASSERT_EQ(checks.size(), mutant.expected.size()) << text;
  const auto model = smtlib::read_model(fresh, *script, checks.back(), model_text);
  ASSERT_TRUE(model.has_value()) << base::describe(model.error(), "model") << "\n" << model_text;
  eval::Evaluator strict(fresh, *model);
  for (size_t i = 0; i < checks.size(); ++i) {
    if (mutant.expected[i] != mutate::Truth::kSat) continue;
    for (const eval::Claim& claim : eval::claims_at(*script, checks[i])) {
      EXPECT_TRUE(strict.evaluate(claim.term).is_true())
          << text << "\n"
          << model_text << "\n"
          << smtlib::print_term(fresh, claim.term).value();
    }
  }
}

}  // namespace elenchus
