// A mutant is worth further mutants when it did what its family had not done: some solver showed
// keys that no test had shown, or the solvers' answers are of a combination that is new to the
// family. What timed out, or what no solver decides, is of no use: its mutants would be the same.

#include "campaign/recruiter.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "coverage/statistics.h"
#include "reduce/reduce.h"
#include "smtlib/printer.h"

namespace elenchus::campaign {
namespace {

// What reducing a recruit may cost: its mutants are many, and each costs what it costs.
constexpr uint32_t kTries = 12;

// "z3=sat cvc5=unknown", of all that took part; nothing where that leads nowhere.
std::optional<std::string> answers_in(const oracle::Exam& exam, size_t solvers) {
  std::string text;
  bool is_decided = false;
  for (size_t i = 0; i < solvers; ++i) {
    const solver::Run* run = exam.find_run(i);
    if (run == nullptr) continue;
    if (run->outcome == solver::Outcome::kTimeout) return {};
    const bool has_answer = !run->checks.empty();
    const solver::Outcome answer = has_answer ? run->checks.back().outcome : run->outcome;
    is_decided = is_decided || solver::is_decided(answer);
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", exam.solver(i).name, to_string(answer));
  }
  if (!is_decided) return {};
  return text;
}

std::vector<uint64_t> keys_of(const solver::Run& run) {
  std::vector<uint64_t> keys;
  for (const solver::CheckResult& check : run.checks) {
    const auto some = coverage::statistic_keys(check.statistics);
    keys.insert(keys.end(), some.begin(), some.end());
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

void Recruiter::note_seed(const SeedFile& seed, const oracle::Exam& exam) {
  const auto answers = answers_in(exam, lab_.own_count());
  if (!answers) return;
  shared_.answers.note(seed.key, *answers);
  if (shared_.pool != nullptr) shared_.pool->is_new_outcome(seed.family(), *answers);
}

bool Recruiter::is_unlike(const SeedFile& seed, const oracle::Exam& exam,
                          std::span<const std::vector<uint64_t>> keys) const {
  const auto shows = [](const std::vector<uint64_t>& some) { return !some.empty(); };
  if (std::any_of(keys.begin(), keys.end(), shows)) return true;
  const auto answers = answers_in(exam, lab_.own_count());
  return answers && shared_.answers.differ(seed.key, *answers);
}

base::Result<void> Recruiter::look_at(const SeedFile& seed, std::string_view engine,
                                      const oracle::Exam& exam,
                                      std::span<const std::vector<uint64_t>> keys) {
  if (shared_.pool == nullptr || !shared_.pool->has_room(seed.family())) return {};
  const auto answers = answers_in(exam, lab_.own_count());
  if (!answers) return {};
  const ir::Script& script = exam.test().script;
  if (shared_.pool->is_new_outcome(seed.family(), *answers)) {
    const auto is_alike = [&](const ir::Script& other) {
      oracle::Exam again(terms_, {.script = other}, lab_);
      for (size_t i = 0; i < lab_.own_count(); ++i) {
        if (exam.find_run(i) != nullptr) again.run(i);
      }
      return answers_in(again, lab_.own_count()) == answers;
    };
    return recruit(seed, engine, {.because = *answers}, script, is_alike);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].empty()) continue;
    std::vector<uint64_t> wanted = keys[i];
    std::sort(wanted.begin(), wanted.end());
    const auto is_alike = [&](const ir::Script& other) { return shows(i, wanted, other); };
    Pooled entry{.because = fmt::format("{} new keys of {}", wanted.size(), exam.solver(i).name),
                 .keys = wanted};
    return recruit(seed, engine, std::move(entry), script, is_alike);
  }
  return {};
}

bool Recruiter::shows(size_t solver, const std::vector<uint64_t>& keys, const ir::Script& script) {
  auto query = lab_.query_of(script, {});
  if (!query) return false;
  std::optional<coverage::AflMap>& map = maps_[solver];
  query->want_statistics = !map;
  if (map) map->clear();
  const solver::Run run = lab_.run_query(solver, *query);
  const std::vector<uint64_t> shown = map ? map->keys() : keys_of(run);
  return std::includes(shown.begin(), shown.end(), keys.begin(), keys.end());
}

base::Result<void> Recruiter::recruit(const SeedFile& seed, std::string_view engine, Pooled entry,
                                      const ir::Script& script,
                                      const std::function<bool(const ir::Script&)>& is_alike) {
  const reduce::Reduction smaller =
      reduce::reduce(terms_, script, is_alike,
                     {.max_tries = kTries,
                      .should_stop = [this] { return shared_.is_over(); },
                      .on_progress = {}});
  ELENCHUS_ASSIGN_OR_RETURN(entry.script, smtlib::print_script(terms_, smaller.script));
  entry.seed = seed.family();
  entry.engine = engine;
  entry.generation = seed.generation + 1;
  if (auto added = shared_.pool->add(entry); !added) return added;
  shared_.adopt(entry);
  return {};
}

}  // namespace elenchus::campaign
