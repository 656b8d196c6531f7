#include "cli/solvers_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/options_listing.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "knobs/catalogue.h"
#include "solver/profile.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SolversOptions {
  std::vector<std::string> specs;
  bool json = false;
  bool all = false;
  bool options = false;
  bool quiet = false;
  uint32_t jobs = 1;
  uint64_t rng = 0;
  std::string profiles;
  std::string out = "-";
};

// One line of the table: a profile, and the solver where there is one.
struct Row {
  std::shared_ptr<const solver::Profile> profile;
  solver::Solver found;
  size_t options = 0;                  // that it lists itself,
  size_t usable = 0;                   // and how many of them tests may use
  std::vector<std::string> gaps = {};  // what it should have told of them

  bool is_found() const { return !found.program.empty(); }
};

std::vector<std::string> capabilities(const solver::Profile& profile) {
  std::vector<std::string> words = {"answers"};
  if (profile.has_models) words.emplace_back("models");
  if (profile.has_cores) words.emplace_back("cores");
  if (profile.is_incremental) words.emplace_back("incremental");
  if (profile.has_sessions) words.emplace_back("sessions");
  return words;
}

Json to_json(const Row& row) {
  const solver::Profile& profile = *row.profile;
  Json variants = Json::array();
  for (const solver::Variant& variant : profile.variants) {
    variants.push_back({{"name", variant.name},
                        {"options", variant.options},
                        {"about", variant.about},
                        {"default", variant.is_default}});
  }
  const bool found = row.is_found();
  return {{"name", found ? row.found.name : profile.name},
          {"profile", profile.name},
          {"found", found},
          {"program", found ? Json(row.found.program) : Json(nullptr)},
          {"version", row.found.version.empty() ? Json(nullptr) : Json(row.found.version)},
          {"tried", profile.tried},
          {"refused_options", row.found.refused},
          {"options", row.found.options},
          {"base_options", profile.base_options},
          {"strings_options", profile.strings_options},
          {"capabilities", capabilities(profile)},
          {"logics", profile.logics},
          {"missing", profile.theories_missing},
          {"variants", variants},
          {"option_count", row.options},
          {"usable_option_count", row.usable},
          {"about", profile.about}};
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string to_text(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"NAME", "VERSION", "TRIED", "PROGRAM", "CAN", "CANNOT", "VARIANTS", "OPTIONS"}};
  for (const Row& row : rows) {
    const solver::Profile& profile = *row.profile;
    std::string cannot = join(profile.theories_missing);
    if (!profile.logics.empty()) cannot = "other than " + join(profile.logics);
    cells.push_back(
        {row.is_found() ? row.found.name : profile.name,
         row.found.version.empty() ? "-" : row.found.version,
         profile.tried.empty() ? "no" : fmt::format("{}", fmt::join(profile.tried, ",")),
         row.is_found() ? row.found.program : "not found", join(capabilities(profile)),
         cannot.empty() ? "-" : cannot, std::to_string(profile.variants.size()),
         row.options == 0 ? "-" : fmt::format("{} of {}", row.usable, row.options)});
  }
  std::vector<size_t> widths(cells[0].size());
  for (const auto& line : cells) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : cells) {
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      text += fmt::format("{:<{}}  ", line[i], widths[i]);
    }
    text += line.back() + '\n';
  }
  return text;
}

// What a named solver's variants are, which the table has no room for.
std::string variants_text(const Row& row) {
  std::string text = fmt::format("\n{}: {}\n", row.found.name, row.profile->about);
  text += fmt::format("  {:<22}{}\n", "command",
                      join(solver::command_line(row.found, row.profile->has_sessions, {})));
  for (const solver::Variant& variant : row.profile->variants) {
    text += fmt::format("  {:<22}{} ({}{})\n", variant.name, variant.about, join(variant.options),
                        variant.is_default ? "; counts as default" : "");
  }
  return text;
}

Row row_of(solver::Solver found) {
  warn_of_refused({&found, 1});
  const knobs::Catalogue catalogue = knobs::catalogue_of(found);
  return {found.profile, std::move(found), catalogue.knobs.size(), catalogue.usable(),
          catalogue.gaps};
}

base::Result<std::vector<Row>> find_rows(const SolversOptions& options,
                                         const solver::Profiles& profiles) {
  std::vector<Row> rows;
  for (const std::string& spec : options.specs) {
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver found, solver::find_solver(profiles, spec));
    rows.push_back(row_of(std::move(found)));
  }
  if (!options.specs.empty()) return rows;
  for (solver::Solver& found : solver::find_all_solvers(profiles)) {
    rows.push_back(row_of(std::move(found)));
  }
  if (!options.all) return rows;
  for (const auto& profile : profiles.all()) {
    if (profile->programs.empty()) continue;
    const auto is_same = [&](const Row& row) { return row.profile->name == profile->name; };
    if (std::none_of(rows.begin(), rows.end(), is_same)) rows.push_back({profile, {}, 0, 0, {}});
  }
  return rows;
}

int fail_solvers(const base::Error& error) {
  tell("elenchus: error: {}\n", error.message);
  return kBadInput;
}

int show_options(const SolversOptions& options, const std::vector<Row>& rows) {
  std::vector<solver::Solver> solvers;
  for (const Row& row : rows) {
    if (row.is_found()) solvers.push_back(row.found);
  }
  const auto written =
      write_output(options.out, options.json ? options_as_json(solvers) : options_as_text(solvers));
  return written ? kNothingWrong : fail_solvers(written.error());
}

int run_solvers(const SolversOptions& options) {
  const auto profiles = profiles_with(options.profiles);
  if (!profiles) return fail_solvers(profiles.error());
  const auto rows = find_rows(options, *profiles);
  if (!rows) return fail_solvers(rows.error());
  for (const Row& row : *rows) {
    for (const std::string& gap : row.gaps) {
      if (!options.quiet) tell("elenchus solvers: warning: {}\n", gap);
    }
  }
  if (options.options) return show_options(options, *rows);
  std::string text;
  if (options.json) {
    Json list = Json::array();
    for (const Row& row : *rows) list.push_back(to_json(row));
    text = list.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  } else if (!rows->empty()) {
    text = to_text(*rows);
    if (!options.specs.empty()) {
      for (const Row& row : *rows) text += variants_text(row);
    }
  }
  if (rows->empty() && !options.quiet) {
    tell(
        "elenchus: no known solver is on PATH; `elenchus solvers --all` says which are "
        "known\n");
  }
  const auto written = write_output(options.out, text);
  return written ? kNothingWrong : fail_solvers(written.error());
}

}  // namespace

void add_solvers_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<SolversOptions>();
  CLI::App* solvers =
      app.add_subcommand("solvers", "List the solvers on this machine, with versions and options");
  solvers
      ->add_option("SPEC,--solver", options->specs,
                   "only these: a profile, a profile with options, or a command line")
      ->type_name("SPEC");
  solvers->add_flag("--all", options->all, "also known solvers that are not installed");
  solvers->add_flag("--options", options->options,
                    "the options that each solver lists itself, and which of them tests may use");
  solvers->add_flag("--json", options->json, "one JSON list, with options and variants");
  add_profiles(*solvers, options->profiles);
  solvers->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  solvers->add_option("-j,--jobs", options->jobs, "accepted everywhere; solvers has no use for it")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->group(kHidden);
  add_rng(*solvers, options->rng, "accepted everywhere; solvers draws nothing at random")
      ->group(kHidden);
  solvers->add_flag("-q,--quiet", options->quiet, "no message when there are none");
  solvers->footer(
      "Examples:\n"
      "  elenchus solvers\n"
      "  elenchus solvers z3 'z3 new-core' '/opt/cvc5/bin/cvc5 --mbqi'\n"
      "  elenchus solvers --all --json\n"
      "  elenchus solvers --options --solver z3");
  solvers->callback([options, &exit_code] { exit_code = run_solvers(*options); });
}

}  // namespace elenchus::cli
