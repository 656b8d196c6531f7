#include "history/learner.h"

#include <fmt/format.h>

#include "history/skeleton.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::history {

using ir::TermId;

Learner::Learner(KnowledgeBuilder& builder)
    : builder_(builder),
      clean_(store_.mark()),
      signatures_(store_),
      namer_(store_),
      scratch_clean_(scratch_.mark()) {}

base::Result<void> Learner::add(const Report& report) {
  ++counts_.inputs;
  store_.rollback(clean_);
  const auto script = smtlib::parse_script(store_, report.text);
  if (!script) {
    ++counts_.ill_formed;
    return script.error();
  }
  KnowledgeBuilder::RawLesson lesson;
  lesson.origin = report.origin;
  seen_.clear();
  for (const ir::Command& command : script->commands) {
    if (command.kind != ir::CommandKind::kAssert) continue;
    add_assertion(command.term, lesson);
  }
  if (lesson.skeletons.empty() || lesson.atoms.empty()) {
    ++counts_.empty;
  } else {
    ++(builder_.add(lesson) ? counts_.learnt : counts_.known);
  }
  return {};
}

void Learner::add_assertion(TermId formula, KnowledgeBuilder::RawLesson& lesson) {
  ++counts_.assertions;
  const Skeleton skeleton = skeleton_of(store_, formula);
  if (skeleton.nodes.empty()) {
    ++counts_.large_skeletons;
  } else {
    lesson.skeletons.push_back(to_text(skeleton));
  }
  for (const TermId atom : atoms_of(store_, formula)) {
    if (seen_.insert(atom.value).second) add_atom(atom, lesson);
  }
}

void Learner::add_atom(TermId atom, KnowledgeBuilder::RawLesson& lesson) {
  if (store_.has(atom, ir::kHasUnknown)) {
    ++counts_.nameless_atoms;
    return;
  }
  const AtomSignature signature = signatures_.of(atom);
  if (signature.op.empty()) {
    ++counts_.nameless_atoms;
    return;
  }
  const auto as_text = [&](Constants constants) {
    auto named = namer_.name(atom, constants);
    if (named && !reads_back(*named)) named.reset();
    return named;
  };
  auto named = as_text(Constants::kKept);
  if (!named) ++counts_.nameless_atoms;
  auto shape = as_text(Constants::kClassed);
  lesson.atoms.push_back({to_text(signature), std::move(named), std::move(shape)});
}

// Some operators name things that a text of its own does not have.
bool Learner::reads_back(const NamedAtom& atom) {
  if (readable_.contains(atom.text)) return true;
  std::string text = sort_declarations();
  for (const Declaration& each : atom.declarations) {
    text += fmt::format("(declare-fun {} {})", each.name, each.sorts);
  }
  text += fmt::format("(assert {})", atom.text);
  scratch_.rollback(scratch_clean_);
  const auto script = smtlib::parse_script(scratch_, text, {.strict = true});
  if (!script) return false;
  const auto printed =
      smtlib::print_term(scratch_, script->commands.back().term, {.let_size = UINT32_MAX});
  if (!printed || *printed != atom.text) return false;
  readable_.insert(atom.text);
  return true;
}

}  // namespace elenchus::history
