#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gen/application.h"
#include "gen/vocabulary.h"
#include "mutate/draft.h"
#include "mutate/engine.h"
#include "mutate/expressions.h"

namespace elenchus::mutate {

// What opfuzz and typefuzz have in common: each mutant of a chain starts from the one before.
struct ChainSettings {
  uint32_t length = 30;
  gen::VocabularySettings vocabulary;
  // One chain in so many says (set-logic ALL), and may then use every theory. Solvers choose other
  // ways of solving by the logic, so both are worth testing. 0: never.
  uint32_t widen_one_in = 4;
  // How often to try before giving up on a mutant, at most; else as often as there are occurrences.
  uint32_t tries = 64;
};

// Memory and tables that an engine keeps from one series to the next.
class Workshop {
 public:
  explicit Workshop(const gen::VocabularySettings& settings) : settings_(settings) {}

  // Operators of a vocabulary, each as often as it weighs.
  using Wheel = std::vector<const gen::Choice*>;

  // For the script whose expressions are indexed.
  const gen::Vocabulary& vocabulary(const ir::OpTable& table, std::string_view logic);
  // Operators with this kind of result whose parameters are of the kinds given.
  const Wheel& wheel(const gen::Vocabulary& vocabulary, ir::SortKind result, gen::KindMask given);
  // Those of them that take this many arguments.
  const Wheel& wheel(const gen::Vocabulary& vocabulary, ir::SortKind result, gen::KindMask given,
                     size_t arguments);

  Expressions expressions;

 private:
  using Key = std::pair<uint64_t, uint64_t>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (key.first * 0x9e3779b97f4a7c15ULL) ^ (key.second * 0xc2b2ae3d27d4eb4fULL);
    }
  };
  static constexpr size_t kAnyCount = 0xFFFF;

  gen::VocabularySettings settings_;
  const ir::OpTable* table_ = nullptr;
  std::map<std::string, std::unique_ptr<gen::Vocabulary>, std::less<>> vocabularies_;
  std::unordered_map<Key, Wheel, KeyHash> wheels_;
};

// The workshop, or a new one in its place where a series is still at work in it.
std::shared_ptr<Workshop> vacant(std::shared_ptr<Workshop>& workshop,
                                 const gen::VocabularySettings& settings);

// A series whose mutants form a chain.
class Chain : public Series {
 public:
  Chain(std::shared_ptr<Workshop> workshop, const ChainSettings& settings, ir::TermStore& store,
        const Seed& seed, Expressions::Targets targets);

  Attempt next(base::Rng& rng) final;

 protected:
  // Changes the draft once, or fails.
  virtual bool step(base::Rng& rng) = 0;
  // Called once, when the logic is settled.
  virtual void begin(base::Rng& rng) = 0;

  const ir::Logic& logic() const { return vocabulary_->logic(); }
  const gen::Vocabulary& vocabulary() const { return *vocabulary_; }
  Expressions& expressions() { return workshop_->expressions; }
  // Whether an operator that these read may be used. One that some solver in use does not read is
  // taken less often, so that most mutants can be compared.
  bool welcomes(base::Rng& rng, uint16_t readers) const;
  // Puts the replacement into the draft unless nobody would take it.
  bool replace(base::Rng& rng, const Place& place, ir::TermId replacement, uint16_t readers);

  std::shared_ptr<Workshop> workshop_;
  const ChainSettings& settings_;
  Draft draft_;
  Place place_;
  uint16_t readers_ = 0;  // who reads the draft
  bool is_wide_ = false;  // (set-logic ALL)

 private:
  std::string settle_logic(base::Rng& rng);

  Expressions::Targets targets_;
  const gen::Vocabulary* vocabulary_ = nullptr;
};

}  // namespace elenchus::mutate
