// Line, function and branch counts of a program built with --coverage, by the compiler's own
// `gcov`.
//
// Such a program has one .gcda file of counts for each object, beside the object, unless
// GCOV_PREFIX puts another folder before the path. `gcov` wants the object's .gcno beside it, so we
// put a link there. Its output is one JSON document for each object. A header is part of many
// objects: a line is reached when it is in one of them; branches are compared one by one.
#include "coverage/gcov.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "proc/process.h"

namespace elenchus::coverage {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double kSecondsPerObject = 60;
constexpr uint64_t kMostOutput = uint64_t{256} << 20;

base::Error failure(std::string message) { return {base::ErrorKind::kIo, std::move(message), {}}; }

// What is known of one source file.
struct Source {
  struct Line {
    bool reached = false;
    std::vector<bool> branches;  // whether each was taken
  };
  std::map<uint64_t, Line> lines;
  std::map<std::string, bool> functions;
};
using Sources = std::map<std::string, Source>;

// A member of the kind that is wanted; what gcov does not say counts as nothing.
uint64_t count_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& list_of(const Json& object, const char* name) {
  static const Json kNone = Json::array();
  if (!object.is_object()) return kNone;
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : kNone;
}

void add_line(const Json& line, Source& source) {
  if (!line.is_object()) return;
  Source::Line& known = source.lines[count_of(line, "line_number")];
  known.reached = known.reached || count_of(line, "count") > 0;
  const Json& branches = list_of(line, "branches");
  if (known.branches.size() < branches.size()) known.branches.resize(branches.size());
  for (size_t i = 0; i < branches.size(); ++i) {
    if (branches[i].is_object() && count_of(branches[i], "count") > 0) known.branches[i] = true;
  }
}

void add_object(const Json& document, Sources& sources) {
  for (const Json& file : list_of(document, "files")) {
    if (!file.is_object()) continue;
    const std::string path = text_of(file, "file");
    if (path.empty() || path.starts_with("/usr/")) continue;
    Source& source = sources[path];
    for (const Json& line : list_of(file, "lines")) add_line(line, source);
    for (const Json& function : list_of(file, "functions")) {
      if (!function.is_object()) continue;
      bool& reached = source.functions[text_of(function, "name")];
      reached = reached || count_of(function, "execution_count") > 0;
    }
  }
}

void note(Reached& counts, bool reached) {
  ++counts.all;
  if (reached) ++counts.reached;
}

void add(Reached& sum, const Reached& part) {
  sum.all += part.all;
  sum.reached += part.reached;
}

GcovReport summed(const Sources& sources) {
  GcovReport report;
  for (const auto& [path, source] : sources) {
    GcovFile& file = report.files.emplace_back();
    file.path = path;
    for (const auto& [number, line] : source.lines) {
      note(file.lines, line.reached);
      for (const bool taken : line.branches) note(file.branches, taken);
    }
    for (const auto& [name, reached] : source.functions) note(file.functions, reached);
    add(report.lines, file.lines);
    add(report.functions, file.functions);
    add(report.branches, file.branches);
  }
  return report;
}

base::Result<std::vector<fs::path>> counts_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".gcda") found.push_back(at->path());
  }
  if (error) return failure(fmt::format("cannot read '{}': {}", folder.string(), error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

// Puts a link to the object's .gcno beside its counts.
base::Result<void> link_notes(const fs::path& folder, const fs::path& counts) {
  fs::path notes = "/" / counts.lexically_relative(folder);
  notes.replace_extension(".gcno");
  fs::path link = counts;
  link.replace_extension(".gcno");
  std::error_code error;
  if (!fs::exists(notes, error)) {
    return failure(
        fmt::format("'{}' is not there: was the solver's build removed?", notes.string()));
  }
  if (fs::exists(link, error)) return {};
  fs::create_symlink(notes, link, error);
  if (error) return failure(fmt::format("cannot make '{}': {}", link.string(), error.message()));
  return {};
}

base::Result<void> read_object(const std::string& gcov, const fs::path& folder,
                               const fs::path& counts, Sources& sources) {
  if (auto linked = link_notes(folder, counts); !linked) return linked;
  ELENCHUS_ASSIGN_OR_RETURN(const proc::Capture said,
                            proc::capture({.command = {gcov, "--json-format", "--stdout",
                                                       "--branch-probabilities", counts.string()},
                                           .environment = {},
                                           .file = {}},
                                          kSecondsPerObject, kMostOutput));
  const Json document = Json::parse(said.out, nullptr, false);
  if (document.is_discarded() || !document.is_object()) {
    const std::string_view message = base::first_line(said.err);
    return failure(fmt::format("gcov cannot read '{}'{}{}", counts.string(),
                               message.empty() ? "" : ": ", message));
  }
  add_object(document, sources);
  return {};
}

}  // namespace

bool has_gcov(const fs::path& program) {
  constexpr std::string_view kSuffix{".gcda\0", 6};  // a path that the runtime writes to
  std::ifstream file(program, std::ios::binary);
  std::string block(size_t{1} << 20, '\0');
  size_t kept = 0;
  while (file) {
    file.read(block.data() + kept, static_cast<std::streamsize>(block.size() - kept));
    const size_t size = kept + static_cast<size_t>(file.gcount());
    const std::string_view text = std::string_view(block).substr(0, size);
    if (kept == 0 && !text.starts_with("\177ELF")) return false;
    if (text.find(kSuffix) != std::string_view::npos) return true;
    kept = std::min(size, kSuffix.size());
    std::copy(text.end() - static_cast<std::ptrdiff_t>(kept), text.end(), block.begin());
  }
  return false;
}

std::vector<std::string> gcov_environment(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder, error);
  return {"GCOV_PREFIX=" + (error ? folder : whole).string(), "GCOV_PREFIX_STRIP=0"};
}

base::Result<GcovReport> read_gcov(const fs::path& folder,
                                   const std::function<bool(size_t, size_t)>& watch) {
  const std::string gcov = proc::find_program("gcov");
  if (gcov.empty()) return failure("no program 'gcov'; install the compiler that built the solver");
  ELENCHUS_ASSIGN_OR_RETURN(const std::vector<fs::path> objects, counts_below(folder));
  Sources sources;
  std::vector<std::string> problems;
  for (size_t i = 0; i < objects.size(); ++i) {
    if (watch && !watch(i, objects.size())) return failure("interrupted");
    const auto read = read_object(gcov, folder, objects[i], sources);
    if (!read) problems.push_back(read.error().message);
  }
  if (!objects.empty() && problems.size() == objects.size()) return failure(problems.front());
  GcovReport report = summed(sources);
  report.problems = std::move(problems);
  return report;
}

}  // namespace elenchus::coverage
