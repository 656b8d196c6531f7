#include "history/knowledge.h"

#include <algorithm>
#include <tuple>

#include "base/hash.h"
#include "smtlib/lexer.h"

namespace elenchus::history {
namespace {

uint64_t mix_text(uint64_t hash, std::string_view text) {
  return base::hash_mix(hash, base::hash_bytes(text));
}

// The names of an atom's text that are declared.
std::vector<std::string> names_in(const std::string& text,
                                  const std::map<std::string, std::string>& declarations) {
  std::vector<std::string> names;
  smtlib::Lexer lexer(text);
  for (auto token = lexer.next(); token.kind != smtlib::TokenKind::kEnd; token = lexer.next()) {
    if (token.kind == smtlib::TokenKind::kError) break;
    std::string name(token.text);
    const bool is_symbol = token.kind == smtlib::TokenKind::kSymbol;
    if (is_symbol && declarations.contains(name)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<uint32_t> counts(size_t size, const std::vector<Lesson>& lessons,
                             std::vector<uint32_t> Lesson::*list) {
  std::vector<uint32_t> result(size);
  for (const Lesson& lesson : lessons) {
    uint32_t last = UINT32_MAX;
    for (const uint32_t each : lesson.*list) {
      if (each != last) ++result[each];
      last = each;
    }
  }
  return result;
}

// Texts in order, and their places.
class Places {
 public:
  void add(const std::string& text) { places_.emplace(text, 0); }
  std::vector<std::string> settle() {
    std::vector<std::string> texts;
    for (auto& [text, place] : places_) {
      place = static_cast<uint32_t>(texts.size());
      texts.push_back(text);
    }
    return texts;
  }
  uint32_t of(const std::string& text) const { return places_.at(text); }

 private:
  std::map<std::string, uint32_t> places_;
};

}  // namespace

std::vector<uint32_t> Knowledge::skeleton_counts() const {
  return counts(skeletons.size(), lessons, &Lesson::skeletons);
}

std::vector<uint32_t> Knowledge::signature_counts() const {
  return counts(signatures.size(), lessons, &Lesson::signatures);
}

bool KnowledgeBuilder::add(const RawLesson& raw) {
  Entry entry;
  entry.origin = raw.origin;
  entry.skeletons = raw.skeletons;
  std::sort(entry.skeletons.begin(), entry.skeletons.end());
  std::set<std::string> content;
  for (const RawAtom& atom : raw.atoms) {
    entry.signatures.insert(atom.signature);
    content.insert(atom.named ? atom.named->text : atom.signature);
    if (atom.shape) keep(*atom.shape, atom.signature, shapes_, entry.shapes);
    if (keeps_texts_ && atom.named) keep(*atom.named, atom.signature, atoms_, entry.atoms);
  }
  uint64_t fingerprint = 1;
  for (const std::string& skeleton : entry.skeletons) fingerprint = mix_text(fingerprint, skeleton);
  for (const std::string& each : content) fingerprint = mix_text(fingerprint, each);
  return add(fingerprint, std::move(entry));
}

// Unless its names stand for other sorts already.
void KnowledgeBuilder::keep(const NamedAtom& named, const std::string& signature, Texts& texts,
                            std::set<std::string>& list) {
  const auto& used = named.declarations;
  if (!std::all_of(used.begin(), used.end(), [&](const auto& each) { return declare(each); })) {
    return;
  }
  texts.signatures[named.text] = signature;
  auto& names = texts.names[named.text];
  names.clear();
  for (const Declaration& declaration : used) names.push_back(declaration.name);
  list.insert(named.text);
}

bool KnowledgeBuilder::add(uint64_t fingerprint, Entry entry) {
  const auto [known, is_new] = entries_.try_emplace(fingerprint, entry);
  if (is_new) return true;
  // Of two reports of the same input, the first one counts; empty fields say nothing.
  Origin& origin = known->second.origin;
  if (origin == Origin{} || (entry.origin != Origin{} && entry.origin < origin)) {
    origin = entry.origin;
  }
  if (known->second.shapes.empty()) known->second.shapes = std::move(entry.shapes);
  if (known->second.atoms.empty()) known->second.atoms = std::move(entry.atoms);
  return false;
}

// A name that stands for other sorts already makes the atom unusable.
bool KnowledgeBuilder::declare(const Declaration& declaration) {
  const auto [known, is_new] = declarations_.emplace(declaration.name, declaration.sorts);
  return is_new || known->second == declaration.sorts;
}

// Says for each text whether its names stand for the same sorts here.
std::vector<char> KnowledgeBuilder::take_over(const Knowledge& knowledge,
                                              const std::vector<AtomText>& list, Texts& texts) {
  std::vector<char> is_usable(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    const AtomText& atom = list[i];
    auto names = names_in(atom.text, knowledge.declarations);
    is_usable[i] = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return declare({name, knowledge.declarations.at(name)});
    });
    if (is_usable[i] == 0) continue;
    texts.signatures[atom.text] = knowledge.signatures[atom.signature];
    texts.names[atom.text] = std::move(names);
  }
  return is_usable;
}

uint32_t KnowledgeBuilder::add(const Knowledge& knowledge) {
  const std::vector<char> good_shapes = take_over(knowledge, knowledge.shapes, shapes_);
  const std::vector<char> good_atoms = keeps_texts_ ? take_over(knowledge, knowledge.atoms, atoms_)
                                                    : std::vector<char>(knowledge.atoms.size());
  uint32_t added = 0;
  for (const Lesson& lesson : knowledge.lessons) {
    Entry entry;
    entry.origin = lesson.origin;
    for (const uint32_t each : lesson.skeletons) {
      entry.skeletons.push_back(knowledge.skeletons[each]);
    }
    for (const uint32_t each : lesson.signatures) {
      entry.signatures.insert(knowledge.signatures[each]);
    }
    for (const uint32_t each : lesson.shapes) {
      if (good_shapes[each] != 0) entry.shapes.insert(knowledge.shapes[each].text);
    }
    for (const uint32_t each : lesson.atoms) {
      if (good_atoms[each] != 0) entry.atoms.insert(knowledge.atoms[each].text);
    }
    added += add(lesson.fingerprint, std::move(entry)) ? 1 : 0;
  }
  return added;
}

Knowledge KnowledgeBuilder::build(const RuleSettings& settings) const {
  Knowledge knowledge;
  knowledge.settings = settings;
  Places skeletons;
  Places signatures;
  Places shapes;
  Places atoms;
  for (const auto& [fingerprint, entry] : entries_) {
    for (const std::string& each : entry.skeletons) skeletons.add(each);
    for (const std::string& each : entry.signatures) signatures.add(each);
    for (const std::string& each : entry.shapes) shapes.add(each);
    for (const std::string& each : entry.atoms) atoms.add(each);
  }
  knowledge.skeletons = skeletons.settle();
  knowledge.signatures = signatures.settle();
  const auto list = [&](Places& places, const Texts& texts, std::vector<AtomText>& result) {
    for (const std::string& text : places.settle()) {
      result.push_back({signatures.of(texts.signatures.at(text)), text});
      for (const std::string& name : texts.names.at(text)) {
        knowledge.declarations[name] = declarations_.at(name);
      }
    }
  };
  list(shapes, shapes_, knowledge.shapes);
  list(atoms, atoms_, knowledge.atoms);
  for (const auto& [fingerprint, entry] : entries_) {
    Lesson lesson{fingerprint, entry.origin, {}, {}, {}, {}};
    for (const std::string& each : entry.skeletons) lesson.skeletons.push_back(skeletons.of(each));
    for (const auto& each : entry.signatures) lesson.signatures.push_back(signatures.of(each));
    for (const auto& each : entry.shapes) lesson.shapes.push_back(shapes.of(each));
    for (const auto& each : entry.atoms) lesson.atoms.push_back(atoms.of(each));
    knowledge.lessons.push_back(std::move(lesson));
  }
  std::sort(knowledge.lessons.begin(), knowledge.lessons.end(), [](const auto& a, const auto& b) {
    return std::tie(a.origin, a.fingerprint) < std::tie(b.origin, b.fingerprint);
  });
  std::vector<ItemSet> sets;
  sets.reserve(knowledge.lessons.size());
  for (const Lesson& lesson : knowledge.lessons) sets.push_back(lesson.signatures);
  knowledge.rules = mine_rules(sets, settings).rules;
  return knowledge;
}

Knowledge cut(const Knowledge& knowledge, const Cut& cut) {
  Knowledge part = knowledge;
  std::erase_if(part.lessons, [&](const Lesson& lesson) {
    const Origin& origin = lesson.origin;
    if (!cut.solver.empty() && origin.solver != cut.solver) return true;
    if (!cut.until.empty() && (origin.date.empty() || origin.date > cut.until)) return true;
    return cut.last_issue != 0 && (origin.issue == 0 || origin.issue > cut.last_issue);
  });
  KnowledgeBuilder builder;
  builder.add(part);
  return builder.build(knowledge.settings);
}

}  // namespace elenchus::history
