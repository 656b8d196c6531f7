#include "cli/doctor_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "campaign/doctor.h"
#include "cli/common_options.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"

namespace elenchus::cli {
namespace {

using campaign::Diagnosis;
using Json = nlohmann::ordered_json;
using Level = Diagnosis::Level;

struct DoctorOptions {
  std::vector<std::string> seeds;
  std::vector<std::string> solvers;
  std::string profiles;
  std::string out = ".";
  std::string timeout = "1s";
  std::string memory = "2G";
  std::string policy = "regular";
  std::string operators;
  uint32_t jobs = std::max(1U, std::thread::hardware_concurrency());
  uint64_t rng = 0;
  uint32_t sample = 50;
  bool json = false;
  bool quiet = false;
};

std::string_view label(Level level) {
  switch (level) {
    case Level::kGood: return "ok";
    case Level::kWarning: return "warning";
    case Level::kBad: return "bad";
  }
  return "";
}

base::Result<campaign::Prospect> prospect_of(const DoctorOptions& options) {
  campaign::Prospect prospect;
  ELENCHUS_ASSIGN_OR_RETURN(prospect.limits, run_limits(options.timeout, options.memory));
  ELENCHUS_ASSIGN_OR_RETURN(prospect.policy, campaign::policy_of(options.policy));
  ELENCHUS_ASSIGN_OR_RETURN(prospect.ops, operators_with(options.operators));
  prospect.seeds = options.seeds;
  prospect.out = options.out;
  prospect.jobs = options.jobs;
  prospect.rng = options.rng;
  prospect.sample = options.sample;
  return prospect;
}

std::vector<Diagnosis> examine(const DoctorOptions& options, const campaign::Prospect& prospect) {
  campaign::Doctor doctor(prospect);
  doctor.look_at_machine();
  doctor.look_at_disk();
  if (const auto profiles = profiles_with(options.profiles)) {
    doctor.look_for_solvers(*profiles, options.solvers);
  } else {
    doctor.note(Level::kBad, profiles.error().message, "correct it or leave it out");
  }
  doctor.look_at_open_files();
  doctor.look_at_seeds();
  return doctor.found();
}

int run_doctor(const DoctorOptions& options) {
  const auto prospect = prospect_of(options);
  if (!prospect) return fail(prospect.error(), options.operators);
  const std::vector<Diagnosis> found = examine(options, *prospect);
  Json json = Json::array();
  bool is_bad = false;
  for (const Diagnosis& diagnosis : found) {
    is_bad = is_bad || diagnosis.level == Level::kBad;
    json.push_back({{"level", label(diagnosis.level)},
                    {"what", diagnosis.what},
                    {"advice", diagnosis.advice}});
    if (options.json || (options.quiet && diagnosis.level == Level::kGood)) continue;
    put("{:<9}{}\n", label(diagnosis.level), diagnosis.what);
    if (!diagnosis.advice.empty()) put("{:<9}{}\n", "", diagnosis.advice);
  }
  if (options.json) put("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  return is_bad ? kBadInput : kNothingWrong;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check this machine and the settings of a campaign before it runs");
  doctor->add_option("SEEDS", options->seeds,
                     "the seeds of the campaign (default: those that come with the program)");
  doctor->add_option("--solver", options->solvers, "a solver; may be repeated (default: all)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(*doctor, options->profiles);
  doctor->add_option("-o,--out", options->out, "the folder that the campaign would write to")
      ->type_name("DIR")
      ->capture_default_str();
  doctor->add_option("--sample", options->sample, "how many seeds to try")
      ->type_name("N")
      ->capture_default_str();
  doctor->add_option("--timeout", options->timeout, "time limit of a check-sat of a seed")
      ->type_name("TIME")
      ->capture_default_str();
  doctor->add_option("--memory", options->memory, "memory limit of a solver in the campaign")
      ->type_name("SIZE")
      ->capture_default_str();
  doctor
      ->add_option("-j,--jobs", options->jobs, "how many tests the campaign runs at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  doctor->add_option("--policy", options->policy, "the policy of the campaign")
      ->type_name("P")
      ->capture_default_str();
  add_operators(*doctor, options->operators);
  add_rng(*doctor, options->rng, "the number that decides which seeds are tried");
  doctor->add_flag("--json", options->json, "one JSON list");
  doctor->add_flag("-q,--quiet", options->quiet, "only what is wrong");
  doctor->footer(
      "The exit code is 2 when something is wrong that makes a campaign useless, else 0.\n\n"
      "Examples:\n"
      "  elenchus doctor\n"
      "  elenchus doctor seeds/ --solver z3 --solver 'cvc5 --no-such-option'");
  doctor->callback([options, &exit_code] { exit_code = run_doctor(*options); });
}

}  // namespace elenchus::cli
