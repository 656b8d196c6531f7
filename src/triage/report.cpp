#include "triage/report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace elenchus::triage {
namespace {

using store::Manifest;

// A fence that the text does not contain.
std::string fenced(std::string_view text, std::string_view language) {
  std::string fence = "```";
  while (text.find(fence) != std::string_view::npos) fence += '`';
  const std::string_view end = text.ends_with('\n') ? "" : "\n";
  return fmt::format("{}{}\n{}{}{}\n\n", fence, language, text, end, fence);
}

// In a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string subject_of(const Manifest& manifest) {
  constexpr size_t kMost = 60;
  const size_t colon = manifest.signature.find(": ");
  if (colon == std::string::npos) return {};
  std::string subject = manifest.signature.substr(colon + 2);
  if (subject.size() > kMost) subject = subject.substr(0, subject.rfind(' ', kMost)) + " ...";
  return subject;
}

std::string stability_of(const Manifest& manifest) {
  if (manifest.random_seeds == 0) return "not tried: the solver takes no random seed";
  if (manifest.random_seeds_shown == manifest.random_seeds) {
    return fmt::format("shows with each of {} random seeds", manifest.random_seeds);
  }
  return fmt::format("shows with {} of {} random seeds", manifest.random_seeds_shown,
                     manifest.random_seeds);
}

std::string answers_of(const Manifest& manifest) {
  std::string text = "| solver | version | answer |\n|---|---|---|\n";
  for (const store::SolverAnswer& answer : manifest.answers) {
    text += fmt::format("| {} | {} | {} |\n", cell(answer.solver), cell(answer.version),
                        cell(answer.answer));
  }
  return text;
}

std::string why(const Manifest& manifest, const ReportParts& parts) {
  std::string text = "## Why we know\n\n";
  const bool is_said = manifest.evidence == parts.actual;
  if (is_said) text += "It was seen twice more, alone, in fresh processes.\n\n";
  if (!is_said && !manifest.evidence.empty()) text += fenced(manifest.evidence, "");
  if (!parts.model.empty()) text += "The model:\n\n" + fenced(parts.model, "smt2");
  if (!parts.evaluation.empty()) {
    text += "Its evaluation, each term above the terms that it follows from:\n\n";
    text += fenced(parts.evaluation, "");
  }
  if (!parts.variant.empty()) {
    text += "The same question, asked in another way:\n\n" + fenced(parts.variant, "smt2");
  }
  return text;
}

std::string found_by(const store::Manifest& manifest) {
  if (manifest.engine == store::kSeedItself) return "Shown by a seed as it is:";
  return fmt::format("Found by the engine {} from", manifest.engine);
}

}  // namespace

std::string report_title(const Manifest& manifest) {
  std::string title = manifest.title;
  // The claim starts with the solver's name.
  if (title.starts_with(manifest.solver + " ") && !manifest.version.empty()) {
    title.insert(manifest.solver.size(), " " + manifest.version);
  }
  const std::string subject = subject_of(manifest);
  const bool says_all = manifest.kind == "crash" || manifest.kind == "self-check";
  return says_all || subject.empty() ? title : fmt::format("{} ({})", title, subject);
}

std::string report_text(const Manifest& manifest, const ReportParts& parts) {
  std::string text = fmt::format("# {}\n\n", report_title(manifest));
  text += fmt::format("    {}\n\n", manifest.command);
  if (!parts.other.empty()) text += fmt::format("which contradicts\n\n    {}\n\n", parts.other);
  text += fenced(parts.script, "smt2");
  text += fmt::format("**Expected:** {}\n\n", parts.expected);
  if (parts.actual.find('\n') == std::string::npos) {
    text += fmt::format("**Actual:** {}\n\n", parts.actual);
  } else {
    text += "**Actual:**\n\n" + fenced(parts.actual, "");
  }
  text += why(manifest, parts);
  text += "## Where it shows\n\n";
  text += fmt::format("- versions: {} {}\n", manifest.solver, fmt::join(manifest.shown_by, ", "));
  text += manifest.options.empty() ? "- options: none beyond those in the command\n"
                                   : fmt::format("- options, none of which can be left out: `{}`\n",
                                                 fmt::join(manifest.options, " "));
  text += fmt::format("- {}\n\n", stability_of(manifest));
  text += answers_of(manifest);
  text += fmt::format(
      "\nKind: {}. {} {}; confirmed twice in fresh processes, {} bytes "
      "reduced to {}.\n",
      manifest.kind, found_by(manifest), fmt::join(manifest.seeds, ", "), manifest.size_original,
      manifest.size_reduced);
  if (!manifest.known.empty()) text += fmt::format("\nKnown upstream: {}\n", manifest.known);
  return text;
}

}  // namespace elenchus::triage
