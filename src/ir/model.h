#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ir/ids.h"
#include "ir/op.h"
#include "ir/script.h"

namespace elenchus::ir {

// What a model says of one function: its value for given arguments.
struct Definition {
  std::vector<TermId> formals;
  TermId body;
};

struct FunctionDefinition {
  FunId fun;
  Definition definition;
  base::Location where = {};
};

// What a model says where an operator's value is open, such as z3's div0.
struct OperatorDefinition {
  Op op = Op::kNone;
  Definition definition;
};

// The elements of an uninterpreted sort that a model names: constants that stand for themselves.
struct Universe {
  SortId sort;
  std::vector<FunId> elements;
  bool is_complete = false;  // the sort has no others
};

// A model as a solver gives it: definitions, not yet evaluated.
struct Model {
  std::vector<FunctionDefinition> functions;
  std::vector<OperatorDefinition> operators;
  std::vector<Universe> universes;
  std::vector<Warning> warnings;
  bool has_escapes = false;  // in strings, as the solver printed them
};

}  // namespace elenchus::ir
