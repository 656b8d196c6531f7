// Skeleton enumeration (M. Sun, Y. Yang, M. Wen, Y. Wang, Y. Zhou, H. Jin: Validating SMT Solvers
// via Skeleton Enumeration Empowered by Historical Bug-Triggering Inputs, ICSE 2023), algorithm 1:
// one to five skeletons of bug-triggering formulas, mostly three, become assertions. Their holes
// get atoms; where those of a skeleton so far meet a rule's antecedent, the next one has the rule's
// consequent, each rule once for a skeleton. Variables are exchanged for others of their sort, and
// quantifiers bind variables below them, or new ones.
//
// Where we differ:
//   - An atom comes from the knowledge file, from the seed, has the shape of a historical one or is
//     made to fit a signature, so that knowledge without anybody's formulas is enough.
//   - Skeletons that not all solvers of the campaign read, such as a bare xor, are not used.
//   - A series has a theme: the theories of one historical input, or of the seed. Atoms of other
//     theories stay out, and so do atoms that would leave no solver to read the test.
//   - The paper puts no set-logic; here half of the tests name the smallest logic that has
//     everything in them, and the others say ALL.
#include "mutate/skeleton/skeleton.h"

#include <optional>
#include <utility>
#include <vector>

#include "mutate/flat.h"
#include "mutate/skeleton/atom_source.h"
#include "mutate/skeleton/declarations.h"
#include "mutate/skeleton/shelf.h"
#include "mutate/skeleton/skeleton_filler.h"

namespace elenchus::mutate {

using ir::TermId;

namespace {

// One to five, mostly three: what the paper says of its distribution.
uint32_t draw_count(base::Rng& rng) {
  constexpr uint32_t kCounts[] = {1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5};
  return kCounts[rng.below(std::size(kCounts))];
}

class SkeletonSeries final : public Series {
 public:
  SkeletonSeries(std::shared_ptr<Shelf> shelf, const SkeletonSettings& settings,
                 ir::TermStore& store, const Seed& seed)
      : shelf_(std::move(shelf)),
        settings_(settings),
        store_(store),
        flat_(flat_of(store, seed.script)),
        declarations_(store, flat_.claims.empty() ? nullptr : &flat_.frame),
        atoms_(*shelf_, settings, store, flat_.claims) {}

  Attempt next(base::Rng& rng) override {
    if (shelf_->library.skeletons().empty()) return Skip{"no skeletons in the knowledge"};
    if (!filler_) {
      filler_.emplace(settings_, store_, atoms_, declarations_);
      atoms_.begin(rng, declarations_);
    }
    if (atoms_.is_empty()) return Skip{"no atoms for the theme"};
    return test(rng);
  }

 private:
  // Nothing of a seed that cannot be taken apart.
  static Flat flat_of(ir::TermStore& store, const ir::Script& script) {
    auto flat = flatten(store, script);
    auto* good = std::get_if<Flat>(&flat);
    return good == nullptr ? Flat{} : std::move(*good);
  }

  Attempt test(base::Rng& rng) {
    declarations_.restart();
    filler_->restart();
    std::vector<TermId> assertions;
    const uint32_t count = draw_count(rng);
    while (assertions.size() < count) {
      const TermId made = filler_->formula(rng, shelf_->draw_skeleton(rng, settings_));
      if (!made.valid()) return Skip{"a skeleton that cannot be filled"};
      assertions.push_back(made);
    }
    const std::string_view logic =
        rng.happens(settings_.all_one_in) ? "ALL" : smallest_logic(filler_->needs());
    Mutant mutant;
    mutant.script = declarations_.script(logic, assertions);
    return mutant;
  }

  std::shared_ptr<Shelf> shelf_;
  const SkeletonSettings& settings_;
  ir::TermStore& store_;
  Flat flat_;
  Declarations declarations_;
  AtomSource atoms_;
  std::optional<SkeletonFiller> filler_;
};

class SkeletonEngine final : public Engine {
 public:
  explicit SkeletonEngine(const SkeletonSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "skeleton"; }
  uint32_t series_length() const override { return settings_.length; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    if (shelf_ == nullptr) shelf_ = std::make_shared<Shelf>(settings_, store.ops());
    return std::make_unique<SkeletonSeries>(shelf_, settings_, store, seed);
  }

 private:
  SkeletonSettings settings_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace

std::unique_ptr<Engine> make_skeleton(const SkeletonSettings& settings) {
  return std::make_unique<SkeletonEngine>(settings);
}

}  // namespace elenchus::mutate
