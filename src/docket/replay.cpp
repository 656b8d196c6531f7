#include "docket/replay.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include <fmt/format.h>

#include "base/text.h"
#include "diagnose/sight.h"
#include "ir/timeline.h"
#include "oracle/oracle.h"
#include "record/kind.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"

namespace elenchus::docket {
namespace {

using oracle::Case;

// The check-sat that a wrong unsat answers: the one of which the right answer is known. The last,
// where none is.
size_t wrong_check(const store::Manifest& manifest) {
  std::istringstream words(manifest.expectation);
  std::string word;
  for (size_t check = 0; words >> word; ++check) {
    if (word == to_string(ir::Truth::kSat)) return check;
  }
  return SIZE_MAX;
}

// What the bug's own test was known to be.
void add_knowledge(const store::CampaignView& view, const store::Manifest& manifest,
                   ir::TermStore& terms, Exhibit& exhibit) {
  const auto checks = ir::checks_of(exhibit.script);
  if (checks.empty()) return;
  // The assignment that tells a term and its rewrite apart says nothing of the answer.
  const bool is_wrong_unsat = manifest.kind == to_string(oracle::Kind::kRefutationUnsound);
  if (is_wrong_unsat || manifest.kind == to_string(oracle::Kind::kWrongRewrite)) {
    const auto text = view.read_bug_file(manifest.id, "witness.model");
    const size_t last = checks.size() - 1;
    const size_t check = checks[is_wrong_unsat ? std::min(wrong_check(manifest), last) : last];
    auto model = text ? smtlib::read_model(terms, exhibit.script, check, *text)
                      : base::Result<ir::Model>(text.error());
    if (model) exhibit.witness = std::move(*model);
  }
  if (is_wrong_unsat) exhibit.expected.assign(checks.size(), ir::Truth::kSat);
  // Unsat by construction: the script is as it was made.
  if (manifest.kind == to_string(oracle::Kind::kSolutionUnsound) &&
      manifest.expectation.ends_with("unsat")) {
    exhibit.construction = manifest.evidence;
    exhibit.expected.assign(checks.size(), ir::Truth::kUnknown);
    exhibit.expected.back() = ir::Truth::kUnsat;
  }
}

bool has(std::string_view kind, record::Trait trait) {
  const record::KindInfo* known = record::find_kind(kind);
  return known != nullptr && known->has(trait);
}

// The solver in question alone, unless it takes others to show a bug of this kind. A wrong unsat
// whose witness is gone needs them.
std::vector<solver::Solver> bench_of(const store::Manifest& manifest, const solver::Solver& solver,
                                     const solver::Profiles& profiles, bool has_witness) {
  if (!has(manifest.kind, record::kNeedsOthers) && has_witness) return {solver};
  return solvers_of(manifest, solver, profiles);
}

// What an evaluation has settled since was unsettled before: the same bug, better known.
bool is_same_kind(oracle::Kind kind, std::string_view before) {
  return to_string(kind) == before ||
         (has(before, record::kUnsettled) && record::info(kind).has(record::kProven));
}

// The check-sat that the bug is about: what has to be said to it is written down; else the last.
size_t check_of(const store::Manifest& manifest, size_t checks) {
  const auto words = base::shell_words(manifest.expectation);
  for (size_t i = 0; words && i < std::min(words->size(), checks); ++i) {
    if ((*words)[i] != "unknown") return i;
  }
  return checks - 1;
}

// Whether those who contradicted the solver are here and answer. What takes no others needs none.
bool has_witnesses(oracle::Exam& exam, const store::Manifest& manifest, const Exhibit& exhibit) {
  if (!has(manifest.kind, record::kNeedsOthers) || has(manifest.kind, record::kOptional)) {
    return true;
  }
  for (const store::SolverAnswer& answer : manifest.answers) {
    const bool has_decided = answer.answer.ends_with("sat");
    if (!has_decided || answer.solver == manifest.tested) continue;
    bool is_there = false;
    for (size_t i = 1; i < exhibit.solvers.size(); ++i) {
      is_there =
          is_there || (exhibit.solvers[i].name == answer.solver && is_decided(exam.run(i).outcome));
    }
    if (!is_there) return false;
  }
  return true;
}

bool is_well(oracle::Exam& exam, const store::Manifest& manifest, const Exhibit& exhibit) {
  const record::KindInfo* kind = record::find_kind(manifest.kind);
  const solver::Run& run = exam.run(0);
  if (kind == nullptr || !is_decided(run.outcome) || run.checks.empty()) return false;
  const size_t check = check_of(manifest, run.checks.size());
  return is_decided(run.checks[check].outcome) && has_witnesses(exam, manifest, exhibit) &&
         diagnose::is_well(exam, kind->kind, 0, check);
}

std::string summary_of(const solver::Run& run) {
  std::string text;
  for (const solver::CheckResult& check : run.checks) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", to_string(check.outcome));
  }
  if (text.empty() || !is_decided(run.outcome)) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(run.outcome));
  }
  if (!run.message.empty()) text.append(": ").append(base::first_line(run.message));
  return text;
}

}  // namespace

Case Exhibit::test() const {
  Case test{.script = script};
  if (!witness && construction.empty()) return test;
  test.expected = expected;
  test.witness = witness ? &*witness : nullptr;
  test.construction = construction;
  return test;
}

base::Result<Exhibit> exhibit_of(const store::CampaignView& view, const store::Manifest& manifest,
                                 ir::TermStore& terms, const solver::Solver& solver,
                                 const solver::Profiles& profiles) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text,
                            view.read_bug_file(manifest.id, "reduced.smt2"));
  Exhibit exhibit;
  ELENCHUS_ASSIGN_OR_RETURN(exhibit.script, smtlib::parse_script(terms, text));
  add_knowledge(view, manifest, terms, exhibit);
  const bool has_witness =
      exhibit.witness || manifest.kind != to_string(oracle::Kind::kRefutationUnsound);
  exhibit.solvers = bench_of(manifest, solver, profiles, has_witness);
  return exhibit;
}

std::optional<oracle::Finding> find_again(oracle::Exam& exam, const store::Manifest& manifest) {
  for (size_t i = 0; i < exam.solver_count(); ++i) exam.run(i);
  std::vector<oracle::Finding> findings;
  for (const oracle::Oracle* oracle : oracle::oracles_for(manifest.kind)) {
    oracle->judge(exam, findings);
  }
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& finding) {
    return finding.solver == 0 && is_same_kind(finding.kind, manifest.kind);
  });
  if (found == findings.end()) return {};
  return std::move(*found);
}

base::Result<solver::Solver> solver_of(const store::Manifest& manifest,
                                       const solver::Profiles& profiles) {
  // The program may have been given by its path.
  ELENCHUS_ASSIGN_OR_RETURN(const auto words, base::shell_words(manifest.command));
  std::string spec = words.empty() ? std::string() : base::shell_word(words[0]);
  for (const std::string& option : manifest.options) spec += ' ' + base::shell_word(option);
  return solver::find_solver(profiles, spec);
}

std::vector<solver::Solver> solvers_of(const store::Manifest& manifest,
                                       const solver::Solver& solver,
                                       const solver::Profiles& profiles) {
  std::vector<solver::Solver> solvers = {solver};
  for (const store::SolverAnswer& answer : manifest.answers) {
    auto other = solver::find_solver(profiles, answer.solver);
    if (!other) continue;
    const bool is_same = other->program == solver.program && other->options == solver.options;
    if (!is_same) solvers.push_back(std::move(*other));
  }
  return solvers;
}

base::Result<Replay> replay(const store::CampaignView& view, const std::string& id,
                            const solver::Solver& solver, const solver::Profiles& profiles,
                            const ReplaySettings& settings) {
  ELENCHUS_ASSIGN_OR_RETURN(const store::Manifest manifest, view.manifest(id));
  ir::TermStore terms(settings.ops);
  ELENCHUS_ASSIGN_OR_RETURN(const Exhibit exhibit,
                            exhibit_of(view, manifest, terms, solver, profiles));
  lab::SolverLab lab(terms, exhibit.solvers, true, settings.limits);
  Replay result;
  for (int round = 0; round < 2; ++round) {
    const Case test = exhibit.test();
    oracle::Exam exam(terms, test, lab);
    result.shows = find_again(exam, manifest).has_value();
    result.run = exam.run(0);
    result.what = summary_of(result.run);
    if (!result.shows) {
      result.is_well = is_well(exam, manifest, exhibit);
      break;
    }
  }
  return result;
}

}  // namespace elenchus::docket
