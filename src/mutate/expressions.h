#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gen/vocabulary.h"
#include "ir/free_variables.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// Commands of a script at which something is in force, by their places in the seed: the first one
// and the last one.
struct Span {
  static constexpr uint32_t kForever = UINT32_MAX;
  uint32_t from = 0;
  uint32_t to = kForever;

  bool holds(uint32_t at) const { return from <= at && at <= to; }
  Span operator&(Span other) const {
    return {from > other.from ? from : other.from, to < other.to ? to : other.to};
  }
};

// The expressions of a script and of its mutants: what they depend on, how many occurrences they
// hold, and which of them may be used again, by sort. Facts are worked out when they are asked for,
// once for each term, and the memory serves one script after the other.
class Expressions {
 public:
  // What counts as an occurrence to be replaced.
  enum class Targets : uint8_t { kAll, kOperators };

  struct Facts {
    uint64_t size = 0;    // as a tree
    uint64_t places = 0;  // occurrences in it that may be replaced
    Span span;            // where all its functions and sorts are in force
    uint32_t epoch = 0;
    bool is_target = false;  // may be replaced where it stands
    bool is_open = false;    // occurrences below it may be replaced
    bool is_pooled = false;
  };

  // Forgets all about earlier scripts.
  void start(const ir::TermStore& store, const ir::Script& script, Targets targets);

  // Good until the next call.
  const Facts& facts(ir::TermId term);
  // Sorted by id; empty once exhausted().
  std::span<const ir::TermId> free_variables(ir::TermId term) { return free_->of(term); }
  // Thousands of nested binders need too much memory; then free variables cannot be relied on.
  bool exhausted() const { return free_ && free_->exhausted(); }

  // The term and everything below it become expressions to be used again, as far as they may.
  void add_all(ir::TermId root);
  void add(ir::TermId term);

  std::span<const ir::TermId> of_sort(ir::SortId sort) const;
  std::span<const ir::SortId> sorts() const { return sorts_; }
  std::span<const ir::SortId> sorts(ir::SortKind kind) const {
    return sorts_by_kind_[static_cast<size_t>(kind)];
  }
  gen::KindMask kinds() const { return kinds_; }

  // Functions of the script with parameters, by result; those whose sorts have parameters.
  std::span<const ir::FunId> functions(ir::SortId result) const;
  std::span<const ir::FunId> polymorphic_functions() const { return polymorphic_; }
  Span span(ir::FunId fun) const;
  // Another function that takes the place of this one.
  void add_function(ir::FunId fun, Span span);
  // Who reads all operators of the script.
  uint16_t readers() const { return readers_; }
  // Whether the script has operators of the theory.
  bool uses(ir::Theory theory) const {
    return (theories_ >> static_cast<uint32_t>(theory) & 1U) != 0;
  }

 private:
  struct Bucket {
    uint32_t epoch = 0;
    std::vector<ir::TermId> terms;
    std::vector<ir::FunId> functions;
  };

  void collect_spans(const ir::Script& script);
  void collect_used_names(const ir::Script& script);
  Facts compute(ir::TermId term);
  Span own_span(ir::TermId term);
  Span sort_span(ir::SortId sort);
  bool is_target(ir::TermId term) const;
  bool is_open(ir::TermId term) const;
  bool has_used_name(ir::TermId annotated) const;
  Bucket& bucket(ir::SortId sort);

  const ir::TermStore* store_ = nullptr;
  Targets targets_ = Targets::kAll;
  uint32_t epoch_ = 0;
  std::optional<ir::FreeVariables> free_;
  std::vector<Facts> facts_;  // by term
  std::vector<ir::TermId> stack_;

  std::vector<Bucket> buckets_;  // by sort
  std::vector<ir::SortId> sorts_;
  std::array<std::vector<ir::SortId>, gen::kSortKinds> sorts_by_kind_;
  gen::KindMask kinds_ = 0;

  std::unordered_map<uint32_t, Span> function_spans_;
  std::unordered_map<uint32_t, Span> sort_name_spans_;
  std::unordered_map<uint32_t, Span> datatype_spans_;
  std::unordered_map<uint32_t, Span> sort_spans_;
  std::vector<ir::FunId> polymorphic_;
  std::unordered_set<uint32_t> used_names_;  // symbols of :named terms that something refers to
  uint16_t readers_ = 0xFFFF;
  uint32_t theories_ = 0;
};

}  // namespace elenchus::mutate
