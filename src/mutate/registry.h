#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/diver/diver.h"
#include "mutate/edit/edit.h"
#include "mutate/engine.h"
#include "mutate/fusion.h"
#include "mutate/generate.h"
#include "mutate/objectives.h"
#include "mutate/opfuzz.h"
#include "mutate/skeleton/skeleton.h"
#include "mutate/storm.h"
#include "mutate/tactics.h"
#include "mutate/typefuzz.h"

namespace elenchus::mutate {

using gen::OperatorSet;

// What can be set, for each engine.
struct EngineSettings {
  EditSettings edit;
  OpfuzzSettings opfuzz;
  TypefuzzSettings typefuzz;
  StormSettings storm;
  DiverSettings diver;
  SkeletonSettings skeleton;
  FusionSettings fusion;
  GenerateSettings generate;
  TacticSettings tactics;
  ObjectiveSettings objectives;

  // For all that depends on who reads: readers of the table in use.
  void set_solvers(uint16_t who) {
    each_vocabulary([&](gen::VocabularySettings& vocabulary) { vocabulary.solvers = who; });
    storm.tactics.solvers = who;
    tactics.solvers = who;
  }

  // The tactics that all solvers with tactics list.
  void set_tactics(const std::vector<std::string>& known) {
    storm.tactics.known = known;
    tactics.known = known;
  }

  // Engines make terms of these operators only; null: of all.
  void set_only(const OperatorSet& only) {
    each_vocabulary([&](gen::VocabularySettings& vocabulary) { vocabulary.only = only; });
  }

 private:
  template <typename Change>
  void each_vocabulary(Change change) {
    for (gen::VocabularySettings* vocabulary :
         {&edit.vocabulary, &opfuzz.vocabulary, &typefuzz.vocabulary, &diver.vocabulary,
          &storm.beside_core.vocabulary, &diver.beside_core.vocabulary, &skeleton.vocabulary,
          &generate.grammar.vocabulary}) {
      change(*vocabulary);
    }
  }
};

// All engines, in the order of the help.
std::vector<std::string_view> engine_names();

// What there is, each in a line: engines, and what can be said of any of them.
struct Brief {
  std::string_view name;
  std::string_view about;
};
std::vector<Brief> engine_briefs();
std::vector<Brief> modifier_briefs();

// An engine by its name, with any modifiers: NAME+incremental, NAME+tactics,
// NAME+objectives. None when there is no
// engine of this name.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineSettings& settings = {});

// Whether make_engine() makes one.
bool is_engine_name(std::string_view name);

}  // namespace elenchus::mutate
