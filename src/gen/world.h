#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "gen/grammar_settings.h"
#include "gen/vocabulary.h"
#include "ir/logic.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::gen {

// What one script is about: some of the sorts that its logic has, datatypes, functions, and
// variables, which are declared when they are first wanted.
class World {
 public:
  static constexpr size_t kMaxParams = 3;

  // A function that terms may call, with the sorts of this use of it.
  struct Callable {
    ir::FunId fun;
    ir::SortId result;
    ir::SortId as;  // where the call must say its sort
    std::array<ir::SortId, kMaxParams> params;
    uint32_t param_count = 0;
    uint32_t weight = 0;
  };

  // Everyone of the audience knows the sorts.
  World(ir::TermStore& store, base::Rng& rng, const ir::Logic& logic, uint16_t audience,
        const GrammarSettings& settings);

  const ir::Logic& logic() const { return logic_; }
  uint16_t audience() const { return audience_; }
  // Of the sorts, and of those whose values go with them.
  KindMask kinds() const { return kinds_; }
  bool has(ir::SortKind kind) const { return (kinds_ & mask_of(kind)) != 0; }
  std::span<const ir::SortId> sorts() const { return sorts_; }
  std::span<const Callable> callables() const { return callables_; }
  std::span<const ir::FunId> functions() const { return functions_; }

  // A sort of this kind, or of any kind that can be compared; none when there is none.
  ir::SortId any_sort(ir::SortKind kind);
  // Some variable; none where solvers have no variables of the sort.
  ir::TermId variable(ir::SortId sort);
  // All variables so far, in the order of their declaration.
  std::span<const ir::FunId> variables() const { return variables_; }

  void add_definition(ir::FunId fun);
  // A name that the script does not have yet.
  ir::SymbolId new_name(std::string_view prefix);
  // Appends what declares all this; variables that are wanted later are not among it.
  void declare(ir::Script& script) const;

 private:
  void draw_features();
  void add_plain_sorts();
  void add_bit_vectors();
  void add_floats();
  void add_free_sorts();
  void add_arrays();
  void add_containers();
  void add_datatypes();
  void add_functions();

  struct Fields {
    std::array<ir::SortId, kMaxParams> sorts;
    uint32_t count = 0;
  };
  Fields draw_fields(bool may_recur, std::span<const ir::SortId> recursive);
  ir::SortId new_datatype(bool has_parameter);
  void add_constructors(ir::SortId self, std::span<const ir::SortId> recursive);
  void add_constructor(ir::SortId self, uint32_t position, const Fields& fields);
  void add_uses(ir::SortId instance);
  void add_callable(ir::FunId fun, ir::SortId result, ir::SortId as,
                    std::span<const ir::SortId> params, uint32_t weight);

  void add(ir::SortId sort);
  // What most have and some must do without.
  static constexpr uint64_t kWithoutOneIn = 4;
  bool likely() { return !rng_.one_in(kWithoutOneIn); }
  bool has_plain_arrays() const {
    return logic_.arrays && logic_.bit_vectors && !logic_.everything;
  }
  ir::SortId element();

  ir::TermStore& store_;
  base::Rng& rng_;
  const ir::Logic& logic_;
  const GrammarSettings& settings_;
  uint16_t audience_;
  KindMask wanted_ = 0;  // kinds that this script is to have
  KindMask kinds_ = 0;
  uint32_t names_ = 0;
  std::vector<ir::SortId> sorts_;
  std::vector<ir::SortId> elements_;  // sorts that others may be made of
  std::vector<ir::SymbolId> free_sorts_;
  std::vector<uint32_t> datatypes_;  // DatatypeIds
  std::vector<ir::FunId> functions_;
  std::vector<Callable> callables_;
  std::vector<ir::FunId> variables_;
  std::vector<std::pair<ir::SortId, std::vector<ir::TermId>>> by_sort_;
};

// Solvers have no variables of the others.
bool can_be_variable(ir::SortKind kind);

}  // namespace elenchus::gen
