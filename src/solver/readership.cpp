#include "solver/readership.h"

#include <algorithm>

#include <fmt/format.h>

namespace elenchus::solver {

ir::Reader reader_of(const Profile& profile, std::string_view version) {
  const OperatorSection& section = profile.operators;
  const ir::Version own = ir::parse_version(version);
  ir::Reader reader = section.reader;
  const auto read = [&](ir::Dialect dialect, ir::Version in) {
    reader.versions[static_cast<size_t>(dialect)] = in != 0 ? in : ir::baseline(dialect);
  };
  const auto named = ir::find_word<ir::Dialect>(profile.name);
  for (const auto& [dialect, in] : section.reads) {
    read(dialect, in == 0 && dialect == named ? own : in);
  }
  if (section.reads.empty()) read(ir::Dialect::kStd, 0);
  for (const OperatorSection::Since& since : section.since) {
    if (since.version > own) continue;
    reader.also.insert(reader.also.end(), since.operators.begin(), since.operators.end());
  }
  return reader;
}

uint16_t Readership::all() const {
  uint16_t all = ir::kStdReader;
  for (const uint16_t reader : readers) all |= reader;
  return all;
}

bool Readership::any_has(ir::Habit habit) const {
  const uint16_t having = ops->with_habit(habit);
  return std::any_of(readers.begin(), readers.end(),
                     [&](uint16_t reader) { return (reader & having) != 0; });
}

base::Result<Readership> readership_of(std::span<const Solver> solvers, const ir::OpTable& ops) {
  const std::shared_ptr<ir::OpTable> table = ops.copy();
  Readership readership;
  for (const Solver& solver : solvers) {
    const auto reader = table->add_reader(reader_of(*solver.profile, solver.version));
    if (!reader) {
      return base::Error{reader.error().kind,
                         fmt::format("the operators of the profile {}: {}", solver.profile->name,
                                     reader.error().message),
                         {}};
    }
    readership.readers.push_back(*reader);
  }
  readership.ops = table;
  return readership;
}

}  // namespace elenchus::solver
