#include "oracle/model_check.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "eval/explain.h"
#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/recursion.h"
#include "ir/script_stats.h"
#include "ir/timeline.h"
#include "oracle/asked.h"
#include "oracle/explanation.h"
#include "smtlib/printer.h"

namespace elenchus::oracle {

using eval::Verdict;

namespace {

// Puts what an evaluation found into words.
class Narrator {
 public:
  Narrator(ir::TermStore& store, const ir::Model& model) : store_(store), model_(model) {}

  std::string shown(ir::TermId term) const {
    constexpr size_t kMost = 160;
    const auto text = smtlib::print_term(store_, term);
    return text ? base::shown(*text, kMost) : "a term too large to show";
  }

  std::vector<ExplainedStep> explain(eval::Evaluator& evaluator, ir::TermId claim,
                                     size_t most) const {
    std::vector<ExplainedStep> lines;
    bool counts_elements = false;
    for (const eval::Step& step : eval::explain(evaluator, claim, most)) {
      counts_elements = counts_elements || depends_on_all(step.term);
      // What has no notation, such as a language, explains nothing, and neither does a value.
      std::string value = value_of(evaluator, step);
      std::string term = shown(step.term);
      const bool says_something =
          !value.empty() && value != term && !ir::is_constant_value(store_, step.term);
      if (says_something) lines.push_back({step.depth, std::move(term), std::move(value)});
    }
    if (counts_elements) add_universes(lines);
    return lines;
  }

 private:
  // Whether a value depends on which elements a sort has: an array with one index is a constant
  // array, however it is written.
  bool depends_on_all(ir::TermId term) const {
    return store_.has(term, ir::kHasBinders) ||
           store_.sorts().kind(store_.sort(term)) == ir::SortKind::kArray;
  }

  void add_universes(std::vector<ExplainedStep>& lines) const {
    constexpr size_t kMost = 4;
    for (const ir::Universe& universe : model_.universes) {
      const size_t size = universe.elements.size();
      if (!universe.is_complete || size > kMost) continue;
      std::string names;
      for (const ir::FunId element : universe.elements) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ",
                             store_.symbols().text(store_.fun(element).name));
      }
      lines.push_back({1,
                       fmt::format("all elements of {}", ir::describe_sort(store_, universe.sort)),
                       std::move(names)});
    }
  }

  std::string value_of(eval::Evaluator& evaluator, const eval::Step& step) const {
    if (!step.value.known()) return "unknown: " + evaluator.values().reason(step.value);
    const ir::TermId term =
        eval::term_of(store_, evaluator.values(), step.value, store_.sort(step.term));
    if (term.valid()) return shown(term);
    const ir::TermId written = definition_of(step.term);
    return written.valid() ? shown(written) : std::string();
  }

  // What the model writes for a constant: the best there is for a function without a table.
  ir::TermId definition_of(ir::TermId term) const {
    if (store_.op(term) != ir::Op::kCall || !store_.args(term).empty()) return {};
    for (const ir::FunctionDefinition& function : model_.functions) {
      if (function.fun.value == store_.payload(term)) return function.definition.body;
    }
    return {};
  }

  ir::TermStore& store_;
  const ir::Model& model_;
};

// Functions that are no part of the standard and have no value everywhere: cvc4 answers unsat where
// an argument must be outside the domain, even if nothing depends on the value.
bool is_partial(ir::Op op) {
  switch (op) {
    case ir::Op::kPow:
    case ir::Op::kRem:
    case ir::Op::kSqrt:
    case ir::Op::kTan:
    case ir::Op::kCsc:
    case ir::Op::kSec:
    case ir::Op::kCot:
    case ir::Op::kArcsin:
    case ir::Op::kArccos:
    case ir::Op::kArccsc:
    case ir::Op::kArcsec:
    case ir::Op::kArccot:
    case ir::Op::kAcosh:
    case ir::Op::kAtanh:
    case ir::Op::kAtan2:
    case ir::Op::kLog: return true;
    default: return false;
  }
}

bool leaves_domains(const ir::TermStore& store, const ir::Script& script,
                    std::span<const ir::Claim> claims, const ir::Model& model,
                    const eval::Settings& settings) {
  ir::FreeVariables free(store);
  // What one solver's model says there, such as z3's ^0, binds no other solver.
  ir::Model bare = model;
  bare.operators.clear();
  eval::Evaluator evaluator(store, bare, settings);
  const auto is_outside = [&](ir::TermId term) {
    return is_partial(store.op(term)) &&
           (!free.of(term).empty() || free.exhausted() || !evaluator.evaluate(term).known());
  };
  return any_asked_for(store, script, claims, is_outside);
}

}  // namespace

base::Result<ModelVerdict> check_model(ir::TermStore& store, const ir::Script& script, size_t check,
                                       const ir::Model& model, const ModelCheckSettings& settings) {
  if (const auto sane = eval::check_definitions(store, model); !sane) return sane.error();
  const auto claims = ir::claims_at(script, check);
  const uint64_t bytes = eval::Settings{}.bytes / 2;  // there are two evaluators
  eval::Evaluator strict(store, model, {.steps = settings.steps, .bytes = bytes});
  eval::Evaluator lenient(store, model,
                          {.steps = settings.steps, .bytes = bytes, .complete = true});
  eval::Judgement judgement = eval::judge(claims, strict, lenient);

  ModelVerdict verdict;
  verdict.verdict = judgement.verdict;
  verdict.claims = claims.size();
  verdict.claim = judgement.claim;
  verdict.reason = std::move(judgement.reason);
  verdict.chosen = std::move(judgement.chosen);
  for (const ir::FunId fun : judgement.completed) {
    verdict.completed.emplace_back(store.symbols().text(store.fun(fun).name));
  }
  if (verdict.verdict == Verdict::kValid) {
    if (const auto doubtful = ir::doubtful_recursion(store, script)) {
      verdict.verdict = Verdict::kUnknown;
      verdict.claim.command = *doubtful;
      verdict.claim_text = "a recursive definition";
      verdict.reason = "it is not certain that a function that calls itself like this exists";
      return verdict;
    }
    verdict.leaves_domains =
        leaves_domains(store, script, claims, model, {.steps = settings.steps, .bytes = bytes});
    return verdict;
  }
  const Narrator narrator(store, model);
  verdict.claim_text = narrator.shown(verdict.claim.term);
  const bool is_false = verdict.verdict == Verdict::kInvalid;
  // Why a claim is unknown may take as long to say as to find out.
  if (settings.explanation_steps > 0 && (is_false || settings.explain_unknown)) {
    verdict.explanation = narrator.explain(is_false ? strict : lenient, verdict.claim.term,
                                           settings.explanation_steps);
  }
  return verdict;
}

base::Result<JudgedModel> check_printed_model(ir::TermStore& store, const ir::Script& script,
                                              size_t check, const ModelReading& read,
                                              const ModelCheckSettings& settings) {
  JudgedModel judged;
  ELENCHUS_ASSIGN_OR_RETURN(judged.model, read(smtlib::Strings::kEscaped));
  ELENCHUS_ASSIGN_OR_RETURN(judged.verdict,
                            check_model(store, script, check, judged.model, settings));
  if (judged.verdict.verdict != Verdict::kInvalid || !judged.model.has_escapes) return judged;
  const auto raw = read(smtlib::Strings::kRaw);
  const auto other = raw ? check_model(store, script, check, *raw, settings)
                         : base::Result<ModelVerdict>(raw.error());
  if (other && other->verdict == Verdict::kInvalid) return judged;
  judged.verdict.verdict = Verdict::kUnknown;
  judged.verdict.reason = "a backslash in the model's strings may be one, or begin an escape";
  return judged;
}

std::vector<ExplainedStep> explain_claims(ir::TermStore& store, const ir::Script& script,
                                          size_t check, const ir::Model& model, size_t most) {
  eval::Evaluator evaluator(store, model, {.complete = true});
  const Narrator narrator(store, model);
  std::vector<ExplainedStep> steps;
  for (const ir::Claim& claim : ir::claims_at(script, check)) {
    for (ExplainedStep& step : narrator.explain(evaluator, claim.term, most)) {
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

std::vector<ExplainedStep> explain_term(ir::TermStore& store, ir::TermId term,
                                        const ir::Model& model, size_t most) {
  eval::Evaluator evaluator(store, model, {.complete = true});
  return Narrator(store, model).explain(evaluator, term, most);
}

// A constant's line reads x = 5, a formula's (> x 5) is false.
std::string text_of(const ExplainedStep& step) {
  const bool is_formula = step.value == "true" || step.value == "false";
  return fmt::format("{:{}}{} {} {}", "", 2 * step.depth, step.term, is_formula ? "is" : "=",
                     step.value);
}

}  // namespace elenchus::oracle
