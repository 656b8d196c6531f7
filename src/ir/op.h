#pragma once

#include <cstdint>

namespace elenchus::ir {

// What a term node is. The structural kinds have syntax of their own; everything else is a row of
// ops.def. Values from kCount on are other spellings and the operators that a user added: OpTable
// knows them.
enum class Op : uint16_t {
  kNone,

  kVar,         // a bound variable; payload: index of its name and shadowing level
  kIntLiteral,  // payload: SymbolId of the canonical text, here and in the next four
  kRealLiteral,
  kBitsLiteral,
  kStringLiteral,
  kFieldLiteral,      // an element of a finite field; the sort names the field
  kAlgebraicLiteral,  // a real number in a solver's notation, such as z3's root-obj
  kCall,              // a declared function, constructor or selector; payload: FunId
  kFunRef,            // a function as a value (higher order); payload: FunId
  kForall,            // binders: the bound variables, then the body
  kExists,
  kLambda,
  kChoice,         // cvc5's witness
  kComprehension,  // cvc5's set.comprehension; variables, then condition and element
  kMatch,          // the scrutinee, then kMatchCase terms
  kMatchCase,      // a binder; payload: FunId of the constructor, 0 for a variable or `_`
  kAnnotated,      // the term, then the terms of a :pattern; payload: IndexListId (keyword, value)
  kUnknownCall,    // an operator that we do not know; payload: SymbolId of its head as written
  kUnknownText,    // an expression that we could not read; payload: SymbolId of its text

#define ELENCHUS_OP(enumerator, theory, who, signatures) k##enumerator,
#include "ir/ops.def"

  kCount
};

inline constexpr uint32_t kOpCount = static_cast<uint32_t>(Op::kCount);

// Terms of these kinds bind their leading arguments (kVar terms) in the rest.
constexpr bool is_binder(Op op) {
  return (op >= Op::kForall && op <= Op::kComprehension) || op == Op::kMatchCase;
}

constexpr bool is_literal(Op op) { return op >= Op::kIntLiteral && op <= Op::kAlgebraicLiteral; }

enum class Theory : uint8_t {
  kCore,
  kInts,
  kReals,
  kRealsInts,
  kBitVectors,
  kFloatingPoint,
  kStrings,
  kRegexes,
  kArrays,
  kDatatypes,
  kSequences,
  kSets,
  kRelations,
  kBags,
  kTables,
  kFiniteFields,
  kTranscendentals,
  kHigherOrder,
  kSpecialRelations,
  kPseudoBoolean,
  kSeparationLogic,
  kCharacters,
  kUser,  // from --operators
};

const char* to_string(Theory theory);

}  // namespace elenchus::ir
