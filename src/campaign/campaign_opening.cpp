// What is asked of a campaign, checked against what there is: solvers, engines, seeds, a folder.

#include "campaign/campaign.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "base/text.h"
#include "campaign/code_reached.h"
#include "campaign/engine_name.h"
#include "campaign/option_trials.h"
#include "coverage/afl_map.h"
#include "lane/lane.h"
#include "mutate/registry.h"
#include "mutate/tunables.h"
#include "solver/readership.h"
#include "store/usage.h"

namespace elenchus::campaign {
namespace {

// Of a bug that needs options beyond the default, beside one that needs none.
constexpr double kWorthWithOptions = 0.2;

base::Error unusable(std::string message) {
  return {base::ErrorKind::kUnsupported, std::move(message), {}};
}

base::Result<std::vector<solver::Solver>> find_solvers(const std::vector<std::string>& specs,
                                                       const solver::Profiles& profiles) {
  if (specs.empty()) {
    auto found = solver::find_all_solvers(profiles);
    if (found.empty()) {
      return unusable(
          "no solver found; install one (apt-get install z3 cvc5) or name it with --solver");
    }
    return found;
  }
  std::vector<solver::Solver> solvers;
  for (const std::string& spec : specs) {
    ELENCHUS_ASSIGN_OR_RETURN(solver::Solver solver, solver::find_solver(profiles, spec));
    const auto is_same = [&](const solver::Solver& other) { return other.name == solver.name; };
    if (std::any_of(solvers.begin(), solvers.end(), is_same)) {
      return unusable(fmt::format("solver '{}' is given twice", solver.name));
    }
    solvers.push_back(std::move(solver));
  }
  return solvers;
}

// The version that the others are compared with joins them, as the last.
base::Result<void> add_baseline(const Settings& settings, const solver::Profiles& profiles,
                                Shared& shared) {
  if (settings.baseline.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(solver::Solver old, solver::find_solver(profiles, settings.baseline));
  auto& solvers = shared.solvers;
  std::erase_if(solvers, [&](const solver::Solver& other) { return other.name == old.name; });
  const auto is_kin = [&](const solver::Solver& other) { return solver::are_kin(other, old); };
  if (std::none_of(solvers.begin(), solvers.end(), is_kin)) {
    return unusable(fmt::format(
        "the baseline '{}' is not another version of a solver under test; name one with --solver",
        old.name));
  }
  shared.baseline = solvers.size();
  solvers.push_back(std::move(old));
  return {};
}

base::Result<void> check_engines(const Settings& settings) {
  for (const std::string& name : settings.engines) {
    const EngineName parts = engine_name_of(name);
    if (parts.has_options && settings.policy == Policy::kDefault) {
      return unusable(fmt::format(
          "the policy 'default' allows no options, but '{}' needs them; say --policy regular",
          name));
    }
    if (!mutate::is_engine_name(parts.plain)) {
      return unusable(fmt::format("no engine '{}'{}", base::shown(name), engine_suggestion(name)));
    }
  }
  return {};
}

// Those that were asked for; else all, in all ways that the solvers allow.
std::vector<std::string> engines_of(const Settings& settings,
                                    std::span<const solver::Solver> solvers, bool has_tactics) {
  if (!settings.engines.empty()) return settings.engines;
  const auto has_variants = [](const solver::Solver& solver) {
    return solver.options.empty() && !solver.profile->variants.empty();
  };
  const auto has_objectives = [](const solver::Solver& solver) {
    return solver.profile->has_objectives;
  };
  return default_mix({.options = settings.policy != Policy::kDefault,
                      .tactics = has_tactics,
                      .variants = std::any_of(solvers.begin(), solvers.end(), has_variants),
                      .objectives = std::any_of(solvers.begin(), solvers.end(), has_objectives)});
}

// A name that no test can have would push all tests aside.
base::Result<void> check_focus(const Settings& settings, const ir::OpTable& ops) {
  constexpr std::string_view kBinders[] = {"forall", "exists", "lambda", "match", "witness"};
  for (const std::string& name : settings.focus) {
    const bool is_binder =
        std::find(std::begin(kBinders), std::end(kBinders), name) != std::end(kBinders);
    const ir::SymbolId symbol = ops.symbols().find(name);
    if (!is_binder && (!symbol.valid() || ops.named(symbol).empty())) {
      std::vector<std::string> known;
      for (const ir::Op op : ops.all()) known.emplace_back(ops.name(op));
      std::string hint = base::did_you_mean(name, known);
      if (hint.empty()) hint = "; --operators declares further ones";
      return unusable(fmt::format("no operator '{}' to focus on{}", base::shown(name), hint));
    }
  }
  return {};
}

// Without checks, some solver must be one that can be asked about terms.
base::Result<void> check_lanes(const Shared& shared) {
  const bool is_served = std::any_of(shared.solvers.begin(), shared.solvers.end(),
                                     [](const auto& one) { return lane::TermLane::serves(one); });
  if (shared.lanes->has(Lane::kChecks) || is_served) return {};
  return unusable("none of the solvers can be asked about terms; leave out --lane");
}

// What all solvers that list tactics have in common.
std::vector<std::string> common_tactics(std::span<const knobs::Catalogue> catalogues) {
  std::vector<std::string> common;
  bool is_first = true;
  for (const knobs::Catalogue& catalogue : catalogues) {
    if (catalogue.tactics.empty()) continue;
    std::set<std::string> listed;
    for (const knobs::Tactic& tactic : catalogue.tactics) listed.insert(tactic.name);
    if (std::exchange(is_first, false)) common.assign(listed.begin(), listed.end());
    std::erase_if(common, [&](const std::string& name) { return !listed.contains(name); });
  }
  return common;
}

// Asks solvers for their options and tactics, where an engine wants them.
void find_options(Shared& shared) {
  const auto& engines = shared.engines;
  const bool is_wanted = std::any_of(engines.begin(), engines.end(), [](const std::string& name) {
    return engine_name_of(name).has_options;
  });
  if (!is_wanted) return;
  for (const solver::Solver& solver : shared.solvers) {
    shared.catalogues.push_back(knobs::catalogue_of(solver));
    const auto learnt = std::find_if(
        shared.learnt.begin(), shared.learnt.end(),
        [&](const knobs::Correlations& one) { return one.solver == solver.profile->name; });
    shared.correlations.push_back(learnt == shared.learnt.end()
                                      ? knobs::shipped_correlations(solver.profile->name)
                                      : &*learnt);
  }
  shared.engine_settings.set_tactics(common_tactics(shared.catalogues));
}

// The engine's own way from a mutant to a smaller one.
auto smaller_by_engine(const Shared& shared) {
  return
      [&shared](
          const docket::Origin& origin, ir::TermStore& terms, const ir::Script& script,
          const ir::Model& model,
          const docket::Service::IsWanted& is_wanted) -> std::optional<docket::Service::Smaller> {
        const EngineName name = engine_name_of(origin.engine);
        if (!mutate::is_engine_name(name.plain)) return {};
        const auto engine = mutate::make_engine(name.plain, shared.engine_settings);
        mutate::Mutant mutant;
        mutant.script = script;
        mutant.witness = std::make_shared<const ir::Model>(model);
        base::Rng rng(origin.rng);
        auto found = engine->smaller(
            terms, mutant,
            [&](const mutate::Mutant& other) {
              return other.witness != nullptr && is_wanted(other.script, *other.witness);
            },
            rng);
        if (!found) return {};
        return docket::Service::Smaller{std::move(found->script), *found->witness};
      };
}

// What tells a node from all others, also from those of the same name: it belongs to the folder.
base::Result<std::string> identity_of(store::CampaignStore& store) {
  constexpr std::string_view kIdentity = "share:uid";
  ELENCHUS_ASSIGN_OR_RETURN(const auto known, store.view().memories(kIdentity));
  if (!known.empty() && !known.front().content.empty()) return known.front().content;
  std::random_device device;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", device());
  const store::Memory identity[] = {{std::string(kIdentity), uid}};
  if (auto kept = store.remember(identity); !kept) return kept.error();
  return uid;
}

}  // namespace

base::Result<std::unique_ptr<Campaign>> Campaign::prepare(Settings settings, const Launch& launch,
                                                          Control& control) {
  if (const auto engines = check_engines(settings); !engines) return engines.error();
  auto campaign = std::make_unique<Campaign>();
  Shared& shared = campaign->shared_;
  shared.control = &control;
  shared.cpu_seconds = launch.cpu_seconds;
  shared.own_cpu_before = store::own_usage().cpu_seconds;
  ELENCHUS_ASSIGN_OR_RETURN(shared.engine_settings, mutate::tuned(settings.set));
  shared.profiles = launch.profiles;
  ELENCHUS_ASSIGN_OR_RETURN(shared.solvers, find_solvers(settings.solvers, launch.profiles));
  if (const auto added = add_baseline(settings, launch.profiles, shared); !added) {
    return added.error();
  }
  ELENCHUS_ASSIGN_OR_RETURN(const solver::Readership readership,
                            solver::readership_of(shared.solvers, *launch.ops));
  shared.ops = readership.ops;
  if (const auto focus = check_focus(settings, *shared.ops); !focus) return focus.error();
  if (const auto allowed = check_policy(settings.policy, shared.solvers); !allowed)
    return allowed.error();
  ELENCHUS_ASSIGN_OR_RETURN(shared.seeds, find_seeds(settings.seeds));
  shared.settings = std::move(settings);
  shared.learnt = launch.learnt;
  shared.engine_settings.skeleton.knowledge = launch.knowledge;
  shared.engine_settings.set_solvers(readership.all());
  shared.engine_settings.set_only(launch.only);
  shared.engine_settings.edit.slice = shared.slice;
  shared.engines =
      engines_of(shared.settings, shared.solvers, readership.any_has(ir::Habit::kTactics));
  find_options(shared);
  if (const auto opened = campaign->open_store(launch); !opened) return opened.error();

  // A resumed campaign must not repeat the tests of the sessions before, and no node those of
  // another.
  uint64_t seed = shared.settings.rng ^ (shared.store->stats().sessions << 32);
  if (!shared.settings.share.empty()) {
    ELENCHUS_ASSIGN_OR_RETURN(const std::string uid, identity_of(*shared.store));
    seed = base::hash_mix(seed, base::hash_bytes(uid));
  }
  base::Rng rng(seed);
  const auto has = [&shared](std::string_view part) { return shared.settings.has(part); };
  shared.scheduler = std::make_unique<Scheduler>(shared.seeds.files.size(), shared.engines,
                                                 shared.solvers.size(), rng.split(),
                                                 SearchParts{.neighbourhood = has("neighbourhood"),
                                                             .breadth = has("breadth"),
                                                             .forgetting = has("forgetting")});
  shared.lanes = std::make_unique<Lanes>(shared.settings.lanes);
  if (const auto lanes = check_lanes(shared); !lanes) return lanes.error();
  shared.keys = std::make_unique<KeyBoard>(shared.solvers.size());
  shared.edges = std::make_unique<KeyBoard>(shared.solvers.size());
  if (!shared.settings.only_seeds && has("pool")) {
    ELENCHUS_ASSIGN_OR_RETURN(shared.pool, Pool::open(shared.store->folder().pool()));
    for (const Pooled& entry : shared.pool->kept()) shared.adopt(entry);
  }
  if (launch.resume) {
    if (const auto done = campaign->recall(); !done) return done.error();
  }
  for (const solver::Solver& solver : shared.solvers) {
    shared.map_sizes.push_back(coverage::afl_map_size(solver.program));
  }
  ELENCHUS_ASSIGN_OR_RETURN(shared.code_folders,
                            code_folders(shared.store->folder(), shared.solvers));
  shared.matchmaker = std::make_unique<Matchmaker>(shared.seeds.files.size());
  campaign->set_up_labs();
  campaign->hire(rng);
  if (const auto joined = campaign->join(launch); !joined) return joined.error();
  return campaign;
}

// What was asked, and of whom: who was found counts as named, and paths are whole, so that a
// campaign that goes on from elsewhere changes nothing without a word.
std::string Campaign::described(const Launch& launch) const {
  Settings settings = shared_.settings;
  settings.solvers.clear();
  const auto make_absolute = [](std::string& path) {
    std::error_code error;
    if (path.empty() || path == "-") return;
    const auto whole = std::filesystem::absolute(path, error);
    if (!error) path = whole.lexically_normal().string();
  };
  for (std::string& path : settings.seeds) make_absolute(path);
  for (std::string& path : settings.correlations) make_absolute(path);
  make_absolute(settings.operators);
  make_absolute(settings.operators_only);
  make_absolute(settings.history);
  make_absolute(settings.profiles);
  std::string versions = fmt::format("# {}\n", launch.program);
  for (size_t i = 0; i < shared_.solvers.size(); ++i) {
    const solver::Solver& solver = shared_.solvers[i];
    if (i == shared_.baseline) {
      settings.baseline = solver.spec;
    } else {
      settings.solvers.push_back(solver.spec);
    }
    versions += fmt::format("# {} {}: {}\n", base::shown(solver.name), base::shown(solver.version),
                            base::shown(solver.program));
  }
  return versions + print_settings(settings);
}

base::Result<void> Campaign::open_store(const Launch& launch) {
  const store::StoreOptions options{.program = launch.program,
                                    .command_line = launch.command_line,
                                    .clock = {},
                                    .steady = {},
                                    .is_shared = !shared_.settings.share.empty()};
  auto opened = launch.resume
                    ? store::CampaignStore::open(launch.folder, options)
                    : store::CampaignStore::create(launch.folder, described(launch), options);
  if (!opened) return opened.error();
  shared_.store = std::move(*opened);
  const auto bugs = shared_.store->view().bugs();
  if (!bugs) return bugs.error();
  ELENCHUS_ASSIGN_OR_RETURN(shared_.docket, docket::Docket::open(shared_.store->folder().docket()));
  for (const std::string& problem : shared_.docket->problems()) {
    auto noted = shared_.store->add_event(store::Severity::kWarning, "docket", problem);
    if (!noted) return noted;
  }
  for (const store::BugRecord& bug : *bugs) shared_.docket->add_bug(bug.signature);
  std::vector<store::SeedRecord> records;
  records.reserve(shared_.seeds.files.size());
  for (const SeedFile& seed : shared_.seeds.files) {
    store::SeedRecord record;
    record.path = seed.key;
    record.folder = seed.folder;
    records.push_back(std::move(record));
  }
  if (shared_.seeds.too_large > 0) {
    auto noted =
        shared_.store->add_event(store::Severity::kNote, "seeds",
                                 fmt::format("{} seeds are larger than {} KB and were left out",
                                             shared_.seeds.too_large, kLargestSeed >> 10));
    if (!noted) return noted;
  }
  return shared_.store->put_seeds(records);
}

// A server that cannot be reached is no reason not to test; a URL that is none is.
base::Result<void> Campaign::join(const Launch& launch) {
  const Settings& settings = shared_.settings;
  if (settings.share.empty()) return {};
  ELENCHUS_ASSIGN_OR_RETURN(std::string uid, identity_of(*shared_.store));
  ELENCHUS_ASSIGN_OR_RETURN(share::Address address, share::parse_address(settings.share));
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  exchange_ = std::make_unique<Exchange>(
      shared_, Exchange::Plan{.address = std::move(address),
                              .introduction = {.campaign = settings.campaign,
                                               .name = settings.node,
                                               .uid = std::move(uid),
                                               .program = launch.program,
                                               .host = host,
                                               .settings = described(launch),
                                               .is_restart = true},
                              .pace = launch.share_pace,
                              .known = launch.known});
  shared_.docket->set_partners(exchange_.get());
  // What is wrong is in its state, which is shown.
  (void)exchange_->begin();
  return {};
}

// The counts of solvers that were built with --coverage go where they belong, whoever runs them.
void Campaign::set_up_labs() {
  shared_.turnstile =
      std::make_unique<lab::Turnstile>(shared_.settings.jobs, shared_.settings.prosecution);
  shared_.prepare_lab = [this](lab::SolverLab& lab) {
    for (size_t i = 0; i < shared_.solvers.size(); ++i) {
      if (shared_.code_folders[i]) lab.count_code(i, *shared_.code_folders[i]);
    }
  };
}

// As many prosecutors as there are jobs. Most of them wait for the end of testing: to bring few
// suspicions to their end is better than to begin with many.
void Campaign::hire(base::Rng& rng) {
  const uint32_t jobs = std::max(shared_.settings.jobs, 1U);
  waiting_ = std::make_unique<docket::WaitingList>(shared_.profiles, shared_.settings.diagnosis);
  // Those that time was up for when the campaign was left. Other nodes diagnose theirs.
  const store::CampaignView& view = shared_.store->view();
  const auto bugs = view.described_bugs();
  for (size_t i = 0; bugs && i < bugs->size(); ++i) {
    const auto& bug = (*bugs)[i];
    const bool is_ours = !view.read_bug_file(bug.id, store::kNodeName);
    if (is_ours && !bug.diagnosed && !bug.is_provisional) waiting_->add(bug);
  }
  service_ = std::make_unique<docket::Service>(service());
  for (uint32_t i = 0; i < jobs; ++i) {
    workers_.push_back(std::make_unique<Worker>(shared_, rng.split(), i));
    const bool waits = i > 0 && i >= shared_.settings.prosecution * jobs;
    offices_.push_back(std::make_unique<docket::Office>(*service_, waits));
  }
}

docket::Service Campaign::service() {
  const Settings& settings = shared_.settings;
  return {.docket = *shared_.docket,
          .store = *shared_.store,
          .solvers = shared_.solvers,
          .ops = shared_.ops,
          .limits = {.seconds = settings.timeout, .memory = settings.memory},
          .fresh = settings.fresh,
          .reduce_tries = settings.reduce_tries,
          // Other nodes would go on knowing what is replaced here.
          .may_keep_for_now = exchange_ == nullptr,
          .baseline = shared_.baseline,
          .turnstile = shared_.turnstile.get(),
          .waiting = waiting_.get(),
          .is_testing = [this] { return shared_.is_testing(); },
          .stop = [this] { return shared_.is_overdue(); },
          .abandon = [this] { return shared_.control->now.load(); },
          .smaller = smaller_by_engine(shared_),
          .outside_policy =
              [this](const solver::Solver& solver) {
                return outside_policy(shared_.settings.policy, solver);
              },
          .leaves_out_experimental = settings.policy != Policy::kAnything,
          .prepare = shared_.prepare_lab,
          .on_bug =
              [this](const store::Manifest& bug, bool is_new) {
                if (is_new) reward(bug);
              },
          .on_annotated =
              [this](const std::string& id) {
                if (exchange_ != nullptr) exchange_->tell_again(id);
              },
          .on_stray =
              [this](std::string script, const docket::Origin& origin) {
                shared_.strays.add({std::move(script), origin});
              },
          .on_failure = [this](base::Error error) { shared_.fail(std::move(error)); },
          .on_loss = [this](const base::Error& error) { shared_.fail_with_loss(error); },
          .on_cost = [this](double cpu_seconds) { shared_.spend(cpu_seconds); }};
}

// What is known upstream, or outside the policy, is kept, but no news.
void Campaign::reward(const store::Manifest& bug) {
  if (!bug.known.empty() || !bug.outside_policy.empty()) return;
  ++shared_.new_bugs;
  if (bug.seeds.empty()) return;
  const auto seed = shared_.seeds.place_of(bug.seeds.front());
  if (!seed) return;
  if (bug.options.empty()) {
    shared_.scheduler->reward(*seed, without_guests(bug.engine), 1);
  } else {
    shared_.scheduler->reward(*seed, bug.engine, kWorthWithOptions);
  }
}

}  // namespace elenchus::campaign
