#include "docket/papers.h"

#include <gtest/gtest.h>

#include <memory>

#include "lab/fake_solver.h"
#include "smtlib/parser.h"
#include "solver/transcript.h"
#include "store/test_campaign.h"

namespace elenchus::docket {
namespace {

// What has to be asked again is what shows it, after the test that it was made of.
TEST(PapersTest, TheSessionOfAVariantEndsWithTheVariant) {
  ir::TermStore terms(ir::OpTable::standard());
  const std::vector<solver::Solver> solvers = {lab::fake_solver("one")};
  const lab::SolverLab lab(terms, solvers, false, {});
  const auto test = smtlib::parse_script(terms, "(declare-const a Bool)(assert a)(check-sat)");
  const auto variant =
      smtlib::parse_script(terms, "(declare-const a Bool)(assert (not (not a)))(check-sat)");
  ASSERT_OK(test);
  ASSERT_OK(variant);
  solver::Query query;
  query.text = "(declare-const a Bool)(assert a)(check-sat)";
  query.check_ends = {static_cast<uint32_t>(query.text.size())};
  solver::Run run;
  const auto log = std::make_shared<solver::SessionLog>(std::vector<std::string>());
  run.session_number = log->add(query, "(reset)\n", run);
  run.session = log;

  oracle::Finding finding;
  finding.oracle = "reassertion";
  finding.kind = oracle::Kind::kRefutationUnsound;
  finding.script = *variant;
  finding.model.emplace();
  const auto one = suspicion_of(terms, lab, {.script = *test}, finding, &run, {});
  ASSERT_OK(one);
  EXPECT_TRUE(one->is_by_variant);
  const auto session = solver::read_transcript(one->session);
  ASSERT_OK(session);
  ASSERT_EQ(session->queries.size(), 2u);
  EXPECT_EQ(session->queries[0]->query.text.substr(0, query.text.size()), query.text);
  EXPECT_NE(session->queries[1]->query.text.find("(not (not a))"), std::string::npos);
  EXPECT_EQ(session->queries[1]->query.check_ends.size(), 1u);
  EXPECT_EQ(session->queries[1]->prologue, "(reset)\n");
}

}  // namespace
}  // namespace elenchus::docket
