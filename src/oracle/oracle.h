#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/exam.h"
#include "oracle/finding.h"

namespace elenchus::oracle {

// A judge of runs. It has no state: what it says depends on the exam alone.
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual std::string_view name() const = 0;
  // How many further runs it asks for, roughly. A campaign consults costly ones less often.
  virtual uint32_t cost() const { return 0; }
  virtual void judge(Exam& exam, std::vector<Finding>& findings) const = 0;
};

// All oracles, cheap ones first.
std::span<const Oracle* const> all_oracles();

// Those that are off unless somebody asks for them by name.
std::span<const Oracle* const> optional_oracles();

// One of either, by its name; null if there is none.
const Oracle* find_oracle(std::string_view name);

// Each oracle is a file of its own.
const Oracle& crash_oracle();
const Oracle& construction_oracle();
const Oracle& model_oracle();
const Oracle& difference_oracle();
const Oracle& self_check_oracle();
const Oracle& reassertion_oracle();
const Oracle& pieces_oracle();
const Oracle& core_oracle();
const Oracle& slow_oracle();
const Oracle& incomplete_oracle();

}  // namespace elenchus::oracle
