#include "oracle/term_values.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "eval/value_term.h"
#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/script_parts.h"
#include "ir/timeline.h"
#include "ir/walk.h"
#include "oracle/explanation.h"
#include "oracle/variants.h"
#include "smtlib/printer.h"

namespace elenchus::oracle {

using ir::Op;
using ir::TermId;

namespace {

// A term that is larger when it is written out is not worth a question.
constexpr size_t kMostText = 20'000;
constexpr size_t kExplanationSteps = 16;

bool is_leaf(const ir::TermStore& store, TermId term) { return store.args(term).empty(); }

// Some of the sort's values, small ones first.
std::vector<TermId> some_values(ir::TermStore& store, eval::Evaluator& evaluator, ir::SortId sort) {
  constexpr size_t kMost = 24;
  std::vector<TermId> terms;
  const auto size = evaluator.domains().cardinality(sort);
  const bool is_small = size && *size <= kMost;
  const auto values = is_small ? evaluator.domains().all(sort) : evaluator.domains().samples(sort);
  for (const eval::Value& value : std::vector<eval::Value>(values.begin(), values.end())) {
    if (terms.size() == kMost) break;
    const TermId term = eval::term_of(store, evaluator.values(), value, sort);
    if (term.valid()) terms.push_back(term);
  }
  return terms;
}

}  // namespace

TermValues::TermValues(const ir::TermStore& store, std::span<const ir::Model> models,
                       uint64_t steps)
    : store_(store), steps_(steps) {
  for (const ir::Model& model : models) {
    evaluators_.push_back(std::make_unique<eval::Evaluator>(store, model));
  }
}

std::optional<bool> TermValues::differ(eval::Evaluator& evaluator, TermId one, TermId other) {
  const eval::Value a = evaluator.evaluate(one, steps_);
  if (!a.known()) return {};
  const eval::Value b = evaluator.evaluate(other, steps_);
  if (!b.known()) return {};
  ++compared_;
  if (a == b) return false;
  const eval::Value same = evaluator.equal(a, b);
  if (!same.known()) return {};
  return same.is_false();
}

std::optional<size_t> TermValues::difference(TermId one, TermId other) {
  if (one == other) return {};
  for (size_t i = 0; i < evaluators_.size(); ++i) {
    if (differ(*evaluators_[i], one, other).value_or(false)) return i;
  }
  return {};
}

std::vector<ir::Model> sample_assignments(ir::TermStore& store, const ir::Script& script,
                                          size_t count, base::Rng& rng) {
  const ir::Model nothing;
  eval::Evaluator evaluator(store, nothing, {.complete = true});
  std::vector<ir::Model> models(count);
  for (const ir::Command& command : script.commands) {
    if (!ir::declares_open_function(command.kind)) continue;
    const ir::FunId fun{script.items(command)[0]};
    if (!store.fun(fun).constant.valid()) continue;
    const ir::SortId sort = store.fun(fun).result;
    if (store.sorts().kind(sort) == ir::SortKind::kUninterpreted) continue;
    const std::vector<TermId> values = some_values(store, evaluator, sort);
    if (values.empty()) continue;
    // Half of the assignments draw from the first few, so that several constants are equal.
    for (size_t i = 0; i < count; ++i) {
      const size_t most = i % 2 == 0 ? std::min<size_t>(values.size(), 2) : values.size();
      models[i].functions.push_back({fun, {{}, values[rng.below(most)]}});
    }
  }
  return models;
}

std::vector<TermId> askable_subterms(const ir::TermStore& store, std::span<const TermId> roots,
                                     size_t most) {
  ir::Walker walker(store);
  ir::FreeVariables free(store);
  std::vector<TermId> terms;
  const auto add = [&](TermId term) {
    const bool is_odd = store.has(term, ir::kHasNamed) || store.has(term, ir::kHasUnknown) ||
                        store.op(term) == Op::kAnnotated || store.op(term) == Op::kMatchCase;
    if (is_leaf(store, term) || is_odd) return;
    if (store.has(term, ir::kHasVariables) && !free.of(term).empty()) return;
    terms.push_back(term);
  };
  for (const TermId root : roots) walker.walk(root, add);
  if (free.exhausted()) return {};
  std::sort(terms.begin(), terms.end(), [](TermId a, TermId b) { return a.value < b.value; });
  if (terms.size() > most) terms.resize(most);
  return terms;
}

TermId of_same_sort(ir::TermStore& store, TermId asked, TermId reply) {
  const ir::SortId sort = store.sort(asked);
  if (store.sort(reply) == sort) return reply;
  const bool is_number = sort == ir::kRealSort && store.sort(reply) == ir::kIntSort;
  return is_number ? ir::coerce(store, reply, sort) : TermId{};
}

std::string question_about(const ir::TermStore& store, std::string_view form, TermId term) {
  const auto text = smtlib::print_term(store, term);
  const size_t place = form.find("{}");
  if (!text || text->size() > kMostText || place == std::string_view::npos) return {};
  if (text->find('\n') != std::string::npos) return {};
  return fmt::format("{}{}{}", form.substr(0, place), *text, form.substr(place + 2));
}

TermId claim_of(ir::TermStore& store, eval::Evaluator& evaluator, TermId term) {
  const eval::Value value = evaluator.evaluate(term);
  if (!value.known()) return {};
  if (value.is_true()) return term;
  if (value.is_false()) return ir::apply(store, Op::kNot, std::array{term});
  const TermId written = eval::term_of(store, evaluator.values(), value, store.sort(term));
  if (!written.valid()) return {};
  return ir::apply(store, Op::kEq, std::array{term, written});
}

ir::Script with_claims(const ir::Script& flat, std::span<const TermId> claims) {
  return with_assertions(with_only(flat, {}), claims);
}

std::optional<ir::Script> stated_alone(ir::TermStore& store, const ir::Script& script,
                                       const Finding& finding) {
  const auto checks = ir::checks_of(script);
  if (checks.empty() || !finding.asked.valid() || !finding.model) return {};
  const auto flat = flattened(store, script, checks.back());
  if (!flat) return {};
  eval::Evaluator evaluator(store, *finding.model);
  const TermId claim = claim_of(store, evaluator, finding.asked);
  if (!claim.valid()) return {};
  return with_claims(*flat, std::array{claim});
}

std::string explained(ir::TermStore& store, TermId term, const ir::Model& model) {
  std::string text;
  for (const ExplainedStep& step : explain_term(store, term, model, kExplanationSteps)) {
    text += (text.empty() ? "" : "\n") + text_of(step);
  }
  if (!text.empty()) return text;
  // A literal has no steps: it is its value.
  const auto literal = smtlib::print_term(store, term);
  return literal ? *literal : text;
}

}  // namespace elenchus::oracle
