// Where a wrong answer arises. A solver that can be asked what it makes of a formula before it
// searches can be caught in the act: what it made is read back and evaluated under the model that
// proves the answer wrong.
//
// There are two ways to be caught. Of a formula that the model makes true, every step has to make
// one that is true, too, whatever else it leaves out: tactics may drop variables with their
// definitions, and what they bring in has no value and makes the result unknown. Of a formula that
// the model makes false (the wrong model of a wrong sat), only a step that gives an equivalent
// formula has to give one that is false. Tactics that keep satisfiability alone (symmetries, values
// for unconstrained variables, under-approximations) are in neither list.
#include "diagnose/steps.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "diagnose/pieces.h"
#include "ir/timeline.h"
#include "oracle/model_check.h"
#include "oracle/variants.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/inquiry.h"

namespace elenchus::diagnose {
namespace {

using eval::Verdict;
using oracle::Kind;

// A tactic of z3, and what it promises of its result beyond that a model stays one.
struct Tactic {
  std::string_view name;
  bool is_equivalent;
};

// In the order in which z3's own strategies use them; the last ones are what they lead to.
constexpr auto kTactics = std::to_array<Tactic>({
    {"simplify", true},
    {"propagate-values", true},
    {"ctx-simplify", true},
    {"elim-and", true},
    {"nnf", false},
    {"der", true},
    {"distribute-forall", true},
    {"solve-eqs", false},
    {"elim-uncnstr", false},
    {"macro-finder", false},
    {"quasi-macros", false},
    {"ufbv-rewriter", false},
    {"cofactor-term-ite", true},
    {"blast-term-ite", true},
    {"propagate-ineqs", true},
    {"propagate-bv-bounds", true},
    {"purify-arith", false},
    {"factor", true},
    {"fm", false},
    {"qe-light", true},
    {"reduce-bv-size", false},
    {"max-bv-sharing", true},
    {"elim-small-bv", false},
    {"(then simplify propagate-values solve-eqs simplify)", false},
    {"(then simplify elim-uncnstr simplify)", false},
    {"(then simplify ctx-simplify)", true},
});

constexpr size_t kMostText = 400;

class Inquest {
 public:
  explicit Inquest(const Subject& subject) : subject_(subject) {}

  Steps run() {
    if (!read()) return {};
    const std::string& profile = subject_.guilty().profile->name;
    if (profile == "z3") ask_z3();
    if (profile == "cvc5" && steps_.culprit.empty()) ask_cvc5();
    return std::move(steps_);
  }

 private:
  bool is_crash() const { return subject_.finding.kind == Kind::kCrash; }

  // What is asserted, as text, and the model under which it is to be looked at.
  bool read() {
    const auto checks = ir::checks_of(subject_.test.script);
    if (checks.empty()) return false;
    const size_t check = checks[std::min(subject_.finding.check, checks.size() - 1)];
    const auto flat = oracle::flattened(subject_.store, subject_.test.script, check);
    if (!flat) return false;
    const auto declarations = smtlib::print_script(subject_.store, oracle::with_only(*flat, {}));
    if (!declarations) return false;
    constexpr std::string_view kCheck = "(check-sat)";
    declarations_ = declarations->substr(0, declarations->rfind(kCheck));
    for (const ir::Claim& claim : ir::claims_at(*flat, ir::checks_of(*flat).back())) {
      const auto text = smtlib::print_term(subject_.store, claim.term);
      if (!text) return false;
      claims_.push_back(*text);
    }
    if (is_crash()) return true;
    model_ = subject_.finding.witness.empty() ? model_given() : subject_.finding.witness;
    const auto verdict = verdict_of(declarations_ + asserted());
    is_true_ = verdict == Verdict::kValid;
    return verdict == Verdict::kValid || verdict == Verdict::kInvalid;
  }

  // That of the solver, where no witness is known: of a wrong sat.
  std::string model_given() {
    const solver::Run run = subject_.lab.run(subject_.finding.solver, subject_.test.script, {});
    const size_t check = subject_.finding.check;
    return check < run.checks.size() ? run.checks[check].model : std::string();
  }

  std::string asserted() const {
    std::string text;
    for (const std::string& claim : claims_) text += fmt::format("(assert {})\n", claim);
    return text;
  }

  // Whether the model makes all of a script true. Either answer is proof: what the model does not
  // know makes it unknown, and so does a backslash, which z3 prints in two meanings.
  Verdict verdict_of(const std::string& text) {
    if (text.find('\\') != std::string::npos) return Verdict::kUnknown;
    const auto script = smtlib::parse_script(subject_.store, text + "(check-sat)\n");
    if (!script) return Verdict::kUnknown;
    const size_t check = ir::checks_of(*script).back();
    const auto model = smtlib::read_model(subject_.store, *script, check, model_);
    if (!model) return Verdict::kUnknown;
    const auto checked =
        oracle::check_model(subject_.store, *script, check, *model, {.explanation_steps = 0});
    if (!checked) return Verdict::kUnknown;
    false_claim_ = checked->claim_text;
    const bool is_doubtful = checked->verdict == Verdict::kValid && !oracle::is_proof(*checked);
    return is_doubtful ? Verdict::kUnknown : checked->verdict;
  }

  std::string say(const std::vector<std::string>& more, const std::string& input, bool& has_died) {
    std::vector<std::string> arguments =
        solver::command_line(subject_.guilty(), false, solver::needs_of(input));
    arguments.erase(arguments.begin());
    arguments.insert(arguments.end(), more.begin(), more.end());
    solver::RunLimits limits = subject_.lab.full_limits();
    solver::Printed printed;
    subject_.lab.in_turn(subject_.finding.solver, [&] {
      printed = solver::output_of(subject_.guilty(), arguments, input, limits);
      return lab::Expense{printed.seconds, printed.cpu_seconds};
    });
    has_died = printed.signal != 0 || has_crashed(printed.out) || has_crashed(printed.err);
    return std::move(printed.out);
  }

  bool has_crashed(std::string_view output) const {
    const auto& marks = subject_.guilty().profile->crashes;
    return std::any_of(marks.begin(), marks.end(), [&](const solver::TextMark& mark) {
      return output.find(mark.text) != std::string_view::npos;
    });
  }

  void blame(std::string step, std::string what) {
    steps_.culprit = std::move(step);
    steps_.what = std::move(what);
    steps_.made = base::shown(false_claim_, kMostText);
  }

  // --- z3 ---

  void ask_z3() {
    for (const std::string& claim : claims_) {
      if (subject_.stop() || !simplify(claim)) return;
    }
    for (const Tactic& tactic : kTactics) {
      if (subject_.stop() || !apply(tactic)) return;
    }
  }

  // False where it is to blame.
  bool simplify(const std::string& claim) {
    bool has_died = false;
    const std::string said =
        say({}, declarations_ + fmt::format("(simplify {})\n", claim), has_died);
    if (has_died && is_crash()) {
      blame("simplify", "crashes on the assertion alone");
      return false;
    }
    const auto made = expressions_in(said);
    if (is_crash() || made.size() != 1 || made[0].starts_with("(error")) return true;
    const Verdict before = verdict_of(declarations_ + fmt::format("(assert {})\n", claim));
    const Verdict after = verdict_of(declarations_ + fmt::format("(assert {})\n", made[0]));
    const bool is_wrong = (before == Verdict::kValid && after == Verdict::kInvalid) ||
                          (before == Verdict::kInvalid && after == Verdict::kValid);
    if (!is_wrong) return true;
    false_claim_ = made[0];
    blame("simplify",
          fmt::format("makes of {}, which is {} under the model, something that is {}",
                      base::shown(claim, kMostText), before == Verdict::kValid ? "true" : "false",
                      after == Verdict::kValid ? "true" : "false"));
    return false;
  }

  // Goals are alternatives.
  Verdict verdict_of_goals(const std::vector<std::vector<std::string_view>>& goals) {
    Verdict best = Verdict::kInvalid;
    for (const auto& goal : goals) {
      std::string text = declarations_;
      for (const std::string_view formula : goal) text += fmt::format("(assert {})\n", formula);
      const Verdict verdict = verdict_of(text);
      if (verdict == Verdict::kValid) return verdict;
      if (verdict == Verdict::kUnknown) best = verdict;
    }
    return best;
  }

  bool apply(const Tactic& tactic) {
    const std::string step = fmt::format("(apply {})", tactic.name);
    bool has_died = false;
    const std::string said = say({}, declarations_ + asserted() + step + "\n", has_died);
    if (has_died && is_crash()) {
      blame(step, "crashes");
      return false;
    }
    const auto goals = goals_in(said);
    if (!goals || goals->empty()) return true;
    if (is_crash()) {
      steps_.kept.emplace_back(tactic.name);
      return true;
    }
    const Verdict verdict = verdict_of_goals(*goals);
    const bool loses = is_true_ && verdict == Verdict::kInvalid;
    const bool gains = !is_true_ && tactic.is_equivalent && verdict == Verdict::kValid;
    if (loses) blame(step, "makes something false of what the model makes true");
    if (gains) blame(step, "makes something true of what the model makes false");
    const bool tells = verdict != Verdict::kUnknown && (is_true_ || tactic.is_equivalent);
    if (tells && !loses && !gains) steps_.kept.emplace_back(tactic.name);
    return !loses && !gains;
  }

  // --- cvc5 ---

  void ask_cvc5() {
    if (is_crash() || !is_true_) return;
    bool has_died = false;
    const std::string input = declarations_ + asserted() + "(check-sat)\n";
    if (!substitutions(say({"-o", "subs"}, input, has_died))) return;
    if (subject_.stop()) return;
    const std::string said = say({"-o", "post-asserts"}, input, has_died);
    const auto script =
        with_equations(section_of(said, ";; post-asserts start\n", ";; post-asserts end"));
    if (!script || script->empty()) return;
    const std::string asked = script->substr(0, script->rfind("(check-sat)"));
    const Verdict verdict = verdict_of(asked);
    if (verdict == Verdict::kInvalid) {
      blame("preprocessing", "leaves an assertion (-o post-asserts) that the model makes false");
    }
    if (verdict == Verdict::kValid) steps_.kept.emplace_back("preprocessing (-o post-asserts)");
  }

  // "(substitution (= x t))", line by line. False where one is to blame.
  bool substitutions(const std::string& said) {
    bool is_known = true;
    bool has_some = false;
    for (const std::string_view item : expressions_in(said)) {
      const auto parts = item.starts_with("(substitution ") ? expressions_in(item.substr(1))
                                                            : std::vector<std::string_view>();
      if (parts.size() != 2) continue;
      has_some = true;
      const Verdict verdict = verdict_of(declarations_ + fmt::format("(assert {})\n", parts[1]));
      is_known = is_known && verdict == Verdict::kValid;
      if (verdict != Verdict::kInvalid) continue;
      false_claim_ = parts[1];
      blame("substitution", "learns (-o subs) an equation that the model makes false");
      return false;
    }
    if (has_some && is_known) steps_.kept.emplace_back("substitutions (-o subs)");
    return true;
  }

  const Subject& subject_;
  std::string declarations_;
  std::vector<std::string> claims_;
  std::string model_;
  bool is_true_ = false;  // what is asserted, under the model
  std::string false_claim_;
  Steps steps_;
};

}  // namespace

Steps try_steps(const Subject& subject) { return Inquest(subject).run(); }

}  // namespace elenchus::diagnose
