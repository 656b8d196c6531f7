#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "gen/application.h"
#include "gen/vocabulary.h"
#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::knobs {

// Small scripts made of few kinds of operations, for learning which options have to do with which:
// the fewer there are, the less they interfere with each other.
class TrainingFormulas {
 public:
  // Operators that somebody of `who` reads. The store must be empty.
  TrainingFormulas(ir::TermStore& terms, uint16_t who);

  struct Formula {
    ir::Script script;
    std::vector<std::string> operations;  // that it was made of: `count` or fewer
  };
  Formula next(uint32_t count, base::Rng& rng);

  // What all of them declare, and a check of nothing.
  ir::Script blank() const;

  // All that there is to choose from, sorted.
  std::vector<std::string> operations() const;

 private:
  // One way to apply an operator, and to what sort.
  struct Way {
    gen::Choice choice;
    ir::SortId sort;
  };
  class Pool;

  std::vector<std::string> features() const;
  void find_constants();
  void find_ways();
  void leave_out_impossible();
  // `is_narrow`: of one theory, and of the standard.
  std::vector<std::string> choose(uint32_t count, bool is_narrow, base::Rng& rng) const;
  void add_feature(const std::string& name, std::vector<ir::TermId>& claims,
                   std::vector<ir::TermId>& quantified, base::Rng& rng) const;
  void add_commands(const std::vector<ir::TermId>& claims, const std::set<std::string>& commands,
                    base::Rng& rng, ir::Script& script);
  ir::Script smallest_prelude(const std::vector<ir::TermId>& claims);
  bool add_operator(const std::string& name, Pool& pool, std::vector<ir::TermId>& claims,
                    base::Rng& rng);

  ir::TermStore& terms_;
  gen::Vocabulary vocabulary_;
  ir::Script prelude_;
  std::map<std::string, std::vector<ir::TermId>> claims_;  // of the prelude, by feature
  std::vector<ir::TermId> ground_;  // claims about what those with quantifiers speak of
  std::map<ir::SortId, std::vector<ir::TermId>> constants_;
  std::map<std::string, std::vector<Way>> ways_;              // by operator
  std::map<ir::Theory, std::vector<std::string>> by_theory_;  // names of operators
  std::map<ir::Theory, std::vector<std::string>> standard_;   // those with a logic of their own
  ir::TermStore::Mark clean_;
};

}  // namespace elenchus::knobs
