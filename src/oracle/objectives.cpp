#include "oracle/objectives.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ir/settings.h"
#include "ir/timeline.h"
#include "smtlib/lexer.h"
#include "smtlib/printer.h"

namespace elenchus::oracle {
namespace {

using ir::Command;
using ir::CommandKind;
using smtlib::Lexer;
using smtlib::Token;
using smtlib::TokenKind;

// "12" and "0.125".
std::optional<mpq_class> decimal_of(const Token& token) {
  if (token.kind != TokenKind::kNumeral && token.kind != TokenKind::kDecimal) return {};
  std::string digits(token.text);
  const size_t point = digits.find('.');
  mpz_class scale = 1;
  if (point != std::string::npos) {
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, digits.size() - point - 1);
    digits.erase(point, 1);
  }
  mpz_class number;
  if (number.set_str(digits, 10) != 0) return {};
  mpq_class result(number, scale);
  result.canonicalize();
  return result;
}

// What stands behind the term of assert-soft.
struct SoftMarks {
  std::optional<mpq_class> weight;
  std::optional<std::string> group;
};

std::optional<SoftMarks> soft_marks_of(std::string_view text) {
  SoftMarks marks;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (token.kind != TokenKind::kKeyword) return {};
    const Token value = lexer.next();
    if (token.text == ":id" && smtlib::is_symbol(value)) {
      marks.group = value.text;
      continue;
    }
    const auto weight = decimal_of(value);
    if (token.text != ":weight" || !weight) return {};
    marks.weight = *weight;
  }
  return marks;
}

std::optional<Priority> priority_of(std::string_view name) {
  if (name == "lex") return Priority::kLexicographic;
  if (name == "box") return Priority::kBox;
  if (name == "pareto") return Priority::kPareto;
  return {};
}

// The groups of soft assertions of a script.
class Groups {
 public:
  Groups(const ir::TermStore& store, Objectives& objectives)
      : store_(store), objectives_(objectives) {}

  // Notes the soft assertion, and adds it to its group if it holds. False where it is not
  // understood.
  bool add(const Command& command, bool holds) {
    const auto marks =
        soft_marks_of(command.text.valid() ? store_.symbols().text(command.text) : "");
    if (!marks) return false;
    // Whether it has what the last one had is not for us to say.
    if ((!marks->weight && has_weight_) || (!marks->group && has_group_)) return false;
    has_weight_ = marks->weight.has_value();
    has_group_ = marks->group.has_value();
    objectives_.has_defaults = objectives_.has_defaults || !has_weight_ || !has_group_;
    if (holds) {
      group_of(marks->group.value_or(""))
          .softs.push_back({command.term, marks->weight.value_or(1)});
    }
    return true;
  }

 private:
  Objective& group_of(const std::string& name) {
    auto& all = objectives_.all;
    const auto group = std::find_if(all.begin(), all.end(), [&](const Objective& one) {
      return one.is_group() && one.name == name;
    });
    if (group != all.end()) return *group;
    return all.emplace_back(Objective{.is_maximized = false, .term = {}, .name = name});
  }

  const ir::TermStore& store_;
  Objectives& objectives_;
  bool has_weight_ = false;  // the latest one
  bool has_group_ = false;
};

}  // namespace

std::optional<Objectives> objectives_at(const ir::TermStore& store, const ir::Script& script,
                                        size_t check) {
  Objectives objectives;
  const auto is_objective = [](const Command& command) {
    return command.kind >= CommandKind::kAssertSoft && command.kind <= CommandKind::kMaximize;
  };
  const auto& commands = script.commands;
  if (std::none_of(commands.begin(), commands.end(), is_objective)) return {};
  if (commands[check].kind == CommandKind::kCheckSatUsing) return {};
  const ir::ObjectivePriority said = ir::objective_priority(store, script);
  if (said.is_ambiguous) return {};
  if (!said.value.empty()) {
    const auto priority = priority_of(said.value);
    if (!priority) return {};
    objectives.priority = *priority;
  }
  Groups groups(store, objectives);
  const ir::Timeline timeline(store, script);
  for (size_t i = 0; i < check; ++i) {
    const Command& command = commands[i];
    if (command.kind == CommandKind::kReset) return {};
    if (!is_objective(command)) continue;
    const bool holds = timeline.holds(i, check);
    if (command.kind == CommandKind::kAssertSoft) {
      if (!groups.add(command, holds)) return {};
      continue;
    }
    if (!holds) continue;
    const bool has_more = command.text.valid() && !store.symbols().text(command.text).empty();
    if (has_more) return {};
    objectives.all.push_back(
        {.is_maximized = command.kind == CommandKind::kMaximize, .term = command.term});
  }
  if (objectives.all.empty()) return {};
  return objectives;
}

bool is_beyond(const Objective& objective, const mpq_class& number, const Reach& reach) {
  const int sign = objective.is_maximized ? 1 : -1;
  if (!reach.is_finite()) return sgn(reach.infinite) * sign < 0;
  if (number != reach.value) return objective.is_better(number, reach.value);
  return sgn(reach.epsilon) * sign < 0;
}

namespace {

// Values as z3 prints them: numbers, oo and epsilon under +, -, * and /.
class ReachReader {
 public:
  explicit ReachReader(Lexer& lexer) : lexer_(lexer) {}

  // None where the value is something else, such as an interval; `is_over` where the text does not
  // go on as it should.
  std::optional<Reach> read(bool& is_over) {
    do {
      if (!take(lexer_.next())) {
        is_over = true;
        return {};
      }
    } while (!open_.empty());
    if (is_other_) return {};
    return result_;
  }

 private:
  struct Open {
    std::string_view op;
    std::vector<Reach> args;
  };
  static constexpr size_t kDeepest = 64;

  // False at the end of the text, or where it makes no sense.
  bool take(const Token& token) {
    switch (token.kind) {
      case TokenKind::kOpen: {
        const Token op = lexer_.next();
        open_.push_back({smtlib::is_symbol(op) ? op.text : "", {}});
        return smtlib::is_symbol(op) && open_.size() < kDeepest;
      }
      case TokenKind::kClose: {
        if (open_.empty()) return false;
        const Reach value = applied(open_.back());
        open_.pop_back();
        put(value);
        return true;
      }
      case TokenKind::kNumeral:
      case TokenKind::kDecimal: {
        const auto number = decimal_of(token);
        put({.infinite = 0, .value = number.value_or(0), .epsilon = 0});
        return number.has_value();
      }
      case TokenKind::kSymbol:
        is_other_ = is_other_ || (token.text != "oo" && token.text != "epsilon");
        put({.infinite = token.text == "oo" ? 1 : 0,
             .value = 0,
             .epsilon = token.text == "epsilon" ? 1 : 0});
        return true;
      default: return false;
    }
  }

  void put(const Reach& value) {
    if (open_.empty()) {
      result_ = value;
    } else {
      open_.back().args.push_back(value);
    }
  }

  static Reach scaled(const Reach& reach, const mpq_class& by) {
    return {
        .infinite = reach.infinite * by, .value = reach.value * by, .epsilon = reach.epsilon * by};
  }
  static Reach sum(const Reach& a, const Reach& b) {
    return {.infinite = a.infinite + b.infinite,
            .value = a.value + b.value,
            .epsilon = a.epsilon + b.epsilon};
  }

  Reach applied(const Open& open) {
    const auto& args = open.args;
    if (args.empty()) return fail();
    if (open.op == "to_real" && args.size() == 1) return args[0];
    if (open.op == "-" && args.size() == 1) return scaled(args[0], -1);
    Reach result = args[0];
    for (size_t i = 1; i < args.size(); ++i) {
      if (open.op == "+") {
        result = sum(result, args[i]);
      } else if (open.op == "-") {
        result = sum(result, scaled(args[i], -1));
      } else if (open.op == "/" && args[i].is_exact() && args[i].value != 0) {
        result = scaled(result, mpq_class(1 / args[i].value));
      } else if (open.op == "*" && result.is_exact()) {
        result = scaled(args[i], result.value);
      } else if (open.op == "*" && args[i].is_exact()) {
        result = scaled(result, args[i].value);
      } else {
        return fail();
      }
    }
    const bool is_known = open.op == "+" || open.op == "-" || open.op == "/" || open.op == "*";
    return is_known ? result : fail();
  }

  Reach fail() {
    is_other_ = true;
    return {};
  }

  Lexer& lexer_;
  std::vector<Open> open_;
  Reach result_;
  bool is_other_ = false;
};

// What the objective is called in the list: its term, or the name of the group, which may have
// none. False where it is another.
bool skip_name(Lexer& lexer, const Objective& objective) {
  if (objective.is_group() && objective.name.empty()) return true;
  lexer.peek();
  const uint32_t from = lexer.offset();
  if (!lexer.skip_expression()) return false;
  return !objective.is_group() || lexer.text(from, lexer.offset()) == objective.name;
}

bool takes(Lexer& lexer, TokenKind kind) { return lexer.next().kind == kind; }

}  // namespace

std::optional<Reached> read_objectives(std::string_view printed, const Objectives& objectives) {
  Lexer lexer(printed);
  if (!takes(lexer, TokenKind::kOpen) || lexer.next().text != "objectives") return {};
  Reached reached;
  while (lexer.peek() == '(') {
    lexer.next();
    if (reached.size() == objectives.all.size()) return {};
    if (!skip_name(lexer, objectives.all[reached.size()])) return {};
    bool is_over = false;
    reached.push_back(ReachReader(lexer).read(is_over));
    if (is_over || !takes(lexer, TokenKind::kClose)) return {};
  }
  if (reached.size() != objectives.all.size() || !takes(lexer, TokenKind::kClose)) return {};
  return reached;
}

std::optional<mpq_class> value_of(eval::Evaluator& evaluator, const Objective& objective) {
  const eval::ValueStore& values = evaluator.values();
  if (objective.is_group()) {
    mpq_class cost = 0;
    for (const Soft& soft : objective.softs) {
      const eval::Value holds = evaluator.evaluate(soft.term);
      if (!holds.known()) return {};
      if (holds.is_false()) cost += soft.weight;
    }
    return cost;
  }
  const eval::Value value = evaluator.evaluate(objective.term);
  switch (value.kind) {
    case eval::ValueKind::kInt: return mpq_class(values.big_integer(value));
    case eval::ValueKind::kBits: return mpq_class(values.big_bits(value));
    case eval::ValueKind::kReal:
      if (!values.is_rational(value)) return {};
      return values.rational(value);
    default: return {};
  }
}

std::string spoken(const ir::TermStore& store, const Objective& objective) {
  constexpr size_t kMost = 80;
  if (objective.is_group()) {
    return "the cost of " + (objective.name.empty() ? "the soft assertions without a name"
                                                    : base::shown(objective.name, kMost));
  }
  const auto text = smtlib::print_term(store, objective.term);
  return fmt::format("the {} of {}", objective.is_maximized ? "maximum" : "minimum",
                     text ? base::shown(*text, kMost) : "a large term");
}

std::string spoken(const Reach& reach) {
  if (!reach.is_finite()) return reach.infinite > 0 ? "infinite" : "minus infinite";
  std::string text = reach.value.get_str();
  if (reach.epsilon != 0) text += reach.epsilon > 0 ? ", and a little more" : ", and a little less";
  return text;
}

}  // namespace elenchus::oracle
