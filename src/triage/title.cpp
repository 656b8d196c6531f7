#include "triage/title.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "record/kind.h"

namespace elenchus::triage {
namespace {

using record::Bug;

std::string cut(std::string text, size_t most) {
  if (text.size() <= most) return text;
  constexpr std::string_view kMore = " ...";
  if (most <= kMore.size()) return {};
  const size_t blank = text.rfind(' ', most - kMore.size());
  text.resize(blank == std::string::npos || blank == 0 ? most - kMore.size() : blank);
  // Nothing comes after these words any more.
  for (const std::string_view word : {" at", " in", " on"}) {
    if (text.ends_with(word)) text.resize(text.size() - word.size());
  }
  // Half a letter of several bytes is none.
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0) text.pop_back();
  return text + std::string(kMore);
}

// The operators that a signature names, or the place of a crash.
std::string tail_of(std::string_view signature) {
  const size_t colon = signature.find(": ");
  return std::string(colon == std::string_view::npos ? "" : signature.substr(colon + 2));
}

// Where the word stands in a list of words.
size_t find_word(std::string_view list, std::string_view word) {
  return fmt::format(" {} ", list).find(fmt::format(" {} ", word));
}

// A word of a list, taken out of it; false where it is not there.
bool take_word(std::string& list, std::string_view word) {
  const size_t at = find_word(list, word);
  if (at == std::string::npos) return false;
  list.erase(at, std::min(word.size() + 1, list.size() - at));
  while (list.ends_with(' ')) list.pop_back();
  return true;
}

// "SIGSEGV", "SIGSEGV@0x10", "signal 11", "exited with code 1 ...": not where.
bool is_bare(std::string_view location) {
  if (location.starts_with("signal ") || location.starts_with("exit")) return true;
  return location.starts_with("SIG") && location.find(' ') == std::string_view::npos;
}

// What stands between two texts; empty where they are not there.
std::string_view between(std::string_view text, std::string_view left, std::string_view right) {
  const size_t start = text.find(left);
  if (start == std::string_view::npos) return {};
  const std::string_view rest = text.substr(start + left.size());
  const size_t end = rest.find(right);
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

// The place of a crash: "Fatal failure within void a::b::f(int) at f.cpp:12" names a function.
std::string spoken_place(std::string_view location) {
  // A sanitizer's frames: "heap-use-after-free < f < g".
  if (const size_t frame = location.find(" < "); frame != std::string_view::npos) {
    const std::string_view first = location.substr(frame + 3);
    return fmt::format("{} in {}", location.substr(0, frame),
                       spoken_function(first.substr(0, first.find(" < "))));
  }
  constexpr std::string_view kWithin = " within ";
  const std::string_view signature = between(location, kWithin, " at ");
  if (signature.empty()) return std::string(location);
  const size_t at = location.find(kWithin);
  const std::string_view rest = location.substr(at + kWithin.size() + signature.size());
  return fmt::format("{} in {}{}", location.substr(0, at), spoken_function(signature), rest);
}

// "libcvc5.so.1+0x87b6f8", which says nothing to a reader.
bool is_unnamed(std::string_view frame) { return frame.find("+0x") != std::string_view::npos; }

// What was wrong with a crash, and where if that is known.
std::string crash_of(const Bug& bug, std::string_view location) {
  if (!is_bare(location)) return spoken_place(location);
  const std::string signal(location.substr(0, location.find('@')));
  if (bug.frames.empty() || is_unnamed(bug.frames.front())) return signal;
  return fmt::format("{} in {}", signal, spoken_function(bug.frames.front()));
}

std::string what_of(const Bug& bug, std::string_view location) {
  const record::KindInfo* kind = record::find_kind(bug.kind);
  if (kind == nullptr) return bug.kind;
  if (kind->brief.empty()) return crash_of(bug, location);
  const record::KindInfo* probable = record::find_kind(bug.probable);
  if (probable == nullptr) return std::string(kind->brief);
  return fmt::format("{}, probably {}", kind->brief, probable->brief);
}

std::string operators_of(const Bug& bug, std::string_view location) {
  if (!bug.frames.empty() && is_unnamed(bug.frames.front())) {
    return fmt::format("{}", fmt::join(bug.theories, " "));
  }
  std::string tail = tail_of(bug.signature);
  if (!location.empty() && tail.starts_with(location)) tail.erase(0, location.size());
  tail.erase(0, std::min(tail.find_first_not_of(' '), tail.size()));
  return tail;
}

}  // namespace

std::string spoken_function(std::string_view signature) {
  // A namespace without a name, as compilers write it.
  std::string named(signature);
  for (const std::string_view unnamed : {"(anonymous namespace)::", "{anonymous}::"}) {
    for (size_t at = named.find(unnamed); at != std::string::npos; at = named.find(unnamed)) {
      named.erase(at, unnamed.size());
    }
  }
  std::string name;
  size_t depth = 0;
  for (const char c : named) {
    if (c == '(' && depth == 0 && !name.empty() && !name.ends_with("operator")) break;
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (c == '>' && depth > 0) --depth;
  }
  while (name.ends_with(' ')) name.pop_back();
  const size_t blank = name.rfind(' ');
  if (blank != std::string::npos) name.erase(0, blank + 1);
  while (name.starts_with('*') || name.starts_with('&')) name.erase(0, 1);
  const size_t last = name.rfind("::");
  const size_t before = last == std::string::npos || last == 0 ? last : name.rfind("::", last - 1);
  if (before != std::string::npos && before != last) name.erase(0, before + 2);
  return name;
}

std::string title_of(const Bug& bug, std::string_view location, bool is_after_reset) {
  const record::KindInfo* kind = record::find_kind(bug.kind);
  const bool is_crash = kind != nullptr && kind->brief.empty();
  const bool has_place =
      is_crash && !location.empty() &&
      !(is_bare(location) && (bug.frames.empty() || is_unnamed(bug.frames.front())));
  std::string head = fmt::format("{}{}{}: {}", bug.solver, bug.version.empty() ? "" : " ",
                                 bug.version, what_of(bug, location));
  if (has_place) return cut(head, kMaxTitle);
  // What was asserted before a command that removes it may not matter.
  std::string operators = operators_of(bug, location);
  // Theories, in the place of operators, say nothing of commands.
  const bool is_said = find_word(operators, "reset") != std::string::npos;
  if (is_after_reset && !is_said) operators += operators.empty() ? "reset" : " reset";
  for (const std::string_view command : {"reset-assertions", "reset", "push"}) {
    if (!take_word(operators, command)) continue;
    head += fmt::format(" after ({})", command);
    if (operators.empty() && !is_after_reset) return cut(std::move(head), kMaxTitle);
    break;
  }
  constexpr std::string_view kOn = " on ";
  const size_t left = kMaxTitle - std::min(kMaxTitle, head.size() + kOn.size());
  std::string subject = bug.shape;
  if (subject.size() > left && !operators.empty()) subject.clear();
  if (subject.empty()) subject = std::move(operators);
  subject = cut(std::move(subject), left);
  return cut(subject.empty() ? head : fmt::format("{}{}{}", head, kOn, subject), kMaxTitle);
}

}  // namespace elenchus::triage
