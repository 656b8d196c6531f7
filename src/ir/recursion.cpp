// Whether recursive definitions have a solution. Where calls are the last thing that is done, they
// have one, terminating or not: from any arguments one call leads to the next, and where that never
// ends, all on the way may have any one value. Else by the simplest of termination arguments: one
// parameter, the same for all functions of a group, becomes smaller with each call, in an order
// without infinite descent. Conditions on the way to a call (ite, match) give the facts that this
// needs. What cannot be shown so counts as doubtful; that costs verdicts, never truth.
#include "ir/recursion.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/functions.h"

namespace elenchus::ir {
namespace {

// How a parameter becomes smaller.
enum class Order : uint8_t { kParts, kDown, kUp };

// What a condition on the way to a call says. Facts of a path are a list from its end.
struct Fact {
  enum class Kind : uint8_t { kAtLeast, kAtMost, kIs, kIsNot, kPart } kind;
  TermId term;
  uint32_t other = 0;  // kIs, kIsNot: a constructor; kPart: the term that it is a part of
  size_t before = 0;   // the fact before it, by its place from 1 on; 0: none
};

class GroupCheck {
 public:
  GroupCheck(const TermStore& store, std::span<const uint32_t> group)
      : store_(store), group_(group) {}

  bool is_plain() {
    const size_t params = store_.fun(FunId{group_[0]}).param_count;
    if (std::none_of(group_.begin(), group_.end(), [&](uint32_t fun) { return calls(fun); })) {
      return true;
    }
    if (std::all_of(group_.begin(), group_.end(), [&](uint32_t fun) { return calls_last(fun); })) {
      return true;
    }
    for (size_t i = 0; i < params; ++i) {
      for (const Order order : {Order::kParts, Order::kDown, Order::kUp}) {
        if (decreases(i, order)) return true;
      }
    }
    return false;
  }

 private:
  // Paths of a body that are followed; a shared term has many.
  static constexpr size_t kMostSteps = 20'000;

  struct Place {
    TermId term;
    size_t facts;
  };

  bool is_in_group(uint32_t fun) const {
    return std::find(group_.begin(), group_.end(), fun) != group_.end();
  }

  // Whether the term names a function of the group, in a call, as a value or as an index.
  bool names_group(TermId term) const {
    return names_function(store_, term, [&](FunId fun) { return is_in_group(fun.value); });
  }

  // Whether the body may name a function of the group.
  bool calls(uint32_t fun) {
    return !follow(store_.fun(FunId{fun}).body,
                   [&](TermId term, size_t) { return !names_group(term); });
  }

  // Whether every branch of the body is a call of the group, or has nothing to do with it.
  bool calls_last(uint32_t fun) {
    const TermId body = store_.fun(FunId{fun}).body;
    if (!body.valid()) return false;
    Walker walker(store_);
    const auto is_free = [&](TermId root) {
      return !any_function_in(store_, walker, root,
                              [&](FunId named) { return is_in_group(named.value); });
    };
    std::vector<TermId> open = {body};
    for (size_t steps = 0; !open.empty(); ++steps) {
      if (steps == kMostSteps) return false;
      const TermId term = open.back();
      open.pop_back();
      const auto args = store_.args(term);
      switch (store_.op(term)) {
        case Op::kIte:
          if (!is_free(args[0])) return false;
          open.insert(open.end(), {args[1], args[2]});
          break;
        case Op::kMatch:
          if (!is_free(args[0])) return false;
          for (const TermId branch : args.subspan(1)) open.push_back(store_.args(branch).back());
          break;
        default:
          if (store_.op(term) == Op::kCall && is_in_group(store_.callee(term).value)) {
            if (!std::all_of(args.begin(), args.end(), is_free)) return false;
          } else if (!is_free(term)) {
            return false;
          }
      }
    }
    return true;
  }

  bool decreases(size_t param, Order order) {
    return std::all_of(group_.begin(), group_.end(), [&](uint32_t fun) {
      const auto formals = store_.formals(FunId{fun});
      if (formals.size() <= param) return false;
      return follow(store_.fun(FunId{fun}).body, [&](TermId term, size_t facts) {
        if (!names_group(term)) return true;
        if (store_.op(term) != Op::kCall) return false;
        return store_.args(term).size() > param &&
               is_smaller(store_.args(term)[param], formals[param], order, facts);
      });
    });
  }

  // Visits every term of the body with the facts on its path, until `visit` says false; false then,
  // and when there are too many.
  template <typename Visit>
  bool follow(TermId body, Visit visit) {
    if (!body.valid()) return false;
    facts_.clear();
    std::vector<Place> open = {{body, 0}};
    for (size_t steps = 0; !open.empty(); ++steps) {
      if (steps == kMostSteps) return false;
      const Place place = open.back();
      open.pop_back();
      if (!visit(place.term, place.facts)) return false;
      const auto args = store_.args(place.term);
      switch (store_.op(place.term)) {
        case Op::kIte:
          open.push_back({args[0], place.facts});
          open.push_back({args[1], with_condition(args[0], true, place.facts)});
          open.push_back({args[2], with_condition(args[0], false, place.facts)});
          break;
        case Op::kMatch:
          open.push_back({args[0], place.facts});
          for (const TermId branch : args.subspan(1)) {
            open.push_back({store_.args(branch).back(), with_case(args[0], branch, place.facts)});
          }
          break;
        default:
          for (const TermId arg : args) open.push_back({arg, place.facts});
      }
    }
    return true;
  }

  // --- Facts. ---

  size_t with(Fact fact, size_t before) {
    fact.before = before;
    facts_.push_back(fact);
    return facts_.size();
  }

  size_t with_case(TermId scrutinee, TermId branch, size_t facts) {
    const FunId constructor{store_.payload(branch)};
    if (!constructor.valid()) return facts;
    facts = with({Fact::Kind::kIs, scrutinee, constructor.value}, facts);
    if (store_.datatype(store_.fun(constructor).datatype).is_codatatype) return facts;
    for (const TermId variable : store_.bound_variables(branch)) {
      facts = with({Fact::Kind::kPart, variable, scrutinee.value}, facts);
    }
    return facts;
  }

  size_t with_condition(TermId condition, bool holds, size_t facts) {
    std::vector<std::pair<TermId, bool>> open = {{condition, holds}};
    for (size_t steps = 0; !open.empty() && steps < kMostSteps; ++steps) {
      const auto [term, is_true] = open.back();
      open.pop_back();
      const auto args = store_.args(term);
      const Op op = store_.op(term);
      if (op == Op::kNot) {
        open.emplace_back(args[0], !is_true);
      } else if (op == (is_true ? Op::kAnd : Op::kOr)) {
        for (const TermId arg : args) open.emplace_back(arg, is_true);
      } else if (op == Op::kIs) {
        facts =
            with({is_true ? Fact::Kind::kIs : Fact::Kind::kIsNot, args[0], store_.indices(term)[0]},
                 facts);
      } else if (args.size() == 2 && store_.sort(args[0]) == kIntSort) {
        facts = with_comparison(op, is_true, args[0], args[1], facts);
      }
    }
    return facts;
  }

  size_t with_comparison(Op op, bool is_true, TermId left, TermId right, size_t facts) {
    const bool is_greater = op == Op::kGt || op == Op::kGe;
    if (!is_greater && op != Op::kLt && op != Op::kLe) return facts;
    // (not (< a b)) is (>= a b).
    const bool left_is_above = is_greater == is_true;
    if (sign_of(right)) {
      facts = with({left_is_above ? Fact::Kind::kAtLeast : Fact::Kind::kAtMost, left}, facts);
    }
    if (sign_of(left)) {
      facts = with({left_is_above ? Fact::Kind::kAtMost : Fact::Kind::kAtLeast, right}, facts);
    }
    return facts;
  }

  template <typename Wanted>
  bool any_fact(size_t facts, Wanted wanted) const {
    for (; facts != 0; facts = facts_[facts - 1].before) {
      if (wanted(facts_[facts - 1])) return true;
    }
    return false;
  }

  // --- Smaller. ---

  // The sign of an integer that is written out; nothing for other terms.
  std::optional<int> sign_of(TermId term) const {
    int sign = 1;
    if (store_.op(term) == Op::kNeg) {
      sign = -1;
      term = store_.args(term)[0];
    }
    if (store_.op(term) != Op::kIntLiteral) return {};
    const std::string_view text = store_.literal_text(term);
    if (text == "0") return 0;
    return text.starts_with("-") ? -sign : sign;
  }

  bool is_smaller(TermId arg, TermId param, Order order, size_t facts) const {
    if (order == Order::kParts) return is_part(arg, param, facts);
    if (store_.sort(param) != kIntSort) return false;
    const auto args = store_.args(arg);
    const Op op = store_.op(arg);
    if (args.size() != 2 || (op != Op::kAdd && op != Op::kSub)) return false;
    const bool is_first = args[0] == param;
    if (!is_first && (op == Op::kSub || args[1] != param)) return false;
    const auto step = sign_of(args[is_first ? 1 : 0]);
    if (!step) return false;
    const int direction = op == Op::kSub ? -*step : *step;
    const auto bound = order == Order::kDown ? Fact::Kind::kAtLeast : Fact::Kind::kAtMost;
    return direction == (order == Order::kDown ? -1 : 1) && any_fact(facts, [&](const Fact& fact) {
             return fact.kind == bound && fact.term == param;
           });
  }

  // Whether a term is a proper part of another: what a match took out of it, or what a selector
  // gives of a term that has its constructor.
  bool is_part(TermId term, TermId whole, size_t facts) const {
    constexpr size_t kDeepest = 100;
    for (size_t depth = 0; depth < kDeepest; ++depth) {
      const auto above = part_of(term, facts);
      if (!above) return false;
      if (*above == whole) return true;
      term = *above;
    }
    return false;
  }

  std::optional<TermId> part_of(TermId term, size_t facts) const {
    std::optional<TermId> above;
    if (store_.op(term) == Op::kVar) {
      any_fact(facts, [&](const Fact& fact) {
        if (fact.kind != Fact::Kind::kPart || fact.term != term) return false;
        above = TermId{fact.other};
        return true;
      });
      return above;
    }
    if (store_.op(term) != Op::kCall) return {};
    const FunDecl& selector = store_.fun(store_.callee(term));
    if (selector.kind != FunKind::kSelector) return {};
    const Datatype& datatype = store_.datatype(selector.datatype);
    if (datatype.is_codatatype) return {};
    const TermId argument = store_.args(term)[0];
    if (!has_constructor(argument, datatype, selector.constructor, facts)) return {};
    return argument;
  }

  // Because a condition says so, or because it excludes all others.
  bool has_constructor(TermId term, const Datatype& datatype, uint32_t wanted, size_t facts) const {
    const auto says = [&](Fact::Kind kind, const Constructor& constructor) {
      return any_fact(facts, [&](const Fact& fact) {
        return fact.kind == kind && fact.term == term && fact.other == constructor.fun.value;
      });
    };
    const Constructor& own = datatype.constructors[wanted];
    return says(Fact::Kind::kIs, own) ||
           std::all_of(datatype.constructors.begin(), datatype.constructors.end(),
                       [&](const Constructor& other) {
                         return other.fun == own.fun || says(Fact::Kind::kIsNot, other);
                       });
  }

  const TermStore& store_;
  std::span<const uint32_t> group_;
  std::vector<Fact> facts_;
};

}  // namespace

std::optional<size_t> doubtful_recursion(const TermStore& store, const Script& script) {
  for (size_t i = 0; i < script.commands.size(); ++i) {
    const Command& command = script.commands[i];
    if (command.kind != CommandKind::kDefineFunRec && command.kind != CommandKind::kDefineFunsRec) {
      continue;
    }
    const auto group = script.items(command);
    if (!group.empty() && !GroupCheck(store, group).is_plain()) return i;
  }
  return {};
}

}  // namespace elenchus::ir
