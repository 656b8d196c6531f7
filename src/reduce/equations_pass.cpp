// Equations that say what something is. Where x = t is asserted, t takes the place of x and the
// equation goes; x may be any constant without a definition, so that another constant or a value
// is put in its place, and where a formula p is asserted, true. Where (store a i v) equals a, the
// array is read instead: (select a i) equals v.
//
// Comes when nothing else succeeds. A value in the place of a name hides what a bug needs as often
// as it shows it, so that what the other passes found is never given up for it.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/apply.h"
#include "ir/script_parts.h"
#include "ir/walk.h"
#include "reduce/passes.h"
#include "reduce/replacements.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::TermId;

class EquationsPass {
 public:
  explicit EquationsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    while (!session_.stopped() && put_in_place()) continue;
    read_what_is_stored();
  }

 private:
  // Asserted by a command, as a whole or as a part of a conjunction.
  struct Equation {
    TermId name;
    TermId value;
    size_t command = 0;
    std::optional<uint32_t> conjunct = {};
  };

  const std::vector<Command>& commands() const { return session_.best().commands; }

  // --- Values in the place of names. ---

  bool put_in_place() {
    const std::vector<Equation> found = equations();
    session_.pin();
    size_t foreseen = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      for (; foreseen < std::min(found.size(), i + session_.ahead()); ++foreseen) {
        session_.foresee(without(found[foreseen]));
      }
      if (session_.offer(without(found[i]))) return true;
    }
    return false;
  }

  std::vector<Equation> equations() {
    std::vector<Equation> found;
    for (size_t i = 0; i < commands().size(); ++i) {
      if (commands()[i].kind != CommandKind::kAssert) continue;
      const TermId asserted = commands()[i].term;
      add(asserted, i, {}, found);
      if (store_.op(asserted) != Op::kAnd) continue;
      const auto span = store_.args(asserted);
      const std::vector<TermId> conjuncts(span.begin(), span.end());
      for (uint32_t k = 0; k < conjuncts.size(); ++k) add(conjuncts[k], i, k, found);
    }
    return found;
  }

  void add(TermId claim, size_t command, std::optional<uint32_t> conjunct,
           std::vector<Equation>& found) {
    const auto add_if_name = [&](TermId name, TermId value) {
      if (can_become(name, value)) found.push_back({name, value, command, conjunct});
    };
    const auto span = store_.args(claim);
    const std::vector<TermId> args(span.begin(), span.end());
    if (store_.op(claim) == Op::kEq && args.size() == 2) {
      add_if_name(args[0], args[1]);
      add_if_name(args[1], args[0]);
    } else if (store_.op(claim) == Op::kNot) {
      add_if_name(args[0], truth(false));
    } else {
      add_if_name(claim, truth(true));
    }
  }

  TermId truth(bool value) { return ir::apply(store_, value ? Op::kTrue : Op::kFalse, {}); }

  bool can_become(TermId name, TermId value) const {
    const bool is_constant = store_.op(name) == Op::kCall && store_.args(name).empty() &&
                             store_.fun(store_.callee(name)).kind == ir::FunKind::kDeclared;
    if (!is_constant || store_.sort(name) != store_.sort(value)) return false;
    if (store_.has(value, ir::kHasVariables) || store_.has(value, ir::kHasNamed)) return false;
    ir::Walker walker(store_);
    return !walker.find(value, [&](TermId part) { return part == name; });
  }

  ir::Script without(const Equation& equation) {
    ir::Script rest = session_.best();
    const auto at = rest.commands.begin() + static_cast<ptrdiff_t>(equation.command);
    if (equation.conjunct) {
      at->term = without(at->term, *equation.conjunct);
    } else {
      rest.commands.erase(at);
    }
    return rewrite(store_, rest, Change{{{equation.name, equation.value}}});
  }

  TermId without(TermId conjunction, uint32_t dropped) {
    const auto span = store_.args(conjunction);
    std::vector<TermId> rest(span.begin(), span.end());
    rest.erase(rest.begin() + dropped);
    return rest.size() == 1 ? rest[0] : ir::apply(store_, Op::kAnd, rest);
  }

  // --- Arrays that are what is stored in them. ---

  void read_what_is_stored() {
    std::vector<std::pair<TermId, TermId>> items;
    ir::Walker walker(store_);
    for (const Command& command : commands()) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        walker.walk(root, [&](TermId term) {
          if (is_equation_of_store(term)) items.emplace_back(term, TermId{});
        });
      });
    }
    for (auto& [term, read] : items) read = read_of(term);
    session_.pin();
    make_replacements(session_, items);
  }

  bool is_equation_of_store(TermId term) const {
    if (store_.op(term) != Op::kEq || store_.args(term).size() != 2) return false;
    return is_stored_into(store_.args(term)[0], store_.args(term)[1]) ||
           is_stored_into(store_.args(term)[1], store_.args(term)[0]);
  }

  bool is_stored_into(TermId stored, TermId array) const {
    return store_.op(stored) == Op::kStore && store_.args(stored)[0] == array;
  }

  // Of (= (store a i v) a): (= (select a i) v); for a Boolean v, a formula without an equation.
  TermId read_of(TermId equation) {
    const auto sides = store_.args(equation);
    const TermId stored = is_stored_into(sides[0], sides[1]) ? sides[0] : sides[1];
    const TermId place[] = {store_.args(stored)[0], store_.args(stored)[1]};
    const TermId value = store_.args(stored)[2];
    const TermId read[] = {ir::apply(store_, Op::kSelect, place), value};
    if (store_.op(value) == Op::kTrue) return read[0];
    if (store_.op(value) == Op::kFalse) return ir::apply(store_, Op::kNot, {read, 1});
    return ir::apply(store_, Op::kEq, read);
  }

  Session& session_;
  ir::TermStore& store_;
};

}  // namespace

void reduce_equations(Session& session) { EquationsPass(session).run(); }

}  // namespace elenchus::reduce
