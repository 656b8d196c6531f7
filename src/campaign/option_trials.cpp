#include "campaign/option_trials.h"

#include <fmt/format.h>

#include "knobs/relevance.h"

namespace elenchus::campaign {
namespace {

// Sets of more are refused, or tell little: their effects hide each other.
constexpr uint32_t kMostAtOnce = 12;

std::vector<std::string> written_vector(const solver::Solver& solver, const knobs::Search& search) {
  std::vector<std::string> options;
  const knobs::Vector& values = search.current();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    options.push_back(knobs::written(*solver.profile, *search.knobs()[i], values[i]));
  }
  return options;
}

}  // namespace

EngineName engine_name_of(std::string_view name) {
  constexpr std::string_view kOptions = "+options";
  EngineName result{.plain = std::string(name)};
  const size_t at = name.find(kOptions);
  const size_t end = at + kOptions.size();
  if (at == std::string_view::npos || (end < name.size() && name[end] != '+')) return result;
  result.plain.erase(at, kOptions.size());
  result.has_options = true;
  return result;
}

uint32_t options_allowed(Policy policy, const solver::Solver& solver) {
  switch (policy) {
    case Policy::kDefault: return 0;
    case Policy::kRegular: return solver.options.empty() ? 1 : 0;
    case Policy::kAnything: return kMostAtOnce;
  }
  return 0;
}

base::Result<void> check_policy(Policy policy, std::span<const solver::Solver> solvers) {
  if (policy == Policy::kAnything) return {};
  const size_t most = policy == Policy::kDefault ? 0 : 1;
  for (const solver::Solver& solver : solvers) {
    if (solver::counted_options(solver) <= most) continue;
    return base::Error{
        base::ErrorKind::kUnsupported,
        fmt::format("'{}' has more options than the policy '{}' allows ({}); say --policy "
                    "anything if you mean it",
                    solver.name, to_string(policy), most),
        {}};
  }
  return {};
}

OptionTrials::OptionTrials(const Shared& shared)
    : shared_(shared), searches_(shared.solvers.size()), refused_(shared.solvers.size()) {}

void OptionTrials::begin_visit() {
  for (auto& search : searches_) search.reset();
}

std::vector<const knobs::Knob*> OptionTrials::candidates(size_t solver, const ir::TermStore& terms,
                                                         const ir::Script& script) const {
  const OptionsFrom way = shared_.settings.options_from;
  const bool experts_too = shared_.settings.policy == Policy::kAnything;
  const knobs::Catalogue& catalogue = shared_.catalogues[solver];
  if (way == OptionsFrom::kSearch || way == OptionsFrom::kRandom) {
    return knobs::usable_knobs(catalogue, experts_too);
  }
  return knobs::relevant_knobs(catalogue, knobs::features_of(terms, script),
                               shared_.correlations[solver], experts_too);
}

knobs::Search OptionTrials::start_search(size_t solver, const ir::TermStore& terms,
                                         const ir::Script& script, base::Rng& rng) const {
  const OptionsFrom way = shared_.settings.options_from;
  auto knobs = candidates(solver, terms, script);
  std::erase_if(knobs,
                [&](const knobs::Knob* knob) { return refused_[solver].contains(knob->name); });
  const uint32_t most = options_allowed(shared_.settings.policy, shared_.solvers[solver]);
  if (most == 0) knobs.clear();
  const bool breeds = way == OptionsFrom::kBoth || way == OptionsFrom::kSearch;
  return knobs::Search(std::move(knobs), {.most = most, .breeds = breeds}, rng);
}

std::optional<OptionTrials::Trial> OptionTrials::next(const ir::TermStore& terms,
                                                      const ir::Script& script, base::Rng& rng) {
  // One after the other, from a random start: solvers without options are passed over.
  const size_t count = shared_.catalogues.size();
  const size_t start = count == 0 ? 0 : rng.below(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t solver = (start + i) % count;
    if (shared_.catalogues[solver].knobs.empty()) continue;
    auto& search = searches_[solver];
    if (!search || search->is_over()) search = start_search(solver, terms, script, rng);
    if (search->is_over()) continue;
    current_ = solver;
    return Trial{.solver = solver, .options = written_vector(shared_.solvers[solver], *search)};
  }
  return {};
}

void OptionTrials::report(uint32_t new_keys, bool conflict, base::Rng& rng) {
  auto& search = searches_[current_];
  if (!search || search->is_over()) return;
  if (conflict) {
    const knobs::Vector& values = search->current();
    std::string given;
    size_t count = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].empty()) continue;
      given = search->knobs()[i]->name;
      ++count;
    }
    // Refused alone: it will not do better in company.
    if (count == 1) refused_[current_].insert(given);
  }
  search->report(new_keys, conflict, rng);
}

OptionChooser::OptionChooser(const solver::Solver& solver, Policy policy,
                             const knobs::Correlations* learnt)
    : solver_(solver), catalogue_(knobs::catalogue_of(solver)), policy_(policy), learnt_(learnt) {}

std::vector<std::string> OptionChooser::choose(const ir::TermStore& terms, const ir::Script& script,
                                               base::Rng& rng) const {
  const uint32_t most = options_allowed(policy_, solver_);
  if (most == 0) return {};
  auto relevant = knobs::relevant_knobs(catalogue_, knobs::features_of(terms, script), learnt_,
                                        policy_ == Policy::kAnything);
  const knobs::Search search(std::move(relevant), {.most = most, .population = 1}, rng);
  return search.is_over() ? std::vector<std::string>() : written_vector(solver_, search);
}

}  // namespace elenchus::campaign
