// What a solver rewrites a term to must have the value of the term under every assignment. The
// solver is asked by itself, with nothing asserted: what it has been told may be used in rewriting.
//
// A wrong rewrite is carried to where users meet it: the script that says that the term and what it
// is rewritten to differ is satisfiable, by the assignment that tells them apart, and so is the one
// that fixes the assignment and says which value the term has. A solver that answers unsat to one
// of them is wrong in a graver way, and the rewrite explains it.

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/timeline.h"
#include "oracle/crash_location.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "oracle/term_values.h"
#include "oracle/variants.h"
#include "smtlib/model_printer.h"
#include "smtlib/printed_terms.h"
#include "smtlib/printer.h"

namespace elenchus::oracle {
namespace {

using ir::TermId;
using solver::Outcome;

constexpr size_t kMostTerms = 48;
constexpr size_t kSamples = 12;
constexpr uint64_t kRewriteSteps = 200'000;
// The samples are the same whenever a finding is shown again.
constexpr uint64_t kSampleSeed = 24;

// A term, what a solver rewrites it to, and an assignment that tells the two apart.
struct WrongPair {
  TermId before;
  TermId after;
  ir::Model assignment;
  std::string question;
  std::string reply;
};

std::vector<TermId> claims_of(const ir::Script& script) {
  std::vector<TermId> terms;
  for (const ir::Claim& claim : ir::claims_at(script, ir::checks_of(script).back())) {
    terms.push_back(claim.term);
  }
  return terms;
}

std::string_view without_line_break(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// One solver's rewrites of the subterms of a flat script.
class Inquiry {
 public:
  Inquiry(Exam& exam, size_t solver, const ir::Script& flat,
          const std::vector<ir::Model>& assignments)
      : store_(exam.store()),
        exam_(exam),
        solver_(solver),
        flat_(flat),
        bare_(with_claims(flat, {})),
        assignments_(assignments) {}

  void ask(std::span<const TermId> terms) {
    const std::string& form = exam_.solver(solver_).profile->simplify_command;
    Wishes wishes{.models = false};
    for (const TermId term : terms) {
      std::string question = question_about(store_, form, term);
      if (question.empty()) continue;
      asked_.push_back(term);
      wishes.questions.push_back(std::move(question));
    }
    if (asked_.empty()) return;
    run_ = exam_.lab().run(solver_, bare_, wishes);
    questions_ = std::move(wishes.questions);
    if (!run_.checks.empty()) replies_ = run_.checks.back().replies;
  }

  const solver::Run& run() const { return run_; }

  // The question that it did not survive; empty where it answered all.
  std::string fatal_question() const {
    return replies_.size() < questions_.size() ? questions_[replies_.size()] : std::string();
  }

  // The smallest pair that differs.
  std::optional<WrongPair> wrong_pair() {
    TermValues values(store_, assignments_, kRewriteSteps);
    for (size_t i = 0; i < replies_.size(); ++i) {
      const TermId after = read(i, smtlib::Strings::kEscaped);
      if (!after.valid()) continue;
      const auto at = values.difference(asked_[i], after);
      if (!at || !is_wrong_in_any_reading(i, *at)) continue;
      return WrongPair{asked_[i], after, smallest(i, after, *at), questions_[i],
                       std::string(without_line_break(replies_[i]))};
    }
    return {};
  }

 private:
  TermId read(size_t i, smtlib::Strings strings) {
    smtlib::PrintedTerms reader(store_, bare_, bare_.commands.size(), replies_[i], strings);
    const TermId term = reader.read(0, replies_[i].size());
    has_escapes_ = reader.has_escapes();
    return term.valid() ? of_same_sort(store_, asked_[i], term) : TermId{};
  }

  // A backslash may stand for itself, or begin an escape.
  bool is_wrong_in_any_reading(size_t i, size_t at) {
    read(i, smtlib::Strings::kEscaped);
    if (!has_escapes_) return true;
    const TermId raw = read(i, smtlib::Strings::kRaw);
    TermValues values(store_, std::span(assignments_).subspan(at, 1), kRewriteSteps);
    return raw.valid() && values.difference(asked_[i], raw);
  }

  // The assignment without what does not matter.
  ir::Model smallest(size_t i, TermId after, size_t at) {
    ir::Model best = assignments_[at];
    if (has_escapes_) return best;
    for (size_t function = best.functions.size(); function-- > 0;) {
      ir::Model fewer = best;
      fewer.functions.erase(fewer.functions.begin() + static_cast<std::ptrdiff_t>(function));
      TermValues values(store_, std::span(&fewer, 1), kRewriteSteps);
      if (values.difference(asked_[i], after)) best = std::move(fewer);
    }
    return best;
  }

  ir::TermStore& store_;
  Exam& exam_;
  size_t solver_;
  const ir::Script& flat_;
  ir::Script bare_;
  const std::vector<ir::Model>& assignments_;
  std::vector<TermId> asked_;
  std::vector<std::string> questions_;
  std::vector<std::string> replies_;
  solver::Run run_;
  bool has_escapes_ = false;
};

class RewriteOracle : public Oracle {
 public:
  std::string_view name() const override { return "rewrite"; }
  uint32_t cost() const override { return 4; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    const auto flat = flat_script(exam);
    if (!flat) return;
    const std::vector<ir::Model> assignments = assignments_for(exam, *flat);
    const auto terms = askable_subterms(exam.store(), claims_of(*flat), kMostTerms);
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      const bool is_able = run != nullptr && run->outcome != Outcome::kRejected &&
                           run->outcome != Outcome::kCrash && !run->internal_error;
      if (!is_able || exam.solver(i).profile->simplify_command.empty()) continue;
      Inquiry inquiry(exam, i, *flat, assignments);
      inquiry.ask(terms);
      if (inquiry.run().outcome == Outcome::kCrash) {
        findings.push_back(crash(exam, i, inquiry, *flat));
      } else if (auto pair = inquiry.wrong_pair()) {
        findings.push_back(carried(exam, i, *flat, *pair));
      }
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    if (finding.kind == Kind::kRefutationUnsound) return recheck_answer(exam, finding);
    const auto flat = flat_script(exam);
    if (!flat) return {};
    std::vector<ir::Model> assignments = assignments_for(exam, *flat);
    if (finding.model) assignments.insert(assignments.begin(), *finding.model);
    Inquiry inquiry(exam, finding.solver, *flat, assignments);
    inquiry.ask(askable_subterms(exam.store(), claims_of(*flat), kMostTerms));
    if (finding.kind == Kind::kCrash) {
      if (inquiry.run().outcome != Outcome::kCrash) return {};
      Finding again = crash(exam, finding.solver, inquiry, *flat);
      return again.location == finding.location ? std::optional(std::move(again)) : std::nullopt;
    }
    auto pair = inquiry.wrong_pair();
    if (!pair) return {};
    Finding again = wrong_rewrite(exam, finding.solver, *flat, *pair);
    again.script = exam.test().script;
    return again;
  }

 private:
  static std::optional<ir::Script> flat_script(Exam& exam) {
    if (exam.checks().empty()) return {};
    return flattened(exam.store(), exam.test().script, exam.checks().back());
  }

  static std::vector<ir::Model> assignments_for(Exam& exam, const ir::Script& flat) {
    std::vector<ir::Model> models;
    if (exam.test().witness != nullptr) models.push_back(*exam.test().witness);
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const JudgedModel* judged = exam.model(i, exam.checks().size() - 1);
      if (judged != nullptr && !judged->model.has_escapes) models.push_back(judged->model);
    }
    base::Rng rng(kSampleSeed);
    for (ir::Model& model : sample_assignments(exam.store(), flat, kSamples, rng)) {
      models.push_back(std::move(model));
    }
    return models;
  }

  // A wrong answer stays explained by the rewrite, where the script still shows that.
  std::optional<Finding> recheck_answer(Exam& exam, const Finding& finding) const {
    auto again = recheck_wrong_unsat(exam, finding);
    const auto flat = again ? flat_script(exam) : std::nullopt;
    if (!flat) return again;
    const std::vector<ir::Model> assignments = {*again->model};
    Inquiry inquiry(exam, finding.solver, *flat, assignments);
    inquiry.ask(askable_subterms(exam.store(), claims_of(*flat), kMostTerms));
    const auto pair = inquiry.wrong_pair();
    again->asked = pair ? pair->before : TermId{};
    again->question = pair ? pair->question : "";
    again->reply = pair ? pair->reply : "";
    return again;
  }

  // The assignment, and that a reply is not what the term is under it.
  static std::string doubt_of(ir::TermStore& store, const ir::Script& flat, const WrongPair& pair) {
    eval::Evaluator evaluator(store, pair.assignment);
    const eval::Value value = evaluator.evaluate(pair.before);
    const TermId right = eval::term_of(store, evaluator.values(), value, store.sort(pair.before));
    if (!right.valid()) return {};
    ir::Script script = with_claims(flat, fixing_equations(store, flat, pair.assignment));
    script.commands.pop_back();
    const auto text = smtlib::print_script(store, script);
    const auto literal = smtlib::print_term(store, right);
    if (!text || !literal) return {};
    return *text + "(assert (not (= {} " + *literal + ")))\n(check-sat)\n";
  }

  Finding wrong_rewrite(Exam& exam, size_t solver, const ir::Script& flat,
                        const WrongPair& pair) const {
    constexpr size_t kMost = 200;
    Finding finding;
    finding.kind = Kind::kWrongRewrite;
    finding.oracle = name();
    finding.solver = solver;
    finding.check = exam.checks().empty() ? 0 : exam.checks().size() - 1;
    finding.asked = pair.before;
    finding.question = pair.question;
    finding.reply = pair.reply;
    finding.claim = fmt::format("{} answers {} with {}", exam.solver(solver).name,
                                base::shown(pair.question, kMost), base::shown(pair.reply, kMost));
    finding.evidence = fmt::format("the term:\n{}\nwhat it is rewritten to:\n{}",
                                   explained(exam.store(), pair.before, pair.assignment),
                                   explained(exam.store(), pair.after, pair.assignment));
    finding.doubt = doubt_of(exam.store(), flat, pair);
    finding.model = pair.assignment;
    if (const auto text = smtlib::print_model(exam.store(), pair.assignment)) {
      finding.witness = *text;
    }
    return finding;
  }

  // As a wrong answer where it is one, or else by itself.
  Finding carried(Exam& exam, size_t solver, const ir::Script& flat, const WrongPair& pair) const {
    Finding finding = wrong_rewrite(exam, solver, flat, pair);
    ir::TermStore& store = exam.store();
    eval::Evaluator evaluator(store, *finding.model);
    const TermId claim = claim_of(store, evaluator, pair.before);
    const TermId differ = ir::apply(store, ir::Op::kDistinct, std::array{pair.before, pair.after});
    std::vector<TermId> fixed = fixing_equations(store, with_claims(flat, {}), *finding.model);
    if (claim.valid()) fixed.push_back(claim);
    for (const auto& claims : {std::vector<TermId>{differ}, fixed}) {
      if (claims.empty() || !claims.back().valid()) continue;
      const ir::Script script = with_claims(flat, claims);
      const solver::Run run = exam.lab().run(solver, script, {});
      if (run.checks.empty() || run.checks[0].outcome != Outcome::kUnsat) continue;
      const auto verdict = check_model(store, script, ir::checks_of(script)[0], *finding.model,
                                       {.explanation_steps = 0});
      if (!verdict || !is_proof(*verdict)) continue;
      finding.kind = Kind::kRefutationUnsound;
      finding.check = 0;
      finding.claim = fmt::format("{} answers unsat to a satisfiable formula: {}",
                                  exam.solver(solver).name, finding.claim);
      finding.script = script;
      return finding;
    }
    const TermId itself = ir::apply(store, ir::Op::kEq, std::array{pair.before, pair.before});
    finding.check = 0;
    finding.script = with_claims(flat, std::array{claim.valid() ? claim : itself});
    return finding;
  }

  Finding crash(const Exam& exam, size_t solver, const Inquiry& inquiry,
                const ir::Script& flat) const {
    const solver::Run& run = inquiry.run();
    Finding finding;
    finding.kind = Kind::kCrash;
    finding.oracle = name();
    finding.solver = solver;
    finding.evidence = run.message;
    finding.claim = fmt::format("{} crashes when it is asked to simplify a term: {}",
                                exam.solver(solver).name, run.message);
    finding.location = crash_location(run);
    finding.question = inquiry.fatal_question();
    finding.model = ir::Model{};
    finding.script = flat;
    return finding;
  }
};

}  // namespace

const Oracle& rewrite_oracle() {
  static const RewriteOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
