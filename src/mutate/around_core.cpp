// More assertions never make an unsatisfiable script satisfiable, nor do stronger ones. So typefuzz
// is let loose on the rest of the seed, and on formulas taken from the core; the core's claims are
// put back among what it makes, each as it is or as a formula that implies it.
#include "mutate/around_core.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "ir/measure.h"
#include "mutate/fragments.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::TermId;

namespace {

// The claims that are not in the core, and where these are few, formulas of the core: copies, which
// may be changed like everything else.
std::vector<TermId> others_of(const ir::TermStore& store, const Flat& flat,
                              std::span<const TermId> core) {
  constexpr size_t kFew = 4;
  constexpr uint32_t kMaxDepth = 20;
  constexpr uint32_t kMaxNodes = 400;
  std::vector<TermId> others;
  std::copy_if(
      flat.claims.begin(), flat.claims.end(), std::back_inserter(others),
      [&](TermId claim) { return std::find(core.begin(), core.end(), claim) == core.end(); });
  ir::Measures measures(store);
  ConnectiveDepths depths(store);
  const auto fragments = fragments_of(store, measures, depths, core, kMaxDepth, kMaxNodes);
  const size_t wanted = others.size() < kFew ? kFew - others.size() : 0;
  const size_t stride = std::max<size_t>(fragments.size() / std::max<size_t>(wanted, 1), 1);
  for (size_t i = 0; i < wanted && i * stride < fragments.size(); ++i) {
    others.push_back(fragments[i * stride]);
  }
  return others;
}

class AroundCore final : public Series {
 public:
  AroundCore(ir::TermStore& store, std::span<const TermId> core, std::unique_ptr<Engine> engine,
             std::unique_ptr<const ir::Script> rest)
      : store_(store),
        core_(core.begin(), core.end()),
        engine_(std::move(engine)),
        rest_(std::move(rest)) {}

  // Before next(); else why not.
  std::optional<Skip> begin() {
    auto started = engine_->start(store_, {*rest_, {}});
    if (const auto* skip = std::get_if<Skip>(&started)) return *skip;
    others_ = std::move(std::get<std::unique_ptr<Series>>(started));
    return {};
  }

  Attempt next(base::Rng& rng) override {
    Attempt attempt = others_->next(rng);
    auto* mutant = std::get_if<Mutant>(&attempt);
    if (mutant == nullptr) return attempt;
    insert_core(mutant->script, rng);
    mutant->expected = {Truth::kUnsat};
    mutant->construction = kIntactCore;
    return attempt;
  }

 private:
  // Among the assertions after the last declaration, so that every claim may speak of everything.
  void insert_core(ir::Script& script, base::Rng& rng) {
    auto& commands = script.commands;
    std::vector<TermId> asserted;
    size_t first = 0;
    for (size_t i = 0; i < commands.size(); ++i) {
      const CommandKind kind = commands[i].kind;
      if (kind == CommandKind::kAssert) {
        asserted.push_back(commands[i].term);
      } else if (!ir::is_check(kind)) {
        first = i + 1;
      }
    }
    for (const TermId claim : core_) {
      Command command;
      command.kind = CommandKind::kAssert;
      command.term = disguised(claim, asserted, rng);
      const size_t places = commands.size() - first;  // the check-sat is the last command
      commands.insert(commands.begin() + static_cast<ptrdiff_t>(first + rng.below(places)),
                      command);
    }
  }

  // A formula that implies the claim.
  TermId disguised(TermId claim, std::span<const TermId> asserted, base::Rng& rng) {
    constexpr uint64_t kPlainIn8 = 4;
    const uint64_t choice = rng.below(8);
    if (choice < kPlainIn8 || asserted.empty()) return claim;
    const TermId other = asserted[rng.below(asserted.size())];
    if (store_.op(other) == Op::kAnnotated) return claim;
    switch (choice) {
      case 4: return make(Op::kAnd, {claim, other});
      case 5: return make(Op::kAnd, {other, claim});
      case 6: return make(Op::kNot, {make(Op::kImplies, {claim, other})});
      default: return make(Op::kNot, {make(Op::kOr, {other, make(Op::kNot, {claim})})});
    }
  }

  TermId make(Op op, std::initializer_list<TermId> args) {
    return store_.make(op, ir::kBoolSort, 0, {args.begin(), args.size()});
  }

  ir::TermStore& store_;
  std::vector<TermId> core_;
  std::unique_ptr<Engine> engine_;          // whose series this is,
  std::unique_ptr<const ir::Script> rest_;  // on this script
  std::unique_ptr<Series> others_;
};

class Either final : public Series {
 public:
  Either(std::unique_ptr<Series> one, std::unique_ptr<Series> other)
      : one_(std::move(one)), other_(std::move(other)) {}

  Attempt next(base::Rng& rng) override { return (rng.coin() ? *one_ : *other_).next(rng); }

 private:
  std::unique_ptr<Series> one_;
  std::unique_ptr<Series> other_;
};

}  // namespace

Start start_around_core(const TypefuzzSettings& settings, ir::TermStore& store, const Flat& flat,
                        std::span<const TermId> core) {
  if (core.empty()) return Skip{"no unsat core"};
  const auto others = others_of(store, flat, core);
  auto rest = std::make_unique<const ir::Script>(with_assertions(flat.frame, others));
  auto series = std::make_unique<AroundCore>(store, core, make_typefuzz(settings), std::move(rest));
  if (const auto skip = series->begin()) return *skip;
  return series;
}

std::unique_ptr<Series> either(std::unique_ptr<Series> one, std::unique_ptr<Series> other) {
  return std::make_unique<Either>(std::move(one), std::move(other));
}

}  // namespace elenchus::mutate
