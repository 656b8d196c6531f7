#include "campaign/option_trials.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "ir/settings.h"
#include "knobs/relevance.h"

namespace elenchus::campaign {
namespace {

// Sets of more are refused, or tell little: their effects hide each other.
constexpr uint32_t kMostAtOnce = 8;

// How many options what is reported may need, where the policy has a limit.
size_t options_reported(Policy policy) { return policy == Policy::kDefault ? 0 : 1; }

// Scripts of which so large a share of options matters to both are the subject of one search.
// Were it all of them, what was learnt of single operators would give every script its own search,
// and none would get past its first vectors.
constexpr double kSameSubject = 0.75;
// A search holds some 100 KB; the one that was not used for the longest time goes.
constexpr size_t kMostLines = 32;
// Vectors in a row that have nothing for a script. Then it is tested without.
constexpr uint32_t kVectorsPassedOver = 4;

// An option that is refused alone so often in a logic, and never taken in any company, is left out
// there. What is refused once may be taken with the next script.
constexpr uint32_t kMostRefusals = 3;

using KnobSet = std::vector<const knobs::Knob*>;

KnobSet given_in(const knobs::Search& search) {
  KnobSet given;
  const knobs::Vector& values = search.current();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].empty()) given.push_back(search.knobs()[i]);
  }
  return given;
}

std::string value_in(const knobs::Search& search, const knobs::Knob* knob) {
  const auto at = std::find(search.knobs().begin(), search.knobs().end(), knob);
  return search.current()[static_cast<size_t>(at - search.knobs().begin())];
}

// The values of these in the search's vector, as the solver wants them.
std::vector<std::string> written_vector(const solver::Solver& solver, const knobs::Search& search,
                                        const KnobSet& given) {
  std::vector<std::string> options;
  const knobs::Vector& values = search.current();
  for (size_t i = 0; i < values.size(); ++i) {
    const knobs::Knob* knob = search.knobs()[i];
    if (!std::binary_search(given.begin(), given.end(), knob)) continue;
    options.push_back(knobs::written(*solver.profile, *knob, values[i]));
  }
  return options;
}

// Both point into one catalogue, in its order, which is that of the addresses.
KnobSet common_to(const KnobSet& a, const KnobSet& b) {
  KnobSet common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common;
}

// What two sets have in common, as a share of what is in either.
double likeness_of(const KnobSet& a, const KnobSet& b) {
  const KnobSet common = common_to(a, b);
  const size_t all = a.size() + b.size() - common.size();
  return all == 0 ? 1 : static_cast<double>(common.size()) / static_cast<double>(all);
}

}  // namespace

uint32_t options_tried(Policy policy) { return policy == Policy::kDefault ? 0 : kMostAtOnce; }

std::string outside_policy(Policy policy, const solver::Solver& solver) {
  if (policy == Policy::kAnything) return {};
  const size_t most = options_reported(policy);
  const size_t needed = solver::counted_options(solver);
  if (needed <= most) return {};
  return fmt::format("it needs {} options, and the policy '{}' reports what needs {} at most",
                     needed, to_string(policy), most);
}

base::Result<void> check_policy(Policy policy, std::span<const solver::Solver> solvers) {
  for (const solver::Solver& solver : solvers) {
    if (outside_policy(policy, solver).empty()) continue;
    return base::Error{
        base::ErrorKind::kUnsupported,
        fmt::format("'{}' has more options than the policy '{}' allows ({}); say --policy "
                    "anything if you mean it",
                    solver.name, to_string(policy), options_reported(policy)),
        {}};
  }
  return {};
}

OptionTrials::OptionTrials(const Shared& shared) : shared_(shared) {}

bool OptionTrials::is_refused(const knobs::Knob& knob, const std::string& value) const {
  const auto found = receptions_.find({&knob, value, logic_});
  return found != receptions_.end() && !found->second.is_accepted &&
         found->second.refusals >= kMostRefusals;
}

// With every value that is not its default.
bool OptionTrials::is_refused(const knobs::Knob& knob) const {
  return !knob.values.empty() &&
         std::all_of(knob.values.begin(), knob.values.end(), [&](const std::string& value) {
           return value == knob.standard || is_refused(knob, value);
         });
}

void OptionTrials::note(const Line& line, bool conflict) {
  for (const knobs::Knob* knob : given_) {
    Reception& reception = receptions_[{knob, value_in(*line.search, knob), logic_}];
    reception.is_accepted = reception.is_accepted || !conflict;
    reception.refusals += conflict && given_.size() == 1 ? 1 : 0;
  }
}

OptionTrials::KnobSet OptionTrials::candidates(size_t solver, const ir::TermStore& terms,
                                               const ir::Script& script) const {
  const knobs::Catalogue& catalogue = shared_.catalogues[solver];
  if (catalogue.knobs.empty() || options_tried(shared_.settings.policy) == 0) return {};
  const OptionsFrom way = shared_.settings.options_from;
  const bool experts_too = shared_.settings.policy == Policy::kAnything;
  const bool is_any = way == OptionsFrom::kSearch || way == OptionsFrom::kRandom;
  KnobSet knobs = is_any ? knobs::usable_knobs(catalogue, experts_too)
                         : knobs::relevant_knobs(catalogue, knobs::features_of(terms, script),
                                                 shared_.correlations[solver], experts_too);
  std::erase_if(knobs, [&](const knobs::Knob* knob) { return is_refused(*knob); });
  return knobs;
}

OptionTrials::Line& OptionTrials::line_for(size_t solver, const KnobSet& knobs) {
  Line* best = nullptr;
  double closest = kSameSubject;
  for (Line& line : lines_) {
    if (line.solver != solver) continue;
    const double likeness = likeness_of(line.knobs, knobs);
    if (likeness < closest || (best != nullptr && likeness == closest)) continue;
    best = &line;
    closest = likeness;
  }
  if (best == nullptr && lines_.size() < kMostLines) best = &lines_.emplace_back();
  if (best == nullptr) {
    best = &*std::min_element(lines_.begin(), lines_.end(),
                              [](const Line& a, const Line& b) { return a.used < b.used; });
    *best = Line();
  }
  best->solver = solver;
  // The next search of the line is about what matters now.
  if (!best->search || best->search->is_over()) best->knobs = knobs;
  best->used = ++clock_;
  return *best;
}

bool OptionTrials::renew(Line& line, base::Rng& rng) {
  if (line.search && !line.search->is_over()) return true;
  ended_ += line.search && line.search->generations() > 0 ? 1 : 0;
  const OptionsFrom way = shared_.settings.options_from;
  const bool breeds = way == OptionsFrom::kBoth || way == OptionsFrom::kSearch;
  const uint32_t most = options_tried(shared_.settings.policy);
  // What was refused since the last one began is left out.
  std::erase_if(line.knobs, [&](const knobs::Knob* knob) { return is_refused(*knob); });
  line.search.emplace(line.knobs, knobs::SearchSettings{.most = most, .breeds = breeds}, rng);
  begun_ += line.search->is_over() ? 0 : 1;
  return !line.search->is_over();
}

OptionTrials::KnobSet OptionTrials::given_of(Line& line, const KnobSet& relevant, base::Rng& rng) {
  for (uint32_t i = 0; i < kVectorsPassedOver && renew(line, rng); ++i) {
    KnobSet given = common_to(given_in(*line.search), relevant);
    std::erase_if(given, [&](const knobs::Knob* knob) {
      return is_refused(*knob, value_in(*line.search, knob));
    });
    if (!given.empty()) return given;
    line.search->report({}, rng);
  }
  return {};
}

std::optional<OptionTrials::Trial> OptionTrials::next(const ir::TermStore& terms,
                                                      const ir::Script& script, base::Rng& rng) {
  logic_ = ir::logic_name(terms, script);
  // One after the other, from a random start: solvers without options are passed over.
  const size_t count = shared_.catalogues.size();
  const size_t start = count == 0 ? 0 : rng.below(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t solver = (start + i) % count;
    const KnobSet relevant = candidates(solver, terms, script);
    if (relevant.empty()) continue;
    Line& line = line_for(solver, relevant);
    given_ = given_of(line, relevant, rng);
    if (given_.empty()) continue;
    current_ = static_cast<size_t>(&line - lines_.data());
    Trial trial{.solver = solver,
                .options = written_vector(shared_.solvers[solver], *line.search, given_)};
    for (const knobs::Knob* knob : given_) trial.names.push_back(knob->name);
    return trial;
  }
  return {};
}

void OptionTrials::report(const knobs::Showing& showing, base::Rng& rng) {
  if (current_ >= lines_.size()) return;
  Line& line = lines_[current_];
  if (!line.search || line.search->is_over()) return;
  note(line, showing.conflict);
  line.search->report(showing, rng);
}

OptionChooser::OptionChooser(const solver::Solver& solver, Policy policy,
                             const knobs::Correlations* learnt)
    : solver_(solver), catalogue_(knobs::catalogue_of(solver)), policy_(policy), learnt_(learnt) {}

std::vector<std::string> OptionChooser::choose(const ir::TermStore& terms, const ir::Script& script,
                                               base::Rng& rng) const {
  const uint32_t most = options_tried(policy_);
  if (most == 0) return {};
  auto relevant = knobs::relevant_knobs(catalogue_, knobs::features_of(terms, script), learnt_,
                                        policy_ == Policy::kAnything);
  const knobs::Search search(std::move(relevant), {.most = most, .population = 1}, rng);
  return search.is_over() ? std::vector<std::string>()
                          : written_vector(solver_, search, given_in(search));
}

}  // namespace elenchus::campaign
