#include "oracle/crash_location.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.h"

namespace elenchus::oracle {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "/build/z3/src/ast/ast.cpp:388" -> "ast.cpp:388"; other words without their numbers.
std::string normalised_word(std::string_view word) {
  const size_t dot = word.find_last_of('.');
  const bool names_file = dot != std::string_view::npos && dot + 1 < word.size() &&
                          std::isalpha(static_cast<unsigned char>(word[dot + 1])) != 0;
  if (names_file) {
    const size_t slash = word.find_last_of('/');
    return std::string(slash == std::string_view::npos ? word : word.substr(slash + 1));
  }
  if (word.starts_with("0x")) return "0x";
  std::string out;
  for (const char c : word) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!is_digit) out += c;
    if (is_digit && !out.ends_with('#')) out += '#';
  }
  return out;
}

// Where the path ends that begins here; `start` itself where none does. It may have any letters in
// it but those that end it.
size_t end_of_path(std::string_view text, size_t start) {
  size_t slash = start;
  while (slash < text.size() && slash < start + 2 && text[slash] == '.') ++slash;
  const bool is_path = slash + 1 < text.size() && text[slash] == '/' &&
                       (is_word(text[slash + 1]) || text[slash + 1] == '.');
  if (!is_path) return start;
  return std::min(text.find_first_of(" \t\r\n\"'`()[]{}<>,;", slash), text.size());
}

// The function of a line "    #3 0x55d in cvc5::internal::Node::f(int) /src/node.cpp:12:3".
std::string_view frame_function(std::string_view line) {
  const size_t in = line.find(" in ");
  if (line.find('#') == std::string_view::npos || in == std::string_view::npos) return {};
  std::string_view rest = line.substr(in + 4);
  return rest.substr(0, rest.find_first_of("( \n"));
}

std::string sanitizer_location(std::string_view err) {
  constexpr int kFrames = 4;
  const size_t start = err.find("ERROR: ");
  if (start == std::string_view::npos || err.find("Sanitizer") == std::string_view::npos) return {};
  std::string_view rest = err.substr(start + 7);
  std::string location = normalised_message(rest.substr(0, rest.find(" on ")));
  int frames = 0;
  while (!rest.empty() && frames < kFrames) {
    const std::string_view function = frame_function(base::take_line(rest));
    if (function.empty()) continue;
    location += fmt::format(" < {}", function);
    ++frames;
  }
  return location;
}

// What follows the word at the start of a line.
std::string_view line_after(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos || (at > 0 && text[at - 1] != '\n')) return {};
  return base::first_line(text.substr(at + word.size()));
}

// z3 says where an assertion stands on lines of their own.
std::string assertion_location(std::string_view message) {
  const std::string_view file = line_after(message, "File: ");
  const std::string_view line = line_after(message, "Line: ");
  if (file.empty() || line.empty()) return {};
  return fmt::format("{} {}:{}", normalised_message(message), normalised_word(file), line);
}

// The words of cvc4's and cvc5's signal handlers say no more than the signal does, but for the
// address: near zero it is the offset of what was looked for in an object that is not there.
std::string segfault_location(std::string_view message) {
  if (message.find(" suffered a segfault") == std::string_view::npos) return {};
  constexpr std::string_view kAddress = "Offending address is 0x";
  constexpr uint64_t kFirstPage = 4096;
  const size_t at = message.find(kAddress);
  uint64_t address = kFirstPage;
  if (at != std::string_view::npos) {
    const std::string_view digits = message.substr(at + kAddress.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  }
  return address < kFirstPage ? fmt::format("SIGSEGV@{:#x}", address) : "SIGSEGV";
}

// The first line of a message without what differs from run to run; no more than so many letters
// and a word.
std::string normalised(std::string_view message, size_t most) {
  std::string out;
  size_t i = 0;
  while (i < message.size() && out.size() < most) {
    const char c = message[i];
    if (c == '\n') break;
    if (c == '\'' || c == '"' || c == '`') {
      const size_t end =
          message.find_first_of(c == '`' ? "'`" : std::string_view(&message[i], 1), i + 1);
      if (end != std::string_view::npos) {
        out += "''";
        i = end + 1;
        continue;
      }
    }
    if (const size_t end = end_of_path(message, i); end > i) {
      const std::string_view path = message.substr(i, end - i);
      out += normalised_word(path.substr(path.find_last_of('/') + 1));
      i = end;
      continue;
    }
    if (!is_word(c) && c != '/' && c != '.') {
      out += c;
      ++i;
      continue;
    }
    size_t end = i;
    while (end < message.size() && (is_word(message[end]) || message[end] == '/' ||
                                    message[end] == '.' || message[end] == ':')) {
      ++end;
    }
    out += normalised_word(message.substr(i, end - i));
    i = end;
  }
  return out;
}

// "void a::(anonymous namespace)::f(const b<c(d)>&) const" -> "void a::(anonymous namespace)::f".
std::string_view without_parameters(std::string_view signature) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  size_t depth = 0;
  for (size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (c != '(' || depth > 0) continue;
    const bool is_name =
        signature.substr(i).starts_with(kUnnamed) || signature.substr(0, i).ends_with("operator");
    if (!is_name) return signature.substr(0, i);
  }
  return signature;
}

}  // namespace

// Where it is comes last: "Fatal failure within void a::f(const b&) at f.cpp:12". Parameters, which
// can be long, go first.
std::string normalised_message(std::string_view message) {
  constexpr size_t kMost = 200;
  constexpr size_t kWhole = 4000;
  std::string start = normalised(message, kMost);
  if (start.size() < kMost) return start;
  const std::string whole = normalised(message, kWhole);
  const size_t within = whole.find(" within ");
  const size_t place = whole.rfind(" at ");
  if (within == std::string::npos || place == std::string::npos || place < within) return start;
  const std::string_view text(whole);
  const std::string_view place_text = text.substr(place, kMost);
  return fmt::format("{}{}", without_parameters(text.substr(0, place)).substr(0, kMost),
                     place_text);
}

std::string crash_location(const solver::Run& run) {
  std::string sanitizer = sanitizer_location(run.err);
  if (!sanitizer.empty()) return sanitizer;
  std::string segfault = segfault_location(run.message);
  if (!segfault.empty()) return segfault;
  std::string assertion = assertion_location(run.message);
  if (!assertion.empty()) return assertion;
  if (!run.message.empty()) return normalised_message(run.message);
  if (run.signal != 0) return fmt::format("signal {}", run.signal);
  return fmt::format("exit {}", run.exit_code);
}

}  // namespace elenchus::oracle
