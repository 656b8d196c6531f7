#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gen/application.h"
#include "gen/vocabulary.h"
#include "mutate/draft.h"
#include "mutate/engine.h"
#include "mutate/expressions.h"
#include "mutate/triviality.h"

namespace elenchus::mutate {

// What opfuzz and typefuzz have in common: each mutant of a chain starts from the one before.
struct ChainSettings {
  uint32_t length = 30;
  gen::VocabularySettings vocabulary;
  // One chain in so many says (set-logic ALL), and may then use every theory. Solvers choose other
  // ways of solving by the logic, so both are worth testing. 0: never.
  uint32_t widen_one_in = 4;
  // One chain in so many uses operators that only some of the solvers read, as freely as others; in
  // the rest all mutants can be compared. 0: none.
  uint32_t fewer_readers_one_in = 4;
  // Steps after which a chain looks whether its draft became trivial, and goes back to where it was
  // not. 0: never.
  uint32_t look_back_every = 0;
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
  // Whether an operator that these read may be used.
  bool welcomes(uint16_t readers) const;
  // Puts the replacement into the draft unless nobody would take it.
  bool replace(const Place& place, ir::TermId replacement, uint16_t readers);
  // The same with the draft's term, which was rebuilt for these readers.
  bool take(const Place& place, ir::TermId root, uint16_t readers);

  std::shared_ptr<Workshop> workshop_;
  const ChainSettings& settings_;
  Draft draft_;
  Place place_;
  uint16_t readers_ = 0;      // who reads the draft
  bool is_wide_ = false;      // (set-logic ALL)
  bool takes_fewer_ = false;  // operators that only some solvers read

 private:
  // Where the chain may go back to.
  struct Resort {
    Draft::Saved draft;
    uint16_t readers = 0;
  };

  void begin_chain(base::Rng& rng);
  std::string settle_logic(base::Rng& rng);
  bool has_gone_back();

  Expressions::Targets targets_;
  const gen::Vocabulary* vocabulary_ = nullptr;
  std::optional<Triviality> triviality_;
  std::optional<Resort> resort_;  // the last draft that was looked at and was not trivial
  uint32_t steps_ = 0;
};

}  // namespace elenchus::mutate
