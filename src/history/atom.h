#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "history/constant_class.h"
#include "ir/measure.h"
#include "ir/term_store.h"
#include "ir/walk.h"

namespace elenchus::history {

// A function that an atom uses: what it is called follows from its sorts, so that the same name has
// the same sorts in every atom.
struct Declaration {
  std::string name;
  std::string sorts;  // "(Int Int) Bool"

  bool operator==(const Declaration&) const = default;
};

// An atom with uniform names, as text; or its shape, where names stand for the constants as well.
struct NamedAtom {
  std::string text;
  std::vector<Declaration> declarations;
};

// Atoms of more nodes, or over more uninterpreted sorts, are not kept as text.
inline constexpr uint64_t kMaxAtomNodes = 100;
inline constexpr uint32_t kMaxAtomSorts = 4;

// The text of a shape has a name for each constant that says its class and sort: zero0_Int.
enum class Constants : uint8_t { kKept, kClassed };

// The uninterpreted sorts that atoms may use: "(declare-sort U0 0)" and so on.
std::string sort_declarations();

// What a variable of this sort is called in atoms: v0_Int, v1_BitVec_8. `sort` is its text.
std::string variable_name(std::string_view sort, uint32_t number);
// What a function is called: f0_Int_Bool. `sorts` is "(Int) Bool".
std::string function_name(std::string_view sorts, uint32_t number);

// What the name of a variable or of a constant says.
struct LeafName {
  std::optional<ConstantClass> constant;  // none: a variable
  uint32_t number = 0;
};
LeafName parse_leaf_name(std::string_view name);

// The distinct atoms of a formula, in the order of the text.
std::vector<ir::TermId> atoms_of(const ir::TermStore& store, ir::TermId formula);

// Renames apart by sort: variables, bound outside of the atom or declared, become v0_Int, v1_Int;
// functions become f0_Int_Bool; uninterpreted sorts U0, U1.
class AtomNamer {
 public:
  // The renamed atoms are terms of this store as well; the caller rolls them back.
  explicit AtomNamer(ir::TermStore& store) : store_(store), walker_(store), measures_(store) {}

  // None when the atom cannot stand by itself: it has datatypes, operators that we do not know,
  // functions as values, or it is too large; nor where a constant is of no class.
  std::optional<NamedAtom> name(ir::TermId atom, Constants constants);

 private:
  struct Hooks;

  ir::TermId rebuilt(ir::TermId term, std::span<const ir::TermId> args);
  ir::TermId renamed_call(ir::TermId term, std::span<const ir::TermId> args);
  ir::TermId renamed_variable(ir::TermId variable);
  ir::TermId classed(ir::TermId literal);
  ir::SortId mapped(ir::SortId sort);
  ir::FunId function(std::string_view prefix, const std::vector<ir::SortId>& params,
                     ir::SortId result);

  ir::TermStore& store_;
  ir::Walker walker_;
  ir::Measures measures_;
  std::unordered_map<uint32_t, ir::FunId> functions_;  // by function
  std::unordered_map<uint32_t, ir::SortId> sorts_;     // by uninterpreted sort
  std::unordered_map<std::string, uint32_t> counts_;   // names given, by sorts
  std::unordered_map<uint32_t, bool> bound_;           // variables that the atom binds
  std::vector<Declaration> declarations_;
  Constants constants_ = Constants::kKept;
  bool is_good_ = true;
};

}  // namespace elenchus::history
