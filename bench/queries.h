// What benchmarks of runs have in common: queries that a campaign might ask.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "ir/term_store.h"
#include "mutate/registry.h"
#include "seeds.h"
#include "smtlib/printer.h"
#include "solver/query.h"

namespace elenchus::bench {

// Queries of typefuzz and opfuzz mutants, in equal shares over the seeds.
inline std::vector<solver::Query> make_queries(const std::string& folder, size_t count) {
  ir::TermStore store;
  size_t bytes = 0;
  const auto seeds = read_seeds(store, folder, bytes);
  std::vector<solver::Query> queries;
  if (seeds.empty()) return queries;
  queries.reserve(count);
  smtlib::ScriptPrinter printer(store);
  base::Rng rng(1);
  const ir::TermStore::Mark mark = store.mark();
  const size_t length = count / seeds.size() + 1;
  for (size_t i = 0; i < seeds.size() && queries.size() < count; ++i) {
    store.rollback(mark);
    const auto engine = mutate::make_engine(i % 2 == 0 ? "typefuzz" : "opfuzz");
    const auto series = series_in(engine->start(store, {seeds[i].script, {}}));
    for (size_t k = 0; series != nullptr && k < length; ++k) {
      const auto attempt = series->next(rng);
      const auto* mutant = std::get_if<mutate::Mutant>(&attempt);
      if (mutant == nullptr) continue;
      if (auto query = solver::make_query(printer, store, mutant->script)) {
        queries.push_back(std::move(*query));
      }
    }
  }
  return queries;
}

}  // namespace elenchus::bench
