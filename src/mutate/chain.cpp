#include "mutate/chain.h"

#include <algorithm>

#include "ir/logic.h"
#include "mutate/admission.h"
#include "mutate/flat.h"
#include "mutate/maker.h"

namespace elenchus::mutate {

using ir::TermId;

const gen::Vocabulary& Workshop::vocabulary(const ir::OpTable& table, std::string_view logic) {
  if (table_ != &table) {
    vocabularies_.clear();
    wheels_.clear();
    table_ = &table;
  }
  gen::VocabularySettings settings = settings_;
  settings.separation_logic |= expressions.uses(ir::Theory::kSeparationLogic);
  settings.special_relations |= expressions.uses(ir::Theory::kSpecialRelations);
  std::string key(logic);
  if (settings.separation_logic) key += "+separation";
  if (settings.special_relations) key += "+relations";
  const auto [entry, is_new] = vocabularies_.try_emplace(std::move(key));
  if (is_new) {
    entry->second = std::make_unique<gen::Vocabulary>(table, ir::parse_logic(logic), settings);
  }
  return *entry->second;
}

const Workshop::Wheel& Workshop::wheel(const gen::Vocabulary& vocabulary, ir::SortKind result,
                                       gen::KindMask given) {
  return wheel(vocabulary, result, given, kAnyCount);
}

const Workshop::Wheel& Workshop::wheel(const gen::Vocabulary& vocabulary, ir::SortKind result,
                                       gen::KindMask given, size_t arguments) {
  const size_t count = std::min(arguments, kAnyCount);
  const Key key = {reinterpret_cast<uintptr_t>(&vocabulary),
                   (uint64_t{given} << 32) | (static_cast<uint64_t>(result) << 16) | count};
  const auto [entry, is_new] = wheels_.try_emplace(key);
  if (!is_new) return entry->second;
  for (const gen::Choice& choice : vocabulary.for_result(result)) {
    if ((choice.needs & ~given) != 0) continue;
    if (count != kAnyCount && !ir::takes(*choice.signature, count)) continue;
    for (uint32_t i = 0; i < choice.weight; ++i) entry->second.push_back(&choice);
  }
  return entry->second;
}

std::shared_ptr<Workshop> vacant(std::shared_ptr<Workshop>& workshop,
                                 const gen::VocabularySettings& settings) {
  if (workshop == nullptr || workshop.use_count() > 1) {
    workshop = std::make_shared<Workshop>(settings);
  }
  return workshop;
}

Chain::Chain(std::shared_ptr<Workshop> workshop, const ChainSettings& settings,
             ir::TermStore& store, const Seed& seed, Expressions::Targets targets)
    : workshop_(std::move(workshop)),
      settings_(settings),
      draft_(store, seed.script),
      targets_(targets) {}

// The name of the logic that the mutants have.
std::string Chain::settle_logic(base::Rng& rng) {
  std::string logic = drawn_logic(draft_.store(), draft_.script(), rng, settings_.widen_one_in);
  draft_.set_logic(logic);
  is_wide_ = ir::parse_logic(logic).everything;
  return logic;
}

void Chain::begin_chain(base::Rng& rng) {
  const std::string logic_name = settle_logic(rng);
  draft_.index(expressions(), targets_);
  vocabulary_ = &workshop_->vocabulary(draft_.store().ops(), logic_name);
  readers_ = expressions().readers() & settings_.vocabulary.solvers;
  // Solvers and seeds that do not go together: then nothing is known of who reads what.
  if (readers_ == 0) readers_ = settings_.vocabulary.solvers;
  takes_fewer_ = rng.happens(settings_.fewer_readers_one_in);
  begin(rng);
  // Looking at a large draft costs more than its mutants are worth.
  constexpr uint64_t kLargest = 5'000;
  if (settings_.look_back_every == 0 || draft_.size() > kLargest) return;
  triviality_.emplace(draft_.store());
  has_gone_back();
}

// Looks at the draft, and puts the last good one in its place if need be.
bool Chain::has_gone_back() {
  if (!triviality_->is_trivial(draft_.script())) {
    resort_ = Resort{draft_.saved(), readers_};
    return false;
  }
  // A seed that is trivial may become better.
  if (!resort_) return false;
  draft_.go_back(resort_->draft);
  readers_ = resort_->readers;
  return true;
}

Attempt Chain::next(base::Rng& rng) {
  if (vocabulary_ == nullptr) begin_chain(rng);
  if (expressions().exhausted()) return Skip{"too many variables"};
  if (draft_.places() == 0) return Skip{"nothing to replace"};
  const uint64_t tries = std::min<uint64_t>(settings_.tries, draft_.places() + 8);
  for (uint64_t i = 0; i < tries; ++i) {
    if (!step(rng)) continue;
    const bool looks_back = triviality_ && ++steps_ % settings_.look_back_every == 0;
    if (looks_back && has_gone_back()) continue;
    Mutant mutant;
    mutant.script = draft_.script();
    return mutant;
  }
  return Skip{"no replacement"};
}

bool Chain::welcomes(uint16_t readers) const { return is_welcome(readers, readers_, takes_fewer_); }

bool Chain::replace(const Place& place, TermId replacement, uint16_t readers) {
  readers &= readers_;
  const TermId root = draft_.rebuild(place, replacement, logic(), readers);
  return take(place, root, readers);
}

bool Chain::take(const Place& place, TermId root, uint16_t readers) {
  if (!root.valid() || !welcomes(readers)) return false;
  if (!draft_.commit(place, root)) return false;
  readers_ = readers;
  return true;
}

}  // namespace elenchus::mutate
