// Formulas that a solver gives in place of an answer, each with a promise. A are the assertions, L
// is the last of them, and B are those before it:
//
//   (apply T)             R has the value of A: the tactic keeps goals equivalent
//   (get-qe L)            R has the value of L where B hold, without the quantifiers
//   (get-interpolant L)   where B hold, R does; where R holds, L does not (B and L are unsat)
//   (get-abduct L)        where B and R hold, L does not
//
// (interpolants and abducts are asked for with the negation of L.) An assignment of the free
// symbols that breaks the promise is searched for by evaluation, from what models there are; and
// solvers are asked for one, whose model is evaluated. That an abduct is consistent with B, and
// that an interpolant keeps to common symbols, is not looked into.
//
// The request stands in the script that shows a finding: that script is reduced, and the request is
// made again for what is left.
#include "oracle/elimination.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "eval/nearby.h"
#include "ir/apply.h"
#include "ir/settings.h"
#include "ir/timeline.h"
#include "oracle/oracle.h"
#include "oracle/variants.h"
#include "smtlib/lexer.h"
#include "smtlib/model_printer.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::oracle {
namespace {

using ir::CommandKind;
using ir::Op;
using ir::TermId;
using smtlib::TokenKind;
using solver::Outcome;

constexpr std::string_view kResult = "elenchus-result";  // what definitions of formulas are called
constexpr size_t kLargestResult = 1U << 18;              // bytes

enum class Way : uint8_t { kTactic, kElimination, kInterpolant, kAbduct };

// What is special about each way of asking.
struct WayInfo {
  std::string_view command;
  std::string_view option;  // without which the solver refuses
  bool is_named = false;    // the command has a name for the result, and the negation of the last
                            // assertion
  std::string_view claim;   // after the solver's name
  std::string_view promise;
};
constexpr WayInfo kWays[] = {
    {"apply", "", false, "", ""},
    {"get-qe", "", false,
     "eliminates quantifiers, and the result is not what the last assertion is",
     "where the others hold it must have the value of the last assertion"},
    {"get-interpolant", ":produce-interpolants", true, "gives an interpolant that is none",
     "it must be true where the others hold, and false where the last assertion holds"},
    {"get-abduct", ":produce-abducts", true, "gives an abduct from which nothing follows",
     "where it and the others hold, the last assertion must be false"},
};

struct Request {
  Way way = Way::kTactic;
  std::string tactic = {};

  const WayInfo& info() const { return kWays[static_cast<size_t>(way)]; }
  bool is_about_last() const { return way != Way::kTactic; }
};

std::optional<Way> way_of(std::string_view command) {
  for (size_t i = 0; i < std::size(kWays); ++i) {
    if (kWays[i].command == command) return static_cast<Way>(i);
  }
  return {};
}

// As a profile has it.
std::optional<Request> request_of(std::string_view text) {
  if (text.find("{}") == std::string_view::npos) return Request{.tactic = std::string(text)};
  smtlib::Lexer lexer(text);
  lexer.next();
  const auto way = way_of(lexer.next().text);
  if (!way) return {};
  return Request{.way = *way};
}

// A result as a formula, from what (apply T) prints: goals are joined by `or`, and the formulas of
// each by `and`. Nothing for a goal that is not equivalent by its own words.
std::optional<std::string> formula_of(std::string_view printed) {
  if (printed.size() > kLargestResult || printed.find('\\') != std::string_view::npos) return {};
  smtlib::Lexer lexer(printed);
  const auto opens = [&](std::string_view word) {
    return lexer.next().kind == TokenKind::kOpen && lexer.next().text == word;
  };
  if (!opens("goals")) return {};
  std::string any = "(or false";
  while (lexer.peek() == '(') {
    if (!opens("goal")) return {};
    std::string all = " (and true";
    bool is_precise = false;
    while (lexer.peek() != ')' && lexer.peek() != '\0') {
      const uint32_t from = lexer.offset();
      if (lexer.peek() == ':') {
        const smtlib::Token key = lexer.next();
        const smtlib::Token value = lexer.next();
        if (key.text == ":precision") is_precise = value.text == "precise";
        continue;
      }
      if (!lexer.skip_expression()) return {};
      all.append(" ").append(lexer.text(from, lexer.offset()));
    }
    if (lexer.next().kind != TokenKind::kClose || !is_precise) return {};
    any += all + ")";
  }
  if (lexer.next().kind != TokenKind::kClose) return {};
  return any + ")";
}

// The same from what the other commands print: a formula, or the definition of one.
std::optional<std::string> formula_in(const Request& request, std::string_view printed) {
  if (!request.is_about_last()) return formula_of(printed);
  if (printed.size() > kLargestResult || printed.find('\\') != std::string_view::npos) return {};
  smtlib::Lexer lexer(printed);
  if (request.info().is_named) {
    const bool is_definition =
        lexer.next().kind == TokenKind::kOpen && lexer.next().text == "define-fun" &&
        smtlib::is_symbol(lexer.next()) && lexer.next().kind == TokenKind::kOpen &&
        lexer.next().kind == TokenKind::kClose && lexer.next().text == "Bool";
    if (!is_definition) return {};
  }
  lexer.peek();
  const uint32_t from = lexer.offset();
  if (!lexer.skip_expression()) return {};
  const std::string formula(lexer.text(from, lexer.offset()));
  if (formula.starts_with("(error") || formula == "unsupported" || formula == "fail") return {};
  if (request.info().is_named && lexer.next().kind != TokenKind::kClose) return {};
  if (lexer.next().kind != TokenKind::kEnd) return {};
  return formula;
}

// Without what asks for something: the declarations, and the assertions as the goal.
ir::Script goal_of(const ir::TermStore& store, const ir::Script& flat) {
  ir::Script goal = flat;
  const auto is_of_request = [&](const ir::Command& command) {
    const auto is_it = [&](const WayInfo& way) {
      return !way.option.empty() && store.symbols().text(command.text) == way.option;
    };
    return command.kind == CommandKind::kSetOption && command.text.valid() &&
           std::any_of(std::begin(kWays), std::end(kWays), is_it);
  };
  std::erase_if(goal.commands, [&](const ir::Command& command) {
    return ir::is_check(command.kind) || command.kind == CommandKind::kText ||
           is_of_request(command);
  });
  return goal;
}

bool is_assert(const ir::Command& command) { return command.kind == CommandKind::kAssert; }

// Where the last assertion is; the number of commands where there is none.
size_t last_assertion(const ir::Script& goal) {
  size_t last = goal.commands.size();
  for (size_t i = 0; i < goal.commands.size(); ++i) {
    if (is_assert(goal.commands[i])) last = i;
  }
  return last;
}

// The goal with an assertion at its end that this can be asked about; nothing where there is none.
std::optional<ir::Script> arranged(const ir::TermStore& store, const ir::Script& goal,
                                   const Request& request) {
  if (!request.is_about_last()) return goal;
  ir::Script changed = goal;
  auto& commands = changed.commands;
  const auto is_fit = [&](const ir::Command& command) {
    const Op op = is_assert(command) ? store.op(command.term) : Op::kNone;
    const bool is_quantified = op == Op::kForall || op == Op::kExists;
    return is_assert(command) && (request.way != Way::kElimination || is_quantified);
  };
  const auto found = std::find_if(commands.rbegin(), commands.rend(), is_fit);
  if (found == commands.rend()) return {};
  if (request.way == Way::kInterpolant &&
      std::count_if(commands.begin(), commands.end(), is_assert) < 2) {
    return {};
  }
  std::rotate(std::prev(found.base()), found.base(), commands.end());
  return changed;
}

// The command that asks; nothing where it cannot be written.
std::optional<ir::Command> command_for(ir::TermStore& store, const ir::Script& goal,
                                       const Request& request) {
  const WayInfo& way = request.info();
  std::string about = request.tactic;
  if (request.is_about_last()) {
    const auto text = smtlib::print_term(store, goal.commands[last_assertion(goal)].term);
    if (!text) return {};
    about = *text;
  }
  if (way.is_named) {
    about = fmt::format("{} (not {})", kResult, about);
  }
  ir::Command command;
  command.kind = CommandKind::kText;
  command.text = store.symbols().intern(fmt::format("({} {})", way.command, about));
  return command;
}

// The goal with the question: behind all assertions, or before the last, which it is about.
std::optional<ir::Script> asking(ir::TermStore& store, const ir::Script& goal,
                                 const Request& request, bool has_last) {
  ir::Script script = goal;
  auto& commands = script.commands;
  const auto command = command_for(store, goal, request);
  if (!command) return {};
  if (request.is_about_last()) {
    const ir::Command last = commands[last_assertion(goal)];
    commands.erase(commands.begin() + static_cast<std::ptrdiff_t>(last_assertion(goal)));
    commands.push_back(*command);
    if (has_last) commands.push_back(last);
  } else {
    commands.push_back(*command);
  }
  if (!request.info().option.empty()) {
    ir::Command option;
    option.kind = CommandKind::kSetOption;
    option.text = store.symbols().intern(request.info().option);
    option.value = store.symbols().intern("true");
    commands.insert(commands.begin(), option);
  }
  return script;
}

// That of a script that shows a finding; nothing in other scripts.
std::optional<Request> request_in(const ir::TermStore& store, const ir::Script& script) {
  for (const ir::Command& command : script.commands) {
    if (command.kind != CommandKind::kText) continue;
    const std::string_view name = ir::text_command_name(store, command);
    const auto way = way_of(name);
    if (!way) continue;
    if (*way != Way::kTactic) return Request{.way = *way};
    std::string_view text = store.symbols().text(command.text);
    text.remove_prefix(text.find(name) + name.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    return Request{.tactic = std::string(text.substr(0, text.rfind(')')))};
  }
  return {};
}

// The same request for the same text, and all of them in their turns.
const std::string& request_for(const std::vector<std::string>& tactics, std::string_view text) {
  uint64_t hash = 1469598103934665603ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return tactics[(hash >> 16) % tactics.size()];
}

// The goal and what a solver made of it, as one term that is true where the promise is broken. It
// has symbols of its own, with the same names.
struct Difference {
  ir::Script script;  // declarations, the difference asserted, a check
  TermId others;      // the assertions but the last, where that is what the request is about
  TermId asked;       // the last, or all of them
  TermId result;
};

TermId broken_promise(ir::TermStore& store, const Request& request, const Difference& difference) {
  const auto apply = [&](Op op, std::vector<TermId> args) {
    std::erase_if(args, [](TermId term) { return !term.valid(); });
    return args.size() == 1 && op != Op::kNot ? args[0] : ir::apply(store, op, args);
  };
  const auto& [script, others, asked, result] = difference;
  switch (request.way) {
    case Way::kTactic: return apply(Op::kDistinct, {asked, result});
    case Way::kElimination: return apply(Op::kAnd, {others, apply(Op::kDistinct, {asked, result})});
    case Way::kInterpolant:
      return apply(Op::kOr, {apply(Op::kAnd, {others, apply(Op::kNot, {result})}),
                             apply(Op::kAnd, {result, asked})});
    case Way::kAbduct: return apply(Op::kAnd, {others, result, asked});
  }
  return {};
}

std::optional<Difference> difference_of(ir::TermStore& store, const ir::Script& goal,
                                        const Request& request, const std::string& result) {
  const auto text = smtlib::print_script(store, goal);
  if (!text) return {};
  auto parsed = smtlib::parse_script(store, *text + "(assert " + result + ")\n(check-sat)\n");
  if (!parsed) return {};
  Difference difference{.script = std::move(*parsed), .others = {}, .asked = {}, .result = {}};
  auto& commands = difference.script.commands;
  std::vector<TermId> claims;
  for (const ir::Command& command : commands) {
    if (command.kind == CommandKind::kAssert) claims.push_back(command.term);
  }
  if (claims.size() < 2 || store.has(claims.back(), ir::kHasUnknown)) return {};
  difference.result = claims.back();
  claims.pop_back();
  if (request.is_about_last()) {
    difference.asked = claims.back();
    claims.pop_back();
  }
  TermId rest;
  if (!claims.empty()) rest = claims.size() == 1 ? claims[0] : ir::apply(store, Op::kAnd, claims);
  (request.is_about_last() ? difference.others : difference.asked) = rest;
  const TermId differ = broken_promise(store, request, difference);
  if (!differ.valid()) return {};
  std::erase_if(commands, [](const auto& one) { return one.kind == CommandKind::kAssert; });
  ir::Command claim;
  claim.kind = CommandKind::kAssert;
  claim.term = differ;
  commands.insert(commands.end() - 1, claim);
  return difference;
}

class EliminationOracle : public Oracle {
 public:
  std::string_view name() const override { return "elimination"; }
  uint32_t cost() const override { return 3; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    const auto goal = goal_at_end(exam);
    const auto text =
        goal ? smtlib::print_script(exam.store(), *goal) : base::Result<std::string>("");
    if (!goal || !text) return;
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const auto& requests = exam.solver(i).profile->formulas.tactics;
      const solver::Run* run = exam.find_run(i);
      if (requests.empty() || run == nullptr || run->outcome == Outcome::kRejected) continue;
      judge_goal(exam, i, *goal, request_for(requests, *text), findings);
    }
  }

  void judge_one(Exam& exam, size_t solver, std::string_view request,
                 std::vector<Finding>& findings) const {
    if (const auto goal = goal_at_end(exam)) judge_goal(exam, solver, *goal, request, findings);
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    const auto request = request_in(exam.store(), exam.test().script);
    auto goal = goal_at_end(exam);
    if (request && goal) goal = arranged(exam.store(), *goal, *request);
    if (!request || !goal) return {};
    return compare(exam, finding.solver, *goal, *request, &finding);
  }

 private:
  static std::optional<ir::Script> goal_at_end(Exam& exam) {
    ir::TermStore& store = exam.store();
    const size_t check = exam.checks().empty() ? 0 : exam.checks().back();
    if (exam.checks().empty() || !has_settled_meaning(store, exam.test().script, check)) return {};
    const auto flat = flattened(store, exam.test().script, check);
    if (!flat) return {};
    return goal_of(store, *flat);
  }

  void judge_goal(Exam& exam, size_t solver, const ir::Script& goal, std::string_view text,
                  std::vector<Finding>& findings) const {
    const auto request = request_of(text);
    if (!request) return;
    // An interpolant is there where the answer is unsat; else the search for one has no end.
    const bool is_unsat = exam.find_run(solver) != nullptr &&
                          exam.answer(solver, exam.checks().size() - 1) == Outcome::kUnsat;
    if (request->way == Way::kInterpolant && !is_unsat) return;
    const auto fit = arranged(exam.store(), goal, *request);
    if (!fit) return;
    auto found = compare(exam, solver, *fit, *request, nullptr);
    if (found) findings.push_back(std::move(*found));
  }

  std::optional<Finding> compare(Exam& exam, size_t solver, const ir::Script& goal,
                                 const Request& request, const Finding* before) const {
    ir::TermStore& store = exam.store();
    const auto asked = asking(store, goal, request, false);
    if (!asked) return {};
    const solver::Run run = exam.lab().run(solver, *asked, {.models = false, .requests = true});
    if (run.outcome == Outcome::kCrash || run.outcome == Outcome::kRejected) return {};
    const auto result = formula_in(request, run.out);
    if (!result) return {};
    const auto difference = difference_of(store, goal, request, *result);
    if (!difference) return {};
    const auto model = telling_model(exam, *difference, before);
    if (!model) return {};
    const auto text = smtlib::print_model(store, *model);
    auto shown = asking(store, goal, request, true);
    if (!text || !shown) return {};
    ir::Command check;
    check.kind = CommandKind::kCheckSat;
    shown->commands.push_back(check);
    Finding finding;
    finding.kind = Kind::kWrongElimination;
    finding.oracle = name();
    finding.solver = solver;
    finding.claim = claim_of(exam.solver(solver).name, request);
    finding.evidence = evidence_of(store, request, *difference, *model, *result);
    finding.witness = *text;
    finding.reply = run.out;
    finding.model = own_model(exam, *shown, *text);
    finding.script = std::move(shown);
    if (!finding.model) return {};
    return finding;
  }

  static std::string claim_of(const std::string& solver, const Request& request) {
    if (request.is_about_last()) return fmt::format("{} {}", solver, request.info().claim);
    return fmt::format(
        "{} makes of the assertions, by (apply {}), a formula that differs from them", solver,
        request.tactic);
  }

  // The assignment in terms of the script that shows the finding.
  static std::optional<ir::Model> own_model(Exam& exam, const ir::Script& script,
                                            const std::string& text) {
    auto model = smtlib::read_model(exam.store(), script, script.commands.size() - 1, text);
    if (!model) return {};
    return std::move(*model);
  }

  static std::string evidence_of(ir::TermStore& store, const Request& request,
                                 const Difference& difference, const ir::Model& model,
                                 const std::string& result) {
    constexpr size_t kMost = 1000;
    eval::Evaluator evaluator(store, model, {.complete = true});
    const auto value_of = [&](TermId term) {
      return !term.valid() || evaluator.evaluate(term).is_true() ? "true" : "false";
    };
    const std::string shown = base::shown(result, kMost);
    if (!request.is_about_last()) {
      return fmt::format(
          "under the assignment below the assertions are {}, and the result is {}:\n{}",
          value_of(difference.asked), value_of(difference.result), shown);
    }
    return fmt::format(
        "under the assignment below the last assertion is {}, the others are {}, and the result is "
        "{} ({}):\n{}",
        value_of(difference.asked), value_of(difference.others), value_of(difference.result),
        request.info().promise, shown);
  }

  // An assignment under which the two differ whatever is left open.
  static std::optional<ir::Model> telling_model(Exam& exam, const Difference& difference,
                                                const Finding* before) {
    ir::TermStore& store = exam.store();
    const size_t check = difference.script.commands.size() - 1;
    const auto claims = ir::claims_at(difference.script, check);
    const auto tells = [&](const ir::Model& model) {
      const auto verdict =
          check_model(store, difference.script, check, model, {.explanation_steps = 0});
      return verdict && is_proof(*verdict) && verdict->chosen.empty();
    };
    for (const std::string& text : known_models(exam, before)) {
      const auto model = smtlib::read_model(store, difference.script, check, text);
      if (!model) continue;
      if (tells(*model)) return *model;
      const auto nearby = eval::find_nearby(store, claims, *model);
      if (nearby && tells(*nearby)) return *nearby;
    }
    const auto nearby = eval::find_nearby(store, claims, ir::Model());
    if (nearby && tells(*nearby)) return *nearby;
    Exam asked(store, {.script = difference.script}, exam.lab());
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      if (!exam.may_ask(i)) continue;
      asked.run(i);
      const JudgedModel* judged = asked.model(i, 0);
      if (judged != nullptr && tells(judged->model)) return judged->model;
    }
    return {};
  }

  // Models as texts: those of the runs, and the finding's witness.
  static std::vector<std::string> known_models(const Exam& exam, const Finding* before) {
    std::vector<std::string> texts;
    if (before != nullptr && !before->witness.empty()) texts.push_back(before->witness);
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run != nullptr && !run->checks.empty() && !run->checks.back().model.empty()) {
        texts.push_back(run->checks.back().model);
      }
    }
    return texts;
  }
};

}  // namespace

const Oracle& elimination_oracle() {
  static const EliminationOracle oracle;
  return oracle;
}

void judge_formula(Exam& exam, size_t solver, std::string_view request,
                   std::vector<Finding>& findings) {
  const auto& oracle = static_cast<const EliminationOracle&>(elimination_oracle());
  oracle.judge_one(exam, solver, request, findings);
}

ir::Script with_request_renewed(ir::TermStore& store, const ir::Script& script) {
  const auto request = request_in(store, script);
  const auto checks = ir::checks_of(script);
  if (!request || checks.empty()) return script;
  const auto flat = flattened(store, script, checks.back());
  const auto goal = flat ? arranged(store, goal_of(store, *flat), *request) : std::nullopt;
  auto renewed = goal ? asking(store, *goal, *request, true) : std::nullopt;
  if (!renewed) return script;
  ir::Command check;
  check.kind = CommandKind::kCheckSat;
  renewed->commands.push_back(check);
  return *renewed;
}

}  // namespace elenchus::oracle
