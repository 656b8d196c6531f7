#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// What a script consists of.
struct ScriptStats {
  uint64_t commands = 0;
  uint64_t assertions = 0;
  uint64_t checks = 0;
  uint64_t declarations = 0;  // functions, constants and datatypes, definitions included
  uint64_t terms = 0;         // distinct ones
  uint64_t tree_size = 0;     // written out without sharing; stops at the largest number
  uint32_t depth = 0;
  std::map<std::string, uint64_t> operators;  // distinct terms by operator
  std::map<std::string, uint64_t> sorts;      // distinct terms by sort
};

ScriptStats script_stats(const TermStore& store, const Script& script);

// The operator's name in statistics: its SMT-LIB name, or for structural kinds a word for them.
std::string op_label(const TermStore& store, Op op);

// A literal, or an operator without arguments that stands for one value: RNE, +oo, re.all.
bool is_constant_value(const TermStore& store, TermId term);

}  // namespace elenchus::ir
