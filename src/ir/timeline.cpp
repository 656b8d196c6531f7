#include "ir/timeline.h"

#include <algorithm>

#include "ir/script_parts.h"
#include "ir/settings.h"

namespace elenchus::ir {

// Where the pass over a script has come to: the commands in force, by what takes them back.
class Timeline::Pass {
 public:
  Pass(const TermStore* store, std::vector<Moment>& moments) : store_(store), moments_(moments) {}

  void step(const Command& command, uint32_t at) {
    moments_[at].keeps_declarations = keeps_declarations_;
    moments_[at].newest = newest();
    switch (command.kind) {
      case CommandKind::kPush:
        levels_.insert(levels_.end(), command.number, {at, declared_.size(), asserted_.size()});
        break;
      case CommandKind::kPop: pop(command.number, at); break;
      case CommandKind::kResetAssertions: reset_assertions(at); break;
      case CommandKind::kReset: reset(at); break;
      case CommandKind::kSetOption:
        if (store_ != nullptr && is_global_declarations(*store_, command)) {
          keeps_declarations_ = is_switched_on(*store_, command);
        }
        [[fallthrough]];
      case CommandKind::kSetLogic:
      case CommandKind::kSetInfo: settings_.push_back(at); break;
      default:
        if (has_term(command.kind)) asserted_.push_back(at);
        if (is_declaration(command.kind)) declared_.push_back(at);
    }
  }

  uint32_t newest() const { return asserted_.empty() ? kNever : asserted_.back(); }

 private:
  struct Level {
    uint32_t push;
    size_t declared, asserted;  // how many there were before it
  };

  // Takes back all but the first `kept`.
  void take_back(std::vector<uint32_t>& commands, size_t kept, uint32_t at) {
    for (size_t i = kept; i < commands.size(); ++i) {
      Moment& moment = moments_[commands[i]];
      moment.end = std::min(moment.end, at);
      moment.last_use = at;
    }
    commands.resize(kept);
  }

  void pop(uint32_t count, uint32_t at) {
    moments_[at].pops_too_many = count > levels_.size();
    const size_t closed = std::min<size_t>(count, levels_.size());
    if (closed == 0) return;
    const Level outermost = levels_[levels_.size() - closed];
    levels_.resize(levels_.size() - closed);
    moments_[at].opener = outermost.push;
    take_back(asserted_, outermost.asserted, at);
    if (!keeps_declarations_) take_back(declared_, outermost.declared, at);
  }

  void reset_assertions(uint32_t at) {
    levels_.clear();
    take_back(asserted_, 0, at);
    if (keeps_declarations_) return;
    for (const uint32_t command : declared_) moments_[command].end = at;
    left_over_.insert(left_over_.end(), declared_.begin(), declared_.end());
    declared_.clear();
  }

  void reset(uint32_t at) {
    levels_.clear();
    keeps_declarations_ = false;
    for (auto* commands : {&asserted_, &declared_, &left_over_, &settings_}) {
      take_back(*commands, 0, at);
    }
  }

  const TermStore* store_;
  std::vector<Moment>& moments_;
  std::vector<uint32_t> declared_;
  std::vector<uint32_t> asserted_;
  std::vector<uint32_t> left_over_;  // declarations from before (reset-assertions)
  std::vector<uint32_t> settings_;
  std::vector<Level> levels_;
  bool keeps_declarations_ = false;
};

Timeline::Timeline(const TermStore* store, const Script& script)
    : moments_(script.commands.size()) {
  Pass pass(store, moments_);
  for (uint32_t at = 0; at < moments_.size(); ++at) pass.step(script.commands[at], at);
  newest_at_end_ = pass.newest();
}

// What was asserted when an assertion was made is asserted as long as it is: from each one, the way
// leads to the one before it.
std::vector<Claim> Timeline::claims(const Script& script, size_t check) const {
  const bool is_end = check == script.commands.size();
  std::vector<Claim> claims;
  for (uint32_t at = is_end ? newest_at_end_ : moments_[check].newest; at != kNever;
       at = moments_[at].newest) {
    const Command& command = script.commands[at];
    if (command.kind == CommandKind::kAssert) claims.push_back({command.term, at});
  }
  std::reverse(claims.begin(), claims.end());
  if (is_end) return claims;
  const Command& command = script.commands[check];
  if (command.kind == CommandKind::kCheckSatAssuming) {
    for (const uint32_t term : script.items(command)) claims.push_back({TermId{term}, check});
  }
  return claims;
}

std::vector<size_t> checks_of(const Script& script) {
  std::vector<size_t> checks;
  for (size_t i = 0; i < script.commands.size(); ++i) {
    if (is_check(script.commands[i].kind)) checks.push_back(i);
  }
  return checks;
}

std::vector<Claim> claims_at(const Script& script, size_t check) {
  return Timeline(nullptr, script).claims(script, check);
}

}  // namespace elenchus::ir
