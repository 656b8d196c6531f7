// After sat, the value that a solver gives a term is the one that the term has in the solver's own
// model. Both are asked for in one go, since the next model may be another one.

#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "ir/timeline.h"
#include "oracle/oracle.h"
#include "oracle/term_values.h"
#include "smtlib/model_reader.h"
#include "smtlib/printed_terms.h"

namespace elenchus::oracle {
namespace {

using ir::TermId;
using solver::Outcome;

constexpr size_t kMostAsked = 48;
constexpr uint64_t kValueSteps = 200'000;

// Elements of uninterpreted sorts have names that mean something in one model only.
bool holds_elements(const ir::TermStore& store, ir::SortId sort) {
  std::vector<ir::SortId> open = {sort};
  while (!open.empty()) {
    const ir::SortId part = open.back();
    open.pop_back();
    if (store.sorts().kind(part) == ir::SortKind::kUninterpreted) return true;
    const auto parts = store.sorts().children(part);
    open.insert(open.end(), parts.begin(), parts.end());
  }
  return false;
}

struct WrongValue {
  TermId term;
  ir::Model model;
  std::string model_text;
  std::string question;
  std::string reply;
};

// One solver's model and what it says of terms in it.
class Hearing {
 public:
  Hearing(Exam& exam, size_t solver)
      : exam_(exam), store_(exam.store()), script_(exam.test().script), solver_(solver) {}

  std::optional<WrongValue> find() {
    const size_t check = exam_.checks().back();
    ask(check);
    if (run_.checks.size() != exam_.checks().size()) return {};
    const solver::CheckResult& result = run_.checks.back();
    if (result.outcome != Outcome::kSat || result.model.empty()) return {};
    auto model = smtlib::read_model(store_, script_, check, result.model);
    // A backslash may be one, or begin an escape.
    if (!model || model->has_escapes) return {};
    if (!eval::check_definitions(store_, *model)) return {};
    return compare(check, *model, result);
  }

 private:
  void ask(size_t check) {
    std::vector<TermId> roots;
    for (const ir::Claim& claim : ir::claims_at(script_, check)) roots.push_back(claim.term);
    Wishes wishes{.questions_need_model = true};
    for (const TermId term : askable_subterms(store_, roots, kMostAsked)) {
      if (holds_elements(store_, store_.sort(term))) continue;
      for (const std::string& form : exam_.solver(solver_).profile->value_commands) {
        std::string question = question_about(store_, form, term);
        if (question.empty()) continue;
        asked_.push_back(term);
        wishes.questions.push_back(std::move(question));
      }
    }
    if (asked_.empty()) return;
    run_ = exam_.lab().run(solver_, script_, wishes);
    questions_ = std::move(wishes.questions);
  }

  std::optional<WrongValue> compare(size_t check, const ir::Model& model,
                                    const solver::CheckResult& result) {
    TermValues values(store_, std::span(&model, 1), kValueSteps);
    for (size_t i = 0; i < result.replies.size(); ++i) {
      const std::string value(smtlib::value_in_reply(result.replies[i]));
      smtlib::PrintedTerms reader(store_, script_, check, value);
      reader.add(model);
      TermId read = reader.read(0, value.size());
      if (!read.valid() || reader.has_escapes()) continue;
      read = of_same_sort(store_, asked_[i], read);
      if (!read.valid() || !values.difference(asked_[i], read)) continue;
      return WrongValue{asked_[i], model, result.model, questions_[i], result.replies[i]};
    }
    return {};
  }

  Exam& exam_;
  ir::TermStore& store_;
  const ir::Script& script_;
  size_t solver_;
  solver::Run run_;
  std::vector<TermId> asked_;
  std::vector<std::string> questions_;
};

class ValueOracle : public Oracle {
 public:
  std::string_view name() const override { return "value"; }
  uint32_t cost() const override { return 3; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    if (exam.checks().empty()) return;
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      const size_t check = exam.checks().size() - 1;
      if (run == nullptr || exam.answer(i, check) != Outcome::kSat) continue;
      // Of a model that is wrong anyway, nothing more needs to be said.
      const JudgedModel* judged = exam.model(i, check);
      if (judged == nullptr || judged->verdict.verdict == eval::Verdict::kInvalid) continue;
      if (auto found = look_at(exam, i)) findings.push_back(std::move(*found));
    }
  }

  std::optional<Finding> recheck(Exam& exam, const Finding& finding) const override {
    if (exam.checks().empty()) return {};
    return look_at(exam, finding.solver);
  }

 private:
  std::optional<Finding> look_at(Exam& exam, size_t solver) const {
    if (exam.solver(solver).profile->value_commands.empty()) return {};
    const auto wrong = Hearing(exam, solver).find();
    if (!wrong) return {};
    constexpr size_t kMost = 200;
    const std::string_view value = smtlib::value_in_reply(wrong->reply);
    Finding finding;
    finding.kind = Kind::kWrongValue;
    finding.oracle = name();
    finding.solver = solver;
    finding.check = exam.checks().size() - 1;
    finding.asked = wrong->term;
    finding.question = wrong->question;
    finding.reply = wrong->reply;
    finding.claim = fmt::format("{} replies {} to {}", exam.solver(solver).name,
                                base::shown(value, kMost), base::shown(wrong->question, kMost));
    finding.evidence =
        fmt::format("in its own model:\n{}", explained(exam.store(), wrong->term, wrong->model));
    finding.witness = wrong->model_text;
    return finding;
  }
};

}  // namespace

const Oracle& value_oracle() {
  static const ValueOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
