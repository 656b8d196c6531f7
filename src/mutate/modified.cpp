#include "mutate/modified.h"

#include <string>
#include <utility>

namespace elenchus::mutate {
namespace {

class ModifiedSeries final : public Series {
 public:
  ModifiedSeries(ir::TermStore& store, const Modification& modification,
                 std::unique_ptr<Series> inner)
      : store_(store), modification_(modification), inner_(std::move(inner)) {}

  Attempt next(base::Rng& rng) override {
    Attempt attempt = inner_->next(rng);
    if (auto* mutant = std::get_if<Mutant>(&attempt)) modification_(store_, *mutant, rng);
    return attempt;
  }
  void learn(bool behaved_unlike_seed) override { inner_->learn(behaved_unlike_seed); }

 private:
  ir::TermStore& store_;
  const Modification& modification_;  // the engine's
  std::unique_ptr<Series> inner_;
};

class Modified final : public Engine {
 public:
  Modified(std::unique_ptr<Engine> inner, std::string_view modifier, Modification modification)
      : inner_(std::move(inner)),
        name_(std::string(inner_->name()).append("+").append(modifier)),
        modification_(std::move(modification)) {}

  std::string_view name() const override { return name_; }
  uint32_t series_length() const override { return inner_->series_length(); }
  bool wants_models() const override { return inner_->wants_models(); }
  bool wants_partner() const override { return inner_->wants_partner(); }

  Start start(ir::TermStore& store, const Seed& seed) override {
    Start inner = inner_->start(store, seed);
    if (auto* series = std::get_if<std::unique_ptr<Series>>(&inner)) {
      return std::make_unique<ModifiedSeries>(store, modification_, std::move(*series));
    }
    return inner;
  }
  void forget() override { inner_->forget(); }

  // The engine's way, with what it offers modified.
  std::optional<Mutant> smaller(ir::TermStore& store, const Mutant& mutant,
                                const std::function<bool(const Mutant&)>& is_wanted,
                                base::Rng& rng) override {
    std::optional<Mutant> best;
    const auto is_wanted_modified = [&](const Mutant& offered) {
      Mutant modified = offered;
      modification_(store, modified, rng);
      if (!is_wanted(modified)) return false;
      best = std::move(modified);
      return true;
    };
    inner_->smaller(store, mutant, is_wanted_modified, rng);
    return best;
  }

 private:
  std::unique_ptr<Engine> inner_;
  std::string name_;
  Modification modification_;
};

}  // namespace

std::unique_ptr<Engine> make_modified(std::unique_ptr<Engine> inner, std::string_view modifier,
                                      Modification modification) {
  return std::make_unique<Modified>(std::move(inner), modifier, std::move(modification));
}

}  // namespace elenchus::mutate
