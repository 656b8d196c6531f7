#include "mutate/flat.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "eval/recursion.h"
#include "ir/free_variables.h"
#include "ir/substitute.h"
#include "ir/walk.h"
#include "mutate/draft.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

namespace {

// Definitions that call each other often can be written out to any size.
constexpr uint32_t kMostNewTerms = 200'000;

// Writes out calls of defined functions and of names given by :named.
class Inliner {
 public:
  explicit Inliner(ir::TermStore& store)
      : store_(store), free_(store), walker_(store), limit_(store.term_count() + kMostNewTerms) {}

  bool is_exhausted() const { return store_.term_count() > limit_ || free_.exhausted(); }

  // Definitions call only those before them, so that their bodies are written out already.
  void add_definition(FunId fun) { bodies_[fun.value] = inlined(store_.fun(fun).body); }

  TermId inlined(TermId root) {
    if (!root.valid()) return root;
    walker_.walk(root, [&](TermId term) {
      if (!is_exhausted()) done_[term.value] = rebuilt(term);
    });
    return is_exhausted() ? root : at(root);
  }

 private:
  TermId at(TermId term) const {
    const auto found = done_.find(term.value);
    return found == done_.end() ? term : found->second;
  }

  TermId rebuilt(TermId term) {
    const auto old = store_.args(term);
    std::vector<TermId> args(old.begin(), old.end());
    for (TermId& arg : args) arg = at(arg);
    const Op op = store_.op(term);
    if (op == Op::kAnnotated && args.size() == 1 && store_.has(term, ir::kHasNamed)) return args[0];
    if (op == Op::kCall) {
      const TermId written_out = call(store_.callee(term), args);
      if (written_out.valid()) return written_out;
    }
    if (std::equal(args.begin(), args.end(), old.begin())) return term;
    return ir::with_args(store_, term, args);
  }

  // None where the function has no body, or one that calls it again.
  TermId call(FunId fun, std::span<const TermId> args) {
    const ir::FunKind kind = store_.fun(fun).kind;
    if (kind == ir::FunKind::kNamed) return inlined_name(fun);
    if (kind != ir::FunKind::kDefined) return {};
    const auto body = bodies_.find(fun.value);
    if (body == bodies_.end()) return {};
    if (args.empty()) return body->second;
    ir::Substitution map;
    const auto formals = store_.formals(fun);
    for (size_t i = 0; i < formals.size(); ++i) map.emplace_back(formals[i], args[i]);
    return ir::substitute(store_, free_, body->second, map);
  }

  // The named term was met before the name is used.
  TermId inlined_name(FunId fun) const {
    const TermId body = store_.fun(fun).body;
    return body.valid() ? at(body) : TermId{};
  }

  ir::TermStore& store_;
  ir::FreeVariables free_;
  ir::Walker walker_;
  uint32_t limit_;
  std::unordered_map<uint32_t, TermId> bodies_;  // by function
  std::unordered_map<uint32_t, TermId> done_;    // by term
};

// Follows levels, so that what was popped is gone.
class Flattener {
 public:
  Flattener(ir::TermStore& store, const ir::Script& script)
      : store_(store), script_(script), inliner_(store) {
    for (const Command& command : script.commands) {
      keeps_definitions_ |=
          command.kind == CommandKind::kDefineFunRec || command.kind == CommandKind::kDefineFunsRec;
    }
  }

  std::variant<Flat, Skip> run() {
    size_t last = script_.commands.size();
    while (last > 0 && !ir::is_check(script_.commands[last - 1].kind)) --last;
    if (last == 0) return Skip{"no check-sat"};
    for (size_t i = 0; i + 1 < last; ++i) {
      if (!add(script_.commands[i])) return Skip{"commands that cannot be taken apart"};
    }
    add_assumptions(script_.commands[last - 1]);
    if (inliner_.is_exhausted()) return Skip{"definitions too large to be written out"};
    Flat flat;
    flat.frame = script_;
    flat.frame.warnings.clear();
    flat.frame.commands = std::move(commands_);
    for (const TermId claim : claims_) {
      if (store_.has(claim, ir::kHasUnknown)) return Skip{"operators that we do not know"};
    }
    flat.claims = std::move(claims_);
    return flat;
  }

 private:
  struct Level {
    size_t commands, claims;
  };

  bool add(const Command& command) {
    switch (command.kind) {
      case CommandKind::kAssert: claims_.push_back(inliner_.inlined(command.term)); return true;
      case CommandKind::kPush:
        levels_.insert(levels_.end(), command.number, {commands_.size(), claims_.size()});
        return true;
      case CommandKind::kPop: return pop(command.number);
      case CommandKind::kDefineFun:
      case CommandKind::kDefineConst:
        inliner_.add_definition(FunId{script_.items(command)[0]});
        if (keeps_definitions_) commands_.push_back(command);
        return true;
      case CommandKind::kText: return add_text(command);
      case CommandKind::kReset:
      case CommandKind::kResetAssertions:
      case CommandKind::kAssertSoft:
      case CommandKind::kMinimize:
      case CommandKind::kMaximize:
      case CommandKind::kExit: return false;
      case CommandKind::kCheckSat:
      case CommandKind::kCheckSatAssuming:
      case CommandKind::kCheckSatUsing:
      case CommandKind::kGetValue: return true;
      default: commands_.push_back(command); return true;
    }
  }

  bool add_text(const Command& command) {
    const std::string_view text = store_.symbols().text(command.text);
    if (text.find(":global-declarations") != std::string_view::npos) return false;
    if (is_for_seeds_only(store_, command)) return true;
    // Options and facts about the script; other commands may change what is asserted.
    if (!text.starts_with("(set-option") && !text.starts_with("(set-info")) return false;
    commands_.push_back(command);
    return true;
  }

  bool pop(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      if (levels_.empty()) return false;
      commands_.resize(levels_.back().commands);
      claims_.resize(levels_.back().claims);
      levels_.pop_back();
    }
    return true;
  }

  void add_assumptions(const Command& check) {
    if (check.kind != CommandKind::kCheckSatAssuming) return;
    for (const uint32_t term : script_.items(check)) {
      claims_.push_back(inliner_.inlined(TermId{term}));
    }
  }

  ir::TermStore& store_;
  const ir::Script& script_;
  Inliner inliner_;
  std::vector<Command> commands_;
  std::vector<TermId> claims_;
  std::vector<Level> levels_;
  bool keeps_definitions_ = false;  // recursive functions may call them
};

}  // namespace

std::variant<Flat, Skip> flatten(ir::TermStore& store, const ir::Script& script) {
  return Flattener(store, script).run();
}

std::variant<Flat, Skip> flatten_known(ir::TermStore& store, const ir::Script& script) {
  if (eval::doubtful_recursion(store, script)) return Skip{"recursion that may have no solution"};
  return flatten(store, script);
}

void add_declaration(ir::Script& frame, FunId fun) {
  Command command;
  command.kind = CommandKind::kDeclareFun;
  const uint32_t items[] = {fun.value};
  frame.set_items(command, items);
  frame.commands.push_back(command);
}

ir::Script with_assertions(const ir::Script& frame, std::span<const TermId> assertions) {
  ir::Script script = frame;
  script.commands.reserve(frame.commands.size() + assertions.size() + 1);
  for (const TermId term : assertions) {
    Command command;
    command.kind = CommandKind::kAssert;
    command.term = term;
    script.commands.push_back(command);
  }
  Command check;
  check.kind = CommandKind::kCheckSat;
  script.commands.push_back(check);
  return script;
}

}  // namespace elenchus::mutate
