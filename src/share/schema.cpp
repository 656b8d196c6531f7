// The tables of shared campaigns, in a schema of their own. Figures are kept for each node, so that
// no two nodes write the same row; what is shared is a set, and whoever comes second changes
// nothing. `changed` is the transaction that wrote a row: whoever asks for all that is as new as
// the oldest transaction under way at the last time misses nothing.

#include "share/schema.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "share/connection.h"

namespace elenchus::share {
namespace {

constexpr const char* kFirst = R"sql(
CREATE SCHEMA IF NOT EXISTS elenchus;
SET LOCAL search_path = elenchus, pg_catalog;

CREATE TABLE meta(version bigint NOT NULL);

CREATE FUNCTION this_change() RETURNS bigint LANGUAGE sql AS
  'SELECT pg_catalog.pg_current_xact_id()::text::bigint';

CREATE TABLE campaigns(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
  made timestamptz NOT NULL DEFAULT now(), settings text NOT NULL);

CREATE TABLE nodes(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign bigint NOT NULL REFERENCES campaigns, name text NOT NULL, uid text NOT NULL,
  began timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now(),
  ended boolean NOT NULL DEFAULT false, last_delta bigint NOT NULL DEFAULT 0,
  program text NOT NULL, host text NOT NULL, state jsonb NOT NULL DEFAULT '{}',
  UNIQUE(campaign, name), UNIQUE(campaign, uid));

CREATE TABLE runs(
  node bigint NOT NULL REFERENCES nodes, bucket bigint NOT NULL, engine text NOT NULL,
  solver text NOT NULL, sat bigint NOT NULL, unsat bigint NOT NULL, unknown bigint NOT NULL,
  timeout bigint NOT NULL, memout bigint NOT NULL, crash bigint NOT NULL, rejected bigint NOT NULL,
  wall float8 NOT NULL, cpu float8 NOT NULL, PRIMARY KEY(node, bucket, engine, solver));

CREATE TABLE tests(
  node bigint NOT NULL REFERENCES nodes, bucket bigint NOT NULL, engine text NOT NULL,
  folder text NOT NULL, tests bigint NOT NULL, accepted bigint NOT NULL, rejected bigint NOT NULL,
  decided bigint NOT NULL, valid bigint NOT NULL, skipped bigint NOT NULL,
  PRIMARY KEY(node, bucket, engine, folder));

CREATE TABLE keys_known(
  node bigint NOT NULL REFERENCES nodes, bucket bigint NOT NULL, solver text NOT NULL,
  known bigint NOT NULL, PRIMARY KEY(node, bucket, solver));

CREATE TABLE spent(
  node bigint NOT NULL REFERENCES nodes, purpose text NOT NULL, solver text NOT NULL,
  runs bigint NOT NULL, wall float8 NOT NULL, cpu float8 NOT NULL,
  PRIMARY KEY(node, purpose, solver));

CREATE TABLE skips(
  node bigint NOT NULL REFERENCES nodes, engine text NOT NULL, reason text NOT NULL,
  count bigint NOT NULL, PRIMARY KEY(node, engine, reason));

CREATE TABLE tried(
  node bigint NOT NULL REFERENCES nodes, class text NOT NULL, name text NOT NULL,
  count bigint NOT NULL, new_keys bigint NOT NULL, findings bigint NOT NULL,
  PRIMARY KEY(node, class, name));

CREATE TABLE findings(
  node bigint NOT NULL REFERENCES nodes, signature text NOT NULL, kind text NOT NULL,
  solver text NOT NULL, engine text NOT NULL, confirmed boolean NOT NULL, count bigint NOT NULL,
  last float8 NOT NULL);
CREATE UNIQUE INDEX findings_once ON findings(node, md5(signature), kind, solver, engine, confirmed);

CREATE TABLE seeds(
  campaign bigint NOT NULL REFERENCES campaigns, path text NOT NULL, tests bigint NOT NULL DEFAULT 0,
  accepted bigint NOT NULL DEFAULT 0, decided bigint NOT NULL DEFAULT 0,
  findings bigint NOT NULL DEFAULT 0, cpu float8 NOT NULL DEFAULT 0,
  folder text NOT NULL DEFAULT '', reason text NOT NULL DEFAULT '');
CREATE UNIQUE INDEX seeds_once ON seeds(campaign, md5(path));

CREATE TABLE bugs(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign bigint NOT NULL REFERENCES campaigns, signature text NOT NULL, kind text NOT NULL,
  solver text NOT NULL, version text NOT NULL, title text NOT NULL,
  node bigint NOT NULL REFERENCES nodes, made timestamptz NOT NULL DEFAULT now(),
  files bytea NOT NULL, changed bigint NOT NULL DEFAULT this_change());
CREATE UNIQUE INDEX bugs_once ON bugs(campaign, md5(signature));
CREATE INDEX bugs_changed ON bugs(campaign, changed);

CREATE TABLE suspicions(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign bigint NOT NULL REFERENCES campaigns, look text NOT NULL, cause text NOT NULL,
  kind text NOT NULL, rank bigint NOT NULL, needs text[] NOT NULL,
  node bigint NOT NULL REFERENCES nodes, made timestamptz NOT NULL DEFAULT now(),
  stage text NOT NULL DEFAULT 'open' CHECK (stage IN ('open', 'described', 'unconfirmed')),
  failed bigint NOT NULL DEFAULT 0, bug text NOT NULL DEFAULT '',
  holder bigint REFERENCES nodes, expires timestamptz, files bytea,
  changed bigint NOT NULL DEFAULT this_change());
CREATE UNIQUE INDEX suspicions_once ON suspicions(campaign, md5(look));
CREATE INDEX suspicions_changed ON suspicions(campaign, changed);
CREATE INDEX suspicions_open ON suspicions(campaign, rank) WHERE stage = 'open';
CREATE UNIQUE INDEX suspicions_held ON suspicions(campaign, md5(cause)) WHERE holder IS NOT NULL;

CREATE TABLE pool(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign bigint NOT NULL REFERENCES campaigns, digest text NOT NULL,
  node bigint NOT NULL REFERENCES nodes, files bytea NOT NULL,
  changed bigint NOT NULL DEFAULT this_change(), UNIQUE(campaign, digest));
CREATE INDEX pool_changed ON pool(campaign, changed);

CREATE TABLE keys(
  campaign bigint NOT NULL REFERENCES campaigns, board text NOT NULL, key bigint NOT NULL,
  node bigint NOT NULL REFERENCES nodes, changed bigint NOT NULL DEFAULT this_change(),
  PRIMARY KEY(campaign, board, key));
CREATE INDEX keys_changed ON keys(campaign, changed);

CREATE TABLE yields(
  campaign bigint NOT NULL REFERENCES campaigns, node bigint NOT NULL REFERENCES nodes,
  what text NOT NULL, name text NOT NULL, value float8 NOT NULL, seconds float8 NOT NULL);
CREATE UNIQUE INDEX yields_once ON yields(campaign, node, what, md5(name));

CREATE TABLE marks(
  campaign bigint NOT NULL REFERENCES campaigns, signature text NOT NULL, state text NOT NULL,
  reference text NOT NULL, note text NOT NULL, made timestamptz NOT NULL DEFAULT now(),
  changed bigint NOT NULL DEFAULT this_change());
CREATE UNIQUE INDEX marks_once ON marks(campaign, md5(signature));
CREATE INDEX marks_changed ON marks(campaign, changed);
)sql";

// Experiments that many make runs of, and what is known upstream.
constexpr const char* kSecond = R"sql(
SET LOCAL search_path = elenchus, pg_catalog;

CREATE TABLE experiments(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
  made timestamptz NOT NULL DEFAULT now(), plan text NOT NULL);

CREATE TABLE experiment_arms(
  experiment bigint NOT NULL REFERENCES experiments, arm text NOT NULL, made_with text NOT NULL,
  PRIMARY KEY(experiment, arm));

CREATE TABLE experiment_runs(
  experiment bigint NOT NULL REFERENCES experiments, place bigint NOT NULL, arm text NOT NULL,
  repetition bigint NOT NULL, holder text, node text NOT NULL DEFAULT '', expires timestamptz,
  result text, PRIMARY KEY(experiment, place), UNIQUE(experiment, arm, repetition));

CREATE TABLE known(
  campaign bigint NOT NULL REFERENCES campaigns, entries text NOT NULL,
  changed bigint NOT NULL DEFAULT this_change());
CREATE UNIQUE INDEX known_once ON known(campaign, md5(entries));
)sql";

// A change of the tables is one more step, which takes older databases along.
constexpr const char* kSteps[] = {kFirst, kSecond};
constexpr int64_t kVersion = std::size(kSteps);

// Roles are the server's, not the database's; whoever may not make them can do without.
constexpr const char* kRoles = R"sql(
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'elenchus_reader') THEN
    CREATE ROLE elenchus_reader NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'elenchus_node') THEN
    CREATE ROLE elenchus_node NOLOGIN;
  END IF;
END $$;
)sql";

constexpr const char* kRights = R"sql(
GRANT USAGE ON SCHEMA elenchus TO elenchus_reader, elenchus_node;
GRANT SELECT ON ALL TABLES IN SCHEMA elenchus TO elenchus_reader, elenchus_node;
GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA elenchus TO elenchus_node;
REVOKE INSERT, UPDATE ON elenchus.meta FROM elenchus_node;
)sql";

constexpr std::string_view kForbidden = "42501";

base::Error unfit(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

}  // namespace

int64_t current_version() { return kVersion; }

base::Result<int64_t> schema_version(Connection& connection) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows there,
      connection.run("SELECT count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON "
                     "n.oid = c.relnamespace WHERE n.nspname = 'elenchus' AND c.relname = 'meta'"));
  if (there.integer(0, 0) == 0) return int64_t{0};
  ELENCHUS_ASSIGN_OR_RETURN(const Rows version,
                            connection.run("SELECT max(version) FROM elenchus.meta"));
  return version.integer(0, 0);
}

base::Result<void> check_version(int64_t version) {
  if (version == 0) {
    return unfit(
        "the database has no shared campaigns yet; elenchus share init URL makes the tables");
  }
  if (version > kVersion) {
    return unfit(
        fmt::format("the database was made by a newer Elenchus (its format is {}, this program "
                    "knows up to {}); "
                    "use that program on this machine, too",
                    version, kVersion));
  }
  if (version < kVersion) {
    return unfit(
        fmt::format("the database has format {}, this program needs {}: elenchus share "
                    "upgrade URL",
                    version, kVersion));
  }
  return {};
}

base::Result<void> check_schema(Connection& connection) {
  ELENCHUS_ASSIGN_OR_RETURN(const int64_t version, schema_version(connection));
  return check_version(version);
}

base::Result<Preparation> prepare_schema(Connection& connection, bool may_create) {
  Preparation done;
  ELENCHUS_ASSIGN_OR_RETURN(done.from, schema_version(connection));
  done.to = kVersion;
  const bool is_ours = done.from != 0 || may_create;
  if (!is_ours || done.from > kVersion) return check_version(done.from).error();
  std::string script = "BEGIN;";
  for (int64_t step = done.from; step < kVersion; ++step) script += kSteps[step];
  script += fmt::format("DELETE FROM elenchus.meta; INSERT INTO elenchus.meta VALUES ({}); COMMIT",
                        kVersion);
  if (done.from < kVersion) {
    if (auto made = connection.run_script(script); !made) {
      const bool is_forbidden = connection.failure_code() == kForbidden;
      (void)connection.run_script("ROLLBACK");
      if (!is_forbidden) return made.error();
      return unfit(done.from > 0 ? "the tables belong to another role, which may change them"
                                 : "this role may not make tables in the database; its owner may, "
                                   "and whoever was given GRANT CREATE ON DATABASE");
    }
  }
  if (auto roles = connection.run_script(kRoles); !roles) {
    const bool is_forbidden = connection.failure_code() == kForbidden;
    done.remarks.push_back(
        is_forbidden
            ? "this role may not make the roles elenchus_node and elenchus_reader; let a superuser "
              "do that (CREATE ROLE elenchus_node; CREATE ROLE elenchus_reader), and then "
              "elenchus share upgrade URL gives them their rights"
            : "no roles were made: " + roles.error().message);
    return done;
  }
  if (auto rights = connection.run_script(kRights); !rights) {
    done.remarks.push_back("no rights were given: " + rights.error().message);
  }
  return done;
}

}  // namespace elenchus::share
