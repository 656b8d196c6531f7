#include "store/delta.h"

#include <algorithm>

#include <fmt/format.h>

#include "store/json.h"

namespace elenchus::store {
namespace {

using Json = nlohmann::ordered_json;

// Each list of a delta, by name: `add` makes the rows, `read` takes one row back.
template <typename Map, typename Row>
void add_rows(Json& lists, const char* name, const Map& map, Row row) {
  for (const auto& [key, value] : map) lists[name].push_back(row(key, value));
}

Json row_of(int64_t bucket, const NamePair& key, const RunCounts& counts) {
  Json row = {bucket, key.first, key.second};
  for (const uint64_t count : counts.outcomes) row.push_back(count);
  row.push_back(counts.wall);
  row.push_back(counts.cpu);
  return row;
}

void add_bucket(Json& lists, int64_t bucket, const Tallies& tallies) {
  add_rows(lists, "runs", tallies.runs,
           [&](const auto& key, const RunCounts& counts) { return row_of(bucket, key, counts); });
  add_rows(lists, "tests", tallies.tests, [&](const auto& key, const TestCounts& of) {
    return Json{bucket,      key.first,  key.second, of.tests,  of.accepted,
                of.rejected, of.decided, of.valid,   of.skipped};
  });
  add_rows(lists, "keys", tallies.keys, [&](const auto& solver, uint64_t known) {
    return Json{bucket, solver, known};
  });
  add_rows(lists, "spent", tallies.spent, [&](const auto& key, const Spent& of) {
    return Json{bucket, key.first, key.second, of.runs, of.wall, of.cpu};
  });
  add_rows(lists, "skips", tallies.skips, [&](const auto& key, uint64_t count) {
    return Json{bucket, key.first, key.second, count};
  });
  add_rows(lists, "tried", tallies.tried, [&](const auto& key, const Tried& of) {
    return Json{bucket, key.first, key.second, of.count, of.new_keys, of.findings};
  });
  add_rows(lists, "seeds", tallies.seeds, [&](const auto& path, const SeedCounts& of) {
    return Json{bucket, path, of.tests, of.accepted, of.decided, of.findings, of.cpu};
  });
  add_rows(lists, "dropped", tallies.dropped, [&](const auto& path, const Drop& of) {
    return Json{bucket, path, of.folder, of.reason};
  });
}

// Reads the lists back; throws what the JSON library throws where something is of another type.
class DeltaReader {
 public:
  explicit DeltaReader(const Json& lists) : lists_(lists) {}

  Delta read() {
    each("runs", [&](const Json& row, Tallies& into) {
      RunCounts& counts = into.runs[pair_of(row)];
      for (size_t i = 0; i < kOutcomes; ++i) row.at(3 + i).get_to(counts.outcomes[i]);
      row.at(3 + kOutcomes).get_to(counts.wall);
      row.at(4 + kOutcomes).get_to(counts.cpu);
    });
    each("tests", [&](const Json& row, Tallies& into) {
      into.tests[pair_of(row)] = {row.at(3), row.at(4), row.at(5), row.at(6), row.at(7), row.at(8)};
    });
    each("keys", [&](const Json& row, Tallies& into) {
      into.keys[row.at(1).get<std::string>()] = row.at(2);
    });
    each("spent", [&](const Json& row, Tallies& into) {
      into.spent[pair_of(row)] = {row.at(3), row.at(4), row.at(5)};
    });
    each("skips", [&](const Json& row, Tallies& into) { into.skips[pair_of(row)] = row.at(3); });
    each("tried", [&](const Json& row, Tallies& into) {
      into.tried[pair_of(row)] = {row.at(3), row.at(4), row.at(5)};
    });
    each("seeds", [&](const Json& row, Tallies& into) {
      into.seeds[row.at(1).get<std::string>()] = {row.at(2), row.at(3), row.at(4), row.at(5),
                                                  row.at(6)};
    });
    each("dropped", [&](const Json& row, Tallies& into) {
      into.dropped[row.at(1).get<std::string>()] = {row.at(2), row.at(3)};
    });
    read_findings();
    return std::move(delta_);
  }

 private:
  static NamePair pair_of(const Json& row) { return {row.at(1), row.at(2)}; }

  template <typename Take>
  void each(const char* name, Take take) {
    if (!lists_.contains(name)) return;
    for (const Json& row : lists_.at(name)) take(row, delta_.buckets[row.at(0).get<int64_t>()]);
  }

  void read_findings() {
    if (!lists_.contains("findings")) return;
    for (const Json& row : lists_.at("findings")) {
      const FindingKey key(row.at(0), row.at(1), row.at(2), row.at(3), row.at(4).get<bool>());
      delta_.findings[key] = {row.at(5), row.at(6)};
    }
  }

  const Json& lists_;
  Delta delta_;
};

}  // namespace

FindingCounts& FindingCounts::operator+=(const FindingCounts& other) {
  count += other.count;
  last = std::max(last, other.last);
  return *this;
}

void Delta::merge(const Delta& other) {
  for (const auto& [bucket, tallies] : other.buckets) buckets[bucket].merge(tallies);
  for (const auto& [key, counts] : other.findings) findings[key] += counts;
}

std::string print_delta(const Delta& delta) {
  Json lists = Json::object();
  for (const auto& [bucket, tallies] : delta.buckets) add_bucket(lists, bucket, tallies);
  add_rows(lists, "findings", delta.findings, [](const FindingKey& key, const FindingCounts& of) {
    const auto& [signature, kind, solver, engine, is_confirmed] = key;
    return Json{signature, kind, solver, engine, is_confirmed, of.count, of.last};
  });
  return dump_json(lists);
}

base::Result<Delta> parse_delta(std::string_view text) {
  try {
    const Json lists = Json::parse(text);
    return DeltaReader(lists).read();
  } catch (const Json::exception& error) {
    return base::Error{
        base::ErrorKind::kParse, fmt::format("cannot read a delta: {}", error.what()), {}};
  }
}

}  // namespace elenchus::store
