#pragma once

#include <cstdint>
#include <optional>
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
  // Shows one of its findings again, as oracle::recheck() in oracle/recheck.h promises. Unless an
  // oracle knows better, it runs the solvers that the finding names and judges again.
  virtual std::optional<Finding> recheck(Exam& exam, const Finding& finding) const;
};

// All oracles, cheap ones first.
std::span<const Oracle* const> all_oracles();

// Those that are off unless somebody asks for them by name.
std::span<const Oracle* const> optional_oracles();

// Those that may find a bug of this kind: the former, and the latter for a kind that is looked for
// only when somebody asks.
std::vector<const Oracle*> oracles_for(std::string_view kind);

// One of either, by its name; null if there is none.
const Oracle* find_oracle(std::string_view name);

// Every oracle in a line, in the order of the table.
struct OracleBrief {
  std::string_view name;
  std::string_view about;
  bool is_optional = false;
};
std::vector<OracleBrief> oracle_briefs();

// Each oracle is a file of its own: slow_oracle() is in slow.cpp.
#define ELENCHUS_ORACLE(name, ...) const Oracle& name##_oracle();
#define ELENCHUS_OPTIONAL_ORACLE(name, ...) const Oracle& name##_oracle();
#include "oracle/oracles.def"
#undef ELENCHUS_ORACLE
#undef ELENCHUS_OPTIONAL_ORACLE

}  // namespace elenchus::oracle
