#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "eval/value.h"
#include "ir/model.h"
#include "ir/term_store.h"

namespace elenchus::eval {

enum class Extent : uint8_t { kFinite, kInfinite, kUnknown };

// How many values a sort has.
struct Size {
  Extent extent = Extent::kUnknown;
  uint64_t count = 0;  // if finite; not more than kMaxCount is counted

  static constexpr uint64_t kMaxCount = uint64_t{1} << 62;
  bool is_counted() const { return extent == Extent::kFinite && count < kMaxCount; }
  bool is(uint64_t number) const { return extent == Extent::kFinite && count == number; }
};

// The values of sorts: how many there are, which, and one of them.
class Domains {
 public:
  Domains(const ir::TermStore& terms, ValueStore& values);

  // The elements of an uninterpreted sort, and whether it has no others.
  void set_universe(ir::SortId sort, std::vector<Value> elements, bool is_complete);

  Size size(ir::SortId sort);
  // The number of values, if it is known to be finite.
  std::optional<uint64_t> cardinality(ir::SortId sort);

  // All values, when there are at most kMaxListed of them; else empty.
  static constexpr uint64_t kMaxListed = 1U << 16;
  std::span<const Value> all(ir::SortId sort);

  // Some values of a sort that cannot be listed, for a search: small ones, boundaries.
  std::span<const Value> samples(ir::SortId sort);

  // One value of the sort; unknown where we cannot make any.
  Value any(ir::SortId sort);

  // A value of an infinite sort that is none of these; unknown where we cannot make one.
  Value other_than(ir::SortId sort, std::span<const Value> values);

  // The set of these elements of a sort, or of all others, in canonical form: equal sets get equal
  // values (unless it is not known how many elements there are). The elements must be canonical
  // themselves; they come in any order, maybe repeated.
  Value set(ir::SortId element, std::vector<Value> listed, bool is_complement);

  // A function or array over these sorts, in canonical form: equal functions get equal values
  // (unless it is not known how many arguments there are). One of one argument that gives Booleans
  // is the set of what it is true for. An entry is the arguments, then the result; of two entries
  // for the same arguments the last counts. The arguments must be canonical themselves.
  Value function(std::span<const ir::SortId> parameters, std::vector<std::vector<Value>> entries,
                 const Value& otherwise);
  // The same with these changes to another function.
  Value function(std::span<const ir::SortId> parameters, std::vector<std::vector<Value>> entries,
                 const Function& base);
  // The same, quicker, where the changes are few and the domain is large; elsewhere nothing. The
  // changes are entries one after the other.
  std::optional<Value> changed(std::span<const ir::SortId> parameters,
                               std::span<const Value> changes, const Function& base);

 private:
  // Sorts that hold others in more layers are not looked into: how many values they have, and
  // which, is not known. It bounds the recursion of what follows.
  static constexpr uint32_t kMaxHeight = 1000;

  struct Elements {
    std::vector<Value> values;
    bool is_complete = false;
  };
  using Row = std::vector<Value>;

  Size count(ir::SortId sort);
  Size count_datatype(ir::SortId sort);
  Size field_size(ir::SortId instance, ir::SortId field);
  Size product(std::span<const ir::SortId> sorts);
  std::vector<ir::SortId> field_sorts(ir::SortId instance, ir::FunId constructor) const;
  std::vector<Value> list_all(ir::SortId sort);
  std::vector<Value> sample_floats(num::FloatFormat format);
  std::vector<Value> list_floats(num::FloatFormat format);
  std::vector<Value> list_functions(std::span<const ir::SortId> sorts);
  void for_each_row(std::span<const ir::SortId> sorts,
                    const std::function<void(std::span<const Value>)>& use);
  Value set_where(ir::SortId element, const std::vector<Row>& entries, bool otherwise);
  void normalise(std::span<const ir::SortId> parameters, std::vector<Row>& entries,
                 Function& function);
  Value other_data(ir::SortId sort, std::span<const Value> values, int depth);
  Value other_than(ir::SortId sort, std::span<const Value> values, int depth);
  Value find_any(ir::SortId sort);
  Value any_row(ir::FunId constructor, std::span<const ir::SortId> sorts);
  std::vector<Row> complete_table(std::span<const ir::SortId> parameters, std::vector<Row> entries,
                                  const Value& otherwise);

  const ir::TermStore& terms_;
  ValueStore& values_;
  // By sort.
  std::unordered_map<uint32_t, Elements> universes_;
  struct Measure {
    Size size;
    uint32_t height = 0;  // how deep sorts lie inside it
  };
  std::unordered_map<uint32_t, Measure> sizes_;
  std::unordered_map<uint32_t, std::vector<Value>> all_;
  std::unordered_map<uint32_t, std::vector<Value>> samples_;
  std::unordered_map<uint32_t, Value> any_;
  uint32_t depth_ = 0;   // of the sorts that are being looked into
  uint32_t height_ = 0;  // of the highest sort inside the one that is being counted
};

}  // namespace elenchus::eval
