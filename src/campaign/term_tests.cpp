#include "campaign/term_tests.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "eval/evaluator.h"
#include "ir/apply.h"
#include "mutate/registry.h"
#include "oracle/term_values.h"
#include "oracle/variants.h"
#include "solver/readership.h"

namespace elenchus::campaign {
namespace {

// Of one batch.
constexpr size_t kMostSuspects = 4;
// Mutants whose subterms are asked about together.
constexpr size_t kMutants = 12;
// The engine that makes them. One of the lane's own: some engines never make the same mutant again,
// and what the lane sees gets no check-sat.
constexpr std::string_view kEngine = "typefuzz";
enum class Source : uint8_t { kFolded, kNested, kGenerated, kSeed };
constexpr uint32_t kSources = 4;
// Batches that are asked for with an option.
constexpr uint32_t kOptionOneIn = 4;

// The tactics whose options (simplify t) takes, too.
constexpr std::string_view kSimplify = "(using-params simplify ";

// " :som true" of such a tactic.
std::string options_in(std::string_view tactic) {
  if (tactic.empty()) return {};
  tactic.remove_prefix(kSimplify.size());
  return fmt::format(" {}", tactic.substr(0, tactic.rfind(')')));
}

// Mostly none.
std::string draw_tactic(const std::vector<std::string>& tactics, base::Rng& rng) {
  if (tactics.empty() || !rng.one_in(kOptionOneIn)) return {};
  return tactics[rng.below(tactics.size())];
}

// The seed, then what the engine makes of it.
std::vector<ir::Script> seed_and_mutants(ir::TermStore& terms, const ir::Script& seed,
                                         mutate::Engine& engine, base::Rng& rng) {
  std::vector<ir::Script> scripts = {seed};
  const auto series = mutate::series_in(engine.start(terms, {.script = seed, .models = {}}));
  for (size_t i = 0; series != nullptr && i < kMutants; ++i) {
    mutate::Attempt attempt = series->next(rng);
    auto* mutant = std::get_if<mutate::Mutant>(&attempt);
    if (mutant != nullptr) scripts.push_back(std::move(mutant->script));
  }
  return scripts;
}

// The term as something that holds under the assignment.
TermTests::Suspicious suspicious_of(ir::TermStore& terms, const lane::Batch& batch,
                                    const lane::Suspect& suspect, size_t solver) {
  TermTests::Suspicious one;
  one.solver = solver;
  ir::TermId claim;
  if (suspect.assignment) {
    const ir::Model& model = batch.assignments[*suspect.assignment];
    eval::Evaluator evaluator(terms, model);
    claim = oracle::claim_of(terms, evaluator, suspect.term);
    if (claim.valid()) one.witness = model;
  }
  if (!claim.valid()) {
    claim = ir::apply(terms, ir::Op::kEq, std::array{suspect.term, suspect.term});
  }
  ir::Script flat = oracle::declarations_of(batch.script);
  ir::Command check;
  check.kind = ir::CommandKind::kCheckSat;
  flat.commands.push_back(check);
  one.script = oracle::with_assertions(flat, std::array{claim});
  return one;
}

}  // namespace

TermTests::TermTests(const Shared& shared, ir::TermStore& terms, size_t worker,
                     std::function<bool()> is_over)
    : engine_(mutate::make_engine(kEngine, shared.engine_settings)),
      is_over_(std::move(is_over)),
      solvers_(shared.solvers.size()) {
  const lane::Part part{worker, std::max<size_t>(shared.settings.jobs, worker + 1)};
  const auto readership = solver::readership_of(shared.solvers, *shared.ops);
  for (size_t i = 0; readership && i < shared.solvers.size(); ++i) {
    const solver::Solver& solver = shared.solvers[i];
    if (!lane::TermLane::serves(solver)) continue;
    const solver::RunLimits limits{.seconds = shared.settings.timeout,
                                   .memory = shared.settings.memory};
    // Options are nothing to report under the strictest policy.
    std::vector<std::string> tactics;
    if (shared.settings.policy != Policy::kDefault) tactics = solver.profile->formulas.tactics;
    std::erase_if(tactics, [](const std::string& one) { return !one.starts_with(kSimplify); });
    seats_.push_back(
        {i, solver.profile->simplify_command, std::move(tactics), lane::TermLane(solver, limits),
         std::make_unique<lane::Batches>(terms, readership->readers[i], part), lane::Choice()});
    seats_.back().lane.set_stop(is_over_);
  }
}

void TermTests::ask(ir::TermStore& terms, lab::SolverLab& lab, Seat& seat, const lane::Batch& batch,
                    const std::string& tactic, Turn& turn) {
  if (is_over_()) return;
  std::string form = seat.form;
  const size_t end = form.rfind(')');
  if (end != std::string::npos) form.insert(end, options_in(tactic));
  std::vector<lane::Suspect> suspects;
  const auto start = std::chrono::steady_clock::now();
  // The lane counts by itself what this costs.
  lab.in_turn(seat.solver, [&] {
    suspects = seat.lane.examine(terms, batch.script, batch.terms, batch.assignments, form,
                                 turn.counts[seat.solver]);
    return lab::Expense();
  });
  turn.seconds[seat.solver] +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const lane::Suspect& suspect :
       seat.choice.choose(terms, std::move(suspects), kMostSuspects)) {
    turn.suspicious.push_back(suspicious_of(terms, batch, suspect, seat.solver));
    turn.suspicious.back().tactic = tactic;
  }
}

bool TermTests::is_seed_next() const {
  return static_cast<Source>(turns_ % kSources) == Source::kSeed;
}

TermTests::Turn TermTests::take_turn(ir::TermStore& terms, lab::SolverLab& lab,
                                     const ir::Script& seed, std::span<const ir::Model> models,
                                     base::Rng& rng) {
  Turn turn;
  turn.counts.resize(solvers_);
  turn.seconds.resize(solvers_);
  const auto source = static_cast<Source>(turns_++ % kSources);
  if (source == Source::kSeed) {
    const auto scripts = seed_and_mutants(terms, seed, *engine_, rng);
    const lane::Batch batch = lane::subterms_of(terms, scripts, models, rng);
    for (Seat& seat : seats_) ask(terms, lab, seat, batch, draw_tactic(seat.tactics, rng), turn);
    for (Suspicious& one : turn.suspicious) one.is_of_seed = true;
    return turn;
  }
  for (Seat& seat : seats_) {
    lane::Batches& batches = *seat.batches;
    if (source == Source::kFolded) {
      const lane::Batch batch = batches.folded(terms, rng);
      if (!batch.terms.empty()) {
        // Plainly: what is learnt of the operators must not depend on an option.
        ask(terms, lab, seat, batch, std::string(), turn);
        batches.learn(seat.lane.replies());
        continue;
      }
    }
    const lane::Batch batch =
        source == Source::kGenerated ? batches.generated(terms, rng) : batches.nested(terms, rng);
    ask(terms, lab, seat, batch, draw_tactic(seat.tactics, rng), turn);
  }
  return turn;
}

}  // namespace elenchus::campaign
