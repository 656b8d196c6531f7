#include "mutate/flat.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "ir/free_variables.h"
#include "ir/logic.h"
#include "ir/measure.h"
#include "ir/recursion.h"
#include "ir/rewriter.h"
#include "ir/script_parts.h"
#include "ir/settings.h"
#include "ir/substitute.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "mutate/draft.h"
#include "mutate/tactics.h"

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
class Inliner : public ir::RewriteHooks {
 public:
  explicit Inliner(ir::TermStore& store)
      : store_(store), free_(store), rewriter_(store), limit_(store.term_count() + kMostNewTerms) {}

  bool is_stopped() const { return store_.term_count() > limit_ || free_.exhausted(); }

  // Definitions call only those before them, so that their bodies are written out already.
  void add_definition(FunId fun) { bodies_[fun.value] = inlined(store_.fun(fun).body); }

  TermId inlined(TermId root) { return root.valid() ? rewriter_.rewrite(root, *this) : root; }

  TermId after(TermId term, std::span<const TermId> args) {
    const Op op = store_.op(term);
    if (op == Op::kAnnotated && args.size() == 1 && store_.has(term, ir::kHasNamed)) return args[0];
    return op == Op::kCall ? call(store_.callee(term), args) : TermId{};
  }

 private:
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
  TermId inlined_name(FunId fun) {
    const TermId body = store_.fun(fun).body;
    if (!body.valid()) return {};
    const TermId written_out = rewriter_.find(body);
    return written_out.valid() ? written_out : body;
  }

  ir::TermStore& store_;
  ir::FreeVariables free_;
  ir::Rewriter<> rewriter_;
  uint32_t limit_;
  std::unordered_map<uint32_t, TermId> bodies_;  // by function
};

Command assertion_of(TermId term) {
  Command command;
  command.kind = CommandKind::kAssert;
  command.term = term;
  return command;
}

// Takes what is in force at the last check.
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
    const size_t check = last - 1;
    const ir::Timeline timeline(store_, script_);
    for (size_t i = 0; i < check; ++i) {
      const Command& command = script_.commands[i];
      if (is_in_the_way(command) || timeline.pops_too_many(i)) {
        return Skip{"commands that cannot be taken apart"};
      }
      if (timeline.holds(i, check)) {
        add(command);
      } else {
        has_inner_declarations_ |= ir::is_declaration(command.kind);
      }
    }
    add_assumptions(script_.commands[check]);
    if (inliner_.is_stopped()) return Skip{"definitions too large to be written out"};
    Flat flat;
    flat.frame = script_;
    flat.frame.warnings.clear();
    flat.frame.commands = std::move(commands_);
    for (const TermId claim : claims_) {
      if (store_.has(claim, ir::kHasUnknown)) return Skip{"operators that we do not know"};
    }
    flat.claims = std::move(claims_);
    flat.tactic = tactic_of(script_.commands[check]);
    if (!has_inner_declarations_) flat.steps = steps_to(timeline, check, flat.claims);
    return flat;
  }

 private:
  bool is_in_the_way(const Command& command) const {
    switch (command.kind) {
      case CommandKind::kSetOption: return ir::is_global_declarations(store_, command);
      // May change what is asserted.
      case CommandKind::kText: return !is_for_seeds_only(store_, command);
      case CommandKind::kReset:
      case CommandKind::kResetAssertions:
      case CommandKind::kAssertSoft:
      case CommandKind::kMinimize:
      case CommandKind::kMaximize:
      case CommandKind::kExit: return true;
      default: return false;
    }
  }

  void add(const Command& command) {
    if (command.kind == CommandKind::kAssert) {
      claims_.push_back(inliner_.inlined(command.term));
      return;
    }
    const bool is_plain_definition =
        command.kind == CommandKind::kDefineFun || command.kind == CommandKind::kDefineConst;
    if (is_plain_definition) inliner_.add_definition(FunId{script_.items(command)[0]});
    if (is_plain_definition ? keeps_definitions_ : belongs_to_frame(command)) {
      commands_.push_back(command);
    }
  }

  bool belongs_to_frame(const Command& command) const {
    return command.kind == CommandKind::kSetLogic || ir::is_declaration(command.kind) ||
           (ir::is_setting(command.kind) && !is_for_seeds_only(store_, command));
  }

  // None where the tactic may change answers.
  ir::SymbolId tactic_of(const Command& check) const {
    const bool is_kept = check.kind == CommandKind::kCheckSatUsing &&
                         is_known_tactic(store_.symbols().text(check.text));
    return is_kept ? check.text : ir::SymbolId{};
  }

  // What the last check assumes is asserted before it; what others assume is left out.
  Steps steps_to(const ir::Timeline& timeline, size_t check, std::span<const TermId> claims) {
    Steps steps;
    uint32_t claim = 0;
    const auto add_claim = [&] {
      steps.push_back({assertion_of(claims[claim]), claim});
      ++claim;
    };
    for (size_t i = 0; i < check; ++i) {
      const Command& command = script_.commands[i];
      if (command.kind == CommandKind::kPush || command.kind == CommandKind::kPop) {
        steps.push_back({command});
      } else if (ir::is_check(command.kind)) {
        steps.push_back({check_like(command)});
      } else if (command.kind == CommandKind::kAssert && timeline.holds(i, check)) {
        add_claim();
      } else if (command.kind == CommandKind::kAssert) {
        steps.push_back({assertion_of(inliner_.inlined(command.term))});
      }
    }
    while (claim < claims.size()) add_claim();
    steps.push_back({check_like(script_.commands[check])});
    const bool has_unknown = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      return step.command.kind == CommandKind::kAssert &&
             store_.has(step.command.term, ir::kHasUnknown);
    });
    if (has_unknown || inliner_.is_stopped()) return {};
    trim(steps);
    return steps;
  }

  Command check_like(const Command& check) const {
    Command like;
    like.text = tactic_of(check);
    like.kind = like.text.valid() ? CommandKind::kCheckSatUsing : CommandKind::kCheckSat;
    return like;
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
  bool keeps_definitions_ = false;       // recursive functions may call them
  bool has_inner_declarations_ = false;  // that a level takes back
};

}  // namespace

std::variant<Flat, Skip> flatten(ir::TermStore& store, const ir::Script& script) {
  return Flattener(store, script).run();
}

std::variant<Flat, Skip> flatten_known(ir::TermStore& store, const ir::Script& script) {
  if (ir::doubtful_recursion(store, script)) return Skip{"recursion that may have no solution"};
  return flatten(store, script);
}

void set_logic(ir::TermStore& store, ir::Script& script, std::string_view name) {
  if (!script.logic.valid()) return;
  script.logic = store.symbols().intern(name);
  for (Command& command : script.commands) {
    if (command.kind == CommandKind::kSetLogic) command.text = script.logic;
  }
}

std::string drawn_logic(const ir::TermStore& store, const ir::Script& script, base::Rng& rng,
                        uint32_t widen_one_in) {
  const std::string_view logic = ir::logic_name(store, script, "ALL");
  const bool is_all = ir::parse_logic(logic).everything;
  if (!is_all && rng.happens(widen_one_in)) return std::string(ir::everything(logic));
  // Hardly anything can be changed and stay within differences.
  const std::string with_sums = ir::with_sums(logic);
  return with_sums != logic && rng.coin() ? with_sums : std::string(logic);
}

uint64_t size_of(const ir::TermStore& store, std::span<const TermId> claims) {
  ir::Measures measures(store);
  uint64_t size = 0;
  for (const TermId claim : claims) size = ir::saturating_add(size, measures.of(claim).size);
  return size;
}

uint64_t distinct_terms(const ir::TermStore& store, std::span<const TermId> claims) {
  ir::Walker walker(store);
  uint64_t count = 0;
  for (const TermId claim : claims) walker.walk(claim, [&](TermId) { ++count; });
  return count;
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
  for (const TermId term : assertions) script.commands.push_back(assertion_of(term));
  Command check;
  check.kind = CommandKind::kCheckSat;
  script.commands.push_back(check);
  return script;
}

}  // namespace elenchus::mutate
