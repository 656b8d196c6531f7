#include "docket/papers.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "ir/timeline.h"
#include "oracle/oracle.h"
#include "oracle/recheck.h"
#include "record/kind.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "solver/query.h"
#include "solver/transcript.h"
#include "triage/signature.h"

namespace elenchus::docket {
namespace {

Party party_at(const lab::SolverLab& lab, size_t index) {
  const solver::Solver& host = lab.solvers()[lab.host_of(index)];
  const std::vector<std::string>& all = lab.solvers()[index].options;
  Party party{host.name, {}};
  const auto own = static_cast<std::ptrdiff_t>(std::min(host.options.size(), all.size()));
  if (index != lab.host_of(index)) party.options.assign(all.begin() + own, all.end());
  return party;
}

// Bugs are told apart by solver, and by whether they need options, but not by which.
std::string name_in_signature(const lab::SolverLab& lab, size_t index) {
  const std::string name = solver::name_in_signature(lab.solvers()[lab.host_of(index)]);
  return index == lab.host_of(index) ? name : name + " with options";
}

ir::Truth truth_of(std::string_view word) {
  for (const ir::Truth truth : {ir::Truth::kSat, ir::Truth::kUnsat}) {
    if (word == to_string(truth)) return truth;
  }
  return ir::Truth::kUnknown;
}

base::Error unreadable(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

// Whether the script is what a reduction has left of it, so far or in the end.
bool is_reduced(const Suspicion& suspicion) {
  const bool is_begun = suspicion.stage == Stage::kReduced || !suspicion.provisional.empty();
  return is_begun && !suspicion.reduced.empty();
}

base::Result<oracle::Finding> finding_of(lab::SolverLab& lab, const Suspicion& suspicion) {
  const record::KindInfo* kind = record::find_kind(suspicion.kind);
  const oracle::Oracle* oracle = oracle::find_oracle(suspicion.oracle);
  if (kind == nullptr || oracle == nullptr) {
    return unreadable(fmt::format("no oracle '{}' finds '{}' any more",
                                  base::shown(suspicion.oracle), base::shown(suspicion.kind)));
  }
  oracle::Finding finding;
  finding.kind = kind->kind;
  finding.oracle = oracle->name();
  ELENCHUS_ASSIGN_OR_RETURN(finding.solver, seat_of(lab, suspicion.solver));
  if (suspicion.other) {
    ELENCHUS_ASSIGN_OR_RETURN(const size_t other, seat_of(lab, *suspicion.other));
    finding.other = other;
  }
  finding.check = is_reduced(suspicion) ? suspicion.reduced_check : suspicion.check;
  finding.claim = suspicion.claim;
  finding.evidence = suspicion.evidence;
  finding.location = suspicion.location;
  finding.witness = is_reduced(suspicion) ? suspicion.reduced_witness : suspicion.witness;
  return finding;
}

// The last check-sat that is expected to be sat is what a model of the test is about.
size_t check_of_model(const Papers& papers, size_t checks) {
  for (size_t i = papers.expected.size(); i > 0; --i) {
    if (papers.expected[i - 1] == ir::Truth::kSat) return i - 1;
  }
  return checks - 1;
}

// A transcript ends with the query that shows it: not the test, but what an oracle made of it.
void add_variant(const ir::TermStore& store, const ir::Script& variant,
                 solver::Transcript& transcript) {
  smtlib::ScriptPrinter printer(store);
  auto query = solver::make_query(printer, store, variant);
  if (!query || transcript.queries.empty()) return transcript.queries.clear();
  solver::Asked asked;
  asked.query = std::move(*query);
  asked.prologue = transcript.queries.back()->prologue;
  transcript.queries.push_back(std::make_shared<const solver::Asked>(std::move(asked)));
}

}  // namespace

Looks looks_of(const ir::TermStore& store, const lab::SolverLab& lab, const oracle::Case& test,
               const oracle::Finding& finding) {
  const ir::Script& shown = oracle::is_shown_by_variant(finding) ? *finding.script : test.script;
  const std::string name = name_in_signature(lab, finding.solver);
  return {triage::probable_cause(store, finding, name),
          triage::signature(store, shown, finding, name)};
}

base::Result<Suspicion> suspicion_of(const ir::TermStore& store, const lab::SolverLab& lab,
                                     const oracle::Case& test, const oracle::Finding& finding,
                                     const solver::Run* run, Origin origin) {
  Suspicion one;
  one.is_by_variant = oracle::is_shown_by_variant(finding);
  const ir::Script& shown = one.is_by_variant ? *finding.script : test.script;
  ELENCHUS_ASSIGN_OR_RETURN(one.script, smtlib::print_script(store, shown));
  one.kind = to_string(finding.kind);
  one.oracle = finding.oracle;
  one.solver = party_at(lab, finding.solver);
  if (finding.other) one.other = party_at(lab, *finding.other);
  one.check = finding.check;
  one.claim = finding.claim;
  one.evidence = finding.evidence;
  one.location = finding.location;
  one.witness = finding.witness;
  Looks looks = looks_of(store, lab, test, finding);
  one.look = std::move(looks.look);
  one.cause = std::move(looks.cause);
  one.origin = std::move(origin);
  if (!one.is_by_variant) {
    one.construction = test.construction;
    for (const ir::Truth truth : test.expected) one.expected.emplace_back(to_string(truth));
  }
  if (test.witness != nullptr) {
    if (auto text = smtlib::print_model(store, *test.witness)) one.test_model = std::move(*text);
  }
  if (run != nullptr) {
    solver::Transcript transcript = solver::transcript_of(*run);
    if (one.is_by_variant) add_variant(store, shown, transcript);
    if (transcript.queries.size() > 1) one.session = solver::write_transcript(transcript);
  }
  return one;
}

base::Result<size_t> seat_of(lab::SolverLab& lab, const Party& party) {
  const auto solvers = lab.solvers().subspan(0, lab.own_count());
  const auto host = std::find_if(solvers.begin(), solvers.end(), [&](const solver::Solver& one) {
    return one.name == party.solver;
  });
  if (host == solvers.end()) {
    return unreadable(
        fmt::format("the solver '{}' is not part of this campaign", base::shown(party.solver)));
  }
  const auto index = static_cast<size_t>(host - solvers.begin());
  if (party.options.empty()) return index;
  lab.set_guest_options(lab.guest_of(index), party.options);
  return lab.guest_of(index);
}

base::Result<Papers> read_papers(ir::TermStore& store, lab::SolverLab& lab,
                                 const Suspicion& suspicion) {
  Papers papers;
  ELENCHUS_ASSIGN_OR_RETURN(papers.finding, finding_of(lab, suspicion));
  const std::string& text = is_reduced(suspicion) ? suspicion.reduced : suspicion.script;
  ELENCHUS_ASSIGN_OR_RETURN(papers.script, smtlib::parse_script(store, text));
  const auto checks = ir::checks_of(papers.script);
  if (checks.empty()) return unreadable("the script has no check-sat");
  if (suspicion.is_by_variant) papers.finding.script = papers.script;
  // What was known of the test does not hold for what is left of it, except for its model.
  if (!is_reduced(suspicion) && suspicion.expected.size() == checks.size()) {
    papers.construction = suspicion.construction;
    for (const std::string& word : suspicion.expected) papers.expected.push_back(truth_of(word));
  }
  if (!suspicion.test_model.empty()) {
    const size_t check = checks[check_of_model(papers, checks.size())];
    auto model = smtlib::read_model(store, papers.script, check, suspicion.test_model);
    if (model) papers.model = std::move(*model);
  }
  oracle::Finding& finding = papers.finding;
  if (!finding.witness.empty()) {
    const size_t check = checks[std::min<size_t>(finding.check, checks.size() - 1)];
    auto model = smtlib::read_model(store, papers.script, check, finding.witness);
    if (model) finding.model = std::move(*model);
  }
  return papers;
}

}  // namespace elenchus::docket
