#include "solver/reading.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <utility>

#include "base/text.h"

namespace elenchus::solver {
namespace {

// The line that starts at `at`, without its end; `at` moves past that.
std::string_view take_line(std::string_view text, size_t& at) {
  const size_t end = std::min(text.find('\n', at), text.size());
  const std::string_view line = text.substr(at, end - at);
  at = std::min(end + 1, text.size());
  return line;
}

bool starts_with_any(std::string_view line, const std::vector<std::string>& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const std::string& start) { return line.starts_with(start); });
}

// Where an error that starts at `at` ends: at the parenthesis after its string, which may have
// several lines. Solvers do not always double the quotes within, so only a quote before the
// parenthesis at the end of a line ends it.
size_t error_end(std::string_view text, size_t at) {
  const bool is_string = base::trimmed(text.substr(at + 6, 2)).starts_with('"');
  while (at < text.size()) {
    const std::string_view line = base::trimmed(take_line(text, at));
    if (!is_string || line.ends_with("\")")) return at;
  }
  return text.size();
}

const TextMark* find_mark(const std::vector<TextMark>& marks, std::string_view text, size_t& at) {
  const TextMark* first = nullptr;
  for (const TextMark& mark : marks) {
    const size_t found = text.find(mark.text);
    if (found == std::string_view::npos || (first != nullptr && found >= at)) continue;
    first = &mark;
    at = found;
  }
  return first;
}

// The line of the mark and as many as it wants after it, empty ones left out.
std::string lines_at(std::string_view text, size_t at, uint32_t count) {
  const size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  size_t next = before == std::string_view::npos ? 0 : before + 1;
  std::string result;
  while (count > 0 && next < text.size()) {
    std::string_view line = base::trimmed(take_line(text, next));
    if (line.empty()) continue;
    if (line.starts_with("(error \"")) line.remove_prefix(8);
    if (line.ends_with("\")")) line.remove_suffix(2);
    if (!result.empty()) result += '\n';
    result += line;
    --count;
  }
  return result;
}

// A name between quotes: how long it is with them, and they are.
struct Quoted {
  size_t size = 0;
  size_t open = 0;
  size_t close = 0;
};

// The one that starts here, if any. An apostrophe within a word is no quote.
Quoted quoted_at(std::string_view text, size_t at) {
  constexpr std::pair<std::string_view, std::string_view> kQuotes[] = {
      {"'", "'"}, {"`", "'"}, {"`", "`"}, {"|", "|"}, {"\"\"", "\"\""}, {"‘", "’"}};
  const auto is_in_word = [&](size_t place) {
    return place < text.size() && std::isalnum(static_cast<unsigned char>(text[place])) != 0;
  };
  if (at > 0 && is_in_word(at - 1)) return {};
  for (const auto& [open, close] : kQuotes) {
    if (!text.substr(at).starts_with(open)) continue;
    const size_t end = text.find(close, at + open.size());
    if (end == std::string_view::npos || is_in_word(end + close.size())) continue;
    if (text.substr(at, end - at).find('\n') != std::string_view::npos) continue;
    return {end + close.size() - at, open.size(), close.size()};
  }
  return {};
}

}  // namespace

std::optional<Outcome> read_answer(const Profile& profile, std::string_view line) {
  if (line == "sat") return Outcome::kSat;
  if (line == "unsat") return Outcome::kUnsat;
  if (line == "unknown") return Outcome::kUnknown;
  if (line == "timeout") return Outcome::kTimeout;
  if (starts_with_any(line, profile.unknowns)) return Outcome::kUnknown;
  return std::nullopt;
}

Reading read_output(const Profile& profile, std::string_view text) {
  Reading reading;
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    const std::string_view line = base::trimmed(take_line(text, at));
    if (line.empty() || starts_with_any(line, profile.harmless)) continue;
    if (const auto answer = read_answer(profile, line)) {
      reading.answers.push_back({*answer, start});
      continue;
    }
    if (line == "unsupported") continue;  // find_skipped() says what
    if (!line.starts_with("(error")) {
      reading.others.push_back(line);
      continue;
    }
    at = error_end(text, start);
    const std::string_view what = base::trimmed(text.substr(start, at - start));
    if (!reading.has_error()) {
      reading.error = what;
      reading.error_at = start;
    } else {
      reading.others.push_back(what);
    }
  }
  return reading;
}

Classified classify(const Profile& profile, std::string_view text) {
  if (text.empty()) return {};
  const std::array lists = {
      std::pair(Complaint::kUnsupported, &profile.unsupported),
      std::pair(Complaint::kSelfCheck, &profile.self_checks),
      std::pair(Complaint::kMemout, &profile.memouts),
      std::pair(Complaint::kTimeout, &profile.timeouts),
      std::pair(Complaint::kCrash, &profile.crashes),
  };
  for (const auto& [complaint, marks] : lists) {
    size_t at = 0;
    const TextMark* const mark = find_mark(*marks, text, at);
    if (mark != nullptr) return {complaint, lines_at(text, at, mark->lines), mark->answer};
  }
  return {};
}

std::string without_quoted_names(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    const Quoted name = quoted_at(text, at);
    if (name.size == 0) {
      plain += text[at++];
      continue;
    }
    plain += text.substr(at, name.open);
    plain += text.substr(at + name.size - name.close, name.close);
    at += name.size;
  }
  return plain;
}

std::string_view find_skipped(const Profile& profile, std::string_view err) {
  const auto is_in = [&](std::string_view line) {
    return std::any_of(
        profile.unsupported.begin(), profile.unsupported.end(),
        [&](const TextMark& mark) { return line.find(mark.text) != std::string_view::npos; });
  };
  for (size_t at = 0; at < err.size();) {
    std::string_view line = base::trimmed(take_line(err, at));
    if (line.starts_with("; ignoring") || line.starts_with("; :") ||
        starts_with_any(line, profile.harmless)) {
      continue;
    }
    if (is_in(line)) return line;
    if (line.starts_with("; ") && line.find(" line: ") != std::string_view::npos) {
      return line.substr(2);
    }
  }
  return {};
}

std::string first_telling_line(const Profile& profile, std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = base::trimmed(take_line(text, at));
    if (!line.empty() && !starts_with_any(line, profile.harmless)) return first_line(line);
  }
  return {};
}

std::string first_line(std::string_view text) {
  text = base::trimmed(text);
  if (text.starts_with("(error")) text = base::trimmed(text.substr(6));
  if (text.starts_with('"')) text.remove_prefix(1);
  size_t at = 0;
  std::string_view line = base::trimmed(take_line(text, at));
  if (line.ends_with("\")")) line.remove_suffix(2);
  return std::string(line);
}

std::string signal_name(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV";
    case SIGABRT: return "SIGABRT";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGKILL: return "SIGKILL";
    case SIGTERM: return "SIGTERM";
    case SIGTRAP: return "SIGTRAP";
    case SIGPIPE: return "SIGPIPE";
    case SIGXCPU: return "SIGXCPU";
    case SIGALRM: return "SIGALRM";
    default: return "signal " + std::to_string(signal);
  }
}

}  // namespace elenchus::solver
