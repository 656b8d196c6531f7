#include "share/member.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "share/bundle.h"
#include "store/json.h"

namespace elenchus::share {
namespace {

// So many nodes of one name, told apart by numbers.
constexpr int kMostNamesakes = 10'000;

// One statement for all figures: they are added if the number is the one that follows, and else
// nothing happens. Rows of one key come together before they are added.
constexpr const char* kAddDelta = R"sql(
WITH given AS (SELECT $5::jsonb AS d),
ok AS (
  UPDATE nodes SET last_delta = $3::bigint, seen = now(), ended = false, state = $4::jsonb
  WHERE id = $1::bigint AND last_delta = $2::bigint RETURNING id, campaign),
leases AS (
  UPDATE suspicions s SET expires = now() + $6::float8 * interval '1 second' FROM ok
  WHERE s.holder = ok.id AND s.stage = 'open'),
runs_added AS (
  INSERT INTO runs SELECT ok.id, (r->>0)::bigint, r->>1, r->>2, (r->>3)::bigint, (r->>4)::bigint,
    (r->>5)::bigint, (r->>6)::bigint, (r->>7)::bigint, (r->>8)::bigint, (r->>9)::bigint,
    (r->>10)::float8, (r->>11)::float8
  FROM ok, given, jsonb_array_elements(d->'runs') r
  ON CONFLICT (node, bucket, engine, solver) DO UPDATE SET sat = runs.sat + excluded.sat,
    unsat = runs.unsat + excluded.unsat, unknown = runs.unknown + excluded.unknown,
    timeout = runs.timeout + excluded.timeout, memout = runs.memout + excluded.memout,
    crash = runs.crash + excluded.crash, rejected = runs.rejected + excluded.rejected,
    wall = runs.wall + excluded.wall, cpu = runs.cpu + excluded.cpu),
tests_added AS (
  INSERT INTO tests SELECT ok.id, (r->>0)::bigint, r->>1, r->>2, (r->>3)::bigint, (r->>4)::bigint,
    (r->>5)::bigint, (r->>6)::bigint, (r->>7)::bigint, (r->>8)::bigint
  FROM ok, given, jsonb_array_elements(d->'tests') r
  ON CONFLICT (node, bucket, engine, folder) DO UPDATE SET tests = tests.tests + excluded.tests,
    accepted = tests.accepted + excluded.accepted, rejected = tests.rejected + excluded.rejected,
    decided = tests.decided + excluded.decided, valid = tests.valid + excluded.valid,
    skipped = tests.skipped + excluded.skipped),
keys_added AS (
  INSERT INTO keys_known SELECT ok.id, (r->>0)::bigint, r->>1, (r->>2)::bigint
  FROM ok, given, jsonb_array_elements(d->'keys') r
  ON CONFLICT (node, bucket, solver) DO UPDATE
    SET known = greatest(keys_known.known, excluded.known)),
spent_added AS (
  INSERT INTO spent SELECT ok.id, r->>1, r->>2, sum((r->>3)::bigint), sum((r->>4)::float8),
    sum((r->>5)::float8)
  FROM ok, given, jsonb_array_elements(d->'spent') r GROUP BY 1, 2, 3
  ON CONFLICT (node, purpose, solver) DO UPDATE SET runs = spent.runs + excluded.runs,
    wall = spent.wall + excluded.wall, cpu = spent.cpu + excluded.cpu),
skips_added AS (
  INSERT INTO skips SELECT ok.id, r->>1, r->>2, sum((r->>3)::bigint)
  FROM ok, given, jsonb_array_elements(d->'skips') r GROUP BY 1, 2, 3
  ON CONFLICT (node, engine, reason) DO UPDATE SET count = skips.count + excluded.count),
tried_added AS (
  INSERT INTO tried SELECT ok.id, r->>1, r->>2, sum((r->>3)::bigint), sum((r->>4)::bigint),
    sum((r->>5)::bigint)
  FROM ok, given, jsonb_array_elements(d->'tried') r GROUP BY 1, 2, 3
  ON CONFLICT (node, class, name) DO UPDATE SET count = tried.count + excluded.count,
    new_keys = tried.new_keys + excluded.new_keys, findings = tried.findings + excluded.findings),
findings_added AS (
  INSERT INTO findings SELECT ok.id, r->>0, r->>1, r->>2, r->>3, (r->>4)::boolean,
    (r->>5)::bigint, (r->>6)::float8
  FROM ok, given, jsonb_array_elements(d->'findings') r
  ON CONFLICT (node, md5(signature), kind, solver, engine, confirmed) DO UPDATE
    SET count = findings.count + excluded.count, last = greatest(findings.last, excluded.last)),
used AS (
  SELECT r->>1 AS path, sum((r->>2)::bigint) AS tests, sum((r->>3)::bigint) AS accepted,
    sum((r->>4)::bigint) AS decided, sum((r->>5)::bigint) AS findings, sum((r->>6)::float8) AS cpu
  FROM given, jsonb_array_elements(d->'seeds') r GROUP BY 1),
dropped AS (
  SELECT r->>1 AS path, min(r->>2) AS folder, min(r->>3) AS reason
  FROM given, jsonb_array_elements(d->'dropped') r GROUP BY 1),
seeds_added AS (
  INSERT INTO seeds SELECT ok.campaign, path, coalesce(u.tests, 0), coalesce(u.accepted, 0),
    coalesce(u.decided, 0), coalesce(u.findings, 0), coalesce(u.cpu, 0), coalesce(folder, ''),
    coalesce(reason, '')
  FROM ok, used u FULL JOIN dropped USING (path) ORDER BY path
  ON CONFLICT (campaign, md5(path)) DO UPDATE SET tests = seeds.tests + excluded.tests,
    accepted = seeds.accepted + excluded.accepted, decided = seeds.decided + excluded.decided,
    findings = seeds.findings + excluded.findings, cpu = seeds.cpu + excluded.cpu,
    folder = greatest(seeds.folder, excluded.folder),
    reason = greatest(seeds.reason, excluded.reason))
SELECT count(*) FROM ok
)sql";

constexpr const char* kGreet = R"sql(
WITH leases AS (
  UPDATE suspicions SET expires = now() + $3::float8 * interval '1 second'
  WHERE holder = $1::bigint AND stage = 'open')
UPDATE nodes SET seen = now(), ended = false, state = $2::jsonb WHERE id = $1::bigint
)sql";

// All in one statement, so that all of it is as of one moment.
constexpr const char* kNews = R"sql(
SELECT 'now', pg_snapshot_xmin(pg_current_snapshot())::text, count(*)::text,
  count(*) FILTER (WHERE id < $2::bigint)::text, ''
  FROM nodes WHERE campaign = $1::bigint AND NOT ended AND seen > now() - interval '1 minute'
UNION ALL SELECT 'open', count(*) FILTER (WHERE holder IS NULL)::text,
  count(*) FILTER (WHERE expires < now())::text, '', ''
  FROM suspicions WHERE campaign = $1::bigint AND stage = 'open'
UNION ALL SELECT 'bug', id::text, signature, changed::text, (node = $2::bigint)::text
  FROM bugs WHERE campaign = $1::bigint AND changed >= $3::bigint
UNION ALL SELECT 'look', look, stage, bug, ''
  FROM suspicions WHERE campaign = $1::bigint AND changed >= $3::bigint
UNION ALL SELECT 'mark', signature, state, reference, note
  FROM marks WHERE campaign = $1::bigint AND changed >= $3::bigint
UNION ALL SELECT 'known', entries, '', '', ''
  FROM known WHERE campaign = $1::bigint AND changed >= $3::bigint
UNION ALL SELECT 'pool', id::text, '', '', ''
  FROM pool WHERE campaign = $1::bigint AND changed >= $3::bigint AND node <> $2::bigint
UNION ALL SELECT 'key', board, key::text, '', ''
  FROM keys WHERE campaign = $1::bigint AND changed >= $3::bigint AND node <> $2::bigint
)sql";

constexpr const char* kClaim = R"sql(
UPDATE suspicions SET holder = $2::bigint, expires = now() + $6::float8 * interval '1 second'
WHERE id = (
  SELECT id FROM suspicions c
  WHERE campaign = $1::bigint AND stage = 'open' AND holder IS NULL AND needs <@ $4::text[]
    AND look <> ALL ($5::text[]) AND NOT EXISTS (
      SELECT FROM suspicions o
      WHERE o.campaign = $1::bigint AND o.holder IS NOT NULL AND md5(o.cause) = md5(c.cause))
  ORDER BY look = ANY ($3::text[]) DESC, rank, id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING look, CASE WHEN look = ANY ($3::text[]) THEN NULL ELSE files END
)sql";

constexpr std::string_view kUniqueViolation = "23505";

base::Result<void> done(const base::Result<Rows>& rows) {
  if (!rows) return rows.error();
  return {};
}

base::Error vanished(std::string_view what) {
  return {base::ErrorKind::kIo,
          fmt::format("the shared campaign does not know {} any longer", what),
          {}};
}

// JSON may have escaped zeros, which PostgreSQL refuses.
std::string without_zeros(std::string json) {
  constexpr std::string_view kZero = "\\u0000";
  for (size_t at = json.find(kZero); at != std::string::npos; at = json.find(kZero, at)) {
    json.replace(at, kZero.size(), "?");
  }
  return json;
}

void take_row(News& news, const Rows& rows, size_t row, int64_t& horizon) {
  const std::string what = rows.text(row, 0);
  if (what == "now") {
    horizon = rows.integer(row, 1);
    news.nodes = std::max<uint64_t>(rows.count(row, 2), 1);
    news.place = rows.count(row, 3);
  } else if (what == "open") {
    news.unclaimed = rows.count(row, 1);
    news.expired = rows.count(row, 2);
  } else if (what == "bug") {
    news.bugs.push_back({rows.integer(row, 1), rows.text(row, 2), rows.integer(row, 3),
                         rows.text(row, 4) == "true"});
  } else if (what == "look") {
    news.verdicts.push_back({rows.text(row, 1), rows.text(row, 2), rows.text(row, 3)});
  } else if (what == "mark") {
    news.marks.push_back(
        {rows.text(row, 1), {rows.text(row, 2), rows.text(row, 3), rows.text(row, 4)}});
  } else if (what == "known") {
    news.known.push_back(rows.text(row, 1));
  } else if (what == "pool") {
    news.pool.push_back(rows.integer(row, 1));
  } else if (what == "key") {
    news.keys.emplace_back(rows.text(row, 1), rows.count(row, 2));
  }
}

}  // namespace

base::Result<Member> Member::join(Connection& connection, const Introduction& introduction) {
  Member member(connection);
  if (auto entered = member.enter(introduction); !entered) return entered.error();
  return member;
}

base::Result<void> Member::enter(const Introduction& introduction) {
  Connection& connection = *connection_;
  auto made = done(connection.run(
      "INSERT INTO campaigns(name, settings) SELECT $1::text, $2::text WHERE NOT EXISTS "
      "(SELECT FROM campaigns WHERE name = $1::text) ON CONFLICT DO NOTHING",
      {introduction.campaign, introduction.settings}));
  if (!made) return made;
  ELENCHUS_ASSIGN_OR_RETURN(const Rows found,
                            connection.run("SELECT id, made::text FROM campaigns WHERE name = $1",
                                           {introduction.campaign}));
  if (found.size() == 0) return vanished("the campaign");
  campaign_ = found.integer(0, 0);
  followed_.campaign = fmt::format("{} {}", campaign_, found.text(0, 1));
  for (int number = 1; number <= kMostNamesakes && node_ == 0; ++number) {
    ELENCHUS_ASSIGN_OR_RETURN(
        const Rows known,
        connection.run("SELECT id, name, last_delta FROM nodes WHERE campaign = $1 AND uid = $2",
                       {campaign_, introduction.uid}));
    if (known.size() > 0) {
      node_ = known.integer(0, 0);
      name_ = known.text(0, 1);
      last_delta_ = known.count(0, 2);
      break;
    }
    const std::string name =
        number == 1 ? introduction.name : fmt::format("{}-{}", introduction.name, number);
    auto added = done(connection.run(
        "INSERT INTO nodes(campaign, name, uid, program, host) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT DO NOTHING",
        {campaign_, name, introduction.uid, introduction.program, introduction.host}));
    if (!added) return added;
  }
  if (node_ == 0) return vanished("the node");
  auto seen = done(connection.run(
      "UPDATE nodes SET seen = now(), ended = false, program = $2, host = $3 WHERE id = $1",
      {node_, introduction.program, introduction.host}));
  if (!seen || !introduction.is_restart) return seen;
  return done(connection.run(
      "UPDATE suspicions SET holder = NULL, expires = NULL WHERE holder = $1", {node_}));
}

base::Result<void> Member::greet(const std::string& state, double lease) {
  return done(connection_->run(kGreet, {node_, without_zeros(state), lease}));
}

base::Result<void> Member::add_delta(uint64_t number, const std::string& delta,
                                     const std::string& state, double lease) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run(kAddDelta, {node_, last_delta_, number, without_zeros(state),
                                   without_zeros(delta), lease}));
  if (rows.integer(0, 0) == 1) {
    last_delta_ = number;
    return {};
  }
  // Somebody else counts in this node's name, or it arrived before its answer was lost.
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows last, connection_->run("SELECT last_delta FROM nodes WHERE id = $1", {node_}));
  if (last.size() == 0) return vanished("this node");
  last_delta_ = last.count(0, 0);
  return {};
}

base::Result<void> Member::add_bug(const record::Bug& bug,
                                   const std::vector<store::RecordFile>& files) {
  return done(connection_->run(
      "INSERT INTO bugs(campaign, signature, kind, solver, version, title, node, files) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (campaign, md5(signature)) DO UPDATE "
      "SET files = excluded.files, title = excluded.title, changed = this_change() "
      "WHERE bugs.node = excluded.node AND bugs.files <> excluded.files",
      {campaign_, bug.signature, bug.kind, bug.solver, bug.version, bug.title, node_,
       Value::bytes(bundle(files))}));
}

base::Result<std::string> Member::add_suspicion(const SharedSuspicion& suspicion) {
  constexpr int kMostFailed = 3;
  auto added = done(connection_->run(
      "INSERT INTO suspicions(campaign, look, cause, kind, rank, needs, node, files) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (campaign, md5(look)) DO UPDATE SET "
      "stage = 'open', needs = excluded.needs, node = excluded.node, files = excluded.files, "
      "changed = this_change() WHERE suspicions.stage = 'unconfirmed' AND suspicions.failed < $9",
      {campaign_, suspicion.look, suspicion.cause, suspicion.kind, suspicion.rank,
       Value::list(suspicion.needs), node_, Value::bytes(bundle(suspicion.files)), kMostFailed}));
  if (!added) return added.error();
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run(
          "SELECT stage FROM suspicions WHERE campaign = $1 AND md5(look) = md5($2::text)",
          {campaign_, suspicion.look}));
  if (rows.size() == 0) return vanished("a suspicion");
  return rows.text(0, 0);
}

base::Result<void> Member::add_pool(const std::vector<store::RecordFile>& files,
                                    std::string_view digest) {
  return done(
      connection_->run("INSERT INTO pool(campaign, digest, node, files) VALUES ($1, $2, $3, $4) "
                       "ON CONFLICT DO NOTHING",
                       {campaign_, digest, node_, Value::bytes(bundle(files))}));
}

// In order, so that two nodes with the same news cannot wait for each other.
base::Result<void> Member::add_keys(std::string_view board, std::vector<int64_t> keys) {
  std::sort(keys.begin(), keys.end());
  return done(
      connection_->run("INSERT INTO keys(campaign, board, key, node) SELECT $1::bigint, $2::text, "
                       "k, $3::bigint FROM "
                       "unnest($4::bigint[]) k ON CONFLICT DO NOTHING",
                       {campaign_, board, node_, Value::list(keys)}));
}

base::Result<void> Member::put_worths(const std::vector<NamedWorth>& worths) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const NamedWorth& one : worths) {
    rows.push_back({one.what, one.name, one.worth.value, one.worth.seconds});
  }
  return done(connection_->run(
      "INSERT INTO yields SELECT $1::bigint, $2::bigint, r->>0, r->>1, (r->>2)::float8, "
      "(r->>3)::float8 FROM "
      "jsonb_array_elements($3::jsonb) r ON CONFLICT (campaign, node, what, md5(name)) "
      "DO UPDATE SET value = excluded.value, seconds = excluded.seconds",
      {campaign_, node_, without_zeros(store::dump_json(rows))}));
}

base::Result<void> Member::put_mark(std::string_view signature, const record::Mark& mark) {
  return share::put_mark(*connection_, campaign_, signature, mark);
}

base::Result<void> Member::add_known(std::string_view entries) {
  return done(connection_->run(
      "INSERT INTO known(campaign, entries) VALUES ($1, $2) ON CONFLICT DO NOTHING",
      {campaign_, entries}));
}

// `change` and `where` may name the parameter $3.
base::Result<void> Member::change_suspicion(std::string_view look, std::string_view change,
                                            std::string_view where, const Value& third) {
  return done(connection_->run(
      fmt::format("UPDATE suspicions SET holder = NULL, expires = NULL{} WHERE campaign = $1 "
                  "AND md5(look) = md5($2::text) AND {}",
                  change, where),
      {campaign_, look, third}));
}

base::Result<void> Member::settle(std::string_view look, std::string_view bug) {
  return change_suspicion(look,
                          ", stage = 'described', bug = $3, files = NULL, changed = this_change()",
                          "stage <> 'described'", bug);
}

base::Result<void> Member::give_up(std::string_view look) {
  return change_suspicion(look,
                          ", stage = 'unconfirmed', failed = failed + 1, changed = this_change()",
                          "stage = 'open' AND holder = $3", node_);
}

base::Result<void> Member::release(std::string_view look) {
  return change_suspicion(look, "", "holder = $3", node_);
}

base::Result<News> Member::news() {
  ELENCHUS_ASSIGN_OR_RETURN(const Rows rows,
                            connection_->run(kNews, {campaign_, node_, followed_.horizon}));
  News news;
  for (size_t row = 0; row < rows.size(); ++row) take_row(news, rows, row, followed_.horizon);
  return news;
}

// A server whose transactions have smaller numbers than before was restored from a copy.
base::Result<bool> Member::go_on_from(const Followed& followed) {
  if (followed.campaign != followed_.campaign) return false;
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows now, connection_->run("SELECT pg_snapshot_xmin(pg_current_snapshot())::text"));
  if (now.integer(0, 0) < followed.horizon) return false;
  followed_ = followed;
  return true;
}

base::Result<std::vector<ForeignBug>> Member::bugs(const std::vector<int64_t>& ids) {
  return read_bugs(*connection_, ids);
}

base::Result<std::vector<std::vector<store::RecordFile>>> Member::pool(
    const std::vector<int64_t>& ids) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT files FROM pool WHERE id = ANY ($1::bigint[]) ORDER BY id",
                       {Value::list(ids)}));
  std::vector<std::vector<store::RecordFile>> entries;
  for (size_t row = 0; row < rows.size(); ++row) {
    auto files = unbundle(rows.bytes(row, 0));
    if (files) entries.push_back(std::move(*files));
  }
  return entries;
}

base::Result<std::vector<NamedWorth>> Member::worths() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows, connection_->run("SELECT what, name, sum(value), sum(seconds) FROM yields "
                                        "WHERE campaign = $1 AND node <> $2 GROUP BY what, name",
                                        {campaign_, node_}));
  std::vector<NamedWorth> worths;
  for (size_t row = 0; row < rows.size(); ++row) {
    worths.push_back(
        {rows.text(row, 0), rows.text(row, 1), {rows.real(row, 2), rows.real(row, 3)}});
  }
  return worths;
}

base::Result<std::vector<std::string>> Member::held() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT look FROM suspicions WHERE campaign = $1 AND holder = $2 "
                       "AND stage = 'open' ORDER BY id",
                       {campaign_, node_}));
  std::vector<std::string> looks;
  for (size_t row = 0; row < rows.size(); ++row) looks.push_back(rows.text(row, 0));
  return looks;
}

base::Result<void> Member::drop_expired_leases() {
  return done(connection_->run(
      "UPDATE suspicions SET holder = NULL, expires = NULL WHERE id IN (SELECT id FROM suspicions "
      "WHERE campaign = $1 AND holder IS NOT NULL AND expires < now() ORDER BY id "
      "FOR UPDATE SKIP LOCKED)",
      {campaign_}));
}

base::Result<std::optional<Claim>> Member::claim(const std::vector<std::string>& mine,
                                                 const std::vector<std::string>& solvers,
                                                 const std::vector<std::string>& refused,
                                                 double lease) {
  const auto rows = connection_->run(kClaim, {campaign_, node_, Value::list(mine),
                                              Value::list(solvers), Value::list(refused), lease});
  // Another node was quicker with something of the same cause.
  if (!rows && connection_->failure_code() == kUniqueViolation) return std::optional<Claim>();
  if (!rows) return rows.error();
  if (rows->size() == 0) return std::optional<Claim>();
  Claim claim{rows->text(0, 0), {}};
  if (!rows->is_null(0, 1)) {
    auto files = unbundle(rows->bytes(0, 1));
    claim.is_broken = !files || files->empty();
    if (files) claim.files = std::move(*files);
  }
  return std::optional<Claim>(std::move(claim));
}

base::Result<void> Member::leave() {
  auto released = done(connection_->run(
      "UPDATE suspicions SET holder = NULL, expires = NULL WHERE holder = $1", {node_}));
  if (!released) return released;
  return done(
      connection_->run("UPDATE nodes SET ended = true, seen = now() WHERE id = $1", {node_}));
}

}  // namespace elenchus::share
