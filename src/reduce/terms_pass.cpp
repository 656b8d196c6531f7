// Reduces terms level by level, from the roots of the script down: what is found unnecessary near a
// root takes everything below it along. On each level, first all terms at once become values of
// their sort, then halves of them and so on (hierarchical delta debugging); then each remaining
// term is shrunk by itself: by something below it of the same sort, with fewer arguments or
// variables, by a constant of the script or a new one.
//
// A replacement is made wherever the term occurs: `let` and repetition are sharing, and what is
// shared is mostly shared for a reason. Arguments that occur elsewhere too are then tried one by
// one.
#include <algorithm>
#include <unordered_set>

#include "ir/apply.h"
#include "ir/fresh_name.h"
#include "ir/script_parts.h"
#include "ir/substitute.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "reduce/ddmin.h"
#include "reduce/passes.h"
#include "reduce/replacements.h"
#include "reduce/values.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::SortId;
using ir::TermId;

class TermsPass {
 public:
  explicit TermsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    for (uint32_t depth = 0; !session_.stopped(); ++depth) {
      look();
      if (depth + 1 >= levels_.size()) return;
      const std::vector<TermId> targets(order_.begin() + levels_[depth],
                                        order_.begin() + levels_[depth + 1]);
      reduce_to_values(targets, 0);
      reduce_to_values(targets, 1);
      for (const TermId target : targets) shrink(target);
    }
  }

 private:
  // How many terms below a term are tried in its place, and how many are looked at to find them.
  static constexpr size_t kNearest = 6;
  static constexpr size_t kLookedAt = 2000;
  static constexpr size_t kConstants = 2;
  static constexpr uint32_t kDeep = 12;

  // --- The script as it is. ---

  // Terms by their distance from the roots, if the best script is another than last time.
  void look() {
    if (looked_at_ == session_.accepted() && !levels_.empty()) return;
    looked_at_ = session_.accepted();
    for (const TermId term : order_) uses_[term.value] = 0;
    order_.clear();
    levels_ = {0};
    uses_.resize(std::max<size_t>(uses_.size(), store_.term_count()), 0);
    is_root_.assign(store_.term_count(), false);
    for (const Command& command : session_.best().commands) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        if (command.kind == CommandKind::kAssert) is_root_[root.value] = true;
        use(root);
      });
    }
    free_what_is_taken_back();
    while (levels_.back() < order_.size()) {
      const size_t begin = levels_.back();
      const size_t end = order_.size();
      levels_.push_back(static_cast<uint32_t>(end));
      for (size_t i = begin; i < end; ++i) {
        const TermId term = order_[i];
        const auto [first, last] = ir::proper_args(store_, term);
        for (uint32_t k = first; k < last; ++k) use(store_.args(term)[k]);
        if (is_named_call(store_, term)) use(store_.fun(store_.callee(term)).body);
      }
    }
    constants_.clear();
    for (const Command& command : session_.best().commands) {
      if (!ir::declares_open_function(command.kind)) continue;
      const TermId constant = store_.fun(ir::FunId{session_.best().items(command)[0]}).constant;
      if (constant.valid()) constants_.push_back(constant);
    }
  }

  // What no check asks for any more may matter all the same, but hardly what it says.
  void free_what_is_taken_back() {
    const ir::Script& script = session_.best();
    const auto takes_back = [](const Command& command) {
      return command.kind == CommandKind::kPop || command.kind == CommandKind::kReset ||
             command.kind == CommandKind::kResetAssertions;
    };
    if (std::none_of(script.commands.begin(), script.commands.end(), takes_back)) return;
    is_root_.assign(is_root_.size(), false);
    const ir::Timeline timeline(store_, script);
    for (const size_t check : ir::checks_of(script)) {
      for (const ir::Claim& claim : timeline.claims(script, check)) {
        is_root_[claim.term.value] = true;
      }
    }
  }

  void use(TermId term) {
    if (uses_[term.value]++ == 0) order_.push_back(term);
  }

  bool is_present(TermId term) {
    look();
    return term.value < uses_.size() && uses_[term.value] > 0;
  }

  bool is_target(TermId term) const {
    const Op op = store_.op(term);
    return op != Op::kVar && op != Op::kMatchCase && store_.sort(term) != ir::kUnknownSort &&
           !is_plain(store_, term);
  }

  // Whether the variables of `inner` are there wherever `outer` is.
  bool fits(TermId inner, TermId outer) {
    if (!store_.has(inner, ir::kHasVariables)) return true;
    ir::FreeVariables& free = session_.free_variables();
    const auto of_inner = free.of(inner);
    const auto of_outer = free.of(outer);
    if (free.exhausted()) return false;
    return std::includes(of_outer.begin(), of_outer.end(), of_inner.begin(), of_inner.end());
  }

  // --- Values. ---

  void reduce_to_values(const std::vector<TermId>& targets, size_t which) {
    std::vector<std::pair<TermId, TermId>> items;
    for (const TermId target : targets) {
      if (!is_present(target) || !is_target(target)) continue;
      if (is_root_[target.value]) continue;  // what is asked for; dropping that is another pass
      const auto values = plain_values(store_, session_.best(), store_.sort(target));
      if (values.size() > which) items.emplace_back(target, values[which]);
    }
    session_.pin();
    make_replacements(session_, items);
  }

  // --- One term. ---

  bool replace(TermId& target, TermId replacement) {
    if (!replacement.valid() || replacement == target) return false;
    if (!session_.offer(Change{{{target, replacement}}, {}})) return false;
    target = replacement;
    return true;
  }

  // By the first of them with which it still shows. They are parts of the script.
  bool replace_by_any(TermId& target, const std::vector<TermId>& candidates) {
    size_t foreseen = 0;
    for (size_t i = 0; i < candidates.size(); ++i) {
      for (; foreseen < std::min(candidates.size(), i + session_.ahead()); ++foreseen) {
        session_.foresee(Change{{{target, candidates[foreseen]}}, {}});
      }
      if (replace(target, candidates[i])) return true;
    }
    return false;
  }

  void shrink(TermId target) {
    while (!session_.stopped() && is_present(target) && is_target(target)) {
      const bool smaller = by_descendant(target) || by_fewer_arguments(target) ||
                           by_fewer_variables(target) || by_negation(target) ||
                           by_single_uses(target) || by_equation(target) || by_constant(target) ||
                           by_new_constant(target);
      if (!smaller) return;
    }
  }

  bool by_descendant(TermId& target) { return replace_by_any(target, descendants(target)); }

  // What a walk does with what is below a term.
  enum class Below : uint8_t { kLookedAt, kPassedOver, kEnd };

  // The terms below the target, those next to it first, each once and not too many.
  template <typename Visit>
  void walk_down(TermId target, Visit visit) {
    std::vector<TermId> queue = {target};
    std::unordered_set<uint32_t> seen;
    for (size_t i = 0; i < queue.size() && i < kLookedAt; ++i) {
      const TermId term = queue[i];
      const Below below = term == target ? Below::kLookedAt : visit(term);
      if (below == Below::kEnd) return;
      if (below == Below::kPassedOver) continue;
      const auto [first, last] = ir::proper_args(store_, term);
      for (uint32_t k = first; k < last; ++k) {
        const TermId arg = store_.args(term)[k];
        if (seen.insert(arg.value).second) queue.push_back(arg);
      }
    }
  }

  // Terms of the same sort below the target: those next to it, and before them some further down,
  // which make short work of long chains.
  std::vector<TermId> descendants(TermId target) {
    std::vector<TermId> found = jumps(target);
    const auto values = plain_values(store_, session_.best(), store_.sort(target));  // tried before
    size_t nearest = 0;
    walk_down(target, [&](TermId term) {
      if (nearest == kNearest) return Below::kEnd;
      if (!can_replace(term, target)) return Below::kLookedAt;
      if (std::find(values.begin(), values.end(), term) != values.end()) return Below::kPassedOver;
      ++nearest;
      if (std::find(found.begin(), found.end(), term) == found.end()) found.push_back(term);
      return Below::kPassedOver;
    });
    return found;
  }

  bool can_replace(TermId term, TermId target) {
    return store_.sort(term) == store_.sort(target) && store_.op(term) != Op::kMatchCase &&
           fits(term, target);
  }

  // (= false p) is (not p), with a part less; so may be other connectives.
  bool by_negation(TermId& target) {
    if (store_.sort(target) != ir::kBoolSort) return false;
    if (store_.op(target) == Op::kNot) return by_assertion(target);
    const auto [first, last] = ir::proper_args(store_, target);
    const std::vector<TermId> args(store_.args(target).begin() + first,
                                   store_.args(target).begin() + last);
    if (args.size() < 2) return false;
    return std::any_of(args.begin(), args.end(), [&](TermId arg) {
      if (is_plain(store_, arg) || !can_replace(arg, target)) return false;
      const TermId parts[] = {arg};
      return replace(target, ir::apply(store_, Op::kNot, parts));
    });
  }

  // (not (not p)) is p, which is two steps down; (not (distinct a b)) is (= a b).
  bool by_assertion(TermId& target) {
    const TermId negated = store_.args(target)[0];
    if (store_.op(negated) == Op::kNot) return replace(target, store_.args(negated)[0]);
    if (store_.op(negated) != Op::kDistinct || store_.args(negated).size() != 2) return false;
    const TermId sides[] = {store_.args(negated)[0], store_.args(negated)[1]};
    return replace(target, ir::apply(store_, Op::kEq, sides));
  }

  // An atom is often needed for one of the terms below it alone: that term equals some value.
  bool by_equation(TermId& target) {
    constexpr uint64_t kLarge = 6;  // nodes; an equation of an application has four at least
    if (store_.sort(target) != ir::kBoolSort || session_.sizes().tree(target) < kLarge)
      return false;
    if (store_.op(target) <= Op::kUnknownText) return false;
    for (const TermId part : parts_of_atom(target)) {
      const auto values = plain_values(store_, session_.best(), store_.sort(part));
      if (values.empty()) continue;
      const TermId sides[] = {part, values[0]};
      if (replace(target, ir::apply(store_, Op::kEq, sides))) return true;
    }
    return false;
  }

  // The nearest applications below an atom, and no formulas.
  std::vector<TermId> parts_of_atom(TermId target) {
    std::vector<TermId> found;
    walk_down(target, [&](TermId term) {
      if (found.size() == kNearest) return Below::kEnd;
      if (store_.sort(term) == ir::kBoolSort) return Below::kPassedOver;
      if (is_target(term) && !store_.args(term).empty() && fits(term, target)) {
        found.push_back(term);
      }
      return Below::kLookedAt;
    });
    return found;
  }

  // The largest terms of half the target's depth, of three quarters, of seven eighths...
  std::vector<TermId> jumps(TermId target) {
    const uint32_t depth = session_.sizes().depth(target);
    if (depth < kDeep) return {};
    std::vector<TermId> largest(depth);  // by depth
    ir::Walker walker(store_);
    walker.walk(target, [&](TermId term) {
      if (term == target || !can_replace(term, target)) return;
      TermId& best = largest[session_.sizes().depth(term)];
      if (!best.valid() || session_.sizes().tree(best) < session_.sizes().tree(term)) best = term;
    });
    for (uint32_t i = 1; i < depth; ++i) {
      if (!largest[i].valid()) largest[i] = largest[i - 1];
    }
    std::vector<TermId> found;
    for (uint32_t step = depth / 2; step >= kDeep / 4; step /= 2) {
      const TermId term = largest[depth - step];
      const bool known = std::find(found.begin(), found.end(), term) != found.end();
      if (term.valid() && !known && !is_plain(store_, term)) found.push_back(term);
    }
    return found;
  }

  // The target with these arguments, if that is well-sorted and of the same sort.
  TermId with_fewer(TermId target, std::span<const TermId> args) {
    const SortId sort = store_.sort(target);
    if (args.size() == 1 && store_.sort(args[0]) == sort) return args[0];
    if (args.size() < 2) return {};
    const Op ops[] = {store_.op(target)};
    std::vector<uint32_t> indices;
    if (store_.payload(target) != 0) {
      const auto span = store_.indices(target);
      indices.assign(span.begin(), span.end());
    }
    std::vector<TermId> list(args.begin(), args.end());
    const TermId term = ir::apply(store_, ir::Head{ops, indices}, list);
    const bool same = term.valid() && store_.sort(term) == sort && store_.op(term) == ops[0] &&
                      store_.args(term).size() == args.size();
    return same ? term : TermId{};
  }

  bool by_fewer_arguments(TermId& target) {
    if (store_.op(target) <= Op::kUnknownText || store_.args(target).size() < 3) return false;
    const auto span = store_.args(target);
    std::vector<TermId> args(span.begin(), span.end());
    bool any = false;
    minimize(args.size(), [&](std::span<const uint32_t> chosen) {
      std::vector<TermId> rest;
      for (uint32_t i = 0; i < args.size(); ++i) {
        const bool gone =
            !args[i].valid() || std::find(chosen.begin(), chosen.end(), i) != chosen.end();
        if (!gone) rest.push_back(args[i]);
      }
      if (!replace(target, with_fewer(target, rest))) return false;
      for (const uint32_t i : chosen) args[i] = {};
      any = true;
      return true;
    });
    return any;
  }

  // --- Quantifiers. ---

  bool by_fewer_variables(TermId& target) {
    const Op op = store_.op(target);
    if (op != Op::kForall && op != Op::kExists) return false;
    const auto span = store_.bound_variables(target);
    const std::vector<TermId> variables(span.begin(), span.end());
    std::vector<bool> all(variables.size(), true);
    if (replace(target, without(target, all))) return true;
    if (variables.size() < 2) return false;
    for (size_t i = 0; i < variables.size(); ++i) {
      std::vector<bool> one(variables.size(), false);
      one[i] = true;
      if (replace(target, without(target, one))) return true;
    }
    return false;
  }

  // The quantified term with plain values for these variables.
  TermId without(TermId target, const std::vector<bool>& dropped) {
    const auto span = store_.args(target);
    const std::vector<TermId> args(span.begin(), span.end());
    const TermId body = args.back();
    ir::FreeVariables& free = session_.free_variables();
    ir::Substitution values;
    std::vector<TermId> rest;
    for (size_t i = 0; i + 1 < args.size(); ++i) {
      if (!dropped[i]) {
        rest.push_back(args[i]);
        continue;
      }
      const bool used = free.is_free(args[i], body);
      if (free.exhausted()) return {};
      if (!used) continue;
      const TermId value = instance(args[i]);
      if (!value.valid()) return {};
      values.emplace_back(args[i], value);
    }
    const TermId result = ir::substitute(store_, free, body, values);
    if (rest.empty()) return result;
    rest.push_back(result);
    return store_.make(store_.op(target), store_.sort(target), store_.payload(target), rest);
  }

  TermId instance(TermId variable) {
    const auto values = plain_values(store_, session_.best(), store_.sort(variable));
    if (!values.empty()) return values[0];
    for (const TermId constant : constants_) {
      if (store_.sort(constant) == store_.sort(variable)) return constant;
    }
    return {};
  }

  // --- Single occurrences, constants. ---

  // Arguments that occur elsewhere too.
  bool by_single_uses(TermId& target) {
    const auto span = store_.args(target);
    const std::vector<TermId> args(span.begin(), span.end());
    const auto [first, last] = ir::proper_args(store_, target);
    for (uint32_t i = first; i < last; ++i) {
      look();
      if (uses_[args[i].value] < 2 || !is_target(args[i])) continue;
      const size_t count = plain_values(store_, session_.best(), store_.sort(args[i])).size();
      for (size_t k = 0; k < std::min<size_t>(count, 2); ++k) {
        std::vector<TermId> changed = args;
        changed[i] = plain_values(store_, session_.best(), store_.sort(args[i]))[k];
        if (replace(target, ir::with_args(store_, target, changed))) return true;
      }
    }
    return false;
  }

  // Constants of the script. A constant becomes one that was declared earlier.
  bool by_constant(TermId& target) {
    look();
    std::vector<TermId> candidates;
    for (const TermId constant : constants_) {
      if (constant == target || candidates.size() == kConstants) break;
      if (store_.sort(constant) == store_.sort(target)) candidates.push_back(constant);
    }
    return replace_by_any(target, candidates);
  }

  bool by_new_constant(TermId& target) {
    if (store_.has(target, ir::kHasVariables) || session_.sizes().tree(target) < 3) return false;
    if (is_root_[target.value]) return false;
    // Few solvers know constants that are languages.
    if (store_.sorts().kind(store_.sort(target)) == ir::SortKind::kRegLan) return false;
    uint32_t next = 0;
    const ir::FunId fun = ir::fresh_constant(store_, "v", next, store_.sort(target));
    const TermId constant = store_.fun(fun).constant;
    if (!constant.valid()) return false;
    ir::Script candidate = rewrite(store_, session_.best(), Change{{{target, constant}}, {}});
    // Before the first command that uses it.
    const auto& old = session_.best().commands;
    size_t at = 0;
    const auto differs = [&](size_t i) {
      return candidate.commands[i].term != old[i].term ||
             candidate.commands[i].first_item != old[i].first_item;
    };
    while (at < old.size() && !differs(at)) ++at;
    Command command;
    command.kind = CommandKind::kDeclareConst;
    const uint32_t items[] = {fun.value};
    candidate.set_items(command, items);
    candidate.commands.insert(candidate.commands.begin() + static_cast<ptrdiff_t>(at), command);
    if (!session_.offer(std::move(candidate))) return false;
    target = constant;
    return true;
  }

  Session& session_;
  ir::TermStore& store_;
  uint32_t looked_at_ = 0;
  std::vector<TermId> order_;
  std::vector<uint32_t> levels_;  // where each level begins in order_, and the end
  std::vector<uint32_t> uses_;    // by term: how many terms and commands have it as a part
  std::vector<bool> is_root_;     // of an assertion
  std::vector<TermId> constants_;
};

}  // namespace

void reduce_terms(Session& session) { TermsPass(session).run(); }

}  // namespace elenchus::reduce
