#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/script.h"
#include "ir/term_store.h"

namespace elenchus::mutate {

// The declarations that a test needs, found and put in order.
class Declarations {
 public:
  // The seed's own declarations, if atoms may be the seed's; they must outlive this.
  Declarations(ir::TermStore& store, const ir::Script* seed) : store_(store), seed_(seed) {}

  // Datatypes that are not the seed's.
  void add_datatypes(std::vector<ir::DatatypeId> own) { own_datatypes_ = std::move(own); }

  // For another test.
  void restart() {
    functions_.clear();
    sorts_.clear();
  }
  void use(ir::FunId fun) { functions_.push_back(fun); }
  void use(ir::SortId sort) { sorts_.push_back(sort); }

  // The test with what these assertions use.
  ir::Script script(std::string_view logic, std::span<const ir::TermId> assertions);

 private:
  struct Needed {
    std::vector<uint32_t> names;  // of uninterpreted sorts
    bool datatypes = false;
  };

  void collect(ir::SortId sort, Needed& needed) const;
  void declare_sorts(ir::Script& script);
  void declare_seed_sorts(ir::Script& script, Needed& needed) const;

  ir::TermStore& store_;
  const ir::Script* seed_;
  std::vector<ir::DatatypeId> own_datatypes_;
  std::vector<ir::FunId> functions_;
  std::vector<ir::SortId> sorts_;  // of bound variables
};

}  // namespace elenchus::mutate
