// An answer `unknown` where there should be one: in a fragment that is decidable (quantifier-free
// bit-vectors, floats, arrays, uninterpreted functions, datatypes, linear arithmetic), or where the
// same solver in another version or under other options decides. Off unless it is asked for.

#include <fmt/format.h>

#include "ir/script_parts.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "oracle/oracle.h"

namespace elenchus::oracle {
namespace {

using ir::Op;
using ir::TermId;
using ir::Theory;
using solver::Outcome;

// What the terms of a question use.
class Fragment {
 public:
  explicit Fragment(const ir::TermStore& store) : store_(store), walker_(store) {}

  void add(TermId claim) {
    if (store_.has(claim, ir::kHasBinders) || store_.has(claim, ir::kHasUnknown)) is_open_ = true;
    walker_.walk(claim, [&](TermId term) { look_at(term); });
  }

  // Arithmetic and floats meet only in conversions, which are not linear.
  bool is_decidable() const { return !is_open_ && !(has_numbers_ && has_floats_); }

 private:
  bool is_number(TermId term) const {
    const ir::SortId sort = store_.sort(term);
    return sort == ir::kIntSort || sort == ir::kRealSort;
  }

  bool is_constant(TermId term) const {
    while (store_.op(term) == Op::kNeg) term = store_.args(term)[0];
    const Op op = store_.op(term);
    return op == Op::kIntLiteral || op == Op::kRealLiteral;
  }

  void look_at(TermId term) {
    const Op op = store_.meaning(term);
    has_numbers_ = has_numbers_ || is_number(term);
    if (op == Op::kCall) {
      const ir::FunKind kind = store_.fun(store_.callee(term)).kind;
      if (kind == ir::FunKind::kRecursive) is_open_ = true;
      return;
    }
    if (op <= Op::kUnknownText) {
      if (!ir::is_literal(op) && op != Op::kAnnotated) is_open_ = true;
      return;
    }
    look_at_operator(term, op);
  }

  void look_at_operator(TermId term, Op op) {
    const auto args = store_.args(term);
    switch (store_.ops().info(op).theory) {
      case Theory::kCore:
      case Theory::kArrays:
      case Theory::kDatatypes: return;
      case Theory::kBitVectors:
        // Between numbers and bits.
        for (const TermId arg : args) is_open_ = is_open_ || is_number(arg);
        is_open_ = is_open_ || is_number(term);
        return;
      case Theory::kFloatingPoint: has_floats_ = true; return;
      case Theory::kInts:
      case Theory::kReals:
      case Theory::kRealsInts: is_open_ = is_open_ || !is_linear(op, args); return;
      default: is_open_ = true; return;
    }
  }

  bool is_linear(Op op, std::span<const TermId> args) const {
    switch (op) {
      case Op::kMul: {
        size_t variable = 0;
        for (const TermId arg : args) variable += is_constant(arg) ? 0 : 1;
        return variable <= 1;
      }
      case Op::kRealDiv:
      case Op::kIntDiv:
      case Op::kMod:
        for (const TermId arg : args.subspan(1)) {
          if (!is_constant(arg)) return false;
        }
        return true;
      default: return true;
    }
  }

  const ir::TermStore& store_;
  ir::Walker walker_;
  bool is_open_ = false;
  bool has_numbers_ = false;
  bool has_floats_ = false;
};

bool is_decidable(const Exam& exam, const ir::TermStore& store, size_t check) {
  const ir::Script& script = exam.test().script;
  if (!has_settled_meaning(store, script, exam.checks()[check])) return false;
  Fragment fragment(store);
  for (const ir::Command& command : script.commands) {
    if (!ir::is_definition(command.kind)) continue;
    for (const uint32_t fun : script.items(command)) {
      const TermId body = store.fun(ir::FunId{fun}).body;
      // Parameters are variables of a kind that a quantifier-free question does not have.
      if (!body.valid() || store.has(body, ir::kHasVariables)) return false;
      fragment.add(body);
    }
  }
  for (const ir::Claim& claim : ir::claims_at(script, exam.checks()[check])) {
    fragment.add(claim.term);
  }
  return fragment.is_decidable();
}

class IncompleteOracle : public Oracle {
 public:
  std::string_view name() const override { return "incomplete"; }

  void judge(Exam& exam, std::vector<Finding>& findings) const override {
    for (size_t i = 0; i < exam.solver_count(); ++i) {
      const solver::Run* run = exam.find_run(i);
      if (run == nullptr || run->outcome != Outcome::kUnknown) continue;
      for (size_t check = 0; check < run->checks.size() && check < exam.checks().size(); ++check) {
        if (run->checks[check].outcome != Outcome::kUnknown) continue;
        question(exam, i, check, findings);
        break;  // one for each run is enough
      }
    }
  }

 private:
  void question(Exam& exam, size_t solver, size_t check, std::vector<Finding>& findings) const {
    for (size_t other = 0; other < exam.solver_count(); ++other) {
      const bool is_kin = solver::are_kin(exam.solver(other), exam.solver(solver));
      if (other == solver || !is_kin || !exam.may_ask(other)) continue;
      exam.run(other);
      if (!is_decided(exam.answer(other, check))) continue;
      Finding finding = unknown(exam, solver, check);
      finding.other = other;
      finding.evidence =
          fmt::format("{} {} answers {}", exam.solver(other).name, exam.solver(other).version,
                      to_string(exam.answer(other, check)));
      findings.push_back(std::move(finding));
      return;
    }
    if (!is_decidable(exam, exam.store(), check)) return;
    Finding finding = unknown(exam, solver, check);
    finding.evidence =
        "the formula has no quantifiers and is made of theories that are decidable together";
    findings.push_back(std::move(finding));
  }

  Finding unknown(const Exam& exam, size_t solver, size_t check) const {
    Finding finding;
    finding.kind = Kind::kIncomplete;
    finding.oracle = name();
    finding.solver = solver;
    finding.check = check;
    finding.claim =
        fmt::format("{} answers unknown where it should decide", exam.solver(solver).name);
    return finding;
  }
};

}  // namespace

const Oracle& incomplete_oracle() {
  static const IncompleteOracle oracle;
  return oracle;
}

}  // namespace elenchus::oracle
