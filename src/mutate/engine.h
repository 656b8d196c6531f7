#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "ir/truth.h"

namespace elenchus::mutate {

using ir::Truth;

// What an engine starts from. Script and models live in the store that the engine is given.
struct Seed {
  const ir::Script& script;
  std::span<const ir::Model> models;  // of its last check-sat
  Truth status = Truth::kUnknown;
  std::span<const ir::Model> assignments = {};  // that are no models of it
  // Claims of the flattened script that are unsatisfiable on their own.
  std::span<const ir::TermId> core = {};
  // Another seed of the same store and status, for engines that want one; null: there is none.
  const Seed* partner = nullptr;
};

// A script to run, with what is known of its answers.
struct Mutant {
  ir::Script script;
  std::vector<Truth> expected;  // one for each check-sat; empty when nothing is known of any
  std::string construction;     // why an expected unsat is unsat
  // Makes all true that any check-sat asks for that is expected to be sat.
  std::shared_ptr<const ir::Model> witness;
  // What it is made by, of the engine's own words: figures are kept for each. Lives as long as the
  // program; empty for engines that have one way only.
  std::string_view kind = {};
};

// Why an engine has nothing to offer. Reasons are counted, so they are few and fixed.
struct Skip {
  std::string_view reason;
};

using Attempt = std::variant<Mutant, Skip>;

// The mutants of one seed, one after the other. New terms go into the store that the seed lives
// in; the caller rolls it back when the series is over.
class Series {
 public:
  virtual ~Series() = default;
  virtual Attempt next(base::Rng& rng) = 0;
  // Told after the last mutant was tested: whether solvers treated it unlike the seed (another
  // answer, another outcome, something that was not reached before). A series may go on from such
  // mutants first.
  virtual void learn(bool /*behaved_unlike_seed*/) {}
};

// A series, or why the engine has no use for the seed.
using Start = std::variant<std::unique_ptr<Series>, Skip>;

// The series, or null.
inline std::unique_ptr<Series> series_in(Start start) {
  auto* series = std::get_if<std::unique_ptr<Series>>(&start);
  return series == nullptr ? nullptr : std::move(*series);
}

// A way of making tests. Engines know nothing of solvers and processes; they never decide what is a
// bug. One engine serves one worker.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  // How many mutants a seed is good for at one visit.
  virtual uint32_t series_length() const = 0;
  // Whether a seed should come with models of it, if there are any.
  virtual bool wants_models() const { return false; }
  // Whether a seed should come with a partner, if there is one.
  virtual bool wants_partner() const { return false; }
  virtual Start start(ir::TermStore& store, const Seed& seed) = 0;
  // Forgets what it keeps of earlier seeds: the mutants of the next one depend on it alone.
  virtual void forget() {}
  // The engine's own way from a mutant to a smaller one that is wanted too, if it has such a way.
  virtual std::optional<Mutant> smaller(ir::TermStore& /*store*/, const Mutant& /*mutant*/,
                                        const std::function<bool(const Mutant&)>& /*is_wanted*/,
                                        base::Rng& /*rng*/) {
    return {};
  }
};

}  // namespace elenchus::mutate
