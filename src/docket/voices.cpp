#include "docket/voices.h"

#include <algorithm>

#include <fmt/format.h>

#include "docket/evidence.h"
#include "ir/timeline.h"
#include "oracle/variants.h"
#include "smtlib/model_reader.h"

namespace elenchus::docket {
namespace {

using solver::Outcome;

class Hearing {
 public:
  Hearing(ir::TermStore& store, oracle::Lab& lab, size_t own_count, const ir::Script& script,
          const oracle::Finding& finding)
      : store_(store), lab_(lab), own_count_(own_count), script_(script), finding_(finding) {}

  Voices run() {
    const auto checks = ir::checks_of(script_);
    if (finding_.check >= checks.size()) return {};
    check_ = checks[finding_.check];
    if (finding_.kind == oracle::Kind::kInvalidModel) about_wrong_model();
    if (finding_.kind == oracle::Kind::kRefutationUnsound) about_wrong_unsat();
    return std::move(voices_);
  }

 private:
  // More is a sign that the formula is large, and each costs a run.
  static constexpr size_t kMostValues = 8;

  const solver::Solver& solver(size_t index) const { return lab_.solvers()[index]; }

  // Of another maker than the guilty one; two builds of one solver confirm each other in vain.
  bool is_independent(size_t index) const {
    return solver(index).profile->name != solver(finding_.solver).profile->name;
  }

  std::string name_of(size_t index) const {
    const solver::Solver& one = solver(index);
    return one.profile->name + (one.version.empty() ? "" : " " + one.version);
  }

  Outcome answer_of(size_t index, const ir::Script& script, size_t check) {
    const solver::Run run = lab_.run(index, script, {.models = false});
    return check < run.checks.size() ? run.checks[check].outcome : Outcome::kUnknown;
  }

  void about_wrong_model() {
    // Where solvers may read something differently, an unsat of one says nothing of the other.
    if (!oracle::has_settled_meaning(store_, script_, check_) ||
        !oracle::keeps_to_logic(store_, script_, check_)) {
      return;
    }
    bool is_sat = false;
    std::vector<std::string> against;
    for (size_t i = 0; i < own_count_; ++i) {
      if (!is_independent(i)) continue;
      const Outcome answer = answer_of(i, script_, finding_.check);
      is_sat = is_sat || answer == Outcome::kSat;
      const bool is_firm =
          answer == Outcome::kUnsat && answer_of(i, script_, finding_.check) == Outcome::kUnsat;
      if (is_firm) against.push_back(name_of(i));
    }
    if (is_sat) return;
    const bool is_false = is_false_in_any_model();
    if (is_false)
      voices_.why = "the formula leaves nothing to a model and is false by our evaluation";
    if (!against.empty()) {
      voices_.why += fmt::format("{}{} answers unsat", is_false ? "; " : "", against.front());
      for (const std::string& name : against) voices_.confirmed_by.push_back(name + ": unsat");
    } else if (is_false) {
      // That says it all.
    } else if (is_beyond_repair()) {
      voices_.why =
          "asked with the values of its model but one, whichever that is, it answers unsat itself";
    } else {
      return;
    }
    voices_.probable = oracle::to_string(oracle::Kind::kSolutionUnsound);
  }

  // A model may still say what the standard leaves open.
  bool is_false_in_any_model() {
    if (!leaves_nothing_open(script_)) return false;
    const auto model = smtlib::read_model(store_, script_, check_, finding_.witness);
    return model && model->operators.empty();
  }

  // Whether no value of the model alone is to blame, by the guilty solver's own answers.
  bool is_beyond_repair() {
    const auto flat = oracle::flattened(store_, script_, check_);
    const auto model = smtlib::read_model(store_, script_, check_, finding_.witness);
    if (!flat || !model) return false;
    const auto equations = oracle::fixing_equations(store_, *flat, *model);
    if (equations.size() < 2 || equations.size() > kMostValues) return false;
    for (size_t left_out = 0; left_out < equations.size(); ++left_out) {
      std::vector<ir::TermId> others = equations;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
      const ir::Script asked = oracle::with_assertions(*flat, others);
      if (answer_of(finding_.solver, asked, 0) != Outcome::kUnsat) return false;
    }
    return true;
  }

  void about_wrong_unsat() {
    if (!finding_.model) return;
    const auto flat = oracle::flattened(store_, script_, check_);
    if (!flat) return;
    const auto equations = oracle::fixing_equations(store_, *flat, *finding_.model);
    const ir::Script asked = oracle::with_assertions(*flat, equations);
    for (size_t i = 0; i < own_count_; ++i) {
      if (!is_independent(i) || answer_of(i, asked, 0) != Outcome::kSat) continue;
      voices_.confirmed_by.push_back(
          name_of(i) + (equations.empty() ? ": sat" : ": sat, with the values of the model"));
    }
  }

  ir::TermStore& store_;
  oracle::Lab& lab_;
  size_t own_count_;
  const ir::Script& script_;
  const oracle::Finding& finding_;
  size_t check_ = 0;
  Voices voices_;
};

}  // namespace

Voices hear_others(ir::TermStore& store, oracle::Lab& lab, size_t own_count,
                   const ir::Script& script, const oracle::Finding& finding) {
  return Hearing(store, lab, own_count, script, finding).run();
}

}  // namespace elenchus::docket
