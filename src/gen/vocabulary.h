#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/logic.h"
#include "ir/op_table.h"

namespace elenchus::gen {

inline constexpr size_t kSortKinds = ir::kSortKindCount;

// A set of sort kinds.
using KindMask = uint32_t;
static_assert(kSortKinds <= 32);
constexpr KindMask mask_of(ir::SortKind kind) { return KindMask{1} << static_cast<uint32_t>(kind); }

// Names of operators; null: all that there are.
using OperatorSet = std::shared_ptr<const std::set<std::string, std::less<>>>;

struct VocabularySettings {
  OperatorSet only = {};  // the operators that terms are made of
  // Solvers in use, as readers of the table. Operators that none of them reads are left out.
  uint16_t solvers = ir::kDebianReaders;
  // Operators that a solver has for its own use, such as z3's div0 and bvudiv_i. Their maintainers
  // want no reports about them.
  bool internal_operators = false;
  // Theories that want declarations of their own (the heap of separation logic), or that z3 knows
  // only where no logic is named (special relations): for scripts that have them already.
  bool separation_logic = false;
  bool special_relations = false;
};

// One way of applying an operator.
struct Choice {
  ir::Op op = ir::Op::kNone;
  const ir::Signature* signature = nullptr;
  uint16_t readers = 0;
  uint8_t weight = 1;
  bool many = false;   // solvers read more arguments than the signature lists
  KindMask needs = 0;  // kinds of the parameters that are no sort variables
};

// The operators that may be used for one logic and set of solvers, by the kind of their result.
// Immutable; refers to the table that it was made from.
class Vocabulary {
 public:
  Vocabulary(const ir::OpTable& table, const ir::Logic& logic,
             const VocabularySettings& settings = {});

  const ir::Logic& logic() const { return logic_; }

  // Who reads the operator in scripts of this logic.
  uint16_t readers(const ir::OpTable& table, ir::Op op) const;

  // Operators whose result may be of this kind, among them those whose result is a sort variable.
  std::span<const Choice> for_result(ir::SortKind kind) const {
    return by_result_[static_cast<size_t>(kind)];
  }

 private:
  void add(const ir::OpTable& table, ir::Op op, const ir::Signature& signature,
           const VocabularySettings& settings);
  bool admits(const ir::Signature& signature) const;

  ir::Logic logic_;
  std::array<std::vector<Choice>, kSortKinds> by_result_;
};

}  // namespace elenchus::gen
