#include "reduce/session.h"

#include <algorithm>
#include <utility>

#include "ir/script_parts.h"

namespace elenchus::reduce {
namespace {

// Declarations are known by their kind and what they declare.
uint64_t declaration_key(const ir::Script& script, const ir::Command& command) {
  return (static_cast<uint64_t>(command.kind) << 32) | script.items(command)[0];
}

}  // namespace

Session::Session(ir::TermStore& store, const ir::Script& script, const Predicate& still_bad,
                 const Settings& settings)
    : store_(store),
      still_bad_(still_bad),
      settings_(settings),
      sizes_(store),
      fingerprints_(store),
      declarations_(store),
      free_(store),
      best_(script),
      size_(sizes_.of(script)),
      mark_(store.mark()) {
  progress_.start = size_;
  progress_.now = size_;
  check_scopes_ = declarations_.is_closed(script);
  tried_.insert(fingerprints_.of(script));
  for (const uint32_t i : declarations_.unused(script)) {
    kept_unused_.insert(declaration_key(script, script.commands[i]));
  }
}

bool Session::stopped() {
  if (stopped_) return true;
  stopped_ = progress_.tries >= settings_.max_tries ||
             built_ >= uint64_t{settings_.max_tries} * kBuiltPerTry ||
             (settings_.should_stop && settings_.should_stop());
  return stopped_;
}

// Drops declarations that are unused and were not so before.
void Session::prune(ir::Script& candidate) {
  std::vector<uint32_t> unused = declarations_.unused(candidate);
  std::erase_if(unused, [&](uint32_t i) {
    return kept_unused_.contains(declaration_key(candidate, candidate.commands[i]));
  });
  if (unused.empty()) return;
  size_t next = 0;
  uint32_t at = 0;
  std::erase_if(candidate.commands, [&](const ir::Command&) {
    const bool drop = next < unused.size() && unused[next] == at;
    if (drop) ++next;
    ++at;
    return drop;
  });
}

bool Session::is_well_formed(const ir::Script& candidate) {
  const bool has_check =
      std::any_of(candidate.commands.begin(), candidate.commands.end(),
                  [](const ir::Command& command) { return ir::is_check(command.kind); });
  const bool had_check =
      std::any_of(best_.commands.begin(), best_.commands.end(),
                  [](const ir::Command& command) { return ir::is_check(command.kind); });
  if (had_check && !has_check) return false;
  return !check_scopes_ || declarations_.is_closed(candidate);
}

bool Session::reject() {
  store_.rollback(mark_);
  return false;
}

bool Session::prepare(ir::Script& candidate, Size& size) {
  prune(candidate);
  size = sizes_.of(candidate);
  return size < size_ && is_well_formed(candidate);
}

void Session::foresee(ir::Script candidate) {
  Size size;
  const bool is_worth_it =
      !stopped() && prepare(candidate, size) && !tried_.contains(fingerprints_.of(candidate));
  if (is_worth_it) settings_.foresee(candidate);
  store_.rollback(mark_);
}

bool Session::offer(ir::Script candidate) {
  if (stopped()) return reject();
  ++built_;
  Size size;
  if (!prepare(candidate, size)) return reject();
  if (!tried_.insert(fingerprints_.of(candidate)).second) return reject();
  ++progress_.tries;
  const bool good = still_bad_(candidate);
  if (good) {
    best_ = std::move(candidate);
    size_ = size;
    ++progress_.accepted;
    progress_.now = size;
    pin();
  }
  if (settings_.on_progress) settings_.on_progress(progress_);
  return good || reject();
}

}  // namespace elenchus::reduce
