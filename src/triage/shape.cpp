// Two formulas are the same up to renaming if their graphs are; deciding that in general is hard,
// so symbols are told apart by colours: at first their sort and arity, then, for a few rounds,
// where they stand (the operators above them, and the colours of what stands beside them).
// Arguments that may be swapped are ordered by the colours of what they hold. Symbols that keep the
// same colour are nearly always interchangeable; where they are not, two equal formulas can get
// different shapes, never different formulas the same one.

#include "triage/shape.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "ir/script_parts.h"
#include "ir/script_stats.h"
#include "ir/walk.h"

namespace elenchus::triage {
namespace {

using base::hash_mix;
using ir::Op;
using ir::TermId;

constexpr int kRounds = 3;
constexpr size_t kMaxText = 400;

std::vector<TermId> claims_of(const ir::TermStore& store, const ir::Script& script) {
  std::vector<TermId> claims;
  for (const ir::Command& command : script.commands) {
    if (ir::has_term(command.kind)) claims.push_back(command.term);
    for (const uint32_t item : script.items(command)) {
      if (command.kind == ir::CommandKind::kCheckSatAssuming) claims.push_back(TermId{item});
      if (!ir::is_definition(command.kind)) continue;
      const TermId body = store.fun(ir::FunId{item}).body;
      if (body.valid()) claims.push_back(body);
    }
  }
  return claims;
}

class Shaper {
 public:
  Shaper(const ir::TermStore& store, std::vector<TermId> claims)
      : store_(store), claims_(std::move(claims)) {
    ir::Walker walker(store_);
    for (const TermId claim : claims_) {
      walker.walk(claim, [&](TermId term) { order_.push_back(term); });
    }
    std::sort(order_.begin(), order_.end());
  }

  std::string run() {
    for (int round = 0; round < kRounds; ++round) {
      hash_up();
      colour_down();
    }
    hash_up();
    sort_by_hash(claims_);
    std::string text;
    for (const TermId claim : claims_) {
      if (!text.empty()) text += ' ';
      write(claim, text);
    }
    if (text.size() <= kMaxText) return text;
    const uint64_t hash = base::hash_bytes(text);
    return fmt::format("{}...{:016x}", text.substr(0, kMaxText), hash);
  }

 private:
  // What tells two symbols apart is a colour: of a variable its own, of a function its own.
  uint64_t symbol_of(TermId term) const {
    if (store_.op(term) == Op::kVar) return uint64_t{1} << 32 | term.value;
    return store_.payload(term);
  }

  bool is_symbol(TermId term) const {
    const Op op = store_.op(term);
    return op == Op::kVar || op == Op::kCall || op == Op::kFunRef;
  }

  bool is_truth_value(TermId term) const {
    return store_.op(term) == Op::kTrue || store_.op(term) == Op::kFalse;
  }

  bool is_commutative(TermId term) const {
    const Op op = store_.meaning(term);
    if (op <= Op::kUnknownText) return false;
    const auto& signatures = store_.ops().info(op).signatures;
    return !signatures.empty() && signatures.front().commutative;
  }

  std::vector<TermId> parts_of(TermId term) const {
    const auto [first, end] = ir::proper_args(store_, term);
    const auto args = store_.args(term);
    return {args.begin() + first, args.begin() + end};
  }

  uint64_t kind_of(TermId term) const {
    if (ir::is_constant_value(store_, term) && !is_truth_value(term)) {
      return static_cast<uint64_t>(Op::kIntLiteral);
    }
    return static_cast<uint64_t>(store_.meaning(term));
  }

  uint64_t colour_of(TermId term) {
    const auto sort = static_cast<uint64_t>(store_.sorts().kind(store_.sort(term)));
    const uint64_t first = hash_mix(sort, store_.args(term).size());
    return colours_.try_emplace(symbol_of(term), first).first->second;
  }

  void hash_up() {
    for (const TermId term : order_) {
      if (store_.op(term) == Op::kAnnotated) {
        hashes_[term.value] = hashes_[store_.args(term)[0].value];
        continue;
      }
      uint64_t hash = hash_mix(kind_of(term), is_symbol(term) ? colour_of(term) : 0);
      std::vector<uint64_t> parts;
      for (const TermId part : parts_of(term)) parts.push_back(hashes_[part.value]);
      if (is_commutative(term)) std::sort(parts.begin(), parts.end());
      for (const uint64_t part : parts) hash = hash_mix(hash, part);
      hashes_[term.value] = hash;
    }
  }

  // Symbols by where they stand; sums, since the order of the places does not count.
  void colour_down() {
    std::unordered_map<uint32_t, uint64_t> places;
    for (const TermId claim : claims_) places[claim.value] += 1;
    std::unordered_map<uint64_t, uint64_t> found;
    for (size_t i = order_.size(); i-- > 0;) {
      const TermId term = order_[i];
      const uint64_t place = places[term.value];
      if (is_symbol(term)) found[symbol_of(term)] += hash_mix(place, hashes_[term.value]);
      const bool is_loose = is_commutative(term);
      const auto parts = parts_of(term);
      for (size_t k = 0; k < parts.size(); ++k) {
        places[parts[k].value] += hash_mix(hash_mix(place, hashes_[term.value]), is_loose ? 0 : k);
      }
    }
    for (auto& [symbol, colour] : colours_) colour = hash_mix(colour, found[symbol]);
  }

  void sort_by_hash(std::vector<TermId>& terms) const {
    std::stable_sort(terms.begin(), terms.end(),
                     [&](TermId a, TermId b) { return hashes_.at(a.value) < hashes_.at(b.value); });
  }

  std::string word_of(TermId term) {
    if (ir::is_constant_value(store_, term) && !is_truth_value(term)) return "c";
    if (!is_symbol(term)) return ir::op_label(store_, store_.meaning(term));
    const bool is_plain = store_.args(term).empty() && store_.op(term) != Op::kFunRef;
    const auto number = numbers_.try_emplace(symbol_of(term), numbers_.size() + 1).first->second;
    return fmt::format("{}{}", is_plain ? 'x' : 'f', number);
  }

  void write(TermId claim, std::string& text) {
    struct Task {
      TermId term;  // none: a closing parenthesis
      bool spaced;
    };
    std::vector<Task> todo = {{claim, false}};
    while (!todo.empty() && text.size() <= 2 * kMaxText) {
      const Task task = todo.back();
      todo.pop_back();
      if (!task.term.valid()) {
        text += ')';
        continue;
      }
      if (task.spaced) text += ' ';
      TermId term = task.term;
      while (store_.op(term) == Op::kAnnotated) term = store_.args(term)[0];
      std::vector<TermId> parts = parts_of(term);
      if (parts.empty()) {
        text += word_of(term);
        continue;
      }
      if (is_commutative(term)) sort_by_hash(parts);
      text += '(' + word_of(term);
      todo.push_back({{}, false});
      for (size_t i = parts.size(); i-- > 0;) todo.push_back({parts[i], true});
    }
    // What is too long to be told is told by its hash.
    if (!todo.empty()) text += fmt::format(" {:016x}", hashes_.at(claim.value));
  }

  const ir::TermStore& store_;
  std::vector<TermId> claims_;
  std::vector<TermId> order_;  // arguments first: their ids are smaller
  std::unordered_map<uint32_t, uint64_t> hashes_;
  std::unordered_map<uint64_t, uint64_t> colours_;
  std::unordered_map<uint64_t, uint64_t> numbers_;
};

}  // namespace

std::string shape(const ir::TermStore& store, const ir::Script& script) {
  return Shaper(store, claims_of(store, script)).run();
}

}  // namespace elenchus::triage
