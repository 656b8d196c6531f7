// Commands are operations, too (Falcon): a solver that is to give values, cores or proofs later
// keeps more, leaves out steps that lose it, and runs code that no answer needs. Which request
// suits the answer shows when it is there; solvers are not asked for the others.
#include "mutate/requests.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "ir/op.h"
#include "ir/settings.h"
#include "ir/timeline.h"

namespace elenchus::mutate {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::TermId;

// Terms in one get-value.
constexpr uint64_t kMostValues = 3;
// Steps from a claim down to one of its parts.
constexpr uint64_t kMostStepsDown = 4;
// Of all that is asked. Proofs turn most of some solvers off.
constexpr uint64_t kProofs = 16;

class Requests {
 public:
  Requests(ir::TermStore& store, const ir::Script& script, base::Rng& rng)
      : store_(store), script_(script), rng_(rng) {}

  ir::Script made() {
    const auto checks = ir::checks_of(script_);
    if (checks.empty()) return script_;
    last_ = checks.back();
    draw();
    return assembled();
  }

 private:
  void draw() {
    const bool is_assuming = script_.commands[last_].kind == CommandKind::kCheckSatAssuming;
    if (rng_.one_in(kProofs)) {
      ask("(get-proof)", ":produce-proofs");
      return;
    }
    if (rng_.coin()) add_values();
    if (rng_.coin() && has_names()) ask("(get-assignment)", ":produce-assignments");
    if (is_assuming && rng_.coin()) ask("(get-unsat-assumptions)", ":produce-unsat-assumptions");
    if (commands_.empty() || rng_.coin()) ask("(get-unsat-core)", ":produce-unsat-cores");
  }

  void ask(std::string_view request, std::string_view option) {
    Command command;
    command.text = store_.symbols().intern(request);
    commands_.push_back(command);
    options_.push_back(option);
  }

  bool has_names() const {
    return std::any_of(script_.commands.begin(), script_.commands.end(), [&](const Command& one) {
      return one.kind == CommandKind::kAssert && store_.has(one.term, ir::kHasNamed);
    });
  }

  void add_values() {
    const auto claims = ir::claims_at(script_, last_);
    if (claims.empty()) return;
    for (uint64_t i = 0, count = 1 + rng_.below(kMostValues); i < count; ++i) {
      const TermId term = part_of(claims[rng_.below(claims.size())].term);
      if (term.valid()) values_.push_back(term.value);
    }
  }

  // Not below binders: the term has no free variables. A name in it would be defined twice.
  TermId part_of(TermId term) {
    for (uint64_t i = 0, steps = rng_.below(kMostStepsDown + 1); i < steps; ++i) {
      const auto args = store_.args(term);
      const Op op = store_.op(term);
      if (args.empty() || ir::is_binder(op) || op == Op::kMatch) break;
      const TermId next = args[rng_.below(args.size())];
      if (!has_value(next)) break;
      term = next;
    }
    const bool is_plain = !store_.has(term, ir::kHasNamed) && !store_.has(term, ir::kHasUnknown);
    return is_plain && !ir::is_binder(store_.op(term)) ? term : TermId{};
  }

  bool has_value(TermId term) const {
    const ir::SortKind kind = store_.sorts().kind(store_.sort(term));
    return kind != ir::SortKind::kFunction && kind != ir::SortKind::kRegLan;
  }

  bool is_set(std::string_view option) const {
    return std::any_of(script_.commands.begin(), script_.commands.end(), [&](const Command& one) {
      return one.kind == CommandKind::kSetOption && ir::is_switched_on(store_, one) &&
             store_.symbols().text(one.text) == option;
    });
  }

  ir::Script assembled() {
    ir::Script script = script_;
    std::vector<Command> requests = commands_;
    if (!values_.empty()) {
      Command command;
      command.kind = CommandKind::kGetValue;
      script.set_items(command, values_);
      requests.push_back(command);
    }
    const auto after = script.commands.begin() + static_cast<std::ptrdiff_t>(last_) + 1;
    script.commands.insert(after, requests.begin(), requests.end());
    for (const std::string_view option : options_) {
      if (is_set(option)) continue;
      Command command;
      command.kind = CommandKind::kSetOption;
      command.text = store_.symbols().intern(option);
      command.value = store_.symbols().intern("true");
      script.commands.insert(script.commands.begin(), command);
    }
    return script;
  }

  ir::TermStore& store_;
  const ir::Script& script_;
  base::Rng& rng_;
  size_t last_ = 0;
  std::vector<Command> commands_;
  std::vector<std::string_view> options_;
  std::vector<uint32_t> values_;
};

}  // namespace

ir::Script with_requests(ir::TermStore& store, const ir::Script& script, base::Rng& rng) {
  return Requests(store, script, rng).made();
}

}  // namespace elenchus::mutate
