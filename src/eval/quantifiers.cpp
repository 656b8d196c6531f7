// Quantifiers: by enumeration where the variables have few values, else by trying some.
#include <algorithm>

#include "eval/evaluator.h"

namespace elenchus::eval {

using ir::Op;
using ir::TermId;

void Evaluator::step_quantifier(Frame& frame) {
  const TermId quantifier = frame.term;  // `frame` may move below
  const bool is_forall = terms_.op(quantifier) == Op::kForall;
  const TermId body = terms_.args(quantifier).back();
  if (frame.stage == Stage::kArguments) {
    const Value early = value_for_all(quantifier);
    if (early.known()) return finish(early);
    Search search = start_search(quantifier);  // may run evaluations: `frame` may move
    const bool is_empty = std::any_of(search.choices.begin(), search.choices.end(),
                                      [](const auto& values) { return values.empty(); });
    Frame& current = frames_.back();
    current.stage = Stage::kBody;
    searches_.push_back(std::move(search));
    if (is_empty) {
      const bool exhaustive = searches_.back().is_exhaustive;
      return end_search(exhaustive
                            ? boolean(is_forall)
                            : values_.unknown("a quantifier over a sort without known values"));
    }
    bind_choice(quantifier, searches_.back());
    if (!want(body)) return;
  }
  for (;;) {
    const Value last = operands_.back();
    operands_.pop_back();
    unbind(frames_.back().bound);
    if (last.known() && last.is_true() != is_forall) {
      remember_choice(quantifier, searches_.back());
      return end_search(last);
    }
    Search& search = searches_.back();
    if (!last.known() && !search.met_open) {
      search.met_open = true;
      search.open = last;
    }
    if (!advance(search)) break;
    if (!pay(1)) return;  // the machine ends the run
    bind_choice(quantifier, search);
    if (!want(body)) return;
  }
  const Search& search = searches_.back();
  if (search.met_open) return end_search(search.open);
  if (search.is_exhaustive) return end_search(boolean(is_forall));
  end_search(values_.unknown("a quantifier over a domain that cannot be enumerated"));
}

// The body's value when nothing is known of the variables: if there is one, it does not depend on
// them.
Value Evaluator::value_for_all(TermId quantifier) {
  const Value open = values_.unknown("a variable without a value");
  // Searches inside, in vain where they depend on the variables, would cost too much.
  if (terms_.has(terms_.args(quantifier).back(), ir::kHasBinders)) return open;
  const size_t bound = bindings_.size();
  for (const TermId variable : terms_.bound_variables(quantifier)) {
    // A sort without values would make the quantifier true or false by itself.
    if (!domains_.any(terms_.sort(variable)).known()) return open;
  }
  for (const TermId variable : terms_.bound_variables(quantifier)) bind(variable, open);
  const Value value = run(terms_.args(quantifier).back());
  unbind(bound);
  return value;
}

void Evaluator::remember_choice(TermId quantifier, const Search& search) {
  std::vector<Value>& values = deciding_[quantifier.value];
  values.clear();
  for (size_t i = 0; i < search.at.size(); ++i) values.push_back(search.choices[i][search.at[i]]);
}

std::span<const Value> Evaluator::deciding_values(TermId quantifier) const {
  const auto found = deciding_.find(quantifier.value);
  if (found == deciding_.end()) return {};
  return found->second;
}

void Evaluator::end_search(const Value& value) {
  searches_.pop_back();
  finish(value);
}

Evaluator::Search Evaluator::start_search(TermId quantifier) {
  Search search;
  const auto variables = terms_.bound_variables(quantifier);
  search.at.assign(variables.size(), 0);
  for (const TermId variable : variables) {
    Choices choices = choices_for(quantifier, variable);
    search.is_exhaustive &= choices.is_exhaustive;
    if (choices.is_cut && !choices.is_exhaustive) {
      search.met_open = true;
      search.open = values_.unknown(kTooManySteps);
    }
    pay(50 + choices.values.size() / 8);
    search.choices.push_back(std::move(choices.values));
  }
  return search;
}

// To the next assignment; false after the last.
bool Evaluator::advance(Search& search) {
  for (size_t i = 0; i < search.at.size(); ++i) {
    if (++search.at[i] < search.choices[i].size()) return true;
    search.at[i] = 0;
  }
  return false;
}

void Evaluator::bind_choice(TermId quantifier, const Search& search) {
  const auto variables = terms_.bound_variables(quantifier);
  for (size_t i = 0; i < variables.size(); ++i) {
    bind(variables[i], search.choices[i][search.at[i]]);
  }
}

}  // namespace elenchus::eval
