// Each process claims a run, makes it in its own folder and writes the result into the database,
// until none is left. What is under way is kept by a thread with a connection of its own, because
// reading counts of a solver's code may take longer than a lease.

#include "experiment/shared_runs.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "share/connection.h"
#include "share/schema.h"
#include "store/files.h"
#include "store/json.h"

namespace elenchus::experiment {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;
using share::SharedExperiment;

constexpr auto kShortNap = std::chrono::milliseconds(50);
constexpr double kLongestWait = 5;  // seconds between questions to the server
constexpr double kPartOfLease = 1.0 / 4;

double wait_for(double lease) { return std::min(kLongestWait, lease * kPartOfLease); }

template <typename Condition>
void nap(double seconds, const Condition& is_over) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end && !is_over()) std::this_thread::sleep_for(kShortNap);
}

base::Result<std::unique_ptr<share::Connection>> connected(const share::Address& address) {
  ELENCHUS_ASSIGN_OR_RETURN(auto connection, share::Connection::open(address));
  if (auto fits = share::check_schema(*connection); !fits) return fits.error();
  return connection;
}

// Keeps the lease of a run while it lives.
class Keeper {
 public:
  Keeper(const SharedPlan& plan, share::PlannedRun run)
      : plan_(plan), run_(std::move(run)), thread_([this] { keep(); }) {}
  ~Keeper() {
    stop_ = true;
    thread_.join();
  }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  bool is_lost() const { return is_lost_; }

 private:
  void keep() {
    while (!stop_ && !is_lost_) {
      nap(wait_for(plan_.lease), [&] { return stop_.load(); });
      if (!stop_ && !prolong()) connection_.reset();
    }
  }

  base::Result<void> prolong() {
    if (connection_ == nullptr) {
      ELENCHUS_ASSIGN_OR_RETURN(connection_, connected(plan_.address));
    }
    ELENCHUS_ASSIGN_OR_RETURN(auto experiment,
                              SharedExperiment::find(*connection_, plan_.address.campaign));
    ELENCHUS_ASSIGN_OR_RETURN(const bool is_ours, experiment.keep(plan_.maker, run_, plan_.lease));
    is_lost_ = !is_ours;
    return {};
  }

  const SharedPlan& plan_;
  share::PlannedRun run_;
  std::unique_ptr<share::Connection> connection_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> is_lost_ = false;
  std::thread thread_;
};

// This process's part of an experiment.
class Part {
 public:
  Part(const ExperimentPlan& plan, const SharedPlan& shared, const std::filesystem::path& folder,
       const ExperimentHooks& hooks, campaign::Control& control)
      : plan_(plan), shared_(shared), folder_(folder), hooks_(hooks), control_(control) {}

  base::Result<void> join() {
    if (auto joined = connect(); !joined) return joined;
    return tell_of_complete();
  }

  base::Result<void> work() {
    while (!control_.stop) {
      ELENCHUS_ASSIGN_OR_RETURN(const auto run, ask([&](SharedExperiment& experiment) {
                                  return experiment.claim(shared_.maker, shared_.lease);
                                }));
      if (run) {
        if (auto made = make(*run); !made) return made;
        continue;
      }
      ELENCHUS_ASSIGN_OR_RETURN(
          const share::ExperimentLine all,
          ask([](SharedExperiment& experiment) { return experiment.standing(); }));
      if (all.complete == all.runs) return {};
      nap(wait_for(shared_.lease), [&] { return control_.stop.load(); });
    }
    return {};
  }

  // What is complete, and nothing is held any longer.
  base::Result<std::vector<ExperimentRun>> leave() {
    auto released =
        ask([&](SharedExperiment& experiment) { return experiment.release(shared_.maker); });
    if (!released) return released.error();
    return ask([](SharedExperiment& experiment) { return read_shared_runs(experiment); });
  }

 private:
  // What was made when the server was away.
  base::Result<void> tell_of_complete() {
    ELENCHUS_ASSIGN_OR_RETURN(
        const auto results, ask([](SharedExperiment& experiment) { return experiment.results(); }));
    std::set<std::pair<std::string, uint32_t>> known;
    for (const share::RunResult& one : results) known.emplace(one.run.arm, one.run.repetition);
    for (const ExperimentRun& run : planned_runs(plan_)) {
      if (!is_complete(folder_, run) || known.contains({run.arm, run.repetition})) continue;
      if (auto told = make({run.arm, run.repetition}); !told) return told;
    }
    return {};
  }

  base::Result<void> connect() {
    ELENCHUS_ASSIGN_OR_RETURN(connection_, connected(shared_.address));
    std::vector<share::PlannedRun> runs;
    for (const ExperimentRun& run : planned_runs(plan_)) runs.push_back({run.arm, run.repetition});
    auto experiment =
        SharedExperiment::join(*connection_, shared_.address.campaign, shared_.text, runs);
    if (!experiment) connection_.reset();
    if (!experiment) return experiment.error();
    experiment_ = std::move(*experiment);
    return {};
  }

  // Asks until there is an answer, unless somebody ends it all: the server may be away for a while.
  template <typename Question>
  auto ask(const Question& question) -> decltype(question(std::declval<SharedExperiment&>())) {
    while (true) {
      base::Result<void> there;
      if (connection_ == nullptr) there = connect();
      if (there) {
        auto answer = question(*experiment_);
        if (answer) tell({});
        if (answer || answer.error().kind != base::ErrorKind::kIo) return answer;
        there = answer.error();
      }
      connection_.reset();
      if (there.error().kind != base::ErrorKind::kIo || control_.stop) return there.error();
      tell(there.error().message);
      nap(wait_for(shared_.lease), [&] { return control_.stop.load(); });
    }
  }

  void tell(const std::string& trouble) {
    if (trouble == trouble_) return;
    trouble_ = trouble;
    shared_.tell(trouble);
  }

  ExperimentRun planned(const share::PlannedRun& wanted) const {
    ExperimentRun run;
    run.arm = wanted.arm;
    run.repetition = wanted.repetition;
    run.rng = run_seed(plan_, wanted.arm, wanted.repetition);
    run.node = shared_.maker.name;
    return run;
  }

  base::Result<void> agree(const ExperimentRun& run) {
    if (run.made_with.empty()) {
      return base::Error{base::ErrorKind::kUnsupported,
                         fmt::format("{} has runs of an older Elenchus, and nobody knows what they "
                                     "were made with; --out takes another folder",
                                     folder_.string()),
                         {}};
    }
    return ask(
        [&](SharedExperiment& experiment) { return experiment.agree(run.arm, run.made_with); });
  }

  // It is asked again before the run is told; a server that is away holds up nothing.
  base::Result<void> agree_at_once(const ExperimentRun& run) {
    auto agreed = experiment_->agree(run.arm, run.made_with);
    if (!agreed && agreed.error().kind == base::ErrorKind::kIo) return {};
    return agreed;
  }

  base::Result<void> make(const share::PlannedRun& wanted) {
    ExperimentRun run = planned(wanted);
    {
      const Keeper keeper(shared_, wanted);
      const Company company{
          .begins = [&](const ExperimentRun& begun) { return agree_at_once(begun); },
          .has_taken_over = [&] { return keeper.is_lost(); }};
      ELENCHUS_ASSIGN_OR_RETURN(const bool has_ended,
                                complete_run(plan_, folder_, hooks_, run, control_, company));
      if (!has_ended) return {};
    }
    if (auto agreed = agree(run); !agreed) return agreed;
    auto told = ask([&](SharedExperiment& experiment) {
      return experiment.finish(shared_.maker, wanted, print_run(run));
    });
    if (!told) return told;
    ELENCHUS_ASSIGN_OR_RETURN(
        const share::ExperimentLine all,
        ask([](SharedExperiment& experiment) { return experiment.standing(); }));
    hooks_.watch(std::max<uint64_t>(all.complete, 1) - 1, run);
    return {};
  }

  const ExperimentPlan& plan_;
  const SharedPlan& shared_;
  const std::filesystem::path& folder_;
  const ExperimentHooks& hooks_;
  campaign::Control& control_;
  std::unique_ptr<share::Connection> connection_;
  std::optional<SharedExperiment> experiment_;
  std::string trouble_;
};

}  // namespace

std::string print_run(const ExperimentRun& run) {
  return store::dump_json(Json{{"arm", run.arm},
                               {"repetition", run.repetition},
                               {"rng", run.rng},
                               {"tests", run.counts.tests},
                               {"runs", run.counts.runs},
                               {"accepted", run.counts.accepted},
                               {"decided", run.counts.decided},
                               {"valid", run.counts.valid},
                               {"timeouts", run.counts.timeouts},
                               {"seconds", run.seconds},
                               {"cpu_seconds", run.cpu_seconds},
                               {"keys", run.keys},
                               {"lines", run.lines},
                               {"functions", run.functions},
                               {"branches", run.branches},
                               {"bugs", run.bugs},
                               {"growth", run.growth},
                               {"made_with", run.made_with},
                               {"node", run.node}});
}

base::Result<ExperimentRun> parse_run(std::string_view json) {
  try {
    const Json object = Json::parse(json);
    ExperimentRun run;
    object.at("arm").get_to(run.arm);
    object.at("repetition").get_to(run.repetition);
    object.at("rng").get_to(run.rng);
    object.at("tests").get_to(run.counts.tests);
    object.at("runs").get_to(run.counts.runs);
    object.at("accepted").get_to(run.counts.accepted);
    object.at("decided").get_to(run.counts.decided);
    object.at("valid").get_to(run.counts.valid);
    object.at("timeouts").get_to(run.counts.timeouts);
    object.at("seconds").get_to(run.seconds);
    object.at("cpu_seconds").get_to(run.cpu_seconds);
    object.at("keys").get_to(run.keys);
    object.at("lines").get_to(run.lines);
    object.at("functions").get_to(run.functions);
    object.at("branches").get_to(run.branches);
    object.at("bugs").get_to(run.bugs);
    object.at("growth").get_to(run.growth);
    object.at("made_with").get_to(run.made_with);
    object.at("node").get_to(run.node);
    return run;
  } catch (const nlohmann::json::exception& error) {
    return base::Error{base::ErrorKind::kParse,
                       fmt::format("the result of a run cannot be read: {}", error.what()),
                       {}};
  }
}

base::Result<Workplace> take_workplace(const std::filesystem::path& folder, std::string name) {
  if (auto made = store::make_folder(folder); !made) return made.error();
  ELENCHUS_ASSIGN_OR_RETURN(auto lock, store::WriterLock::acquire(folder / "lock"));
  const std::filesystem::path file = folder / "node";
  auto uid = store::read_file(file);
  if (!uid) {
    std::random_device device;
    uid = fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
    auto kept = store::replace_file(file, *uid, store::Durability::kNow);
    if (!kept) return kept.error();
  }
  return Workplace{std::move(lock), {std::move(*uid), std::move(name)}};
}

base::Result<std::vector<ExperimentRun>> make_shared_runs(const ExperimentPlan& plan,
                                                          const SharedPlan& shared,
                                                          const std::filesystem::path& folder,
                                                          const ExperimentHooks& hooks,
                                                          campaign::Control& control) {
  if (auto launches = check_launches(plan, hooks); !launches) return launches.error();
  Part part(plan, shared, folder, hooks, control);
  if (auto joined = part.join(); !joined) return joined.error();
  const auto worked = part.work();
  auto runs = part.leave();
  if (!worked) return worked.error();
  return runs;
}

base::Result<std::vector<ExperimentRun>> read_shared_runs(share::SharedExperiment& experiment) {
  ELENCHUS_ASSIGN_OR_RETURN(const auto results, experiment.results());
  std::vector<ExperimentRun> runs;
  for (const share::RunResult& one : results) {
    ELENCHUS_ASSIGN_OR_RETURN(ExperimentRun run, parse_run(one.result));
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace elenchus::experiment
