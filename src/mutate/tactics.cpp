// Tactics take ways through z3 that (check-sat) takes for few logics or never: STORM's first
// example of a bug was one of them. All that stand here say of themselves that they keep a goal
// equivalent or equisatisfiable (z3's help-tactic). What approximates (add-bounds, nla2bv,
// sine-filter), gives up by design (fail, skip at the end, local search, horn-simplify), prints
// (collect-statistics) or runs threads is not among them. A step that is not made for a goal fails,
// and the answer is `unknown`, unless there is another way: so most steps and strategies have one.
#include "mutate/tactics.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "mutate/modified.h"

namespace elenchus::mutate {
namespace {

using ir::CommandKind;

// Steps that take every goal.
constexpr std::string_view kSteps[] = {
    "simplify",
    "propagate-values",
    "propagate-ineqs",
    "solve-eqs",
    "elim-uncnstr",
    "ctx-simplify",
    "ctx-solver-simplify",
    "dom-simplify",
    "nnf",
    "snf",
    "aig",
    "max-bv-sharing",
    "reduce-bv-size",
    "propagate-bv-bounds",
    "reduce-args",
    "reduce-invertible",
    "blast-term-ite",
    "cofactor-term-ite",
    "elim-term-ite",
    "purify-arith",
    "factor",
    "degree-shift",
    "card2bv",
    "lia2pb",
    "lia2card",
    "recover-01",
    "normalize-bounds",
    "fm",
    "symmetry-reduce",
    "der",
    "distribute-forall",
    "elim-and",
    "macro-finder",
    "quasi-macros",
    "ufbv-rewriter",
    "bvarray2uf",
    "dt2bv",
    "eq2bv",
    "elim-small-bv",
    "injectivity",
    "qe-light",
    "fpa2bv",
    "ackermannize_bv",
    "unit-subsume-simplify",
    "pb-preprocess",
    "tseitin-cnf",
    "occf",
};

// Steps that fail on many goals.
constexpr std::string_view kPickySteps[] = {
    "bit-blast",  "bv1-blast", "pb2bv",  "split-clause", "sat-preprocess",
    "qe",         "qe2",       "qe_rec", "bv_bound_chk", "propagate-bv-bounds-new",
    "fix-dl-var",
};

// Not in all versions: drawn only where the solvers list them.
constexpr std::string_view kOfSomeVersions[] = {"bv_bound_chk", "propagate-bv-bounds-new"};

// Whole strategies, each for some goals.
constexpr std::string_view kStrategies[] = {
    "default", "sat",     "qfbv",        "qflia",    "qflra",    "qfnia",       "qfnra",
    "qfuf",    "qfidl",   "qfaufbv",     "qfauflia", "qfufbv",   "qfufbv_ackr", "qffp",
    "qffpbv",  "qffplra", "nlsat",       "nlqsat",   "qsat",     "bv",          "ufbv",
    "lra",     "lia",     "lira",        "nra",      "ufnia",    "uflra",       "auflia",
    "auflira", "aufnira", "qfnra-nlsat", "qffd",     "diff-neq",
};

// Of the simplifier: they say how, not what.
constexpr std::string_view kParameters[] = {
    ":elim_and",       ":som",
    ":flat",           ":hoist_mul",
    ":blast_distinct", ":arith_lhs",
    ":sort_sums",      ":local_ctx",
    ":expand_power",   ":gcd_rounding",
    ":eq2ineq",        ":pull_cheap_ite",
    ":push_ite_bv",    ":ite_extra_rules",
    ":elim_sign_ext",  ":mul_to_power",
    ":bv_ite2id",
};

constexpr std::string_view kProbes[] = {"num-consts",   "num-exprs",       "size",
                                        "depth",        "num-bool-consts", "num-arith-consts",
                                        "num-bv-consts"};
constexpr std::string_view kConditions[] = {"has-quantifiers", "is-propositional", "is-qfbv",
                                            "is-qflia",        "is-qfnra",         "is-unbounded"};
constexpr std::string_view kCombinators[] = {
    "then", "or-else", "repeat", "using-params",      "if",   "when",
    ">",    "skip",    "smt",    "fail-if-undecided", "true", "false"};

// How rarely, on average.
constexpr uint64_t kPickyOneIn = 8;  // steps that may fail
constexpr uint64_t kBareOneIn = 4;   // tactics that answer nothing where a step fails

template <size_t kCount>
std::string_view one_of(base::Rng& rng, const std::string_view (&words)[kCount]) {
  return words[rng.below(kCount)];
}

template <size_t kCount>
bool is_one_of(std::string_view word, const std::string_view (&words)[kCount]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_usable(const TacticSettings& settings, std::string_view word) {
  const auto& known = settings.known;
  return known.empty() ? !is_one_of(word, kOfSomeVersions)
                       : std::find(known.begin(), known.end(), word) != known.end();
}

// A word that all solvers have. Most words are known to all, so the first try mostly does.
template <size_t kCount>
std::string_view usable_of(base::Rng& rng, const TacticSettings& settings,
                           const std::string_view (&words)[kCount], std::string_view otherwise) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    const std::string_view word = one_of(rng, words);
    if (is_usable(settings, word)) return word;
  }
  return otherwise;
}

std::string plain_step(base::Rng& rng, const TacticSettings& settings) {
  if (rng.one_in(kPickyOneIn)) {
    return fmt::format("(or-else {} skip)", usable_of(rng, settings, kPickySteps, "skip"));
  }
  return std::string(usable_of(rng, settings, kSteps, "simplify"));
}

std::string condition(base::Rng& rng) {
  if (rng.coin()) return std::string(one_of(rng, kConditions));
  const std::string_view probe = one_of(rng, kProbes);
  return fmt::format("(> {} {})", probe, rng.below(20));
}

std::string step(base::Rng& rng, const TacticSettings& settings) {
  // Of sixteen steps, five are put together of others, one in each way.
  constexpr uint64_t kWays = 5;
  const uint64_t draw = rng.below(16);
  if (draw >= kWays) return plain_step(rng, settings);
  if (draw == 0) {
    const std::string what = plain_step(rng, settings);
    return fmt::format("(repeat {} {})", what, 1 + rng.below(4));
  }
  if (draw == 1) {
    const std::string_view parameter = one_of(rng, kParameters);
    return fmt::format("(using-params simplify {} {})", parameter, rng.coin());
  }
  const std::string first = plain_step(rng, settings);
  const std::string second = plain_step(rng, settings);
  if (draw == 2) return fmt::format("(or-else {} {} skip)", first, second);
  const std::string when = condition(rng);
  if (draw == 3) return fmt::format("(if {} {} {})", when, first, second);
  return fmt::format("(when {} {})", when, first);
}

// What decides the goal, at the last if it is `smt`.
std::string ending(base::Rng& rng, const TacticSettings& settings) {
  if (rng.coin()) return "smt";
  return fmt::format("(or-else (then {} fail-if-undecided) smt)",
                     usable_of(rng, settings, kStrategies, "default"));
}

bool is_number(std::string_view word) {
  return word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_known_word(std::string_view word) {
  return is_number(word) || is_one_of(word, kSteps) || is_one_of(word, kPickySteps) ||
         is_one_of(word, kStrategies) || is_one_of(word, kParameters) || is_one_of(word, kProbes) ||
         is_one_of(word, kConditions) || is_one_of(word, kCombinators);
}

void ask_by_tactics(ir::TermStore& store, Mutant& mutant, const TacticSettings& settings,
                    base::Rng& rng) {
  for (ir::Command& command : mutant.script.commands) {
    if (command.kind != CommandKind::kCheckSat) continue;
    if (rng.happens(settings.plain_one_in)) continue;
    command.kind = CommandKind::kCheckSatUsing;
    command.text = store.symbols().intern(random_tactic(rng, settings));
  }
}

}  // namespace

bool has_tactics(const ir::OpTable& ops, uint16_t solvers) {
  return (ops.with_habit(ir::Habit::kTactics) & solvers) != 0;
}

std::string random_tactic(base::Rng& rng, const TacticSettings& settings) {
  constexpr uint64_t kMostSteps = 4;
  const uint64_t steps = rng.below(kMostSteps + 1);
  std::string text = "(then";
  for (uint64_t i = 0; i < steps; ++i) text.append(" ").append(step(rng, settings));
  const std::string last = ending(rng, settings);
  if (steps == 0) return last;
  text.append(" ").append(last).append(")");
  // Where a step fails, somebody still answers.
  return rng.one_in(kBareOneIn) ? text : fmt::format("(or-else {} smt)", text);
}

bool is_known_tactic(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n()";
  while (!text.empty()) {
    const size_t from = text.find_first_not_of(kBetween);
    if (from == std::string_view::npos) break;
    text.remove_prefix(from);
    const size_t end = std::min(text.find_first_of(kBetween), text.size());
    if (!is_known_word(text.substr(0, end))) return false;
    text.remove_prefix(end);
  }
  return true;
}

void ask_by(ir::Script& script, ir::SymbolId tactic) {
  const auto last = std::find_if(script.commands.rbegin(), script.commands.rend(),
                                 [](const ir::Command& c) { return ir::is_check(c.kind); });
  if (last == script.commands.rend()) return;
  last->kind = CommandKind::kCheckSatUsing;
  last->text = tactic;
}

std::unique_ptr<Engine> make_tactics(std::unique_ptr<Engine> inner,
                                     const TacticSettings& settings) {
  return make_modified(std::move(inner), "tactics",
                       [settings](ir::TermStore& store, Mutant& mutant, base::Rng& rng) {
                         if (has_tactics(store.ops(), settings.solvers)) {
                           ask_by_tactics(store, mutant, settings, rng);
                         }
                       });
}

}  // namespace elenchus::mutate
