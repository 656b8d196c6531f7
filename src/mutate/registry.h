#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/diver.h"
#include "mutate/engine.h"
#include "mutate/fusion.h"
#include "mutate/generate.h"
#include "mutate/opfuzz.h"
#include "mutate/skeleton.h"
#include "mutate/storm.h"
#include "mutate/typefuzz.h"

namespace elenchus::mutate {

// What can be set, for each engine.
struct EngineSettings {
  OpfuzzSettings opfuzz;
  TypefuzzSettings typefuzz;
  StormSettings storm;
  DiverSettings diver;
  SkeletonSettings skeleton;
  FusionSettings fusion;
  GenerateSettings generate;

  // For all engines that choose operators.
  void set_solvers(uint16_t who) {
    opfuzz.vocabulary.solvers = who;
    typefuzz.vocabulary.solvers = who;
    diver.vocabulary.solvers = who;
    storm.beside_core.vocabulary.solvers = who;
    diver.beside_core.vocabulary.solvers = who;
    skeleton.vocabulary.solvers = who;
    generate.grammar.vocabulary.solvers = who;
    storm.only_z3 = (who & (ir::kZ3 | ir::kCvc4 | ir::kCvc5)) == ir::kZ3;
  }
};

// All engines, in the order of the help.
std::vector<std::string_view> engine_names();

// An engine by its name, or NAME+incremental. None when there is no engine of this name.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineSettings& settings = {});

// Whether make_engine() makes one.
bool is_engine_name(std::string_view name);

}  // namespace elenchus::mutate
