#include "cli/judge_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command_table.h"
#include "cli/common_options.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "docket/verdict.h"
#include "ir/timeline.h"
#include "lab/solver_lab.h"
#include "oracle/oracle.h"
#include "record/kind.h"
#include "smtlib/parser.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

using docket::StatusClaim;
using docket::Testimony;
using docket::Verdict;
using Json = nlohmann::ordered_json;

struct JudgeOptions {
  std::string file;
  std::vector<std::string> solvers;
  std::string profiles;
  std::vector<std::string> oracles;
  std::string timeout = "10s";
  std::string memory = "2G";
  std::string policy;
  std::string operators;
  std::string out = "-";
  uint64_t rng = 0;
  bool json = false;
  bool quiet = false;
  bool fresh = false;
};

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string_view line : base::lines_of(text)) out += fmt::format("    {}\n", line);
  return out;
}

std::string_view word_of(const Verdict& verdict) {
  if (verdict.is_something_wrong()) return "wrong";
  if (!verdict.is_decided()) return "undecided: no solver gave an answer";
  return verdict.unchecked.empty() ? "nothing wrong"
                                   : "nothing wrong found, but not all of it could be checked";
}

// "wrong: z3 4.8.12"
std::string sentence_of(const Verdict& verdict) {
  const std::vector<std::string> guilty = verdict.guilty();
  const std::vector<std::string> disputants = verdict.disputants();
  if (!guilty.empty()) return fmt::format("{}: {}", word_of(verdict), fmt::join(guilty, ", "));
  if (disputants.empty()) return std::string(word_of(verdict));
  return fmt::format("{}: one of {}, and nothing settles which", word_of(verdict),
                     fmt::join(disputants, ", "));
}

// "sat", or one word for each check-sat; empty where none is known.
std::string right_answer_of(const Verdict& verdict) {
  const bool is_known = std::any_of(verdict.right.begin(), verdict.right.end(),
                                    [](const std::string& answer) { return !answer.empty(); });
  std::string text;
  for (const std::string& answer : verdict.right) {
    text += (text.empty() ? "" : " ") + (answer.empty() ? std::string("unknown") : answer);
  }
  return is_known ? text : std::string();
}

std::string probably(const docket::Voices& voices) {
  const record::KindInfo* kind = record::find_kind(voices.probable);
  return kind == nullptr ? std::string()
                         : fmt::format("probably a {}: {}", kind->brief, voices.why);
}

int code_of(const Verdict& verdict) {
  if (verdict.is_something_wrong()) return kBugFound;
  return verdict.is_decided() ? kNothingWrong : kUndecided;
}

// One word for each check-sat, and what the model is; many that are alike, once.
std::string answers_of(const Testimony& testimony) {
  constexpr size_t kListed = 8;
  std::vector<std::pair<std::string, size_t>> runs;
  for (size_t i = 0; i < testimony.answers.size(); ++i) {
    std::string answer = testimony.answers[i];
    if (i < testimony.models.size() && !testimony.models[i].empty()) {
      answer += fmt::format(" (model {})", testimony.models[i]);
    }
    if (runs.empty() || runs.back().first != answer) runs.emplace_back(std::move(answer), 0);
    ++runs.back().second;
  }
  const bool is_long = testimony.answers.size() > kListed;
  std::string text;
  for (const auto& [answer, times] : runs) {
    if (is_long && times > 1) {
      text += fmt::format("{}{} times {}", text.empty() ? "" : ", ", times, answer);
      continue;
    }
    for (size_t i = 0; i < times; ++i) {
      text += fmt::format("{}{}", text.empty() ? "" : is_long ? ", " : " ", answer);
    }
  }
  return text;
}

std::string text_of(const Verdict& verdict) {
  std::string text;
  for (const Testimony& testimony : verdict.testimonies) {
    const std::string answers = answers_of(testimony);
    text += fmt::format("{:<24}{:<12}{:>7.3f} s  {}\n", base::shown(testimony.solver->name, 23),
                        testimony.solver->version, testimony.run.seconds, answers);
    if (!testimony.run.message.empty()) text += indented(base::shown(testimony.run.message, 200));
  }
  text += fmt::format("verdict: {}\n", sentence_of(verdict));
  const std::string right = right_answer_of(verdict);
  if (!right.empty()) text += fmt::format("right answer: {}, by a model that holds\n", right);
  for (const StatusClaim& claim : verdict.statuses)
    text += fmt::format("  status: {}\n", claim.text);
  for (const std::string& line : verdict.unchecked) text += fmt::format("  unchecked: {}\n", line);
  for (const auto& [finding, voices] : verdict.findings) {
    text += fmt::format("  {}: {}\n{}", oracle::to_string(finding.kind), finding.claim,
                        indented(finding.evidence));
    if (!voices.probable.empty()) text += indented(probably(voices));
    for (const std::string& voice : voices.confirmed_by) text += indented("confirmed by " + voice);
  }
  return text;
}

Json json_of(const JudgeOptions& options, const Verdict& verdict) {
  Json solvers = Json::array();
  for (const Testimony& testimony : verdict.testimonies) {
    solvers.push_back({{"solver", testimony.solver->name},
                       {"version", testimony.solver->version},
                       {"answers", testimony.answers},
                       {"models", testimony.models},
                       {"outcome", to_string(testimony.run.outcome)},
                       {"message", testimony.run.message},
                       {"seconds", testimony.run.seconds}});
  }
  Json findings = Json::array();
  for (const auto& [finding, voices] : verdict.findings) {
    findings.push_back({{"kind", oracle::to_string(finding.kind)},
                        {"solver", verdict.testimonies[finding.solver].solver->name},
                        {"oracle", finding.oracle},
                        {"claim", finding.claim},
                        {"evidence", finding.evidence},
                        {"check", finding.check + 1},
                        {"witness", finding.witness},
                        {"probable", voices.probable},
                        {"why_probable", voices.why},
                        {"confirmed_by", voices.confirmed_by}});
  }
  Json statuses = Json::array();
  for (const StatusClaim& claim : verdict.statuses) {
    statuses.push_back(
        {{"status", claim.command}, {"refuted", claim.is_refuted}, {"text", claim.text}});
  }
  return {{"file", options.file},      {"verdict", word_of(verdict)},
          {"wrong", verdict.guilty()}, {"disputed", verdict.disputants()},
          {"right", verdict.right},    {"unchecked", verdict.unchecked},
          {"statuses", statuses},      {"solvers", solvers},
          {"findings", findings}};
}

// All that are always at work, and those that were asked for.
std::vector<const oracle::Oracle*> oracles_of(const std::vector<std::string>& names) {
  const auto all = oracle::all_oracles();
  std::vector<const oracle::Oracle*> oracles(all.begin(), all.end());
  for (const std::string& name : names) oracles.push_back(oracle::find_oracle(name));
  return oracles;
}

int run_judge(const JudgeOptions& options) {
  const auto limits = run_limits(options.timeout, options.memory);
  if (!limits) return fail(limits.error(), {});
  const auto text = read_input(options.file);
  if (!text) return fail(text.error(), options.file);
  const auto ops = operators_with(options.operators);
  if (!ops) return fail(ops.error(), options.operators);
  ir::TermStore store(*ops);
  const auto script = smtlib::parse_script(store, text->view());
  if (!script) return fail(script.error(), options.file);
  if (ir::checks_of(*script).empty()) {
    return fail({base::ErrorKind::kUnsupported, "the script has no check-sat", {1, 1}},
                options.file);
  }
  const auto profiles = profiles_with(options.profiles);
  if (!profiles) return fail(profiles.error(), {});
  const auto solvers = chosen_solvers(options.solvers, *profiles);
  if (!solvers) return fail(solvers.error(), {});
  if (const auto allowed = check_choice(options.policy, *solvers); !allowed) {
    return fail(allowed.error(), {});
  }

  lab::SolverLab lab(store, *solvers, true, *limits);
  size_t asked = 0;
  const auto asking = [&](const solver::Solver& solver) {
    ++asked;
    if (options.quiet || options.json) return;
    tell("asking {} ({} of {})\n", solver.name, asked, solvers->size());
  };
  const Verdict verdict =
      docket::try_script(store, *script, lab, oracles_of(options.oracles), asking);

  const std::string report =
      options.json
          ? json_of(options, verdict).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'
          : text_of(verdict);
  const auto written = write_output(options.out, report);
  if (!written) return fail(written.error(), shown_output(options.out));
  return code_of(verdict);
}

}  // namespace

void add_judge_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<JudgeOptions>();
  CLI::App* judge = app.add_subcommand("judge", "Run every solver and every oracle on one script");
  judge->add_option("FILE", options->file, "an SMT-LIB script; - is standard input")->required();
  judge
      ->add_option("--solver", options->solvers,
                   "a solver: its name, its name and options, or a command line; may be repeated "
                   "(default: every known solver on PATH)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(*judge, options->profiles);
  add_oracles(*judge, options->oracles);
  add_limits(*judge, options->timeout, options->memory);
  add_solver_policy(*judge, options->policy);
  judge->add_flag("--fresh", options->fresh, "accepted everywhere; judge uses fresh processes only")
      ->group(kHidden);
  add_operators(*judge, options->operators);
  judge->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  add_rng(*judge, options->rng, "accepted everywhere; judge draws nothing at random")
      ->group(kHidden);
  judge->add_flag("--json", options->json, "one JSON object");
  judge->add_flag("-q,--quiet", options->quiet, "no progress");
  judge->footer(
      "Answers, models (checked by our own evaluation) and what is wrong with them, with the\n"
      "evidence. The exit code is 1 when something is wrong, 0 when nothing is, 4 when no solver\n"
      "gave an answer.\n\n"
      "Examples:\n"
      "  elenchus judge bug.smt2\n"
      "  elenchus judge bug.smt2 --solver z3 --solver /opt/z3-new/z3 --json");
  judge->callback([options, &exit_code] { exit_code = run_judge(*options); });
}

}  // namespace elenchus::cli
