// Skeleton enumeration (M. Sun, Y. Yang, M. Wen, Y. Wang, Y. Zhou, H. Jin: Validating SMT Solvers
// via Skeleton Enumeration Empowered by Historical Bug-Triggering Inputs, ICSE 2023), algorithm 1:
// one to five skeletons of bug-triggering formulas, mostly three, become assertions. Their holes
// get atoms; where those of a skeleton so far meet a rule's antecedent, the next one has the rule's
// consequent, each rule once for a skeleton. Variables are exchanged for others of their sort, and
// quantifiers bind variables below them, or new ones.
//
// Where we differ:
//   - An atom comes from the knowledge file, from the seed, or is made to fit a signature, so that
//     knowledge without anybody's formulas is enough.
//   - A series has a theme: the theories of one historical input, or of the seed. Atoms of other
//     theories stay out, and so do atoms that would leave no solver to read the test.
//   - The paper puts no set-logic; here half of the tests name the smallest logic that has
//     everything in them, and the others say ALL.
#include "mutate/skeleton.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "history/knowledge_file.h"
#include "history/library.h"
#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/measure.h"
#include "ir/substitute.h"
#include "mutate/atom.h"
#include "mutate/atom_maker.h"
#include "mutate/flat.h"
#include "mutate/maker.h"

namespace elenchus::mutate {

using history::KindSet;
using history::Library;
using history::Skeleton;
using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

constexpr uint32_t kNothing = UINT32_MAX;

bool happens(base::Rng& rng, uint32_t one_in) { return one_in != 0 && rng.one_in(one_in); }

// What an engine keeps from one series to the next.
struct Shelf {
  explicit Shelf(const SkeletonSettings& settings)
      : library(settings.knowledge ? settings.knowledge : history::shipped_knowledge()),
        workshop(settings.vocabulary) {
    for (uint32_t i = 0; i < library.skeletons().size(); ++i) {
      const bool is_small = library.skeletons()[i].holes() <= settings.max_holes;
      (is_small ? small : large).push_back(i);
    }
  }

  // Made anew when the operators of the store are others.
  const OperatorIndex& operators(const ir::OpTable& table) {
    const gen::Vocabulary& vocabulary = workshop.vocabulary(table, "ALL");
    if (indexed != &vocabulary || indexed_table != &table) {
      index = index_operators(table, vocabulary);
      indexed = &vocabulary;
      indexed_table = &table;
    }
    return index;
  }

  Library library;
  Workshop workshop;
  OperatorIndex index;
  const gen::Vocabulary* indexed = nullptr;
  const ir::OpTable* indexed_table = nullptr;
  std::vector<uint32_t> small;  // skeletons
  std::vector<uint32_t> large;
};

// One to five, mostly three: what the paper says of its distribution.
uint32_t draw_count(base::Rng& rng) {
  constexpr uint32_t kCounts[] = {1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5};
  return kCounts[rng.below(std::size(kCounts))];
}

// The atoms of a series, by signature.
class Pool {
 public:
  Pool(ir::TermStore& store, const Library& library)
      : store_(store), walker_(store), by_signature_(library.signatures().size()) {}

  // None when the atom cannot be used.
  const Atom* add(TermId term, uint32_t signature) {
    Atom atom(store_, walker_, term);
    if (!atom.is_usable()) return nullptr;
    atoms_.push_back(std::make_unique<Atom>(std::move(atom)));
    if (signature != Library::kUnknown) by_signature_[signature].push_back(atoms_.back().get());
    return atoms_.back().get();
  }

  const std::vector<const Atom*>& of(uint32_t signature) const { return by_signature_[signature]; }

 private:
  ir::TermStore& store_;
  ir::Walker walker_;
  std::vector<std::unique_ptr<Atom>> atoms_;
  std::vector<std::vector<const Atom*>> by_signature_;
};

// The declarations that a test needs, found and put in order.
class Frame {
 public:
  Frame(ir::TermStore& store, const ir::Script* seed_frame) : store_(store), seed_(seed_frame) {}

  void add_datatypes(std::vector<ir::DatatypeId> own) { own_datatypes_ = std::move(own); }

  void restart() {
    functions_.clear();
    sorts_.clear();
  }
  void use(FunId fun) { functions_.push_back(fun); }
  void use(SortId sort) { sorts_.push_back(sort); }

  ir::Script script(std::string_view logic, std::span<const TermId> assertions) {
    ir::Script script;
    script.logic = store_.symbols().intern(logic);
    Command set_logic;
    set_logic.kind = CommandKind::kSetLogic;
    set_logic.text = script.logic;
    script.commands.push_back(set_logic);
    std::sort(functions_.begin(), functions_.end(),
              [](FunId a, FunId b) { return a.value < b.value; });
    functions_.erase(std::unique(functions_.begin(), functions_.end()), functions_.end());
    declare_sorts(script);
    for (const FunId fun : functions_) add_declaration(script, fun);
    return with_assertions(script, assertions);
  }

 private:
  struct Needed {
    std::vector<uint32_t> names;  // of uninterpreted sorts
    bool datatypes = false;
  };

  void collect(SortId sort, Needed& needed) const {
    const ir::SortNode& node = store_.sorts()[sort];
    if (node.kind == SortKind::kDatatype) needed.datatypes = true;
    if (node.kind == SortKind::kUninterpreted) needed.names.push_back(node.a);
    for (const SortId child : store_.sorts().children(sort)) collect(child, needed);
  }

  void declare_sorts(ir::Script& script) {
    Needed needed;
    for (const FunId fun : functions_) {
      for (const SortId param : store_.params(fun)) collect(param, needed);
      collect(store_.fun(fun).result, needed);
    }
    for (const SortId sort : sorts_) collect(sort, needed);
    std::sort(needed.names.begin(), needed.names.end());
    needed.names.erase(std::unique(needed.names.begin(), needed.names.end()), needed.names.end());
    if (seed_ != nullptr) declare_seed_sorts(script, needed);
    for (const uint32_t name : needed.names) {
      const uint32_t items[] = {name};
      Command command;
      command.kind = CommandKind::kDeclareSort;
      script.set_items(command, items);
      script.commands.push_back(command);
    }
    if (!needed.datatypes) return;
    for (const ir::DatatypeId each : own_datatypes_) {
      const uint32_t items[] = {each.value};
      Command command;
      command.kind = CommandKind::kDeclareDatatypes;
      script.set_items(command, items);
      script.commands.push_back(command);
    }
  }

  // Datatypes may be made of any sort of the seed: then all are declared.
  void declare_seed_sorts(ir::Script& script, Needed& needed) const {
    for (const Command& command : seed_->commands) {
      const bool is_sort = command.kind == CommandKind::kDeclareSort;
      if (!is_sort && command.kind != CommandKind::kDeclareDatatypes) continue;
      const auto items = seed_->items(command);
      if (is_sort) {
        const auto found = std::find(needed.names.begin(), needed.names.end(), items[0]);
        if (found == needed.names.end() && !needed.datatypes) continue;
        if (found != needed.names.end()) needed.names.erase(found);
      } else if (!needed.datatypes) {
        continue;
      }
      Command copy = command;
      script.set_items(copy, items);
      script.commands.push_back(copy);
    }
  }

  ir::TermStore& store_;
  const ir::Script* seed_;
  std::vector<ir::DatatypeId> own_datatypes_;
  std::vector<FunId> functions_;
  std::vector<SortId> sorts_;  // of bound variables
};

class SkeletonSeries final : public Series {
 public:
  SkeletonSeries(std::shared_ptr<Shelf> shelf, const SkeletonSettings& settings,
                 ir::TermStore& store, const Seed& seed)
      : shelf_(std::move(shelf)),
        library_(shelf_->library),
        settings_(settings),
        store_(store),
        pool_(store, library_),
        walker_(store) {
    auto flat = flatten(store, seed.script);
    if (auto* good = std::get_if<Flat>(&flat)) flat_ = std::move(*good);
    collect_seed_atoms();
  }

  Attempt next(base::Rng& rng) override {
    if (library_.skeletons().empty()) return Skip{"no skeletons in the knowledge"};
    if (!maker_) begin(rng);
    if (candidates_.empty() && usable_seed_atoms_.empty()) return Skip{"no atoms for the theme"};
    return test(rng);
  }

 private:
  struct SeedAtom {
    TermId term;  // with the variables that were bound around it
    uint32_t signature = Library::kUnknown;
    KindSet kinds = 0;
  };

  // A hole and what it gets.
  struct Filling {
    const Atom* atom = nullptr;
    uint32_t first_term = 0;  // in terms_: one for each of the atom's variables
  };

  // --- The seed. ---

  void collect_seed_atoms() {
    constexpr uint64_t kMostNodes = 60;
    history::Signatures signatures(store_);
    ir::Measures measures(store_);
    for (const TermId claim : flat_.claims) {
      for (const TermId atom : history::atoms_of(store_, claim)) {
        if (seed_atoms_.size() >= settings_.seed_atoms) return;
        if (measures.of(atom).size > kMostNodes || store_.has(atom, ir::kHasNamed)) continue;
        const auto same = [&](const SeedAtom& each) { return each.term == atom; };
        if (std::any_of(seed_atoms_.begin(), seed_atoms_.end(), same)) continue;
        const history::Signature signature = signatures.of(atom);
        if (signature.op.empty()) continue;
        SeedAtom seed{atom, library_.find(to_text(signature)), 0};
        for (const history::Operand& each : signature.operands) {
          seed.kinds |= history::kind_bit(each.kind);
        }
        seed_atoms_.push_back(seed);
      }
    }
  }

  // Variables that the seed binds around the atom become constants.
  TermId closed(ir::FreeVariables& free, TermId atom) {
    const auto variables = free.of(atom);
    if (free.exhausted()) return {};
    ir::Substitution map;
    for (const TermId variable : std::vector<TermId>(variables.begin(), variables.end())) {
      const SortId sort = store_.sort(variable);
      uint32_t number = 0;
      const auto is_used = [&](TermId term) {
        return std::any_of(map.begin(), map.end(),
                           [&](const auto& each) { return each.second == term; });
      };
      while (is_used(maker_->variable(sort, number))) ++number;
      map.emplace_back(variable, maker_->variable(sort, number));
    }
    return map.empty() ? atom : ir::substitute(store_, free, atom, map);
  }

  // --- The theme. ---

  KindSet draw_theme(base::Rng& rng) const {
    const auto themes = library_.themes();
    const bool takes_seed =
        themes.empty() || (!seed_atoms_.empty() && happens(rng, settings_.seed_theme_one_in));
    if (!takes_seed) return themes[rng.below(themes.size())];
    KindSet kinds = history::kind_bit(SortKind::kBool);
    for (const SeedAtom& atom : seed_atoms_) kinds |= atom.kinds;
    return kinds;
  }

  void begin(base::Rng& rng) {
    const KindSet theme = draw_theme(rng);
    readers_ = settings_.vocabulary.solvers & readers_of_kinds(theme);
    // Solvers that do not go with the theme: then nothing is known of who reads what.
    if (readers_ == 0) readers_ = settings_.vocabulary.solvers;
    maker_ = std::make_unique<AtomMaker>(store_, shelf_->workshop, shelf_->operators(store_.ops()),
                                         readers_, theme);
    while (is_bound_name(bound_prefix_ + "0")) bound_prefix_ += 'q';
    frame_ = std::make_unique<Frame>(store_, flat_.claims.empty() ? nullptr : &flat_.frame);
    add_library_atoms(rng, theme);
    add_seed_sorts(theme);
    maker_->begin(rng);
    add_seed_atoms(theme);
    choose_candidates(theme);
  }

  bool is_bound_name(const std::string& name) const {
    const ir::SymbolId symbol = store_.symbols().find(name);
    return symbol.valid() && store_.is_variable_name(symbol);
  }

  void add_library_atoms(base::Rng& rng, KindSet theme) {
    constexpr size_t kMost = 2;  // of each signature
    std::vector<uint32_t> asked;
    std::vector<uint32_t> owners;
    for (uint32_t i = 0; i < library_.signatures().size(); ++i) {
      const Library::Entry& entry = library_.signatures()[i];
      if ((entry.kinds & ~theme) != 0) continue;
      for (size_t n = 0; n < std::min(kMost, entry.atoms.size()); ++n) {
        asked.push_back(entry.atoms[rng.below(entry.atoms.size())]);
        owners.push_back(i);
      }
    }
    const bool wants_datatypes = (theme & history::kind_bit(SortKind::kDatatype)) != 0;
    const Library::Sample sample = library_.sample(store_, asked, wants_datatypes);
    for (size_t i = 0; i < std::min(sample.atoms.size(), owners.size()); ++i) {
      pool_.add(sample.atoms[i], owners[i]);
    }
    for (const FunId fun : sample.functions) {
      if (store_.fun(fun).param_count == 0) maker_->add_variable(store_.fun(fun).constant);
    }
    for (const ir::DatatypeId each : sample.datatypes) {
      const ir::SymbolId name = store_.datatype(each).name;
      maker_->add_sort(store_.sorts().make(SortKind::kDatatype, each.value, name.value, {}));
    }
    frame_->add_datatypes(sample.datatypes);
  }

  // Whether a seed's atom is of theories that the theme has.
  static bool fits(const SeedAtom& atom, KindSet theme) { return (atom.kinds & ~theme) == 0; }

  void add_seed_sorts(KindSet theme) {
    walker_.restart();
    for (const SeedAtom& atom : seed_atoms_) {
      if (!fits(atom, theme)) continue;
      walker_.walk(atom.term, [&](TermId term) {
        maker_->add_sort(store_.sort(term));
        if (store_.op(term) != Op::kCall || !store_.args(term).empty()) return;
        if (store_.fun(store_.callee(term)).kind == ir::FunKind::kDeclared) {
          maker_->add_variable(term);
        }
      });
    }
  }

  void add_seed_atoms(KindSet theme) {
    ir::FreeVariables free(store_);
    for (const SeedAtom& seed : seed_atoms_) {
      if (!fits(seed, theme)) continue;
      const TermId term = closed(free, seed.term);
      const Atom* atom = term.valid() ? pool_.add(term, seed.signature) : nullptr;
      if (atom == nullptr || (atom->needs().readers & readers_) == 0) continue;
      usable_seed_atoms_.push_back({atom, seed.signature});
    }
  }

  void add_rule(const history::Rule& rule) {
    const auto number = static_cast<uint32_t>(rules_.size());
    rules_.push_back(&rule);
    missing_.push_back(static_cast<uint32_t>(rule.antecedent.size()));
    for (const uint32_t item : rule.antecedent) rules_of_[item].push_back(number);
  }

  // Signatures of the theme, each as often as it weighs, and the rules over them.
  void choose_candidates(KindSet theme) {
    constexpr uint32_t kMostWeight = 16;
    std::vector<char> is_candidate(library_.signatures().size());
    rules_of_.assign(library_.signatures().size(), {});
    for (uint32_t i = 0; i < library_.signatures().size(); ++i) {
      const Library::Entry& entry = library_.signatures()[i];
      if ((entry.kinds & ~theme) != 0) continue;
      is_candidate[i] = 1;
      for (uint32_t n = 0; n < std::clamp(entry.count, 1U, kMostWeight); ++n) {
        candidates_.push_back(i);
      }
    }
    const auto are_candidates = [&](const history::ItemSet& items) {
      return std::all_of(items.begin(), items.end(),
                         [&](uint32_t item) { return is_candidate[item] != 0; });
    };
    for (const history::Rule& rule : library_.rules()) {
      const bool is_here = are_candidates(rule.antecedent) && are_candidates(rule.consequent);
      if (is_here && settings_.uses_rules) add_rule(rule);
    }
    is_filled_.assign(library_.signatures().size(), 0);
  }

  // --- Atoms. ---

  bool is_welcome_here(base::Rng& rng, const Atom& atom) const {
    return is_welcome(rng, atom.needs().readers, needs_.readers);
  }

  // An atom with the signature: one of those that the series has, or a new one.
  const Atom* atom_of(base::Rng& rng, uint32_t signature) {
    const auto& known = pool_.of(signature);
    const size_t most = settings_.atoms_per_signature;
    if (known.size() < most && (known.empty() || rng.one_in(2))) {
      const TermId made = maker_->make(rng, library_.signatures()[signature].signature);
      if (made.valid()) pool_.add(made, signature);
    }
    if (known.empty()) return nullptr;
    const Atom* atom = known[rng.below(known.size())];
    return is_welcome_here(rng, *atom) ? atom : nullptr;
  }

  // By a rule whose antecedent is there and which was not used for this skeleton yet.
  std::pair<const Atom*, uint32_t> by_rule(base::Rng& rng) {
    if (met_.empty()) return {nullptr, kNothing};
    std::swap(met_[rng.below(met_.size())], met_.back());
    const history::ItemSet& wanted = rules_[met_.back()]->consequent;
    met_.pop_back();
    const uint32_t signature = wanted[rng.below(wanted.size())];
    return {atom_of(rng, signature), signature};
  }

  // The skeleton has an atom of this signature.
  void note(uint32_t signature) {
    if (signature == Library::kUnknown || is_filled_[signature] != 0) return;
    is_filled_[signature] = 1;
    filled_.push_back(signature);
    for (const uint32_t rule : rules_of_[signature]) {
      if (--missing_[rule] == 0) met_.push_back(rule);
    }
  }

  void forget_signatures() {
    for (const uint32_t signature : filled_) {
      is_filled_[signature] = 0;
      for (const uint32_t rule : rules_of_[signature]) ++missing_[rule];
    }
    filled_.clear();
    met_.clear();
  }

  std::pair<const Atom*, uint32_t> at_random(base::Rng& rng) {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i) {
      const bool takes_seed = !usable_seed_atoms_.empty() &&
                              (candidates_.empty() || happens(rng, settings_.seed_atom_one_in));
      if (takes_seed) {
        const auto& drawn = usable_seed_atoms_[rng.below(usable_seed_atoms_.size())];
        if (is_welcome_here(rng, *drawn.first)) return drawn;
      } else if (!candidates_.empty()) {
        const uint32_t signature = candidates_[rng.below(candidates_.size())];
        const Atom* atom = atom_of(rng, signature);
        if (atom != nullptr) return {atom, signature};
      }
    }
    // A Boolean variable is read by everybody.
    const TermId variable = maker_->any_variable(rng, ir::kBoolSort);
    if (boolean_ == nullptr) boolean_ = pool_.add(variable, Library::kUnknown);
    return {boolean_, Library::kUnknown};
  }

  void fill(base::Rng& rng, uint32_t holes) {
    fillings_.clear();
    terms_.clear();
    for (uint32_t i = 0; i < holes; ++i) {
      auto [atom, signature] = by_rule(rng);
      if (atom == nullptr) std::tie(atom, signature) = at_random(rng);
      note(signature);
      needs_ |= atom->needs();
      fillings_.push_back({atom, static_cast<uint32_t>(terms_.size())});
      for (const TermId variable : atom->variables()) terms_.push_back(translocated(rng, variable));
      for (const FunId fun : atom->functions()) frame_->use(fun);
      for (const SortId sort : atom->named_sorts()) frame_->use(sort);
    }
    forget_signatures();
  }

  // --- Variables. ---

  TermId translocated(base::Rng& rng, TermId variable) {
    if (!happens(rng, settings_.translocate_one_in)) return variable;
    return maker_->any_variable(rng, store_.sort(variable));
  }

  // Takes up to three variables below the quantifier, or makes some up.
  void bind(base::Rng& rng, uint32_t first_term, uint32_t last_term, std::vector<TermId>& bound) {
    constexpr uint32_t kCounts[] = {1, 1, 1, 2, 2, 3};
    const uint32_t count = kCounts[rng.below(std::size(kCounts))];
    free_.clear();
    for (uint32_t i = first_term; i < last_term; ++i) {
      const bool is_free = store_.op(terms_[i]) == Op::kCall;
      if (is_free && std::find(free_.begin(), free_.end(), terms_[i]) == free_.end()) {
        free_.push_back(terms_[i]);
      }
    }
    for (uint32_t n = 0; n < count; ++n) {
      if (free_.empty() || happens(rng, settings_.scratch_one_in)) {
        bound.push_back(new_variable(scratch_sort(rng)));
        continue;
      }
      const size_t chosen = rng.below(free_.size());
      const TermId taken = free_[chosen];
      free_.erase(free_.begin() + static_cast<ptrdiff_t>(chosen));
      const TermId variable = new_variable(store_.sort(taken));
      std::replace(terms_.begin() + first_term, terms_.begin() + last_term, taken, variable);
      bound.push_back(variable);
    }
    for (const TermId variable : bound) {
      frame_->use(store_.sort(variable));
      needs_ |= needs_of_sort(store_, store_.sort(variable));
    }
  }

  SortId scratch_sort(base::Rng& rng) const {
    const auto sorts = maker_->variable_sorts();
    const SortId sort = sorts.empty() ? ir::kBoolSort : sorts[rng.below(sorts.size())];
    return sort;
  }

  TermId new_variable(SortId sort) {
    const auto name = store_.symbols().intern(bound_prefix_ + std::to_string(bound_count_++));
    return store_.variable(name, sort, 0);
  }

  // --- Tests. ---

  const Skeleton& draw_skeleton(base::Rng& rng) const {
    const bool takes_large =
        shelf_->small.empty() || (!shelf_->large.empty() && happens(rng, settings_.large_one_in));
    const auto& list = takes_large ? shelf_->large : shelf_->small;
    return library_.skeletons()[list[rng.below(list.size())]];
  }

  // How many holes are before each node.
  void number_holes(const Skeleton& skeleton) {
    holes_before_.clear();
    uint32_t holes = 0;
    for (const Skeleton::Node& node : skeleton.nodes) {
      holes_before_.push_back(holes);
      holes += node.op == Op::kNone ? 1 : 0;
    }
    holes_before_.push_back(holes);
  }

  uint32_t term_at(uint32_t hole) const {
    return hole < fillings_.size() ? fillings_[hole].first_term
                                   : static_cast<uint32_t>(terms_.size());
  }

  // From the last node to the first, so that what is below a node is done before it. First the
  // quantifiers bind, inner before outer ones; then the atoms are built with what binds them.
  TermId formula(base::Rng& rng, const Skeleton& skeleton) {
    number_holes(skeleton);
    fill(rng, holes_before_.back());
    find_ends(skeleton);
    const size_t count = skeleton.nodes.size();
    bound_.assign(count, {});
    for (size_t i = count; i-- > 0;) {
      if (!ir::is_binder(skeleton.nodes[i].op)) continue;
      needs_.quantifiers = true;
      bind(rng, term_at(holes_before_[i]), term_at(holes_before_[ends_[i]]), bound_[i]);
    }
    for (const Filling& filling : fillings_) use_variables(filling);
    std::vector<TermId> built;
    for (size_t i = count; i-- > 0;) {
      const Skeleton::Node& node = skeleton.nodes[i];
      const TermId made =
          node.op == Op::kNone ? instance(holes_before_[i]) : joined(node, bound_[i], built);
      if (!made.valid()) return {};
      built.push_back(made);
    }
    return built.back();
  }

  // For each node, the place one past the last node below it.
  void find_ends(const Skeleton& skeleton) {
    const size_t count = skeleton.nodes.size();
    ends_.assign(count, 0);
    for (size_t i = count; i-- > 0;) {
      uint32_t end = static_cast<uint32_t>(i) + 1;
      for (uint32_t n = 0; n < skeleton.nodes[i].arity; ++n) end = ends_[end];
      ends_[i] = end;
    }
  }

  void use_variables(const Filling& filling) {
    for (size_t i = 0; i < filling.atom->variables().size(); ++i) {
      const TermId term = terms_[filling.first_term + i];
      if (store_.op(term) == Op::kCall) frame_->use(store_.callee(term));
    }
  }

  TermId instance(uint32_t hole) {
    const Filling& filling = fillings_[hole];
    const auto terms =
        std::span(terms_).subspan(filling.first_term, filling.atom->variables().size());
    return filling.atom->with(store_, terms, scratch_);
  }

  // The connective or quantifier on what was built last, the first argument on top.
  TermId joined(const Skeleton::Node& node, const std::vector<TermId>& bound,
                std::vector<TermId>& built) {
    args_.assign(bound.begin(), bound.end());
    for (uint32_t i = 0; i < node.arity; ++i) {
      args_.push_back(built.back());
      built.pop_back();
    }
    if (ir::is_binder(node.op)) return store_.make(node.op, ir::kBoolSort, 0, args_);
    return ir::apply(store_, node.op, args_);
  }

  Attempt test(base::Rng& rng) {
    frame_->restart();
    needs_ = {};
    needs_.readers = readers_;
    bound_count_ = 0;
    std::vector<TermId> assertions;
    const uint32_t count = draw_count(rng);
    while (assertions.size() < count) {
      const TermId made = formula(rng, draw_skeleton(rng));
      if (!made.valid()) return Skip{"a skeleton that cannot be filled"};
      assertions.push_back(made);
    }
    const std::string_view logic =
        happens(rng, settings_.all_one_in) ? "ALL" : smallest_logic(needs_);
    Mutant mutant;
    mutant.script = frame_->script(logic, assertions);
    return mutant;
  }

  std::shared_ptr<Shelf> shelf_;
  const Library& library_;
  const SkeletonSettings& settings_;
  ir::TermStore& store_;
  Flat flat_;
  std::vector<SeedAtom> seed_atoms_;
  Pool pool_;
  ir::Walker walker_;
  std::unique_ptr<AtomMaker> maker_;
  std::unique_ptr<Frame> frame_;
  uint16_t readers_ = 0;            // who reads tests of the theme
  std::string bound_prefix_ = "q";  // of the names of bound variables
  std::vector<std::pair<const Atom*, uint32_t>> usable_seed_atoms_;
  const Atom* boolean_ = nullptr;
  std::vector<uint32_t> candidates_;             // signatures
  std::vector<const history::Rule*> rules_;      // over candidates
  std::vector<std::vector<uint32_t>> rules_of_;  // by signature: those with it in the antecedent

  // Of the test under way.
  Needs needs_;
  uint32_t bound_count_ = 0;
  // Of the skeleton under way.
  std::vector<Filling> fillings_;
  std::vector<TermId> terms_;
  std::vector<char> is_filled_;  // by signature
  std::vector<uint32_t> filled_;
  std::vector<uint32_t> missing_;  // by rule: signatures of its antecedent that are not filled
  std::vector<uint32_t> met_;      // rules whose antecedent is filled, not used yet
  std::vector<uint32_t> holes_before_;
  std::vector<uint32_t> ends_;
  std::vector<std::vector<TermId>> bound_;  // by node
  std::vector<TermId> free_;
  std::vector<TermId> args_;
  Atom::Scratch scratch_;
};

class SkeletonEngine final : public Engine {
 public:
  explicit SkeletonEngine(const SkeletonSettings& settings) : settings_(settings) {}

  std::string_view name() const override { return "skeleton"; }
  uint32_t series_length() const override { return settings_.length; }
  Start start(ir::TermStore& store, const Seed& seed) override {
    if (shelf_ == nullptr) shelf_ = std::make_shared<Shelf>(settings_);
    return std::make_unique<SkeletonSeries>(shelf_, settings_, store, seed);
  }

 private:
  SkeletonSettings settings_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace

std::unique_ptr<Engine> make_skeleton(const SkeletonSettings& settings) {
  return std::make_unique<SkeletonEngine>(settings);
}

}  // namespace elenchus::mutate
