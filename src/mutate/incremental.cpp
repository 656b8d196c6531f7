// Solvers solve incremental scripts in other ways than single questions: they keep lemmas from one
// check to the next, take back what a level brought, and leave out preprocessing. So the same
// assertions are worth asking in steps.
//
// All commands before the check that are no assertions keep their order and come first, so that no
// declaration is lost with a level. The assertions follow in a random walk: levels are opened,
// assertions made, checked, and levels closed; what a closed level asserted is asserted again
// later. In the end everything is in force, and the check of the mutant follows.
//
// What is expected: each check asks for a part of what the last one asks for. A witness of all is a
// witness of each part. Where all together are unsatisfiable, a part need not be, unless it is all.
//
// An assertion with a name, or that uses one, stays with the declarations: a name may be given once
// only, and definitions may use it.
#include "mutate/incremental.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "ir/timeline.h"
#include "mutate/modified.h"

namespace elenchus::mutate {
namespace {

using ir::Command;
using ir::CommandKind;

constexpr uint32_t kMaxChecks = 8;
constexpr size_t kMaxDepth = 5;
constexpr uint32_t kMaxRepeats = 3;
// Of each kind of event there are about so many in a walk.
constexpr size_t kEvents = 6;

bool moves_levels(const Command& command) {
  switch (command.kind) {
    case CommandKind::kPush:
    case CommandKind::kPop:
    case CommandKind::kReset:
    case CommandKind::kResetAssertions: return true;
    default: return false;
  }
}

// Commands that make one question out of assertions.
class Walk {
 public:
  Walk(std::span<const Command> assertions, base::Rng& rng)
      : rng_(rng),
        stride_(std::max<size_t>(2, assertions.size() / kEvents)),
        repeats_(assertions.size(), 0) {
    for (size_t i = 0; i < assertions.size(); ++i) waiting_.push_back(i);
    assertions_.assign(assertions.begin(), assertions.end());
  }

  // Appends the commands. In the end all assertions are in force.
  void run(std::vector<Command>& commands) {
    commands_ = &commands;
    while (!waiting_.empty()) {
      // Without a level there would be nothing to close.
      const bool must_push = !has_pushed_ && waiting_.size() == 1;
      if (must_push || (levels_.size() < kMaxDepth && happens())) push();
      assert_next();
      const bool must_pop = !has_popped_ && waiting_.empty();
      if (must_pop || happens()) check();
      if (must_pop || happens()) pop();
    }
  }

  // For each check that was made, whether everything was in force.
  const std::vector<bool>& checks() const { return checks_; }

 private:
  bool happens() { return rng_.one_in(stride_); }

  void add(CommandKind kind, uint32_t number = 0) {
    Command command;
    command.kind = kind;
    command.number = number;
    commands_->push_back(command);
  }

  void push() {
    add(CommandKind::kPush, 1);
    levels_.emplace_back();
    has_pushed_ = true;
  }

  void assert_next() {
    const size_t next = waiting_.front();
    waiting_.pop_front();
    commands_->push_back(assertions_[next]);
    ++repeats_[next];
    if (!levels_.empty()) levels_.back().push_back(next);
  }

  void check() {
    // The last one is not ours.
    if (checks_.size() + 1 >= kMaxChecks) return;
    add(CommandKind::kCheckSat);
    checks_.push_back(waiting_.empty());
  }

  void pop() {
    if (levels_.empty()) return;
    const std::vector<size_t>& level = levels_.back();
    const bool is_worn_out = std::any_of(level.begin(), level.end(), [&](size_t assertion) {
      return repeats_[assertion] >= kMaxRepeats;
    });
    if (is_worn_out) return;
    add(CommandKind::kPop, 1);
    // Next, or after all others.
    const bool soon = rng_.coin();
    waiting_.insert(soon ? waiting_.begin() : waiting_.end(), level.begin(), level.end());
    levels_.pop_back();
    has_popped_ = true;
  }

  base::Rng& rng_;
  size_t stride_;
  std::vector<Command> assertions_;
  std::deque<size_t> waiting_;               // assertions that are not in force
  std::vector<std::vector<size_t>> levels_;  // and those that each open level brought
  std::vector<uint32_t> repeats_;            // how often each was made
  std::vector<bool> checks_;
  std::vector<Command>* commands_ = nullptr;
  bool has_pushed_ = false;
  bool has_popped_ = false;
};

std::vector<Truth> expectations(const Mutant& mutant, CommandKind last,
                                const std::vector<bool>& checks) {
  if (mutant.expected.empty() || mutant.expected[0] == Truth::kUnknown) return {};
  const Truth truth = mutant.expected[0];
  std::vector<Truth> expected;
  for (const bool asks_all : checks) {
    const bool follows =
        truth == Truth::kSat || (asks_all && last != CommandKind::kCheckSatAssuming);
    expected.push_back(follows ? truth : Truth::kUnknown);
  }
  expected.push_back(truth);
  return expected;
}

// The mutant in steps, where it is one question with something to be asked.
void ask_in_steps(ir::TermStore& store, Mutant& mutant, base::Rng& rng) {
  const auto& commands = mutant.script.commands;
  const auto checks = ir::checks_of(mutant.script);
  if (checks.size() != 1 || std::any_of(commands.begin(), commands.end(), moves_levels)) return;
  const size_t last = checks[0];
  std::vector<Command> steps;
  std::vector<Command> assertions;
  for (size_t i = 0; i < last; ++i) {
    const bool walks =
        commands[i].kind == CommandKind::kAssert && !store.has(commands[i].term, ir::kHasNamed);
    (walks ? assertions : steps).push_back(commands[i]);
  }
  if (assertions.empty()) return;
  if (rng.coin()) rng.shuffle(std::span(assertions));
  Walk walk(assertions, rng);
  walk.run(steps);
  mutant.expected = expectations(mutant, commands[last].kind, walk.checks());
  steps.insert(steps.end(), commands.begin() + static_cast<ptrdiff_t>(last), commands.end());
  mutant.script.commands = std::move(steps);
}

}  // namespace

std::unique_ptr<Engine> make_incremental(std::unique_ptr<Engine> inner) {
  return make_modified(std::move(inner), "incremental", ask_in_steps);
}

}  // namespace elenchus::mutate
