#include "mutate/edit/stock.h"

#include <unordered_map>
#include <utility>

#include "ir/apply.h"
#include "ir/walk.h"

namespace elenchus::mutate::edit {

using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

// Copies one term into a piece. Fails where something belongs to the script that it comes from.
class Stock::Copier {
 public:
  explicit Copier(const ir::TermStore& store) : store_(store) {}

  bool copy(TermId root) {
    std::vector<TermId> pending = {root};
    while (!pending.empty()) {
      const TermId term = pending.back();
      if (nodes_.contains(term.value)) {
        pending.pop_back();
        continue;
      }
      if (piece.nodes.size() + pending.size() > 2 * kMostNodes) return false;
      const size_t before = pending.size();
      if (!is_hole(term)) {
        for (const TermId arg : store_.args(term)) {
          if (!nodes_.contains(arg.value)) pending.push_back(arg);
        }
      }
      if (pending.size() > before) continue;
      pending.pop_back();
      if (!add(term)) return false;
    }
    return piece.nodes.size() <= kMostNodes && piece.nodes.back().op != Op::kNone;
  }

  Piece piece;

 private:
  bool is_hole(TermId term) const {
    const Op op = store_.op(term);
    return op == Op::kVar || (op == Op::kCall && store_.args(term).empty());
  }

  bool add(TermId term) {
    const Op op = store_.op(term);
    Node node{.op = op, .sort = 0, .text = {}, .indices = {}, .args = {}};
    if (!add_sort(store_.sort(term), node.sort)) return false;
    if (is_hole(term)) {
      node.op = Op::kNone;
    } else if (op >= Op::kIntLiteral && op <= Op::kStringLiteral) {
      node.text = store_.literal_text(term);
    } else if (op <= Op::kUnknownText || op >= Op::kCount || !add_indices(term, node)) {
      return false;
    }
    if (node.op != Op::kNone) {
      for (const TermId arg : store_.args(term)) node.args.push_back(nodes_.at(arg.value));
    }
    nodes_.emplace(term.value, static_cast<uint32_t>(piece.nodes.size()));
    piece.nodes.push_back(std::move(node));
    return true;
  }

  bool add_indices(TermId term, Node& node) const {
    if (store_.payload(term) == 0) return true;
    if (ir::has_function_indices(store_, term)) return false;
    for (const uint32_t index : store_.indices(term)) {
      if ((index & ir::kSymbolIndex) != 0) return false;
      node.indices.push_back(index);
    }
    return true;
  }

  // Sorts are not deep (ir::kMaxSortDepth).
  bool add_sort(SortId sort, uint32_t& position) {
    const ir::SortNode node = store_.sorts()[sort];
    const bool is_own = node.kind >= SortKind::kUninterpreted || node.kind == SortKind::kUnknown ||
                        node.kind == SortKind::kFiniteField;
    if (is_own) return false;
    if (const auto known = sorts_.find(sort.value); known != sorts_.end()) {
      position = known->second;
      return true;
    }
    Sort copy{.kind = node.kind, .a = node.a, .b = node.b, .children = {}};
    for (const SortId child : store_.sorts().children(sort)) {
      copy.children.push_back(0);
      if (!add_sort(child, copy.children.back())) return false;
    }
    position = static_cast<uint32_t>(piece.sorts.size());
    piece.sorts.push_back(std::move(copy));
    sorts_.emplace(sort.value, position);
    return true;
  }

  const ir::TermStore& store_;
  std::unordered_map<uint32_t, uint32_t> nodes_;  // by term
  std::unordered_map<uint32_t, uint32_t> sorts_;
};

std::string Stock::key_of(const ir::TermStore& store, SortId sort) {
  return ir::describe_sort(store, sort);
}

std::vector<SortId> Stock::sorts_of(ir::TermStore& store, const Piece& piece) {
  std::vector<SortId> sorts;
  for (const Sort& sort : piece.sorts) {
    if (sort.kind < SortKind::kBitVec) {
      sorts.push_back(SortId{static_cast<uint32_t>(sort.kind)});
      continue;
    }
    std::vector<SortId> children;
    for (const uint32_t child : sort.children) children.push_back(sorts[child]);
    sorts.push_back(store.sorts().make(sort.kind, sort.a, sort.b, children));
  }
  return sorts;
}

TermId Stock::built(ir::TermStore& store, const Node& node, SortId sort,
                    const std::vector<TermId>& made) {
  switch (node.op) {
    case Op::kIntLiteral: return store.int_literal(node.text);
    case Op::kRealLiteral: return store.real_literal(node.text);
    case Op::kBitsLiteral: return store.bits_literal(node.text);
    case Op::kStringLiteral: return store.string_literal(node.text);
    default: break;
  }
  // The next script has given the name another meaning.
  if (store.is_function_name(store.ops().info(node.op).name)) return {};
  std::vector<TermId> args;
  for (const uint32_t arg : node.args) args.push_back(made[arg]);
  const uint32_t payload = node.indices.empty() ? 0 : store.index_list(node.indices).value;
  return store.make(node.op, sort, payload, args);
}

void Stock::add(const ir::TermStore& store, const ir::Script& script, base::Rng& rng) {
  if (capacity_ == 0) return;
  std::vector<TermId> chosen;
  uint64_t met = 0;
  ir::Walker walker(store);
  for (const ir::Command& command : script.commands) {
    if (!ir::has_term(command.kind)) continue;
    walker.walk(command.term, [&](TermId term) {
      if (store.args(term).empty() || store.op(term) <= Op::kUnknownText) return;
      ++met;
      if (chosen.size() < kOfScript) {
        chosen.push_back(term);
      } else if (const uint64_t draw = rng.below(met); draw < kOfScript) {
        chosen[draw] = term;
      }
    });
  }
  for (const TermId term : chosen) {
    Copier copier(store);
    if (!copier.copy(term)) continue;
    auto& bucket = pieces_[key_of(store, store.sort(term))];
    if (size_ < capacity_) {
      ++size_;
      bucket.push_back(std::move(copier.piece));
    } else if (!bucket.empty()) {
      bucket[rng.below(bucket.size())] = std::move(copier.piece);
    }
  }
}

size_t Stock::count(const ir::TermStore& store, SortId sort) const {
  const auto found = pieces_.find(key_of(store, sort));
  return found == pieces_.end() ? 0 : found->second.size();
}

}  // namespace elenchus::mutate::edit
