// The neighbourhood of a seed. Bugs lie close to scripts that show none: of quiet scripts one edit
// away from a live bug, one random typed edit shows it in 8 cases of 100, and no kind of edit is
// enough alone. So edits are not drawn but enumerated: all single edits, kinds in turn, places in
// turn, in random order and without repetition; then pairs of edits, those first that begin with an
// edit after which solvers behaved unlike before.
//
// A kind of edit is a row of a table (mutate/edit/kinds.h): how many choices there are at a place,
// and what one of them makes of it. Places and choices are numbers, drawn by a lazy shuffle, so
// that nothing is listed for large seeds. What a row draws at random is drawn by a generator made
// of these numbers: an edit can be made again, for the pairs that start from it.
//
// Where a model of the seed is known, mutants are evaluated under it: what is true is satisfiable.
#include "mutate/edit/edit.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/hash.h"
#include "ir/fingerprint.h"
#include "mutate/edit/kinds.h"
#include "mutate/edit/known_model.h"
#include "mutate/edit/original.h"
#include "mutate/edit/progress.h"
#include "mutate/edit/stock.h"
#include "mutate/flat.h"

namespace elenchus::mutate {

namespace {

using edit::Edit;
using edit::Frontier;
using edit::Kind;
using edit::Original;
using edit::Progress;
using edit::Step;

constexpr Skip kAllMade{"all edits are made"};

// Kinds in the order of their turns, each as often as it has one.
const std::vector<uint32_t>& turns() {
  static const std::vector<uint32_t> kTurns = [] {
    std::vector<uint32_t> order;
    const auto all = edit::kinds();
    for (uint32_t round = 0, found = 1; found > 0; ++round) {
      found = 0;
      for (uint32_t kind = 0; kind < all.size(); ++kind) {
        if (all[kind].turns <= round) continue;
        order.push_back(kind);
        ++found;
      }
    }
    return order;
  }();
  return kTurns;
}

// What an engine keeps from one series to the next.
struct Memory {
  explicit Memory(const EditSettings& settings) : stock(settings.stock) {}
  edit::Progresses progresses;
  edit::Stock stock;
};

class EditSeries final : public Series {
 public:
  EditSeries(std::shared_ptr<Memory> memory, std::shared_ptr<Workshop> workshop,
             std::shared_ptr<Workshop> pair_workshop, const EditSettings& settings,
             ir::TermStore& store, const Seed& seed)
      : memory_(std::move(memory)),
        workshop_(std::move(workshop)),
        pair_workshop_(std::move(pair_workshop)),
        settings_(settings),
        store_(store),
        seed_(seed.script),
        models_(seed.models),
        fingerprints_(store) {}

  Attempt next(base::Rng& rng) override {
    if (original_ == nullptr) begin(rng);
    if (const auto problem = original_->problem(); !problem.empty()) return Skip{problem};
    last_.reset();
    constexpr int kTries = 4;  // rounds of all kinds, most of which have something to offer
    for (int i = 0; i < kTries; ++i) {
      if (Attempt attempt = attempt_once(rng); !std::holds_alternative<Skip>(attempt) ||
                                               std::get<Skip>(attempt).reason == kAllMade.reason) {
        return attempt;
      }
    }
    return Skip{"no edit"};
  }

  void learn(bool behaved_unlike_seed) override {
    if (!last_ || !behaved_unlike_seed) return;
    if (progress_->bases.size() < settings_.max_bases) add_base(*last_);
    last_.reset();
  }

 private:
  static constexpr uint32_t kPlacesOfTurn = 48;  // places and choices that a turn may look at
  static constexpr uint32_t kBatch = 16;         // pairs of one base in a row

  void begin(base::Rng& rng) {
    ir::Script script = seed_;
    set_logic(store_, script, drawn_logic(store_, script, rng, settings_.widen_one_in));
    original_ = std::make_unique<Original>(workshop_, settings_, store_, script, memory_->stock);
    const uint64_t own = fingerprints_.of(original_->script());
    progress_ = memory_->progresses.of(own);
    if (progress_->made.insert(own).second) {
      progress_->salt = rng.next();
      memory_->stock.add(store_, original_->script(), rng);
    }
    model_.emplace(store_, original_->script(), models_,
                   edit::KnownModel::Limits{settings_.guesses, settings_.evaluation_steps}, rng);
  }

  void add_base(const Edit& edit) { progress_->bases.push_back({edit, {}, 0}); }

  Attempt attempt_once(base::Rng& rng) {
    const bool has_bases = !progress_->bases.empty();
    const bool is_early = has_bases && settings_.pair_one_in != 0 && !progress_->singles.is_over;
    if (!progress_->singles.is_over && !(is_early && rng.one_in(settings_.pair_one_in))) {
      return single(rng);
    }
    return pair(rng);
  }

  // --- Single edits. ---

  Attempt single(base::Rng& rng) {
    Edit edit;
    auto script = next_of(*original_, progress_->singles, rng, edit);
    if (!script) return Skip{"no edit"};
    last_ = edit;
    remember(edit, rng);
    return mutant_of(std::move(*script), edit.kind, edit.kind);
  }

  // Some singles, in case nobody tells which of them are worth going on from.
  void remember(const Edit& edit, base::Rng& rng) {
    ++progress_->met;
    if (progress_->others.size() < settings_.max_bases) {
      progress_->others.push_back(edit);
    } else if (const uint64_t draw = rng.below(progress_->met); draw < settings_.max_bases) {
      progress_->others[draw] = edit;
    }
  }

  // The next edit of the script that makes something new.
  std::optional<ir::Script> next_of(Original& original, Frontier& frontier, base::Rng& rng,
                                    Edit& edit) {
    const auto& order = turns();
    if (frontier.cursors.empty()) {
      frontier.cursors.resize(edit::kinds().size());
      frontier.turn = rng.below(order.size());
    }
    for (size_t i = 0; i < order.size(); ++i) {
      edit.kind = order[frontier.turn++ % order.size()];
      if (frontier.cursors[edit.kind].is_over()) continue;
      if (auto script = next_of_kind(original, frontier, rng, edit)) return script;
    }
    frontier.is_over = std::all_of(frontier.cursors.begin(), frontier.cursors.end(),
                                   [](const edit::Cursor& cursor) { return cursor.is_over(); });
    if (frontier.is_over && frontier.has_passed) {
      frontier = {};
      frontier.is_for_all = true;
    }
    return {};
  }

  // Whether the mutant is new, and this program's turn. What was made may have been passed over.
  bool is_due(Frontier& frontier, uint64_t fingerprint) {
    if (settings_.slice != nullptr && !frontier.is_for_all && !settings_.slice->has(fingerprint)) {
      frontier.has_passed = true;
      return false;
    }
    return progress_->made.insert(fingerprint).second;
  }

  std::optional<ir::Script> next_of_kind(Original& original, Frontier& frontier, base::Rng& rng,
                                         Edit& edit) {
    edit::Cursor& cursor = frontier.cursors[edit.kind];
    const Kind& kind = edit::kinds()[edit.kind];
    std::optional<ir::Script> script;
    const uint64_t places =
        kind.is_of_terms() ? original.places() : original.script().commands.size();
    const auto choices = [&](uint64_t place) -> uint64_t {
      if (!kind.is_of_terms()) return kind.choices_of(original, static_cast<uint32_t>(place));
      original.find(place, rng, place_);
      return kind.choices_at(original, place_);
    };
    const auto is_wanted = [&](const Step& step) {
      edit.step = step;
      script = made(original, edit);
      return script && is_due(frontier, fingerprints_.of(*script));
    };
    const bool is_found = cursor.next(rng, places, kPlacesOfTurn, choices, is_wanted).has_value();
    return is_found ? std::move(script) : std::nullopt;
  }

  // What the edit makes of the script; none: nothing.
  std::optional<ir::Script> made(Original& original, const Edit& edit) {
    const Kind& kind = edit::kinds()[edit.kind];
    const auto [place, choice] = edit.step;
    uint64_t salt = base::hash_mix(progress_->salt, edit.kind);
    salt = base::hash_mix(salt, place);
    base::Rng rng(base::hash_mix(salt, choice));
    if (!kind.is_of_terms()) {
      return kind.edited(original, {static_cast<uint32_t>(place), choice, rng});
    }
    original.find(place, rng, place_);
    if (choice >= kind.choices_at(original, place_)) return {};
    uint16_t readers = UINT16_MAX;
    const ir::TermId term = kind.replacement(original, {place_, choice, rng, readers});
    if (!term.valid() || term == place_.term) return {};
    return original.with(place_, term, readers);
  }

  // --- Pairs. ---

  Attempt pair(base::Rng& rng) {
    if (progress_->bases.empty() || is_all_paired()) {
      if (!progress_->singles.is_over || progress_->others.empty()) return kAllMade;
      if (progress_->bases.size() >= settings_.max_bases) return kAllMade;
      add_base(progress_->others.back());
      progress_->others.pop_back();
    }
    if (!open_base()) return Skip{"no edit"};
    Progress::Base& base = progress_->bases[base_at_];
    Edit second;
    auto script = next_of(*pair_original_, base.frontier, rng, second);
    ++base.pairs;
    if (!script) return Skip{"no edit"};
    return mutant_of(std::move(*script), second.kind, base.edit.kind);
  }

  bool is_spent(const Progress::Base& base) const {
    return base.frontier.is_over || base.pairs >= settings_.pairs_of_base;
  }

  bool is_all_paired() const {
    return std::all_of(progress_->bases.begin(), progress_->bases.end(),
                       [&](const Progress::Base& base) { return is_spent(base); });
  }

  // Makes pair_original_ the script of a base that is not spent; false when it cannot be made.
  bool open_base() {
    auto& bases = progress_->bases;
    const bool stays = pair_original_ != nullptr && !is_spent(bases[base_at_]) &&
                       bases[base_at_].pairs % kBatch != 0;
    if (stays) return true;
    pair_original_.reset();
    for (size_t i = 0; i < bases.size(); ++i) {
      base_at_ = progress_->turn++ % bases.size();
      if (!is_spent(bases[base_at_])) break;
    }
    const auto script = made(*original_, bases[base_at_].edit);
    if (!script || is_spent(bases[base_at_])) {
      bases[base_at_].frontier.is_over = true;
      return false;
    }
    pair_original_ =
        std::make_unique<Original>(pair_workshop_, settings_, store_, *script, memory_->stock);
    if (pair_original_->problem().empty()) return true;
    bases[base_at_].frontier.is_over = true;
    pair_original_.reset();
    return false;
  }

  // --- Mutants. ---

  Attempt mutant_of(ir::Script script, uint32_t kind, uint32_t before) {
    const Kind& last = edit::kinds()[kind];
    Mutant mutant;
    mutant.script = std::move(script);
    mutant.kind = last.name;
    if (last.keeps_declarations && edit::kinds()[before].keeps_declarations) {
      model_->expect(mutant);
    }
    return mutant;
  }

  std::shared_ptr<Memory> memory_;
  std::shared_ptr<Workshop> workshop_;
  std::shared_ptr<Workshop> pair_workshop_;
  const EditSettings& settings_;
  ir::TermStore& store_;
  const ir::Script& seed_;
  std::span<const ir::Model> models_;
  ir::Fingerprints fingerprints_;
  std::shared_ptr<Progress> progress_;
  std::unique_ptr<Original> original_;
  std::unique_ptr<Original> pair_original_;
  std::optional<edit::KnownModel> model_;
  std::optional<Edit> last_;  // the single that was given out last
  size_t base_at_ = 0;
  Place place_;
};

class EditEngine final : public Engine {
 public:
  explicit EditEngine(const EditSettings& settings)
      : settings_(settings), memory_(std::make_shared<Memory>(settings)) {}

  std::string_view name() const override { return "edit"; }
  uint32_t series_length() const override { return settings_.length; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    auto workshop = vacant(workshop_, settings_.vocabulary);
    auto pair_workshop = vacant(pair_workshop_, settings_.vocabulary);
    return std::make_unique<EditSeries>(memory_, std::move(workshop), std::move(pair_workshop),
                                        settings_, store, seed);
  }
  void forget() override { memory_ = std::make_shared<Memory>(settings_); }

 private:
  EditSettings settings_;
  std::shared_ptr<Memory> memory_;
  std::shared_ptr<Workshop> workshop_;
  std::shared_ptr<Workshop> pair_workshop_;
};

}  // namespace

std::unique_ptr<Engine> make_edit(const EditSettings& settings) {
  return std::make_unique<EditEngine>(settings);
}

std::vector<std::string_view> edit_kinds() {
  std::vector<std::string_view> names;
  for (const Kind& kind : edit::kinds()) names.push_back(kind.name);
  return names;
}

}  // namespace elenchus::mutate
