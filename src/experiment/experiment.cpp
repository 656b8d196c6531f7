#include "experiment/experiment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "base/check.h"
#include "base/plural.h"
#include "base/rng.h"
#include "base/text.h"
#include "campaign/code_reached.h"
#include "config/toml_reader.h"
#include "store/campaign_folder.h"
#include "store/campaign_view.h"
#include "store/code_reached.h"
#include "store/files.h"

namespace elenchus::experiment {
namespace {

base::Error wrong(std::string message, base::Location where = {}) {
  return {base::ErrorKind::kParse, std::move(message), where};
}

// What an arm says goes before what [campaign] says.
base::Result<Arm> parse_arm(const toml::table* common, const toml::node& node) {
  const toml::table* own = node.as_table();
  if (own == nullptr) return wrong("[[arm]] must be a table", config::place_of(node));
  Arm arm;
  arm.name = own->get_as<std::string>("name") != nullptr ? **own->get_as<std::string>("name") : "";
  if (!store::is_plain_name(arm.name)) {
    return wrong("every [[arm]] needs a name of letters, digits and '._-+'",
                 config::place_of(node));
  }
  toml::table merged = common != nullptr ? *common : toml::table();
  for (const auto& [key, value] : *own) {
    if (key.str() != "name") merged.insert_or_assign(key, value);
  }
  for (const char* key : {"time", "tests", "bugs", "rng"}) {
    if (merged.contains(key)) {
      return wrong(fmt::format("'{}' is the experiment's to say, not an arm's", key),
                   config::place_of(node));
    }
  }
  std::ostringstream text;
  text << merged;
  const auto settings = campaign::parse_settings(text.str());
  if (!settings) {
    return wrong(fmt::format("arm '{}': {}", arm.name, settings.error().message),
                 config::place_of(node));
  }
  arm.settings = *settings;
  return arm;
}

base::Result<void> parse_arms(const toml::table& table, ExperimentPlan& plan) {
  const toml::array* arms = table.get_as<toml::array>("arm");
  if (arms == nullptr || arms->empty()) return wrong("there is no [[arm]]");
  for (const toml::node& node : *arms) {
    auto arm = parse_arm(table.get_as<toml::table>("campaign"), node);
    if (!arm) return arm.error();
    const auto is_same = [&](const Arm& other) { return other.name == arm->name; };
    if (std::any_of(plan.arms.begin(), plan.arms.end(), is_same)) {
      return wrong(fmt::format("two arms are called '{}'", arm->name), config::place_of(node));
    }
    plan.arms.push_back(std::move(*arm));
  }
  return {};
}

// Multiplies the budget; a run has one test at least.
base::Result<void> apply_scale(ExperimentPlan& plan) {
  constexpr double kMostScale = 1e6;
  constexpr double kMostTests = 1e15;
  if (!(plan.scale > 0 && plan.scale <= kMostScale)) {
    return wrong(fmt::format("scale must be a number above 0, at most {}", kMostScale));
  }
  plan.cpu_seconds *= plan.scale;
  if (plan.tests == 0) return {};
  const double tests = std::round(static_cast<double>(plan.tests) * plan.scale);
  plan.tests = static_cast<uint64_t>(std::clamp(tests, 1.0, kMostTests));
  return {};
}

std::filesystem::path run_folder(const std::filesystem::path& folder, const ExperimentRun& run) {
  return folder / "runs" / fmt::format("{}-{}", run.arm, run.repetition);
}

// Stands beside the folder of a run that is complete.
std::filesystem::path mark_of(const std::filesystem::path& folder, const ExperimentRun& run) {
  return folder / "runs" / fmt::format("{}-{}.done", run.arm, run.repetition);
}

base::Result<void> read_results(const std::filesystem::path& folder, ExperimentRun& run) {
  ELENCHUS_ASSIGN_OR_RETURN(const auto view, store::CampaignView::open(run_folder(folder, run)));
  ELENCHUS_ASSIGN_OR_RETURN(const store::Stats stats, view->stats());
  ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, view->bugs());
  ELENCHUS_ASSIGN_OR_RETURN(const auto keys, view->keys());
  run.counts = stats.total;
  run.seconds = stats.seconds;
  run.cpu_seconds = stats.cpu_seconds_self + stats.total.cpu_seconds_solvers;
  run.keys = stats.known_keys();
  ELENCHUS_ASSIGN_OR_RETURN(const auto code, store::read_code_reached(view->folder()));
  for (const store::CodeReached& solver : code) {
    run.lines += solver.total.lines.reached;
    run.functions += solver.total.functions.reached;
    run.branches += solver.total.branches.reached;
  }
  for (const store::BugRecord& bug : bugs) run.bugs.push_back(bug.id);
  std::map<std::string, uint64_t> known;
  for (const store::KeyBucket& record : keys) {
    known[record.solver] = record.known;
    uint64_t sum = 0;
    for (const auto& [solver, count] : known) sum += count;
    const double at = static_cast<double>(record.bucket.start + record.bucket.width);
    const double seconds = std::clamp(at - stats.start_time, 0.0, stats.seconds);
    if (!run.growth.empty() && run.growth.back().first == seconds) run.growth.pop_back();
    run.growth.emplace_back(seconds, sum);
  }
  return {};
}

campaign::Settings settings_of(const ExperimentPlan& plan, const Arm& arm, uint64_t rng) {
  campaign::Settings settings = arm.settings;
  // Engines are compared by their tests, unless the plan says otherwise.
  if (settings.lanes.empty()) settings.lanes = {"checks"};
  // Why a bug shows changes no figure, and would cost an arm with more bugs more.
  settings.diagnosis = 0;
  settings.rng = rng;
  settings.tests = plan.tests;
  return settings;
}

std::string what_it_has(const campaign::Shared& shared) {
  std::string text;
  for (const auto& solver : shared.solvers) {
    text += fmt::format(", {} {}", solver.name, solver.version);
  }
  return text + ", " + base::counted(shared.seeds.files.size(), "seed");
}

// Whether the run came to its end; false: somebody stopped it.
base::Result<bool> run_once(const ExperimentPlan& plan, const campaign::Settings& settings,
                            campaign::Launch launch, ExperimentRun& run,
                            const campaign::Control& outer, const Company& company) {
  campaign::Control control;
  launch.program = "elenchus experiment";
  launch.cpu_seconds = plan.cpu_seconds;
  launch.command_line = "elenchus experiment (" + plan.name + ")";
  ELENCHUS_ASSIGN_OR_RETURN(const auto campaign,
                            campaign::Campaign::prepare(settings, launch, control));
  run.made_with += what_it_has(campaign->shared());
  if (company.begins) {
    if (auto may = company.begins(run); !may) return may.error();
  }
  bool is_taken = false;
  const auto ran = campaign->run([&](const campaign::Snapshot&) {
    is_taken = is_taken || (company.has_taken_over && company.has_taken_over());
    if (outer.stop || is_taken) control.stop = true;
    if (outer.now || is_taken) control.now = true;
  });
  if (!ran) return ran.error();
  return !outer.stop && !is_taken;
}

constexpr std::string_view kMadeWith = "made with ";

base::Result<void> write_mark(const std::filesystem::path& path, const ExperimentRun& run) {
  std::string made_with = run.made_with;
  std::replace(made_with.begin(), made_with.end(), '\n', ' ');
  return store::replace_file(path, fmt::format("rng = {}\n{}{}\n", run.rng, kMadeWith, made_with),
                             store::Durability::kNow);
}

base::Result<void> read_mark(const std::filesystem::path& path, ExperimentRun& run) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::string text, store::read_file(path));
  const size_t at = text.find(kMadeWith);
  if (at == std::string::npos) return {};
  const size_t from = at + kMadeWith.size();
  run.made_with = text.substr(from, text.find('\n', from) - from);
  return {};
}

}  // namespace

base::Result<ExperimentPlan> parse_plan(std::string_view text) {
  ELENCHUS_ASSIGN_OR_RETURN(const toml::table table, config::parse_toml(text));
  ExperimentPlan plan;
  plan.name = "experiment";
  int64_t repetitions = 5;
  int64_t tests = 0;
  auto rng = static_cast<int64_t>(plan.rng);
  base::Error problem;
  {
    config::TomlReader reader(table, "", problem);
    reader.read("name", plan.name);
    reader.read("repetitions", repetitions);
    reader.read("tests", tests);
    reader.read("cpu", plan.cpu_seconds);
    reader.read("rng", rng);
    reader.read("scale", plan.scale);
    for (const char* later : {"campaign", "arm"}) reader.find(later);
  }
  if (!problem.message.empty()) return problem;
  plan.rng = static_cast<uint64_t>(rng);
  constexpr int64_t kMost = 1000;
  if (repetitions < 1 || repetitions > kMost) return wrong("repetitions must be 1 to 1000");
  if (tests < 0 || plan.cpu_seconds < 0 || (tests > 0) == (plan.cpu_seconds > 0)) {
    return wrong("the budget must be either 'tests' or 'cpu' (seconds), and more than 0");
  }
  plan.repetitions = static_cast<uint32_t>(repetitions);
  plan.tests = static_cast<uint64_t>(tests);
  if (auto done = apply_scale(plan); !done) return done.error();
  if (auto done = parse_arms(table, plan); !done) return done.error();
  return plan;
}

std::string scaled_plan(std::string_view toml, double scale) {
  return fmt::format("scale = {}\n{}", scale, toml);
}

uint64_t run_seed(const ExperimentPlan& plan, std::string_view arm, uint32_t repetition) {
  // FNV-1a over the name, then a generator's step: the same on every machine.
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : arm) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  base::Rng rng(hash ^ plan.rng);
  uint64_t seed = 0;
  for (uint32_t i = 0; i < repetition; ++i) seed = rng.next();
  return seed >> 1;  // campaign.toml holds signed numbers
}

std::vector<ExperimentRun> planned_runs(const ExperimentPlan& plan) {
  std::vector<ExperimentRun> runs;
  for (uint32_t repetition = 1; repetition <= plan.repetitions; ++repetition) {
    for (const Arm& arm : plan.arms) {
      ExperimentRun& run = runs.emplace_back();
      run.arm = arm.name;
      run.repetition = repetition;
      run.rng = run_seed(plan, arm.name, repetition);
    }
  }
  return runs;
}

base::Result<void> check_launches(const ExperimentPlan& plan, const ExperimentHooks& hooks) {
  for (const Arm& arm : plan.arms) {
    if (const auto launch = hooks.launch(arm.settings); !launch) return launch.error();
  }
  return {};
}

bool is_complete(const std::filesystem::path& folder, const ExperimentRun& run) {
  std::error_code ignored;
  return std::filesystem::exists(mark_of(folder, run), ignored);
}

base::Result<bool> complete_run(const ExperimentPlan& plan, const std::filesystem::path& folder,
                                const ExperimentHooks& hooks, ExperimentRun& run,
                                const campaign::Control& control, const Company& company) {
  if (!is_complete(folder, run)) {
    if (auto made = store::make_folder(folder / "runs"); !made) return made.error();
    const auto arm = std::find_if(plan.arms.begin(), plan.arms.end(),
                                  [&](const Arm& one) { return one.name == run.arm; });
    ELENCHUS_CHECK(arm != plan.arms.end(), run.arm);
    const campaign::Settings settings = settings_of(plan, *arm, run.rng);
    ELENCHUS_ASSIGN_OR_RETURN(campaign::Launch launch, hooks.launch(settings));
    launch.folder = run_folder(folder, run);
    std::error_code ignored;
    std::filesystem::remove_all(launch.folder, ignored);
    run.made_with = hooks.program;
    ELENCHUS_ASSIGN_OR_RETURN(const bool has_ended,
                              run_once(plan, settings, launch, run, control, company));
    if (!has_ended) return false;
    if (auto code = campaign::sum_up_code(launch.folder); !code) return code.error();
    if (auto done = write_mark(mark_of(folder, run), run); !done) return done.error();
  }
  if (auto done = read_mark(mark_of(folder, run), run); !done) return done.error();
  if (auto done = read_results(folder, run); !done) return done.error();
  return true;
}

base::Result<std::vector<ExperimentRun>> run_experiment(const ExperimentPlan& plan,
                                                        const std::filesystem::path& folder,
                                                        const ExperimentHooks& hooks,
                                                        campaign::Control& control) {
  if (auto launches = check_launches(plan, hooks); !launches) return launches.error();
  std::vector<ExperimentRun> runs;
  for (ExperimentRun& run : planned_runs(plan)) {
    if (control.stop && !is_complete(folder, run)) return runs;
    ELENCHUS_ASSIGN_OR_RETURN(const bool has_ended,
                              complete_run(plan, folder, hooks, run, control));
    if (!has_ended) return runs;
    hooks.watch(runs.size(), run);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace elenchus::experiment
