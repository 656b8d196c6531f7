#include "mutate/skeleton/atom_source.h"

#include <algorithm>
#include <tuple>

#include "ir/measure.h"
#include "ir/substitute.h"
#include "mutate/maker.h"

namespace elenchus::mutate {

using history::Library;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

namespace {

// Whether something of these theories has a place in the theme.
bool fits(history::KindSet kinds, history::KindSet theme) { return (kinds & ~theme) == 0; }

}  // namespace

AtomSource::AtomSource(Shelf& shelf, const SkeletonSettings& settings, ir::TermStore& store,
                       std::span<const TermId> seed_claims)
    : shelf_(shelf),
      library_(shelf.library),
      settings_(settings),
      store_(store),
      walker_(store),
      stocks_(library_.signatures().size()) {
  collect_seed_atoms(seed_claims);
}

// --- The seed. ---

void AtomSource::collect_seed_atoms(std::span<const TermId> claims) {
  constexpr uint64_t kMostNodes = 60;
  history::Signatures signatures(store_);
  ir::Measures measures(store_);
  for (const TermId claim : claims) {
    for (const TermId atom : history::atoms_of(store_, claim)) {
      if (seed_atoms_.size() >= settings_.seed_atoms) return;
      if (measures.of(atom).size > kMostNodes || store_.has(atom, ir::kHasNamed)) continue;
      const auto same = [&](const SeedAtom& each) { return each.term == atom; };
      if (std::any_of(seed_atoms_.begin(), seed_atoms_.end(), same)) continue;
      const history::AtomSignature signature = signatures.of(atom);
      if (signature.op.empty()) continue;
      const KindSet kinds = history::kinds_in(store_, walker_, atom);
      seed_atoms_.push_back({atom, library_.find(to_text(signature)), kinds});
    }
  }
}

// Variables that the seed binds around the atom become constants.
TermId AtomSource::closed(ir::FreeVariables& free, TermId atom) {
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

history::KindSet AtomSource::draw_theme(base::Rng& rng) const {
  const auto themes = library_.themes();
  const bool takes_seed =
      themes.empty() || (!seed_atoms_.empty() && rng.happens(settings_.seed_theme_one_in));
  if (!takes_seed) return themes[rng.below(themes.size())];
  KindSet kinds = history::kind_bit(SortKind::kBool);
  for (const SeedAtom& atom : seed_atoms_) kinds |= atom.kinds;
  return kinds;
}

void AtomSource::begin(base::Rng& rng, Declarations& declarations) {
  theme_ = draw_theme(rng);
  readers_ = settings_.vocabulary.solvers & readers_of_kinds(store_.ops(), theme_);
  // Solvers that do not go with the theme: then nothing is known of who reads what.
  if (readers_ == 0) readers_ = settings_.vocabulary.solvers;
  maker_ = std::make_unique<AtomMaker>(store_, shelf_.workshop, shelf_.operators(store_.ops()),
                                       readers_, theme_);
  begin_import(declarations);
  add_seed_sorts();
  maker_->begin(rng);
  add_seed_atoms();
  choose_candidates();
}

// Datatypes are declared now: no form has any, and made atoms want them.
void AtomSource::begin_import(Declarations& declarations) {
  const bool wants_datatypes = (theme_ & history::kind_bit(SortKind::kDatatype)) != 0;
  std::string prefix;
  const auto is_taken = [&](std::string_view name) {
    const ir::SymbolId symbol = store_.symbols().find(prefix + std::string(name));
    return symbol.valid() && store_.is_function_name(symbol);
  };
  while (wants_datatypes && is_taken(Library::kFirstConstructor)) prefix += "x_";
  importer_.emplace(library_.store(), store_, prefix);
  if (!wants_datatypes) return;
  std::vector<ir::DatatypeId> datatypes;
  for (const ir::DatatypeId each : library_.datatypes()) {
    datatypes.push_back(importer_->datatype(each));
    const ir::SymbolId name = store_.datatype(datatypes.back()).name;
    maker_->add_sort(
        store_.sorts().make(SortKind::kDatatype, datatypes.back().value, name.value, {}));
  }
  declarations.add_datatypes(std::move(datatypes));
}

void AtomSource::add_seed_sorts() {
  walker_.restart();
  for (const SeedAtom& atom : seed_atoms_) {
    if (!fits(atom.kinds, theme_)) continue;
    walker_.walk(atom.term, [&](TermId term) {
      maker_->add_sort(store_.sort(term));
      if (store_.op(term) != Op::kCall || !store_.args(term).empty()) return;
      if (store_.fun(store_.callee(term)).kind == ir::FunKind::kDeclared) {
        maker_->add_variable(term);
      }
    });
  }
}

void AtomSource::add_seed_atoms() {
  ir::FreeVariables free(store_);
  for (const SeedAtom& seed : seed_atoms_) {
    if (!fits(seed.kinds, theme_)) continue;
    const TermId term = closed(free, seed.term);
    const Atom* atom = term.valid() ? keep(term) : nullptr;
    if (atom == nullptr || (atom->needs().readers & readers_) == 0) continue;
    if (seed.signature != Library::kUnknown) stocks_[seed.signature].atoms.push_back(atom);
    usable_seed_atoms_.emplace_back(atom, seed.signature);
  }
}

// Signatures of the theme, and the rules over them.
void AtomSource::choose_candidates() {
  constexpr uint32_t kMostWeight = 16;
  std::vector<char> is_candidate(library_.signatures().size());
  for (uint32_t i = 0; i < library_.signatures().size(); ++i) {
    const Library::Entry& entry = library_.signatures()[i];
    if (!fits(entry.kinds, theme_)) continue;
    is_candidate[i] = 1;
    for (uint32_t n = 0; n < std::clamp(entry.count, 1U, kMostWeight); ++n) {
      candidates_.push_back(i);
    }
  }
  const std::span<const history::Rule> rules = library_.rules();
  rules_.emplace(settings_.uses_rules ? rules : rules.first(0), is_candidate);
}

const Atom* AtomSource::keep(TermId term) {
  Atom atom(store_, walker_, term);
  if (!atom.is_usable()) return nullptr;
  atoms_.push_back(std::make_unique<Atom>(std::move(atom)));
  return atoms_.back().get();
}

// --- Drawing. ---

const Atom& AtomSource::draw(base::Rng& rng, uint16_t readers) {
  auto [atom, signature] = by_rule(rng, readers);
  if (atom == nullptr) std::tie(atom, signature) = at_random(rng, readers);
  if (signature != Library::kUnknown) rules_->note(signature);
  return *atom;
}

const Atom* AtomSource::atom_of(base::Rng& rng, uint32_t signature, uint16_t readers) {
  const Atom* atom = some_atom_of(rng, signature);
  if (atom == nullptr) return nullptr;
  return is_welcome(rng, atom->needs().readers, readers) ? atom : nullptr;
}

// An atom of the knowledge; or one of a historical shape or made to fit the signature, either one
// of those that the series has or a new one.
const Atom* AtomSource::some_atom_of(base::Rng& rng, uint32_t signature) {
  const auto forms = forms_of(signature);
  Stock& stock = stocks_[signature];
  const bool takes_form = !forms.empty() && !rng.happens(settings_.made_atom_one_in);
  if (takes_form && stock.are_texts) return known_atom(rng, forms[rng.below(forms.size())]);
  constexpr uint64_t kNewOneIn = 3;  // making one costs more than using one
  const bool has_room = stock.atoms.size() < settings_.atoms_per_signature;
  if (stock.atoms.empty() || (has_room && rng.one_in(kNewOneIn))) {
    const TermId term = takes_form ? filled(rng, library_.forms()[forms[rng.below(forms.size())]])
                                   : maker_->make(rng, library_.signatures()[signature].signature);
    const Atom* made = term.valid() ? keep(term) : nullptr;
    if (made != nullptr) stock.atoms.push_back(made);
    if (made != nullptr) return made;
  }
  return stock.atoms.empty() ? nullptr : stock.atoms[rng.below(stock.atoms.size())];
}

// The forms of a signature that have a place in the theme: atoms where there are such, else shapes.
std::span<const uint32_t> AtomSource::forms_of(uint32_t signature) {
  Stock& stock = stocks_[signature];
  if (stock.has_forms) return stock.forms;
  stock.has_forms = true;
  const Library::Entry& entry = library_.signatures()[signature];
  for (const bool are_texts : {true, false}) {
    for (const uint32_t each : are_texts ? entry.atoms : entry.shapes) {
      if (fits(library_.forms()[each].kinds, theme_)) stock.forms.push_back(each);
    }
    stock.are_texts = are_texts;
    if (!stock.forms.empty()) break;
  }
  return stock.forms;
}

// Each is copied once. None when it cannot be used.
const Atom* AtomSource::known_atom(base::Rng& rng, uint32_t form) {
  const auto [known, is_new] = known_atoms_.try_emplace(form, nullptr);
  if (is_new) {
    const TermId term = filled(rng, library_.forms()[form]);
    known->second = term.valid() ? keep(term) : nullptr;
  }
  return known->second;
}

// The form with variables of the series and constants of its classes.
TermId AtomSource::filled(base::Rng& rng, const Library::Form& form) {
  importer_->restart();
  for (const Library::Leaf& leaf : form.leaves) {
    const SortId sort = importer_->sort(library_.store().sort(leaf.term));
    const TermId term = leaf.meaning.constant
                            ? history::constant_of(store_, rng, sort, *leaf.meaning.constant)
                            : maker_->variable(sort, leaf.meaning.number);
    if (!term.valid()) return {};
    importer_->set(leaf.term, term);
  }
  return importer_->term(form.term);
}

AtomSource::Drawn AtomSource::by_rule(base::Rng& rng, uint16_t readers) {
  const auto signature = rules_->wanted(rng);
  if (!signature) return {nullptr, Library::kUnknown};
  return {atom_of(rng, *signature, readers), *signature};
}

AtomSource::Drawn AtomSource::at_random(base::Rng& rng, uint16_t readers) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    const bool takes_seed = !usable_seed_atoms_.empty() &&
                            (candidates_.empty() || rng.happens(settings_.seed_atom_one_in));
    if (takes_seed) {
      const Drawn& drawn = usable_seed_atoms_[rng.below(usable_seed_atoms_.size())];
      if (is_welcome(rng, drawn.first->needs().readers, readers)) return drawn;
    } else if (!candidates_.empty()) {
      const uint32_t signature = candidates_[rng.below(candidates_.size())];
      const Atom* atom = atom_of(rng, signature, readers);
      if (atom != nullptr) return {atom, signature};
    }
  }
  // A Boolean variable is read by everybody.
  const TermId variable = maker_->any_variable(rng, ir::kBoolSort);
  if (boolean_ == nullptr) boolean_ = keep(variable);
  return {boolean_, Library::kUnknown};
}

}  // namespace elenchus::mutate
