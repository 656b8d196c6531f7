#include "campaign/replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "oracle/oracle.h"
#include "smtlib/parser.h"

namespace elenchus::campaign {
namespace {

using oracle::Case;

// What the bug's own test was known to be.
struct Knowledge {
  std::optional<ir::Model> witness;
  std::vector<ir::Truth> expected;
  std::string_view construction;

  Case case_of(const ir::Script& script) const {
    Case test{.script = script};
    if (!witness && construction.empty()) return test;
    test.expected = expected;
    test.witness = witness ? &*witness : nullptr;
    test.construction = construction;
    return test;
  }
};

Knowledge knowledge_of(const store::CampaignView& view, const store::Manifest& manifest,
                       ir::TermStore& terms, const ir::Script& script) {
  Knowledge known;
  const auto checks = eval::checks_of(script);
  if (checks.empty()) return known;
  if (manifest.kind == to_string(oracle::Kind::kRefutationUnsound)) {
    const auto text = view.read_bug_file(manifest.id, "witness.model");
    auto model = text ? smtlib::read_model(terms, script, checks.back(), *text)
                      : base::Result<ir::Model>(text.error());
    if (model) known.witness = std::move(*model);
    known.expected.assign(checks.size(), ir::Truth::kSat);
  }
  // Unsat by construction: the script is as it was made.
  if (manifest.kind == to_string(oracle::Kind::kSolutionUnsound) &&
      manifest.expectation.ends_with("unsat")) {
    known.construction = manifest.evidence;
    known.expected.assign(checks.size(), ir::Truth::kUnknown);
    known.expected.back() = ir::Truth::kUnsat;
  }
  return known;
}

// Kinds that another solver's answer is needed for.
bool needs_others(std::string_view kind) {
  return kind == to_string(oracle::Kind::kDisagreement) ||
         kind == to_string(oracle::Kind::kInconsistentOptions) ||
         kind == to_string(oracle::Kind::kWrongCore) || kind == to_string(oracle::Kind::kSlow) ||
         kind == to_string(oracle::Kind::kIncomplete);
}

// The solver in question first, then, for kinds that are shown by two, the others that answered
// when the bug was found, as far as they are here. A wrong unsat whose witness is gone needs them.
std::vector<solver::Solver> bench_of(const store::Manifest& manifest, const solver::Solver& solver,
                                     const solver::Profiles& profiles, bool has_witness) {
  std::vector<solver::Solver> solvers = {solver};
  if (!needs_others(manifest.kind) && has_witness) return solvers;
  for (const store::SolverAnswer& answer : manifest.answers) {
    auto other = solver::find_solver(profiles, answer.solver);
    if (!other) continue;
    const bool is_same = other->program == solver.program && other->options == solver.options;
    if (!is_same) solvers.push_back(std::move(*other));
  }
  return solvers;
}

// What an evaluation has settled since was unsettled before: the same bug, better known.
bool is_same_kind(oracle::Kind kind, std::string_view before) {
  if (to_string(kind) == before) return true;
  const bool was_unsettled = before == to_string(oracle::Kind::kDisagreement) ||
                             before == to_string(oracle::Kind::kInconsistentOptions) ||
                             before == to_string(oracle::Kind::kInconsistent);
  return was_unsettled &&
         (kind == oracle::Kind::kRefutationUnsound || kind == oracle::Kind::kSolutionUnsound ||
          kind == oracle::Kind::kInvalidModel);
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
  ELENCHUS_ASSIGN_OR_RETURN(const auto words, base::shell_words(manifest.command));
  std::string spec = words.empty() ? std::string() : base::shell_word(words[0]);
  for (const std::string& option : manifest.options) spec += ' ' + base::shell_word(option);
  return solver::find_solver(profiles, spec);
}

base::Result<Replay> replay(const store::CampaignView& view, const std::string& id,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const ReplaySettings& settings) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(id));
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, view.read_bug_file(id, "reduced.smt2"));
  ir::TermStore terms(settings.ops);
  ELENCHUS_ASSIGN_OR_RETURN(const ir::Script script, smtlib::parse_script(terms, text));
  const Knowledge known = knowledge_of(view, manifest, terms, script);
  const bool has_witness =
      known.witness || manifest.kind != to_string(oracle::Kind::kRefutationUnsound);
  SolverLab lab(terms, bench_of(manifest, solver, profiles, has_witness), true, settings.limits);
  Replay result;
  for (int round = 0; round < 2; ++round) {
    const Case test = known.case_of(script);
    oracle::Exam exam(terms, test, lab);
    for (size_t i = 0; i < lab.solvers().size(); ++i) exam.run(i);
    result.run = exam.run(0);
    result.what = summary_of(result.run);
    std::vector<oracle::Finding> findings;
    for (const oracle::Oracle* oracle : oracle::all_oracles()) oracle->judge(exam, findings);
    for (const oracle::Oracle* oracle : oracle::optional_oracles()) {
      if (to_string(oracle::Kind::kSlow) == manifest.kind ||
          to_string(oracle::Kind::kIncomplete) == manifest.kind) {
        oracle->judge(exam, findings);
      }
    }
    result.shows = std::any_of(findings.begin(), findings.end(), [&](const auto& finding) {
      return finding.solver == 0 && is_same_kind(finding.kind, manifest.kind);
    });
    if (!result.shows) break;
  }
  return result;
}

}  // namespace elenchus::campaign
