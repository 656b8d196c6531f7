#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate::edit {

// Small terms of the seeds that an engine has met. A store is rolled back after each seed, so they
// are kept in a form that can be made anew in any store: built-in operators, literals and sorts.
// Constants and variables are holes, to be filled with what the next script has.
class Stock {
 public:
  explicit Stock(size_t capacity) : capacity_(capacity) {}

  // Keeps some terms of the script; earlier ones make room.
  void add(const ir::TermStore& store, const ir::Script& script, base::Rng& rng);

  // How many there are of the sort.
  size_t count(const ir::TermStore& store, ir::SortId sort) const;
  // One of them, with `fill(sort)` for each hole. None when a hole stays open.
  template <typename Fill>
  ir::TermId make(ir::TermStore& store, ir::SortId sort, size_t which, Fill fill) const {
    const auto found = pieces_.find(key_of(store, sort));
    if (found == pieces_.end() || which >= found->second.size()) return {};
    const Piece& piece = found->second[which];
    const std::vector<ir::SortId> sorts = sorts_of(store, piece);
    std::vector<ir::TermId> made;
    for (const Node& node : piece.nodes) {
      const ir::SortId own = sorts[node.sort];
      if (!own.valid()) return {};
      const bool is_hole = node.op == ir::Op::kNone;
      made.push_back(is_hole ? fill(own) : built(store, node, own, made));
      if (!made.back().valid()) return {};
    }
    return made.back();
  }

  void clear() {
    pieces_.clear();
    size_ = 0;
  }

 private:
  static constexpr size_t kMostNodes = 16;
  static constexpr size_t kOfScript = 16;  // terms that are kept of one script

  struct Sort {
    ir::SortKind kind;
    uint32_t a, b;
    std::vector<uint32_t> children;  // positions of earlier ones
  };
  struct Node {
    ir::Op op;  // kNone: a hole
    uint32_t sort;
    std::string text;  // of a literal
    std::vector<uint32_t> indices;
    std::vector<uint32_t> args;  // positions of earlier ones
  };
  struct Piece {
    std::vector<Sort> sorts;
    std::vector<Node> nodes;  // arguments first
  };
  class Copier;

  static std::string key_of(const ir::TermStore& store, ir::SortId sort);
  static std::vector<ir::SortId> sorts_of(ir::TermStore& store, const Piece& piece);
  static ir::TermId built(ir::TermStore& store, const Node& node, ir::SortId sort,
                          const std::vector<ir::TermId>& made);

  size_t capacity_;
  std::map<std::string, std::vector<Piece>> pieces_;  // by sort
  size_t size_ = 0;
};

}  // namespace elenchus::mutate::edit
