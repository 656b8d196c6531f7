#include "solver/solver.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include "base/text.h"

namespace elenchus::solver {
namespace {

constexpr double kVersionSeconds = 10;

bool is_word_end(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ')'; }

// The first word after the profile's text that has a digit in it.
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
      return std::string(word.substr(0, last + 1));
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
              ", or the path of a program that can be executed";
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
          {.command = command_line(solver, true, false), .environment = {}, .file = {}}));
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
    solver.version = read_version(*solver.profile, version.with(solver.profile->version_options));
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

std::vector<std::string> command_line(const Solver& solver, bool session, bool incremental) {
  const Profile& profile = *solver.profile;
  std::vector<std::string> command = {solver.program};
  const auto add = [&](const std::vector<std::string>& options) {
    command.insert(command.end(), options.begin(), options.end());
  };
  add(profile.base_options);
  add(session ? profile.session_options : profile.fresh_options);
  if (!session && incremental) add(profile.incremental_options);
  add(solver.options);
  if (profile.input_is_file) command.emplace_back(proc::kInputFile);
  return command;
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
