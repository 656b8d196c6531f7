#include "smtlib/scope.h"

#include <algorithm>

#include "base/hash.h"

namespace elenchus::smtlib {

using ir::FunId;
using ir::SortId;
using ir::SymbolId;
using ir::TermId;

namespace {

template <typename T>
T& slot(std::vector<T>& table, uint32_t index) {
  if (index >= table.size()) table.resize(std::max<size_t>(index + 1, table.size() * 2));
  return table[index];
}

}  // namespace

void Scope::bind_local(SymbolId name, TermId term, bool by_binder) {
  TermId& place = slot(locals_, name.value);
  local_undo_.push_back({name, place, by_binder});
  place = term;
  if (by_binder) ++slot(binder_depth_, name.value);
}

bool Scope::any_let(const std::unordered_set<uint32_t>& names) const {
  return std::any_of(local_undo_.begin(), local_undo_.end(), [&](const LocalUndo& local) {
    return !local.by_binder && names.contains(local.name.value);
  });
}

void Scope::unbind_local() {
  const LocalUndo& undo = local_undo_.back();
  locals_[undo.name.value] = undo.before;
  if (undo.by_binder) --binder_depth_[undo.name.value];
  local_undo_.pop_back();
}

uint32_t Scope::signature_hash(SymbolId name, std::span<const SortId> params) const {
  uint64_t hash = name.value;
  for (const SortId param : params) hash = base::hash_mix(hash, param.value);
  return static_cast<uint32_t>(base::hash_mix(hash, params.size()));
}

FunId Scope::same_signature(SymbolId name, std::span<const SortId> params) const {
  const auto same = [&](uint32_t id) {
    const auto old = store_.params(FunId{id});
    return store_.fun(FunId{id}).name == name &&
           std::equal(old.begin(), old.end(), params.begin(), params.end());
  };
  return FunId{signatures_.find(signature_hash(name, params), same)};
}

void Scope::add_function(FunId fun) {
  const SymbolId name = store_.fun(fun).name;
  FunId& newest = slot(functions_, name.value);
  slot(older_, fun.value) = newest;
  newest = fun;
  const auto params = store_.params(fun);
  const bool indexed = !same_signature(name, params).valid();
  if (indexed) signatures_.insert(signature_hash(name, params), fun.value);
  declared_.push_back({fun, {}, indexed});
}

const SortName* Scope::sort_name(SymbolId name) const {
  const auto found = sorts_.find(name.value);
  return found == sorts_.end() ? nullptr : &found->second.back();
}

void Scope::add_sort(SymbolId name, SortName meaning) {
  sorts_[name.value].push_back(std::move(meaning));
  declared_.push_back({{}, name});
}

void Scope::remove_sort(SymbolId name) {
  const auto last = std::find_if(declared_.rbegin(), declared_.rend(),
                                 [&](const Declared& entry) { return entry.sort == name; });
  if (last == declared_.rend()) return;
  declared_.erase(std::next(last).base());
  auto& meanings = sorts_[name.value];
  meanings.pop_back();
  if (meanings.empty()) sorts_.erase(name.value);
}

void Scope::push() { levels_.push_back(declared_.size()); }

void Scope::pop() {
  const size_t count = levels_.back();
  levels_.pop_back();
  if (!keep_declarations) undo_to(count);
}

void Scope::undo_to(size_t count) {
  while (declared_.size() > count) {
    const Declared& entry = declared_.back();
    if (entry.fun.valid()) {
      const SymbolId name = store_.fun(entry.fun).name;
      if (entry.indexed) {
        signatures_.erase(signature_hash(name, store_.params(entry.fun)), entry.fun.value);
      }
      functions_[name.value] = older_[entry.fun.value];
    } else {
      auto& meanings = sorts_[entry.sort.value];
      meanings.pop_back();
      if (meanings.empty()) sorts_.erase(entry.sort.value);
    }
    declared_.pop_back();
  }
}

void Scope::reset() {
  undo_to(0);
  levels_.clear();
  keep_declarations = false;
}

void Scope::allow_redeclaration() {
  signatures_ = {};
  for (Declared& entry : declared_) entry.indexed = false;
  levels_.clear();
}

}  // namespace elenchus::smtlib
