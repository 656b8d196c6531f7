#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/outcome.h"
#include "solver/profile.h"

namespace elenchus::solver {

// What a solver printed in response to some commands, taken apart. Views into that text.
struct Reading {
  struct Answer {
    Outcome outcome = Outcome::kUnknown;
    size_t at = 0;  // where its line starts
  };
  std::vector<Answer> answers;
  std::string_view error;  // the first (error ...)
  size_t error_at = 0;
  std::vector<std::string_view> others;  // further lines and errors, in order

  bool has_error() const { return !error.empty(); }
};
Reading read_output(const Profile& profile, std::string_view text);

// What a line says if it is an answer.
std::optional<Outcome> read_answer(const Profile& profile, std::string_view line);

enum class Complaint : uint8_t { kNone, kUnsupported, kSelfCheck, kMemout, kTimeout, kCrash };

// The gravest thing that a text says, by the profile's marks, in the order of the enumeration.
struct Classified {
  Complaint complaint = Complaint::kNone;
  std::string message;
  std::string_view answer;  // that a self-check implies; empty when none
};
Classified classify(const Profile& profile, std::string_view text);

// The text with nothing between quotes, where messages name what the script calls so.
std::string without_quoted_names(std::string_view text);

// What a solver says on standard error that it has passed over, though it answers: the profile's
// texts for what is not supported. z3 passes over commands that it does not know with "unsupported"
// on standard output and a line such as "; bar line: 1 position: 5" on standard error. The first
// such line; empty when there is none, and for what does no harm: logics, options and infos.
std::string_view find_skipped(const Profile& profile, std::string_view err);

// The first line with something on it, without "(error ..." around it.
std::string first_line(std::string_view text);
// The same of the first line that is not harmless.
std::string first_telling_line(const Profile& profile, std::string_view text);

// "SIGSEGV" for 11.
std::string signal_name(int signal);

}  // namespace elenchus::solver
