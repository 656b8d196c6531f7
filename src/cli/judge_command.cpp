#include "cli/judge_command.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command_table.h"
#include "cli/complaint.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "cli/solver_choice.h"
#include "docket/voices.h"
#include "ir/settings.h"
#include "ir/timeline.h"
#include "lab/solver_lab.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "record/kind.h"
#include "smtlib/parser.h"
#include "solver/solver.h"

namespace elenchus::cli {
namespace {

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

// What one solver said, and what we make of its models.
struct Testimony {
  const solver::Solver* solver = nullptr;
  const solver::Run* run = nullptr;
  std::vector<std::string> answers;  // one for each check-sat
  std::vector<std::string> models;   // "valid", "invalid", "unknown: ...", or empty
};

// What one solver is accused of.
struct Accusation {
  oracle::Finding finding;
  docket::Voices voices;
};

// A status that the script claims, and that is not the answer.
struct StatusClaim {
  std::string command;               // "(set-info :status sat)"
  bool is_refuted = false;           // a model that holds does so; else nothing settles it
  std::vector<size_t> contradicted;  // the solvers that say otherwise
  std::string text;
};

struct Verdict {
  std::vector<Testimony> testimonies;
  std::vector<Accusation> findings;
  std::vector<StatusClaim> statuses;
  std::vector<std::string> right;      // for each check-sat the answer, where it is known
  std::vector<std::string> unchecked;  // what nobody could look at, in a line each
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
                                       lab::SolverLab& lab, std::vector<oracle::Finding> findings) {
  std::vector<oracle::Finding> kept;
  for (oracle::Finding& finding : findings) {
    const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : script;
    // What is slow may be so by chance.
    const int times = record::info(finding.kind).has(record::kByTime) ? 3 : 1;
    bool shows = true;
    for (int i = 0; i < times && shows; ++i) {
      shows = oracle::recheck(store, lab, {.script = shown}, finding).has_value();
    }
    if (shows) kept.push_back(std::move(finding));
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return kept;
}

std::string solver_name(const solver::Solver& solver) {
  return solver.name + (solver.version.empty() ? "" : " " + solver.version);
}

// What the script says of itself: the status that stands before each check-sat.
std::vector<std::string> claimed_status(const ir::TermStore& store, const ir::Script& script) {
  std::vector<std::string> claimed;
  std::string latest;
  for (const ir::Command& command : script.commands) {
    const bool is_claim = ir::sets_status(store, command) && command.value.valid();
    if (is_claim) latest = store.symbols().text(command.value);
    if (ir::is_check(command.kind)) claimed.push_back(std::exchange(latest, {}));
  }
  return claimed;
}

// The answers that are proved: a model that holds is a proof of sat, and a wrong unsat has one.
std::vector<std::string> right_answers(oracle::Exam& exam, const Verdict& verdict) {
  std::vector<std::string> right(exam.checks().size());
  for (size_t check = 0; check < right.size(); ++check) {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const oracle::JudgedModel* judged = exam.model(i, check);
      if (judged != nullptr && oracle::is_proof(judged->verdict)) right[check] = "sat";
    }
    for (const Accusation& one : verdict.findings) {
      const bool is_here = one.finding.check == check && !oracle::is_shown_by_variant(one.finding);
      if (is_here && one.finding.kind == oracle::Kind::kRefutationUnsound) right[check] = "sat";
    }
  }
  return right;
}

std::string why_unchecked(const std::string& model) {
  if (model.empty()) return "it gives no model that can be read";
  if (model == "valid") return "its model holds, but only with values that it leaves open";
  return "the model could not be checked, " + model;
}

// A sat without a model that was looked at to its end proves nothing, and an unsat never does: it
// takes another solver that agrees.
std::vector<std::string> unchecked_answers(const Verdict& verdict, size_t checks) {
  std::vector<std::string> lines;
  for (size_t check = 0; check < checks; ++check) {
    if (!verdict.right[check].empty()) continue;
    const std::string which = checks == 1 ? "" : fmt::format("check-sat {}: ", check + 1);
    std::set<std::string> unsat;
    for (const Testimony& testimony : verdict.testimonies) {
      if (check >= testimony.run->checks.size()) continue;
      const std::string& answer = testimony.answers[check];
      const std::string& model = testimony.models[check];
      if (answer == "unsat") unsat.insert(testimony.solver->profile->name);
      if (answer != "sat" || model == "invalid") continue;
      lines.push_back(fmt::format("{}the sat of {}: {}", which, solver_name(*testimony.solver),
                                  why_unchecked(model)));
    }
    if (unsat.size() == 1) {
      lines.push_back(
          fmt::format("{}the unsat of {}, which no other solver confirms", which, *unsat.begin()));
    }
  }
  return lines;
}

// Where the status of the script is not the answer, one of the two is wrong.
void compare_status(const std::vector<std::string>& claimed, Verdict& verdict) {
  for (size_t check = 0; check < claimed.size(); ++check) {
    const std::string& status = claimed[check];
    if (status != "sat" && status != "unsat") continue;
    const std::string& right = verdict.right[check];
    // What says otherwise than a proof is accused of it already.
    if (right == status) continue;
    StatusClaim claim{fmt::format("(set-info :status {})", status), !right.empty(), {}, {}};
    if (claim.is_refuted) {
      claim.text = fmt::format("{} is wrong: a model that holds says {}", claim.command, right);
      verdict.statuses.push_back(std::move(claim));
      continue;
    }
    std::vector<std::string> others;
    for (size_t i = 0; i < verdict.testimonies.size(); ++i) {
      const Testimony& testimony = verdict.testimonies[i];
      if (check >= testimony.run->checks.size()) continue;
      const std::string& answer = testimony.answers[check];
      const bool differs = (answer == "sat" || answer == "unsat") && answer != status;
      if (!differs) continue;
      claim.contradicted.push_back(i);
      others.push_back(fmt::format("{} answers {}", solver_name(*testimony.solver), answer));
    }
    if (others.empty()) continue;
    claim.text = fmt::format("{}, and {} says otherwise", fmt::join(others, ", "), claim.command);
    verdict.statuses.push_back(std::move(claim));
  }
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
  if (!verdict.findings.empty() || !verdict.statuses.empty()) return "wrong";
  if (!is_decided(verdict)) return "undecided: no solver gave an answer";
  return verdict.unchecked.empty() ? "nothing wrong"
                                   : "nothing wrong found, but not all of it could be checked";
}

// Whether one of two is wrong, and nothing settles which.
bool is_dispute(const oracle::Finding& finding) {
  return record::info(finding.kind).has(record::kTwoAnswers) && finding.other.has_value();
}

void add_name(std::string name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

void add_name(const Verdict& verdict, size_t solver, std::vector<std::string>& names) {
  add_name(solver_name(*verdict.testimonies[solver].solver), names);
}

// Those that are wrong, each once.
std::vector<std::string> guilty_of(const Verdict& verdict) {
  std::vector<std::string> guilty;
  for (const Accusation& one : verdict.findings) {
    if (!is_dispute(one.finding)) add_name(verdict, one.finding.solver, guilty);
  }
  for (const StatusClaim& claim : verdict.statuses) {
    if (claim.is_refuted) add_name(claim.command, guilty);
  }
  return guilty;
}

// Those of which some are wrong.
std::vector<std::string> disputants_of(const Verdict& verdict) {
  std::vector<std::string> names;
  for (const Accusation& one : verdict.findings) {
    if (!is_dispute(one.finding)) continue;
    add_name(verdict, one.finding.solver, names);
    add_name(verdict, *one.finding.other, names);
  }
  for (const StatusClaim& claim : verdict.statuses) {
    if (claim.is_refuted) continue;
    for (const size_t solver : claim.contradicted) add_name(verdict, solver, names);
    add_name(claim.command, names);
  }
  return names;
}

// "wrong: z3 4.8.12"
std::string sentence_of(const Verdict& verdict) {
  const std::vector<std::string> guilty = guilty_of(verdict);
  const std::vector<std::string> disputants = disputants_of(verdict);
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
  if (!verdict.findings.empty() || !verdict.statuses.empty()) return kBugFound;
  return is_decided(verdict) ? kNothingWrong : kUndecided;
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
                        testimony.solver->version, testimony.run->seconds, answers);
    if (!testimony.run->message.empty()) text += indented(base::shown(testimony.run->message, 200));
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
                       {"outcome", to_string(testimony.run->outcome)},
                       {"message", testimony.run->message},
                       {"seconds", testimony.run->seconds}});
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
  return {{"file", options.file},        {"verdict", word_of(verdict)},
          {"wrong", guilty_of(verdict)}, {"disputed", disputants_of(verdict)},
          {"right", verdict.right},      {"unchecked", verdict.unchecked},
          {"statuses", statuses},        {"solvers", solvers},
          {"findings", findings}};
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
  for (oracle::Finding& finding : confirmed(store, *script, lab, std::move(findings))) {
    docket::Voices voices =
        oracle::is_shown_by_variant(finding)
            ? docket::Voices{}
            : docket::hear_others(store, lab, solvers->size(), *script, finding);
    verdict.findings.push_back({std::move(finding), std::move(voices)});
  }
  verdict.right = right_answers(exam, verdict);
  verdict.unchecked = unchecked_answers(verdict, exam.checks().size());
  compare_status(claimed_status(store, *script), verdict);

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
  judge
      ->add_option("--oracle", options->oracles,
                   "oracles that are off unless they are named: slow, incomplete, elimination")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::IsMember({"slow", "incomplete", "elimination"}));
  judge->add_option("--timeout", options->timeout, "time limit of a check-sat")
      ->type_name("TIME")
      ->capture_default_str();
  judge->add_option("--memory", options->memory, "memory limit of a solver")
      ->type_name("SIZE")
      ->capture_default_str();
  judge
      ->add_option("--policy", options->policy,
                   "refuse solvers with more options than this allows: default (none), regular "
                   "(one), anything")
      ->type_name("P");
  judge->add_flag("--fresh", options->fresh, "accepted everywhere; judge uses fresh processes only")
      ->group(kHidden);
  judge->add_option("--operators", options->operators, "a file that declares further operators")
      ->type_name("FILE");
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
