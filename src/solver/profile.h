#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded.h"
#include "base/result.h"
#include "solver/outcome.h"

namespace elenchus::solver {

// A text in a solver's output that means something.
struct TextMark {
  std::string text;
  uint32_t lines = 1;       // how many lines tell what happened, that of the text first
  std::string answer = {};  // of a self-check: "sat" or "unsat", which it replaces or confirms
};

// A set of options with a name, such as z3's new core.
struct Variant {
  std::string name;
  std::vector<std::string> options;
  std::string about;
  bool is_default = false;  // maintainers ask to have it tested: counts as default options
};

// What a profile says of options that the solver lists itself. Patterns are names, with *
// for any text, or @ and a module's name.
struct KnobRule {
  std::vector<std::string> match;
  std::string reason;               // why they are left alone; empty: they are not
  std::vector<std::string> values;  // the only ones to use
  double low = 0;                   // of numbers
  double high = 0;                  // low and high both 0: no range is given
};

// How to read the list of its options off a solver.
struct KnobSource {
  std::string reader;                // "z3", "cvc", "boolector"; empty: there is none
  std::vector<std::string> list;     // what makes it print the list
  bool flags = false;                // Booleans are --name and --no-name
  std::vector<std::string> regular;  // not for experts; empty: the list itself has marks
  std::vector<KnobRule> ignored;
  std::vector<KnobRule> ranges;
};

// How to speak to a solver, and what it means by what it says. Read from data/solvers/*.toml, whose
// first lines explain each field.
struct Profile {
  std::string name;
  uint32_t rank = 500;                // profiles are in this order
  std::string about;                  // its home page
  std::vector<std::string> programs;  // names to look for on PATH

  std::vector<std::string> version_options;
  std::vector<std::string> version_marks;  // any of them in the output: it is this solver
  std::string version_after;  // the version is the first word after this that has a digit

  std::vector<std::string> base_options;
  std::vector<std::string> session_options;
  std::vector<std::string> fresh_options;
  std::vector<std::string> incremental_options;  // of fresh runs with more than one check
  std::string option_form;                       // "{name}={value}", "--{name}={value}"

  bool is_generic = false;     // for a solver that no profile knows
  bool input_is_file = false;  // it reads a file and not its standard input
  bool is_interactive = true;  // it answers as it reads, and has echo
  bool has_sessions = true;    // (reset) brings it back to its start
  bool reset_keeps_options = false;
  bool options_by_command = false;  // set-option after (reset) does all that its options do
  bool reset_keeps_names = false;   // those given with :named
  bool has_set_option = true;
  bool has_declare_const = true;
  uint32_t session_queries = 2000;        // then its process is replaced
  uint64_t session_bytes = 512ULL << 20;  // resident; above it, too

  bool has_models = true;
  bool has_cores = true;
  bool has_statistics = false;      // (get-info :all-statistics)
  bool is_incremental = true;       // push and pop, several checks
  std::vector<std::string> logics;  // the only ones that it takes; empty: any
  std::vector<std::string> theories_missing;

  std::vector<TextMark> unsupported;  // it does not know something, even if it crashes over it
  std::vector<TextMark> self_checks;
  std::vector<TextMark> memouts;
  std::vector<TextMark> timeouts;
  std::vector<TextMark> crashes;
  std::vector<std::string> harmless;  // starts of lines that mean nothing
  std::vector<std::string> unknowns;  // starts of answers that are neither sat nor unsat

  std::vector<Variant> variants;
  KnobSource knobs;

  const Variant* find_variant(std::string_view variant) const;
  // As the solver wants it: {"sat.euf", "true"} is sat.euf=true or --sat.euf=true.
  std::string write_option(std::string_view option, std::string_view value) const;
};

// The profiles in data/solvers, part of the program.
std::span<const base::EmbeddedFile> embedded_profiles();

// `file` is named in errors.
base::Result<Profile> parse_profile(std::string_view text, const std::string& file);

// All known profiles, the embedded ones and those of a user, in the order of their ranks. The
// generic one is the last.
class Profiles {
 public:
  static const Profiles& standard();

  // Adds every *.toml of a folder; a profile with a known name takes its place.
  base::Result<void> load(const std::filesystem::path& folder);
  void add(Profile profile);

  std::span<const std::shared_ptr<const Profile>> all() const { return all_; }
  // Null when there is none.
  std::shared_ptr<const Profile> find(std::string_view name) const;
  // For a solver that no profile knows.
  std::shared_ptr<const Profile> generic() const { return find("generic"); }

 private:
  std::vector<std::shared_ptr<const Profile>> all_;
};

}  // namespace elenchus::solver
