#include "cli/judge_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "campaign/lab.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "smtlib/parser.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
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

// What one solver said, and what we make of its models.
struct Testimony {
  const solver::Solver* solver = nullptr;
  const solver::Run* run = nullptr;
  std::vector<std::string> answers;  // one for each check-sat
  std::vector<std::string> models;   // "valid", "invalid", "unknown: ...", or empty
};

struct Verdict {
  std::vector<Testimony> testimonies;
  std::vector<oracle::Finding> findings;
};

std::string model_verdict(const oracle::JudgedModel& judged) {
  switch (judged.verdict.verdict) {
    case eval::Verdict::kValid: return "valid";
    case eval::Verdict::kInvalid: return "invalid";
    case eval::Verdict::kUnknown: break;
  }
  return "unknown: " + judged.verdict.reason;
}

Testimony hear(oracle::Exam& exam, size_t index) {
  Testimony testimony;
  testimony.solver = &exam.solver(index);
  testimony.run = &exam.run(index);
  for (size_t check = 0; check < testimony.run->checks.size(); ++check) {
    testimony.answers.emplace_back(to_string(testimony.run->checks[check].outcome));
    const oracle::JudgedModel* judged = exam.model(index, check);
    testimony.models.push_back(judged == nullptr ? "" : model_verdict(*judged));
  }
  const bool ended_badly = testimony.run->checks.empty() ||
                           testimony.run->outcome != testimony.run->checks.back().outcome;
  if (ended_badly) testimony.answers.emplace_back(to_string(testimony.run->outcome));
  return testimony;
}

// Findings that show again in fresh processes.
std::vector<oracle::Finding> confirmed(ir::TermStore& store, const ir::Script& script,
                                       campaign::SolverLab& lab,
                                       std::vector<oracle::Finding> findings) {
  std::vector<oracle::Finding> kept;
  for (oracle::Finding& finding : findings) {
    const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : script;
    // What is slow may be so by chance.
    const int times = finding.kind == oracle::Kind::kSlow ? 3 : 1;
    bool shows = true;
    for (int i = 0; i < times && shows; ++i) {
      shows = oracle::recheck(store, lab, {.script = shown}, finding).has_value();
    }
    if (shows) kept.push_back(std::move(finding));
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return kept;
}

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += fmt::format("    {}\n", text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

// Whether some solver said sat or unsat to something.
bool is_decided(const Verdict& verdict) {
  return std::any_of(
      verdict.testimonies.begin(), verdict.testimonies.end(),
      [](const Testimony& testimony) { return solver::has_decided(*testimony.run); });
}

std::string_view word_of(const Verdict& verdict) {
  if (!verdict.findings.empty()) return "wrong";
  return is_decided(verdict) ? "nothing wrong" : "undecided: no solver gave an answer";
}

int code_of(const Verdict& verdict) {
  if (!verdict.findings.empty()) return kBugFound;
  return is_decided(verdict) ? kNothingWrong : kUndecided;
}

std::string text_of(const Verdict& verdict) {
  std::string text;
  for (const Testimony& testimony : verdict.testimonies) {
    std::string answers;
    for (size_t i = 0; i < testimony.answers.size(); ++i) {
      answers += (i == 0 ? "" : " ") + testimony.answers[i];
      if (i < testimony.models.size() && !testimony.models[i].empty()) {
        answers += fmt::format(" (model {})", testimony.models[i]);
      }
    }
    text += fmt::format("{:<24}{:<12}{:>7.3f} s  {}\n", base::shown(testimony.solver->name, 23),
                        testimony.solver->version, testimony.run->seconds, answers);
    if (!testimony.run->message.empty()) text += indented(base::shown(testimony.run->message, 200));
  }
  text += fmt::format("verdict: {}\n", word_of(verdict));
  for (const oracle::Finding& finding : verdict.findings) {
    text += fmt::format("  {}: {}\n{}", oracle::to_string(finding.kind), finding.claim,
                        indented(finding.evidence));
  }
  return text;
}

Json json_of(const Options& options, const Verdict& verdict) {
  Json solvers = Json::array();
  for (const Testimony& testimony : verdict.testimonies) {
    solvers.push_back({{"solver", testimony.solver->name},
                       {"version", testimony.solver->version},
                       {"answers", testimony.answers},
                       {"models", testimony.models},
                       {"outcome", to_string(testimony.run->outcome)},
                       {"message", testimony.run->message},
                       {"seconds", testimony.run->seconds}});
  }
  Json findings = Json::array();
  for (const oracle::Finding& finding : verdict.findings) {
    findings.push_back({{"kind", oracle::to_string(finding.kind)},
                        {"solver", verdict.testimonies[finding.solver].solver->name},
                        {"oracle", finding.oracle},
                        {"claim", finding.claim},
                        {"evidence", finding.evidence},
                        {"check", finding.check + 1},
                        {"witness", finding.witness}});
  }
  return {{"file", options.file},
          {"verdict", word_of(verdict)},
          {"solvers", solvers},
          {"findings", findings}};
}

int run_judge(const Options& options) {
  const auto limits = run_limits(options.timeout, options.memory);
  if (!limits) return fail(limits.error(), {});
  const auto text = read_input(options.file);
  if (!text) return fail(text.error(), options.file);
  const auto ops = operators_with(options.operators);
  if (!ops) return fail(ops.error(), options.operators);
  ir::TermStore store(*ops);
  const auto script = smtlib::parse_script(store, text->view());
  if (!script) return fail(script.error(), options.file);
  if (eval::checks_of(*script).empty()) {
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

  campaign::SolverLab lab(store, *solvers, true, *limits);
  oracle::Exam exam(store, {.script = *script}, lab);
  Verdict verdict;
  for (size_t i = 0; i < solvers->size(); ++i) {
    if (!options.quiet && !options.json) {
      tell("asking {} ({} of {})\n", (*solvers)[i].name, i + 1, solvers->size());
    }
    verdict.testimonies.push_back(hear(exam, i));
  }
  std::vector<oracle::Finding> findings;
  for (const oracle::Oracle* oracle : oracle::all_oracles()) oracle->judge(exam, findings);
  for (const std::string& name : options.oracles) {
    oracle::find_oracle(name)->judge(exam, findings);
  }
  verdict.findings = confirmed(store, *script, lab, std::move(findings));

  const std::string report =
      options.json
          ? json_of(options, verdict).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'
          : text_of(verdict);
  const auto written = write_output(options.out, report);
  if (!written) return fail(written.error(), options.out);
  return code_of(verdict);
}

}  // namespace

void add_judge_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* judge = app.add_subcommand("judge", "Run every solver and every oracle on one script");
  judge->add_option("FILE", options->file, "an SMT-LIB script; - is standard input")->required();
  judge
      ->add_option("--solver", options->solvers,
                   "a solver: its name, its name and options, or a command line; may be repeated; "
                   "default: every known solver on PATH")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  add_profiles(*judge, options->profiles);
  judge
      ->add_option("--oracle", options->oracles,
                   "switches on what is off by default: slow, incomplete")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::IsMember({"slow", "incomplete"}));
  judge->add_option("--timeout", options->timeout, "limit of a check-sat")
      ->type_name("TIME")
      ->capture_default_str();
  judge->add_option("--memory", options->memory, "limit of a solver")
      ->type_name("SIZE")
      ->capture_default_str();
  judge
      ->add_option("--policy", options->policy,
                   "refuse solvers with more options than this allows: default (none), regular "
                   "(one), anything")
      ->type_name("P");
  judge->add_flag("--fresh", options->fresh,
                  "accepted everywhere; judge uses fresh processes only");
  judge->add_option("--operators", options->operators, "a file with further operators")
      ->type_name("FILE");
  judge->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  add_rng(*judge, options->rng, "accepted everywhere; judge draws nothing at random");
  judge->add_flag("--json", options->json, "one JSON object");
  judge->add_flag("-q,--quiet", options->quiet, "no progress");
  judge->set_version_flag("--version", "elenchus " ELENCHUS_VERSION);
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
