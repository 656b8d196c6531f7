#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/rng.h"
#include "record/kind.h"
#include "store/campaign_store.h"

namespace elenchus::store {

// A campaign that never ran, for tests of what reads campaigns.
struct SyntheticCampaign {
  size_t bugs = 12;
  double hours = 0.5;
  double end = 0;  // when it ended, seconds since 1970
  uint64_t rng = 1;
  bool hostile = false;  // titles, evidence and scripts that try to be markup
};

namespace synthetic {

inline constexpr std::array<const char*, 4> kEngines = {"typefuzz", "storm", "diver", "skeleton"};
inline constexpr std::array<const char*, 3> kSolvers = {"z3", "cvc5", "cvc4"};
inline constexpr std::array<const char*, 6> kFolders = {"QF_LIA", "QF_BV", "QF_S",
                                                        "LIA",    "QF_FP", "QF_DT"};
inline constexpr const char* kMarkup =
    "</script><script>document.title='harmed'</script><img src=x onerror=\"document.title="
    "'harmed'\">";

inline Finding finding(const SyntheticCampaign& wish, size_t number, base::Rng& rng) {
  const auto kind =
      std::string(record::kinds()[rng.below(std::min<size_t>(record::kinds().size(), 8))].name);
  const std::string solver = kSolvers[rng.below(kSolvers.size())];
  const std::string script = fmt::format(
      "(set-logic ALL)\n; found by a test\n(declare-fun |x{0}{1}| () Int)\n(assert (and (> "
      "|x{0}{1}| "
      "{0}) (= \"a \"\"quoted\"\" string\" \"b\")))\n(check-sat)\n(get-model)\n",
      number, wish.hostile ? kMarkup : "");
  Finding finding;
  Manifest& manifest = finding.manifest;
  manifest.kind = kind;
  manifest.solver = solver;
  manifest.signature = fmt::format("{} {} {}", solver, kind, number);
  manifest.version = "4.8.12";
  manifest.command = solver + " -in";
  if (rng.below(3) == 0) manifest.options = {fmt::format("option.number={}", rng.below(4))};
  manifest.engine = kEngines[rng.below(kEngines.size())];
  manifest.seeds = {fmt::format("{}/seed_{}.smt2", kFolders[rng.below(kFolders.size())], number)};
  manifest.expectation = "sat";
  manifest.evidence = fmt::format("the witness satisfies every assertion, and {} says unsat{}",
                                  solver, wish.hostile ? kMarkup : "");
  manifest.title =
      fmt::format("{} is wrong in case {}{}", solver, number, wish.hostile ? kMarkup : "");
  manifest.logic = "ALL";
  manifest.rng_seed = rng.next();
  manifest.size_original = script.size() * 20;
  manifest.size_reduced = script.size();
  manifest.answers = {{"z3", "4.8.12", "z3 -in", "unsat"}, {"cvc5", "1.0.3", "cvc5", "sat"}};
  std::string original;
  for (int i = 0; i < 20; ++i) original += script;
  finding.files = {{"original.smt2", original},
                   {"reduced.smt2", script},
                   {"witness.model", "((define-fun x () Int 1))\n"},
                   {"repro.sh", "#!/bin/sh\nz3 reduced.smt2\n", true},
                   {"report.md", "# A report\n" + script},
                   {"outputs/z3.txt", "unsat\n"}};
  return finding;
}

inline Tallies tallies(double seconds, double done, base::Rng& rng) {
  Ledger ledger;
  Tallies tallies;
  for (const char* engine : kEngines) {
    for (const char* folder : kFolders) {
      const auto tests = static_cast<uint64_t>(seconds * 1.5) + rng.below(4);
      const uint64_t decided = tests - std::min<uint64_t>(tests, rng.below(tests / 8 + 1));
      tallies.tests[{engine, folder}] = {tests, tests, 0, decided, tests / 2, tests / 10};
    }
    for (const char* solver : kSolvers) {
      RunCounts& counts = tallies.runs[{engine, solver}];
      const auto runs = static_cast<uint64_t>(seconds * 3) + rng.below(5);
      counts.outcomes = {runs, runs / 2, runs / 10, runs / 20, 0, runs / 100, runs / 8};
      counts.wall = seconds / 12;
      counts.cpu = seconds / 13;
    }
  }
  uint64_t keys = 0;
  for (const char* solver : kSolvers) {
    keys += 400;
    tallies.keys[solver] = keys + static_cast<uint64_t>(300 * done / (done + 900));
  }
  return tallies;
}

// As wide as the database keeps what is so old.
inline double width_of(double age) {
  constexpr double kHour = 3600;
  if (age > 48 * kHour) return 600;
  return age > 2 * kHour ? 60 : 10;
}

}  // namespace synthetic

inline base::Result<void> make_campaign(const std::filesystem::path& folder,
                                        const SyntheticCampaign& wish) {
  constexpr double kHour = 3600;
  const double start = wish.end - wish.hours * kHour;
  double now = start;
  StoreOptions options;
  options.program = "elenchus (synthetic)";
  options.command_line = "elenchus fuzz";
  options.clock = [&now] { return now; };
  ELENCHUS_ASSIGN_OR_RETURN(const auto store, CampaignStore::create(folder, "rng = 1\n", options));
  base::Rng rng(wish.rng);
  std::vector<SeedRecord> seeds;
  for (const char* name : synthetic::kFolders) {
    seeds.push_back(
        {std::string(name) + "/a.smt2", name, SeedStatus::kUsed, "", {900, 900, 850, 3, 40.0}});
    seeds.push_back({std::string(name) + "/b.smt2", name, SeedStatus::kDropped, "slow", {}});
  }
  if (auto done = store->put_seeds(seeds); !done) return done;
  if (auto done = store->add_event(Severity::kNote, "campaign", "it began"); !done) return done;
  size_t bugs = 0;
  while (now < wish.end) {
    const double width = std::min(synthetic::width_of(wish.end - now), wish.end - now);
    if (auto done = store->flush(synthetic::tallies(width, now - start, rng)); !done) return done;
    now += width;
    // Many at first, fewer later on.
    const double done = (now - start) / (wish.end - start);
    while (bugs < wish.bugs &&
           static_cast<double>(bugs) < static_cast<double>(wish.bugs) * done * (2 - done)) {
      auto stored = store->add_finding(synthetic::finding(wish, bugs++, rng));
      if (!stored) return stored.error();
    }
  }
  if (auto done = store->flush({}); !done) return done;
  return store->write_status({.corpus = 12, .pending = 3, .cycles = 2, .timeout_ms = 2000});
}

}  // namespace elenchus::store
