#include "knobs/relevance.h"

#include <algorithm>
#include <string_view>

#include "ir/script_parts.h"
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

// Parts of every formula, which are no operations.
bool is_operation(const std::string& label) {
  constexpr std::string_view kParts[] = {"variable", "literal", "call", "function-value", "!"};
  return std::find(std::begin(kParts), std::end(kParts), label) == std::end(kParts);
}

// Those of the script's own, as one operation each.
void add_functions(const ir::TermStore& store, const ir::Script& script, Features& features) {
  for (const ir::Command& command : script.commands) {
    if (command.kind == ir::CommandKind::kDeclareDatatypes) {
      features.theories.insert(Theory::kDatatypes);
      features.operations.insert("datatypes");
      features.theories_of_operation["datatypes"] = {Theory::kDatatypes};
    }
    if (!ir::declares_functions(command.kind)) continue;
    for (const uint32_t item : script.items(command)) {
      if (!store.params(ir::FunId{item}).empty()) features.operations.insert("functions");
    }
  }
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

bool is_quantifier(const std::string& operation) {
  return operation == "forall" || operation == "exists";
}

bool is_relevant(const Knob& knob, const Features& features) {
  if (is_about_quantifiers(knob)) return features.has_quantifiers;
  const auto theories = theories_of(knob);
  return theories.empty() || std::any_of(theories.begin(), theories.end(), [&](Theory theory) {
           return features.theories.contains(theory);
         });
}

// By its name alone, whether it may have to do with one operation. Those that belong to no theory,
// such as `=`, an uninterpreted function or a push, are about all that the script has.
bool is_relevant(const Knob& knob, const Features& features, const std::string& operation) {
  if (is_quantifier(operation)) return is_about_quantifiers(knob);
  const auto found = features.theories_of_operation.find(operation);
  if (found == features.theories_of_operation.end()) return is_relevant(knob, features);
  if (is_about_quantifiers(knob)) return false;
  const auto theories = theories_of(knob);
  return theories.empty() ||
         std::find_first_of(theories.begin(), theories.end(), found->second.begin(),
                            found->second.end()) != theories.end();
}

// What was learnt says nothing of operations that no training formula had; their options must not
// be lost for that.
bool is_relevant(const Knob& knob, const Features& features, const Correlations& learnt) {
  if (learnt.is_in_conflict(features.operations, knob.name)) return false;
  if (learnt.is_relevant(features.operations, knob.name)) return true;
  return std::any_of(
      features.operations.begin(), features.operations.end(), [&](const std::string& operation) {
        return !learnt.knows(knob.name, operation) && is_relevant(knob, features, operation);
      });
}

void add_theories(const ir::OpTable& ops, Features& features) {
  for (const std::string& operation : features.operations) {
    const ir::SymbolId symbol = ops.symbols().find(operation);
    if (!symbol.valid()) continue;
    std::vector<Theory> theories;
    for (const ir::Op op : ops.named(symbol)) {
      const Theory theory = ops.info(op).theory;
      if (theory != Theory::kCore) theories.push_back(theory);
    }
    if (!theories.empty()) features.theories_of_operation[operation] = std::move(theories);
  }
}

}  // namespace

Features features_of(const ir::TermStore& store, const ir::Script& script) {
  Features features;
  const ir::ScriptStats stats = ir::script_stats(store, script);
  for (const auto& [name, count] : stats.operators) {
    if (is_operation(name)) features.operations.insert(name);
  }
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
      std::any_of(features.operations.begin(), features.operations.end(), is_quantifier);
  add_theories(store.ops(), features);
  add_functions(store, script, features);
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
    return is_known ? !is_relevant(*knob, features, *learnt) : !is_relevant(*knob, features);
  });
  return knobs;
}

}  // namespace elenchus::knobs
