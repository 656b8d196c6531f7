#include "cli/status_screen.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/plural.h"
#include "base/text.h"
#include "cli/quantities.h"

namespace elenchus::cli {
namespace {

using campaign::Snapshot;

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Tests a second; those of seeds alone say nothing.
std::string speed(const Snapshot& snapshot) {
  constexpr double kSlow = 9.95;
  if (snapshot.stats.total.tests == 0) return "-";
  return fmt::format("{:.{}f}", snapshot.tests_per_second,
                     snapshot.tests_per_second < kSlow ? 1 : 0);
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

// The lines of a screen, top down.
using Lines = std::vector<std::string>;

Lines solver_lines(const store::Stats& stats) {
  constexpr auto kRow = "  {:<14}{:>8}{:>9}{:>9}{:>9}{:>9}{:>8}{:>10}";
  Lines lines = {fmt::format(fmt::runtime(kRow), "solver", "runs", "sat", "unsat", "unknown",
                             "timeout", "crashes", "rejected")};
  for (const auto& [name, solver] : stats.solvers) {
    const auto share = [&](uint64_t part) { return percent(part, solver.runs); };
    lines.push_back(fmt::format(fmt::runtime(kRow), base::shown(name, 13), solver.runs,
                                share(solver.sat), share(solver.unsat), share(solver.unknown),
                                share(solver.timeouts + solver.memouts), solver.crashes,
                                share(solver.rejected_runs)));
  }
  return lines;
}

// An engine in all the ways that it is used.
struct EngineRow {
  std::string_view name;
  uint64_t tests = 0;
  uint64_t accepted = 0;
  uint64_t decided = 0;
  uint64_t skipped = 0;
  uint64_t bugs = 0;
  double seconds = 0;
  double value = 0;

  void add(const campaign::Share& share, const store::Counts& counts) {
    tests += counts.tests;
    accepted += counts.accepted;
    decided += counts.decided;
    skipped += counts.skipped;
    bugs += counts.bugs;
    seconds += share.seconds;
    value += share.value;
  }
};

// By what stands before, or else behind, the first '+' of the names.
std::vector<EngineRow> rows_by(const Snapshot& snapshot, bool by_engine) {
  std::vector<EngineRow> rows;
  for (const campaign::Share& share : snapshot.engines) {
    const std::string_view whole = share.name;
    const size_t plus = std::min(whole.find('+'), whole.size());
    const std::string_view name =
        by_engine ? whole.substr(0, plus) : (plus == whole.size() ? "plain" : whole.substr(plus));
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const EngineRow& one) { return one.name == name; });
    if (row == rows.end()) row = rows.insert(rows.end(), EngineRow{.name = name});
    const auto found = snapshot.stats.engines.find(share.name);
    row->add(share, found == snapshot.stats.engines.end() ? store::Counts{} : found->second);
  }
  return rows;
}

double seconds_of(const std::vector<EngineRow>& rows) {
  double total = 0;
  for (const EngineRow& row : rows) total += row.seconds;
  return total;
}

std::string share_of(double seconds, double total) {
  return fmt::format("{:.0f}%", total > 0 ? 100 * seconds / total : 0);
}

// Who gets the time, and why: what it brought a minute that was new. Those that have the least are
// one line where there is no room for them.
Lines engine_lines(const Snapshot& snapshot, size_t room) {
  constexpr auto kRow = "  {:<14}{:>8}{:>10}{:>9}{:>9}{:>7}{:>8}{:>12}";
  std::vector<EngineRow> rows = rows_by(snapshot, true);
  const double total = seconds_of(rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const EngineRow& a, const EngineRow& b) { return a.seconds > b.seconds; });
  Lines lines = {fmt::format(fmt::runtime(kRow), "engine", "tests", "accepted", "decided",
                             "skipped", "bugs", "time", "new/min")};
  const bool is_tight = rows.size() + 1 > room;
  const size_t shown = is_tight ? std::max<size_t>(room, 4) - 2 : rows.size();
  double rest = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const EngineRow& row = rows[i];
    if (i >= shown) {
      rest += row.seconds;
      continue;
    }
    lines.push_back(fmt::format(
        fmt::runtime(kRow), row.name, row.tests, percent(row.accepted, row.tests),
        percent(row.decided, row.tests), row.skipped, row.bugs, share_of(row.seconds, total),
        row.seconds > 0 ? fmt::format("{:.1f}", 60 * row.value / row.seconds) : "-"));
  }
  if (shown < rows.size()) {
    lines.push_back(fmt::format("  and {} more with {} of the time", rows.size() - shown,
                                share_of(rest, total)));
  }
  return lines;
}

// The ways of asking, in a line: those that get the most time first, as many as there is room for.
Lines way_lines(const Snapshot& snapshot, size_t columns) {
  constexpr std::string_view kMore = ", and 9 more";
  std::vector<EngineRow> rows = rows_by(snapshot, false);
  if (rows.size() < 2) return {};
  const double total = seconds_of(rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const EngineRow& a, const EngineRow& b) { return a.seconds > b.seconds; });
  std::string text = "  ways:";
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string word =
        fmt::format("{} {} {}", i == 0 ? "" : ",", rows[i].name, share_of(rows[i].seconds, total));
    if (text.size() + word.size() + kMore.size() >= columns) {
      return {text + fmt::format(", and {} more", rows.size() - i)};
    }
    text += word;
  }
  return {text};
}

std::string ago(double now, double then) {
  return show_duration(std::max(now - then, 0.0)) + " ago";
}

Lines bug_lines(const StatusView& view) {
  Lines lines;
  for (const store::BugRecord& bug : view.bugs) {
    lines.push_back(fmt::format("  {:<16}{:<26}  {}", ago(view.now, bug.first_seen), bug.id,
                                base::shown(bug.title, 200)));
  }
  return lines;
}

std::string docket_words(const docket::DocketCounts& docket) {
  std::string text;
  const auto add = [&](uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(docket.suspected, "to confirm");
  add(docket.confirmed, "to reduce");
  add(docket.reduced, "to describe");
  add(docket.unconfirmed, "did not show again");
  return text.empty() ? "nothing waits" : text;
}

// What was done, what was found, what waits.
Lines head_lines(const StatusView& view, const Paint& paint) {
  const Snapshot& snapshot = view.snapshot;
  const store::Stats& stats = snapshot.stats;
  const store::Counts& total = stats.total;
  const auto line = [](std::string_view name, const std::string& number, const std::string& rest) {
    return fmt::format("  {:<14}{}   {}", name, number, rest);
  };
  const auto number = [](const auto& value) { return fmt::format("{:>9}", value); };
  // Once testing is over, what is left has a time of its own.
  const bool has_limit = view.settings.seconds > 0 && !snapshot.is_ending;
  const std::string limit = has_limit ? " of " + show_duration(view.settings.seconds) : "";
  const std::string newest =
      stats.last_bug > 0 ? "the newest " + ago(view.now, stats.last_bug) : "none so far";
  const std::string bugs = number(total.bugs);
  return {
      fmt::format(
          "{}  {}{}", paint("elenchus", kBold), view.folder,
          snapshot.is_ending ? paint("  ending: finishing what is under way", kYellow) : ""),
      fmt::format("  running {}{}, {}, rng {}", show_duration(snapshot.session_seconds), limit,
                  base::counted(std::max(view.settings.jobs, 1U), "job"), view.settings.rng),
      line("tests", number(total.tests),
           fmt::format("{} a second, accepted {}, decided {}", speed(snapshot),
                       percent(total.accepted, total.tests), percent(total.decided, total.tests))),
      line("seeds", number(snapshot.seeds),
           fmt::format("{} visited, {} dropped", snapshot.seeds_visited,
                       snapshot.seeds - snapshot.seeds_left)),
      line("bugs", total.bugs > 0 ? paint(bugs, kRed) : bugs,
           fmt::format("{}; {}", newest, base::counted(total.findings, "finding"))),
      line("in the docket", number(snapshot.docket.open()), docket_words(snapshot.docket)),
      line("behaviour", number(stats.known_keys()), "distinct behaviours (or edges) reached"),
      line("solvers' CPU", number(show_duration(total.cpu_seconds_solvers)),
           fmt::format("and {:.1f} s of our own", stats.cpu_seconds_self)),
  };
}

void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

}  // namespace

std::string status_screen(const StatusView& view, const WindowSize& window) {
  const Paint paint{view.colour};
  const Snapshot& snapshot = view.snapshot;
  Lines lines = head_lines(view, paint);
  const auto terms = snapshot.stats.tried.find(store::NamePair(store::kLaneClass, "terms"));
  if (terms != snapshot.stats.tried.end()) {
    lines.push_back(fmt::format("  {:<14}{:>9}   asked about, {}", "terms", terms->second.count,
                                base::counted(terms->second.findings, "finding")));
  }
  for (const std::string& warning : snapshot.warnings) {
    lines.push_back(paint("  warning: " + warning, kYellow));
  }
  lines.emplace_back();
  for (const std::string& line : solver_lines(snapshot.stats)) lines.push_back(paint(line, kCyan));
  lines.emplace_back();
  const Lines ways = way_lines(snapshot, window.columns);
  // The cursor stands below the last line.
  const size_t rows = std::max<size_t>(window.rows, 2) - 1;
  const size_t used = lines.size() + ways.size();
  append(lines, engine_lines(snapshot, rows > used ? rows - used : 0));
  append(lines, ways);
  constexpr size_t kTitle = 2;  // an empty line, and the title
  const Lines bugs = bug_lines(view);
  if (!bugs.empty() && lines.size() + kTitle < rows) {
    append(lines, {"", "  newest bugs"});
    append(lines, bugs);
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return fitted(text, window);
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
    // In the last column some terminals break the line.
    text += cut_line(screen.substr(0, end), window.columns - 1) + '\n';
    screen.remove_prefix(std::min(end + 1, screen.size()));
  }
  return text;
}

double line_interval(double seconds) {
  constexpr double kShortest = 5;
  constexpr double kLongest = 600;
  constexpr double kShare = 0.1;
  return std::clamp(seconds * kShare, kShortest, kLongest);
}

std::string end_of(const campaign::Settings& settings) {
  std::vector<std::string> ends;
  if (settings.seconds > 0) ends.push_back("in " + show_duration(settings.seconds));
  if (settings.tests > 0) ends.push_back("after " + base::counted(settings.tests, "test"));
  if (settings.bugs > 0) ends.push_back("after " + base::counted(settings.bugs, "bug"));
  return ends.empty() ? "with Ctrl-C" : fmt::format("{}", fmt::join(ends, " or "));
}

std::string status_line(const Snapshot& snapshot) {
  const store::Stats& stats = snapshot.stats;
  return fmt::format(
      "{}: {} ({}/s), accepted {}, decided {}, bugs {}, findings {}",
      show_duration(snapshot.session_seconds), base::counted(stats.total.tests, "test"),
      speed(snapshot), percent(stats.total.accepted, stats.total.tests),
      percent(stats.total.decided, stats.total.tests), stats.total.bugs, stats.total.findings);
}

std::string closing_table(const Snapshot& snapshot, const campaign::Campaign& campaign) {
  const store::Stats& stats = snapshot.stats;
  std::string text = fmt::format(
      "{} in {}, {}; accepted {}, decided {}; own CPU {:.1f} s, solvers' {:.1f} s\n",
      base::counted(stats.total.tests, "test"), show_duration(stats.seconds),
      base::counted(stats.total.runs, "run"), percent(stats.total.accepted, stats.total.tests),
      percent(stats.total.decided, stats.total.tests), stats.cpu_seconds_self,
      stats.total.cpu_seconds_solvers);
  const auto bugs = campaign.store().view().bugs();
  if (!bugs || bugs->empty()) {
    return text + fmt::format("No bug found. The figures are in {}.\n",
                              campaign.store().folder().root().string());
  }
  size_t widest = 0;
  for (const store::BugRecord& bug : *bugs) widest = std::max(widest, bug.id.size());
  // Kind and solver are in the name.
  text += fmt::format("\n{:<{}}{:>8}{:>8}  {}\n", "BUG", widest, "FOUND", "BYTES", "WHAT");
  for (const store::BugRecord& bug : *bugs) {
    text += fmt::format("{:<{}}{:>7}x{:>8}  {}\n", bug.id, widest, bug.count, bug.size_reduced,
                        base::shown(bug.title, 80));
  }
  const std::string folder = campaign.store().folder().root().string();
  text += fmt::format(
      "\nEach bug has a folder in {}/bugs with report.md and repro.sh; `elenchus bugs {}` lists "
      "them.\n",
      folder, base::shell_word(folder));
  return text;
}

}  // namespace elenchus::cli
