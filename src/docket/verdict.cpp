#include "docket/verdict.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/settings.h"
#include "oracle/recheck.h"
#include "record/kind.h"

namespace elenchus::docket {
namespace {

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
  testimony.run = exam.run(index);
  const auto& checks = testimony.run.checks;
  for (size_t check = 0; check < checks.size(); ++check) {
    testimony.answers.emplace_back(to_string(checks[check].outcome));
    const oracle::JudgedModel* judged = exam.model(index, check);
    testimony.models.push_back(judged == nullptr ? "" : model_verdict(*judged));
  }
  const bool ended_badly = checks.empty() || testimony.run.outcome != checks.back().outcome;
  if (ended_badly) testimony.answers.emplace_back(to_string(testimony.run.outcome));
  return testimony;
}

// Findings that show again.
std::vector<oracle::Finding> shown_again(ir::TermStore& store, const ir::Script& script,
                                         oracle::Lab& lab, std::vector<oracle::Finding> findings) {
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
      if (check >= testimony.run.checks.size()) continue;
      const std::string& answer = testimony.answers[check];
      const std::string& model = testimony.models[check];
      if (answer == "unsat") unsat.insert(testimony.solver->profile->name);
      if (answer != "sat" || model == "invalid") continue;
      lines.push_back(
          fmt::format("{}the sat of {}: {}", which, testimony.name(), why_unchecked(model)));
    }
    if (unsat.size() == 1) {
      lines.push_back(
          fmt::format("{}the unsat of {}, which no other solver confirms", which, *unsat.begin()));
    }
  }
  return lines;
}

// The solvers that answer otherwise than the status of a check says, and how.
void contradict(StatusClaim& claim, const Verdict& verdict, size_t check, std::string_view status) {
  std::vector<std::string> others;
  for (size_t i = 0; i < verdict.testimonies.size(); ++i) {
    const Testimony& testimony = verdict.testimonies[i];
    if (check >= testimony.run.checks.size()) continue;
    const std::string& answer = testimony.answers[check];
    const bool differs = (answer == "sat" || answer == "unsat") && answer != status;
    if (!differs) continue;
    claim.contradicted.push_back(i);
    others.push_back(fmt::format("{} answers {}", testimony.name(), answer));
  }
  claim.text = fmt::format("{}, and {} says otherwise", fmt::join(others, ", "), claim.command);
}

// Where the status of the script is not the answer, one of the two is wrong.
std::vector<StatusClaim> doubtful_statuses(const std::vector<std::string>& claimed,
                                           const Verdict& verdict) {
  std::vector<StatusClaim> doubtful;
  for (size_t check = 0; check < claimed.size(); ++check) {
    const std::string& status = claimed[check];
    if (status != "sat" && status != "unsat") continue;
    const std::string& right = verdict.right[check];
    // What says otherwise than a proof is accused of it already.
    if (right == status) continue;
    StatusClaim claim{fmt::format("(set-info :status {})", status), !right.empty(), {}, {}};
    if (claim.is_refuted) {
      claim.text = fmt::format("{} is wrong: a model that holds says {}", claim.command, right);
    } else {
      contradict(claim, verdict, check, status);
    }
    if (claim.is_refuted || !claim.contradicted.empty()) doubtful.push_back(std::move(claim));
  }
  return doubtful;
}

void add_name(std::string name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

}  // namespace

std::string Testimony::name() const {
  return solver->name + (solver->version.empty() ? "" : " " + solver->version);
}

bool Accusation::is_dispute() const {
  return record::info(finding.kind).has(record::kTwoAnswers) && finding.other.has_value();
}

bool Verdict::is_decided() const {
  return std::any_of(testimonies.begin(), testimonies.end(),
                     [](const Testimony& testimony) { return solver::has_decided(testimony.run); });
}

std::vector<std::string> Verdict::guilty() const {
  std::vector<std::string> names;
  for (const Accusation& one : findings) {
    if (!one.is_dispute()) add_name(testimonies[one.finding.solver].name(), names);
  }
  for (const StatusClaim& claim : statuses) {
    if (claim.is_refuted) add_name(claim.command, names);
  }
  return names;
}

std::vector<std::string> Verdict::disputants() const {
  std::vector<std::string> names;
  for (const Accusation& one : findings) {
    if (!one.is_dispute()) continue;
    add_name(testimonies[one.finding.solver].name(), names);
    add_name(testimonies[*one.finding.other].name(), names);
  }
  for (const StatusClaim& claim : statuses) {
    if (claim.is_refuted) continue;
    for (const size_t solver : claim.contradicted) add_name(testimonies[solver].name(), names);
    add_name(claim.command, names);
  }
  return names;
}

Verdict try_script(ir::TermStore& store, const ir::Script& script, oracle::Lab& lab,
                   std::span<const oracle::Oracle* const> oracles,
                   const std::function<void(const solver::Solver&)>& asking) {
  oracle::Exam exam(store, {.script = script}, lab);
  Verdict verdict;
  for (size_t i = 0; i < exam.solver_count(); ++i) {
    if (asking) asking(exam.solver(i));
    verdict.testimonies.push_back(hear(exam, i));
  }
  std::vector<oracle::Finding> findings;
  for (const oracle::Oracle* oracle : oracles) oracle->judge(exam, findings);
  for (oracle::Finding& finding : shown_again(store, script, lab, std::move(findings))) {
    Voices voices = oracle::is_shown_by_variant(finding)
                        ? Voices{}
                        : hear_others(store, lab, exam.solver_count(), script, finding);
    verdict.findings.push_back({std::move(finding), std::move(voices)});
  }
  verdict.right = right_answers(exam, verdict);
  verdict.unchecked = unchecked_answers(verdict, exam.checks().size());
  verdict.statuses = doubtful_statuses(claimed_status(store, script), verdict);
  return verdict;
}

}  // namespace elenchus::docket
