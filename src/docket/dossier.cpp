#include "docket/dossier.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "docket/repro.h"
#include "oracle/variants.h"
#include "record/kind.h"
#include "triage/known.h"
#include "triage/report.h"
#include "triage/title.h"

namespace elenchus::docket {
namespace {

using record::Kind;
using record::Shows;

std::string answers_of(const solver::Run& run) {
  std::string text;
  for (const solver::CheckResult& check : run.checks) {
    if (!text.empty()) text += ' ';
    text += to_string(check.outcome);
  }
  const bool ended_badly = run.checks.empty() || run.outcome != run.checks.back().outcome;
  if (ended_badly) text += fmt::format("{}{}", text.empty() ? "" : " ", to_string(run.outcome));
  return text;
}

constexpr std::string_view kOutsideMark = " (outside the policy)";

std::string output_of(const solver::Run& run) {
  std::string text = run.out;
  if (!run.err.empty()) text += "--- standard error\n" + run.err;
  if (run.signal != 0) text += fmt::format("--- signal {}\n", run.signal);
  return text;
}

// The run of a solver on the reduced script, by its name; null if there is none.
const solver::Run* run_of(const Indictment& indictment, const std::string& name) {
  for (const auto& [solver, run] : indictment.runs) {
    if (solver == name) return &run;
  }
  return nullptr;
}

// The versions of the solver that end as the guilty one does.
std::vector<std::string> shown_by(const Indictment& indictment) {
  const solver::Run* guilty = run_of(indictment, indictment.solver.name);
  std::set<std::string> versions = {indictment.solver.version};
  for (size_t i = 0; guilty != nullptr && i < indictment.runs.size(); ++i) {
    const solver::Solver& solver = indictment.solvers[i];
    const bool is_alike = solver.profile->name == indictment.solver.profile->name &&
                          answers_of(indictment.runs[i].second) == answers_of(*guilty);
    if (is_alike) versions.insert(solver.version);
  }
  return {versions.begin(), versions.end()};
}

std::string actual_of(const Indictment& indictment) {
  constexpr size_t kMost = 2000;
  const oracle::Finding& finding = indictment.finding;
  const record::KindInfo& kind = record::info(finding.kind);
  if (kind.has(record::kHasPlace)) return finding.evidence.substr(0, kMost);
  if (kind.shows == Shows::kTerm) return finding.claim;
  const solver::Run* guilty = run_of(indictment, indictment.solver.name);
  std::string answers = guilty == nullptr ? "" : answers_of(*guilty);
  if (kind.shows == Shows::kModel) answers += ", with a model that makes an assertion false";
  if (kind.shows == Shows::kCore && !answers.empty() && !guilty->checks.empty()) {
    answers +=
        ", with the core " + base::shown(oracle::in_a_line(guilty->checks.back().core), kMost);
  }
  if (kind.shows == Shows::kObjectives && !answers.empty()) answers += "; " + finding.claim;
  return answers.empty() ? finding.claim : answers;
}

// What the evaluation of a model takes for granted, and where that is said.
std::vector<std::string> premises_of(const Indictment& indictment) {
  const oracle::Finding& finding = indictment.finding;
  const bool is_evaluated =
      finding.kind == Kind::kInvalidModel || finding.kind == Kind::kRefutationUnsound;
  if (!is_evaluated) return {};
  const std::string said = finding.evidence + indictment.evaluation;
  std::vector<std::string> premises;
  if (said.find("all elements of ") != std::string::npos) {
    premises.emplace_back(
        "the elements of a sort that the model lists are all there are, as the model's own lines "
        "say (`universe for` of z3, `cardinality of` of cvc4 and cvc5)");
  }
  if (indictment.told.find("(declare-sort ") != std::string::npos) {
    premises.emplace_back(
        "two names of elements in a model mean two elements, as z3, cvc4 and cvc5 write their "
        "models");
  }
  if (said.find("(as const ") != std::string::npos) {
    premises.emplace_back(
        "arrays are written here in one canonical form, which the model may write differently");
  }
  return premises;
}

// What the answers to the reduced script have to be; empty where nobody knows.
std::string expectation_of(const Indictment& indictment, const Origin& origin) {
  const oracle::Finding& found = indictment.finding;
  std::string_view right;
  if (found.kind == Kind::kRefutationUnsound) right = "sat";
  if (found.kind == Kind::kSolutionUnsound) right = "unsat";
  const bool is_as_found = indictment.reduced == indictment.original;
  if (right.empty()) return is_as_found ? origin.expectation : std::string();
  std::string text;
  size_t number = 0;
  for (size_t at = indictment.told.find("(check-sat"); at != std::string::npos;
       at = indictment.told.find("(check-sat", at + 1)) {
    if (!text.empty()) text += ' ';
    text += number++ == found.check ? right : "unknown";
  }
  return text;
}

// What a right solver says, and where, if it is asked several times.
std::string expected_of(const Indictment& indictment) {
  const oracle::Finding& found = indictment.finding;
  const record::KindInfo& kind = record::info(found.kind);
  std::string text(kind.expected);
  size_t checks = 0;
  for (size_t at = indictment.told.find("(check-sat"); at != std::string::npos;
       at = indictment.told.find("(check-sat", at + 1)) {
    ++checks;
  }
  const bool is_wrong_answer =
      found.kind == Kind::kRefutationUnsound || found.kind == Kind::kSolutionUnsound;
  if (is_wrong_answer && checks > 1 && !indictment.needs_history) {
    text += fmt::format(", to check-sat {} of {}", found.check + 1, checks);
  }
  return text;
}

// Those of the call that the solver disclaims.
std::vector<std::string> disclaimed_options(const Indictment& indictment) {
  const auto& all = indictment.solver.profile->disclaimed_options;
  std::vector<std::string> found;
  // A call that was not seen to show it has options that it may not need.
  const auto& options =
      indictment.shows_by_script ? indictment.call.options : indictment.solver.options;
  for (const std::string& option : options) {
    if (std::find(all.begin(), all.end(), option) != all.end()) found.push_back(option);
  }
  return found;
}

std::vector<std::string> disclaimed_by(const Indictment& indictment) {
  std::vector<std::string> found = disclaimed_options(indictment);
  // What the solver refuses when it is held to its maintainers' rules needs more than they support.
  if (!indictment.beyond_rules.empty()) {
    const auto& rules = indictment.solver.profile->rules.options;
    found.push_back(fmt::format("not {}", fmt::join(rules, " ")));
  }
  // With such an option it is no news.
  if (found.empty() && !indictment.odd_format.empty()) found.push_back(indictment.odd_format);
  return found;
}

std::string beyond_support(const Indictment& indictment) {
  const std::vector<std::string> disclaimed = disclaimed_by(indictment);
  const bool is_odd = disclaimed.size() == 1 && disclaimed[0] == indictment.odd_format;
  if (!is_odd) return indictment.beyond_rules;
  return fmt::format(
      "{}, where {} has only Float32 and Float64 without an option that it calls experimental",
      indictment.odd_format, indictment.solver.profile->name);
}

triage::ReportParts report_parts(const Indictment& indictment) {
  const auto& other = indictment.other;
  return {.script = with_requests(indictment),
          .expected = expected_of(indictment),
          .actual = actual_of(indictment),
          .model = indictment.model,
          .evaluation = indictment.evaluation,
          .variant = indictment.variant,
          .command = shell_command(indictment.call, "reduced.smt2", Naming::kName),
          .other =
              other ? shell_command(call_of(*other, indictment.told), "reduced.smt2", Naming::kName)
                    : "",
          .probably = indictment.voices.why,
          .premises = premises_of(indictment),
          .beyond_rules = beyond_support(indictment),
          .has_fewest_options = indictment.has_fewest_options};
}

}  // namespace

std::string experimental_need(const Indictment& indictment) {
  const std::vector<std::string> options = disclaimed_options(indictment);
  return options.empty() ? indictment.odd_format : fmt::format("{}", fmt::join(options, " "));
}

store::Finding dossier(const Indictment& indictment, const Origin& origin,
                       const std::string& outside_policy, bool is_provisional) {
  const oracle::Finding& found = indictment.finding;
  const solver::Solver& solver = indictment.solver;
  store::Finding finding;
  store::Manifest& manifest = finding.manifest;
  manifest.kind = oracle::to_string(found.kind);
  manifest.solver = solver.profile->name;
  manifest.tested = indictment.tested;
  manifest.version = solver.version;
  manifest.command = shell_command(indictment.call, "reduced.smt2");
  manifest.options = solver.options;
  manifest.engine = origin.engine;
  manifest.seeds = origin.seeds;
  manifest.expectation = expectation_of(indictment, origin);
  manifest.evidence = found.evidence;
  manifest.probable = indictment.voices.probable;
  manifest.confirmed_by = indictment.voices.confirmed_by;
  manifest.disclaimed = disclaimed_by(indictment);
  manifest.frames = indictment.frames;
  manifest.signature = indictment.signature;
  manifest.outside_policy = outside_policy;
  manifest.new_since = indictment.new_since;
  manifest.shape = indictment.shape;
  manifest.shown_by = shown_by(indictment);
  manifest.logic = indictment.logic;
  manifest.theories = indictment.theories;
  manifest.random_seeds = indictment.stability.tried;
  manifest.random_seeds_shown = indictment.stability.shown;
  manifest.needs_history = indictment.needs_history;
  manifest.is_provisional = is_provisional;
  const auto known_bugs = triage::KnownBugs::standard();
  if (const auto* known = known_bugs->find(manifest)) {
    manifest.known = triage::text_of(*known);
  }
  // A bug of its own: the next finding of its like may be one to be reported.
  if (!outside_policy.empty()) manifest.signature += kOutsideMark;
  const bool is_after_reset =
      indictment.needs_history && indictment.told.find("(reset)") != std::string::npos;
  manifest.title = triage::title_of(manifest, found.location, is_after_reset);
  manifest.rng_seed = origin.rng;
  manifest.size_original = indictment.original.size();
  manifest.size_reduced = indictment.reduced.size();
  finding.files = repro_files(indictment);
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    const solver::Solver& other = indictment.solvers[i];
    manifest.answers.push_back({other.name, other.version,
                                shell_command(call_of(other, indictment.told), "reduced.smt2"),
                                answers_of(indictment.runs[i].second)});
  }

  finding.files.push_back({"original.smt2", indictment.original});
  if (!found.witness.empty()) finding.files.push_back({"witness.model", found.witness + "\n"});
  finding.files.push_back({"report.md", triage::report_text(manifest, report_parts(indictment))});
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    finding.files.push_back(
        {fmt::format("run-{}.out", i + 1), output_of(indictment.runs[i].second)});
  }
  finding.example = indictment.original;
  return finding;
}

}  // namespace elenchus::docket
