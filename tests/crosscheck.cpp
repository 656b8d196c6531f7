// What the evaluator makes of ground terms, for tools/crosscheck to compare with solvers. For every
// operator that is evaluated it prints lines
//
//   OPERATOR <tab> SOLVERS <tab> TERM <tab> VALUE
//
// where SOLVERS are those that read all operators of the line. A line `#prelude` says what to
// declare before, a line `#op` closes an operator: how many lines, how many values were unknown,
// and why. Operators are called by their enumerators in ops.def.
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/rng.h"
#include "eval/evaluator.h"
#include "eval/rules.h"
#include "eval/value_term.h"
#include "ground_terms.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"
#include "spelled_out.h"

namespace elenchus {
namespace {

using ir::Op;
using ir::SortKind;
using ir::TermId;

constexpr const char* kEnumerators[] = {
#define ELENCHUS_OP(enumerator, theory, who, signatures) #enumerator,
#include "ir/ops.def"
};

// The operators that the evaluator knows without a rule in its table.
constexpr std::array<Op, 9> kKnownItself = {Op::kAnd,   Op::kOr,      Op::kImplies,
                                            Op::kIte,   Op::kEq,      Op::kSelect,
                                            Op::kStore, Op::kAsArray, Op::kHoApply};

bool is_evaluated(Op op) {
  const bool itself = std::find(kKnownItself.begin(), kKnownItself.end(), op) != kKnownItself.end();
  return itself || eval::rule_of(op).rule != nullptr;
}

// The parser reads (_ char c) as a string literal; no term has the operator.
bool has_terms(Op op) { return op != Op::kStrChar; }

std::string name_of(Op op) {
  return kEnumerators[static_cast<size_t>(op) - static_cast<size_t>(Op::kTrue)];
}

// Longer lines say no more, and take solvers long to read.
constexpr size_t kMaxLine = 3000;

class Crosscheck {
 public:
  Crosscheck(uint64_t rng, uint64_t count) : rng_(rng), ground_(store_, rng_), count_(count) {
    const auto script = smtlib::parse_script(store_, RandomValues::kPrelude);
    ELENCHUS_CHECK(script.has_value(), "the prelude does not parse");
    fmt::print("#prelude\t{}\n", RandomValues::kPrelude);
  }

  template <typename Make>
  void random_lines(const std::string& name, Make make) {
    start(name);
    for (uint64_t attempt = 0; attempt < 3 * count_ && lines_ < count_; ++attempt) {
      const ir::TermStore::Mark mark = store_.mark();
      const TermId term = make(ground_);
      if (term.valid()) emit(term, true);
      store_.rollback(mark);
    }
    finish();
  }

  // All applications with indices and arguments from these.
  void exhaustive_lines(Op op, const std::vector<ir::Bindings>& choices);

  // Every way to give the signature's indices such values.
  std::vector<ir::Bindings> small_indices(Op op, uint32_t own_limit, uint32_t width_limit);
  std::vector<ir::Bindings> tiny_formats(Op op);

 private:
  void start(const std::string& name) {
    name_ = name;
    lines_ = 0;
    unknown_.clear();
    seen_.clear();
  }

  void finish() {
    std::string reasons;
    for (const auto& [reason, times] : unknown_) {
      reasons += fmt::format("{}{} x {}", reasons.empty() ? "" : "; ", times, reason);
    }
    fmt::print("#op\t{}\t{}\t{}\n", name_, lines_, reasons);
  }

  // Evaluates the term and writes the line, or several where the value itself cannot be written.
  void emit(TermId term, bool is_random) {
    static const ir::Model kNoModel;
    eval::Evaluator evaluator(store_, kNoModel);
    const eval::Value value = evaluator.evaluate(term);
    if (!value.known()) {
      ++unknown_[evaluator.values().reason(value)];
      return;
    }
    if (const TermId question = question_about(term, evaluator, value); question.valid()) {
      if (question != term) emit(question, is_random);
      return;
    }
    const TermId result = eval::term_of(store_, evaluator.values(), value, store_.sort(term));
    if (!result.valid()) {
      ++unknown_["no term denotes the value"];
      return;
    }
    // Where a solver does not read the operator, or not rightly, it gets what the operator means.
    const TermId claim = SpelledOut(store_, ground_.values()).claim(term, result);
    if (claim.valid()) write(claim, ground_.values().boolean(true), is_random);
    if (claim.valid() && readers(term, result).empty()) return;
    write(term, result, is_random);
  }

  // A term that asks for a part of the value, where no term denotes the whole.
  TermId question_about(TermId term, eval::Evaluator& evaluator, const eval::Value& value) {
    RandomValues& values = ground_.values();
    if (value.kind == eval::ValueKind::kRegex) {
      return values.apply(Op::kStrInRe, {values.string(), term});
    }
    const SortKind kind = store_.sorts().kind(store_.sort(term));
    const bool is_array = kind == SortKind::kArray;
    // Tables of Booleans are sets.
    const bool is_lambda = value.kind == eval::ValueKind::kFunction &&
                           evaluator.values().function(value).lambda.valid();
    if (kind == SortKind::kFunction || (is_array && is_lambda)) {
      const auto view = store_.sorts().children(store_.sort(term));
      const std::vector<ir::SortId> sorts(view.begin(), view.end() - 1);
      std::vector<TermId> args = {term};
      for (const TermId argument : values.values(sorts, 0)) args.push_back(argument);
      return values.apply(is_array ? Op::kSelect : Op::kHoApply, std::move(args));
    }
    if (kind == SortKind::kReal && !evaluator.values().is_rational(value) && rng_.one_in(2)) {
      return values.apply(Op::kLe, {term, near(evaluator.values().exact_real(value))});
    }
    return {};
  }

  // A rational number just below or above.
  TermId near(const num::Real& number) {
    constexpr uint32_t kDigits = 12;
    std::string digits = number.decimal(kDigits);
    std::erase(digits, '.');
    mpz_class scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, kDigits);
    mpq_class below(mpz_class(digits, 10) + static_cast<long>(rng_.between(-1, 2)), scale);
    below.canonicalize();
    return ground_.values().rational(below);
  }

  void write(TermId term, TermId value, bool is_random) {
    std::string line = text_of(term) + '\t' + text_of(value);
    if (line.size() > kMaxLine) {
      ++unknown_["too long to ask"];
      return;
    }
    if (is_random && !seen_.insert(line).second) return;
    ++lines_;
    fmt::print("{}\t{}\t{}\n", name_, readers(term, value), line);
  }

  std::string text_of(TermId term) const {
    smtlib::PrintOptions options;
    options.let_size = 60;
    const auto text = smtlib::print_term(store_, term, options);
    ELENCHUS_CHECK(text.has_value(), "a term that cannot be printed");
    return *text;
  }

  // The solvers that read every operator below the two terms, by the marks of the table.
  std::string readers(TermId term, TermId value) {
    bool z3 = true;
    bool cvc5 = true;
    ir::Walker walker(store_);
    for (const TermId root : {term, value}) {
      walker.walk(root, [&](TermId part) {
        const Op op = store_.op(part);
        if (op == Op::kAlgebraicLiteral) cvc5 = false;
        if (op == Op::kFieldLiteral || op == Op::kLambda) z3 = false;
        if (op < Op::kTrue) return;
        z3 = z3 && (store_.ops().info(op).who & ir::kZ3Reader) != 0;
        cvc5 = cvc5 && (store_.ops().info(op).who & ir::kCvc5Reader) != 0;
      });
    }
    return std::string(z3 ? "z3" : "") + (z3 && cvc5 ? "," : "") + (cvc5 ? "cvc5" : "");
  }

  const std::vector<TermId>& domain(ir::SortId sort);
  std::vector<TermId> list_domain(ir::SortId sort);
  void all_applications(Op op, const ir::Signature& signature, const ir::Bindings& bindings);

  ir::TermStore store_;
  base::Rng rng_;
  GroundTerms ground_;
  uint64_t count_;
  std::map<uint32_t, std::vector<TermId>> domains_;  // by sort

  std::string name_;
  uint64_t lines_ = 0;
  std::map<std::string, uint64_t> unknown_;
  std::unordered_set<std::string> seen_;
};

// --- Exhaustive. ---

std::vector<TermId> Crosscheck::list_domain(ir::SortId sort) {
  RandomValues& values = ground_.values();
  const ir::SortNode node = store_.sorts()[sort];
  std::vector<TermId> all;
  switch (node.kind) {
    case SortKind::kBool: all = {values.boolean(false), values.boolean(true)}; break;
    case SortKind::kRoundingMode:
      for (uint32_t i = 0; i < 5; ++i) all.push_back(values.mode(i));
      break;
    case SortKind::kBitVec:
      for (uint32_t i = 0; i < 1U << node.a; ++i) all.push_back(values.bits(i, node.a));
      break;
    case SortKind::kFloatingPoint: {
      const num::FloatFormat format{node.a, node.b};
      all.push_back(values.apply(Op::kFpNan, {}, {node.a, node.b}));
      for (uint32_t i = 0; i < 1U << (node.a + node.b); ++i) {
        if (!num::Float::from_bits(format, i).is_nan())
          all.push_back(values.float_of_bits(format, i));
      }
      break;
    }
    case SortKind::kInt:
      for (int i = -20; i <= 20; ++i) all.push_back(values.integer(i));
      break;
    case SortKind::kReal:
      for (int i = -20 * 64; i <= 20 * 64; ++i) {
        mpq_class number(i, 64);
        number.canonicalize();
        all.push_back(values.rational(number));
      }
      break;
    default: break;
  }
  return all;
}

const std::vector<TermId>& Crosscheck::domain(ir::SortId sort) {
  auto [at, is_new] = domains_.try_emplace(sort.value);
  if (is_new) at->second = list_domain(sort);
  return at->second;
}

void Crosscheck::all_applications(Op op, const ir::Signature& signature,
                                  const ir::Bindings& bindings) {
  std::vector<const std::vector<TermId>*> choices;
  for (const uint32_t pattern : signature.params) {
    const ir::SortId sort = ir::instantiate(store_.sorts(), signature, pattern, bindings);
    if (!sort.valid()) return;
    choices.push_back(&domain(sort));
    if (choices.back()->empty()) return;
  }
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < signature.own_indices; ++i) {
    indices.push_back(static_cast<uint32_t>(bindings.indices[i]));
  }
  std::vector<size_t> at(choices.size(), 0);
  for (;;) {
    const ir::TermStore::Mark mark = store_.mark();
    std::vector<TermId> args;
    for (size_t i = 0; i < at.size(); ++i) args.push_back((*choices[i])[at[i]]);
    const TermId term = ground_.values().apply(op, std::move(args), indices);
    if (term.valid()) emit(term, false);
    store_.rollback(mark);
    size_t digit = 0;
    while (digit < at.size() && ++at[digit] == choices[digit]->size()) at[digit++] = 0;
    if (digit == at.size()) return;
  }
}

void Crosscheck::exhaustive_lines(Op op, const std::vector<ir::Bindings>& choices) {
  start(name_of(op));
  for (const ir::Signature& signature : store_.ops().info(op).signatures) {
    for (const ir::Bindings& bindings : choices) all_applications(op, signature, bindings);
  }
  finish();
}

// Own indices from 0, widths from 1; both ends included.
std::vector<ir::Bindings> Crosscheck::small_indices(Op op, uint32_t own_limit,
                                                    uint32_t width_limit) {
  const ir::Signature& signature = store_.ops().info(op).signatures[0];
  std::vector<ir::Bindings> found = {ir::Bindings{}};
  for (size_t i = 0; i < signature.index_names.size(); ++i) {
    const bool is_width = i >= signature.own_indices || signature.index_names[i] == "m";
    std::vector<ir::Bindings> longer;
    for (ir::Bindings bindings : found) {
      bindings.index_bound[i] = true;
      for (uint32_t k = is_width ? 1 : 0; k <= (is_width ? width_limit : own_limit); ++k) {
        bindings.indices[i] = k;
        longer.push_back(bindings);
      }
    }
    found = std::move(longer);
  }
  std::erase_if(found, [&](const ir::Bindings& b) { return !ir::conditions_hold(signature, b); });
  return found;
}

// The format (3, 4), for conversions from and to some others, and widths up to 6.
std::vector<ir::Bindings> Crosscheck::tiny_formats(Op op) {
  constexpr std::array<num::FloatFormat, 4> kOthers = {{{3, 4}, {3, 5}, {4, 6}, {5, 11}}};
  const ir::Signature& signature = store_.ops().info(op).signatures[0];
  std::vector<ir::Bindings> found;
  for (const num::FloatFormat other : kOthers) {
    for (uint32_t width = 1; width <= 7; ++width) {
      ir::Bindings bindings;
      for (size_t i = 0; i < signature.index_names.size(); ++i) {
        const std::string& name = signature.index_names[i];
        const bool converts = op == Op::kFpFromFp;
        uint32_t index = width;
        if (name == "e") index = converts ? other.exponent : 3;
        if (name == "s") index = converts ? other.significand : 4;
        if (name == "i") index = 3;
        if (name == "j") index = 4;
        if (name == "n") index = 3;
        if (op == Op::kFpFromParts && name == "m") index = 3;
        bindings.index_bound[i] = true;
        bindings.indices[i] = index;
      }
      const auto same = [&](const ir::Bindings& b) {
        return std::equal(std::begin(b.indices), std::end(b.indices), std::begin(bindings.indices));
      };
      const bool is_new = std::none_of(found.begin(), found.end(), same);
      if (is_new && ir::conditions_hold(signature, bindings)) found.push_back(bindings);
    }
  }
  return found;
}

// --- The program. ---

struct Options {
  uint64_t count = 2000;
  uint64_t rng = 1;
  std::vector<std::string> ops;
  bool exhaustive_bv = false;
  bool exhaustive_fp = false;
  bool without_fma = false;
};

bool is_wanted(const Options& options, const std::string& name) {
  return options.ops.empty() ||
         std::find(options.ops.begin(), options.ops.end(), name) != options.ops.end();
}

// An operator's lines depend on its name and the seed only: --op repeats what a whole run does.
uint64_t seed_of(const Options& options, const std::string& name) {
  uint64_t seed = options.rng;
  for (const char c : name) seed = seed * 1'000'003 + static_cast<unsigned char>(c);
  return seed;
}

void run_random(const Options& options) {
  using Make = TermId (*)(GroundTerms&);
  constexpr std::pair<const char*, Make> kStructural[] = {
      {"constructor", [](GroundTerms& ground) { return ground.constructor_call(); }},
      {"selector", [](GroundTerms& ground) { return ground.selector_call(); }},
      {"match", [](GroundTerms& ground) { return ground.match(); }},
      {"forall", [](GroundTerms& ground) { return ground.quantified(Op::kForall); }},
      {"exists", [](GroundTerms& ground) { return ground.quantified(Op::kExists); }},
      {"lambda", [](GroundTerms& ground) { return ground.applied_lambda(); }},
      {"define-fun", [](GroundTerms& ground) { return ground.defined_call(); }},
  };
  for (const auto& [name, make] : kStructural) {
    if (!is_wanted(options, name)) continue;
    Crosscheck(seed_of(options, name), options.count).random_lines(name, make);
  }
  for (auto number = static_cast<uint32_t>(Op::kTrue); number < ir::kOpCount; ++number) {
    const Op op = static_cast<Op>(number);
    const std::string name = name_of(op);
    if (!is_wanted(options, name)) continue;
    if (!is_evaluated(op) || !has_terms(op)) {
      const char* reason = eval::rule_of(op).reason;
      fmt::print("#skip\t{}\t{}\n", name, reason != nullptr ? reason : "no terms have it");
      continue;
    }
    Crosscheck(seed_of(options, name), options.count).random_lines(name, [op](GroundTerms& ground) {
      return ground.application(op);
    });
  }
}

void run_exhaustive(const Options& options, ir::Theory theory) {
  for (auto number = static_cast<uint32_t>(Op::kTrue); number < ir::kOpCount; ++number) {
    const Op op = static_cast<Op>(number);
    const ir::OpInfo& info = ir::OpTable::standard()->info(op);
    const std::string name = name_of(op);
    if (info.theory != theory || !is_evaluated(op) || !is_wanted(options, name)) continue;
    if (options.without_fma && op == Op::kFpFma) continue;
    // Their arguments are no floats: there is nothing to exhaust.
    if (op == Op::kFpFromRealExp || op == Op::kFpFromExpReal) continue;
    constexpr uint32_t kOwnLimit = 5;
    constexpr uint32_t kWidthLimit = 4;
    Crosscheck crosscheck(1, 0);
    crosscheck.exhaustive_lines(op, theory == ir::Theory::kBitVectors
                                        ? crosscheck.small_indices(op, kOwnLimit, kWidthLimit)
                                        : crosscheck.tiny_formats(op));
  }
}

int main_of(int argc, char** argv) {
  CLI::App app("Ground terms and what the evaluator makes of them, for tools/crosscheck");
  Options options;
  app.add_option("--count", options.count, "lines for each operator");
  app.add_option("--rng", options.rng, "seed of the random terms");
  app.add_option("--op", options.ops, "only this operator, by its enumerator in ops.def");
  app.add_flag("--exhaustive-bv", options.exhaustive_bv,
               "bit-vector operators on all values of widths 1 to 4");
  app.add_flag("--exhaustive-fp", options.exhaustive_fp,
               "floating-point operators on all values of the format (3, 4)");
  app.add_flag("--without-fma", options.without_fma, "leave out its 7 million lines");
  CLI11_PARSE(app, argc, argv);
  if (options.exhaustive_bv) run_exhaustive(options, ir::Theory::kBitVectors);
  if (options.exhaustive_fp) run_exhaustive(options, ir::Theory::kFloatingPoint);
  if (!options.exhaustive_bv && !options.exhaustive_fp) run_random(options);
  return 0;
}

}  // namespace
}  // namespace elenchus

int main(int argc, char** argv) { return elenchus::main_of(argc, argv); }
