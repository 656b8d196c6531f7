#include "cli/mutant_maker.h"

#include <utility>
#include <variant>

#include "cli/input.h"
#include "eval/check.h"
#include "ir/timeline.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"

namespace elenchus::cli {
namespace {

// An engine that refuses so often in a row has nothing more to offer for a seed.
constexpr uint32_t kPatience = 100;
// Files that are drawn as a partner of another.
constexpr uint32_t kPartnerDraws = 64;

uint64_t checks_in(const ir::Script& script) {
  uint64_t checks = 0;
  for (const ir::Command& command : script.commands) checks += ir::is_check(command.kind) ? 1 : 0;
  return checks;
}

// "; expect: sat unknown": a word for each check-sat.
std::string expectation(const mutate::Mutant& mutant) {
  std::string line = "; expect:";
  const uint64_t checks = checks_in(mutant.script);
  for (uint64_t i = 0; i < checks; ++i) {
    const bool known = i < mutant.expected.size();
    line += ' ';
    line += to_string(known ? mutant.expected[i] : mutate::Truth::kUnknown);
  }
  return line + '\n';
}

}  // namespace

std::optional<mutate::Truth> Statuses::get(size_t file) {
  const std::lock_guard lock(mutex_);
  return known_[file];
}

void Statuses::set(size_t file, mutate::Truth status) {
  const std::lock_guard lock(mutex_);
  known_[file] = status;
}

MutantMaker::MutantMaker(const MutationPlan& plan, Statuses& statuses)
    : plan_(plan),
      statuses_(statuses),
      engine_(plan.make_engine()),
      store_(plan.ops),
      clean_(store_.mark()),
      printer_(store_) {
  // In fresh processes: a session's models depend on what it was asked before.
  if (!plan.solvers.empty()) lab_.emplace(store_, plan.solvers, true, plan.limits);
}

FileReport MutantMaker::make(size_t file, const Sink& sink) {
  report_ = {};
  report_.wrong_file = plan_.files[file];
  store_.rollback(clean_);
  // What comes out of a file does not depend on the others.
  engine_->forget();
  if (const auto done = mutate_file(file, sink); !done) report_.error = done.error();
  return std::move(report_);
}

base::Result<void> MutantMaker::mutate_file(size_t file, const Sink& sink) {
  base::Rng rng = plan_.rngs[file];
  ELENCHUS_ASSIGN_OR_RETURN(const Source source, read_source(file));
  const std::optional<Source> partner = find_partner(file, source.facts.status, rng);
  const auto seed_of = [](const Source& one) {
    return mutate::Seed{.script = one.script,
                        .models = one.facts.models,
                        .status = one.facts.status,
                        .assignments = one.facts.assignments,
                        .core = one.facts.core};
  };
  mutate::Seed seed = seed_of(source);
  const mutate::Seed other = seed_of(partner ? *partner : source);
  if (partner) seed.partner = &other;
  return mutate_seed(seed, rng, sink);
}

base::Result<void> MutantMaker::mutate_seed(const mutate::Seed& seed, base::Rng& rng,
                                            const Sink& sink) {
  const ir::TermStore::Mark parsed = store_.mark();
  uint32_t refused = 0;
  while (report_.made < plan_.count && refused < kPatience) {
    store_.rollback(parsed);
    auto started = engine_->start(store_, seed);
    if (const auto* skip = std::get_if<mutate::Skip>(&started)) {
      ++report_.skips[std::string(skip->reason)];
      return {};
    }
    const auto series = std::move(std::get<std::unique_ptr<mutate::Series>>(started));
    for (uint32_t i = 0; i < engine_->series_length() && report_.made < plan_.count; ++i) {
      const mutate::Attempt attempt = series->next(rng);
      if (const auto* skip = std::get_if<mutate::Skip>(&attempt)) {
        ++report_.skips[std::string(skip->reason)];
        if (++refused >= kPatience) break;
        continue;
      }
      refused = 0;
      ELENCHUS_ASSIGN_OR_RETURN(MutantText text, text_of(std::get<mutate::Mutant>(attempt), rng));
      ++report_.made;
      if (!sink(std::move(text))) return {};
    }
  }
  return {};
}

base::Result<MutantMaker::Source> MutantMaker::read_source(size_t file) {
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(plan_.files[file]));
  ELENCHUS_ASSIGN_OR_RETURN(ir::Script script, smtlib::parse_script(store_, text.view()));
  ELENCHUS_ASSIGN_OR_RETURN(campaign::SeedFacts facts, facts_about(script, file));
  statuses_.set(file, facts.status);
  return Source{std::move(script), std::move(facts)};
}

base::Result<campaign::SeedFacts> MutantMaker::facts_about(const ir::Script& script, size_t file) {
  campaign::SeedFacts facts;
  if (!engine_->wants_models()) return facts;
  if (!plan_.model.empty()) {
    auto model = given_model(script);
    if (!model) {
      report_.wrong_file = plan_.model;
      return model.error();
    }
    facts.models.push_back(std::move(*model));
    return facts;
  }
  if (!lab_) return facts;
  // The file's own generator, whoever wants to know: everybody must get the same answer.
  base::Rng rng = base::Rng(plan_.rngs[file]).split();
  return campaign::ask_about(store_, *lab_, script, 1, rng);
}

base::Result<ir::Model> MutantMaker::given_model(const ir::Script& script) {
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(plan_.model));
  const auto checks = ir::checks_of(script);
  const size_t check = checks.empty() ? script.commands.size() : checks.back();
  ELENCHUS_ASSIGN_OR_RETURN(ir::Model model,
                            smtlib::read_model(store_, script, check, text.view()));
  if (const auto sane = eval::check_definitions(store_, model); !sane) return sane.error();
  return model;
}

std::optional<MutantMaker::Source> MutantMaker::find_partner(size_t file, mutate::Truth status,
                                                             base::Rng& rng) {
  if (!engine_->wants_partner() || !plan_.model.empty()) return {};
  for (uint32_t i = 0; i < kPartnerDraws; ++i) {
    const size_t other = rng.below(plan_.files.size());
    if (other == file || plan_.files[other] == "-" || status_of(other) != status) continue;
    const ir::TermStore::Mark before = store_.mark();
    auto source = read_source(other);
    if (source && source->facts.status == status) return std::move(*source);
    store_.rollback(before);
  }
  return {};
}

mutate::Truth MutantMaker::status_of(size_t file) {
  if (const auto known = statuses_.get(file)) return *known;
  const ir::TermStore::Mark before = store_.mark();
  const auto source = read_source(file);
  const mutate::Truth status = source ? source->facts.status : mutate::Truth::kUnknown;
  statuses_.set(file, status);
  store_.rollback(before);
  return status;
}

base::Result<MutantText> MutantMaker::text_of(const mutate::Mutant& mutant, base::Rng& rng) {
  MutantText text;
  text.expectation = expectation(mutant);
  text.kind = mutant.kind;
  ELENCHUS_ASSIGN_OR_RETURN(smtlib::PrintedScript printed, printer_.print(mutant.script));
  text.script = std::move(printed.text);
  if (plan_.chooser != nullptr) text.options = plan_.chooser->choose(store_, mutant.script, rng);
  if (mutant.witness && plan_.wants_witnesses) {
    ELENCHUS_ASSIGN_OR_RETURN(text.model, smtlib::print_model(store_, *mutant.witness));
  }
  return text;
}

}  // namespace elenchus::cli
