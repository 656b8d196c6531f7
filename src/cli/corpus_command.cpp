// `elenchus corpus DIR...`: the pool of a campaign, or of several: listed, written out as seeds for
// another campaign, or brought down to the fewest scripts that reach the same.

#include "cli/corpus_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/text.h"
#include "campaign/pool.h"
#include "cli/campaign_places.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/say.h"
#include "cli/word_checks.h"
#include "store/campaign_folder.h"
#include "store/campaign_view.h"

namespace elenchus::cli {
namespace {

using campaign::Pooled;
using Json = nlohmann::ordered_json;

struct CorpusOptions {
  std::vector<std::string> folders;
  std::string out;
  bool json = false;
  bool dry = false;
  bool quiet = false;
};

// What each folder is called, with a number where one before it is called so.
std::vector<std::string> names_of(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  const auto is_taken = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& folder : folders) {
    std::error_code ignored;
    const auto whole = std::filesystem::weakly_canonical(folder, ignored);
    const std::string last = whole.filename().string();
    std::string name = last;
    for (int number = 2; is_taken(name); ++number) name = fmt::format("{}-{}", last, number);
    names.push_back(std::move(name));
  }
  return names;
}

// Of scripts that are in several pools, the first.
base::Result<std::vector<Pooled>> read_pools(const std::vector<std::string>& folders) {
  std::vector<Pooled> all;
  std::set<std::string> scripts;
  const std::vector<std::string> names = names_of(folders);
  for (size_t i = 0; i < folders.size(); ++i) {
    // Says what is wrong with a folder that is no campaign's.
    if (const auto view = store::CampaignView::open(folders[i]); !view) return view.error();
    ELENCHUS_ASSIGN_OR_RETURN(auto pool,
                              campaign::read_pool(store::CampaignFolder(folders[i]).pool()));
    for (Pooled& entry : pool) {
      if (!scripts.insert(entry.script).second) continue;
      if (folders.size() > 1) entry.id = fmt::format("{}-{}", names[i], entry.id);
      all.push_back(std::move(entry));
    }
  }
  return all;
}

Json to_json(const Pooled& entry) {
  return {{"id", entry.id},
          {"seed", entry.seed},
          {"engine", entry.engine},
          {"generation", entry.generation},
          {"because", entry.because},
          {"keys", entry.keys.size()},
          {"bytes", entry.script.size()}};
}

void list(const std::vector<Pooled>& entries, const CorpusOptions& options) {
  if (options.json) {
    Json rows = Json::array();
    for (const Pooled& entry : entries) rows.push_back(to_json(entry));
    return put("{}\n", rows.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  if (entries.empty()) return put("The pool is empty: no mutant reached anything new.\n");
  put("{:<10}{:>8}  {:<24}{:<36}{}\n", "id", "bytes", "engine", "because", "seed");
  for (const Pooled& entry : entries) {
    put("{:<10}{:>8}  {:<24}{:<36}{}\n", entry.id, entry.script.size(),
        base::shown(entry.engine, 23), base::shown(entry.because, 35), base::shown(entry.seed, 60));
  }
}

// Writes the scripts into a folder, unless it is only asked what would be written.
base::Result<void> write_scripts(const std::vector<Pooled>& entries, const CorpusOptions& options) {
  std::error_code error;
  if (!options.dry) std::filesystem::create_directories(options.out, error);
  if (error) {
    return base::Error{
        base::ErrorKind::kIo, fmt::format("{}: {}", options.out, error.message()), {}};
  }
  for (const Pooled& entry : entries) {
    const auto path = std::filesystem::path(options.out) / (entry.id + ".smt2");
    if (options.dry) {
      put("{}\n", path.string());
      continue;
    }
    if (auto written = write_output(path.string(), entry.script); !written) return written;
  }
  if (!options.quiet && !options.dry) {
    tell("wrote {} to {}\n", base::counted(entries.size(), "script"), options.out);
  }
  return {};
}

int run_corpus(const CorpusOptions& options, bool only_needed, bool is_listed) {
  const auto places = CampaignPlaces::find(options.folders);
  if (!places) return fail(places.error(), {});
  auto entries = read_pools(places->folders());
  if (!entries) return fail(entries.error(), {});
  if (only_needed) {
    std::vector<Pooled> few;
    for (const size_t place : campaign::smallest_set(*entries)) few.push_back((*entries)[place]);
    if (!options.quiet)
      tell("{} of {} reach the same\n", few.size(), base::counted(entries->size(), "script"));
    *entries = std::move(few);
  }
  if (is_listed) {
    list(*entries, options);
    return kNothingWrong;
  }
  if (const auto written = write_scripts(*entries, options); !written) {
    return fail(written.error(), {});
  }
  return kNothingWrong;
}

}  // namespace

void add_corpus_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CorpusOptions>();
  CLI::App* corpus =
      app.add_subcommand("corpus", "List or export the scripts that reached something new");
  refuse_misspelt_commands(
      *corpus,
      corpus->add_option("DIR", options->folders, "folders of campaigns, or URLs of shared ones")
          ->required());
  CLI::App* listing = corpus->add_subcommand("list", "list them (the default)");
  CLI::App* exporting = corpus->add_subcommand("export", "write them into a folder, as seeds");
  CLI::App* minimising = corpus->add_subcommand(
      "minimise", "list the fewest that reach the same, or write them with --out");
  corpus->require_subcommand(0, 1);
  for (CLI::App* command : {corpus, listing, minimising}) {
    command->add_flag("--json", options->json, "one JSON list");
  }
  for (CLI::App* command : {exporting, minimising}) {
    auto* out = command->add_option("-o,--out", options->out, "the folder that they go to");
    out->type_name("DIR");
    if (command == exporting) out->required();
    command->add_flag("--dry-run", options->dry, "only name the files");
    command->add_flag("-q,--quiet", options->quiet, "print nothing");
  }
  listing->footer("Example:\n  elenchus corpus night list --json");
  exporting->footer("Example:\n  elenchus corpus monday tuesday export -o seeds");
  minimising->footer("Example:\n  elenchus corpus night minimise -o seeds");
  corpus->footer(
      "A script joins the pool when it makes a solver show behaviour that no test had shown "
      "before, "
      "or\n"
      "when the solvers' answers form a combination that is new among the mutants of its seed.\n"
      "It is reduced to what keeps that behaviour. `elenchus fuzz DIR/pool` uses them as "
      "seeds.\n\n"
      "Examples:\n"
      "  elenchus corpus night\n"
      "  elenchus corpus night minimise -o seeds\n"
      "  elenchus corpus monday tuesday export -o seeds");
  corpus->callback([=, &exit_code] {
    const bool is_minimised = minimising->parsed();
    const bool is_listed = !exporting->parsed() && options->out.empty();
    exit_code = run_corpus(*options, is_minimised, is_listed);
  });
}

}  // namespace elenchus::cli
