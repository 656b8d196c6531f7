#include "cli/status_screen.h"

#include <sys/ioctl.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/quantities.h"

namespace elenchus::cli {
namespace {

using campaign::Snapshot;

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Paints text where the terminal knows colours.
struct Paint {
  bool on = false;
  std::string operator()(std::string_view text, int code) const {
    return on ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
};
constexpr int kBold = 1;
constexpr int kRed = 31;
constexpr int kYellow = 33;
constexpr int kCyan = 36;

std::string solver_rows(const store::Stats& stats) {
  std::string text = fmt::format("  {:<22}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "solver", "runs",
                                 "sat", "unsat", "unknown", "timeout", "crash", "rejected");
  for (const auto& [name, solver] : stats.solvers) {
    if (solver.runs == 0) continue;  // a name that only a bug has, since an option was dropped
    text += fmt::format("  {:<22}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", base::shown(name, 21),
                        solver.runs, percent(solver.sat, solver.runs),
                        percent(solver.unsat, solver.runs), percent(solver.unknown, solver.runs),
                        percent(solver.timeouts + solver.memouts, solver.runs), solver.crashes,
                        percent(solver.rejected_runs, solver.runs));
  }
  return text;
}

std::string engine_rows(const Snapshot& snapshot) {
  double total = 0;
  for (const campaign::Share& share : snapshot.engines) total += share.seconds;
  std::string text = fmt::format("  {:<22}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "engine", "tests",
                                 "accepted", "decided", "skipped", "bugs", "time");
  for (const campaign::Share& share : snapshot.engines) {
    const auto found = snapshot.stats.engines.find(share.name);
    const store::Counts counts =
        found == snapshot.stats.engines.end() ? store::Counts{} : found->second;
    text +=
        fmt::format("  {:<22}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8.0f}%\n", share.name, counts.tests,
                    percent(counts.accepted, counts.tests), percent(counts.decided, counts.tests),
                    counts.skipped, counts.bugs, total > 0 ? 100 * share.seconds / total : 0);
  }
  return text;
}

}  // namespace

std::string status_screen(const Snapshot& snapshot, const campaign::Shared& shared,
                          const std::string& folder, bool colour) {
  const Paint paint{colour};
  const store::Stats& stats = snapshot.stats;
  std::string text = fmt::format(
      "{}  {}{}\n", paint("elenchus", kBold), folder,
      snapshot.is_ending ? paint("  ending: finishing what is under way", kYellow) : "");
  const std::string limit = shared.settings.seconds > 0
                                ? fmt::format(" of {}", show_duration(shared.settings.seconds))
                                : "";
  text += fmt::format("  running {}{}, {} jobs, rng {}\n", show_duration(snapshot.session_seconds),
                      limit, std::max(shared.settings.jobs, 1U), shared.settings.rng);
  text += fmt::format("  {:<12}{:>10}   {:.0f} per second\n", "tests", stats.total.tests,
                      snapshot.tests_per_second);
  text += fmt::format("  {:<12}{:>10}   decided {}\n", "accepted",
                      percent(stats.total.accepted, stats.total.tests),
                      percent(stats.total.decided, stats.total.tests));
  text += fmt::format("  {:<12}{:>10}   visited {}, dropped {}\n", "seeds", snapshot.seeds,
                      snapshot.seeds_visited, snapshot.seeds - snapshot.seeds_left);
  text += fmt::format("  {:<12}{:>10}   own {:.1f} s, solvers {:.1f} s\n", "cpu",
                      percent(static_cast<uint64_t>(stats.cpu_seconds_self * 1000),
                              static_cast<uint64_t>(stats.total.cpu_seconds_solvers * 1000)),
                      stats.cpu_seconds_self, stats.total.cpu_seconds_solvers);
  text += fmt::format("  {:<12}{:>10}   coverage, or kinds of statistics\n", "keys",
                      stats.known_keys());
  const std::string bugs = fmt::format("{:>10}", stats.total.bugs);
  text += fmt::format("  {:<12}{}   findings {}, not confirmed {}\n", "bugs",
                      stats.total.bugs > 0 ? paint(bugs, kRed) : bugs, stats.total.findings,
                      stats.total.unconfirmed);
  text += paint("\n" + solver_rows(stats), kCyan);
  text += "\n" + engine_rows(snapshot);
  for (const std::string& warning : snapshot.warnings) {
    text += paint(fmt::format("  warning: {}\n", warning), kYellow);
  }
  return text;
}

WindowSize window_size(int terminal) {
  winsize size{};
  WindowSize window;
  if (ioctl(terminal, TIOCGWINSZ, &size) != 0) return window;
  if (size.ws_col > 0) window.columns = size.ws_col;
  if (size.ws_row > 0) window.rows = size.ws_row;
  return window;
}

namespace {

// How many bytes at the start of the text make up one escape sequence, or one character.
size_t length_of_first(std::string_view text, bool& is_visible) {
  is_visible = text[0] != '\033';
  if (!is_visible) {
    const size_t end = text.find_first_of("mAJK");
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  return length;
}

std::string cut_line(std::string_view line, size_t columns) {
  std::string text;
  size_t seen = 0;
  while (!line.empty()) {
    bool is_visible = true;
    const size_t length = length_of_first(line, is_visible);
    if (!is_visible || seen < columns) text += line.substr(0, length);
    if (is_visible) ++seen;
    line.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string fitted(std::string_view screen, const WindowSize& window) {
  std::string text;
  // The cursor stands below the last line.
  const size_t most = std::max<size_t>(window.rows, 2) - 1;
  for (size_t lines = 0; !screen.empty() && lines < most; ++lines) {
    const size_t end = std::min(screen.find('\n'), screen.size());
    text += cut_line(screen.substr(0, end), window.columns) + '\n';
    screen.remove_prefix(std::min(end + 1, screen.size()));
  }
  return text;
}

std::string status_line(const Snapshot& snapshot) {
  const store::Stats& stats = snapshot.stats;
  return fmt::format("{}: {} tests ({:.0f}/s), accepted {}, decided {}, bugs {}, findings {}{}",
                     show_duration(snapshot.session_seconds), stats.total.tests,
                     snapshot.tests_per_second, percent(stats.total.accepted, stats.total.tests),
                     percent(stats.total.decided, stats.total.tests), stats.total.bugs,
                     stats.total.findings,
                     snapshot.warnings.empty() ? "" : "; warning: " + snapshot.warnings.front());
}

std::string closing_table(const Snapshot& snapshot, const campaign::Campaign& campaign) {
  const store::Stats& stats = snapshot.stats;
  std::string text = fmt::format(
      "{} tests in {}, {} runs; accepted {}, decided {}; own CPU {:.1f} s, solvers' {:.1f} s\n",
      stats.total.tests, show_duration(stats.seconds), stats.total.runs,
      percent(stats.total.accepted, stats.total.tests),
      percent(stats.total.decided, stats.total.tests), stats.cpu_seconds_self,
      stats.total.cpu_seconds_solvers);
  const auto bugs = campaign.store().view().bugs();
  if (!bugs || bugs->empty()) {
    return text + fmt::format("No bug found. The figures lie in {}.\n",
                              campaign.store().folder().root().string());
  }
  size_t widest_id = 32;
  size_t widest_solver = 8;
  for (const store::BugRecord& bug : *bugs) {
    widest_id = std::max(widest_id, bug.id.size());
    widest_solver = std::max(widest_solver, bug.solver.size());
  }
  text += fmt::format("\n{:<{}}  {:<20}{:<{}}  {:>6}{:>7}  {}\n", "bug", widest_id, "kind",
                      "solver", widest_solver, "times", "bytes", "what");
  for (const store::BugRecord& bug : *bugs) {
    text += fmt::format("{:<{}}  {:<20}{:<{}}  {:>6}{:>7}  {}\n", bug.id, widest_id, bug.kind,
                        bug.solver, widest_solver, bug.count, bug.size_reduced,
                        base::shown(bug.title, 80));
  }
  const std::string folder = campaign.store().folder().root().string();
  text += fmt::format(
      "\nEach lies in {}/bugs/<bug>/ with report.md and repro.sh; "
      "`elenchus bugs {}` lists them.\n",
      folder, base::shell_word(folder));
  return text;
}

}  // namespace elenchus::cli
