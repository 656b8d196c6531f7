#include "cli/check_command.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "cli/command_table.h"
#include "cli/common_options.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/say.h"
#include "eval/check.h"
#include "ir/op_table.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "oracle/model_check.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"

namespace elenchus::cli {
namespace {

using Json = nlohmann::ordered_json;
using eval::Verdict;

struct CheckOptions {
  std::string file;
  std::string model;
  bool explain = false;
  bool json = false;
  bool quiet = false;
  uint32_t check = 0;  // counted from 1; 0: as the model says, or the last
  uint64_t steps = eval::Settings{}.steps;
  uint64_t rng = 0;
  std::string operators;
  std::string out = "-";
};

// A check-sat of the script and the model that belongs to it.
struct Pair {
  size_t check = 0;  // which command; past the last one when the script has no check-sat
  uint32_t number = 0;
  smtlib::AnswerText model;
};

// What became of one pair, ready to be shown.
struct Outcome {
  uint32_t number = 0;
  std::string answer;  // what the solver said of this check
  oracle::ModelVerdict found;
  base::Location where;  // of the claim that does not hold
  std::vector<ir::Warning> warnings;
};

base::Error bad_usage(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

// About a file as a whole.
base::Error bad_model(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {1, 1}};
}

// --- Which model belongs to which check-sat. ---

base::Result<std::vector<Pair>> pair_up(const CheckOptions& options, const ir::Script& script,
                                        const std::vector<smtlib::AnswerText>& answers) {
  const std::vector<size_t> checks = ir::checks_of(script);
  std::vector<Pair> pairs;
  std::vector<smtlib::AnswerText> models;
  for (const smtlib::AnswerText& answer : answers) {
    if (answer.has_model()) models.push_back(answer);
  }
  if (models.empty()) return bad_model("there is no model in it");
  if (options.check > std::max<size_t>(checks.size(), 1)) {
    return bad_model(fmt::format("there is no check-sat {}: the script has {}", options.check,
                                 base::counted(checks.size(), "check-sat command")));
  }
  if (checks.empty()) return std::vector<Pair>{{script.commands.size(), 1, models.back()}};
  if (models.size() == 1 && (options.check != 0 || answers.size() != checks.size())) {
    const auto number = static_cast<uint32_t>(options.check != 0 ? options.check : checks.size());
    return std::vector<Pair>{{checks[number - 1], number, models[0]}};
  }
  if (answers.size() > checks.size()) {
    return bad_model(fmt::format("there are {}, but the script has {}",
                                 base::counted(answers.size(), "answer"),
                                 base::counted(checks.size(), "check-sat command")));
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto number = static_cast<uint32_t>(i + 1);
    const bool wanted = options.check == 0 || options.check == number;
    if (wanted && answers[i].has_model()) pairs.push_back({checks[i], number, answers[i]});
  }
  if (pairs.empty()) return bad_model("there is no model for this check-sat");
  return pairs;
}

// --- Judging. ---

base::Result<Outcome> judge_pair(const CheckOptions& options, ir::TermStore& store,
                                 const ir::Script& script, const Pair& pair,
                                 std::string_view text) {
  const auto read = [&](smtlib::Strings strings) {
    return smtlib::parse_model(store, script, pair.check, text, pair.model, strings);
  };
  constexpr size_t kFewSteps = 12;
  constexpr size_t kManySteps = 60;
  const oracle::ModelCheckSettings settings{
      .steps = options.steps,
      .explanation_steps = options.explain ? kManySteps : kFewSteps,
      .explain_unknown = options.explain};
  Outcome outcome;
  ELENCHUS_ASSIGN_OR_RETURN(oracle::JudgedModel judged,
                            oracle::check_printed_model(store, script, pair.check, read, settings));
  outcome.found = std::move(judged.verdict);
  outcome.number = pair.number;
  outcome.answer = pair.model.answer;
  outcome.warnings = std::move(judged.model.warnings);
  if (pair.model.trouble.line != 0) {
    outcome.warnings.push_back(
        {pair.model.trouble, "the solver reported an error: it may have left something out"});
  }
  if (outcome.found.verdict != Verdict::kValid) {
    outcome.where = script.commands[outcome.found.claim.command].where;
  }
  return outcome;
}

// --- Output. ---

Verdict overall(const std::vector<Outcome>& outcomes) {
  Verdict verdict = Verdict::kValid;
  for (const Outcome& outcome : outcomes) {
    if (outcome.found.verdict == Verdict::kInvalid) return Verdict::kInvalid;
    if (outcome.found.verdict == Verdict::kUnknown) verdict = Verdict::kUnknown;
  }
  return verdict;
}

int exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kValid: return kNothingWrong;
    case Verdict::kInvalid: return kBugFound;
    case Verdict::kUnknown: return kUndecided;
  }
  return kInternalError;
}

// What the model says nothing of, and what the standard leaves open.
std::vector<std::string> left_open(const Outcome& outcome) {
  std::vector<std::string> names = outcome.found.completed;
  names.insert(names.end(), outcome.found.chosen.begin(), outcome.found.chosen.end());
  return names;
}

std::string text_of(const CheckOptions& options, const Outcome& outcome) {
  std::string text =
      fmt::format("check-sat {}: {}\n", outcome.number, eval::to_string(outcome.found.verdict));
  if (outcome.found.verdict == Verdict::kValid) {
    text += fmt::format("  {} hold{}\n", base::counted(outcome.found.claims, "assertion"),
                        outcome.found.claims == 1 ? "s" : "");
  } else {
    const bool is_false = outcome.found.verdict == Verdict::kInvalid;
    text +=
        fmt::format("  {}:{}:{}: {}: {}\n", options.file, outcome.where.line, outcome.where.column,
                    is_false ? "false" : "unknown", outcome.found.claim_text);
    if (!is_false) text += fmt::format("  reason: {}\n", outcome.found.reason);
    // The first one is the claim itself.
    for (size_t i = 1; i < outcome.found.explanation.size(); ++i) {
      text += "  " + oracle::text_of(outcome.found.explanation[i]) + '\n';
    }
  }
  if (outcome.answer == "unknown") {
    text += "  note: the solver answered unknown, so it does not claim that this is a model\n";
  }
  for (const std::string& name : left_open(outcome)) {
    text += fmt::format("  note: the model says nothing of {}; some value was taken\n", name);
  }
  return text;
}

Json json_of(const Outcome& outcome) {
  Json json = {{"check", outcome.number},
               {"answer", outcome.answer},
               {"verdict", eval::to_string(outcome.found.verdict)},
               {"assertions", outcome.found.claims},
               {"completed", left_open(outcome)}};
  if (outcome.found.verdict != Verdict::kValid) {
    json["line"] = outcome.where.line;
    json["column"] = outcome.where.column;
    json["assertion"] = outcome.found.claim_text;
    if (outcome.found.verdict == Verdict::kUnknown) json["reason"] = outcome.found.reason;
    json["explanation"] = Json::array();
    for (const oracle::ExplainedStep& line : outcome.found.explanation) {
      json["explanation"].push_back(
          {{"depth", line.depth}, {"term", line.term}, {"value", line.value}});
    }
  }
  return json;
}

std::string report(const CheckOptions& options, const std::vector<Outcome>& outcomes) {
  const Verdict verdict = overall(outcomes);
  if (options.json) {
    Json checks = Json::array();
    for (const Outcome& outcome : outcomes) checks.push_back(json_of(outcome));
    const Json json = {{"file", options.file},
                       {"model", options.model},
                       {"verdict", eval::to_string(verdict)},
                       {"checks", checks}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  }
  std::string text = fmt::format("{}\n", eval::to_string(verdict));
  if (options.quiet) return text;
  for (const Outcome& outcome : outcomes) text += text_of(options, outcome);
  return text;
}

// --- The command. ---

// An error and the file that it is about.
struct Failure {
  base::Error error;
  std::string file;
};

int fail_check(const CheckOptions& options, const Failure& failure) {
  tell("{}\n", base::describe(failure.error, failure.file));
  if (options.json) {
    const Json json = {{"file", options.file},
                       {"model", options.model},
                       {"verdict", nullptr},
                       {"error",
                        {{"file", failure.file},
                         {"kind", base::to_string(failure.error.kind)},
                         {"line", failure.error.where.line},
                         {"column", failure.error.where.column},
                         {"message", failure.error.message}}}};
    put("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return kBadInput;
}

int run_check(const CheckOptions& options) {
  if (options.file == "-" && options.model == "-") {
    return fail_check(options,
                      {bad_usage("only one of FILE and MODEL can be standard input"), "-"});
  }
  const auto script_text = read_input(options.file);
  if (!script_text) return fail_check(options, {script_text.error(), options.file});
  const auto model_text = read_input(options.model);
  if (!model_text) return fail_check(options, {model_text.error(), options.model});

  const auto ops = operators_with(options.operators);
  if (!ops) return fail_check(options, {ops.error(), options.operators});
  ir::TermStore store(*ops);
  const auto script = smtlib::parse_script(store, script_text->view());
  if (!script) return fail_check(options, {script.error(), options.file});
  const auto answers = smtlib::split_answers(model_text->view());
  if (!answers) return fail_check(options, {answers.error(), options.model});
  const auto pairs = pair_up(options, *script, *answers);
  if (!pairs) return fail_check(options, {pairs.error(), options.model});

  std::vector<Outcome> outcomes;
  for (const Pair& pair : *pairs) {
    auto outcome = judge_pair(options, store, *script, pair, model_text->view());
    if (!outcome) return fail_check(options, {outcome.error(), options.model});
    for (const ir::Warning& warning : outcome->warnings) {
      if (options.quiet) break;
      tell("{}:{}:{}: warning: {}\n", options.model, warning.where.line, warning.where.column,
           warning.message);
    }
    outcomes.push_back(std::move(*outcome));
  }
  const auto written = write_output(options.out, report(options, outcomes));
  if (!written) return fail_check(options, {written.error(), shown_output(options.out)});
  return exit_code_of(overall(outcomes));
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "Evaluate the assertions of a script under a solver's model");
  check->add_option("FILE", options->file, "an SMT-LIB script; - is standard input")->required();
  check
      ->add_option("MODEL", options->model,
                   "what a solver printed for (get-model), with its answers or without")
      ->required();
  check->add_flag("--explain", options->explain,
                  "the way from the false assertion down to the values that make it false");
  check->add_flag("--json", options->json, "one JSON object");
  require_positive(
      *check
           ->add_option("--check", options->check,
                        "which check-sat the model is for, counted from 1; default: taken "
                        "from the answers in MODEL, else the last")
           ->type_name("N"));
  require_positive(*add_number(*check, "--steps", options->steps,
                               "how much the evaluation of an assertion may cost")
                        ->capture_default_str());
  add_operators(*check, options->operators);
  check->add_option("-o,--out", options->out, "where the output goes instead of standard output")
      ->type_name("FILE");
  add_rng(*check, options->rng, "accepted everywhere; check draws nothing at random")
      ->group(kHidden);
  check->add_flag("-q,--quiet", options->quiet, "only the verdict");
  check->footer(
      "The first word of the output is valid, invalid or unknown, and the exit code 0, 1 or 4.\n"
      "Where the standard leaves a value open and the model does not say it, or a quantifier has\n"
      "too many values to try, the verdict is unknown, with the reason.\n\n"
      "Examples:\n"
      "  z3 bug.smt2 > bug.out; elenchus check bug.smt2 bug.out --explain\n"
      "  cvc5 --produce-models bug.smt2 | elenchus check --json bug.smt2 -");
  check->callback([options, &exit_code] { exit_code = run_check(*options); });
}

}  // namespace elenchus::cli
