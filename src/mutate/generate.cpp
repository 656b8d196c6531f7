#include "mutate/generate.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gen/grammar.h"
#include "gen/logics.h"
#include "ir/settings.h"
#include "ir/walk.h"

namespace elenchus::mutate {
namespace {

using ir::Op;
using ir::TermId;

constexpr size_t kMaxLiterals = 64;

// One grammar for each logic that came up.
class Grammars {
 public:
  explicit Grammars(const gen::GrammarSettings& settings) : settings_(settings) {}

  gen::Grammar& of(const ir::OpTable& table, std::string_view logic) {
    if (table_ != &table) {
      grammars_.clear();
      table_ = &table;
    }
    const auto known = grammars_.find(logic);
    if (known != grammars_.end()) return *known->second;
    auto& made = grammars_[std::string(logic)];
    made = std::make_unique<gen::Grammar>(table, logic, settings_);
    return *made;
  }

 private:
  gen::GrammarSettings settings_;
  const ir::OpTable* table_ = nullptr;
  std::map<std::string, std::unique_ptr<gen::Grammar>, std::less<>> grammars_;
};

std::string logic_of(const ir::TermStore& store, const ir::Script& script) {
  const std::string_view name = ir::logic_name(store, script);
  return std::string(gen::is_logic_name(name) ? name : "ALL");
}

class GenerateSeries final : public Series {
 public:
  GenerateSeries(const GenerateSettings& settings, Grammars& grammars, ir::TermStore& store,
                 const ir::Script& seed)
      : settings_(settings),
        grammars_(grammars),
        store_(store),
        seed_(seed),
        logic_(logic_of(store, seed)) {}

  Attempt next(base::Rng& rng) override {
    const bool is_wide = rng.happens(settings_.all_one_in);
    const bool is_biased = rng.happens(settings_.bias_one_in);
    if (is_biased && !has_bias_) read_bias();
    Mutant mutant;
    mutant.script = grammars_.of(store_.ops(), is_wide ? "ALL" : logic_)
                        .script(store_, rng, is_biased ? &bias_ : nullptr);
    return mutant;
  }

 private:
  void read_bias() {
    has_bias_ = true;
    ir::Walker walker(store_);
    for (const ir::Command& command : seed_.commands) {
      if (command.kind != ir::CommandKind::kAssert) continue;
      walker.walk(command.term, [&](TermId term) { take(term); });
    }
    std::sort(bias_.ops.begin(), bias_.ops.end());
    bias_.ops.erase(std::unique(bias_.ops.begin(), bias_.ops.end()), bias_.ops.end());
  }

  void take(TermId term) {
    const Op op = store_.op(term);
    if (op > Op::kUnknownText) bias_.ops.push_back(op);
    const bool is_plain = op == Op::kIntLiteral || op == Op::kRealLiteral ||
                          op == Op::kBitsLiteral || op == Op::kStringLiteral;
    if (is_plain && bias_.literals.size() < kMaxLiterals) bias_.literals.push_back(term);
  }

  const GenerateSettings& settings_;
  Grammars& grammars_;
  ir::TermStore& store_;
  const ir::Script& seed_;
  std::string logic_;
  gen::Bias bias_;
  bool has_bias_ = false;
};

class Generate final : public Engine {
 public:
  explicit Generate(const GenerateSettings& settings)
      : settings_(settings), grammars_(settings.grammar) {}

  std::string_view name() const override { return "generate"; }
  uint32_t series_length() const override { return settings_.length; }

  Start start(ir::TermStore& store, const Seed& seed) override {
    return std::make_unique<GenerateSeries>(settings_, grammars_, store, seed.script);
  }

 private:
  GenerateSettings settings_;
  Grammars grammars_;
};

}  // namespace

std::unique_ptr<Engine> make_generate(const GenerateSettings& settings) {
  return std::make_unique<Generate>(settings);
}

}  // namespace elenchus::mutate
