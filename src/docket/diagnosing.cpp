#include "docket/diagnosing.h"

#include <algorithm>
#include <vector>

#include "ir/settings.h"
#include "smtlib/printer.h"
#include "triage/groups.h"

namespace elenchus::docket {
namespace {

using ir::CommandKind;

// Without what a report asks for beyond the answers: the lab asks for itself.
void drop_requests(const ir::TermStore& terms, ir::Script& script) {
  std::erase_if(script.commands, [&](const ir::Command& command) {
    const bool is_text = command.kind == CommandKind::kText &&
                         ir::text_command_name(terms, command).starts_with("get-");
    const bool is_wish = command.kind == CommandKind::kSetOption &&
                         terms.symbols().text(command.text).starts_with(":produce-");
    return is_text || is_wish || command.kind == CommandKind::kGetValue;
  });
}

}  // namespace

base::Result<Diagnosed> diagnose_bug(const store::CampaignView& view, const std::string& id,
                                     const solver::Solver& solver, const solver::Profiles& profiles,
                                     const knobs::Catalogue& catalogue,
                                     const DiagnosisSettings& settings) {
  Diagnosed result;
  ELENCHUS_ASSIGN_OR_RETURN(result.manifest, view.manifest(id));
  ir::TermStore terms(settings.trial.ops);
  ELENCHUS_ASSIGN_OR_RETURN(Exhibit exhibit,
                            exhibit_of(view, result.manifest, terms, solver, profiles));
  drop_requests(terms, exhibit.script);
  lab::SolverLab fresh(terms, exhibit.solvers, true, settings.trial.limits);
  lab::SolverLab sessions(terms, exhibit.solvers, settings.fresh, settings.trial.limits);
  for (lab::SolverLab* lab : {&fresh, &sessions}) {
    if (settings.prepare) settings.prepare(*lab);
  }
  const oracle::Case test = exhibit.test();
  oracle::Exam exam(terms, test, fresh, {.explanation_steps = 0});
  const auto finding = find_again(exam, result.manifest);
  if (!finding) return result;
  result.shows = true;
  ELENCHUS_ASSIGN_OR_RETURN(result.script, smtlib::print_script(terms, exhibit.script));
  const diagnose::Subject subject{terms, fresh, test, *finding, settings.stop};
  result.diagnosis = diagnose::diagnose(
      subject, sessions, catalogue,
      {.edits = settings.edits, .seconds = settings.seconds, .on_progress = settings.on_progress});
  diagnose::note(result.diagnosis, result.script, result.manifest);
  return result;
}

base::Result<void> keep_diagnosis(const store::CampaignView& view, const Diagnosed& found) {
  ELENCHUS_ASSIGN_OR_RETURN(const std::string report,
                            view.read_bug_file(found.manifest.id, "report.md"));
  const std::string section = diagnose::section(found.diagnosis, found.script);
  std::vector<store::BugFile> files = {{"report.md", diagnose::with_section(report, section)}};
  if (found.diagnosis.neighbour) {
    files.push_back({"neighbour.smt2", found.diagnosis.neighbour->script});
  }
  return view.annotate(found.manifest, files);
}

void WaitingList::add(const store::Manifest& bug) {
  if (seconds_ <= 0) return;
  const std::lock_guard lock(mutex_);
  const bool is_further =
      std::any_of(chiefs_.begin(), chiefs_.end(),
                  [&](const store::Manifest& chief) { return triage::is_same_bug(chief, bug); });
  if (!is_further) chiefs_.push_back(bug);
  waiting_.emplace(std::pair(is_further, record::rank_of(bug)), bug.id);
}

std::optional<std::string> WaitingList::take(bool is_testing) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || (!is_testing && spent_ >= seconds_)) return {};
  std::string id = std::move(waiting_.begin()->second);
  waiting_.erase(waiting_.begin());
  return id;
}

void WaitingList::spend(double seconds) {
  const std::lock_guard lock(mutex_);
  spent_ += seconds;
}

const knobs::Catalogue& WaitingList::catalogue_of(const solver::Solver& solver) {
  const std::lock_guard lock(asking_);
  const auto known = catalogues_.find(solver.program);
  if (known != catalogues_.end()) return known->second;
  return catalogues_.emplace(solver.program, knobs::catalogue_of(solver)).first->second;
}

}  // namespace elenchus::docket
