#pragma once

#include <cstdint>
#include <memory>

#include "gen/grammar_settings.h"
#include "mutate/engine.h"

namespace elenchus::mutate {

// Each `..._one_in`: how rarely, on average; 0 means never.
struct GenerateSettings {
  gen::GrammarSettings grammar;
  uint32_t length = 64;      // scripts of one visit to a seed
  uint32_t all_one_in = 5;   // (set-logic ALL) instead of the seed's logic
  uint32_t bias_one_in = 2;  // prefers the seed's operators and literals
};

// Scripts from the grammar. A seed lends its logic, and sometimes operators and literals; nothing
// is known of the answers.
std::unique_ptr<Engine> make_generate(const GenerateSettings& settings);

}  // namespace elenchus::mutate
