#include "store/stats.h"

#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "store/json.h"

namespace elenchus::store {
namespace {

using Json = nlohmann::ordered_json;

// The fields of stats.json that are there in all, per engine and per solver.
struct CountField {
  const char* name;
  std::variant<uint64_t Counts::*, double Counts::*> member;
};

constexpr std::array kCountFields = {
    CountField{"tests", &Counts::tests},
    CountField{"runs", &Counts::runs},
    CountField{"accepted", &Counts::accepted},
    CountField{"rejected", &Counts::rejected},
    CountField{"decided", &Counts::decided},
    CountField{"valid", &Counts::valid},
    CountField{"skipped", &Counts::skipped},
    CountField{"sat", &Counts::sat},
    CountField{"unsat", &Counts::unsat},
    CountField{"unknown", &Counts::unknown},
    CountField{"timeouts", &Counts::timeouts},
    CountField{"memouts", &Counts::memouts},
    CountField{"crashes", &Counts::crashes},
    CountField{"rejected_runs", &Counts::rejected_runs},
    CountField{"findings", &Counts::findings},
    CountField{"unconfirmed", &Counts::unconfirmed},
    CountField{"bugs", &Counts::bugs},
    CountField{"known_bugs", &Counts::known_bugs},
    CountField{"outside_policy_bugs", &Counts::outside_policy_bugs},
    CountField{"wall_seconds_solvers", &Counts::wall_seconds_solvers},
    CountField{"cpu_seconds_solvers", &Counts::cpu_seconds_solvers},
};

// Milliseconds are enough.
double rounded(double seconds) {
  return static_cast<double>(static_cast<int64_t>(seconds * 1000 + 0.5)) / 1000;
}

void put_counts(Json& object, const Counts& counts) {
  for (const CountField& field : kCountFields) {
    if (const auto* number = std::get_if<uint64_t Counts::*>(&field.member)) {
      object[field.name] = counts.**number;
    } else {
      object[field.name] = rounded(counts.*std::get<double Counts::*>(field.member));
    }
  }
}

Json counts_by_name(const std::map<std::string, Counts, std::less<>>& map) {
  Json object = Json::object();
  for (const auto& [name, counts] : map) {
    Json entry = Json::object();
    put_counts(entry, counts);
    object[name] = std::move(entry);
  }
  return object;
}

// All of them are there, whatever has happened.
Json spent_by_purpose(const Stats& stats) {
  Json object = Json::object();
  for (size_t i = 0; i < kPurposes; ++i) {
    const char* const name = to_string(static_cast<Purpose>(i));
    const auto found = stats.spent.find(name);
    const Spent spent = found == stats.spent.end() ? Spent() : found->second;
    object[name] = {{"runs", spent.runs},
                    {"wall_seconds_solvers", rounded(spent.wall)},
                    {"cpu_seconds_solvers", rounded(spent.cpu)}};
  }
  return object;
}

// By class, then by name.
Json tried_by_class(const Stats& stats) {
  Json object = Json::object();
  for (const auto& [key, tried] : stats.tried) {
    object[key.first][key.second] = {
        {"count", tried.count}, {"new_keys", tried.new_keys}, {"findings", tried.findings}};
  }
  return object;
}

// By solver, what became of the terms.
Json fates_of(const Stats& stats) {
  Json object = Json::object();
  for (const auto& [key, tried] : stats.tried) {
    const auto& [what, name] = key;
    const size_t blank = name.rfind(' ');
    if (what != kTermClass || blank == std::string::npos) continue;
    object[name.substr(0, blank)][name.substr(blank + 1)] = tried.count;
  }
  return object;
}

// Tests of the lane of checks are the tests; of that of terms, terms. What looks into a finding
// belongs to neither.
Json lanes_of(const Stats& stats) {
  const auto cpu_of = [&](Purpose purpose) {
    const auto found = stats.spent.find(to_string(purpose));
    return found == stats.spent.end() ? 0 : found->second.cpu;
  };
  const auto tried = [&](const char* lane) {
    const auto found = stats.tried.find(NamePair(kLaneClass, lane));
    return found == stats.tried.end() ? Tried() : found->second;
  };
  return {{"checks",
           {{"tests", stats.total.tests},
            {"cpu_seconds_solvers",
             rounded(cpu_of(Purpose::kTest) + cpu_of(Purpose::kProbe) + cpu_of(Purpose::kLearn))},
            {"findings", tried("checks").findings}}},
          {"terms",
           {{"tests", tried("terms").count},
            {"cpu_seconds_solvers", rounded(cpu_of(Purpose::kTerms))},
            {"findings", tried("terms").findings},
            {"solvers", fates_of(stats)}}}};
}

// Of what there are no rows among the runs.
bool is_without_runs(std::string_view purpose) {
  return purpose == to_string(Purpose::kTerms) || purpose == to_string(Purpose::kApart);
}

uint64_t whole(double seconds) { return seconds > 0 ? static_cast<uint64_t>(seconds) : 0; }

// afl-whatsup lets a shell read the values.
std::string harmless(std::string_view text) {
  std::string result(text.substr(0, 200));
  for (char& c : result) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == ' ' || c == '.' || c == '_' || c == '-' || c == '/' || c == '+';
    if (!good) c = '_';
  }
  return result;
}

std::string one_line(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; },
      ' ');
  return result;
}

double per_second(uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

}  // namespace

void Counts::add(const RunCounts& counts) {
  runs += counts.runs();
  sat += counts.of(Outcome::kSat);
  unsat += counts.of(Outcome::kUnsat);
  unknown += counts.of(Outcome::kUnknown);
  timeouts += counts.of(Outcome::kTimeout);
  memouts += counts.of(Outcome::kMemout);
  crashes += counts.of(Outcome::kCrash);
  rejected_runs += counts.of(Outcome::kRejected);
  wall_seconds_solvers += counts.wall;
  cpu_seconds_solvers += counts.cpu;
}

void Counts::add(const TestCounts& counts) {
  tests += counts.tests;
  accepted += counts.accepted;
  rejected += counts.rejected;
  decided += counts.decided;
  valid += counts.valid;
  skipped += counts.skipped;
}

void Stats::add(const Tallies& tallies) {
  for (const auto& [key, counts] : tallies.runs) {
    total.add(counts);
    engines[key.first].add(counts);
    Counts& solver = solvers[key.second];
    solver.add(counts);
    const uint64_t taken = counts.runs() - counts.of(Outcome::kRejected);
    solver.add(TestCounts{.tests = counts.runs(),
                          .accepted = taken,
                          .rejected = counts.of(Outcome::kRejected),
                          .decided = counts.of(Outcome::kSat) + counts.of(Outcome::kUnsat)});
  }
  for (const auto& [key, sum] : tallies.spent) {
    spent[key.first] += sum;
    if (!is_without_runs(key.first)) continue;
    for (Counts* counts : {&total, &solvers[key.second]}) {
      counts->wall_seconds_solvers += sum.wall;
      counts->cpu_seconds_solvers += sum.cpu;
    }
  }
  for (const auto& [key, counts] : tallies.tests) {
    total.add(counts);
    engines[key.first].add(counts);
  }
  for (const auto& [solver, known] : tallies.keys) keys[solver] = std::max(keys[solver], known);
  for (const auto& [key, sum] : tallies.tried) tried[key] += sum;
}

uint64_t Stats::known_keys() const {
  uint64_t sum = 0;
  for (const auto& [solver, known] : keys) sum += known;
  return sum;
}

std::string print_stats(const Stats& stats, const Progress& progress) {
  Json object = Json::object();
  put_counts(object, stats.total);
  object["seconds"] = rounded(stats.seconds);
  object["cpu_seconds_self"] = rounded(stats.cpu_seconds_self);
  object["tests_per_second"] = rounded(per_second(stats.total.tests, stats.seconds));
  object["peak_rss_mb"] = stats.peak_rss_mb;
  object["start_time"] = rounded(stats.start_time);
  object["last_update"] = rounded(stats.last_update);
  object["last_bug"] = rounded(stats.last_bug);
  object["sessions"] = stats.sessions;
  object["pid"] = stats.pid;
  object["seeds"] = stats.seeds;
  object["seeds_dropped"] = stats.seeds_dropped;
  object["warnings"] = stats.warnings;
  object["keys"] = stats.known_keys();
  object["suspicions"] = Json::object();
  for (const auto& [stage, count] : progress.suspicions) object["suspicions"][stage] = count;
  object["program"] = stats.program;
  object["command_line"] = stats.command_line;
  object["purposes"] = spent_by_purpose(stats);
  object["lanes"] = lanes_of(stats);
  object["tried"] = tried_by_class(stats);
  object["engines"] = counts_by_name(stats.engines);
  object["solvers"] = counts_by_name(stats.solvers);
  return dump_json(object, 2) + '\n';
}

std::string print_fuzzer_stats(const Stats& stats, const Progress& progress,
                               double recent_runs_per_second) {
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    text += fmt::format("{:<18}: {}\n", key, value);
  };
  const auto number = [&line](std::string_view key, uint64_t value) { line(key, value); };
  const double since_bug = stats.last_update - std::max(stats.last_bug, stats.start_time);
  number("start_time", whole(stats.start_time));
  number("last_update", whole(stats.last_update));
  number("run_time", whole(stats.seconds));
  line("fuzzer_pid", stats.pid);
  number("cycles_done", progress.cycles);
  number("cycles_wo_finds", 0);
  number("time_wo_finds", whole(since_bug));
  // afl-whatsup divides by these two.
  number("execs_done", std::max<uint64_t>(stats.total.runs, 1));
  line("execs_per_sec", fmt::format("{:.2f}", per_second(stats.total.runs, stats.seconds)));
  line("execs_ps_last_min", fmt::format("{:.2f}", recent_runs_per_second));
  number("corpus_count", std::max<uint64_t>(progress.corpus, 1));
  number("corpus_favored", 0);
  number("corpus_found", progress.corpus_added);
  number("corpus_imported", 0);
  number("corpus_variable", 0);
  number("max_depth", 1);
  number("cur_item", progress.current);
  number("pending_favs", 0);
  number("pending_total", progress.pending);
  line("stability", "100.00%");
  line("bitmap_cvg", "0.00%");
  number("saved_crashes", stats.total.bugs);
  number("saved_hangs", 0);
  number("last_find", whole(stats.last_bug));
  number("last_crash", whole(stats.last_bug));
  number("last_hang", 0);
  number("execs_since_crash", 0);
  number("exec_timeout", progress.timeout_ms);
  number("slowest_exec_ms", progress.timeout_ms);
  number("peak_rss_mb", stats.peak_rss_mb);
  line("cpu_affinity", -1);
  number("edges_found", stats.known_keys());
  number("total_edges", std::max<uint64_t>(stats.known_keys(), 1));
  number("var_byte_count", 0);
  number("havoc_expansion", 0);
  number("auto_dict_entries", 0);
  number("testcache_size", 0);
  number("testcache_count", 0);
  number("testcache_evict", 0);
  std::string banner;
  for (const auto& [solver, counts] : stats.solvers) banner += (banner.empty() ? "" : " ") + solver;
  line("afl_banner", harmless(banner.empty() ? "elenchus" : banner));
  line("afl_version", harmless(stats.program));
  line("target_mode", "default");
  line("command_line", one_line(stats.command_line));
  return text;
}

std::string plot_header() {
  return "# relative_time, cycles_done, cur_item, corpus_count, pending_total, pending_favs, "
         "map_size, saved_crashes, saved_hangs, max_depth, execs_per_sec, total_execs, "
         "edges_found\n";
}

std::string plot_line(const Stats& stats, const Progress& progress, double recent_runs_per_second) {
  return fmt::format("{}, {}, {}, {}, {}, {}, {:.2f}%, {}, {}, {}, {:.2f}, {}, {}\n",
                     whole(stats.seconds), progress.cycles, progress.current, progress.corpus,
                     progress.pending, 0, 0.0, stats.total.bugs, 0, 1, recent_runs_per_second,
                     stats.total.runs, stats.known_keys());
}

}  // namespace elenchus::store
