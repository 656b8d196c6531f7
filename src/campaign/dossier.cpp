#include "campaign/dossier.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace elenchus::campaign {
namespace {

using oracle::Kind;

std::string quoted(std::string_view word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-./=:,+@%") == std::string_view::npos;
  if (is_plain) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shell_command(const solver::Solver& solver, std::string_view file, bool incremental) {
  std::vector<std::string> words;
  bool names_file = false;
  for (const std::string& word : solver::command_line(solver, false, incremental)) {
    const bool is_file = word == proc::kInputFile;
    words.push_back(quoted(is_file ? file : word));
    names_file = names_file || is_file;
  }
  return fmt::format("{}{}{}", fmt::join(words, " "), names_file ? "" : " < ",
                     names_file ? "" : file);
}

bool has_several_checks(const std::string& script) {
  const size_t first = script.find("(check-sat");
  return first != std::string::npos && script.find("(check-sat", first + 1) != std::string::npos;
}

// The script as one would paste it: models are asked for where the model is the point.
std::string with_requests(const std::string& script, Kind kind) {
  if (kind != Kind::kInvalidModel && kind != Kind::kSelfCheck) return script;
  return "(set-option :produce-models true)\n" + script + "(get-model)\n";
}

std::string repro(const solver::Solver& solver, bool incremental) {
  return fmt::format("#!/bin/sh\n# Needs {} {}.\ncd \"$(dirname \"$0\")\" || exit 2\nexec {}\n",
                     solver.profile->name, solver.version,
                     shell_command(solver, "reduced.smt2", incremental));
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

std::string title_of(const Indictment& indictment) {
  return indictment.finding.claim.substr(0, indictment.finding.claim.find('\n'));
}

std::string report(const Indictment& indictment, const Origin& origin) {
  const oracle::Finding& finding = indictment.finding;
  const solver::Solver& solver = indictment.solver;
  const bool incremental = has_several_checks(indictment.reduced);
  std::string text = fmt::format("# {}\n\n", title_of(indictment));
  text += fmt::format("Kind: {}. Solver: {} {}.\n\n", oracle::to_string(finding.kind),
                      solver.profile->name, solver.version);
  text += fmt::format("    {}\n\n", shell_command(solver, "reduced.smt2", incremental));
  if (indictment.other) {
    text += fmt::format("which contradicts\n\n    {}\n\n",
                        shell_command(*indictment.other, "reduced.smt2", incremental));
  }
  if (!solver.options.empty() || (indictment.other && !indictment.other->options.empty())) {
    text += "The options above are the smallest set that shows it.\n\n";
  }
  text += fmt::format("```smt2\n{}```\n\n", with_requests(indictment.reduced, finding.kind));
  text += "## Why we know\n\n";
  text += fmt::format("```\n{}\n```\n\n", finding.evidence);
  if (!finding.witness.empty()) {
    text += fmt::format("The model:\n\n```smt2\n{}\n```\n\n", finding.witness);
  }
  if (!indictment.variant.empty()) {
    text += fmt::format("The same question, asked in another way:\n\n```smt2\n{}```\n\n",
                        indictment.variant);
  }
  text += "## What solvers say\n\n| solver | version | answer |\n|---|---|---|\n";
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    text += fmt::format("| {} | {} | {} |\n", indictment.runs[i].first,
                        indictment.solvers[i].version, answers_of(indictment.runs[i].second));
  }
  text += fmt::format(
      "\nFound by {} from {}; confirmed twice in fresh processes. "
      "original.smt2 is the test as it was found.\n",
      origin.engine, fmt::join(origin.seeds, ", "));
  return text;
}

}  // namespace

store::Finding dossier(const Indictment& indictment, const Origin& origin) {
  const oracle::Finding& found = indictment.finding;
  const solver::Solver& solver = indictment.solver;
  const bool incremental = has_several_checks(indictment.reduced);
  store::Finding finding;
  store::Manifest& manifest = finding.manifest;
  manifest.kind = oracle::to_string(found.kind);
  manifest.solver = solver.profile->name;
  manifest.version = solver.version;
  manifest.command = shell_command(solver, "reduced.smt2", incremental);
  manifest.options = solver.options;
  manifest.engine = origin.engine;
  manifest.seeds = origin.seeds;
  manifest.expectation = origin.expectation;
  manifest.evidence = found.evidence;
  manifest.signature = indictment.signature;
  manifest.title = title_of(indictment);
  manifest.rng_seed = origin.rng;
  manifest.size_original = indictment.original.size();
  manifest.size_reduced = indictment.reduced.size();
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    const solver::Solver& other = indictment.solvers[i];
    manifest.answers.push_back({other.name, other.version,
                                shell_command(other, "reduced.smt2", incremental),
                                answers_of(indictment.runs[i].second)});
  }

  finding.files.push_back({"reduced.smt2", with_requests(indictment.reduced, found.kind)});
  finding.files.push_back({"original.smt2", indictment.original});
  if (!found.witness.empty()) finding.files.push_back({"witness.model", found.witness + "\n"});
  if (!indictment.variant.empty()) {
    finding.files.push_back({"variant.smt2", indictment.variant});
  }
  finding.files.push_back({"repro.sh", repro(solver, incremental), true});
  finding.files.push_back({"report.md", report(indictment, origin)});
  for (size_t i = 0; i < indictment.runs.size(); ++i) {
    finding.files.push_back(
        {fmt::format("run-{}.out", i + 1), output_of(indictment.runs[i].second)});
  }
  finding.example = indictment.original;
  return finding;
}

}  // namespace elenchus::campaign
