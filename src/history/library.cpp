#include "history/library.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "smtlib/lexer.h"
#include "smtlib/parser.h"

namespace elenchus::history {
namespace {

// A recursive datatype with a Boolean field, and an enumeration; {0} is a prefix.
constexpr std::string_view kDatatypes =
    "(declare-datatypes (({0}D0 0)) ((({0}d0nil) ({0}d0cons ({0}d0head Int) ({0}d0flag Bool) "
    "({0}d0tail {0}D0)))))\n"
    "(declare-datatypes (({0}D1 0)) ((({0}d1a) ({0}d1b) ({0}d1c))))\n";

KindSet kinds_of(const Signature& signature) {
  KindSet kinds = 0;
  for (const Operand& operand : signature.operands) kinds |= kind_bit(operand.kind);
  return kinds;
}

}  // namespace

Library::Library(std::shared_ptr<const Knowledge> knowledge) : knowledge_(std::move(knowledge)) {
  for (const std::string& text : knowledge_->skeletons) {
    auto skeleton = parse_skeleton(text);
    if (skeleton) skeletons_.push_back(std::move(*skeleton));
  }
  const auto counts = knowledge_->signature_counts();
  for (size_t i = 0; i < knowledge_->signatures.size(); ++i) {
    auto signature = parse_signature(knowledge_->signatures[i]);
    Entry entry;
    if (signature) entry.signature = std::move(*signature);
    entry.kinds = kinds_of(entry.signature);
    entry.count = counts[i];
    signatures_.push_back(std::move(entry));
    places_.emplace(knowledge_->signatures[i], static_cast<uint32_t>(i));
  }
  for (const Lesson& lesson : knowledge_->lessons) {
    KindSet kinds = kind_bit(ir::SortKind::kBool);
    for (const uint32_t each : lesson.signatures) kinds |= signatures_[each].kinds;
    themes_.push_back(kinds);
  }
  std::map<std::string_view, uint32_t> places;
  for (const auto& [name, sorts] : knowledge_->declarations) {
    places.emplace(name, static_cast<uint32_t>(names_.size()));
    names_.push_back(name);
    sorts_.push_back(sorts);
  }
  for (size_t i = 0; i < knowledge_->atoms.size(); ++i) {
    Text text{knowledge_->atoms[i].text, {}, {}};
    smtlib::Lexer lexer(text.text);
    for (auto token = lexer.next(); token.kind != smtlib::TokenKind::kEnd; token = lexer.next()) {
      if (token.kind == smtlib::TokenKind::kError) break;
      const auto found = places.find(token.text);
      if (token.kind != smtlib::TokenKind::kSymbol || found == places.end()) continue;
      text.names.push_back(token.offset);
      text.uses.push_back(found->second);
    }
    texts_.push_back(std::move(text));
    signatures_[knowledge_->atoms[i].signature].atoms.push_back(static_cast<uint32_t>(i));
  }
}

uint32_t Library::find(const std::string& signature) const {
  const auto found = places_.find(signature);
  return found == places_.end() ? kUnknown : found->second;
}

std::string Library::script_for(std::span<const uint32_t> atoms, std::span<const uint32_t> used,
                                const std::string& prefix, bool wants_datatypes) const {
  std::string script = sort_declarations();
  if (wants_datatypes) script += fmt::format(fmt::runtime(kDatatypes), prefix);
  for (const uint32_t each : used) {
    script += fmt::format("(declare-fun {}{} {})\n", prefix, names_[each], sorts_[each]);
  }
  for (const uint32_t each : atoms) {
    const Text& text = texts_[each];
    script += "(assert ";
    uint32_t from = 0;
    for (const uint32_t name : text.names) {
      script += std::string_view(text.text).substr(from, name - from);
      script += prefix;
      from = name;
    }
    script += std::string_view(text.text).substr(from);
    script += ")\n";
  }
  return script;
}

Library::Sample Library::sample(ir::TermStore& store, std::span<const uint32_t> atoms,
                                bool wants_datatypes) const {
  std::vector<uint32_t> used;
  for (const uint32_t each : atoms) {
    used.insert(used.end(), texts_[each].uses.begin(), texts_[each].uses.end());
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (used.empty() && atoms.empty() && !wants_datatypes) return {};
  const auto is_taken = [&](const std::string& name) {
    const ir::SymbolId symbol = store.symbols().find(name);
    return symbol.valid() && store.is_function_name(symbol);
  };
  std::string prefix;
  const auto is_clash = [&] {
    return (wants_datatypes && is_taken(prefix + "d0nil")) ||
           std::any_of(used.begin(), used.end(),
                       [&](uint32_t each) { return is_taken(prefix + names_[each]); });
  };
  while (is_clash()) prefix += "x_";
  const auto script = smtlib::parse_script(store, script_for(atoms, used, prefix, wants_datatypes));
  Sample sample;
  if (!script) return sample;
  for (const ir::Command& command : script->commands) {
    if (command.kind == ir::CommandKind::kAssert) sample.atoms.push_back(command.term);
    if (command.kind == ir::CommandKind::kDeclareFun) {
      sample.functions.push_back(ir::FunId{script->items(command)[0]});
    }
    if (command.kind == ir::CommandKind::kDeclareDatatypes) {
      for (const uint32_t each : script->items(command)) {
        sample.datatypes.push_back(ir::DatatypeId{each});
      }
    }
  }
  return sample;
}

}  // namespace elenchus::history
