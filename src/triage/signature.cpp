#include "triage/signature.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/script_stats.h"
#include "ir/walk.h"

namespace elenchus::triage {
namespace {

using ir::Op;

bool is_connective(Op op) {
  switch (op) {
    case Op::kTrue:
    case Op::kFalse:
    case Op::kNot:
    case Op::kImplies:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kEq:
    case Op::kDistinct:
    case Op::kIte: return true;
    default: return false;
  }
}

bool is_name_or_value(Op op) {
  return op == Op::kVar || ir::is_literal(op) || op == Op::kAnnotated || op == Op::kMatchCase;
}

// A constant is a name, a call of a function with arguments says something.
bool is_plain(const ir::TermStore& store, ir::TermId term) {
  const Op op = store.op(term);
  return is_name_or_value(op) || (op == Op::kCall && store.args(term).empty());
}

ir::Theory theory_of(const ir::TermStore& store, ir::TermId term) {
  const Op op = store.op(term);
  if (op == Op::kCall && store.fun(store.callee(term)).datatype.valid()) {
    return ir::Theory::kDatatypes;
  }
  return op == Op::kNone ? ir::Theory::kCore : store.ops().info(op).theory;
}

// "SIGSEGV", "SIGSEGV@0x10", "signal 11", "exit 1": says that it crashed, not where.
bool is_bare_signal(std::string_view location) {
  if (location.starts_with("signal ") || location.starts_with("exit ")) return true;
  return location.starts_with("SIG") && location.find(' ') == std::string_view::npos;
}

}  // namespace

std::vector<std::string> telling_operators(const ir::TermStore& store, const ir::Script& script) {
  std::set<std::string> telling;
  std::set<std::string> connectives;
  ir::Walker walker(store);
  const auto visit = [&](ir::TermId term) {
    if (is_plain(store, term)) return;
    const Op op = store.meaning(term);
    (is_connective(op) ? connectives : telling).insert(ir::op_label(store, op));
  };
  for (const ir::Command& command : script.commands) {
    if (ir::has_term(command.kind)) walker.walk(command.term, visit);
    const bool defines = command.kind >= ir::CommandKind::kDefineFun &&
                         command.kind <= ir::CommandKind::kDefineFunsRec;
    for (const uint32_t item : script.items(command)) {
      if (command.kind == ir::CommandKind::kCheckSatAssuming) walker.walk(ir::TermId{item}, visit);
      if (!defines) continue;
      const ir::TermId body = store.fun(ir::FunId{item}).body;
      if (body.valid()) walker.walk(body, visit);
    }
  }
  const std::set<std::string>& chosen = telling.empty() ? connectives : telling;
  return {chosen.begin(), chosen.end()};
}

namespace {

// The theories above this one, by the order of ir::Theory.
std::vector<std::string> theories_above(const ir::TermStore& store, const ir::Script& script,
                                        ir::Theory least) {
  std::set<std::string> theories;
  ir::Walker walker(store);
  const auto visit = [&](ir::TermId term) {
    const ir::Theory theory = theory_of(store, term);
    if (theory > least) theories.insert(ir::to_string(theory));
  };
  for (const ir::Command& command : script.commands) {
    if (ir::has_term(command.kind)) walker.walk(command.term, visit);
  }
  return {theories.begin(), theories.end()};
}

}  // namespace

std::vector<std::string> theories_of(const ir::TermStore& store, const ir::Script& script) {
  return theories_above(store, script, ir::Theory::kCore);
}

std::string signature(const ir::TermStore& store, const ir::Script& script,
                      const oracle::Finding& finding, std::string_view solver) {
  const std::string head = fmt::format("{} {}", oracle::to_string(finding.kind), solver);
  const bool has_place = !finding.location.empty() && !is_bare_signal(finding.location);
  if (has_place) return fmt::format("{}: {}", head, finding.location);
  if (finding.location.find('@') != std::string::npos) {
    const auto theories = theories_above(store, script, ir::Theory::kRealsInts);
    return fmt::format("{}: {}{}{}", head, finding.location, theories.empty() ? "" : " ",
                       fmt::join(theories, " "));
  }
  const std::string what = finding.location.empty() ? "" : finding.location + " ";
  return fmt::format("{}: {}{}", head, what, fmt::join(telling_operators(store, script), " "));
}

namespace {

struct Parts {
  std::string_view head;
  std::vector<std::string_view> operators;  // and the signal of a crash; sorted
};

Parts split(std::string_view signature) {
  Parts parts;
  const size_t colon = signature.find(": ");
  parts.head = signature.substr(0, colon);
  if (colon == std::string_view::npos) return parts;
  std::string_view rest = signature.substr(colon + 2);
  while (!rest.empty()) {
    const size_t space = std::min(rest.find(' '), rest.size());
    if (space > 0) parts.operators.push_back(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  std::sort(parts.operators.begin(), parts.operators.end());
  return parts;
}

// Self-checks, and crashes that say where, are told apart by their place.
bool is_told_by_operators(std::string_view signature) {
  if (signature.starts_with(oracle::to_string(oracle::Kind::kSelfCheck))) return false;
  if (!signature.starts_with(oracle::to_string(oracle::Kind::kCrash))) return true;
  const size_t colon = signature.find(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view place = signature.substr(colon + 2);
  if (place.starts_with("signal ") || place.starts_with("exit ")) return true;
  return is_bare_signal(place.substr(0, place.find(' ')));
}

// Comparisons say little of a cause: something has to stand between a term and an assertion.
bool is_comparison(std::string_view op) {
  static constexpr auto kComparisons = std::to_array<std::string_view>(
      {"<", "<=", ">", ">=", "bvsge", "bvsgt", "bvsle", "bvslt", "bvuge", "bvugt", "bvule", "bvult",
       "fp.eq", "fp.geq", "fp.gt", "fp.leq", "fp.lt", "str.<", "str.<="});
  return std::find(kComparisons.begin(), kComparisons.end(), op) != kComparisons.end();
}

// Whether `other` heads the kind of `known`, less proven: a solver in a disagreement is the one
// that says unsat.
bool is_unproven(std::string_view known, std::string_view other) {
  const std::string_view wrong = oracle::to_string(oracle::Kind::kRefutationUnsound);
  const std::string_view disputed = oracle::to_string(oracle::Kind::kDisagreement);
  return known.starts_with(wrong) && other.starts_with(disputed) &&
         known.substr(wrong.size()) == other.substr(disputed.size());
}

}  // namespace

bool is_alike(std::string_view one, std::string_view other) {
  if (!is_told_by_operators(one) || !is_told_by_operators(other)) return one == other;
  Parts a = split(one);
  Parts b = split(other);
  std::erase_if(a.operators, is_comparison);
  std::erase_if(b.operators, is_comparison);
  return a.head == b.head && !a.operators.empty() && a.operators == b.operators;
}

bool accounts_for(std::string_view known, std::string_view signature) {
  if (known == signature) return true;
  const Parts a = split(known);
  const Parts b = split(signature);
  if (a.operators.empty() || !(a.head == b.head || is_unproven(a.head, b.head))) return false;
  if (!is_told_by_operators(known) || !is_told_by_operators(signature)) return false;
  return std::includes(b.operators.begin(), b.operators.end(), a.operators.begin(),
                       a.operators.end());
}

}  // namespace elenchus::triage
