// Mutants per second of CPU time, printing included, no solver: what an engine costs a campaign.
//
//   mutate_speed FOLDER [SECONDS [ENGINE]...]     all .smt2 files below FOLDER are seeds
//
// As a worker does it: all seeds are parsed into one store; a series of mutants per seed, one seed
// after the other, and the store is rolled back after each test and each series. For engines that
// want models, the first solver found is asked for one of each seed before the clock starts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "ir/term_store.h"
#include "mutate/registry.h"
#include "seeds.h"
#include "smtlib/printer.h"

namespace {

using namespace elenchus;
using namespace elenchus::bench;

void measure(std::string_view name, ir::TermStore& store, const std::vector<SeedWithModels>& seeds,
             double seconds) {
  const auto engine = mutate::make_engine(name);
  smtlib::ScriptPrinter printer(store);
  base::Rng rng(1);
  const ir::TermStore::Mark mark = store.mark();
  uint64_t mutants = 0;
  uint64_t bytes = 0;
  uint64_t skips = 0;
  double making = 0;
  double printing = 0;
  const double start = cpu_seconds();
  bool sample = true;
  do {
    for (const SeedWithModels& seed : seeds) {
      store.rollback(mark);
      const auto series =
          series_in(engine->start(store, {seed.script, seed.models, mutate::Truth::kUnknown}));
      if (series == nullptr) continue;
      for (uint32_t i = 0; i < engine->series_length(); ++i) {
        const auto attempt = series->next(rng);
        const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
        if (mutant == nullptr) {
          ++skips;
          continue;
        }
        const ir::TermStore::Mark before = store.mark();
        const auto printed = printer.print(mutant->script);
        store.rollback(before);
        if (!printed) continue;
        ++mutants;
        bytes += printed->text.size();
      }
    }
  } while (cpu_seconds() - start < seconds);
  const double total = cpu_seconds() - start;
  // Once more without printing, to tell the two apart.
  uint64_t made = 0;
  const double again = cpu_seconds();
  while (sample || cpu_seconds() - again < seconds / 4) {
    sample = false;
    for (const SeedWithModels& seed : seeds) {
      store.rollback(mark);
      const auto series =
          series_in(engine->start(store, {seed.script, seed.models, mutate::Truth::kUnknown}));
      if (series == nullptr) continue;
      for (uint32_t i = 0; i < engine->series_length(); ++i) {
        made += std::holds_alternative<mutate::Mutant>(series->next(rng)) ? 1 : 0;
      }
    }
  }
  making = (cpu_seconds() - again) / static_cast<double>(std::max<uint64_t>(made, 1));
  printing = total / static_cast<double>(mutants) - making;
  store.rollback(mark);
  fmt::print(
      "{:<10}{:>10.0f} mutants/s  {:6.1f} us to make, {:6.1f} us to print  {:6.0f} bytes"
      "  {} skips of {}\n",
      name, static_cast<double>(mutants) / total, making * 1e6, printing * 1e6,
      static_cast<double>(bytes) / static_cast<double>(mutants), skips, skips + mutants);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: mutate_speed FOLDER [SECONDS [ENGINE]...]\n");
    return 2;
  }
  ir::TermStore store;
  size_t bytes = 0;
  auto seeds = read_seeds(store, argv[1], bytes);
  if (seeds.empty()) {
    fmt::print(stderr, "no seeds in {}\n", argv[1]);
    return 2;
  }
  fmt::print("{} seeds of {} bytes on average\n", seeds.size(), bytes / seeds.size());
  std::vector<std::string_view> names(argv + std::min(argc, 3), argv + argc);
  if (names.empty()) names = mutate::engine_names();
  const bool wants_models = std::any_of(names.begin(), names.end(), [](std::string_view name) {
    const auto engine = mutate::make_engine(name);
    return engine != nullptr && engine->wants_models();
  });
  if (wants_models) {
    fmt::print(stderr, "asking for models...\n");
    ask_for_models(store, seeds);
    fmt::print(stderr, "measuring\n");
  }
  for (const std::string_view name : names) {
    if (!mutate::is_engine_name(name)) {
      fmt::print(stderr, "no engine '{}'\n", name);
      return 2;
    }
    measure(name, store, seeds, argc > 2 ? std::atof(argv[2]) : 5.0);
  }
  return 0;
}
