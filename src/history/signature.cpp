#include "history/signature.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "smtlib/lexer.h"

namespace elenchus::history {

using ir::Op;
using ir::SortKind;
using ir::TermId;
using smtlib::TokenKind;

namespace {

constexpr std::pair<SortKind, std::string_view> kKinds[] = {
    {SortKind::kBool, "Bool"},
    {SortKind::kInt, "Int"},
    {SortKind::kReal, "Real"},
    {SortKind::kString, "String"},
    {SortKind::kRegLan, "RegLan"},
    {SortKind::kRoundingMode, "RoundingMode"},
    {SortKind::kChar, "Char"},
    {SortKind::kBitVec, "BitVec"},
    {SortKind::kFloatingPoint, "FloatingPoint"},
    {SortKind::kFiniteField, "FiniteField"},
    {SortKind::kArray, "Array"},
    {SortKind::kSeq, "Seq"},
    {SortKind::kSet, "Set"},
    {SortKind::kFiniteSet, "FiniteSet"},
    {SortKind::kBag, "Bag"},
    {SortKind::kTuple, "Tuple"},
    {SortKind::kNullable, "Nullable"},
    {SortKind::kRegEx, "RegEx"},
    {SortKind::kFunction, "Function"},
    {SortKind::kUninterpreted, "Uninterpreted"},
    {SortKind::kDatatype, "Datatype"},
    {SortKind::kParameter, "Parameter"},
    {SortKind::kOpaque, "Opaque"},
};

base::Error bad(std::string message) { return {base::ErrorKind::kParse, std::move(message), {}}; }

bool cut_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

base::Result<Operand> parse_operand(std::string_view text) {
  Operand operand;
  std::string_view name = text;
  operand.is_constant = cut_suffix(name, "Const");
  if (!operand.is_constant && !cut_suffix(name, "Var")) name = {};
  for (const auto& [kind, word] : kKinds) {
    if (word == name) operand.kind = kind;
  }
  if (operand.kind == SortKind::kNone) {
    return bad(fmt::format("'{}' is not an operand of a signature", base::shown(text, 30)));
  }
  return operand;
}

}  // namespace

std::string_view kind_name(SortKind kind) {
  for (const auto& [each, word] : kKinds) {
    if (each == kind) return word;
  }
  return {};
}

bool Signatures::is_constant(TermId term) {
  const auto compute = [&](TermId each) -> char {
    const Op op = store_.op(each);
    if (op == Op::kVar || op == Op::kFunRef) return 1;
    if (op == Op::kCall && store_.fun(store_.callee(each)).kind != ir::FunKind::kConstructor) {
      return 1;
    }
    const auto args = store_.args(each);
    return std::any_of(args.begin(), args.end(),
                       [&](TermId arg) { return has_variables_.get(arg) != 0; })
               ? 1
               : 0;
  };
  return has_variables_.at(term, compute) == 0;
}

AtomSignature Signatures::of(TermId atom) {
  AtomSignature signature;
  const Op op = store_.op(atom);
  auto args = store_.args(atom);
  if (op == Op::kVar) {
    signature.op = kBoolean;
  } else if (op == Op::kCall) {
    const bool is_selector = store_.fun(store_.callee(atom)).kind == ir::FunKind::kSelector;
    signature.op = args.empty() ? kBoolean : (is_selector ? kField : kPredicate);
  } else if (op >= Op::kTrue) {
    signature.op = store_.ops().name(store_.meaning(atom));
  }
  if (signature.op.empty()) return {};
  args = args.first(std::min(args.size(), kMaxOperands));
  for (const TermId arg : args) {
    const SortKind kind = store_.sorts().kind(store_.sort(arg));
    if (kind_name(kind).empty()) return {};
    signature.operands.push_back({kind, is_constant(arg)});
  }
  return signature;
}

std::string to_text(const AtomSignature& signature) {
  std::string text = "(" + signature.op;
  for (const Operand& operand : signature.operands) {
    text += fmt::format(" {}{}", kind_name(operand.kind), operand.is_constant ? "Const" : "Var");
  }
  return text + ")";
}

base::Result<AtomSignature> parse_signature(std::string_view text) {
  smtlib::Lexer lexer(text);
  AtomSignature signature;
  if (lexer.next().kind != TokenKind::kOpen) return bad("a signature starts with '('");
  auto token = lexer.next();
  if (token.kind != TokenKind::kSymbol) return bad("a signature has an operator");
  signature.op = token.text;
  for (token = lexer.next(); token.kind == TokenKind::kSymbol; token = lexer.next()) {
    ELENCHUS_ASSIGN_OR_RETURN(const Operand operand, parse_operand(token.text));
    signature.operands.push_back(operand);
    if (signature.operands.size() > kMaxOperands) {
      return bad(fmt::format("a signature of more than {} operands", kMaxOperands));
    }
  }
  if (token.kind != TokenKind::kClose || lexer.next().kind != TokenKind::kEnd) {
    return bad("the signature does not end");
  }
  return signature;
}

}  // namespace elenchus::history
