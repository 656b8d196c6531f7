// DIVER's weighted choice of occurrences against a uniform one: valid mutants per second of CPU
// time, for each folder of seeds, equal times by turns, with the range over the repetitions.
//
//   diver_weights FOLDER [SECONDS [REPETITIONS]]
//
// The published DIVER made 1.6 times as many with weights (ICSE 2023, section IV-C).
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ir/term_store.h"
#include "mutate/diver/diver.h"
#include "seeds.h"

namespace {

using namespace elenchus;
using namespace elenchus::bench;

// Valid mutants in about so many seconds, as a rate.
double rate(bool is_weighted, ir::TermStore& store, const std::vector<SeedWithModels>& seeds,
            double seconds, uint64_t number) {
  mutate::DiverSettings settings;
  settings.is_weighted = is_weighted;
  settings.mirror_one_in = 0;
  const auto engine = mutate::make_diver(settings);
  base::Rng rng(number);
  const ir::TermStore::Mark mark = store.mark();
  uint64_t mutants = 0;
  const double start = cpu_seconds();
  bool is_useful = true;
  while (is_useful && cpu_seconds() - start < seconds) {
    is_useful = false;
    for (const SeedWithModels& seed : seeds) {
      store.rollback(mark);
      const auto series =
          series_in(engine->start(store, {seed.script, seed.models, mutate::Truth::kSat}));
      if (series == nullptr) continue;
      is_useful = true;
      for (uint32_t i = 0; i < engine->series_length(); ++i) {
        mutants += std::holds_alternative<mutate::Mutant>(series->next(rng)) ? 1 : 0;
      }
      if (cpu_seconds() - start >= seconds) break;
    }
  }
  const double total = cpu_seconds() - start;
  store.rollback(mark);
  return static_cast<double>(mutants) / std::max(total, 1e-9);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(const std::string& name, const std::string& folder, double seconds, int repetitions) {
  ir::TermStore store;
  size_t bytes = 0;
  auto seeds = read_seeds(store, folder, bytes);
  ask_for_models(store, seeds);
  std::erase_if(seeds, [](const SeedWithModels& seed) { return seed.models.empty(); });
  if (seeds.empty()) return;
  std::vector<double> weighted;
  std::vector<double> uniform;
  std::vector<double> ratios;
  for (int i = 0; i < repetitions; ++i) {
    const auto number = static_cast<uint64_t>(i);
    weighted.push_back(rate(true, store, seeds, seconds, number));
    uniform.push_back(rate(false, store, seeds, seconds, number));
    ratios.push_back(weighted.back() / std::max(uniform.back(), 1e-9));
  }
  if (median(weighted) == 0) return;
  fmt::print("{:<12}{:>6}{:>12.0f}{:>12.0f}{:>9.2f}   {:.2f} to {:.2f}\n", name, seeds.size(),
             median(weighted), median(uniform), median(ratios),
             *std::min_element(ratios.begin(), ratios.end()),
             *std::max_element(ratios.begin(), ratios.end()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: diver_weights FOLDER [SECONDS [REPETITIONS]]\n");
    return 2;
  }
  const double seconds = argc > 2 ? std::atof(argv[2]) : 0.5;
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 5;
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.is_directory()) folders.push_back(entry.path().string());
  }
  std::sort(folders.begin(), folders.end());
  fmt::print("{:<12}{:>6}{:>12}{:>12}{:>9}   range of {}\n", "folder", "seeds", "weighted/s",
             "uniform/s", "times", repetitions);
  for (const std::string& folder : folders) {
    compare(std::filesystem::path(folder).filename().string(), folder, seconds, repetitions);
  }
  compare("all", argv[1], 4 * seconds, repetitions);
  return 0;
}
