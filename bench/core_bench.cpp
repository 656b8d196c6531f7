// What the core does all day, one operation at a time: reading, printing, substituting, going back.
// Texts are made here, so that the numbers need no files.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "ir/apply.h"
#include "ir/free_variables.h"
#include "ir/script.h"
#include "ir/substitute.h"
#include "ir/term_store.h"
#include "smtlib/lexer.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace {

using namespace elenchus;

constexpr size_t kTextSize = 1 << 20;

// --- Texts. ---

std::string constant(base::Rng& rng) { return "x" + std::to_string(rng.below(100)); }

std::string arithmetic(base::Rng& rng, int depth) {
  if (depth == 0) return rng.one_in(3) ? std::to_string(rng.below(1000)) : constant(rng);
  constexpr std::string_view kOps[] = {"+", "-", "*", "div"};
  std::string text = "(";
  text += kOps[rng.below(4)];
  for (int i = 0; i < 2; ++i) text += " " + arithmetic(rng, depth - 1);
  return text + ")";
}

std::string bits(base::Rng& rng, int depth) {
  if (depth == 0) return rng.one_in(3) ? "#x0f0f00ff" : constant(rng);
  constexpr std::string_view kOps[] = {"bvadd", "bvand", "bvmul", "bvshl"};
  std::string text = "(";
  text += kOps[rng.below(4)];
  for (int i = 0; i < 2; ++i) text += " " + bits(rng, depth - 1);
  return text + ")";
}

std::string declarations(std::string_view sort) {
  std::string text = "(set-logic ALL)\n";
  for (int i = 0; i < 100; ++i) {
    text += "(declare-const x" + std::to_string(i) + " " + std::string(sort) + ")\n";
  }
  return text;
}

std::string arithmetic_script() {
  base::Rng rng(1);
  std::string text = declarations("Int");
  while (text.size() < kTextSize) {
    text += "(assert (< " + arithmetic(rng, 5) + " " + arithmetic(rng, 5) + "))\n";
  }
  return text;
}

std::string bits_script() {
  base::Rng rng(2);
  std::string text = declarations("(_ BitVec 32)");
  while (text.size() < kTextSize) {
    text += "(assert (bvult " + bits(rng, 4) + " ((_ rotate_left 3) " + bits(rng, 4) + ")))\n";
  }
  return text;
}

// Names of bound variables that clash, and lets that cross the binders.
std::string quantified_script() {
  base::Rng rng(3);
  std::string text = declarations("Int");
  while (text.size() < kTextSize) {
    text += "(assert (forall ((x0 Int) (y Int)) (let ((z (+ x0 " + arithmetic(rng, 2) +
            "))) (=> (< y z) (exists ((y Int)) (and (= y (* z z)) (< " + arithmetic(rng, 3) +
            " y)))))))\n";
  }
  return text;
}

// Each name is used twice: as a tree the terms are exponentially large.
std::string let_script() {
  base::Rng rng(4);
  std::string text = declarations("Int");
  while (text.size() < kTextSize) {
    text += "(assert ";
    std::string below = arithmetic(rng, 3);
    for (int i = 0; i < 20; ++i) {
      const std::string name = "l" + std::to_string(i);
      text += fmt::format("(let (({0} (+ {1} (* 2 {1})))) ", name, below);
      below = name;
    }
    text += "(< 0 " + below + ")" + std::string(20, ')') + ")\n";
  }
  return text;
}

using MakeText = std::string (*)();

ir::Script parse(ir::TermStore& store, std::string_view text) {
  auto script = smtlib::parse_script(store, text);
  ELENCHUS_CHECK(script.has_value(), script.error().message);
  return std::move(*script);
}

// --- Text. ---

void lex(benchmark::State& state, MakeText make) {
  const std::string text = make();
  for (auto _ : state) {
    smtlib::Lexer lexer(text);
    while (lexer.next().kind != smtlib::TokenKind::kEnd) continue;
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

// Into one store that is rolled back, as a worker does it.
void parse_text(benchmark::State& state, MakeText make) {
  const std::string text = make();
  ir::TermStore store;
  const auto start = store.mark();
  for (auto _ : state) {
    benchmark::DoNotOptimize(parse(store, text));
    store.rollback(start);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void print_text(benchmark::State& state, MakeText make) {
  ir::TermStore store;
  const ir::Script script = parse(store, make());
  size_t bytes = 0;
  for (auto _ : state) {
    const auto text = smtlib::print_script(store, script);
    ELENCHUS_CHECK(text.has_value(), "prints");
    bytes += text->size();
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}

BENCHMARK_CAPTURE(lex, arithmetic, arithmetic_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_text, arithmetic, arithmetic_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_text, bits, bits_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_text, quantified, quantified_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_text, lets, let_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(print_text, arithmetic, arithmetic_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(print_text, bits, bits_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(print_text, quantified, quantified_script)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(print_text, lets, let_script)->Unit(benchmark::kMillisecond);

// The way of a small script, such as a seed: read, print, go back.
void small_script(benchmark::State& state) {
  base::Rng rng(5);
  std::string text = "(set-logic QF_LIA)\n";
  for (int i = 0; i < 100; ++i) text += "(declare-const x" + std::to_string(i) + " Int)\n";
  for (int i = 0; i < 5; ++i) text += "(assert (< 0 " + arithmetic(rng, 4) + "))\n";
  ir::TermStore store;
  const auto start = store.mark();
  for (auto _ : state) {
    const ir::Script script = parse(store, text);
    benchmark::DoNotOptimize(smtlib::print_script(store, script));
    store.rollback(start);
  }
}
BENCHMARK(small_script)->Unit(benchmark::kMicrosecond);

// --- Terms. ---

// One conjunction of all assertions.
ir::TermId conjunction(ir::TermStore& store, const ir::Script& script) {
  std::vector<ir::TermId> parts;
  for (const ir::Command& command : script.commands) {
    if (command.kind == ir::CommandKind::kAssert) parts.push_back(command.term);
  }
  return ir::apply(store, ir::Op::kAnd, parts);
}

// The constant x0, which about one leaf in a hundred is, becomes another one.
void substitute_constant(benchmark::State& state, MakeText make) {
  ir::TermStore store;
  const ir::Script script = parse(store, make());
  const ir::TermId root = conjunction(store, script);
  const uint32_t terms = store.term_count();
  std::vector<ir::TermId> constants;
  for (const ir::Command& command : script.commands) {
    if (command.kind != ir::CommandKind::kDeclareConst) continue;
    constants.push_back(store.fun(ir::FunId{script.items(command)[0]}).constant);
  }
  ir::FreeVariables free(store);
  const auto start = store.mark();
  for (auto _ : state) {
    benchmark::DoNotOptimize(ir::substitute(store, free, root, {{constants[1], constants[2]}}));
    store.rollback(start);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * terms));
}
BENCHMARK_CAPTURE(substitute_constant, arithmetic, arithmetic_script)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(substitute_constant, quantified, quantified_script)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(substitute_constant, lets, let_script)->Unit(benchmark::kMillisecond);

// Terms that are made and dropped again.
void make_and_roll_back(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  ir::TermStore store;
  const ir::Script script = parse(store, "(declare-const p Bool)");
  const ir::TermId leaf = store.fun(ir::FunId{script.items(script.commands[0])[0]}).constant;
  const auto start = store.mark();
  for (auto _ : state) {
    ir::TermId term = leaf;
    for (uint32_t i = 0; i < count; ++i) {
      const ir::TermId args[] = {term};
      term = ir::apply(store, ir::Op::kNot, args);
    }
    benchmark::DoNotOptimize(term);
    store.rollback(start);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * count);
}
BENCHMARK(make_and_roll_back)->Arg(10)->Arg(1000)->Arg(100'000);

}  // namespace
