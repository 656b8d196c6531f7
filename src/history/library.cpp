#include "history/library.h"

#include <algorithm>

#include <fmt/format.h>

#include "history/importer.h"
#include "ir/functions.h"
#include "ir/walk.h"
#include "smtlib/parser.h"

namespace elenchus::history {
namespace {

// A recursive datatype with a Boolean field, and an enumeration.
constexpr std::string_view kDatatypes =
    "(declare-datatypes ((D0 0)) (((d0nil) (d0cons (d0head Int) (d0flag Bool) (d0tail D0)))))\n"
    "(declare-datatypes ((D1 0)) (((d1a) (d1b) (d1c))))\n";

KindSet kinds_of(const AtomSignature& signature) {
  KindSet kinds = 0;
  for (const Operand& operand : signature.operands) kinds |= kind_bit(operand.kind);
  return kinds;
}

}  // namespace

KindSet kinds_in(const ir::TermStore& store, ir::Walker& walker, ir::TermId term) {
  KindSet kinds = 0;
  walker.restart();
  walker.walk(term,
              [&](ir::TermId each) { kinds |= kind_bit(store.sorts().kind(store.sort(each))); });
  return kinds;
}

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
  read_forms();
  for (const Lesson& lesson : knowledge_->lessons) {
    KindSet kinds = kind_bit(ir::SortKind::kBool);
    for (const uint32_t each : lesson.signatures) kinds |= signatures_[each].kinds;
    for (const uint32_t each : lesson.shapes) kinds |= forms_[each].kinds;
    themes_.push_back(kinds);
  }
}

// What a file holds was read before, so that there is a form for each text.
void Library::read_forms() {
  std::string text = sort_declarations();
  text += kDatatypes;
  for (const auto& [name, sorts] : knowledge_->declarations) {
    text += fmt::format("(declare-fun {} {})\n", name, sorts);
  }
  for (const AtomText& shape : knowledge_->shapes) text += fmt::format("(assert {})\n", shape.text);
  for (const AtomText& atom : knowledge_->atoms) text += fmt::format("(assert {})\n", atom.text);
  const auto script = smtlib::parse_script(store_, text);
  forms_.resize(knowledge_->shapes.size() + knowledge_->atoms.size());
  if (!script) return;
  ir::Walker walker(store_);
  uint32_t number = 0;
  for (const ir::Command& command : script->commands) {
    if (command.kind == ir::CommandKind::kDeclareDatatypes) {
      for (const uint32_t each : script->items(command)) datatypes_.push_back(ir::DatatypeId{each});
    }
    if (command.kind != ir::CommandKind::kAssert) continue;
    const uint32_t place = number++;
    walker.restart();
    const auto is_odd = [&](ir::TermId term) { return !Importer::takes(store_.op(term)); };
    if (walker.find(command.term, is_odd)) continue;
    forms_[place] = form_of(walker, command.term);
    const bool is_shape = place < knowledge_->shapes.size();
    const AtomText& known =
        is_shape ? knowledge_->shapes[place] : knowledge_->atoms[place - knowledge_->shapes.size()];
    Entry& entry = signatures_[known.signature];
    (is_shape ? entry.shapes : entry.atoms).push_back(place);
  }
}

Library::Form Library::form_of(ir::Walker& walker, ir::TermId term) const {
  Form form{term, kinds_in(store_, walker, term), {}};
  for (const ir::FunId fun : ir::functions_in(store_, term)) {
    const ir::FunDecl& decl = store_.fun(fun);
    if (!decl.constant.valid()) continue;
    form.leaves.push_back({decl.constant, parse_leaf_name(store_.symbols().text(decl.name))});
  }
  return form;
}

uint32_t Library::find(const std::string& signature) const {
  const auto found = places_.find(signature);
  return found == places_.end() ? kUnknown : found->second;
}

}  // namespace elenchus::history
