#include "diagnose/diagnosis.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/text.h"

namespace elenchus::diagnose {
namespace {

constexpr std::string_view kHeading = "\n## Diagnosis\n\n";
constexpr size_t kMostOptions = 6;  // of one module, in a report
constexpr size_t kMostLines = 12;   // of either script

// Options of no module.
std::string name_of(const std::string& module) { return module.empty() ? "global" : module; }

std::string in_ticks(std::string_view text) { return fmt::format("`{}`", text); }

// "- `smt`: `smt.arith.solver=2` (sat)", module by module.
std::string gone_text(const Switches& switches) {
  std::map<std::string, std::vector<const Switch*>> modules;
  for (const Switch& one : switches.gone) modules[one.module].push_back(&one);
  std::string text;
  for (const auto& [module, options] : modules) {
    text += fmt::format("- {}: gone with ", name_of(module));
    for (size_t i = 0; i < std::min(kMostOptions, options.size()); ++i) {
      text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", in_ticks(options[i]->option),
                          options[i]->answer);
    }
    if (options.size() > kMostOptions) {
      text += fmt::format(" and {} more", options.size() - kMostOptions);
    }
    text += '\n';
  }
  return text;
}

std::string stays_text(const Switches& switches) {
  std::vector<std::string> parts;
  uint64_t sum = 0;
  for (const auto& [module, count] : switches.stays) {
    parts.push_back(fmt::format("{} {}", name_of(module), count));
    sum += count;
  }
  if (sum == 0) return {};
  return fmt::format("- stays with each of {}{} ({})\n", sum,
                     switches.gone.empty() ? "" : " others", fmt::join(parts, ", "));
}

std::string options_text(const Switches& switches) {
  const std::string found = gone_text(switches) + stays_text(switches);
  if (found.empty()) return {};
  std::string text = "Single options, each changed alone";
  if (!switches.is_whole) text += " (not all of them could be tried in time)";
  return text + ":\n\n" + found + '\n';
}

std::string neighbour_text(const Neighbour& neighbour, std::string_view script) {
  return fmt::format(
      "One edit away (`neighbour.smt2`) it does not show, the answer is {}:\n\n"
      "```diff\n{}```\n\n",
      neighbour.answer, changed_lines(script, neighbour.script, kMostLines));
}

std::string steps_in(size_t count) {
  return fmt::format("{} step{}", count, count == 1 ? "" : "s");
}

std::string arises(const Steps& steps) {
  if (!steps.culprit.empty()) return fmt::format("{} {}", steps.culprit, steps.what);
  if (steps.kept.empty()) return {};
  return fmt::format("in none of {} tried", steps_in(steps.kept.size()));
}

std::string steps_text(const Steps& steps) {
  if (steps.culprit.empty()) {
    if (steps.kept.empty()) return {};
    if (steps.kept.size() == 1) {
      return fmt::format(
          "The one step of its preprocessing that could be asked for, {}, does nothing wrong.\n\n",
          in_ticks(steps.kept.front()));
    }
    return fmt::format(
        "None of the {} of its preprocessing that could be asked for does anything wrong.\n\n",
        steps_in(steps.kept.size()));
  }
  std::string text = fmt::format("It arises in {}, which {}", in_ticks(steps.culprit), steps.what);
  if (steps.made.empty()) return text + ".\n\n";
  return fmt::format("{}:\n\n```smt2\n{}\n```\n\n", text, steps.made);
}

// "`bvadd` in place of `bvsub`".
std::string edit_text(const Neighbour& neighbour, std::string_view script) {
  constexpr size_t kMost = 160;
  const Difference found = difference_of(script, neighbour.script);
  const std::string before = base::shown(found.before, kMost);
  const std::string after = base::shown(found.after, kMost);
  if (before.empty()) return fmt::format("with {} added", after);
  if (after.empty()) return fmt::format("without {}", before);
  return fmt::format("{} in place of {}", after, before);
}

// The same, with no more time than leaves some for the others.
Subject hurried(const Subject& subject, double seconds) {
  const auto end = base::steady_after(seconds);
  Subject result = subject;
  result.stop = [&subject, end] { return subject.stop() || base::SteadyClock::now() >= end; };
  return result;
}

}  // namespace

Diagnosis diagnose(const Subject& subject, lab::SolverLab& sessions,
                   const knobs::Catalogue& catalogue, const Settings& settings) {
  const auto say = [&](std::string_view what) {
    if (settings.on_progress) settings.on_progress(what);
  };
  Diagnosis diagnosis;
  constexpr double kShare = 0.25;
  say("steps of the solver");
  diagnosis.steps = try_steps(hurried(subject, kShare * settings.seconds));
  say("neighbours");
  diagnosis.neighbour =
      nearest_quiet(hurried(subject, kShare * settings.seconds), sessions, settings.edits);
  say("options");
  diagnosis.switches = try_switches(subject, catalogue);
  return diagnosis;
}

void note(const Diagnosis& diagnosis, std::string_view script, record::Bug& bug) {
  bug.diagnosed = true;
  bug.options_tried = diagnosis.switches.tried();
  bug.gone_with.clear();
  for (const Switch& one : diagnosis.switches.gone) bug.gone_with.push_back(one.option);
  bug.quiet_edit = diagnosis.neighbour ? edit_text(*diagnosis.neighbour, script) : std::string();
  bug.arises = arises(diagnosis.steps);
}

std::string section(const Diagnosis& diagnosis, std::string_view script) {
  std::string text(kHeading);
  const size_t empty = text.size();
  text += steps_text(diagnosis.steps);
  text += options_text(diagnosis.switches);
  if (diagnosis.neighbour) text += neighbour_text(*diagnosis.neighbour, script);
  return text.size() == empty ? std::string() : text;
}

std::string with_section(std::string_view report, std::string_view section) {
  std::string text(report.substr(0, report.rfind(kHeading)));
  while (text.ends_with('\n')) text.pop_back();
  text += '\n';
  return text + std::string(section);
}

}  // namespace elenchus::diagnose
