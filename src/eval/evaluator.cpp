// The evaluator is a stack machine. A frame is a term under evaluation, its arguments' values lie
// on the operand stack, and the value of a finished term replaces them. Values are kept by term
// with the time when they were found; a binding that is newer makes them stale.
#include "eval/evaluator.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "eval/literals.h"
#include "ir/apply.h"

namespace elenchus::eval {

using ir::FunKind;
using ir::Op;
using ir::TermId;

Evaluator::Evaluator(const ir::TermStore& terms, const ir::Model& model, const Settings& settings)
    : terms_(terms),
      model_(model),
      settings_(settings),
      domains_(terms, values_),
      free_(terms),
      functions_(terms.fun_count()) {
  constexpr size_t kUsualDepth = 32;  // growing in small steps would cost more
  frames_.reserve(kUsualDepth);
  operands_.reserve(kUsualDepth);
  for (const ir::FunctionDefinition& function : model.functions) {
    functions_[function.fun.value].definition = &function.definition;
  }
  for (const ir::Universe& universe : model.universes) {
    std::vector<Value> elements;
    elements.reserve(universe.elements.size());
    for (const ir::FunId element : universe.elements) {
      const Value value = ValueStore::element(universe.sort, element.value);
      FunctionEntry& entry = functions_[element.value];
      entry.constant = Known::kYes;
      entry.value = value;
      elements.push_back(value);
    }
    domains_.set_universe(universe.sort, std::move(elements), universe.is_complete);
  }
}

Value Evaluator::evaluate(TermId term, uint64_t steps) {
  steps_left_ = steps;
  return exact_or_unknown(run(term));
}

Value Evaluator::exact_or_unknown(const Value& value) {
  if (value.kind != ValueKind::kExpression) return value;
  return values_.unknown("a transcendental number has no exact value");
}

bool Evaluator::pay(uint64_t steps) {
  if (steps > steps_left_) steps_left_ = 0;
  steps_left_ -= std::min(steps, steps_left_);
  return steps_left_ > 0;
}

// --- The machine. ---

// May be called while another run is under way (by a rule): it leaves that run's stacks alone.
Value Evaluator::run(TermId term) {
  if (nesting_ >= settings_.nesting) return values_.unknown("evaluations nested too deeply");
  // The rule that called holds a view of the operands: they must not move.
  std::vector<Value> outer_operands;
  if (nesting_ > 0) outer_operands.swap(operands_);
  const Height before = height();
  ++nesting_;
  want(term);
  while (frames_.size() > before.frames) {
    if (!pay(1) || frames_.size() > settings_.depth || values_.bytes() > settings_.bytes) {
      const char* reason = steps_left_ == 0                   ? kTooManySteps
                           : frames_.size() > settings_.depth ? "the evaluation nests too deeply"
                                                              : "the values take too much memory";
      steps_left_ = 0;  // ends the outer runs as well
      abandon(before);
      operands_.assign(1, values_.unknown(reason));
      break;
    }
    step();
  }
  --nesting_;
  const Value result = operands_.back();
  operands_.clear();
  if (nesting_ > 0) operands_.swap(outer_operands);
  return result;
}

Evaluator::Height Evaluator::height() const {
  return {frames_.size(), bindings_.size(), searches_.size(), chains_.size()};
}

void Evaluator::abandon(const Height& height) {
  for (size_t i = height.frames; i < frames_.size(); ++i) {
    const TermId term = frames_[i].term;
    if (terms_.op(term) != Op::kCall) continue;
    FunctionEntry& function = entry(terms_.callee(term));
    if (function.constant == Known::kBusy) function.constant = Known::kNot;
  }
  frames_.resize(height.frames);
  searches_.resize(height.searches);
  chains_.resize(height.chains);
  unbind(height.bindings);
}

const Value* Evaluator::find(TermId term) {
  const Slot& slot = slots_[term.value];
  if (slot.time == 0) return nullptr;
  if (!terms_.has(term, ir::kHasVariables) || terms_.op(term) == Op::kVar) return &slot.value;
  const auto variables = free_.of(term);
  if (free_.exhausted()) return slot.time > last_binding_ ? &slot.value : nullptr;
  const bool stale = std::any_of(variables.begin(), variables.end(), [&](TermId variable) {
    return slots_[variable.value].time > slot.time;
  });
  return stale ? nullptr : &slot.value;
}

// Puts the term's value on the operand stack, if it is known or costs nothing; else a frame that
// will do so.
bool Evaluator::want(TermId term) {
  if (const Value* value = find(term)) {
    operands_.push_back(*value);
    return true;
  }
  const Op op = terms_.op(term);
  if (ir::is_literal(op)) {
    const Value value = literal_value(terms_, values_, term);
    slots_[term.value] = {value, clock_};
    operands_.push_back(value);
    return true;
  }
  frames_.push_back({term, 0, static_cast<uint32_t>(operands_.size()),
                     static_cast<uint32_t>(bindings_.size()), Stage::kArguments});
  return false;
}

void Evaluator::finish(const Value& value) {
  const Frame& frame = frames_.back();
  slots_[frame.term.value] = {value, clock_};
  operands_.resize(frame.operands);
  operands_.push_back(value);
  frames_.pop_back();
}

void Evaluator::step() {
  Frame& frame = frames_.back();
  switch (const Op op = terms_.meaning(frame.term)) {
    case Op::kAnd: return step_junction(frame, false);
    case Op::kOr: return step_junction(frame, true);
    case Op::kImplies: return step_implication(frame);
    case Op::kIte: return step_ite(frame);
    case Op::kEq: return step_equality(frame);
    case Op::kMul: return step_product(frame);
    case Op::kCall: return step_call(frame);
    case Op::kFunRef: return finish(function_value(terms_.callee(frame.term)));
    case Op::kAsArray: return finish(function_value(ir::FunId{terms_.indices(frame.term)[0]}));
    case Op::kSelect:
    case Op::kHoApply: return step_application(frame);
    case Op::kStore: return step_store(frame);
    case Op::kForall:
    case Op::kExists: return step_quantifier(frame);
    case Op::kLambda: return finish(closure(frame.term));
    case Op::kMatch: return step_match(frame);
    case Op::kAnnotated: return step_annotated(frame);
    case Op::kChoice: return step_choice(frame);
    case Op::kComprehension: return finish(values_.unknown("set comprehensions are not evaluated"));
    case Op::kVar: return finish(values_.unknown("a variable without a value"));
    case Op::kUnknownCall:
    case Op::kUnknownText:
      return finish(values_.unknown(fmt::format("no meaning is known for {}",
                                                terms_.literal_text(frame.term).substr(0, 60))));
    default: return step_operator(frame, op);
  }
}

// True when all arguments' values are on the stack. When one is unknown, so is the application.
bool Evaluator::evaluate_arguments(Frame& frame) {
  const auto args = terms_.args(frame.term);
  for (;;) {
    if (frame.next > 0 && !operands_.back().known()) {
      finish(operands_.back());
      return false;
    }
    if (frame.next == args.size()) return true;
    if (!want(args[frame.next++])) return false;
  }
}

// The same, but goes on when an argument is unknown.
bool Evaluator::evaluate_all_arguments(Frame& frame) {
  const auto args = terms_.args(frame.term);
  while (frame.next < args.size()) {
    if (!want(args[frame.next++])) return false;
  }
  return true;
}

const Value* Evaluator::first_unknown(const Frame& frame) const {
  const auto first = operands_.begin() + frame.operands;
  const auto found =
      std::find_if(first, operands_.end(), [](const Value& v) { return !v.known(); });
  return found == operands_.end() ? nullptr : &*found;
}

// Zero times anything is zero.
void Evaluator::step_product(Frame& frame) {
  if (!evaluate_all_arguments(frame)) return;
  const Value* open = first_unknown(frame);
  if (open == nullptr) return step_operator(frame, Op::kMul);
  const Value zero = domains_.any(terms_.sort(frame.term));
  const auto first = operands_.begin() + frame.operands;
  finish(std::find(first, operands_.end(), zero) != operands_.end() ? zero : *open);
}

// A set may be given by a lambda that cannot be tabulated; rules for sets want a list.
bool Evaluator::are_sets_listed(const Frame& frame) const {
  const auto args = terms_.args(frame.term);
  for (size_t i = frame.operands; i < operands_.size(); ++i) {
    if (operands_[i].kind != ValueKind::kFunction) continue;
    const ir::SortId sort = terms_.sort(args[i - frame.operands]);
    if (terms_.sorts().kind(sort) == ir::SortKind::kSet) return false;
  }
  return true;
}

bool Evaluator::has_expressions(const Frame& frame) const {
  return std::any_of(operands_.begin() + frame.operands, operands_.end(),
                     [](const Value& value) { return value.kind == ValueKind::kExpression; });
}

void Evaluator::step_operator(Frame& frame, Op op) {
  if (!evaluate_arguments(frame)) return;
  // What stands around such a term was typed without knowing what it is: its value may be of a kind
  // that a rule does not expect.
  if (terms_.sort(frame.term) == ir::kUnknownSort) {
    return finish(values_.unknown("a term of a sort that is not known"));
  }
  const OpRule& rule = rule_of(op);
  if (rule.rule == nullptr) {
    const std::string_view name = terms_.ops().name(terms_.op(frame.term));
    return finish(values_.unknown(fmt::format(
        "{}: {}", name, rule.reason != nullptr ? rule.reason : "an operator without evaluation")));
  }
  if (!are_sets_listed(frame)) return finish(values_.unknown("a set given by a function"));
  const Call call{*this, terms_, values_, frame.term, std::span(operands_).subspan(frame.operands)};
  const bool is_special = has_expressions(frame) && op != Op::kDistinct;
  finish(is_special ? apply_to_expressions(call, op) : rule.rule(call));
}

void Evaluator::step_annotated(Frame& frame) {
  if (frame.next++ == 0 && !want(terms_.args(frame.term)[0])) return;
  finish(operands_.back());
}

// `and` and `or`: one argument may decide, whatever the others are. The first unknown argument
// stays on the stack.
void Evaluator::step_junction(Frame& frame, bool decides) {
  const auto args = terms_.args(frame.term);
  for (;;) {
    if (frame.next > 0) {
      const Value last = operands_.back();
      if (last.known() && last.is_true() == decides) return finish(last);
      if (last.known() || operands_.size() > frame.operands + 1) operands_.pop_back();
    }
    if (frame.next == args.size()) {
      const bool open = operands_.size() > frame.operands;
      return finish(open ? operands_[frame.operands] : boolean(!decides));
    }
    if (!want(args[frame.next++])) return;
  }
}

// True when a premise is false or the conclusion true.
void Evaluator::step_implication(Frame& frame) {
  const auto args = terms_.args(frame.term);
  for (;;) {
    if (frame.next > 0) {
      const Value last = operands_.back();
      const bool is_conclusion = frame.next == args.size();
      if (last.known() && last.is_true() == is_conclusion) return finish(boolean(true));
      if (last.known() || operands_.size() > frame.operands + 1) operands_.pop_back();
    }
    if (frame.next == args.size()) {
      const bool open = operands_.size() > frame.operands;
      return finish(open ? operands_[frame.operands] : boolean(false));
    }
    if (!want(args[frame.next++])) return;
  }
}

// Only the branch that counts is evaluated: the other one may recurse for ever. Where the condition
// is unknown, the branches may still agree.
void Evaluator::step_ite(Frame& frame) {
  const auto args = terms_.args(frame.term);
  if (frame.next == 0) {
    frame.next = 1;
    if (!want(args[0])) return;
  }
  const Value condition = operands_[frame.operands];
  if (condition.known()) {
    if (frame.next++ == 1 && !want(args[condition.is_true() ? 1 : 2])) return;
    return finish(operands_.back());
  }
  while (frame.next < 3) {
    if (!want(args[frame.next++])) return;
  }
  const Value yes = operands_[frame.operands + 1];
  const Value no = operands_[frame.operands + 2];
  finish(yes.known() && yes == no ? yes : condition);
}

// A term equals itself, whatever it is.
void Evaluator::step_equality(Frame& frame) {
  const auto args = terms_.args(frame.term);
  const bool same =
      std::all_of(args.begin(), args.end(), [&](TermId arg) { return arg == args[0]; });
  if (same) return finish(boolean(true));
  if (!evaluate_arguments(frame)) return;
  Value result = boolean(true);
  for (size_t i = 0; i + 1 < args.size(); ++i) {
    const size_t at = frames_.back().operands + i;
    const Value pair = equal(operands_[at], operands_[at + 1]);
    if (pair.is_false()) return finish(pair);
    if (!pair.known()) result = pair;
  }
  finish(result);
}

// --- Bindings. ---

void Evaluator::bind(TermId variable, const Value& value) {
  Slot& slot = slots_[variable.value];
  bindings_.push_back({variable, slot});
  last_binding_ = ++clock_;
  slot = {value, clock_};
}

void Evaluator::unbind(size_t count) {
  while (bindings_.size() > count) {
    const Binding& binding = bindings_.back();
    last_binding_ = ++clock_;
    // What was found under the newer binding must look stale, so the old one counts as new.
    const uint64_t time = binding.before.time == 0 ? 0 : clock_;
    slots_[binding.variable.value] = {binding.before.value, time};
    bindings_.pop_back();
  }
}

void Evaluator::start_body(Frame& frame, std::span<const TermId> formals,
                           std::span<const Value> arguments, TermId body) {
  frame.stage = Stage::kBody;
  for (size_t i = 0; i < formals.size(); ++i) bind(formals[i], arguments[i]);
  if (want(body)) finish_body(frames_.back());
}

void Evaluator::finish_body(Frame& frame) {
  unbind(frame.bound);
  finish(operands_.back());
}

// --- What models say of operators. ---

namespace {

bool is_of_kind(const Value& value, const ir::SortNode& sort) {
  switch (sort.kind) {
    case ir::SortKind::kBool: return value.kind == ValueKind::kBool;
    case ir::SortKind::kInt: return value.kind == ValueKind::kInt;
    case ir::SortKind::kReal: return value.kind == ValueKind::kReal;
    case ir::SortKind::kString: return value.kind == ValueKind::kString;
    case ir::SortKind::kSeq: return value.kind == ValueKind::kSeq;
    case ir::SortKind::kFloatingPoint: return value.kind == ValueKind::kFloat;
    case ir::SortKind::kBitVec: return value.kind == ValueKind::kBits && value.aux == sort.a;
    default: return true;
  }
}

// Some releases of z3 leave the divisor out of div0, which is always zero.
bool defines(const ir::TermStore& terms, const ir::Definition& definition, ir::SortId sort,
             std::span<const Value> arguments) {
  const auto& formals = definition.formals;
  if (terms.sort(definition.body) != sort || formals.size() > arguments.size()) return false;
  for (size_t i = 0; i < formals.size(); ++i) {
    if (!is_of_kind(arguments[i], terms.sorts()[terms.sort(formals[i])])) return false;
  }
  return true;
}

}  // namespace

Value Evaluator::open(Op op, ir::SortId sort, std::span<const Value> arguments,
                      std::string_view reason) {
  // A model may say it for several sorts: (seq.nth s i) of integers and of reals.
  const auto said = std::find_if(
      model_.operators.begin(), model_.operators.end(), [&](const ir::OperatorDefinition& d) {
        return d.op == op && defines(terms_, d.definition, sort, arguments);
      });
  if (said == model_.operators.end()) return any_or_unknown(sort, reason);
  const auto& formals = said->definition.formals;
  const size_t bound = bindings_.size();
  for (size_t i = 0; i < formals.size(); ++i) bind(formals[i], arguments[i]);
  const Value value = run(said->definition.body);
  unbind(bound);
  return value;
}

// A value that the standard leaves open, in a way that makes one function of all such values.
Value Evaluator::any_or_unknown(ir::SortId sort, std::string_view what) {
  if (!settings_.complete) {
    return values_.unknown(fmt::format("{}: the standard leaves its value open", what));
  }
  if (std::find(chosen_.begin(), chosen_.end(), what) == chosen_.end()) chosen_.emplace_back(what);
  return domains_.any(sort);
}

// --- Calls. ---

Evaluator::FunctionEntry& Evaluator::entry(ir::FunId fun) {
  if (functions_.size() <= fun.value) functions_.resize(terms_.fun_count());
  return functions_[fun.value];
}

void Evaluator::step_call(Frame& frame) {
  const ir::FunId fun = terms_.callee(frame.term);
  const ir::FunDecl& decl = terms_.fun(fun);
  if (frame.stage == Stage::kBody) {
    if (decl.param_count == 0) entry(fun).constant = Known::kNot;
    return finish_body(frame);
  }
  if (!evaluate_all_arguments(frame)) return;
  const auto arguments = std::span<const Value>(operands_).subspan(frame.operands);
  if (const Value* open = first_unknown(frame)) return finish(call_with_unknown(fun, *open));
  if (decl.kind == FunKind::kConstructor) {
    if (has_expressions(frame)) {
      return finish(values_.unknown("a field without exact value"));
    }
    return finish(values_.data(fun, arguments));
  }
  if (decl.kind == FunKind::kSelector) {
    return finish(field_of(fun, arguments[0], terms_.sort(frame.term)));
  }
  if (decl.body.valid()) return call_definition(frame, terms_.formals(fun), decl.body);
  const ir::Definition* definition = entry(fun).definition;
  if (definition == nullptr) return finish(complete(fun, terms_.sort(frame.term)));
  if (decl.param_count > 0) {
    const Value table = table_of(fun);
    if (table.known()) {
      Frame& current = frames_.back();  // making the table may have moved it
      return apply_in(current, table, arguments);
    }
  }
  call_definition(frames_.back(), definition->formals, definition->body);
}

// A function that is the same everywhere does not need to know its arguments.
Value Evaluator::call_with_unknown(ir::FunId fun, const Value& open) {
  const Value unknown = open;
  if (entry(fun).definition == nullptr) return unknown;
  const Value table = table_of(fun);
  if (!table.known()) return unknown;
  if (table.kind == ValueKind::kSet) {
    const size_t listed = values_.items(table).size();
    if (listed == 0) return boolean(ValueStore::is_complement(table));
    return domains_.size(terms_.params(fun)[0]).is(listed) ? boolean(true) : unknown;
  }
  const Function& function = values_.function(table);
  return function.entries == 0 && !function.lambda.valid() ? function.otherwise : unknown;
}

void Evaluator::call_definition(Frame& frame, std::span<const TermId> formals, TermId body) {
  const ir::FunId fun = terms_.callee(frame.term);
  FunctionEntry& function = entry(fun);
  if (formals.empty()) {
    if (function.constant == Known::kBusy) {
      return finish(values_.unknown(
          fmt::format("{} is defined by itself", terms_.symbols().text(terms_.fun(fun).name))));
    }
    function.constant = Known::kBusy;
  }
  const auto arguments = std::span<const Value>(operands_).subspan(frame.operands);
  start_body(frame, formals, arguments, body);
}

Value Evaluator::field_of(ir::FunId selector, const Value& data, ir::SortId sort) {
  const ir::FunDecl& decl = terms_.fun(selector);
  const ir::FunDecl& made_by = terms_.fun(ValueStore::constructor(data));
  if (made_by.constructor == decl.constructor) return values_.items(data)[decl.field];
  return any_or_unknown(
      sort, fmt::format("{} of a value of another constructor", terms_.symbols().text(decl.name)));
}

// The model says nothing of the function, so that any value will do, the same for all arguments.
// One that is polymorphic has a value of each sort.
Value Evaluator::complete(ir::FunId fun, ir::SortId sort) {
  const bool is_new = entry(fun).constant != Known::kYes;
  if (is_new) completed_.push_back(fun);
  if (is_new || terms_.fun(fun).polymorphic) {
    const std::string_view name = terms_.symbols().text(terms_.fun(fun).name);
    const Value value = settings_.complete
                            ? domains_.any(sort)
                            : values_.unknown(fmt::format("the model says nothing of {}", name));
    entry(fun).constant = Known::kYes;
    entry(fun).value = value;
  }
  return entry(fun).value;
}

// The cases are tried in order; one with a variable for a pattern always fits.
void Evaluator::step_match(Frame& frame) {
  if (frame.stage == Stage::kBody) return finish_body(frame);
  const auto args = terms_.args(frame.term);
  if (frame.next == 0) {
    frame.next = 1;
    if (!want(args[0])) return;
  }
  const Value scrutinee = operands_[frame.operands];
  if (!scrutinee.known()) return finish(scrutinee);
  for (const TermId branch : args.subspan(1)) {
    const auto variables = terms_.bound_variables(branch);
    const ir::FunId constructor{terms_.payload(branch)};
    const TermId body = terms_.args(branch).back();
    if (!constructor.valid()) {
      const std::span<const Value> whole(&scrutinee, variables.size());
      return start_body(frame, variables, whole, body);
    }
    if (constructor == ValueStore::constructor(scrutinee)) {
      return start_body(frame, variables, values_.items(scrutinee), body);
    }
  }
  finish(values_.unknown("no case of the match fits"));
}

// (choice ((x S)) (= x t)) is t; other conditions may leave a choice.
void Evaluator::step_choice(Frame& frame) {
  if (frame.stage == Stage::kBody) return finish_body(frame);
  const TermId variable = terms_.args(frame.term)[0];
  const TermId body = terms_.args(frame.term).back();
  if (terms_.op(body) == Op::kEq && terms_.args(body).size() == 2) {
    const auto sides = terms_.args(body);
    for (const size_t i : {0, 1}) {
      if (sides[i] != variable || free_.is_free(variable, sides[1 - i])) continue;
      return start_body(frame, {}, {}, sides[1 - i]);
    }
  }
  finish(values_.unknown("a choice need not have one value only"));
}

}  // namespace elenchus::eval
