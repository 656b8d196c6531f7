#include "mutate/draft.h"

#include <algorithm>
#include <unordered_map>

#include "ir/apply.h"
#include "ir/measure.h"
#include "ir/rewriter.h"
#include "ir/settings.h"
#include "ir/substitute.h"
#include "ir/walk.h"
#include "mutate/admission.h"
#include "mutate/flat.h"

namespace elenchus::mutate {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

namespace {

// Who takes the term with other arguments. What it does already is none of our business.
uint16_t readers_after(const ir::TermStore& store, const ir::Logic& logic, TermId term,
                       std::span<const TermId> args) {
  const Op op = store.op(term);
  const auto old = store.args(term);
  if (op <= Op::kUnknownText || std::equal(args.begin(), args.end(), old.begin(), old.end())) {
    return kAnyone;
  }
  const uint16_t now = readers_of_application(store, logic, op, args);
  const bool is_news = now != kAnyone && now != readers_of_application(store, logic, op, old);
  return is_news ? now : uint16_t{kAnyone};
}

}  // namespace

// What definitions have become.
struct Draft::Callees : ir::RewriteHooks {
  std::unordered_map<uint32_t, FunId> changed;

  FunId function(FunId fun) const {
    const auto found = changed.find(fun.value);
    return found == changed.end() ? fun : found->second;
  }
};

// A term replaced wherever it stands.
struct Draft::Everywhere : ir::RewriteHooks {
  static constexpr uint32_t kMostTerms = 5'000;

  ir::TermStore& store;
  Expressions& expressions;
  const ir::Logic& logic;
  TermId from;
  TermId to;
  uint16_t readers;
  uint32_t terms = 0;

  Everywhere(ir::TermStore& its_store, Expressions& its_expressions, const ir::Logic& its_logic,
             TermId its_from, TermId its_to, uint16_t its_readers)
      : store(its_store),
        expressions(its_expressions),
        logic(its_logic),
        from(its_from),
        to(its_to),
        readers(its_readers) {}

  TermId before(uint32_t /*environment*/, TermId term) {
    if (term == from) return to;
    return expressions.facts(term).is_open ? TermId{} : term;
  }
  TermId after(TermId term, std::span<const TermId> args) {
    ++terms;
    readers &= readers_after(store, logic, term, args);
    return {};
  }
  bool is_stopped() const { return terms > kMostTerms || readers == 0; }
};

bool is_for_seeds_only(const ir::TermStore& store, const Command& command) {
  if (command.kind == CommandKind::kGetValue || ir::sets_status(store, command)) return true;
  const std::string_view name = ir::text_command_name(store, command);
  return name.starts_with("get-") || name == "echo" || name == "eval";
}

Draft::Draft(ir::TermStore& store, const ir::Script& seed) : store_(store), script_(seed) {
  script_.warnings.clear();
  std::erase_if(script_.commands,
                [&](const Command& command) { return is_for_seeds_only(store, command); });
}

void Draft::index(Expressions& expressions, Expressions::Targets targets) {
  expressions_ = &expressions;
  targets_ = targets;
  ++indexed_;
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
  find(rng.below(places_), rng, place);
  return true;
}

void Draft::find(uint64_t number, base::Rng& rng, Place& place) {
  uint64_t draw = number;
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
    readers &= readers_after(store_, logic, ancestor, args_);
    if (readers == 0) return {};
    result = ir::with_args(store_, ancestor, args_);
  }
  return result;
}

TermId Draft::rebuild_all(const Place& place, TermId replacement, const ir::Logic& logic,
                          uint16_t& readers) {
  const TermId root = root_of(script_.commands[place.command]);
  Everywhere hooks(store_, *expressions_, logic, place.term, replacement, readers);
  ir::Rewriter<ir::SparseMemo> rewriter(store_);
  const TermId result = rewriter.rewrite(root, hooks);
  readers = hooks.readers;
  return hooks.is_stopped() ? TermId{} : result;
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

void Draft::set_logic(std::string_view name) { mutate::set_logic(store_, script_, name); }

Draft::Saved Draft::saved() const { return {script_, entries_, places_, size_, indexed_}; }

void Draft::go_back(const Saved& saved) {
  script_ = saved.script;
  // Definitions have become others meanwhile.
  if (saved.indexed != indexed_) return index(*expressions_, targets_);
  entries_ = saved.entries;
  places_ = saved.places;
  size_ = saved.size;
}

// --- Definitions. ---

// A definition cannot be changed in place: earlier mutants refer to it. The changed one is another
// function of the same name, and everything that calls the old one is made to call it, which may
// change further definitions. Recursive ones are left alone, with all that they call.
bool Draft::redefine(uint32_t command, TermId body) {
  if (!can_redefine(FunId{script_.items(script_.commands[command])[0]})) return false;
  Callees callees;
  ir::Rewriter<> rewriter(store_);
  replace_function(command, body, callees);
  for (uint32_t i = command + 1; i < script_.commands.size(); ++i) {
    Command& later = script_.commands[i];
    if (ir::has_term_items(later.kind)) {
      const auto view = script_.items(later);
      std::vector<uint32_t> items(view.begin(), view.end());
      for (uint32_t& item : items) item = rewriter.rewrite(TermId{item}, callees).value;
      script_.set_items(later, items);
    }
    const TermId before = root_of(later);
    if (!before.valid()) continue;
    const TermId root = rewriter.rewrite(before, callees);
    if (root == before) continue;
    if (later.kind == CommandKind::kDefineFun) {
      replace_function(i, root, callees);
    } else {
      later.term = root;
    }
  }
  rewritten_ += rewriter.rebuilt();
  index(*expressions_, targets_);
  return true;
}

void Draft::replace_function(uint32_t command, TermId body, Callees& callees) {
  const FunId from{script_.items(script_.commands[command])[0]};
  const ir::FunDecl decl = store_.fun(from);
  const FunId to = store_.declare(decl.name, decl.kind, store_.params(from), decl.result);
  store_.define(to, store_.formals(from), body);
  const uint32_t items[] = {to.value};
  script_.set_items(script_.commands[command], items);
  callees.changed.emplace(from.value, to);
}

bool Draft::can_redefine(FunId fun) const {
  ir::Walker walker(store_);
  const auto may_name_it = [&](TermId term) {
    const bool is_it = store_.op(term) == Op::kFunRef && store_.callee(term) == fun;
    return is_it || ir::has_function_indices(store_, term);
  };
  for (const Command& command : script_.commands) {
    // A recursive definition might call it.
    if (command.kind == CommandKind::kDefineFunRec || command.kind == CommandKind::kDefineFunsRec ||
        command.kind == CommandKind::kDefineConst) {
      return false;
    }
    const TermId root = root_of(command);
    if (!root.valid()) continue;
    if (store_.has(root, ir::kHasNamed) || walker.find(root, may_name_it)) return false;
  }
  return true;
}

}  // namespace elenchus::mutate
