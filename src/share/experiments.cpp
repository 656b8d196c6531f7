#include "share/experiments.h"

#include <fmt/format.h>

namespace elenchus::share {
namespace {

constexpr const char* kClaimRun = R"sql(
UPDATE experiment_runs SET holder = $2, node = $3, expires = now() + $4::float8 * interval '1 second'
WHERE experiment = $1::bigint AND place = (
  SELECT place FROM experiment_runs c
  WHERE experiment = $1::bigint AND result IS NULL
    AND (holder IS NULL OR holder = $2 OR expires < now())
  ORDER BY holder IS NOT DISTINCT FROM $2 DESC,
    EXISTS (SELECT FROM experiment_runs o WHERE o.experiment = $1::bigint
      AND o.repetition = c.repetition AND o.holder = $2) DESC,
    NOT EXISTS (SELECT FROM experiment_runs o WHERE o.experiment = $1::bigint
      AND o.repetition = c.repetition AND o.holder IS NOT NULL) DESC,
    place
  LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING arm, repetition
)sql";

constexpr const char* kLines =
    "SELECT e.name, count(*), count(r.result), "
    "count(*) FILTER (WHERE r.result IS NULL AND r.expires >= now()) "
    "FROM experiments e JOIN experiment_runs r ON r.experiment = e.id ";

base::Error no_experiment(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

std::vector<ExperimentLine> lines_of(const Rows& rows) {
  std::vector<ExperimentLine> lines;
  for (size_t row = 0; row < rows.size(); ++row) {
    lines.push_back(
        {rows.text(row, 0), rows.count(row, 1), rows.count(row, 2), rows.count(row, 3)});
  }
  return lines;
}

base::Result<void> nothing_but_errors(const base::Result<Rows>& rows) {
  if (!rows) return rows.error();
  return {};
}

}  // namespace

base::Result<SharedExperiment> SharedExperiment::join(Connection& connection, std::string_view name,
                                                      std::string_view plan,
                                                      const std::vector<PlannedRun>& runs) {
  std::vector<std::string> arms;
  std::vector<int64_t> repetitions;
  for (const PlannedRun& run : runs) {
    arms.push_back(run.arm);
    repetitions.push_back(run.repetition);
  }
  // With its runs or not at all.
  auto made = connection.run(
      "WITH e AS (INSERT INTO experiments(name, plan) SELECT $1::text, $2::text WHERE NOT EXISTS "
      "(SELECT FROM experiments WHERE name = $1::text) ON CONFLICT DO NOTHING RETURNING id) "
      "INSERT INTO experiment_runs(experiment, place, arm, repetition) SELECT e.id, r.place, "
      "r.arm, "
      "r.repetition FROM e, unnest($3::text[], $4::bigint[]) WITH ORDINALITY "
      "r(arm, repetition, place)",
      {name, plan, Value::list(arms), Value::list(repetitions)});
  if (!made) return made.error();
  ELENCHUS_ASSIGN_OR_RETURN(SharedExperiment experiment, find(connection, name));
  if (experiment.plan_ == plan) return experiment;
  return no_experiment(
      fmt::format("the database has another plan under the name '{}', or this one with another "
                  "budget (--scale); ?campaign=NAME in the URL gives this one another name",
                  name));
}

base::Result<SharedExperiment> SharedExperiment::find(Connection& connection,
                                                      std::string_view name) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection.run("SELECT id, name, plan FROM experiments WHERE $1::text IN ('', name) "
                     "ORDER BY name",
                     {name}));
  if (rows.size() == 1) {
    SharedExperiment experiment(connection);
    experiment.id_ = rows.integer(0, 0);
    experiment.name_ = rows.text(0, 1);
    experiment.plan_ = rows.text(0, 2);
    return experiment;
  }
  if (rows.size() == 0) {
    return no_experiment(name.empty() ? "there is no experiment in this database yet"
                                      : fmt::format("there is no experiment '{}' in this database; "
                                                    "elenchus share status URL lists them",
                                                    name));
  }
  std::string names;
  for (size_t row = 0; row < rows.size(); ++row) names += ' ' + rows.text(row, 1);
  return no_experiment(
      fmt::format("the database has several experiments; add ?campaign=NAME to the URL:{}", names));
}

base::Result<void> SharedExperiment::agree(std::string_view arm, std::string_view made_with) {
  auto told = nothing_but_errors(connection_->run(
      "INSERT INTO experiment_arms(experiment, arm, made_with) VALUES ($1, $2, $3) "
      "ON CONFLICT DO NOTHING",
      {id_, arm, made_with}));
  if (!told) return told;
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT made_with FROM experiment_arms WHERE experiment = $1 AND arm = $2",
                       {id_, arm}));
  if (rows.size() == 0 || rows.text(0, 0) == made_with) return {};
  return no_experiment(fmt::format(
      "runs of '{}' are made with {} by the other nodes, and would be with {} here: they could not "
      "be compared",
      arm, rows.text(0, 0), made_with));
}

base::Result<std::optional<PlannedRun>> SharedExperiment::claim(const Maker& maker, double lease) {
  ELENCHUS_ASSIGN_OR_RETURN(const Rows rows,
                            connection_->run(kClaimRun, {id_, maker.uid, maker.name, lease}));
  if (rows.size() == 0) return std::optional<PlannedRun>();
  return std::optional<PlannedRun>({rows.text(0, 0), static_cast<uint32_t>(rows.integer(0, 1))});
}

base::Result<bool> SharedExperiment::keep(const Maker& maker, const PlannedRun& run, double lease) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("UPDATE experiment_runs SET expires = now() + $5::float8 * interval "
                       "'1 second' WHERE experiment = $1 AND arm = $2 AND repetition = $3 AND "
                       "holder = $4 AND result IS NULL RETURNING place",
                       {id_, run.arm, run.repetition, maker.uid, lease}));
  return rows.size() > 0;
}

base::Result<void> SharedExperiment::release(const Maker& maker) {
  return nothing_but_errors(
      connection_->run("UPDATE experiment_runs SET holder = NULL, expires = NULL "
                       "WHERE experiment = $1 AND holder = $2 AND result IS NULL",
                       {id_, maker.uid}));
}

base::Result<void> SharedExperiment::finish(const Maker& maker, const PlannedRun& run,
                                            std::string_view result) {
  return nothing_but_errors(connection_->run(
      "UPDATE experiment_runs SET result = $6, holder = $4, node = $5, expires = NULL "
      "WHERE experiment = $1 AND arm = $2 AND repetition = $3 AND result IS NULL",
      {id_, run.arm, run.repetition, maker.uid, maker.name, result}));
}

base::Result<ExperimentLine> SharedExperiment::standing() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run(fmt::format("{} WHERE e.id = $1 GROUP BY e.name", kLines), {id_}));
  const std::vector<ExperimentLine> lines = lines_of(rows);
  if (lines.empty()) return no_experiment("the experiment is gone from the database");
  return lines.front();
}

base::Result<std::vector<RunResult>> SharedExperiment::results() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows, connection_->run("SELECT arm, repetition, node, result FROM experiment_runs "
                                        "WHERE experiment = $1 AND result IS NOT NULL "
                                        "ORDER BY place",
                                        {id_}));
  std::vector<RunResult> results;
  for (size_t row = 0; row < rows.size(); ++row) {
    results.push_back({{rows.text(row, 0), static_cast<uint32_t>(rows.integer(row, 1))},
                       rows.text(row, 2),
                       rows.text(row, 3)});
  }
  return results;
}

base::Result<std::vector<ExperimentLine>> read_experiments(Connection& connection) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows, connection.run(fmt::format("{} GROUP BY e.name ORDER BY e.name", kLines)));
  return lines_of(rows);
}

}  // namespace elenchus::share
