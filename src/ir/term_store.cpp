#include "ir/term_store.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "num/literal.h"

namespace elenchus::ir {
namespace {

uint32_t hash_list(std::span<const uint32_t> indices) {
  uint64_t hash = indices.size();
  for (const uint32_t index : indices) hash = base::hash_mix(hash, index);
  return static_cast<uint32_t>(hash);
}

uint32_t& count_of(std::vector<uint32_t>& counts, SymbolId name) {
  if (counts.size() <= name.value) counts.resize(name.value + 1);
  return counts[name.value];
}

}  // namespace

TermStore::TermStore(std::shared_ptr<const OpTable> ops) : ops_(std::move(ops)) {
  for (uint32_t i = 1; i < ops_->symbols().size(); ++i) {
    symbols_.intern(ops_->symbols().text(SymbolId{i}));
  }
  named_keyword_ = symbols_.intern(":named");
  // Words of the syntax have small numbers, so that tables of them stay small.
  for (const char* word : {"let", "!", "_", "as", "match", "forall", "exists", "lambda", "witness",
                           "choice", "set.comprehension", "comprehension"}) {
    symbols_.intern(word);
  }
  nodes_.push_back({});
  lists_.push_back({});
  funs_.push_back({});
  datatypes_.emplace_back();
}

// --- Terms. ---

uint8_t TermStore::flags_of(Op op, SortId sort, uint32_t payload,
                            std::span<const TermId> args) const {
  uint8_t flags = 0;
  for (const TermId arg : args) flags |= nodes_[arg.value].flags;
  if (op == Op::kVar) flags |= kHasVariables;
  if (is_binder(op)) flags |= kHasBinders;
  if (op == Op::kUnknownCall || op == Op::kUnknownText || sorts_[sort].has_unknown) {
    flags |= kHasUnknown;
  }
  if (op == Op::kCall && funs_[payload].kind == FunKind::kNamed) flags |= kHasNamed;
  if (op == Op::kAnnotated && index_list(IndexListId{payload})[0] == named_keyword_.value) {
    flags |= kHasNamed;
  }
  return flags;
}

TermStore::Newest TermStore::newest_of(std::span<const TermId> args) const {
  Newest newest;
  for (const TermId arg : args) newest.term = std::max(newest.term, arg);
  newest.is_leaf = nodes_[newest.term.value].small_arg_count == 0;
  return newest;
}

TermStore::Key TermStore::key_of(Op op, SortId sort, uint32_t payload, std::span<const TermId> args,
                                 Newest newest) {
  uint64_t hash = base::hash_mix((static_cast<uint64_t>(op) << 32) | sort.value, payload);
  for (const TermId arg : args) hash = base::hash_mix(hash, arg.value);
  const auto low = static_cast<uint32_t>(hash);
  // What payloads number is made one after the other as well.
  if (args.empty()) return {4 * payload + (low & 3), low};
  // Constants and literals have many users, which must not crowd at one place.
  if (newest.is_leaf) return {static_cast<uint32_t>(hash >> 32), low};
  return {2 * newest.term.value + (low & 7), low};
}

TermId TermStore::make(Op op, SortId sort, uint32_t payload, std::span<const TermId> args) {
  return make(key_of(op, sort, payload, args, newest_of(args)), flags_of(op, sort, payload, args),
              op, sort, payload, args);
}

void TermStore::reserve_terms(uint32_t more) {
  const size_t wanted = size_t{nodes_.size()} + more;
  if (term_index_.has_room_for(wanted)) return;
  term_index_.grow(wanted, [this](uint32_t id) { return key_of(TermId{id}); });
}

TermId TermStore::make(Key key, uint8_t flags, Op op, SortId sort, uint32_t payload,
                       std::span<const TermId> args) {
  reserve_terms(1);
  const auto same = [&](uint32_t id) {
    const Node& node = nodes_[id];
    if (node.op != op || node.sort != sort || node.payload != payload) return false;
    const auto old = args_of(node);
    return std::equal(old.begin(), old.end(), args.begin(), args.end());
  };
  const TermIndex::Place place = term_index_.find(key.home, key.hash, same);
  if (place.id != 0) return TermId{place.id};

  Node node{.op = op, .sort = sort, .payload = payload, .args = {}};
  node.flags = flags;
  node.small_arg_count = static_cast<uint8_t>(std::min<size_t>(args.size(), kManyArgs));
  if (args.size() <= kInlineArgs) {
    std::copy(args.begin(), args.end(), node.args);
  } else if (args.size() < kManyArgs) {
    node.args[0] = TermId{args_.append(args)};
  } else {
    std::vector<TermId> counted = {TermId{static_cast<uint32_t>(args.size())}};
    counted.insert(counted.end(), args.begin(), args.end());
    node.args[0] = TermId{args_.append(counted) + 1};
  }
  ELENCHUS_CHECK(nodes_.size() < kMaxTerms, "2^30 terms");
  const uint32_t id = nodes_.push_back(node);
  term_index_.insert(place, key.hash, id);
  return TermId{id};
}

TermId TermStore::literal(Op op, SortId sort, std::string_view text) {
  return make(op, sort, symbols_.intern(text).value, {});
}

TermId TermStore::int_literal(std::string_view digits) {
  const uint32_t value = num::small_value(digits, kSmallInts);
  return value < kSmallInts ? small_int(value) : literal(Op::kIntLiteral, kIntSort, digits);
}

TermId TermStore::small_int(uint32_t value) {
  if (small_ints_.size() <= value) {
    small_ints_.resize(std::max<size_t>(value + 1, small_ints_.size() * 2));
  }
  TermId& term = small_ints_[value];
  if (!term.valid()) term = literal(Op::kIntLiteral, kIntSort, std::to_string(value));
  return term;
}

void TermStore::prefetch_new_small_int(uint32_t value) const {
  const bool is_known = value < small_ints_.size() && small_ints_[value].valid();
  if (!is_known) symbols_.prefetch(std::to_string(value));
}

TermId TermStore::real_literal(std::string_view decimal) {
  return literal(Op::kRealLiteral, kRealSort, decimal);
}

TermId TermStore::bits_literal(std::string_view literal_text) {
  return literal(Op::kBitsLiteral, sorts_.bit_vec(num::literal_width(literal_text)), literal_text);
}

TermId TermStore::string_literal(std::string_view canonical) {
  return literal(Op::kStringLiteral, kStringSort, canonical);
}

// --- Variables and binders. ---

TermId TermStore::variable(SymbolId name, SortId sort, uint32_t level) {
  const uint32_t parts[] = {name.value, level};
  const uint32_t before = term_count();
  const TermId term = make(Op::kVar, sort, index_list(parts).value, {});
  if (term.value == before) ++count_of(variable_names_, name);
  return term;
}

TermId TermStore::fresh_variable(TermId like) {
  const SymbolId name = variable_name(like);
  for (uint32_t level = variable_level(like) + 1;; ++level) {
    const uint32_t before = term_count();
    const TermId candidate = variable(name, sort(like), level);
    if (candidate.value == before) return candidate;
  }
}

uint32_t TermStore::bound_count(TermId binder) const {
  const auto all = args(binder);
  // A comprehension ends with its condition and its element, other binders with the body.
  const size_t tail = op(binder) == Op::kComprehension ? 2 : 1;
  return static_cast<uint32_t>(all.size() - tail);
}

// --- Index lists. ---

IndexListId TermStore::index_list(std::span<const uint32_t> indices) {
  const uint32_t hash = hash_list(indices);
  const auto same = [&](uint32_t id) {
    const auto old = index_list(IndexListId{id});
    return std::equal(old.begin(), old.end(), indices.begin(), indices.end());
  };
  if (const uint32_t found = list_index_.find(hash, same)) return IndexListId{found};
  const IndexList list{list_words_.append(indices), static_cast<uint32_t>(indices.size()), hash};
  const uint32_t id = lists_.push_back(list);
  list_index_.insert(hash, id);
  return IndexListId{id};
}

std::span<const uint32_t> TermStore::index_list(IndexListId list) const {
  const IndexList& entry = lists_[list.value];
  return list_words_.view(entry.first, entry.count);
}

// --- Functions and datatypes. ---

FunId TermStore::declare(SymbolId name, FunKind kind, std::span<const SortId> params,
                         SortId result) {
  FunDecl decl;
  decl.name = name;
  decl.kind = kind;
  decl.result = result;
  decl.polymorphic = sorts_[result].has_parameters;
  for (const SortId param : params) decl.polymorphic |= sorts_[param].has_parameters;
  decl.first_param = params_.append(params);
  decl.param_count = static_cast<uint32_t>(params.size());
  const FunId id{funs_.push_back(decl)};
  if (params.empty() && !decl.polymorphic) {
    funs_[id.value].constant = make(Op::kCall, result, id.value, {});
  }
  ++count_of(function_names_, name);
  return id;
}

void TermStore::define(FunId fun, std::span<const TermId> formals, TermId body) {
  ELENCHUS_CHECK(formals.size() == funs_[fun.value].param_count, "a variable for each parameter");
  funs_[fun.value].first_formal = formals_.append(formals);
  funs_[fun.value].body = body;
}

DatatypeId TermStore::new_datatype(SymbolId name) {
  datatypes_.emplace_back();
  datatypes_.back().name = name;
  return DatatypeId{static_cast<uint32_t>(datatypes_.size() - 1)};
}

// --- Going back. ---

TermStore::Mark TermStore::mark() const {
  return {symbols_.size(), sorts_.size(),
          nodes_.size(),   args_.size(),
          lists_.size(),   list_words_.size(),
          funs_.size(),    params_.size(),
          formals_.size(), static_cast<uint32_t>(datatypes_.size())};
}

void TermStore::drop_last_term() {
  const TermId last{nodes_.size() - 1};
  if (op(last) == Op::kVar) --variable_names_[variable_name(last).value];
  if (op(last) == Op::kIntLiteral) {
    const uint32_t value = num::small_value(literal_text(last), kSmallInts);
    if (value < small_ints_.size()) small_ints_[value] = {};
  }
  const Key key = key_of(last);
  term_index_.erase_last(key.home, key.hash, last.value);
  nodes_.truncate(last.value);
}

void TermStore::rollback(const Mark& mark) {
  while (nodes_.size() > mark.terms) drop_last_term();
  args_.truncate(mark.args);
  while (lists_.size() > mark.lists) {
    const uint32_t last = lists_.size() - 1;
    list_index_.erase(lists_[last].hash, last);
    lists_.truncate(last);
  }
  list_words_.truncate(mark.list_words);
  while (funs_.size() > mark.funs) {
    --function_names_[funs_[funs_.size() - 1].name.value];
    funs_.truncate(funs_.size() - 1);
  }
  params_.truncate(mark.params);
  formals_.truncate(mark.formals);
  datatypes_.resize(mark.datatypes);
  sorts_.truncate(mark.sorts);
  symbols_.truncate(mark.symbols);

  ++generation_;
  while (!floors_.empty() && floors_.back().terms >= mark.terms) floors_.pop_back();
  floors_.push_back({generation_, mark.terms});
}

uint32_t TermStore::stable_terms(uint64_t generation) const {
  const auto later =
      std::upper_bound(floors_.begin(), floors_.end(), generation,
                       [](uint64_t value, const Floor& floor) { return value < floor.generation; });
  return later == floors_.end() ? nodes_.size() : later->terms;
}

}  // namespace elenchus::ir
