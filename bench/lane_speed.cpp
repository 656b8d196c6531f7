// The lane of terms by itself: how many terms a CPU second is good for, and what folding constants
// shows.
//
//   lane_speed [SOLVER [SECONDS]]      batches of each source in turns; of z3, ten seconds
//   lane_speed SOLVER fold [MOST]      every operator over all values of the small sorts; of a form
//                                      with more applications than MOST, so many of them
//
// Each suspicious term is printed: it is something to look into, no finding.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lane/batches.h"
#include "lane/lane.h"
#include "queries.h"
#include "smtlib/printer.h"
#include "solver/readership.h"
#include "solver/solver.h"

namespace {

using namespace elenchus;
using namespace elenchus::bench;

constexpr solver::RunLimits kLimits;
constexpr size_t kBatch = 400;

std::string shown(const ir::TermStore& store, ir::TermId term) {
  const auto text = smtlib::print_term(store, term);
  return text ? text->substr(0, 200) : std::string();
}

void report(const ir::TermStore& store, std::string_view source,
            const std::vector<lane::Suspect>& suspects) {
  for (const lane::Suspect& suspect : suspects) {
    fmt::print("{}: {} {}\n", source, suspect.assignment ? "differs" : "dies of",
               shown(store, suspect.term));
  }
}

void print_counts(std::string_view name, const lane::Counts& counts, double self) {
  const double all = counts.cpu_seconds + self;
  fmt::print(
      "{}: {} terms, {:.0f} per CPU second; ours {:.1f} %, {:.1f} values compared per changed "
      "term; unchanged {}, refused {}, unreadable {}, other sort {}, fatal {}, too long {}, "
      "confused {}, lost {}\n",
      name, counts.terms, static_cast<double>(counts.terms) / all, 100 * self / all,
      static_cast<double>(counts.compared) /
          static_cast<double>(std::max<uint64_t>(
              counts.of(lane::Fate::kAnswered) - counts.unchanged - counts.unreadable, 1)),
      counts.unchanged, counts.of(lane::Fate::kRefused), counts.unreadable, counts.other_sorts,
      counts.of(lane::Fate::kFatal), counts.of(lane::Fate::kTooLong),
      counts.of(lane::Fate::kConfused), counts.of(lane::Fate::kLost));
}

struct Bench {
  explicit Bench(const solver::Solver& solver)
      : readership(*solver::readership_of(std::span(&solver, 1), *ir::OpTable::standard())),
        store(readership.ops),
        batches(store, readership.readers[0]),
        clean(store.mark()),
        lane(solver, kLimits),
        form(solver.profile->simplify_command) {}

  solver::Readership readership;
  ir::TermStore store;
  lane::Batches batches;
  ir::TermStore::Mark clean;
  lane::TermLane lane;
  std::string form;
};

void run_sources(Bench& bench, double seconds) {
  base::Rng rng(1);
  struct Sum {
    lane::Counts counts;
    double self = 0;
  };
  std::map<std::string, Sum> sums;
  const auto start = std::chrono::steady_clock::now();
  for (uint32_t turn = 0;
       std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
       ++turn) {
    bench.store.rollback(bench.clean);
    const double cpu = cpu_seconds();
    const char* const names[] = {"folded", "nested", "generated"};
    const char* const name = names[turn % 3];
    const lane::Batch batch = turn % 3 == 0   ? bench.batches.folded(bench.store, rng)
                              : turn % 3 == 1 ? bench.batches.nested(bench.store, rng)
                                              : bench.batches.generated(bench.store, rng);
    Sum& sum = sums[name];
    const auto suspects = bench.lane.examine(bench.store, batch.script, batch.terms,
                                             batch.assignments, bench.form, sum.counts);
    if (turn % 3 == 0) bench.batches.learn(bench.lane.replies());
    sum.self += cpu_seconds() - cpu;
    report(bench.store, name, suspects);
  }
  Sum all;
  for (const auto& [name, sum] : sums) {
    print_counts(name, sum.counts, sum.self);
    all.counts += sum.counts;
    all.self += sum.self;
  }
  print_counts("all", all.counts, all.self);
}

// Applications of a form, a batch at a time. Gives up on one that the solver refuses.
void fold(Bench& bench, const lane::Form& form, uint64_t most, lane::Counts& counts) {
  const std::vector<ir::Model> nothing(1);
  base::Rng rng(1);
  lane::Tour tour(bench.batches.forms().count(form), rng);
  for (uint64_t done = 0; done < most && !tour.is_over();) {
    bench.store.rollback(bench.clean);
    std::vector<ir::TermId> terms;
    for (; done < most && !tour.is_over() && terms.size() < kBatch; ++done) {
      const ir::TermId term = bench.batches.forms().application(bench.store, form, tour.next());
      if (term.valid()) terms.push_back(term);
    }
    lane::Counts some;
    const auto suspects = bench.lane.examine(bench.store, bench.batches.forms().script(), terms,
                                             nothing, bench.form, some);
    counts += some;
    report(bench.store, bench.store.ops().name(form.op), suspects);
    if (some.of(lane::Fate::kAnswered) == 0) return;
  }
}

void run_folding(Bench& bench, uint64_t most) {
  const double cpu = cpu_seconds();
  lane::Counts counts;
  for (const lane::Form& form : bench.batches.forms().all()) fold(bench, form, most, counts);
  fmt::print("{} forms\n", bench.batches.forms().all().size());
  print_counts("folding", counts, cpu_seconds() - cpu);
}

}  // namespace

int main(int argc, char** argv) {
  const char* const spec = argc > 1 ? argv[1] : "z3";
  const auto solver = solver::find_solver(solver::Profiles::standard(), spec);
  if (!solver || !lane::TermLane::serves(*solver)) {
    fmt::print("'{}' cannot be asked about terms\n", spec);
    return 2;
  }
  const double before = cpu_seconds();
  Bench bench(*solver);
  fmt::print("{} {}: {} forms, made in {:.2f} CPU seconds\n", solver->name, solver->version,
             bench.batches.forms().all().size(), cpu_seconds() - before);
  if (argc > 2 && std::string_view(argv[2]) == "fold") {
    run_folding(bench, argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 20'000);
  } else {
    run_sources(bench, argc > 2 ? std::strtod(argv[2], nullptr) : 10);
  }
  return 0;
}
