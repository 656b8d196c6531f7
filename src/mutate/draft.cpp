#include "mutate/draft.h"

#include <algorithm>
#include <unordered_map>

#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/substitute.h"
#include "ir/walk.h"
#include "mutate/admission.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

bool is_for_seeds_only(const ir::TermStore& store, const Command& command) {
  if (command.kind == CommandKind::kGetValue) return true;
  if (command.kind != CommandKind::kText) return false;
  const std::string_view text = store.symbols().text(command.text);
  return text.starts_with("(set-info :status") || text.starts_with("(get-") ||
         text.starts_with("(echo") || text.starts_with("(eval");
}

Draft::Draft(ir::TermStore& store, const ir::Script& seed)
    : store_(store), script_(seed), walker_(store) {
  script_.warnings.clear();
  std::erase_if(script_.commands,
                [&](const Command& command) { return is_for_seeds_only(store, command); });
}

void Draft::index(Expressions& expressions, Expressions::Targets targets) {
  expressions_ = &expressions;
  targets_ = targets;
  expressions.start(store_, script_, targets);
  entries_.clear();
  places_ = 0;
  size_ = 0;
  for (uint32_t i = 0; i < script_.commands.size(); ++i) {
    entries_.push_back(measure(script_.commands[i], i));
    places_ = ir::saturating_add(places_, entries_.back().places);
    size_ = ir::saturating_add(size_, entries_.back().size);
  }
}

// The term of the command in which occurrences may be replaced, if it has one.
TermId Draft::root_of(const Command& command) const {
  if (ir::has_term(command.kind)) return command.term;
  if (command.kind != CommandKind::kDefineFun) return {};
  return store_.fun(FunId{script_.items(command)[0]}).body;
}

Draft::Entry Draft::measure(const Command& command, uint32_t at) {
  const TermId root = root_of(command);
  if (!root.valid()) return {at, 0, 0};
  const Expressions::Facts& facts = expressions_->facts(root);
  return {at, facts.places, facts.size};
}

void Draft::replace_entry(uint32_t command, const Entry& entry) {
  entries_[command] = entry;
  places_ = 0;
  size_ = 0;
  for (const Entry& each : entries_) {
    places_ = ir::saturating_add(places_, each.places);
    size_ = ir::saturating_add(size_, each.size);
  }
}

bool Draft::choose(base::Rng& rng, Place& place) {
  if (places_ == 0) return false;
  uint64_t draw = rng.below(places_);
  uint32_t command = 0;
  while (command + 1 < entries_.size() && draw >= entries_[command].places) {
    draw -= entries_[command++].places;
  }
  // Sums that are too large to count may leave the draw past the end.
  while (entries_[command].places == 0) --command;
  draw = std::min(draw, entries_[command].places - 1);
  place.command = command;
  place.at = entries_[command].at;
  place.path.clear();
  place.ancestors.clear();
  place.bound.clear();
  const Command& chosen = script_.commands[command];
  if (chosen.kind == CommandKind::kDefineFun) {
    const auto formals = store_.formals(FunId{script_.items(chosen)[0]});
    place.bound.assign(formals.begin(), formals.end());
  }
  TermId term = root_of(chosen);
  for (;;) {
    const Expressions::Facts facts = expressions_->facts(term);
    if (facts.is_target) {
      if (draw == 0) break;
      --draw;
    }
    if (ir::is_binder(store_.op(term))) {
      const auto bound = store_.bound_variables(term);
      place.bound.insert(place.bound.end(), bound.begin(), bound.end());
    }
    const auto args = store_.args(term);
    const auto [first, last] = ir::proper_args(store_, term);
    uint32_t next = last;
    uint32_t fallback = first;
    for (uint32_t i = first; i < last && next == last; ++i) {
      const uint64_t here = expressions_->facts(args[i]).places;
      if (here > 0) fallback = i;
      if (draw < here) {
        next = i;
      } else {
        draw -= here;
      }
    }
    // Only where the counts are too large to be exact.
    if (next == last) {
      next = fallback;
      draw = rng.below(expressions_->facts(args[next]).places);
    }
    place.ancestors.push_back(term);
    place.path.push_back(next);
    term = args[next];
  }
  place.term = term;
  return true;
}

void Draft::place_before(uint32_t command, Place& place) const {
  place.command = command;
  place.at = entries_[command].at;
  place.path.clear();
  place.ancestors.clear();
  place.bound.clear();
  place.term = {};
}

TermId Draft::rebuild(const Place& place, TermId replacement, const ir::Logic& logic,
                      uint16_t& readers) {
  TermId result = replacement;
  for (size_t i = place.path.size(); i-- > 0;) {
    const TermId ancestor = place.ancestors[i];
    const auto old = store_.args(ancestor);
    args_.assign(old.begin(), old.end());
    args_[place.path[i]] = result;
    const Op op = store_.op(ancestor);
    if (op > Op::kUnknownText) {
      const uint16_t now = readers_of_application(store_, logic, op, args_);
      // What the seed does already is none of our business.
      if (now != kAnyone && now != readers_of_application(store_, logic, op, old)) {
        readers &= now;
        if (readers == 0) return {};
      }
    }
    result = ir::with_args(store_, ancestor, args_);
  }
  return result;
}

bool Draft::commit(const Place& place, TermId root) {
  Command& command = script_.commands[place.command];
  if (command.kind == CommandKind::kDefineFun) return redefine(place.command, root);
  command.term = root;
  replace_entry(place.command, measure(command, entries_[place.command].at));
  return true;
}

void Draft::insert_assertion(uint32_t command, TermId term) {
  Command added;
  added.kind = CommandKind::kAssert;
  added.term = term;
  const uint32_t at = entries_[command].at;
  script_.commands.insert(script_.commands.begin() + command, added);
  entries_.insert(entries_.begin() + command, Entry{at, 0, 0});
  replace_entry(command, measure(added, at));
}

void Draft::remove_command(uint32_t command) {
  script_.commands.erase(script_.commands.begin() + command);
  entries_.erase(entries_.begin() + command);
  if (!entries_.empty()) replace_entry(0, entries_[0]);
}

void Draft::replace_assertion(uint32_t command, TermId term) {
  script_.commands[command].term = term;
  replace_entry(command, measure(script_.commands[command], entries_[command].at));
}

void Draft::set_logic(std::string_view name) {
  if (!script_.logic.valid()) return;
  script_.logic = store_.symbols().intern(name);
  for (Command& command : script_.commands) {
    if (command.kind == CommandKind::kSetLogic) command.text = script_.logic;
  }
}

// --- Definitions. ---

// A definition cannot be changed in place: earlier mutants refer to it. The changed one is another
// function of the same name, and everything that calls the old one is made to call it, which may
// change further definitions. Recursive ones are left alone, with all that they call.
bool Draft::redefine(uint32_t command, TermId body) {
  const FunId old{script_.items(script_.commands[command])[0]};
  if (!can_redefine(old)) return false;
  struct Change {
    uint32_t command;
    FunId from;
    FunId to;
  };
  std::vector<Change> changes;
  const auto replace_function = [&](uint32_t at, FunId from, TermId new_body) {
    const ir::FunDecl decl = store_.fun(from);
    const auto params = store_.params(from);
    const FunId to = store_.declare(decl.name, decl.kind, params, decl.result);
    store_.define(to, store_.formals(from), new_body);
    const uint32_t items[] = {to.value};
    script_.set_items(script_.commands[at], items);
    changes.push_back({at, from, to});
  };
  replace_function(command, old, body);
  for (uint32_t i = command + 1; i < script_.commands.size(); ++i) {
    Command& later = script_.commands[i];
    if (ir::has_term_items(later.kind)) {
      const auto view = script_.items(later);
      std::vector<uint32_t> items(view.begin(), view.end());
      for (uint32_t& item : items) {
        for (const Change& change : changes) {
          item = with_callee(TermId{item}, change.from, change.to).value;
        }
      }
      script_.set_items(later, items);
    }
    TermId root = root_of(later);
    if (!root.valid()) continue;
    const TermId before = root;
    for (const Change& change : changes) root = with_callee(root, change.from, change.to);
    if (root == before) continue;
    if (later.kind == CommandKind::kDefineFun) {
      replace_function(i, FunId{script_.items(later)[0]}, root);
    } else {
      later.term = root;
    }
  }
  index(*expressions_, targets_);
  return true;
}

bool Draft::can_redefine(FunId fun) {
  walker_.restart();
  const auto names_it = [&](TermId term) {
    const Op op = store_.op(term);
    if (op == Op::kFunRef) return store_.callee(term) == fun;
    if (op <= Op::kUnknownText) return false;
    if (store_.payload(term) == 0) return false;
    const auto& signatures = store_.ops().info(op).signatures;
    return !signatures.empty() && signatures[0].symbolic_index;
  };
  for (const Command& command : script_.commands) {
    // A recursive definition might call it.
    if (command.kind == CommandKind::kDefineFunRec || command.kind == CommandKind::kDefineFunsRec ||
        command.kind == CommandKind::kDefineConst) {
      return false;
    }
    const TermId root = root_of(command);
    if (!root.valid()) continue;
    if (store_.has(root, ir::kHasNamed) || walker_.find(root, names_it)) return false;
  }
  return true;
}

TermId Draft::with_callee(TermId root, FunId from, FunId to) {
  std::unordered_map<uint32_t, TermId> done;
  std::vector<TermId> order;
  walker_.restart();
  walker_.walk(root, [&](TermId term) { order.push_back(term); });
  for (const TermId term : order) {
    const bool calls = store_.op(term) == Op::kCall && store_.callee(term) == from;
    const auto old = store_.args(term);
    args_.assign(old.begin(), old.end());
    bool changed = calls;
    for (TermId& arg : args_) {
      const auto other = done.find(arg.value);
      if (other == done.end()) continue;
      arg = other->second;
      changed = true;
    }
    if (!changed) continue;
    const uint32_t payload = calls ? to.value : store_.payload(term);
    done[term.value] = store_.make(store_.op(term), store_.sort(term), payload, args_);
  }
  const auto result = done.find(root.value);
  return result == done.end() ? root : result->second;
}

}  // namespace elenchus::mutate
