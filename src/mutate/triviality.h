#pragma once

#include <memory>
#include <vector>

#include "eval/evaluator.h"
#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// Whether a script asks for something that the first steps of every solver's preprocessing decide:
// constants folded, equations between a constant and a term solved. What is found trivial is; what
// is not found so may be. Good until a rollback of the store.
class Triviality {
 public:
  explicit Triviality(ir::TermStore& store);
  ~Triviality();

  bool is_trivial(const ir::Script& script);

 private:
  class Simplifier;

  bool is_decided(std::vector<ir::TermId>& claims) const;
  bool solve_once(std::vector<ir::TermId>& claims);

  ir::TermStore& store_;
  const ir::Model nothing_{};  // no constant has a value
  std::unique_ptr<eval::Evaluator> evaluator_;
  std::unique_ptr<Simplifier> simplifier_;  // without equations
};

}  // namespace elenchus::mutate
