#include "triage/signature.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/script_parts.h"
#include "ir/script_stats.h"
#include "ir/walk.h"

namespace elenchus::triage {
namespace {

using ir::Op;

// Before the first frame of a crash that a debugger has seen.
constexpr std::string_view kIn = " in ";

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

// RNE, +oo, re.none: what an operator gets, not one itself.
bool is_constant(const ir::TermStore& store, ir::TermId term) {
  return ir::is_constant_value(store, term) && !is_connective(store.op(term));
}

// A constant is a name, a call of a function with arguments says something.
bool is_plain(const ir::TermStore& store, ir::TermId term) {
  const Op op = store.op(term);
  return is_name_or_value(op) || (op == Op::kCall && store.args(term).empty()) ||
         is_constant(store, term);
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

// A command that changes what is in force, or what is asked: solvers do so in a way of its own.
std::string_view telling_command(ir::CommandKind kind) {
  switch (kind) {
    case ir::CommandKind::kResetAssertions: return "reset-assertions";
    case ir::CommandKind::kReset: return "reset";
    case ir::CommandKind::kPush: return "push";
    case ir::CommandKind::kCheckSatAssuming: return "check-sat-assuming";
    case ir::CommandKind::kMaximize: return "maximize";
    case ir::CommandKind::kMinimize: return "minimize";
    default: return {};
  }
}

// The operators of some terms: those that say something, and where there are none, connectives.
class Operators {
 public:
  explicit Operators(const ir::TermStore& store) : store_(store), walker_(store) {}

  void add(ir::TermId term) {
    walker_.walk(term, [&](ir::TermId part) {
      if (is_plain(store_, part)) return;
      const Op op = store_.meaning(part);
      (is_connective(op) ? connectives_ : telling_).insert(ir::op_label(store_, op));
    });
  }

  void add(std::string_view command) { telling_.emplace(command); }

  std::vector<std::string> names() const {
    const std::set<std::string>& chosen = telling_.empty() ? connectives_ : telling_;
    return {chosen.begin(), chosen.end()};
  }

 private:
  const ir::TermStore& store_;
  ir::Walker walker_;
  std::set<std::string> telling_;
  std::set<std::string> connectives_;
};

}  // namespace

std::vector<std::string> telling_operators(const ir::TermStore& store, const ir::Script& script) {
  Operators operators(store);
  for (const ir::Command& command : script.commands) {
    if (const auto name = telling_command(command.kind); !name.empty()) operators.add(name);
    if (ir::has_term(command.kind)) operators.add(command.term);
    for (const uint32_t item : script.items(command)) {
      if (command.kind == ir::CommandKind::kCheckSatAssuming) operators.add(ir::TermId{item});
      if (!ir::is_definition(command.kind)) continue;
      const ir::TermId body = store.fun(ir::FunId{item}).body;
      if (body.valid()) operators.add(body);
    }
  }
  return operators.names();
}

namespace {

// Of the term that a solver is wrong about, where there is one: what the script says around it is
// only how it shows.
std::vector<std::string> guilty_operators(const ir::TermStore& store, const ir::Script& script,
                                          const oracle::Finding& finding) {
  if (!finding.asked.valid()) return telling_operators(store, script);
  Operators operators(store);
  operators.add(finding.asked);
  return operators.names();
}

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
  return fmt::format("{}: {}{}", head, what,
                     fmt::join(guilty_operators(store, script, finding), " "));
}

std::string place_of(std::string_view location, std::span<const std::string> frames) {
  constexpr size_t kMost = 3;
  std::string place(location);
  if (!is_bare_signal(location) || frames.empty()) return place;
  place.erase(std::min(place.find('@'), place.size()));
  for (size_t i = 0; i < std::min(kMost, frames.size()); ++i) {
    place += i == 0 ? kIn : " < ";
    place += frames[i];
  }
  return place;
}

std::string probable_cause(const ir::TermStore& store, const oracle::Finding& finding,
                           std::string_view solver) {
  const bool is_about_term =
      finding.kind == oracle::Kind::kWrongRewrite || finding.kind == oracle::Kind::kWrongValue;
  const std::string place = is_about_term && finding.asked.valid()
                                ? ir::op_label(store, store.meaning(finding.asked))
                                : finding.location;
  return fmt::format("{} {}{}{}", oracle::to_string(finding.kind), solver,
                     place.empty() ? "" : ": ", place);
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
  const record::KindInfo* kind = record::find_kind(signature.substr(0, signature.find(' ')));
  if (kind == nullptr || !kind->has(record::kHasPlace)) return true;
  const size_t colon = signature.find(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view place = signature.substr(colon + 2);
  const size_t in = place.find(kIn);
  if (in != std::string_view::npos && in == place.find(' ')) return false;
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

// Functions from bit-vectors to bit-vectors: a fault in how arrays or quantifiers treat values
// shows with any of them.
bool makes_bits(std::string_view op) {
  static constexpr auto kFunctions = std::to_array<std::string_view>(
      {"bvadd",           "bvsub",       "bvmul",       "bvneg",        "bvnot",
       "bvand",           "bvor",        "bvxor",       "bvnand",       "bvnor",
       "bvxnor",          "bvshl",       "bvlshr",      "bvashr",       "bvudiv",
       "bvurem",          "bvsdiv",      "bvsrem",      "bvsmod",       "bvcomp",
       "bvredor",         "bvredand",    "concat",      "extract",      "repeat",
       "zero_extend",     "sign_extend", "rotate_left", "rotate_right", "ext_rotate_left",
       "ext_rotate_right"});
  return std::find(kFunctions.begin(), kFunctions.end(), op) != kFunctions.end();
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

std::string in_classes(std::string_view signature) {
  if (!is_told_by_operators(signature)) return std::string(signature);
  Parts parts = split(signature);
  const bool has_others =
      std::any_of(parts.operators.begin(), parts.operators.end(),
                  [](std::string_view op) { return !makes_bits(op) && !is_comparison(op); });
  if (!has_others) return std::string(signature);
  for (std::string_view& op : parts.operators) {
    if (makes_bits(op)) op = "bit-vectors";
  }
  std::sort(parts.operators.begin(), parts.operators.end());
  parts.operators.erase(std::unique(parts.operators.begin(), parts.operators.end()),
                        parts.operators.end());
  return fmt::format("{}: {}", parts.head, fmt::join(parts.operators, " "));
}

bool share_operator(std::string_view one, std::string_view other) {
  const Parts a = split(one);
  const Parts b = split(other);
  return std::any_of(a.operators.begin(), a.operators.end(), [&](std::string_view op) {
    return !is_comparison(op) && std::binary_search(b.operators.begin(), b.operators.end(), op);
  });
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
