#include "mutate/steps.h"

#include <algorithm>

namespace elenchus::mutate {

using ir::CommandKind;

namespace {

// As many as `incremental` makes, twice.
constexpr size_t kMostChecks = 16;

bool is_check_step(const Step& step) { return ir::is_check(step.command.kind); }
bool is_assertion(const Step& step) { return step.command.kind == CommandKind::kAssert; }

}  // namespace

void trim(Steps& steps) {
  auto checks = static_cast<size_t>(std::count_if(steps.begin(), steps.end(), is_check_step));
  std::erase_if(steps,
                [&](const Step& step) { return is_check_step(step) && checks-- > kMostChecks; });
  const auto questions = std::count_if(steps.begin(), steps.end(), is_check_step);
  const bool has_levels = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    return step.command.kind == CommandKind::kPush;
  });
  if (std::none_of(steps.begin(), steps.end(), is_assertion) || (questions < 2 && !has_levels))
    steps.clear();
}

std::vector<ir::TermId> assertions_of(std::span<const Step> steps) {
  std::vector<ir::TermId> terms;
  for (const Step& step : steps) {
    if (is_assertion(step)) terms.push_back(step.command.term);
  }
  return terms;
}

ir::Script with_steps(const ir::Script& frame, std::span<const Step> steps,
                      const Fillings& fillings) {
  ir::Script script = frame;
  auto filling = fillings.begin();
  for (const Step& step : steps) {
    if (!is_assertion(step)) {
      script.commands.push_back(step.command);
      continue;
    }
    for (const ir::TermId term : *filling++) {
      script.commands.push_back(step.command);
      script.commands.back().term = term;
    }
  }
  return script;
}

std::vector<Truth> expectations(std::span<const Step> steps,
                                const std::function<bool(ir::TermId)>& is_true) {
  std::vector<size_t> doubtful = {0};  // assertions in force that may be false, by level
  std::vector<Truth> expected;
  for (const Step& step : steps) {
    const ir::Command& command = step.command;
    switch (command.kind) {
      case CommandKind::kPush:
        doubtful.resize(doubtful.size() + command.number, doubtful.back());
        break;
      case CommandKind::kPop: doubtful.resize(doubtful.size() - command.number); break;
      case CommandKind::kAssert:
        if (step.claim == Step::kNoClaim && !is_true(command.term)) ++doubtful.back();
        break;
      default: expected.push_back(doubtful.back() == 0 ? Truth::kSat : Truth::kUnknown);
    }
  }
  return expected;
}

}  // namespace elenchus::mutate
