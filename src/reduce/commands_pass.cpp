// Drops commands. Whole levels of push and pop go first, then assertions, conjunctions taken apart,
// then what is neither a declaration nor needed for one. A candidate without any check is never
// offered (Session), nor one whose levels no longer fit the declarations.
#include <functional>
#include <optional>
#include <unordered_set>

#include "ir/script_parts.h"
#include "ir/timeline.h"
#include "reduce/ddmin.h"
#include "reduce/passes.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;

// Groups of commands that go together, as positions in a script.
using Groups = std::vector<std::vector<uint32_t>>;

class CommandsPass {
 public:
  explicit CommandsPass(Session& session) : session_(session) {}

  void run() {
    drop(everything_after_the_first_check());
    drop_all_levels();
    drop(blocks());
    split_conjunctions();
    drop(single([](const Command& c) { return ir::has_term(c.kind); }));
    drop(single([](const Command& c) { return is_other(c.kind); }));
    drop(level_markers());
    drop(unused_declarations());
    simplify_checks();
    drop_items();
  }

 private:
  static bool is_other(CommandKind kind) {
    return !ir::has_term(kind) && !is_declaration(kind) && kind != CommandKind::kPush &&
           kind != CommandKind::kPop && kind != CommandKind::kSetLogic;
  }

  const std::vector<Command>& commands() const { return session_.best().commands; }

  // Tries to do without the groups.
  void drop(const Groups& groups) {
    const ir::Script base = session_.best();
    std::vector<bool> dropped(base.commands.size(), false);
    const auto also_dropped = [&](std::span<const uint32_t> chosen) {
      std::vector<bool> without = dropped;
      for (const uint32_t group : chosen) {
        for (const uint32_t i : groups[group]) without[i] = true;
      }
      return without;
    };
    const auto rest = [&](const std::vector<bool>& without) {
      ir::Script candidate = base;
      candidate.commands.clear();
      for (size_t i = 0; i < without.size(); ++i) {
        if (!without[i]) candidate.commands.push_back(base.commands[i]);
      }
      return candidate;
    };
    minimize(
        groups.size(),
        [&](std::span<const uint32_t> chosen) {
          std::vector<bool> without = also_dropped(chosen);
          if (!session_.offer(rest(without))) return false;
          dropped = std::move(without);
          return true;
        },
        session_.ahead(),
        [&](std::span<const uint32_t> chosen) { session_.foresee(rest(also_dropped(chosen))); });
  }

  Groups single(const std::function<bool(const Command&)>& wanted) const {
    Groups groups;
    for (uint32_t i = 0; i < commands().size(); ++i) {
      if (wanted(commands()[i])) groups.push_back({i});
    }
    return groups;
  }

  Groups everything_after_the_first_check() const {
    std::vector<uint32_t> rest;
    bool checked = false;
    for (uint32_t i = 0; i < commands().size(); ++i) {
      if (checked) rest.push_back(i);
      checked = checked || ir::is_check(commands()[i].kind);
    }
    return rest.empty() ? Groups{} : Groups{rest};
  }

  Groups unused_declarations() {
    Groups groups;
    for (const uint32_t i : session_.unused(session_.best())) groups.push_back({i});
    return groups;
  }

  // --- Levels. ---

  void drop_all_levels() {
    std::vector<uint32_t> markers;
    for (uint32_t i = 0; i < commands().size(); ++i) {
      const CommandKind kind = commands()[i].kind;
      if (kind == CommandKind::kPush || kind == CommandKind::kPop) markers.push_back(i);
    }
    if (!markers.empty()) drop({markers});
  }

  // Each push of a single level with the pop of it alone, or without one when there is none.
  std::vector<std::pair<uint32_t, std::optional<uint32_t>>> levels() const {
    std::vector<std::pair<uint32_t, std::optional<uint32_t>>> found;
    std::vector<size_t> place(commands().size());  // by push: in `found`
    const ir::Timeline timeline(session_.store(), session_.best());
    for (uint32_t i = 0; i < commands().size(); ++i) {
      const Command& command = commands()[i];
      if (command.number != 1) continue;
      if (command.kind == CommandKind::kPush) {
        place[i] = found.size();
        found.emplace_back(i, std::nullopt);
      }
      const uint32_t push = timeline.opener(i);
      if (push != ir::Timeline::kNever && commands()[push].number == 1) {
        found[place[push]].second = i;
      }
    }
    return found;
  }

  // Levels with all that is in them, outermost ones only.
  Groups blocks() const {
    Groups groups;
    uint32_t next = 0;
    for (const auto& [push, pop] : levels()) {
      if (push < next || !pop) continue;
      groups.emplace_back();
      for (uint32_t i = push; i <= *pop; ++i) groups.back().push_back(i);
      next = *pop + 1;
    }
    return groups;
  }

  Groups level_markers() const {
    Groups groups;
    for (const auto& [push, pop] : levels()) {
      groups.push_back({push});
      if (pop) groups.back().push_back(*pop);
    }
    return groups;
  }

  // --- Assertions. ---

  // (assert (and a b)) as (assert a) (assert b), so that each can go by itself. All at once, which
  // is mostly right, or else one by one.
  void split_conjunctions() {
    if (offer_split([](uint32_t) { return true; })) return;
    for (uint32_t i = 0; i < commands().size(); ++i) {
      offer_split([i](uint32_t position) { return position == i; });
    }
  }

  // Offers the script with these assertions taken apart, as far as they are conjunctions.
  bool offer_split(const std::function<bool(uint32_t)>& wanted) {
    const ir::TermStore& store = session_.store();
    ir::Script candidate = session_.best();
    candidate.commands.clear();
    for (uint32_t i = 0; i < commands().size(); ++i) {
      const Command& command = commands()[i];
      if (command.kind != CommandKind::kAssert || !wanted(i)) {
        candidate.commands.push_back(command);
        continue;
      }
      for (const ir::TermId conjunct : conjuncts(store, command.term)) {
        candidate.commands.push_back(command);
        candidate.commands.back().term = conjunct;
      }
    }
    if (candidate.commands.size() == commands().size()) return false;
    return session_.offer(std::move(candidate));
  }

  // Shared ones once: nested conjunctions may have exponentially many.
  static std::vector<ir::TermId> conjuncts(const ir::TermStore& store, ir::TermId term) {
    std::vector<ir::TermId> found;
    std::vector<ir::TermId> open = {term};
    std::unordered_set<uint32_t> seen;
    while (!open.empty()) {
      const ir::TermId next = open.back();
      open.pop_back();
      if (!seen.insert(next.value).second) continue;
      if (store.op(next) != ir::Op::kAnd) {
        found.push_back(next);
        continue;
      }
      const auto args = store.args(next);
      open.insert(open.end(), args.rbegin(), args.rend());
    }
    return found;
  }

  // --- Checks and lists. ---

  // (check-sat-assuming (a b)) as (assert a) (assert b) (check-sat); (check-sat-using t) as
  // (check-sat).
  void simplify_checks() {
    for (uint32_t i = 0; i < commands().size(); ++i) {
      const Command command = commands()[i];
      if (command.kind != CommandKind::kCheckSatAssuming &&
          command.kind != CommandKind::kCheckSatUsing) {
        continue;
      }
      ir::Script candidate = session_.best();
      auto at = candidate.commands.erase(candidate.commands.begin() + i);
      Command check;
      check.kind = CommandKind::kCheckSat;
      check.where = command.where;
      at = candidate.commands.insert(at, check);
      if (command.kind == CommandKind::kCheckSatAssuming) {
        std::vector<Command> assertions;
        for (const uint32_t item : session_.best().items(command)) {
          Command assertion;
          assertion.kind = CommandKind::kAssert;
          assertion.where = command.where;
          assertion.term = ir::TermId{item};
          assertions.push_back(assertion);
        }
        candidate.commands.insert(at, assertions.begin(), assertions.end());
      }
      session_.offer(std::move(candidate));
    }
  }

  // Fewer assumptions, fewer terms in get-value.
  void drop_items() {
    for (size_t i = 0; i < commands().size(); ++i) {
      if (!ir::has_term_items(commands()[i].kind)) continue;
      const auto span = session_.best().items(commands()[i]);
      std::vector<uint32_t> items(span.begin(), span.end());
      minimize(items.size(), [&](std::span<const uint32_t> chosen) {
        if (i >= commands().size() || !ir::has_term_items(commands()[i].kind)) return false;
        std::vector<uint32_t> rest;
        for (uint32_t k = 0; k < items.size(); ++k) {
          const bool gone =
              items[k] == 0 || std::find(chosen.begin(), chosen.end(), k) != chosen.end();
          if (!gone) rest.push_back(items[k]);
        }
        if (rest.empty()) return false;
        ir::Script candidate = session_.best();
        const size_t before = candidate.commands.size();
        candidate.set_items(candidate.commands[i], rest);
        if (!session_.offer(std::move(candidate))) return false;
        for (const uint32_t k : chosen) items[k] = 0;
        // Declarations before it may be gone.
        i -= before - commands().size();
        return true;
      });
    }
  }

  Session& session_;
};

}  // namespace

void reduce_commands(Session& session) { CommandsPass(session).run(); }

}  // namespace elenchus::reduce
