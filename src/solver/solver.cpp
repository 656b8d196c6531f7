#include "solver/solver.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "base/suggest.h"
#include "base/text.h"

namespace elenchus::solver {
namespace {

constexpr double kVersionSeconds = 10;
constexpr double kTrialSeconds = 10;

bool is_word_end(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ')'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The first word after the profile's text that has a digit in it; "v2.9" is 2.9.
std::string read_version(const Profile& profile, std::string_view output) {
  const size_t found = output.find(profile.version_after);
  if (found == std::string_view::npos) return {};
  output.remove_prefix(found + profile.version_after.size());
  while (!output.empty()) {
    const auto begin = std::find_if_not(output.begin(), output.end(), is_word_end);
    const auto end = std::find_if(begin, output.end(), is_word_end);
    const std::string_view word(output.data() + (begin - output.begin()),
                                static_cast<size_t>(end - begin));
    if (word.find_first_of("0123456789") != std::string_view::npos) {
      const size_t last = word.find_last_not_of(",;.");
      const size_t first = word.size() > 1 && word[0] == 'v' && is_digit(word[1]) ? 1 : 0;
      return std::string(word.substr(first, last + 1 - first));
    }
    output.remove_prefix(static_cast<size_t>(end - output.begin()));
  }
  return {};
}

bool has_mark(const Profile& profile, std::string_view output) {
  return std::any_of(
      profile.version_marks.begin(), profile.version_marks.end(),
      [&](const std::string& mark) { return output.find(mark) != std::string_view::npos; });
}

// Asks a program for its version, once for each way to ask.
class VersionOutput {
 public:
  explicit VersionOutput(std::string program) : program_(std::move(program)) {}

  const std::string& with(const std::vector<std::string>& options) {
    const auto known = outputs_.find(options);
    if (known != outputs_.end()) return known->second;
    proc::Launch launch;
    launch.command = {program_};
    launch.command.insert(launch.command.end(), options.begin(), options.end());
    const auto run = proc::capture(launch, kVersionSeconds);
    std::string text;
    if (run) text = run->out + run->err;
    return outputs_.emplace(options, std::move(text)).first->second;
  }

 private:
  std::string program_;
  std::map<std::vector<std::string>, std::string> outputs_;
};

// Whether a word of the text begins so.
bool has_word_with(std::string_view text, std::string_view start) {
  for (size_t at = text.find(start); at != std::string_view::npos; at = text.find(start, at + 1)) {
    if (at > 0 && (is_word_end(text[at - 1]) || text[at - 1] == '(')) return true;
  }
  return false;
}

bool speaks_of_strings(std::string_view script) {
  constexpr std::string_view kStarts[] = {"String", "RegLan", "Seq ", "str.", "seq.", "re."};
  return std::any_of(std::begin(kStarts), std::end(kStarts),
                     [&](std::string_view start) { return has_word_with(script, start); });
}

bool is_program_of(const Profile& profile, const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  return std::any_of(profile.programs.begin(), profile.programs.end(),
                     [&](const std::string& known) { return name.starts_with(known); });
}

// The profile whose version command the program understands; those whose name it has come first.
std::shared_ptr<const Profile> recognise(const Profiles& profiles, VersionOutput& version,
                                         const std::string& program) {
  for (const bool named : {true, false}) {
    for (const auto& profile : profiles.all()) {
      if (is_program_of(*profile, program) != named || profile->version_options.empty()) continue;
      const std::string& output = version.with(profile->version_options);
      if (has_mark(*profile, output)) return profile;
      // Some print nothing but a number; then the program's name must do.
      if (named && profile->version_marks.empty() && !read_version(*profile, output).empty()) {
        return profile;
      }
    }
  }
  return profiles.generic();
}

// The generic profile under the program's own name, so that two solvers that nobody knows are told
// apart. A known solver's name is not for the taking.
std::shared_ptr<const Profile> named_after(const Profiles& profiles, const std::string& program) {
  std::string name = std::filesystem::path(program).filename().string();
  const auto is_odd = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.';
  };
  std::replace_if(name.begin(), name.end(), is_odd, '_');
  if (name.empty() || name[0] == '.' || profiles.find(name) != nullptr) return profiles.generic();
  Profile profile = *profiles.generic();
  profile.name = name;
  profile.is_generic = true;
  return std::make_shared<const Profile>(std::move(profile));
}

std::string find_program_of(const Profile& profile) {
  for (const std::string& name : profile.programs) {
    std::string path = proc::find_program(name);
    if (!path.empty()) return path;
  }
  return {};
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

base::Error not_found(const Profiles& profiles, const Profile* profile, const std::string& name) {
  std::string message;
  if (profile != nullptr) {
    message = name + " is not on PATH (looked for " + join(profile->programs) +
              "); install it or give the path of the program";
  } else {
    std::vector<std::string> names;
    for (const auto& known : profiles.all()) {
      if (!known->programs.empty()) names.push_back(known->name);
    }
    message = "no solver '" + name + "': give one of " + join(names) +
              ", or the path of a program that can be executed" + base::did_you_mean(name, names);
  }
  return {base::ErrorKind::kIo, std::move(message), {}};
}

// A program that ends by itself, content, before it has read a script answers nothing: `ls`, or a
// solver that was asked for its version; one that repeats it is `cat`. Whoever does not know `echo`
// is left in peace.
base::Result<void> check_that_it_reads(const Solver& solver) {
  constexpr std::string_view kWord = "ready";
  constexpr auto kPatience = std::chrono::seconds(1);
  if (solver.profile->input_is_file) return {};
  ELENCHUS_ASSIGN_OR_RETURN(
      proc::Process process,
      proc::Process::start(
          {.command = command_line(solver, true, {}), .environment = {}, .file = {}}));
  process.send("(echo \"" + std::string(kWord) + "\")\n");
  const proc::Stop stop =
      process.wait({.line = kWord, .deadline = proc::Clock::now() + kPatience, .output = 1 << 20});
  const proc::Exit exit = process.kill();
  const auto refuse = [&](const std::string& what) {
    return base::Error{
        base::ErrorKind::kUnsupported,
        "'" + solver.name + "' " + what + ": is it a solver, and are its options right?",
        {}};
  };
  if (process.out().starts_with("(echo ")) return refuse("repeats what it reads");
  if (stop != proc::Stop::kEnded || exit.killed || exit.code != 0) return {};
  return refuse("ends before it has read a script");
}

// Options and the values that come as words of their own: {"--lang", "smt2"}.
using OptionGroups = std::vector<std::vector<std::string>>;
OptionGroups option_groups(const std::vector<std::string>& words) {
  OptionGroups groups;
  for (const std::string& word : words) {
    if (groups.empty() || word.starts_with('-')) groups.emplace_back();
    groups.back().push_back(word);
  }
  return groups;
}

// Options of a profile, and the kind of run that has them.
struct OptionUse {
  std::vector<std::string> Profile::*options;
  bool fresh;
  size_t checks;
};
constexpr OptionUse kOptionUses[] = {{&Profile::base_options, true, 1},
                                     {&Profile::session_options, false, 1},
                                     {&Profile::incremental_options, true, 2}};

Solver without_group(const Solver& solver, const OptionUse& use, const OptionGroups& groups,
                     size_t without) {
  Solver changed = solver;
  Profile profile = *solver.profile;
  auto& options = profile.*use.options;
  options.clear();
  for (size_t i = 0; i < groups.size(); ++i) {
    const auto& group = groups[i];
    auto& into = i == without ? changed.refused : options;
    // What sessions and fresh runs are both refused is said once.
    const bool is_said = i == without && std::search(into.begin(), into.end(), group.begin(),
                                                     group.end()) != into.end();
    if (!is_said) into.insert(into.end(), group.begin(), group.end());
  }
  changed.profile = std::make_shared<const Profile>(std::move(profile));
  return changed;
}

// Of a simple question.
Run trial(const Solver& solver, const OptionUse& use) {
  const auto& logics = solver.profile->logics;
  Query query;
  query.text = "(set-logic " + (logics.empty() ? "QF_UF" : logics.front()) + ")\n";
  for (size_t i = 0; i < use.checks; ++i) {
    query.text += "(check-sat)";
    query.check_ends.push_back(static_cast<uint32_t>(query.text.size()));
    query.text += '\n';
  }
  RunLimits limits;
  limits.seconds = kTrialSeconds;
  return Runner(solver, use.fresh).run(query, limits);
}

bool is_refusal(const Run& run) {
  return run.checks.empty() &&
         (run.outcome == Outcome::kRejected || run.outcome == Outcome::kCrash);
}

// The option whose absence helps, or else the first that the complaint names.
std::optional<size_t> find_refused(const Solver& solver, const OptionUse& use,
                                   const OptionGroups& groups, const Run& run) {
  const std::string said = run.out + run.err + run.message;
  std::optional<size_t> named;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (!is_refusal(trial(without_group(solver, use, groups, i), use))) return i;
    const std::string name = groups[i][0].substr(0, groups[i][0].find('='));
    if (!named && said.find(name) != std::string::npos) named = i;
  }
  return named;
}

// An option that this build does not have would make it reject every test: such are left out.
// What fails without any of them, too, is not their fault.
Solver with_options_that_it_takes(const Solver& solver, const OptionUse& use) {
  Solver candidate = solver;
  for (Run run = trial(candidate, use); is_refusal(run); run = trial(candidate, use)) {
    const OptionGroups groups = option_groups((*candidate.profile).*use.options);
    const auto refused = find_refused(candidate, use, groups, run);
    if (!refused) return solver;
    candidate = without_group(candidate, use, groups, *refused);
  }
  return candidate;
}

}  // namespace

base::Result<Solver> find_solver(const Profiles& profiles, std::string_view spec) {
  ELENCHUS_ASSIGN_OR_RETURN(std::vector<std::string> words, base::shell_words(spec));
  if (words.empty()) return base::Error{base::ErrorKind::kParse, "an empty solver name", {}};
  Solver solver;
  solver.profile = profiles.find(words[0]);
  if (solver.profile != nullptr) solver.program = find_program_of(*solver.profile);
  if (solver.program.empty()) solver.program = proc::find_program(words[0]);
  if (solver.program.empty()) return not_found(profiles, solver.profile.get(), words[0]);

  VersionOutput version(solver.program);
  if (solver.profile == nullptr) solver.profile = recognise(profiles, version, solver.program);
  ELENCHUS_CHECK(solver.profile != nullptr, "no generic profile");
  if (solver.profile == profiles.generic()) solver.profile = named_after(profiles, solver.program);
  if (!solver.profile->version_options.empty()) {
    const std::string& output = version.with(solver.profile->version_options);
    solver.version = read_version(*solver.profile, output);
    solver.profile = profile_for(solver.profile, {solver.version, output});
  }
  for (const OptionUse& use : kOptionUses) {
    const bool is_used = use.fresh || solver.profile->has_sessions;
    const bool has_any = !((*solver.profile).*use.options).empty();
    if (is_used && has_any) solver = with_options_that_it_takes(solver, use);
  }
  for (size_t i = 1; i < words.size(); ++i) {
    if (const Variant* variant = solver.profile->find_variant(words[i])) {
      solver.options.insert(solver.options.end(), variant->options.begin(), variant->options.end());
    } else {
      solver.options.push_back(words[i]);
    }
  }
  solver.spec = profiles.find(words[0]) != nullptr ? words[0] : base::shell_word(solver.program);
  solver.name = words[0];
  for (size_t i = 1; i < words.size(); ++i) {
    solver.name += ' ' + words[i];
    solver.spec += ' ' + base::shell_word(words[i]);
  }
  const bool is_plain = words.size() == 1 && profiles.find(words[0]) != nullptr;
  if (!is_plain) {
    if (auto reads = check_that_it_reads(solver); !reads) return reads.error();
  }
  return solver;
}

std::vector<Solver> find_all_solvers(const Profiles& profiles) {
  std::vector<Solver> solvers;
  for (const auto& profile : profiles.all()) {
    if (find_program_of(*profile).empty()) continue;
    auto solver = find_solver(profiles, profile->name);
    if (solver) solvers.push_back(std::move(*solver));
  }
  return solvers;
}

Needs needs_of(std::string_view script) {
  constexpr std::string_view kCheck = "(check-sat";
  const size_t first = script.find(kCheck);
  const bool is_checked_again =
      first != std::string_view::npos && script.find(kCheck, first + 1) != std::string_view::npos;
  return {.incremental = is_checked_again || script.find("\n(push ") != std::string_view::npos,
          .strings = speaks_of_strings(script)};
}

std::vector<std::string> command_line(const Solver& solver, bool session, const Needs& needs) {
  const Profile& profile = *solver.profile;
  std::vector<std::string> command = {solver.program};
  const auto add = [&](const std::vector<std::string>& options) {
    command.insert(command.end(), options.begin(), options.end());
  };
  add(profile.base_options);
  add(session ? profile.session_options : profile.fresh_options);
  if (!session && needs.incremental) add(profile.incremental_options);
  if (needs.strings) add(profile.strings_options);
  add(solver.options);
  if (profile.input_is_file) command.emplace_back(proc::kInputFile);
  return command;
}

bool has_switched_on(const Solver& solver, const std::vector<std::string>& names) {
  return std::any_of(solver.options.begin(), solver.options.end(), [&](std::string_view option) {
    option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
    const size_t equals = std::min(option.find('='), option.size());
    const std::string_view value = option.substr(std::min(equals + 1, option.size()));
    const bool is_off = value == "false" || value == "none" || value == "off";
    const std::string_view name = option.substr(0, equals);
    return !is_off && std::find(names.begin(), names.end(), name) != names.end();
  });
}

std::string name_in_signature(const Solver& solver) {
  std::string name = solver.profile->name;
  for (const std::string& option : solver.options) {
    // A file that an option names stands in some folder, too.
    const size_t path = option.starts_with('/') ? 0 : option.find("=/") + 1;
    const bool has_path = path < option.size() && option[path] == '/';
    name +=
        ' ' + (has_path ? option.substr(0, path) + option.substr(option.rfind('/') + 1) : option);
  }
  return name;
}

Solver with_options(const Solver& solver, const std::vector<std::string>& options) {
  Solver changed = solver;
  for (const std::string& option : options) {
    changed.options.push_back(option);
    changed.name += ' ' + option;
    changed.spec += ' ' + base::shell_word(option);
  }
  return changed;
}

std::optional<Solver> under_own_rules(const Solver& solver) {
  const OwnRules& rules = solver.profile->rules;
  if (rules.options.empty()) return std::nullopt;
  Profile profile = *solver.profile;
  for (const std::string& option : rules.without) std::erase(profile.base_options, option);
  profile.base_options.insert(profile.base_options.end(), rules.options.begin(),
                              rules.options.end());
  Solver strict = solver;
  strict.profile = std::make_shared<const Profile>(std::move(profile));
  return strict;
}

bool are_kin(const Solver& one, const Solver& other) {
  return one.profile->name == other.profile->name;
}

bool may_be(const Solver& solver, std::string_view name) {
  if (solver.profile->name == name) return true;
  return solver.profile->is_generic && Profiles::standard().find(name) == nullptr;
}

size_t counted_options(const Solver& solver) {
  const auto& variants = solver.profile->variants;
  const bool is_asked_for = std::any_of(
      variants.begin(), variants.end(),
      [&](const Variant& known) { return known.is_default && known.options == solver.options; });
  return is_asked_for ? 0 : solver.options.size();
}

}  // namespace elenchus::solver
