#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/chunked_array.h"
#include "base/hash_index.h"
#include "base/prefetch.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/op_table.h"
#include "ir/sort.h"
#include "ir/symbol.h"
#include "ir/term_index.h"

namespace elenchus::ir {

enum class FunKind : uint8_t {
  kDeclared,
  kDefined,
  kRecursive,
  kConstructor,
  kSelector,
  kNamed,  // (! t :named f)
};

// A function, or with no parameters a constant, that a script introduced. One name may stand for
// several (overloads, or redeclarations after a pop).
struct FunDecl {
  SymbolId name;
  FunKind kind = FunKind::kDeclared;
  bool polymorphic = false;  // its sorts contain sort variables
  bool needs_as = false;     // ... one of which no argument determines: written (as f S)
  SortId result;
  uint32_t first_param = 0;
  uint32_t param_count = 0;
  uint32_t first_formal = 0;  // the parameters' variables, when there is a body
  TermId body;
  TermId constant;      // the term that calls it, when it has no parameters and needs no `as`
  DatatypeId datatype;  // of constructors and selectors
  uint32_t constructor = 0;
  uint32_t field = 0;
};

struct Constructor {
  FunId fun;
  std::vector<FunId> selectors;
};

// An algebraic datatype. Its constructors' and selectors' sorts mention `parameters`.
struct Datatype {
  SymbolId name;
  std::vector<SortId> parameters;
  std::vector<Constructor> constructors;
  bool is_codatatype = false;
};

// Facts about a term that hold as soon as they hold below it.
enum TermFlag : uint8_t {
  kHasVariables = 1,  // free or bound
  kHasBinders = 2,
  kHasUnknown = 4,  // an operator, text or sort that we do not know
  kHasNamed = 8,    // an annotation with :named, or a use of such a name
};

// All terms of a worker, hash-consed: equal terms have equal ids, and a term's id is larger than
// those of its arguments. Names, sorts and functions live here too. Not thread-safe: each worker
// owns one. Spans that it returns stay good until a rollback.
class TermStore {
 public:
  explicit TermStore(std::shared_ptr<const OpTable> ops = OpTable::standard());

  const OpTable& ops() const { return *ops_; }
  SymbolTable& symbols() { return symbols_; }
  const SymbolTable& symbols() const { return symbols_; }
  SortTable& sorts() { return sorts_; }
  const SortTable& sorts() const { return sorts_; }

  // --- Terms. ---

  // The term with these parts; nothing is checked (see apply.h for typed construction).
  TermId make(Op op, SortId sort, uint32_t payload, std::span<const TermId> args);

  // The same in steps, for TermBatch: work out where the term must be, start loading that memory,
  // then that of the term which may be there already, look.
  struct Key {
    uint32_t home;
    uint32_t hash;
  };
  // `newest` is the argument with the largest id, and whether it has no arguments itself.
  struct Newest {
    TermId term;
    bool is_leaf = true;
  };
  static Key key_of(Op op, SortId sort, uint32_t payload, std::span<const TermId> args,
                    Newest newest);
  void prefetch(Key key) const { term_index_.prefetch(key.home); }
  void prefetch_candidate(Key key) const {
    base::prefetch(&nodes_[term_index_.candidate(key.home, key.hash)]);
  }
  // `flags`: what flags() says of the term.
  TermId make(Key key, uint8_t flags, Op op, SortId sort, uint32_t payload,
              std::span<const TermId> args);
  uint8_t flags(TermId term) const { return nodes_[term.value].flags; }

  // Makes room for that many more terms at once.
  void reserve_terms(uint32_t more);

  // Ids are below this number.
  static constexpr uint32_t kMaxTerms = 1U << 30;

  Op op(TermId term) const { return nodes_[term.value].op; }
  // The operator whose meaning the term has: other spellings resolved.
  Op meaning(TermId term) const { return ops_->meaning(op(term)); }
  SortId sort(TermId term) const { return nodes_[term.value].sort; }
  uint32_t payload(TermId term) const { return nodes_[term.value].payload; }
  std::span<const TermId> args(TermId term) const { return args_of(nodes_[term.value]); }
  bool has(TermId term, TermFlag flag) const { return (nodes_[term.value].flags & flag) != 0; }

  // One past the largest term id. Ids below it are all in use, from 1 on.
  uint32_t term_count() const { return nodes_.size(); }

  // --- Literals, by their canonical text (num/literal.h). ---

  TermId int_literal(std::string_view digits);
  // Integers below kSmallInts are found by their value. The first prefetch starts loading what
  // small_int() will read, the second what it takes to make a new one.
  static constexpr uint32_t kSmallInts = 1U << 20;
  TermId small_int(uint32_t value);
  void prefetch_small_int(uint32_t value) const {
    if (value < small_ints_.size()) base::prefetch(&small_ints_[value]);
  }
  void prefetch_new_small_int(uint32_t value) const;
  TermId real_literal(std::string_view decimal);
  TermId bits_literal(std::string_view literal);
  TermId string_literal(std::string_view canonical);
  std::string_view literal_text(TermId term) const {
    return symbols_.text(SymbolId{payload(term)});
  }

  // --- Variables and binders. ---

  // Variables of one name and sort with different levels are different.
  TermId variable(SymbolId name, SortId sort, uint32_t level);
  SymbolId variable_name(TermId variable) const { return SymbolId{indices(variable)[0]}; }
  uint32_t variable_level(TermId variable) const { return indices(variable)[1]; }
  // A variable like this one with a level that no existing variable of its name and sort has.
  TermId fresh_variable(TermId like);

  // For binders: how many leading arguments are bound variables.
  uint32_t bound_count(TermId binder) const;
  std::span<const TermId> bound_variables(TermId binder) const {
    return args(binder).first(bound_count(binder));
  }

  // --- Index lists: numbers and symbols that belong to a node. ---

  IndexListId index_list(std::span<const uint32_t> indices);
  std::span<const uint32_t> index_list(IndexListId list) const;
  // Of a term whose payload is an index list.
  std::span<const uint32_t> indices(TermId term) const {
    return index_list(IndexListId{payload(term)});
  }

  // --- Functions and datatypes. ---

  FunId declare(SymbolId name, FunKind kind, std::span<const SortId> params, SortId result);
  void define(FunId fun, std::span<const TermId> formals, TermId body);
  FunDecl& fun(FunId id) { return funs_[id.value]; }
  const FunDecl& fun(FunId id) const { return funs_[id.value]; }
  uint32_t fun_count() const { return funs_.size(); }
  std::span<const SortId> params(FunId id) const {
    return params_.view(fun(id).first_param, fun(id).param_count);
  }
  std::span<const TermId> formals(FunId id) const {
    if (!fun(id).body.valid()) return {};
    return formals_.view(fun(id).first_formal, fun(id).param_count);
  }
  FunId callee(TermId term) const { return FunId{payload(term)}; }
  // Whether some function has or had this name.
  bool is_function_name(SymbolId name) const {
    return name.value < function_names_.size() && function_names_[name.value] != 0;
  }

  // Whether some bound variable has this name.
  bool is_variable_name(SymbolId name) const {
    return name.value < variable_names_.size() && variable_names_[name.value] != 0;
  }

  DatatypeId new_datatype(SymbolId name);
  Datatype& datatype(DatatypeId id) { return datatypes_[id.value]; }
  const Datatype& datatype(DatatypeId id) const { return datatypes_[id.value]; }

  // --- Going back. ---

  // A point in time. Everything made later can be dropped at once.
  struct Mark {
    uint32_t symbols, sorts, terms, args, lists, list_words, funs, params, formals, datatypes;
  };
  Mark mark() const;
  // Drops all that was made since. Tables kept by term id must notice: see TermCache.
  void rollback(const Mark& mark);

  // Grows with every rollback.
  uint64_t generation() const { return generation_; }
  // The fewest terms there were after any rollback since that generation.
  uint32_t stable_terms(uint64_t generation) const;

 private:
  static constexpr uint32_t kInlineArgs = 2;
  static constexpr uint32_t kManyArgs = 255;  // then the count lies before the arguments

  // Most terms have few arguments, and looking a term up compares them: they lie in the node.
  struct Node {
    Op op = Op::kNone;
    uint8_t flags = 0;
    uint8_t small_arg_count = 0;
    SortId sort;
    uint32_t payload = 0;
    TermId args[kInlineArgs];  // or, in the first, where in args_ they start
  };

  std::span<const TermId> args_of(const Node& node) const {
    const uint32_t count = node.small_arg_count;
    if (count <= kInlineArgs) return {node.args, count};
    const uint32_t first = node.args[0].value;
    return args_.view(first, count < kManyArgs ? count : args_[first - 1].value);
  }
  uint8_t flags_of(Op op, SortId sort, uint32_t payload, std::span<const TermId> args) const;
  Newest newest_of(std::span<const TermId> args) const;
  Key key_of(TermId term) const {
    return key_of(op(term), sort(term), payload(term), args(term), newest_of(args(term)));
  }
  void drop_last_term();
  TermId literal(Op op, SortId sort, std::string_view text);

  std::shared_ptr<const OpTable> ops_;
  SymbolTable symbols_;
  SortTable sorts_;

  base::ChunkedArray<Node> nodes_;
  base::ChunkedArray<TermId> args_;
  TermIndex term_index_;
  std::vector<TermId> small_ints_;  // int literals below kSmallInts, by value

  struct IndexList {
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t hash = 0;
  };
  base::ChunkedArray<IndexList> lists_;
  base::ChunkedArray<uint32_t> list_words_;
  base::HashIndex list_index_;

  base::ChunkedArray<FunDecl> funs_;
  base::ChunkedArray<SortId> params_;
  base::ChunkedArray<TermId> formals_;
  std::vector<uint32_t> function_names_;  // by symbol: how many functions have this name
  std::vector<uint32_t> variable_names_;  // by symbol: how many variables have this name
  std::vector<Datatype> datatypes_;

  SymbolId named_keyword_;
  uint64_t generation_ = 0;
  struct Floor {
    uint64_t generation;
    uint32_t terms;
  };
  std::vector<Floor> floors_;  // rollbacks that went deeper than all later ones
};

}  // namespace elenchus::ir
