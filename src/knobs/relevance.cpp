#include "knobs/relevance.h"

#include <algorithm>
#include <string_view>

#include "ir/script_stats.h"

namespace elenchus::knobs {
namespace {

using ir::Theory;

struct Word {
  std::string_view pattern;
  std::vector<Theory> theories;
};

// The first that fits counts.
const std::vector<Word>& words() {
  static const std::vector<Word> kWords = {
      {"*arith*", {Theory::kInts, Theory::kReals, Theory::kRealsInts}},
      {"nl-*", {Theory::kInts, Theory::kReals, Theory::kRealsInts}},
      {"nlsat.*", {Theory::kInts, Theory::kReals, Theory::kRealsInts}},
      {"*.som*", {Theory::kInts, Theory::kReals, Theory::kRealsInts}},
      {"*bit-vector*", {Theory::kBitVectors}},
      {"*bv*", {Theory::kBitVectors, Theory::kFloatingPoint}},
      {"*bit2bool*", {Theory::kBitVectors}},
      {"*mul2concat*", {Theory::kBitVectors}},
      {"smt.seq.*", {Theory::kStrings, Theory::kSequences, Theory::kRegexes}},
      {"strings-*", {Theory::kStrings, Theory::kSequences, Theory::kRegexes}},
      {"re-*", {Theory::kStrings, Theory::kRegexes}},
      {"seq-*", {Theory::kSequences, Theory::kStrings}},
      {"*array*", {Theory::kArrays}},
      {"*_store*", {Theory::kArrays}},
      {"*dt_*", {Theory::kDatatypes}},
      {"dt-*", {Theory::kDatatypes}},
      {"fp-*", {Theory::kFloatingPoint}},
      {"sets-*", {Theory::kSets, Theory::kRelations}},
      {"sep-*", {Theory::kSeparationLogic}},
  };
  return kWords;
}

const std::vector<Word>& modules() {
  static const std::vector<Word> kModules = {
      {"arithmetic theory", {Theory::kInts, Theory::kReals, Theory::kRealsInts}},
      {"bitvector theory", {Theory::kBitVectors, Theory::kFloatingPoint}},
      {"strings theory", {Theory::kStrings, Theory::kSequences, Theory::kRegexes}},
      {"arrays theory", {Theory::kArrays}},
      {"datatypes theory", {Theory::kDatatypes}},
      {"floating-point", {Theory::kFloatingPoint}},
      {"fp", {Theory::kFloatingPoint}},
      {"sets*", {Theory::kSets, Theory::kRelations}},
      {"sep*", {Theory::kSeparationLogic}},
  };
  return kModules;
}

std::vector<Theory> first_fit(const std::vector<Word>& list, std::string_view name) {
  for (const Word& word : list) {
    if (fits(word.pattern, name)) return word.theories;
  }
  return {};
}

void add_commands(const ir::Script& script, std::set<std::string>& operations) {
  uint32_t checks = 0;
  for (const ir::Command& command : script.commands) {
    if (command.kind == ir::CommandKind::kPush) operations.insert("push");
    if (command.kind == ir::CommandKind::kCheckSatAssuming) {
      operations.insert("check-sat-assuming");
    }
    checks += ir::is_check(command.kind) ? 1 : 0;
  }
  if (checks > 1) operations.insert("check-sat again");
}

bool is_relevant(const Knob& knob, const Features& features) {
  if (is_about_quantifiers(knob)) return features.has_quantifiers;
  const auto theories = theories_of(knob);
  return theories.empty() || std::any_of(theories.begin(), theories.end(), [&](Theory theory) {
           return features.theories.contains(theory);
         });
}

}  // namespace

Features features_of(const ir::TermStore& store, const ir::Script& script) {
  Features features;
  const ir::ScriptStats stats = ir::script_stats(store, script);
  for (const auto& [name, count] : stats.operators) features.operations.insert(name);
  for (const auto& [name, count] : stats.sorts) {
    if (name == "Int") features.theories.insert(Theory::kInts);
    if (name == "Real") features.theories.insert(Theory::kReals);
    if (name == "String") features.theories.insert(Theory::kStrings);
    if (name == "RegLan") features.theories.insert(Theory::kRegexes);
    if (name.starts_with("(_ BitVec")) features.theories.insert(Theory::kBitVectors);
    if (name.starts_with("(_ FloatingPoint")) features.theories.insert(Theory::kFloatingPoint);
    if (name.starts_with("Float")) features.theories.insert(Theory::kFloatingPoint);
    if (name.starts_with("(Array")) features.theories.insert(Theory::kArrays);
    if (name.starts_with("(Seq")) features.theories.insert(Theory::kSequences);
    if (name.starts_with("(Set")) features.theories.insert(Theory::kSets);
  }
  features.has_quantifiers =
      features.operations.contains("forall") || features.operations.contains("exists");
  for (const ir::Command& command : script.commands) {
    if (command.kind == ir::CommandKind::kDeclareDatatypes) {
      features.theories.insert(Theory::kDatatypes);
    }
  }
  add_commands(script, features.operations);
  return features;
}

bool is_about_quantifiers(const Knob& knob) {
  if (knob.group == "quantifiers" || knob.group == "pi") return true;
  for (const std::string_view pattern : {"*quant*", "smt.qi.*", "smt.mbqi*", "smt.ematching",
                                         "smt.macro*", "*macros*", "*pattern*"}) {
    if (fits(pattern, knob.name)) return true;
  }
  return false;
}

std::vector<Theory> theories_of(const Knob& knob) {
  auto theories = first_fit(modules(), knob.group);
  return theories.empty() ? first_fit(words(), knob.name) : theories;
}

std::vector<const Knob*> usable_knobs(const Catalogue& catalogue, bool experts_too) {
  std::vector<const Knob*> knobs;
  for (const Knob& knob : catalogue.knobs) {
    if (knob.is_usable() && (experts_too || !knob.is_expert)) knobs.push_back(&knob);
  }
  return knobs;
}

std::vector<const Knob*> relevant_knobs(const Catalogue& catalogue, const Features& features,
                                        const Correlations* learnt, bool experts_too) {
  std::vector<const Knob*> knobs = usable_knobs(catalogue, experts_too);
  std::erase_if(knobs, [&](const Knob* knob) {
    const bool is_known = learnt != nullptr && learnt->knows(knob->name);
    return is_known ? !learnt->is_relevant(features.operations, knob->name)
                    : !is_relevant(*knob, features);
  });
  return knobs;
}

}  // namespace elenchus::knobs
