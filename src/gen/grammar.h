#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "gen/grammar_settings.h"
#include "gen/swarm.h"
#include "gen/vocabulary.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::gen {

// Scripts from nothing: a probabilistic grammar over the operators of a logic (Falcon, sections 2.3
// and 4.2). What it makes is well-sorted and stays within the logic: quantifiers only where the
// logic has them, linear and difference arithmetic as the logic wants it. Each script has a swarm,
// sorts and an audience of its own: solvers that read all of it, mostly all that are in use.
class Grammar {
 public:
  Grammar(const ir::OpTable& table, std::string_view logic, const GrammarSettings& settings);

  Grammar(const Grammar&) = delete;
  Grammar& operator=(const Grammar&) = delete;

  const ir::Logic& logic() const { return vocabulary_.logic(); }

  // The script depends on nothing but the settings, the generator and the bias. New terms and
  // declarations go into the store, whose operators must be those of the table.
  ir::Script script(ir::TermStore& store, base::Rng& rng, const Bias* bias = nullptr);

 private:
  uint16_t readers_of_logic(const ir::OpTable& table) const;
  uint16_t draw_audience(base::Rng& rng) const;

  GrammarSettings settings_;
  std::string name_;
  Vocabulary vocabulary_;
  Swarm swarm_;
  uint16_t readers_;  // of scripts of the logic
};

}  // namespace elenchus::gen
