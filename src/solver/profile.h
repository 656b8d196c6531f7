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
#include "ir/op.h"
#include "ir/readers.h"
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
  bool tells = false;               // even so, that a bug is gone without them says something
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
  // Names of options that it refuses together with models, or with push, pop and further checks.
  std::vector<std::string> without_models;
  std::vector<std::string> without_incremental;
  std::vector<KnobRule> ignored;
  std::vector<KnobRule> ranges;
};

// What a solver reads, in the words of the operator table (src/ir/ops.def).
struct OperatorSection {
  struct DialectName {
    ir::Dialect dialect;
    ir::Version version = 0;  // 0: the solver's own, where the dialect bears its name
  };
  struct Since {
    ir::Version version;
    std::vector<std::string> operators;
  };
  std::vector<DialectName> reads;
  ir::Reader reader;         // theories, habits, limits and operators, without dialects
  std::vector<Since> since;  // operators beyond its dialects, from a version on
};

// How a solver itself refuses what its maintainers want no reports about.
struct OwnRules {
  std::vector<std::string> options;  // that make it refuse such things; empty: there are none
  std::vector<std::string> without;  // base options that these do not go with
};

// How it gives formulas in place of an answer.
struct FormulaRequests {
  std::vector<std::string> tactics;  // of (apply T), that keep a goal equivalent
};

// How to speak to a solver, and what it means by what it says. Read from data/solvers/*.toml, whose
// first lines explain each field.
struct Profile {
  std::string name;
  uint32_t rank = 500;                // profiles are in this order
  std::string about;                  // its home page
  std::vector<std::string> tried;     // the versions that it was tried with
  std::vector<std::string> programs;  // names to look for on PATH

  std::vector<std::string> version_options;
  std::vector<std::string> version_marks;  // any of them in the output: it is this solver
  std::string version_after;  // the version is the first word after this that has a digit

  std::vector<std::string> base_options;
  std::vector<std::string> session_options;
  std::vector<std::string> fresh_options;
  std::vector<std::string> incremental_options;  // of fresh runs with more than one check
  std::vector<std::string> strings_options;      // of scripts with strings or sequences
  std::string option_form;                       // "{name}={value}", "--{name}={value}"
  // Experimental by the solver's own words: what shows only with them weighs less.
  std::vector<std::string> disclaimed_options;

  bool is_generic = false;     // for a solver that no profile knows
  bool input_is_file = false;  // it reads a file and not its standard input
  bool is_interactive = true;  // it answers as it reads, and has echo
  bool has_sessions = true;    // (reset) brings it back to its start
  bool reset_keeps_options = false;
  bool options_by_command = false;  // set-option after (reset) does all that its options do
  bool reset_keeps_names = false;   // those given with :named
  bool has_set_option = true;
  bool has_declare_const = true;
  double start_seconds = 0;               // for its process to read; 0: the time of a check
  uint32_t session_queries = 2000;        // then its process is replaced
  uint64_t session_bytes = 512ULL << 20;  // resident; above it, too

  bool has_models = true;
  bool has_cores = true;
  bool has_statistics = false;  // (get-info :all-statistics)
  bool has_objectives = false;  // maximize, minimize, assert-soft, get-objectives
  bool is_incremental = true;   // push and pop, several checks
  // Commands about one term, which stands in the place of {}: what it is rewritten to, and what its
  // value is in the model of the last sat. Empty: there are none.
  std::string simplify_command;
  std::vector<std::string> value_commands;
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
  OwnRules rules;
  FormulaRequests formulas;
  KnobSource knobs;
  OperatorSection operators;

  std::string source;  // the text that it was read from, and the name of that file
  std::string file;

  const Variant* find_variant(std::string_view variant) const;
  // As the solver wants it: {"sat.euf", "true"} is sat.euf=true or --sat.euf=true.
  std::string write_option(std::string_view option, std::string_view value) const;
};

// The profiles in data/solvers, part of the program.
std::span<const base::EmbeddedFile> embedded_profiles();

// What a solver says of itself when it is asked for its version.
struct Identity {
  std::string version;  // "4.8.12"; empty when it does not say
  std::string output;   // all that it said
};

// `file` is named in errors. Without what is for some versions only, which is looked at all the
// same.
base::Result<Profile> parse_profile(std::string_view text, const std::string& file);

// The profile with what it says of this version; itself when that is nothing.
std::shared_ptr<const Profile> profile_for(const std::shared_ptr<const Profile>& profile,
                                           const Identity& identity);

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
