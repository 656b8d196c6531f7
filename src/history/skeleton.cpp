#include "history/skeleton.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "smtlib/lexer.h"

namespace elenchus::history {

using ir::Op;
using ir::TermId;
using smtlib::TokenKind;

namespace {

struct Word {
  Op op;
  std::string_view text;
  uint32_t least;
  uint32_t most;
};

constexpr Word kWords[] = {
    {Op::kNot, "not", 1, 1},
    {Op::kAnd, "and", 0, UINT32_MAX},
    {Op::kOr, "or", 0, UINT32_MAX},
    {Op::kXor, "xor", 0, UINT32_MAX},
    {Op::kImplies, "=>", 2, UINT32_MAX},
    {Op::kEq, "=", 2, UINT32_MAX},
    {Op::kDistinct, "distinct", 2, UINT32_MAX},
    {Op::kIte, "ite", 3, 3},
    {Op::kForall, "forall", 1, 1},
    {Op::kExists, "exists", 1, 1},
};

const Word* word_of(Op op) {
  const auto* found =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) { return w.op == op; });
  return found == std::end(kWords) ? nullptr : found;
}

const Word* word_named(std::string_view text) {
  const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
                                   [&](const Word& w) { return w.text == text; });
  return found == std::end(kWords) ? nullptr : found;
}

base::Error bad(std::string message) { return {base::ErrorKind::kParse, std::move(message), {}}; }

// A connective whose arguments are being read.
struct Open {
  uint32_t node;
  uint32_t arity;
};

}  // namespace

uint32_t Skeleton::holes() const {
  return static_cast<uint32_t>(std::count_if(
      nodes.begin(), nodes.end(), [](const Node& node) { return node.op == Op::kNone; }));
}

TermId without_annotations(const ir::TermStore& store, TermId term) {
  while (store.op(term) == Op::kAnnotated) term = store.args(term)[0];
  return term;
}

Op connective_of(const ir::TermStore& store, TermId term) {
  const Op op = store.op(term);
  if (op == Op::kForall || op == Op::kExists) return op;
  if (op < Op::kTrue) return Op::kNone;
  const Op meaning = store.meaning(term);
  switch (meaning) {
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kImplies: return meaning;
    case Op::kEq:
    case Op::kDistinct:
      return store.sort(store.args(term)[0]) == ir::kBoolSort ? meaning : Op::kNone;
    case Op::kIte: return store.sort(term) == ir::kBoolSort ? meaning : Op::kNone;
    default: return Op::kNone;
  }
}

Skeleton skeleton_of(const ir::TermStore& store, TermId formula) {
  Skeleton skeleton;
  std::vector<TermId> stack = {formula};
  while (!stack.empty()) {
    const TermId term = without_annotations(store, stack.back());
    stack.pop_back();
    const Op op = connective_of(store, term);
    auto args = store.args(term);
    if (op == Op::kForall || op == Op::kExists) args = args.last(1);
    if (op == Op::kNone) args = {};
    skeleton.nodes.push_back({op, static_cast<uint32_t>(args.size())});
    if (skeleton.nodes.size() + stack.size() + args.size() > kMaxSkeletonNodes) return {};
    stack.insert(stack.end(), args.rbegin(), args.rend());
  }
  return skeleton;
}

std::string to_text(const Skeleton& skeleton) {
  std::string text;
  std::vector<uint32_t> left;  // arguments that each open connective still gets
  for (const Skeleton::Node& node : skeleton.nodes) {
    if (!text.empty()) text += ' ';
    if (!left.empty()) --left.back();
    if (node.op == Op::kNone) {
      text += '_';
    } else {
      text += '(';
      text += word_of(node.op)->text;
      left.push_back(node.arity);
    }
    for (; !left.empty() && left.back() == 0; left.pop_back()) text += ')';
  }
  return text;
}

base::Result<Skeleton> parse_skeleton(std::string_view text) {
  Skeleton skeleton;
  std::vector<Open> open;
  smtlib::Lexer lexer(text);
  bool is_complete = false;
  for (auto token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (is_complete) return bad("a skeleton is one expression");
    if (skeleton.nodes.size() >= kMaxSkeletonNodes) {
      return bad(fmt::format("a skeleton of more than {} nodes", kMaxSkeletonNodes));
    }
    if (token.kind == TokenKind::kClose) {
      if (open.empty()) return bad("')' without '(' in a skeleton");
      const auto [node, arity] = open.back();
      open.pop_back();
      const Word* word = word_of(skeleton.nodes[node].op);
      if (arity < word->least || arity > word->most) {
        return bad(fmt::format("'{}' with {} arguments in a skeleton", word->text, arity));
      }
      skeleton.nodes[node].arity = arity;
      is_complete = open.empty();
      continue;
    }
    if (!open.empty()) ++open.back().arity;
    if (token.kind == TokenKind::kSymbol && token.text == "_") {
      skeleton.nodes.push_back({});
      is_complete = open.empty();
      continue;
    }
    if (token.kind == TokenKind::kOpen) token = lexer.next();
    const Word* word = token.kind == TokenKind::kSymbol ? word_named(token.text) : nullptr;
    if (word == nullptr) {
      return bad(
          fmt::format("'{}' is not a connective of a skeleton", base::shown(token.text, 20)));
    }
    open.push_back({static_cast<uint32_t>(skeleton.nodes.size()), 0});
    skeleton.nodes.push_back({word->op, 0});
  }
  if (!is_complete) return bad("the skeleton does not end");
  return skeleton;
}

}  // namespace elenchus::history
