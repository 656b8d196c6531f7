#include "lane/batches.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/script_parts.h"
#include "mutate/assignment.h"
#include "oracle/term_values.h"

namespace elenchus::lane {

using ir::TermId;

namespace {

// Of one batch. More would make what is lost with a solver that dies dearer, fewer the round trip.
constexpr size_t kTerms = 400;
// Applications of one form in a batch: a form of more applications has the others another time.
constexpr uint64_t kOfAForm = 64;
constexpr size_t kAssignments = 6;
// Forms that the solver was not asked about before: not more than it may die of.
constexpr size_t kNewForms = 10;
// A form is left alone after so many refusals, and so many more than replies: some arguments of an
// operator may be refused where others are not.
constexpr uint32_t kTries = 2;

gen::GrammarSettings grammar_settings(uint16_t reader) {
  gen::GrammarSettings settings;
  settings.vocabulary.solvers = reader;
  return settings;
}

std::vector<ir::Model> draw_assignments(ir::TermStore& store, const ir::Script& script,
                                        std::span<const TermId> terms,
                                        std::span<const ir::Model> known, base::Rng& rng) {
  mutate::Assigner assigner(store, script, terms);
  std::vector<ir::Model> models(known.begin(), known.end());
  for (ir::Model& model : models) assigner.complete(model, rng);
  while (models.size() < kAssignments) models.push_back(assigner.draw(rng));
  return models;
}

// Declarations of several scripts, in one that has no name twice.
class Union {
 public:
  explicit Union(const ir::TermStore& store) : store_(store) {}

  // False where a name of the script means something else already.
  bool add(const ir::Script& script) {
    if (!fits(script)) return false;
    if (!script_.logic.valid()) script_.logic = script.logic;
    for (const ir::Command& command : script.commands) {
      const bool is_logic = command.kind == ir::CommandKind::kSetLogic && script_.commands.empty();
      if (!is_logic && !ir::is_declaration(command.kind)) continue;
      if (!is_logic && !is_new(script, command)) continue;
      ir::Command copied = command;
      script_.set_items(copied, script.items(command));
      script_.commands.push_back(copied);
    }
    return true;
  }

  ir::Script take() { return std::move(script_); }

 private:
  // Whether something in the command is not there yet; notes it.
  bool is_new(const ir::Script& script, const ir::Command& command) {
    bool is_first =
        !ir::declares_functions(command.kind) && seen_.insert(key(script, command)).second;
    ir::for_each_declared(store_, script, command, [&](ir::FunId fun) {
      is_first |= names_.emplace(store_.fun(fun).name.value, fun.value).second;
    });
    return is_first;
  }

  // Sorts and datatypes, which no function stands for.
  static uint64_t key(const ir::Script& script, const ir::Command& command) {
    const auto items = script.items(command);
    return (static_cast<uint64_t>(command.kind) << 32) | (items.empty() ? 0 : items[0]);
  }

  // Whether no name means two things, here and in what is there already: after (pop), it may.
  bool fits(const ir::Script& script) const {
    bool fits = true;
    std::unordered_map<uint32_t, uint32_t> own;
    for (const ir::Command& command : script.commands) {
      ir::for_each_declared(store_, script, command, [&](ir::FunId fun) {
        const uint32_t name = store_.fun(fun).name.value;
        const auto known = names_.find(name);
        fits = fits && (known == names_.end() || known->second == fun.value) &&
               own.emplace(name, fun.value).first->second == fun.value;
      });
    }
    return fits;
  }

  const ir::TermStore& store_;
  ir::Script script_;
  std::unordered_map<uint32_t, uint32_t> names_;  // functions by symbol
  std::unordered_set<uint64_t> seen_;
};

}  // namespace

Batches::Batches(ir::TermStore& store, uint16_t reader, Part part)
    : part_(part),
      forms_(store, reader),
      grammar_(store.ops(), "ALL", grammar_settings(reader)),
      accounts_(forms_.all().size()) {
  for (size_t i = 0; i < accounts_.size(); ++i) new_.push_back(i);
  base::Rng rng(accounts_.size());
  rng.shuffle(std::span(new_));
}

void Batches::draw(ir::TermStore& store, size_t form, uint64_t most, base::Rng& rng, Batch& batch) {
  const Form& drawn = forms_.all()[form];
  auto& tour = accounts_[form].tour;
  if (!tour) tour.emplace(forms_.count(drawn), rng);
  for (uint64_t i = 0; i < most && !tour->is_over(); ++i) {
    const TermId term = forms_.application(store, drawn, tour->next());
    if (!term.valid()) continue;
    batch.terms.push_back(term);
    drawn_.push_back(form);
  }
}

Batch Batches::folded(ir::TermStore& store, base::Rng& rng) {
  Batch batch;
  batch.script = forms_.script();
  batch.assignments.emplace_back();
  drawn_.clear();
  while (!open_.empty() && batch.terms.size() < kTerms) {
    const size_t place = rng.below(open_.size());
    const size_t form = open_[place];
    draw(store, form, kOfAForm, rng, batch);
    if (!accounts_[form].tour->is_over()) continue;
    open_[place] = open_.back();
    open_.pop_back();
  }
  for (size_t i = 0; i < kNewForms && !new_.empty(); ++i) {
    draw(store, new_.back(), 1, rng, batch);
    new_.pop_back();
  }
  return batch;
}

void Batches::learn(std::span<const Reply> replies) {
  // A solver that did not even take the declarations says nothing of the forms.
  const bool is_asked = replies.size() == drawn_.size();
  for (size_t i = 0; i < drawn_.size(); ++i) {
    const size_t form = drawn_[i];
    Account& account = accounts_[form];
    if (!is_asked || replies[i].fate == Fate::kLost) {
      if (account.standing == Standing::kNew) new_.push_back(form);
      continue;
    }
    const bool is_answered = replies[i].fate == Fate::kAnswered;
    ++(is_answered ? account.answered : account.refused);
    if (account.standing == Standing::kNew && is_answered) {
      account.standing = Standing::kTaken;
      if (is_mine(form) && !account.tour->is_over()) open_.push_back(form);
    } else if (account.standing == Standing::kNew && account.refused < kTries) {
      new_.insert(new_.begin(), form);
    } else if (account.refused >= kTries + account.answered) {
      account.standing = Standing::kRefused;
      std::erase(open_, form);
    }
  }
}

Batch Batches::nested(ir::TermStore& store, base::Rng& rng) {
  constexpr uint64_t kDeepest = 3;
  Batch batch;
  batch.script = forms_.script();
  const auto is_taken = [&](size_t form) { return accounts_[form].standing == Standing::kTaken; };
  for (size_t tries = 0; tries < 2 * kTerms && batch.terms.size() < kTerms; ++tries) {
    const TermId term =
        forms_.nested(store, rng, static_cast<uint32_t>(1 + rng.below(kDeepest)), is_taken);
    if (term.valid() && !store.args(term).empty()) batch.terms.push_back(term);
  }
  batch.assignments = draw_assignments(store, batch.script, batch.terms, {}, rng);
  return batch;
}

Batch Batches::generated(ir::TermStore& store, base::Rng& rng) {
  constexpr int kScripts = 1;
  std::vector<ir::Script> scripts;
  for (int i = 0; i < kScripts; ++i) scripts.push_back(grammar_.script(store, rng));
  return subterms_of(store, scripts, {}, rng);
}

Batch subterms_of(ir::TermStore& store, std::span<const ir::Script> scripts,
                  std::span<const ir::Model> models, base::Rng& rng) {
  Union all(store);
  std::vector<TermId> roots;
  for (const ir::Script& script : scripts) {
    if (!all.add(script)) continue;
    for (const ir::Command& command : script.commands) {
      if (ir::has_term(command.kind)) roots.push_back(command.term);
    }
  }
  Batch batch;
  batch.script = all.take();
  batch.terms = oracle::askable_subterms(store, roots, kTerms);
  batch.assignments = draw_assignments(store, batch.script, batch.terms, models, rng);
  return batch;
}

}  // namespace elenchus::lane
