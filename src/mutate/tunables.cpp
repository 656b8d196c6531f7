#include "mutate/tunables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace elenchus::mutate {
namespace {

using Settings = EngineSettings;
using gen::GrammarSettings;

template <auto... kPath>
auto& reach(Settings& settings) {
  return (settings.*....*kPath);
}

template <auto... kPath>
constexpr Tunable number(std::string_view name, uint32_t low, uint32_t high,
                         std::string_view help) {
  return {.name = name, .help = help, .low = low, .high = high, .number = reach<kPath...>};
}

template <auto... kPath>
constexpr Tunable flag(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .flag = reach<kPath...>};
}

// How rarely, on average.
template <auto... kPath>
constexpr Tunable one_in(std::string_view name, std::string_view help) {
  return number<kPath...>(name, 0, 1'000'000, help);
}

template <auto... kPath>
constexpr Tunable percent(std::string_view name, std::string_view help) {
  return number<kPath...>(name, 0, 100, help);
}

constexpr uint32_t kLongest = 100'000;    // series
constexpr uint32_t kDeepest = 10'000;     // formulas
constexpr uint32_t kLargest = 1'000'000;  // scripts, in nodes
constexpr uint32_t kMany = 10'000;        // of anything else

// One line for each tunable. Budgets of evaluation steps are not among them: they bound the time of
// a mutant, and have no effect that a user could name. A low end of 1 is where nothing can be drawn
// from 0.
constexpr Tunable kTunables[] = {
    number<&Settings::edit, &EditSettings::length>("edit.length", 1, kLongest,
                                                   "most mutants of one visit to a seed"),
    one_in<&Settings::edit, &EditSettings::widen_one_in>("edit.widen-one-in",
                                                         "visits with (set-logic ALL); 0: never"),
    one_in<&Settings::edit, &EditSettings::pair_one_in>(
        "edit.pair-one-in",
        "mutants that are pairs of edits while there are single ones; 0: none before the end"),
    number<&Settings::edit, &EditSettings::max_bases>(
        "edit.max-bases", 1, kMany, "single edits of a seed from which pairs start"),
    number<&Settings::edit, &EditSettings::pairs_of_base>("edit.pairs-of-base", 0, kLongest,
                                                          "most pairs that start from one edit"),
    number<&Settings::edit, &EditSettings::stock>(
        "edit.stock", 0, kLongest, "terms of earlier seeds that are put into later ones"),
    number<&Settings::edit, &EditSettings::guesses>(
        "edit.guesses", 0, kMany, "random assignments to try where there is no model"),
    number<&Settings::edit, &EditSettings::growth>(
        "edit.growth", 1, kMany, "times that a mutant may have the nodes of its seed"),
    number<&Settings::edit, &EditSettings::min_size>("edit.min-size", 1, kLargest,
                                                     "nodes that a mutant may always have"),

    number<&Settings::opfuzz, &OpfuzzSettings::length>(
        "opfuzz.length", 1, kLongest, "mutants of a chain, each made from the one before"),
    number<&Settings::opfuzz, &OpfuzzSettings::tries>("opfuzz.tries", 1, kMany,
                                                      "tries before giving up on a mutant"),
    one_in<&Settings::opfuzz, &OpfuzzSettings::widen_one_in>(
        "opfuzz.widen-one-in", "chains with (set-logic ALL); 0: never"),
    one_in<&Settings::opfuzz, &OpfuzzSettings::fewer_readers_one_in>(
        "opfuzz.fewer-readers-one-in",
        "chains with operators that only some of the solvers read; 0: never"),

    number<&Settings::typefuzz, &TypefuzzSettings::length>(
        "typefuzz.length", 1, kLongest, "mutants of a chain, each made from the one before"),
    number<&Settings::typefuzz, &TypefuzzSettings::tries>("typefuzz.tries", 1, kMany,
                                                          "tries before giving up on a mutant"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::widen_one_in>(
        "typefuzz.widen-one-in", "chains with (set-logic ALL); 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::fewer_readers_one_in>(
        "typefuzz.fewer-readers-one-in",
        "chains with operators that only some of the solvers read; 0: never"),
    number<&Settings::typefuzz, &TypefuzzSettings::look_back_every>(
        "typefuzz.look-back-every", 0, kMany,
        "steps after which a chain leaves what preprocessing decides; 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::existing_one_in>(
        "typefuzz.existing-one-in",
        "replacements that are expressions of the script instead of new applications; 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::everywhere_one_in>(
        "typefuzz.everywhere-one-in",
        "replacements at all uses of an expression in its assertion; 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::constant_one_in>(
        "typefuzz.constant-one-in", "replacements that are constants; 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::constant_argument_one_in>(
        "typefuzz.constant-argument-one-in",
        "arguments that are constants although there are expressions; 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::assertion_one_in>(
        "typefuzz.assertion-one-in",
        "steps that add, remove or negate an assertion instead of replacing; 0: never"),
    one_in<&Settings::typefuzz, &TypefuzzSettings::foreign_one_in>(
        "typefuzz.foreign-one-in",
        "chains with (set-logic ALL) that use sorts the script does not have; 0: never"),
    number<&Settings::typefuzz, &TypefuzzSettings::growth>(
        "typefuzz.growth", 1, kMany, "times that a mutant may have the nodes of its seed"),
    number<&Settings::typefuzz, &TypefuzzSettings::min_size>("typefuzz.min-size", 1, kLargest,
                                                             "nodes that a mutant may always have"),
    number<&Settings::typefuzz, &TypefuzzSettings::max_size>(
        "typefuzz.max-size", 1, kLargest, "most nodes of a mutant, unless its seed is large"),

    number<&Settings::diver, &DiverSettings::length>("diver.length", 1, kLongest,
                                                     "mutants of one visit to a seed"),
    flag<&Settings::diver, &DiverSettings::is_weighted>(
        "diver.weighted", "whether occurrences with more room are chosen more often"),
    flag<&Settings::diver, &DiverSettings::may_complicate>(
        "diver.complicate", "whether fresh variables take the place of leaves"),
    number<&Settings::diver, &DiverSettings::tries>(
        "diver.tries", 1, kMany, "replacements of one occurrence that are tried"),
    number<&Settings::diver, &DiverSettings::expansions>("diver.expansions", 1, 1000,
                                                         "most operators of a replacement"),
    number<&Settings::diver, &DiverSettings::pool>("diver.pool", 1, 1000,
                                                   "the seed and mutants that serve as seeds"),
    number<&Settings::diver, &DiverSettings::join_one_in>(
        "diver.join-one-in", 1, kMany, "mutants that join the pool while there is room"),
    number<&Settings::diver, &DiverSettings::mutants_per_seed>(
        "diver.mutants-per-seed", 1, kLargest, "after which a seed makes room for mutants of it"),
    number<&Settings::diver, &DiverSettings::max_nodes>("diver.max-nodes", 1, kLargest,
                                                        "most nodes of a mutant"),
    number<&Settings::diver, &DiverSettings::guesses>(
        "diver.guesses", 0, kMany, "random assignments to try where there is no model"),
    one_in<&Settings::diver, &DiverSettings::widen_one_in>(
        "diver.widen-one-in", "seeds that get (set-logic ALL); 0: never"),
    one_in<&Settings::diver, &DiverSettings::mirror_one_in>(
        "diver.mirror-one-in", "mutants that are unsat by construction; 0: never"),
    one_in<&Settings::diver, &DiverSettings::steps_one_in>(
        "diver.steps-one-in", "mutants in the steps of a seed that asks in several; 0: never"),

    number<&Settings::storm, &StormSettings::length>("storm.length", 1, kLongest,
                                                     "instances of one visit to a seed"),
    number<&Settings::storm, &StormSettings::max_depth>(
        "storm.max-depth", 1, kDeepest, "largest depth of formulas, in connectives"),
    number<&Settings::storm, &StormSettings::max_assertions>("storm.max-assertions", 1, kMany,
                                                             "most assertions of an instance"),
    number<&Settings::storm, &StormSettings::enrichment>(
        "storm.enrichment", 0, kLongest, "most formulas that are constructed for an assignment"),
    percent<&Settings::storm, &StormSettings::initial_percent>(
        "storm.initial-percent", "percent of an instance that are parts of the seed as they are"),
    number<&Settings::storm, &StormSettings::assignments>(
        "storm.assignments", 1, 1000, "assignments of a seed: models first, then random ones"),
    one_in<&Settings::storm, &StormSettings::other_one_in>(
        "storm.other-one-in", "connectives other than `and` and `not`; 0: never"),
    one_in<&Settings::storm, &StormSettings::tactic_one_in>(
        "storm.tactic-one-in",
        "instances with check-sat-using, where a solver has tactics; 0: never"),
    one_in<&Settings::storm, &StormSettings::mirror_one_in>(
        "storm.mirror-one-in", "instances that are unsat by construction; 0: never"),
    one_in<&Settings::storm, &StormSettings::steps_one_in>(
        "storm.steps-one-in", "instances in the steps of a seed that asks in several; 0: never"),
    number<&Settings::storm, &StormSettings::max_nodes>("storm.max-nodes", 1, kLargest,
                                                        "most nodes of an instance"),

    number<&Settings::skeleton, &SkeletonSettings::length>("skeleton.length", 1, kLongest,
                                                           "tests of one visit to a seed"),
    flag<&Settings::skeleton, &SkeletonSettings::uses_rules>(
        "skeleton.rules", "whether association rules say which atoms go together"),
    number<&Settings::skeleton, &SkeletonSettings::max_holes>(
        "skeleton.max-holes", 1, kMany, "holes of a skeleton that counts as small"),
    one_in<&Settings::skeleton, &SkeletonSettings::large_one_in>(
        "skeleton.large-one-in", "tests with a skeleton that is not small; 0: never"),
    one_in<&Settings::skeleton, &SkeletonSettings::seed_atom_one_in>(
        "skeleton.seed-atom-one-in", "atoms of the seed where no rule says which; 0: never"),
    one_in<&Settings::skeleton, &SkeletonSettings::seed_theme_one_in>(
        "skeleton.seed-theme-one-in",
        "visits to a seed with its theories instead of those of a past bug; 0: never"),
    one_in<&Settings::skeleton, &SkeletonSettings::translocate_one_in>(
        "skeleton.translocate-one-in", "variables that become others of their sort; 0: never"),
    one_in<&Settings::skeleton, &SkeletonSettings::scratch_one_in>(
        "skeleton.scratch-one-in", "binders with a variable that does not occur; 0: never"),
    one_in<&Settings::skeleton, &SkeletonSettings::all_one_in>(
        "skeleton.all-one-in", "tests with (set-logic ALL) although a smaller one does; 0: never"),
    one_in<&Settings::skeleton, &SkeletonSettings::made_atom_one_in>(
        "skeleton.made-atom-one-in",
        "atoms made to fit a signature although there are historical ones; 0: never"),
    number<&Settings::skeleton, &SkeletonSettings::atoms_per_signature>(
        "skeleton.atoms-per-signature", 1, kMany,
        "different atoms of a signature in a visit, besides those of the knowledge"),

    number<&Settings::fusion, &FusionSettings::length>("fusion.length", 1, kLongest,
                                                       "mutants of one visit to a pair of seeds"),
    number<&Settings::fusion, &FusionSettings::pool>("fusion.pool", 1, kMany,
                                                     "most fusions of a pair of seeds"),
    number<&Settings::fusion, &FusionSettings::max_pairs>(
        "fusion.max-pairs", 1, kMany, "most pairs of variables that a mutant fuses"),
    one_in<&Settings::fusion, &FusionSettings::multiply_one_in>(
        "fusion.multiply-one-in", "fusions in linear logics that may leave them; 0: never"),
    one_in<&Settings::fusion, &FusionSettings::together_one_in>(
        "fusion.together-one-in", "mutants with all formulas in one assertion; 0: never"),
    one_in<&Settings::fusion, &FusionSettings::distribute_one_in>(
        "fusion.distribute-one-in", "disjunctions that are written as several; 0: never"),
    number<&Settings::fusion, &FusionSettings::max_nodes>("fusion.max-nodes", 1, kLargest,
                                                          "most nodes of both seeds together"),
    number<&Settings::fusion, &FusionSettings::guesses>(
        "fusion.guesses", 0, kMany, "random assignments to try where there is no model"),

    number<&Settings::generate, &GenerateSettings::length>("generate.length", 1, kLongest,
                                                           "scripts of one visit to a seed"),
    one_in<&Settings::generate, &GenerateSettings::all_one_in>(
        "generate.all-one-in", "scripts with (set-logic ALL) instead of the seed's; 0: never"),
    one_in<&Settings::generate, &GenerateSettings::bias_one_in>(
        "generate.bias-one-in", "scripts that prefer the seed's operators and literals; 0: never"),
    number<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::size>(
        "generate.size", 1, kLargest, "nodes of all assertions of a script together, about"),
    number<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::depth>(
        "generate.depth", 1, gen::kMaxGrammarDepth, "operators over operators, at most"),
    number<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::assertions>(
        "generate.assertions", 1, kLongest, "most assertions of a script"),
    number<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::variables>(
        "generate.variables", 1, kMany, "most variables of each sort"),
    percent<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::sharing>(
        "generate.sharing", "percent of arguments that are terms made before"),
    percent<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::leaves>(
        "generate.leaves", "percent of arguments that are leaves even where there is room"),
    percent<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::constants>(
        "generate.constants", "percent of leaves that are values at some boundary"),
    one_in<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::quantifier_one_in>(
        "generate.quantifier-one-in", "Boolean terms that are quantified; 0: never"),
    one_in<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::definition_one_in>(
        "generate.definition-one-in", "scripts with define-fun; 0: never"),
    one_in<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::incremental_one_in>(
        "generate.incremental-one-in", "scripts with push, pop and several checks; 0: never"),
    one_in<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::assuming_one_in>(
        "generate.assuming-one-in", "checks under assumptions; 0: never"),
    one_in<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::core_one_in>(
        "generate.core-one-in", "scripts that ask for unsat cores; 0: never"),
    one_in<&Settings::generate, &GenerateSettings::grammar, &GrammarSettings::request_one_in>(
        "generate.request-one-in", "scripts that ask for models and values; 0: never"),
};

base::Error wrong(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

// Says what there is: of this engine, or, where there is no such engine, which engines.
base::Error unknown(std::string_view name) {
  const std::string_view engine = name.substr(0, name.find('.'));
  std::vector<std::string_view> names;
  for (const Tunable& tunable : kTunables) {
    if (tunable.engine() == engine) names.push_back(tunable.name);
  }
  if (!names.empty()) {
    return wrong(
        fmt::format("no tunable '{}'; choose from {}", base::shown(name), fmt::join(names, ", ")));
  }
  return wrong(fmt::format("no tunable '{}': no engine '{}'; choose from {}", base::shown(name),
                           base::shown(engine), fmt::join(engine_names(), ", ")));
}

bool assign(const Tunable& tunable, Settings& settings, std::string_view value) {
  if (tunable.flag != nullptr) {
    if (value != "true" && value != "false") return false;
    tunable.flag(settings) = value == "true";
    return true;
  }
  uint32_t number = 0;
  if (!base::read_number(value, number) || number < tunable.low || number > tunable.high)
    return false;
  tunable.number(settings) = number;
  return true;
}

}  // namespace

std::string Tunable::range() const {
  return flag != nullptr ? "true or false" : fmt::format("{} to {}", low, high);
}

std::string Tunable::value_in(EngineSettings settings) const {
  return flag != nullptr ? fmt::format("{}", flag(settings)) : fmt::format("{}", number(settings));
}

std::span<const Tunable> tunables() { return kTunables; }

base::Result<void> set_tunable(EngineSettings& settings, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return wrong(
        fmt::format("'{}' is not NAME=VALUE, such as storm.max-depth=5", base::shown(assignment)));
  }
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value = assignment.substr(equals + 1);
  const auto* const found = std::find_if(std::begin(kTunables), std::end(kTunables),
                                         [&](const Tunable& one) { return one.name == name; });
  if (found == std::end(kTunables)) return unknown(name);
  if (assign(*found, settings, value)) return {};
  return wrong(fmt::format("{} must be {}, not '{}'", name, found->range(), base::shown(value)));
}

base::Result<EngineSettings> tuned(std::span<const std::string> assignments) {
  EngineSettings settings;
  for (const std::string& assignment : assignments) {
    if (const auto set = set_tunable(settings, assignment); !set) return set.error();
  }
  return settings;
}

}  // namespace elenchus::mutate
