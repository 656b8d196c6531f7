// What the parts of the engine skeleton are good for: association rules on and off, skeletons of
// bug-triggering inputs and skeletons of plain seeds. For each of the four, tests are made from the
// same seeds and run on the solvers found; counted are distinct operators in the tests and distinct
// statistic keys (coverage/statistics.h) that the solvers report.
//
//   skeleton_ablation FOLDER [TESTS [REPETITIONS [SECONDS]]]
//   skeleton_ablation FOLDER --plain KNOWLEDGE
//
// FOLDER holds the plain seeds; TESTS of each variant and repetition (1000, 5 repetitions); SECONDS
// is the limit of a check-sat (0.5). Medians over the repetitions, with their range. The second
// form prints a knowledge file with the plain skeletons in place of its own, for bench/recall.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "coverage/statistics.h"
#include "history/knowledge_file.h"
#include "history/learner.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "lab/solver_lab.h"
#include "mutate/skeleton/skeleton.h"
#include "seeds.h"
#include "smtlib/printer.h"

namespace {

using namespace elenchus;
using namespace elenchus::bench;
using history::Knowledge;

struct Variant {
  std::string_view name;
  std::shared_ptr<const Knowledge> knowledge;
  bool uses_rules;
};

struct Figures {
  std::vector<size_t> operators;
  std::vector<size_t> keys;
  std::vector<size_t> accepted;
};

// The knowledge with the skeletons of the seeds instead of its own.
std::shared_ptr<const Knowledge> with_plain_skeletons(const Knowledge& base,
                                                      const ir::TermStore& store,
                                                      const std::vector<SeedWithModels>& seeds) {
  history::KnowledgeBuilder builder;
  builder.forget_texts();
  history::Learner learner(builder);
  for (const SeedWithModels& seed : seeds) {
    const auto text = smtlib::print_script(store, seed.script);
    if (text) (void)learner.add({"seed", *text, {}});
  }
  auto knowledge = std::make_shared<Knowledge>(base);
  knowledge->skeletons = builder.build({}).skeletons;
  for (history::Lesson& lesson : knowledge->lessons) lesson.skeletons.clear();
  return knowledge;
}

void note_operators(const ir::TermStore& store, const ir::Script& script, std::set<ir::Op>& seen) {
  ir::Walker walker(store);
  for (const ir::Command& command : script.commands) {
    if (command.kind != ir::CommandKind::kAssert) continue;
    walker.walk(command.term, [&](ir::TermId term) { seen.insert(store.meaning(term)); });
  }
}

void run_once(const Variant& variant, ir::TermStore& store,
              const std::vector<SeedWithModels>& seeds, lab::SolverLab& lab, uint64_t tests,
              uint64_t number, Figures& figures) {
  constexpr uint32_t kOfEachSeries = 2;
  mutate::SkeletonSettings settings;
  settings.knowledge = variant.knowledge;
  settings.uses_rules = variant.uses_rules;
  const auto engine = mutate::make_skeleton(settings);
  base::Rng rng(number);
  const ir::TermStore::Mark mark = store.mark();
  std::set<ir::Op> operators;
  std::set<std::pair<size_t, uint64_t>> keys;
  size_t accepted = 0;
  for (uint64_t made = 0; made < tests;) {
    store.rollback(mark);
    const SeedWithModels& seed = seeds[rng.below(seeds.size())];
    const auto series = series_in(engine->start(store, {seed.script, {}, mutate::Truth::kUnknown}));
    for (uint32_t i = 0; i < kOfEachSeries && made < tests; ++i) {
      const auto attempt = series->next(rng);
      const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
      if (mutant == nullptr) break;
      ++made;
      note_operators(store, mutant->script, operators);
      auto query = lab.query_of(mutant->script, {});
      if (!query) continue;
      query->want_statistics = true;
      bool is_accepted = false;
      for (size_t each = 0; each < lab.solvers().size(); ++each) {
        const solver::Run run = lab.run_query(each, *query);
        is_accepted |= run.outcome != solver::Outcome::kRejected;
        for (const auto& check : run.checks) {
          for (const uint64_t key : coverage::statistic_keys(check.statistics)) {
            keys.emplace(each, key);
          }
        }
      }
      accepted += is_accepted ? 1 : 0;
    }
  }
  store.rollback(mark);
  figures.operators.push_back(operators.size());
  figures.keys.push_back(keys.size());
  figures.accepted.push_back(accepted);
}

std::string shown(std::vector<size_t> values) {
  std::sort(values.begin(), values.end());
  return fmt::format("{} ({} to {})", values[values.size() / 2], values.front(), values.back());
}

int print_plain(const char* file, const ir::TermStore& store,
                const std::vector<SeedWithModels>& seeds) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto base = history::read_knowledge(text);
  if (!base) {
    fmt::print(stderr, "{}: {}\n", file, base.error().message);
    return 2;
  }
  fmt::print("{}", history::print_knowledge(*with_plain_skeletons(*base, store, seeds)));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr,
               "usage: skeleton_ablation FOLDER [TESTS [REPETITIONS [SECONDS]]]\n"
               "       skeleton_ablation FOLDER --plain KNOWLEDGE\n");
    return 2;
  }
  ir::TermStore store;
  size_t bytes = 0;
  const auto seeds = read_seeds(store, argv[1], bytes);
  if (argc == 4 && std::string_view(argv[2]) == "--plain")
    return print_plain(argv[3], store, seeds);
  const uint64_t tests = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  const uint64_t repetitions = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 5;
  const double seconds = argc > 4 ? std::atof(argv[4]) : 0.5;
  const auto solvers = solver::find_all_solvers(solver::Profiles::standard());
  if (seeds.empty() || solvers.empty() || tests == 0 || repetitions == 0) {
    fmt::print(stderr, "no seeds, no solvers, or nothing to do\n");
    return 2;
  }
  const auto historical = history::shipped_knowledge();
  const auto plain = with_plain_skeletons(*historical, store, seeds);
  const std::vector<Variant> variants = {{"historical, rules", historical, true},
                                         {"historical, no rules", historical, false},
                                         {"plain, rules", plain, true},
                                         {"plain, no rules", plain, false}};
  fmt::print("{} seeds, {} tests, {} repetitions; {} historical and {} plain skeletons\n",
             seeds.size(), tests, repetitions, historical->skeletons.size(),
             plain->skeletons.size());
  std::vector<Figures> figures(variants.size());
  lab::SolverLab lab(store, solvers, false, {.seconds = seconds});
  for (uint64_t number = 1; number <= repetitions; ++number) {
    for (size_t i = 0; i < variants.size(); ++i) {
      run_once(variants[i], store, seeds, lab, tests, number, figures[i]);
    }
  }
  fmt::print("{:<24}{:<24}{:<24}{}\n", "skeletons", "operators", "statistic keys", "accepted");
  for (size_t i = 0; i < variants.size(); ++i) {
    fmt::print("{:<24}{:<24}{:<24}{}\n", variants[i].name, shown(figures[i].operators),
               shown(figures[i].keys), shown(figures[i].accepted));
  }
  return 0;
}
