#include "triage/report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "record/kind.h"
#include "record/provisional.h"

namespace elenchus::triage {
namespace {

using record::Bug;

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

std::string stability_of(const Bug& bug) {
  if (bug.random_seeds == 0) return "not tried with other random seeds";
  if (bug.random_seeds_shown == bug.random_seeds) {
    return fmt::format("shows with each of {} random seeds", bug.random_seeds);
  }
  return fmt::format("shows with {} of {} random seeds", bug.random_seeds_shown, bug.random_seeds);
}

std::string sizes_of(const Bug& bug) {
  if (bug.size_reduced == 0) return fmt::format("{} bytes, not reduced", bug.size_original);
  if (bug.size_reduced >= bug.size_original) return fmt::format("{} bytes", bug.size_reduced);
  return fmt::format("{} bytes reduced to {}", bug.size_original, bug.size_reduced);
}

std::string answers_of(const Bug& bug) {
  std::string text = "| solver | version | answer |\n|---|---|---|\n";
  for (const record::SolverAnswer& answer : bug.answers) {
    text += fmt::format("| {} | {} | {} |\n", cell(answer.solver), cell(answer.version),
                        cell(answer.answer));
  }
  return text;
}

std::string why(const Bug& bug, const ReportParts& parts) {
  std::string text = "## Why we know\n\n";
  const bool is_said = bug.evidence == parts.actual;
  if (is_said) text += "It was seen twice more, alone, in fresh processes.\n\n";
  if (!is_said && !bug.evidence.empty()) text += fenced(bug.evidence, "");
  const bool has_values = parts.model.find("(define-") != std::string::npos;
  if (has_values) text += "The model:\n\n" + fenced(parts.model, "smt2");
  if (!parts.evaluation.empty()) {
    text += "The evaluation, each term above the terms that it follows from:\n\n";
    text += fenced(parts.evaluation, "");
  }
  if (!parts.premises.empty()) {
    text += fmt::format("This rests on:\n\n- {}\n\n", fmt::join(parts.premises, "\n- "));
  }
  if (!bug.frames.empty()) {
    const bool has_names = bug.frames.front().find("+0x") == std::string::npos;
    text += fmt::format("Where it was when it died{}:\n\n",
                        has_names ? "" : ", as places in a program without names of functions");
    text += fenced(fmt::format("{}\n", fmt::join(bug.frames, "\n")), "");
  }
  if (!bug.confirmed_by.empty()) {
    text += fmt::format("Confirmed by {}.\n\n", fmt::join(bug.confirmed_by, "; "));
  }
  if (!parts.variant.empty()) {
    text += "The same question, asked in another way:\n\n" + fenced(parts.variant, "smt2");
  }
  return text;
}

// What a maintainer wants to know before anything else.
std::string remarks(const Bug& bug, const ReportParts& parts) {
  std::string text;
  if (bug.is_provisional) text += fmt::format("{}\n\n", record::kProvisionalNote);
  // What is not an option stands in the next line.
  std::vector<std::string> options = bug.disclaimed;
  std::erase_if(options, [](const std::string& what) { return !what.starts_with('-'); });
  if (!options.empty()) {
    text += fmt::format("Needs `{}`, which {} itself calls experimental.\n\n",
                        fmt::join(options, " "), bug.solver);
  }
  if (!parts.beyond_rules.empty()) {
    text += fmt::format("Beyond what its maintainers support: {}.\n\n", parts.beyond_rules);
  }
  if (!bug.new_since.empty()) {
    text += fmt::format("New since {}, which does not show it.\n\n", bug.new_since);
  }
  const record::KindInfo* probable = record::find_kind(bug.probable);
  if (probable != nullptr && !parts.probably.empty()) {
    text += fmt::format("Probably a {}: {}.\n\n", probable->brief, parts.probably);
  }
  return text;
}

// What a reduction has left of the queries of a session; nothing, where that is a single one.
std::string history_of(std::string_view script) {
  if (script.find("(reset)") != std::string_view::npos) {
    return "It shows only after what stands before the last `(reset)`: what follows, alone in a "
           "process, does not show it.\n\n";
  }
  if (script.find("(check-sat") == script.rfind("(check-sat")) return {};
  return "It shows only after the queries before the last one, which alone in a process does not "
         "show it.\n\n";
}

// Folders of the machine that found it say nothing to others.
std::string names_of(const std::vector<std::string>& seeds) {
  std::string text;
  for (const std::string& seed : seeds) {
    const bool is_here = seed.starts_with('/');
    text += text.empty() ? "" : ", ";
    text += is_here ? seed.substr(seed.rfind('/') + 1) : seed;
  }
  return text;
}

std::string found_by(const record::Bug& bug) {
  const std::string seeds = names_of(bug.seeds);
  if (bug.engine == record::kSeedItself) return "Shown by an unchanged seed: " + seeds;
  if (seeds.empty()) return fmt::format("Found by {}, without a seed", bug.engine);
  return fmt::format("Found by the engine {} from {}", bug.engine, seeds);
}

}  // namespace

std::string report_text(const Bug& bug, const ReportParts& parts) {
  std::string text = fmt::format("# {}\n\n", bug.title);
  text += remarks(bug, parts);
  text += fmt::format("    {}\n\n", parts.command.empty() ? bug.command : parts.command);
  if (!parts.other.empty()) text += fmt::format("which contradicts\n\n    {}\n\n", parts.other);
  text += fenced(parts.script, "smt2");
  if (bug.needs_history) text += history_of(parts.script);
  text += fmt::format("**Expected:** {}\n\n", parts.expected);
  if (parts.actual.find('\n') == std::string::npos) {
    text += fmt::format("**Actual:** {}\n\n", parts.actual);
  } else {
    text += "**Actual:**\n\n" + fenced(parts.actual, "");
  }
  text += why(bug, parts);
  text += "## Where it shows\n\n";
  text += fmt::format("- versions: {} {}\n", bug.solver, fmt::join(bug.shown_by, ", "));
  text += bug.options.empty()
              ? "- options: none beyond those in the command\n"
              : fmt::format("- options{}: `{}`\n",
                            parts.has_fewest_options ? ", none of which can be left out" : "",
                            fmt::join(bug.options, " "));
  text += fmt::format("- {}\n\n", stability_of(bug));
  text += answers_of(bug);
  text += fmt::format("\nKind: {}. {}; confirmed twice in fresh processes, {}.\n", bug.kind,
                      found_by(bug), sizes_of(bug));
  if (!bug.known.empty()) text += fmt::format("\nKnown upstream: {}\n", bug.known);
  if (!bug.outside_policy.empty()) {
    text += fmt::format("\nNot to be reported: {}\n", bug.outside_policy);
  }
  return text;
}

}  // namespace elenchus::triage
