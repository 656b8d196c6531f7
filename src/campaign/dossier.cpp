#include "campaign/dossier.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "oracle/variants.h"
#include "triage/known.h"
#include "triage/report.h"

namespace elenchus::campaign {
namespace {

using oracle::Kind;

std::string shell_command(const solver::Solver& solver, std::string_view file, bool incremental) {
  std::vector<std::string> words;
  bool names_file = false;
  for (const std::string& word : solver::command_line(solver, false, incremental)) {
    const bool is_file = word == proc::kInputFile;
    words.push_back(base::shell_word(is_file ? file : word));
    names_file = names_file || is_file;
  }
  return fmt::format("{}{}{}", fmt::join(words, " "), names_file ? "" : " < ",
                     names_file ? "" : file);
}

bool has_several_checks(const std::string& script) {
  const size_t first = script.find("(check-sat");
  return first != std::string::npos && script.find("(check-sat", first + 1) != std::string::npos;
}

// The script as one would paste it: models and cores are asked for where they are the point.
std::string with_requests(const std::string& script, Kind kind) {
  if (kind == Kind::kWrongCore) {
    return "(set-option :produce-unsat-cores true)\n" + script + "(get-unsat-core)\n";
  }
  if (kind != Kind::kInvalidModel && kind != Kind::kSelfCheck) return script;
  return "(set-option :produce-models true)\n" + script + "(get-model)\n";
}

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
    const bool is_alike = solver.profile == indictment.solver.profile &&
                          answers_of(indictment.runs[i].second) == answers_of(*guilty);
    if (is_alike) versions.insert(solver.version);
  }
  return {versions.begin(), versions.end()};
}

// The claim, with the solver's plain name in the place of the command that was given, and with the
// place of an assertion where the claim has only its first words.
std::string title_of(const Indictment& indictment) {
  std::string title = indictment.finding.claim.substr(0, indictment.finding.claim.find('\n'));
  const std::string& location = indictment.finding.location;
  const size_t message = title.rfind(": ");
  if (message != std::string::npos && location.starts_with(title.substr(message + 2) + " ")) {
    title.replace(message + 2, std::string::npos, location);
  }
  const std::string& name = indictment.solver.name;
  if (title.starts_with(name + " ")) {
    title.replace(0, name.size(), indictment.solver.profile->name);
  }
  return title;
}

// What a right solver does.
std::string expected_of(const oracle::Finding& finding) {
  switch (finding.kind) {
    case Kind::kRefutationUnsound: return "sat";
    case Kind::kSolutionUnsound: return "unsat";
    case Kind::kInvalidModel: return "unsat, or a model that makes every assertion true";
    case Kind::kCrash: return "an answer";
    case Kind::kWrongCore: return "a core that is unsatisfiable";
    case Kind::kInconsistentOptions: return "the same answer under all options";
    case Kind::kInconsistent: return "the same answer, however the question is asked";
    case Kind::kSelfCheck: return "an answer that stands the solver's own check";
    case Kind::kIncomplete: return "sat or unsat";
    case Kind::kSlow: return "an answer in about the time that others need";
    case Kind::kDisagreement: return "the answer of the other solver, or the other way round";
  }
  return "an answer";
}

// Shows the bug from wherever the folder is; what two answers show is asked twice.
std::string repro(const Indictment& indictment, bool incremental) {
  const solver::Solver& solver = indictment.solver;
  std::string text =
      fmt::format("#!/bin/sh\n# Needs {} {}.\n# Expected: {}\ncd \"$(dirname \"$0\")\" || exit 2\n",
                  solver.profile->name, solver.version, expected_of(indictment.finding));
  if (!indictment.variant.empty()) {
    text += shell_command(solver, "variant.smt2", has_several_checks(indictment.variant)) + '\n';
  }
  if (indictment.other) {
    text += shell_command(*indictment.other, "reduced.smt2", incremental) + '\n';
  }
  return text + fmt::format("exec {}\n", shell_command(solver, "reduced.smt2", incremental));
}

std::string actual_of(const Indictment& indictment) {
  constexpr size_t kMost = 2000;
  const oracle::Finding& finding = indictment.finding;
  if (finding.kind == Kind::kCrash || finding.kind == Kind::kSelfCheck) {
    return finding.evidence.substr(0, kMost);
  }
  const solver::Run* guilty = run_of(indictment, indictment.solver.name);
  std::string answers = guilty == nullptr ? "" : answers_of(*guilty);
  if (finding.kind == Kind::kInvalidModel)
    answers += ", with a model that makes an assertion false";
  if (finding.kind == Kind::kWrongCore && !answers.empty() && !guilty->checks.empty()) {
    answers +=
        ", with the core " + base::shown(oracle::in_a_line(guilty->checks.back().core), kMost);
  }
  return answers.empty() ? finding.claim : answers;
}

triage::ReportParts report_parts(const Indictment& indictment, bool incremental) {
  const oracle::Finding& finding = indictment.finding;
  const auto& other = indictment.other;
  return {.script = with_requests(indictment.told, finding.kind),
          .expected = expected_of(finding),
          .actual = actual_of(indictment),
          .model = indictment.model,
          .evaluation = indictment.evaluation,
          .variant = indictment.variant,
          .other = other ? shell_command(*other, "reduced.smt2", incremental) : ""};
}

}  // namespace

store::Finding dossier(const Indictment& indictment, const Origin& origin) {
  const oracle::Finding& found = indictment.finding;
  const solver::Solver& solver = indictment.solver;
  const bool incremental = has_several_checks(indictment.told);
  store::Finding finding;
  store::Manifest& manifest = finding.manifest;
  manifest.kind = oracle::to_string(found.kind);
  manifest.solver = solver.profile->name;
  manifest.version = solver.version;
  manifest.command = shell_command(solver, "reduced.smt2", incremental);
  manifest.options = solver.options;
  manifest.engine = origin.engine;
  manifest.seeds = origin.seeds;
  // Where nothing was expected, the proof has said since what is right.
  const bool is_wrong_unsat = found.kind == oracle::Kind::kRefutationUnsound;
  manifest.expectation =
      is_wrong_unsat && origin.expectation == "unknown" ? "sat" : origin.expectation;
  manifest.evidence = found.evidence;
  manifest.signature = indictment.signature;
  manifest.shape = indictment.shape;
  manifest.shown_by = shown_by(indictment);
  manifest.logic = indictment.logic;
  manifest.theories = indictment.theories;
  manifest.random_seeds = indictment.stability.tried;
  manifest.random_seeds_shown = indictment.stability.shown;
  if (const auto* known = triage::KnownBugs::standard().find(manifest)) {
    manifest.known = triage::text_of(*known);
  }
  manifest.title = title_of(indictment);
  manifest.rng_seed = origin.rng;
  manifest.size_original = indictment.original.size();
  finding.files.push_back({"reduced.smt2", with_requests(indictment.told, found.kind)});
  manifest.size_reduced = indictment.reduced.empty() ? 0 : finding.files.back().content.size();
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    const solver::Solver& other = indictment.solvers[i];
    manifest.answers.push_back({other.name, other.version,
                                shell_command(other, "reduced.smt2", incremental),
                                answers_of(indictment.runs[i].second)});
  }

  finding.files.push_back({"original.smt2", indictment.original});
  if (!found.witness.empty()) finding.files.push_back({"witness.model", found.witness + "\n"});
  if (!indictment.variant.empty()) {
    finding.files.push_back({"variant.smt2", indictment.variant});
  }
  finding.files.push_back({"repro.sh", repro(indictment, incremental), true});
  finding.files.push_back(
      {"report.md", triage::report_text(manifest, report_parts(indictment, incremental))});
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    finding.files.push_back(
        {fmt::format("run-{}.out", i + 1), output_of(indictment.runs[i].second)});
  }
  finding.example = indictment.original;
  return finding;
}

}  // namespace elenchus::campaign
