#include "store/schema.h"

#include <cstdint>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "store/database.h"

namespace elenchus::store {
namespace {

constexpr int64_t kApplication = 0x456c656e;  // "Elen"

constexpr const char* kFirst = R"sql(
CREATE TABLE sessions(
  id INTEGER PRIMARY KEY, start REAL NOT NULL, last REAL NOT NULL, pid INTEGER NOT NULL,
  program TEXT NOT NULL, command_line TEXT NOT NULL, cpu_self REAL NOT NULL DEFAULT 0,
  peak_rss_mb INTEGER NOT NULL DEFAULT 0);

CREATE TABLE runs(
  bucket INTEGER NOT NULL, width INTEGER NOT NULL, engine TEXT NOT NULL, solver TEXT NOT NULL,
  sat INTEGER NOT NULL, unsat INTEGER NOT NULL, unknown INTEGER NOT NULL, timeout INTEGER NOT NULL,
  memout INTEGER NOT NULL, crash INTEGER NOT NULL, rejected INTEGER NOT NULL,
  wall REAL NOT NULL, cpu REAL NOT NULL,
  PRIMARY KEY(bucket, engine, solver)) WITHOUT ROWID;

CREATE TABLE tests(
  bucket INTEGER NOT NULL, width INTEGER NOT NULL, engine TEXT NOT NULL, folder TEXT NOT NULL,
  tests INTEGER NOT NULL, accepted INTEGER NOT NULL, rejected INTEGER NOT NULL,
  decided INTEGER NOT NULL, valid INTEGER NOT NULL, skipped INTEGER NOT NULL,
  PRIMARY KEY(bucket, engine, folder)) WITHOUT ROWID;

CREATE TABLE keys(
  bucket INTEGER NOT NULL, width INTEGER NOT NULL, solver TEXT NOT NULL, known INTEGER NOT NULL,
  PRIMARY KEY(bucket, solver)) WITHOUT ROWID;

CREATE TABLE skips(
  engine TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(engine, reason)) WITHOUT ROWID;

CREATE TABLE bugs(
  id TEXT PRIMARY KEY, signature TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, solver TEXT NOT NULL,
  version TEXT NOT NULL, command TEXT NOT NULL, options TEXT NOT NULL, engine TEXT NOT NULL,
  seeds TEXT NOT NULL, first_seen REAL NOT NULL, last_seen REAL NOT NULL, count INTEGER NOT NULL,
  rank INTEGER NOT NULL, title TEXT NOT NULL, size_original INTEGER NOT NULL,
  size_reduced INTEGER NOT NULL, examples INTEGER NOT NULL DEFAULT 0, path TEXT NOT NULL);

CREATE TABLE findings(
  id INTEGER PRIMARY KEY, time REAL NOT NULL, signature TEXT NOT NULL, kind TEXT NOT NULL,
  solver TEXT NOT NULL, bug TEXT NOT NULL, engine TEXT NOT NULL, seeds TEXT NOT NULL,
  confirmed INTEGER NOT NULL, weight INTEGER NOT NULL);
CREATE INDEX findings_by_signature ON findings(signature);

CREATE TABLE seeds(
  path TEXT PRIMARY KEY, folder TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'used', reason TEXT NOT NULL DEFAULT '',
  tests INTEGER NOT NULL DEFAULT 0, accepted INTEGER NOT NULL DEFAULT 0,
  decided INTEGER NOT NULL DEFAULT 0, findings INTEGER NOT NULL DEFAULT 0,
  cpu REAL NOT NULL DEFAULT 0) WITHOUT ROWID;

CREATE TABLE engines(
  name TEXT PRIMARY KEY, pulls REAL NOT NULL, reward REAL NOT NULL,
  share REAL NOT NULL) WITHOUT ROWID;

CREATE TABLE events(
  time REAL NOT NULL, last REAL NOT NULL, severity TEXT NOT NULL, source TEXT NOT NULL,
  message TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(source, message)) WITHOUT ROWID;
)sql";

constexpr const char* kSecond = R"sql(
ALTER TABLE sessions ADD COLUMN written REAL NOT NULL DEFAULT 0;
UPDATE sessions SET written = last;

CREATE TABLE spent(
  purpose TEXT NOT NULL, solver TEXT NOT NULL, runs INTEGER NOT NULL, wall REAL NOT NULL,
  cpu REAL NOT NULL, PRIMARY KEY(purpose, solver)) WITHOUT ROWID;
INSERT INTO spent SELECT 'test', solver,
  sum(sat + unsat + unknown + timeout + memout + crash + rejected), sum(wall), sum(cpu)
  FROM runs GROUP BY solver;

CREATE TABLE memory(name TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID;
)sql";

constexpr const char* kThird = R"sql(
CREATE TABLE tried(
  class TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, new_keys INTEGER NOT NULL,
  findings INTEGER NOT NULL, PRIMARY KEY(class, name)) WITHOUT ROWID;
)sql";

// Figures that are to be sent to the campaign which this one is a part of.
constexpr const char* kFourth = R"sql(
CREATE TABLE outbox(number INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL);
)sql";

// A change of the format is one more step, which takes older databases along.
constexpr const char* kSteps[] = {kFirst, kSecond, kThird, kFourth};
constexpr int64_t kVersion = std::size(kSteps);

struct Marks {
  int64_t version = 0;
  int64_t application = 0;
  int64_t tables = 0;
};

base::Result<Marks> read_marks(Database& database) {
  Marks marks;
  auto done = database.query("PRAGMA user_version",
                             [&](const Statement& row) { marks.version = row.integer(0); });
  if (!done) return done.error();
  done = database.query("PRAGMA application_id",
                        [&](const Statement& row) { marks.application = row.integer(0); });
  if (!done) return done.error();
  done = database.query("SELECT count(*) FROM sqlite_schema",
                        [&](const Statement& row) { marks.tables = row.integer(0); });
  if (!done) return done.error();
  return marks;
}

base::Result<void> check(const Marks& marks) {
  if (marks.application != kApplication) {
    return base::Error{base::ErrorKind::kUnsupported,
                       "campaign.db is a database, but not of an Elenchus campaign",
                       {}};
  }
  if (marks.version > kVersion) {
    return base::Error{
        base::ErrorKind::kUnsupported,
        fmt::format("campaign.db was written by a newer Elenchus (its format is {}, this program "
                    "reads up to {}); use that program",
                    marks.version, kVersion),
        {}};
  }
  return {};
}

}  // namespace

base::Result<void> prepare_schema(Database& database) {
  ELENCHUS_ASSIGN_OR_RETURN(const Marks marks, read_marks(database));
  const bool is_new = marks.tables == 0 && marks.application == 0;
  if (!is_new) {
    if (auto good = check(marks); !good) return good;
    if (marks.version == kVersion) return {};
  }
  return database.transaction([&]() -> base::Result<void> {
    for (int64_t step = is_new ? 0 : marks.version; step < kVersion; ++step) {
      if (auto done = database.run_script(kSteps[step]); !done) return done;
    }
    return database.run_script(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                           kApplication, kVersion));
  });
}

base::Result<int64_t> schema_version(Database& database) {
  int64_t version = 0;
  auto done = database.query("PRAGMA user_version",
                             [&](const Statement& row) { version = row.integer(0); });
  if (!done) return done.error();
  return version;
}

base::Result<void> check_schema(Database& database) {
  ELENCHUS_ASSIGN_OR_RETURN(const Marks marks, read_marks(database));
  return check(marks);
}

}  // namespace elenchus::store
