#include "campaign/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/rng.h"
#include "base/text.h"
#include "base/toml_guard.h"
#include "campaign/code_reached.h"
#include "store/campaign_folder.h"
#include "store/campaign_view.h"
#include "store/code_reached.h"

namespace elenchus::campaign {
namespace {

base::Error wrong(std::string message, const toml::source_position& where = {}) {
  return {base::ErrorKind::kParse, std::move(message), {where.line, where.column}};
}

base::Result<toml::table> parse_table(std::string_view text) {
  if (const auto readable = base::check_toml(text); !readable) return readable.error();
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return wrong(std::string(error.description()), error.source().begin);
  }
}

base::Result<void> check_keys(const toml::table& table) {
  constexpr std::array<std::string_view, 8> kKnown = {"name", "repetitions", "rng",      "tests",
                                                      "cpu",  "scale",       "campaign", "arm"};
  for (const auto& [key, node] : table) {
    if (std::find(kKnown.begin(), kKnown.end(), key.str()) == kKnown.end()) {
      return wrong(fmt::format("an experiment has no '{}'", base::shown(key.str())),
                   node.source().begin);
    }
  }
  return {};
}

// What an arm says goes before what [campaign] says.
base::Result<Arm> parse_arm(const toml::table* common, const toml::node& node) {
  const toml::table* own = node.as_table();
  if (own == nullptr) return wrong("[[arm]] must be a table", node.source().begin);
  Arm arm;
  arm.name = own->get_as<std::string>("name") != nullptr ? **own->get_as<std::string>("name") : "";
  if (!store::is_plain_name(arm.name)) {
    return wrong("every [[arm]] needs a name of letters, digits and '._-+'", node.source().begin);
  }
  toml::table merged = common != nullptr ? *common : toml::table();
  for (const auto& [key, value] : *own) {
    if (key.str() != "name") merged.insert_or_assign(key, value);
  }
  for (const char* key : {"time", "tests", "bugs", "rng"}) {
    if (merged.contains(key)) {
      return wrong(fmt::format("'{}' is the experiment's to say, not an arm's", key),
                   node.source().begin);
    }
  }
  std::ostringstream text;
  text << merged;
  const auto settings = parse_settings(text.str());
  if (!settings) {
    return wrong(fmt::format("arm '{}': {}", arm.name, settings.error().message),
                 node.source().begin);
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
      return wrong(fmt::format("two arms are called '{}'", arm->name), node.source().begin);
    }
    plan.arms.push_back(std::move(*arm));
  }
  return {};
}

// Multiplies the budget; a run has one test at least.
base::Result<void> apply_scale(const toml::table& table, ExperimentPlan& plan) {
  constexpr double kMostScale = 1e6;
  constexpr double kMostTests = 1e15;
  plan.scale = table["scale"].value_or(table.contains("scale") ? 0.0 : 1.0);
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

Settings settings_of(const ExperimentPlan& plan, const Arm& arm, uint64_t rng) {
  Settings settings = arm.settings;
  settings.rng = rng;
  settings.tests = plan.tests;
  return settings;
}

// Whether the run came to its end; false: somebody stopped it.
base::Result<bool> run_once(const ExperimentPlan& plan, const Settings& settings, Launch launch,
                            const Control& outer) {
  Control control;
  launch.program = "elenchus experiment";
  launch.command_line = "elenchus experiment (" + plan.name + ")";
  ELENCHUS_ASSIGN_OR_RETURN(const auto campaign, Campaign::prepare(settings, launch, control));
  const auto ran = campaign->run([&](const Snapshot& snapshot) {
    const store::Stats& stats = snapshot.stats;
    const double cpu = stats.cpu_seconds_self + stats.total.cpu_seconds_solvers;
    if (outer.stop || (plan.cpu_seconds > 0 && cpu >= plan.cpu_seconds)) control.stop = true;
    if (outer.now) control.now = true;
  });
  if (!ran) return ran.error();
  return !outer.stop;
}

base::Result<void> write_mark(const std::filesystem::path& path, uint64_t rng) {
  std::ofstream file(path);
  file << "rng = " << rng << '\n';
  file.close();
  if (file) return {};
  return base::Error{base::ErrorKind::kIo, "cannot write " + path.string(), {}};
}

}  // namespace

base::Result<ExperimentPlan> parse_plan(std::string_view text) {
  ELENCHUS_ASSIGN_OR_RETURN(const toml::table table, parse_table(text));
  if (auto known = check_keys(table); !known) return known.error();
  ExperimentPlan plan;
  plan.name = table["name"].value_or(std::string("experiment"));
  const int64_t repetitions = table["repetitions"].value_or(int64_t{5});
  const int64_t tests = table["tests"].value_or(int64_t{0});
  plan.cpu_seconds = table["cpu"].value_or(0.0);
  plan.rng = static_cast<uint64_t>(table["rng"].value_or(int64_t{0}));
  constexpr int64_t kMost = 1000;
  if (repetitions < 1 || repetitions > kMost) return wrong("repetitions must be 1 to 1000");
  if (tests < 0 || plan.cpu_seconds < 0 || (tests > 0) == (plan.cpu_seconds > 0)) {
    return wrong("the budget must be either 'tests' or 'cpu' (seconds), and more than 0");
  }
  plan.repetitions = static_cast<uint32_t>(repetitions);
  plan.tests = static_cast<uint64_t>(tests);
  if (auto done = apply_scale(table, plan); !done) return done.error();
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

base::Result<std::vector<ExperimentRun>> run_experiment(const ExperimentPlan& plan,
                                                        const std::filesystem::path& folder,
                                                        const ExperimentHooks& hooks,
                                                        Control& control) {
  std::error_code failed;
  std::filesystem::create_directories(folder / "runs", failed);
  if (failed) return base::Error{base::ErrorKind::kIo, "cannot make " + folder.string(), {}};
  for (const Arm& arm : plan.arms) {
    if (const auto launch = hooks.launch(arm.settings); !launch) return launch.error();
  }
  std::vector<ExperimentRun> runs;
  size_t index = 0;
  for (uint32_t repetition = 1; repetition <= plan.repetitions; ++repetition) {
    for (const Arm& arm : plan.arms) {
      ExperimentRun run;
      run.arm = arm.name;
      run.repetition = repetition;
      run.rng = run_seed(plan, arm.name, repetition);
      if (!std::filesystem::exists(mark_of(folder, run))) {
        if (control.stop) return runs;
        hooks.watch(index, run, false);
        const Settings settings = settings_of(plan, arm, run.rng);
        ELENCHUS_ASSIGN_OR_RETURN(Launch launch, hooks.launch(settings));
        launch.folder = run_folder(folder, run);
        std::filesystem::remove_all(launch.folder, failed);
        ELENCHUS_ASSIGN_OR_RETURN(const bool is_complete,
                                  run_once(plan, settings, launch, control));
        if (!is_complete) return runs;
        if (auto code = sum_up_code(launch.folder); !code) return code.error();
        if (auto done = write_mark(mark_of(folder, run), run.rng); !done) return done.error();
      }
      if (auto done = read_results(folder, run); !done) return done.error();
      hooks.watch(index++, run, true);
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

}  // namespace elenchus::campaign
