#include "campaign/replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "oracle/oracle.h"
#include "smtlib/parser.h"

namespace elenchus::campaign {
namespace {

// A model as text, for the script's last check-sat.
std::optional<ir::Model> read_witness(ir::TermStore& terms, const ir::Script& script,
                                      const std::string& text) {
  const auto checks = eval::checks_of(script);
  const auto answers = smtlib::split_answers(text);
  if (!answers || checks.empty()) return {};
  const auto part = std::find_if(answers->begin(), answers->end(),
                                 [](const auto& answer) { return answer.has_model(); });
  if (part == answers->end()) return {};
  auto model = smtlib::parse_model(terms, script, checks.back(), text, *part);
  if (!model) return {};
  return std::move(*model);
}

// The solver in question first, then the others that answered when the bug was found, as far as
// they are here: some kinds are shown by two.
std::vector<solver::Solver> bench_of(const store::Manifest& manifest, const solver::Solver& solver,
                                     const solver::Profiles& profiles) {
  std::vector<solver::Solver> solvers = {solver};
  for (const store::SolverAnswer& answer : manifest.answers) {
    auto other = solver::find_solver(profiles, answer.solver);
    if (other && other->program != solver.program) solvers.push_back(std::move(*other));
  }
  return solvers;
}

std::string summary_of(const solver::Run& run) {
  std::string text;
  for (const solver::CheckResult& check : run.checks) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", to_string(check.outcome));
  }
  if (text.empty() || !is_decided(run.outcome)) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(run.outcome));
  }
  return run.message.empty() ? text : text + ": " + run.message.substr(0, run.message.find('\n'));
}

}  // namespace

base::Result<solver::Solver> solver_of(const store::Manifest& manifest,
                                       const solver::Profiles& profiles) {
  // The program may have been given by its path.
  std::string spec = manifest.command.substr(0, manifest.command.find(' '));
  for (const std::string& option : manifest.options) spec += fmt::format(" '{}'", option);
  return solver::find_solver(profiles, spec);
}

base::Result<Replay> replay(const store::CampaignView& view, const std::string& id,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const solver::RunLimits& limits) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(id));
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, view.read_bug_file(id, "reduced.smt2"));
  ir::TermStore terms;
  ELENCHUS_ASSIGN_OR_RETURN(const ir::Script script, smtlib::parse_script(terms, text));
  const auto witness_text = view.read_bug_file(id, "witness.model");
  const auto witness =
      witness_text ? read_witness(terms, script, *witness_text) : std::optional<ir::Model>();
  const std::vector<ir::Truth> expected(eval::checks_of(script).size(), ir::Truth::kSat);

  SolverLab lab(terms, bench_of(manifest, solver, profiles), true, limits);
  Replay result;
  for (int round = 0; round < 2; ++round) {
    oracle::Case test{.script = script};
    const bool is_wrong_unsat = manifest.kind == to_string(oracle::Kind::kRefutationUnsound);
    if (is_wrong_unsat && witness) {
      test.expected = expected;
      test.witness = &*witness;
    }
    oracle::Exam exam(terms, test, lab);
    for (size_t i = 0; i < lab.solvers().size(); ++i) exam.run(i);
    result.run = exam.run(0);
    result.what = summary_of(result.run);
    std::vector<oracle::Finding> findings;
    for (const oracle::Oracle* oracle : oracle::all_oracles()) oracle->judge(exam, findings);
    result.shows = std::any_of(findings.begin(), findings.end(), [&](const auto& finding) {
      return finding.solver == 0 && to_string(finding.kind) == manifest.kind;
    });
    if (!result.shows) break;
  }
  return result;
}

}  // namespace elenchus::campaign
