#include "campaign/code_reached.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "coverage/gcov.h"
#include "store/code_reached.h"
#include "store/files.h"

namespace elenchus::campaign {
namespace {

namespace fs = std::filesystem;

// In a solver's folder: whose counts these are.
constexpr const char* kSolverName = "solver.txt";

store::Reached stored(const coverage::Reached& counts) { return {counts.reached, counts.all}; }

store::CodeReached stored(const std::string& solver, const coverage::GcovReport& report) {
  store::CodeReached code;
  code.total = {solver, stored(report.lines), stored(report.functions), stored(report.branches)};
  for (const coverage::GcovFile& file : report.files) {
    code.files.push_back(
        {file.path, stored(file.lines), stored(file.functions), stored(file.branches)});
  }
  return code;
}

// Whether something below the folder was written after the file, or there is no such file.
bool has_newer(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  if (error) return true;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() != ".gcda") continue;
    std::error_code unread;
    const auto written = at->last_write_time(unread);
    if (!unread && written > time) return true;
  }
  return false;
}

}  // namespace

base::Result<std::vector<std::optional<fs::path>>> code_folders(
    const store::CampaignFolder& folder, const std::vector<solver::Solver>& solvers) {
  std::vector<std::optional<fs::path>> folders(solvers.size());
  for (size_t i = 0; i < solvers.size(); ++i) {
    if (!coverage::has_gcov(solvers[i].program)) continue;
    const fs::path own = folder.gcov() / fmt::format("{}-{}", i + 1, solvers[i].profile->name);
    if (auto made = store::make_folder(own); !made) return made.error();
    auto named =
        store::replace_file(own / kSolverName, solvers[i].name + "\n", store::Durability::kLater);
    if (!named) return named.error();
    folders[i] = own;
  }
  return folders;
}

base::Result<std::vector<std::string>> sum_up_code(
    const fs::path& campaign, const std::function<bool(size_t, size_t)>& watch) {
  const store::CampaignFolder folder(campaign);
  std::vector<std::string> problems;
  std::error_code error;
  if (!fs::is_directory(folder.gcov(), error)) return problems;
  if (!has_newer(folder.gcov(), folder.coverage())) return problems;
  ELENCHUS_ASSIGN_OR_RETURN(const auto names, store::list_folder(folder.gcov()));
  std::vector<store::CodeReached> solvers;
  for (const std::string& name : names) {
    const fs::path own = folder.gcov() / name;
    const auto title = store::read_file(own / kSolverName);
    if (!title) continue;  // nothing of ours
    ELENCHUS_ASSIGN_OR_RETURN(const auto report, coverage::read_gcov(own, watch));
    solvers.push_back(stored(std::string(base::first_line(*title)), report));
    problems.insert(problems.end(), report.problems.begin(), report.problems.end());
  }
  if (auto written = store::write_code_reached(folder, solvers); !written) return written.error();
  return problems;
}

}  // namespace elenchus::campaign
