#include "share/mirror.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/hash.h"
#include "record/kind.h"
#include "share/bundle.h"
#include "share/foreign_bugs.h"
#include "share/pieces.h"
#include "share/schema.h"
#include "store/files.h"
#include "store/json.h"
#include "store/record_folders.h"

namespace elenchus::share {
namespace {

base::Error nothing(std::string message) { return {base::ErrorKind::kIo, std::move(message), {}}; }

std::string names_of(const Rows& rows) {
  std::string names;
  for (size_t row = 0; row < rows.size(); ++row) names += ' ' + rows.text(row, 1);
  return names;
}

// Who reads this later must see that time has passed: so it has when a node was heard of, by the
// clock of this machine, and not since when.
nlohmann::ordered_json json_of(const NodeLine& node, double now) {
  return {{"name", node.name},         {"ended", node.standing == "ended"},
          {"seen", now - node.silent}, {"host", node.host},
          {"program", node.program},   {"running", node.running},
          {"tests", node.tests},       {"tests_per_second", node.tests_per_second},
          {"bugs", node.bugs},         {"load", node.load},
          {"jobs", node.jobs}};
}

}  // namespace

base::Result<std::unique_ptr<Mirror>> Mirror::open(const Address& address,
                                                   const std::filesystem::path& cache) {
  std::unique_ptr<Mirror> mirror(new Mirror(address, cache));
  if (auto connected = mirror->connect(); !connected) return connected.error();
  if (auto opened = mirror->open_folder(); !opened) return opened.error();
  if (auto fresh = mirror->refresh(); !fresh) return fresh.error();
  return mirror;
}

base::Result<void> Mirror::connect() {
  ELENCHUS_ASSIGN_OR_RETURN(connection_, Connection::open(address_, kReadersPatience));
  if (auto fits = check_schema(*connection_); !fits) return fits;
  const std::string before = identity_;
  if (auto found = find_campaign(); !found) return found;
  if (before.empty() || before == identity_) return {};
  identity_ = before;
  return nothing(fmt::format("the campaign {} was made anew; what is shown is the one before",
                             address_.campaign));
}

base::Result<void> Mirror::find_campaign() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT id, name, settings, made::text FROM campaigns ORDER BY name"));
  size_t found = rows.size();
  for (size_t row = 0; row < rows.size(); ++row) {
    if (address_.campaign.empty() ? rows.size() == 1 : rows.text(row, 1) == address_.campaign) {
      found = row;
    }
  }
  if (rows.size() == 0) return nothing("there is no campaign in this database yet");
  if (found == rows.size() && address_.campaign.empty()) {
    return nothing(
        fmt::format("the database has several campaigns; add ?campaign=NAME to the URL: "
                    "{}",
                    names_of(rows)));
  }
  if (found == rows.size()) {
    return nothing(fmt::format("there is no campaign '{}' in this database; there is{}",
                               address_.campaign, names_of(rows)));
  }
  campaign_ = rows.integer(found, 0);
  address_.campaign = rows.text(found, 1);
  settings_ = rows.text(found, 2);
  identity_ = fmt::format("{} {} {}", address_.url, campaign_, rows.text(found, 3));
  return {};
}

base::Result<void> Mirror::open_folder() {
  // Pages and metrics call a campaign as its folder is called.
  const std::filesystem::path parent = cache_ / fmt::format("{:016x}", base::hash_bytes(identity_));
  folder_ = parent / address_.campaign;
  for (const auto& folder : {cache_, parent}) {
    if (auto made = store::make_folder(folder); !made) return made;
  }
  std::error_code ignored;
  std::filesystem::permissions(cache_, std::filesystem::perms::owner_all, ignored);
  const store::StoreOptions options{.program = "elenchus", .command_line = address_.shown()};
  const bool is_there = std::filesystem::exists(store::CampaignFolder(folder_).settings(), ignored);
  auto opened = is_there ? store::CampaignStore::open(folder_, options)
                         : store::CampaignStore::create(folder_, settings_, options);
  // Another program shows this campaign, and keeps the folder up to date.
  if (!opened && is_there && store::CampaignView::open(folder_)) return {};
  if (!opened) return opened.error();
  store_ = std::move(*opened);
  return {};
}

base::Result<void> Mirror::refresh() {
  // Whoever had the folder may have ended.
  if (store_ == nullptr) {
    if (auto opened = open_folder(); !opened) return opened;
  }
  if (store_ == nullptr) return {};
  if (connection_ == nullptr || connection_->is_lost()) {
    if (auto connected = connect(); !connected) {
      connection_.reset();
      return connected;
    }
  }
  if (auto done = take_bugs(); !done) return done;
  if (auto done = take_marks(); !done) return done;
  if (auto done = take_known(); !done) return done;
  if (auto done = take_suspicions(); !done) return done;
  if (auto done = take_pool(); !done) return done;
  if (auto done = take_figures(); !done) return done;
  return take_nodes();
}

base::Result<void> Mirror::take_bugs() {
  ELENCHUS_ASSIGN_OR_RETURN(ForeignBugs there, ForeignBugs::of(*store_));
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT id, signature, changed FROM bugs WHERE campaign = $1 ORDER BY id",
                       {campaign_}));
  std::vector<int64_t> wanted;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (there.is_current(rows.text(row, 1), rows.integer(row, 2))) continue;
    wanted.push_back(rows.integer(row, 0));
  }
  for (const auto& piece : fetched_in_pieces(wanted)) {
    ELENCHUS_ASSIGN_OR_RETURN(const auto bugs, read_bugs(*connection_, piece));
    for (const ForeignBug& bug : bugs) {
      // One that cannot be read must not hide the others.
      const auto taken = there.take(bug);
      if (!taken && taken.error().kind != base::ErrorKind::kParse) return taken;
    }
  }
  return {};
}

base::Result<void> Mirror::take_marks() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT signature, state, reference, note FROM marks WHERE campaign = $1",
                       {campaign_}));
  for (size_t row = 0; row < rows.size(); ++row) {
    const auto bug = store_->bug_of(rows.text(row, 0));
    if (!bug) continue;
    auto put = store_->view().mark(*bug, {rows.text(row, 1), rows.text(row, 2), rows.text(row, 3)});
    if (!put) return put;
  }
  return {};
}

base::Result<void> Mirror::take_known() {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT entries FROM known WHERE campaign = $1 ORDER BY md5(entries)",
                       {campaign_}));
  known_.clear();
  for (size_t row = 0; row < rows.size(); ++row) known_.push_back(rows.text(row, 0));
  return {};
}

// A folder with the files of a row; none where they are gone by now, or cannot be read.
base::Result<void> Mirror::add_folder(const store::RecordFolders& folders, const std::string& id,
                                      std::string_view table, int64_t row) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows one,
      connection_->run(fmt::format("SELECT files FROM {} WHERE id = $1", table), {row}));
  if (one.size() == 0 || one.is_null(0, 0)) return {};
  const auto files = unbundle(one.bytes(0, 0));
  return files ? folders.add(id, *files) : base::Result<void>();
}

// Those that wait, and those that came to nothing; each has the row's number in its name.
base::Result<void> Mirror::take_suspicions() {
  const store::RecordFolders folders(store_->folder().docket());
  ELENCHUS_ASSIGN_OR_RETURN(const auto there, folders.list());
  std::set<std::string> old(there.begin(), there.end());
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT id, kind FROM suspicions WHERE campaign = $1 AND files IS NOT NULL",
                       {campaign_}));
  for (size_t row = 0; row < rows.size(); ++row) {
    const std::string id = fmt::format("{:06}-{}", rows.integer(row, 0), rows.text(row, 1));
    if (old.erase(id) > 0) continue;
    if (auto added = add_folder(folders, id, "suspicions", rows.integer(row, 0)); !added) {
      return added;
    }
  }
  for (const std::string& id : old) {
    if (auto removed = folders.remove(id); !removed) return removed;
  }
  return {};
}

base::Result<void> Mirror::take_pool() {
  const store::RecordFolders folders(store_->folder().pool());
  if (auto made = store::make_folder(folders.root()); !made) return made;
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run("SELECT id FROM pool WHERE campaign = $1 ORDER BY id", {campaign_}));
  for (size_t row = 0; row < rows.size(); ++row) {
    const std::string id = fmt::format("{:06}", rows.integer(row, 0));
    if (folders.exists(id)) continue;
    if (auto added = add_folder(folders, id, "pool", rows.integer(row, 0)); !added) return added;
  }
  return {};
}

base::Result<Rows> Mirror::of_all_nodes(std::string_view columns, std::string_view table,
                                        std::string_view groups) {
  return connection_->run(fmt::format("SELECT {} FROM {} t JOIN nodes n ON n.id = t.node "
                                      "WHERE n.campaign = $1 GROUP BY {}",
                                      columns, table, groups),
                          {campaign_});
}

base::Result<void> Mirror::read_buckets(store::Figures& figures) {
  // Nodes that are no longer young have wider buckets, and with them all must be as wide.
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows age,
      connection_->run("SELECT coalesce(extract(epoch FROM now() - min(began)), 0)::float8 FROM "
                       "nodes WHERE campaign = $1",
                       {campaign_}));
  const int64_t width = store::delta_width(age.real(0, 0));
  const auto ask = [&](std::string_view columns, std::string_view table, std::string_view keys) {
    return of_all_nodes(fmt::format("bucket / {0} * {0}, {0}::bigint, {1}", width, columns), table,
                        fmt::format("1, 2, {}", keys));
  };
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows runs,
      ask("engine, solver, sum(sat), sum(unsat), sum(unknown), sum(timeout), sum(memout), "
          "sum(crash), sum(rejected), sum(wall), sum(cpu)",
          "runs", "3, 4"));
  for (size_t row = 0; row < runs.size(); ++row) {
    store::RunBucket one{
        {runs.integer(row, 0), runs.integer(row, 1)}, runs.text(row, 2), runs.text(row, 3), {}};
    for (int i = 0; i < static_cast<int>(store::kOutcomes); ++i) {
      one.counts.outcomes[static_cast<size_t>(i)] = runs.count(row, 4 + i);
    }
    one.counts.wall = runs.real(row, 11);
    one.counts.cpu = runs.real(row, 12);
    figures.runs.push_back(std::move(one));
  }
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows tests,
      ask("engine, folder, sum(tests), sum(accepted), sum(rejected), sum(decided), sum(valid), "
          "sum(skipped)",
          "tests", "3, 4"));
  for (size_t row = 0; row < tests.size(); ++row) {
    figures.tests.push_back({{tests.integer(row, 0), tests.integer(row, 1)},
                             tests.text(row, 2),
                             tests.text(row, 3),
                             {tests.count(row, 4), tests.count(row, 5), tests.count(row, 6),
                              tests.count(row, 7), tests.count(row, 8), tests.count(row, 9)}});
  }
  ELENCHUS_ASSIGN_OR_RETURN(const Rows keys, ask("solver, max(known)", "keys_known", "3"));
  for (size_t row = 0; row < keys.size(); ++row) {
    figures.keys.push_back(
        {{keys.integer(row, 0), keys.integer(row, 1)}, keys.text(row, 2), keys.count(row, 3)});
  }
  return {};
}

base::Result<void> Mirror::read_sums(store::Figures& figures) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows spent,
      of_all_nodes("purpose, solver, sum(runs), sum(wall), sum(cpu)", "spent", "1, 2"));
  for (size_t row = 0; row < spent.size(); ++row) {
    figures.sums.spent[{spent.text(row, 0), spent.text(row, 1)}] = {
        spent.count(row, 2), spent.real(row, 3), spent.real(row, 4)};
  }
  ELENCHUS_ASSIGN_OR_RETURN(const Rows skips,
                            of_all_nodes("engine, reason, sum(count)", "skips", "1, 2"));
  for (size_t row = 0; row < skips.size(); ++row) {
    figures.sums.skips[{skips.text(row, 0), skips.text(row, 1)}] = skips.count(row, 2);
  }
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows tried,
      of_all_nodes("class, t.name, sum(count), sum(new_keys), sum(findings)", "tried", "1, 2"));
  for (size_t row = 0; row < tried.size(); ++row) {
    figures.sums.tried[{tried.text(row, 0), tried.text(row, 1)}] = {
        tried.count(row, 2), tried.count(row, 3), tried.count(row, 4)};
  }
  return {};
}

base::Result<void> Mirror::read_records(store::Figures& figures) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows seeds,
      connection_->run("SELECT path, folder, reason, tests, accepted, decided, findings, cpu "
                       "FROM seeds WHERE campaign = $1",
                       {campaign_}));
  for (size_t row = 0; row < seeds.size(); ++row) {
    const std::string reason = seeds.text(row, 2);
    figures.seeds.push_back(
        {seeds.text(row, 0),
         seeds.text(row, 1),
         reason.empty() ? store::SeedStatus::kUsed : store::SeedStatus::kDropped,
         reason,
         {seeds.count(row, 3), seeds.count(row, 4), seeds.count(row, 5), seeds.count(row, 6),
          seeds.real(row, 7)}});
  }
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows findings,
      of_all_nodes("max(last), signature, kind, solver, engine, confirmed, sum(count)", "findings",
                   "signature, kind, solver, engine, confirmed"));
  for (size_t row = 0; row < findings.size(); ++row) {
    store::FindingRecord one;
    one.time = findings.real(row, 0);
    one.signature = findings.text(row, 1);
    one.kind = findings.text(row, 2);
    one.solver = findings.text(row, 3);
    one.engine = findings.text(row, 4);
    one.confirmed = findings.flag(row, 5);
    one.weight = findings.count(row, 6);
    if (one.confirmed) {
      store::Figures::Seen& seen = figures.bugs[one.signature];
      seen.count += one.weight;
      seen.last = std::max(seen.last, one.time);
    }
    figures.findings.push_back(std::move(one));
  }
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows bugs,
      connection_->run("SELECT signature, extract(epoch FROM made)::float8 FROM bugs "
                       "WHERE campaign = $1",
                       {campaign_}));
  for (size_t row = 0; row < bugs.size(); ++row) {
    store::Figures::Seen& seen = figures.bugs[bugs.text(row, 0)];
    seen.first = bugs.real(row, 1);
    seen.last = std::max(seen.last, seen.first);
  }
  return {};
}

base::Result<void> Mirror::read_session(store::Figures& figures) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->run(
          "SELECT extract(epoch FROM min(began))::float8, extract(epoch FROM max(seen))::float8, "
          "max(program), coalesce(sum((state->>'cpu_self')::float8), 0), "
          "coalesce(max((state->>'peak_rss_mb')::bigint), 0) FROM nodes WHERE campaign = $1",
          {campaign_}));
  figures.session = {
      .start = rows.real(0, 0),
      .last = rows.real(0, 1),
      .pid = 0,
      .program = rows.text(0, 2),
      .command_line = fmt::format("the campaign {} at {}", address_.campaign, address_.shown()),
      .cpu_self = rows.real(0, 3),
      .peak_rss_mb = rows.count(0, 4)};
  return {};
}

base::Result<void> Mirror::take_figures() {
  store::Figures figures;
  if (auto done = read_buckets(figures); !done) return done;
  if (auto done = read_sums(figures); !done) return done;
  if (auto done = read_records(figures); !done) return done;
  if (auto done = read_session(figures); !done) return done;
  return store_->replace_figures(figures);
}

base::Result<void> Mirror::take_nodes() {
  ELENCHUS_ASSIGN_OR_RETURN(const auto nodes, read_nodes(*connection_));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const double now = base::wall_time();
  for (const NodeLine& node : nodes) {
    if (node.campaign == address_.campaign) list.push_back(json_of(node, now));
  }
  return store::replace_file(store_->folder().nodes(), store::dump_json(list, 1) + '\n',
                             store::Durability::kLater);
}

base::Result<void> Mirror::mark(const std::string& signature, const record::Mark& mark) {
  return put_mark(*connection_, campaign_, signature, mark);
}

base::Result<std::vector<NodeLine>> read_nodes(Connection& connection) {
  ELENCHUS_ASSIGN_OR_RETURN(
      const Rows rows,
      connection.run(
          "SELECT c.name, n.name, n.program, n.host, n.ended, "
          "extract(epoch FROM now() - n.seen)::float8, extract(epoch FROM n.seen - "
          "n.began)::float8, "
          "(SELECT coalesce(sum(t.tests), 0) FROM tests t WHERE t.node = n.id), "
          "(SELECT count(*) FROM bugs b WHERE b.node = n.id), "
          "coalesce((n.state->>'tests_per_second')::float8, 0), "
          "coalesce((n.state->>'load')::float8, 0), coalesce((n.state->>'jobs')::bigint, 0) "
          "FROM nodes n JOIN campaigns c ON c.id = n.campaign ORDER BY c.name, n.name"));
  std::vector<NodeLine> nodes;
  for (size_t row = 0; row < rows.size(); ++row) {
    NodeLine node{rows.text(row, 0), rows.text(row, 1), rows.text(row, 2), rows.text(row, 3),
                  rows.flag(row, 4) ? "ended" : "alive"};
    node.silent = rows.real(row, 5);
    node.running = rows.real(row, 6);
    node.tests = rows.count(row, 7);
    node.bugs = rows.count(row, 8);
    node.tests_per_second = rows.real(row, 9);
    node.load = rows.real(row, 10);
    node.jobs = rows.count(row, 11);
    if (node.standing == "alive" && node.silent > store::kNodeSilence) node.standing = "stalled";
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace elenchus::share
