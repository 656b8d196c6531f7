#include "reduce/size.h"

#include <algorithm>

#include "ir/apply.h"
#include "ir/script_parts.h"
#include "num/literal.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::Op;
using ir::SortKind;
using ir::TermId;

// Larger numbers are compared by their length only.
constexpr uint64_t kLargeNumber = uint64_t{1} << 40;

uint64_t magnitude(std::string_view digits) {
  uint64_t value = 0;
  uint64_t length = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') continue;
    ++length;
    if (value < kLargeNumber) value = 10 * value + static_cast<uint64_t>(c - '0');
  }
  return value < kLargeNumber ? value : kLargeNumber + length;
}

uint64_t ones(std::string_view literal) {
  uint64_t count = 0;
  for (const char c : literal.substr(2)) {
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    count += static_cast<uint64_t>(__builtin_popcount(static_cast<unsigned>(digit)));
  }
  return count;
}

uint64_t command_weight(const Command& command) {
  switch (command.kind) {
    case CommandKind::kCheckSatAssuming: return 2 + 2 * uint64_t{command.item_count};
    case CommandKind::kGetValue: return 1 + uint64_t{command.item_count};
    case CommandKind::kPush:
    case CommandKind::kPop: return std::max(command.number, 1U);
    default: return 1;
  }
}

// The formats of the standard count for less than any other, however small: cvc5 takes others only
// with an option that it calls experimental, and some take but the two most usual ones.
uint64_t float_weight(uint64_t exponent, uint64_t significand) {
  constexpr uint64_t kLessUsual = 1'000;
  constexpr uint64_t kOdd = 1'000'000;
  const uint64_t bits = exponent + significand;
  const auto is = [&](uint64_t e, uint64_t s) { return exponent == e && significand == s; };
  if (is(8, 24) || is(11, 53)) return bits;
  return bits + (is(5, 11) || is(15, 113) ? kLessUsual : kOdd);
}

}  // namespace

uint64_t Sizes::width(ir::SortId sort) const {
  const ir::SortNode& node = store_.sorts()[sort];
  if (node.kind == SortKind::kBitVec) return node.a;
  if (node.kind == SortKind::kFloatingPoint) return float_weight(node.a, node.b);
  uint64_t sum = 0;
  for (const ir::SortId child : store_.sorts().children(sort)) sum += width(child);
  return sum;
}

uint64_t Sizes::literal_weight(TermId term) const {
  switch (store_.op(term)) {
    case Op::kIntLiteral:
    case Op::kRealLiteral: return magnitude(store_.literal_text(term));
    case Op::kBitsLiteral: return ones(store_.literal_text(term));
    case Op::kStringLiteral: return num::decode_string(store_.literal_text(term)).size();
    default: break;
  }
  if (store_.op(term) <= Op::kUnknownText || store_.payload(term) == 0) return 0;
  if (has_function_indices(store_, term)) return 0;
  uint64_t sum = 0;
  for (const uint32_t index : store_.indices(term)) sum += index;
  return sum;
}

Sizes::Root Sizes::measure(TermId root) {
  if (nodes_.size() < store_.term_count()) nodes_.resize(store_.term_count());
  Root result;
  std::vector<TermId> order;
  std::vector<TermId> roots = {root};  // and what names in it stand for
  walker_.restart();
  for (size_t i = 0; i < roots.size(); ++i) {
    const TermId next = roots[i];
    walker_.walk(next, [&](TermId term) {
      order.push_back(term);
      for (const TermId arg : store_.args(term)) ++nodes_[arg.value].uses;
      if (is_named_call(store_, term)) roots.push_back(store_.fun(store_.callee(term)).body);
    });
  }
  for (const TermId term : order) {
    Node& node = nodes_[term.value];
    node.written = 1;
    for (const TermId arg : store_.args(term)) {
      const Node& below = nodes_[arg.value];
      const bool shared = below.uses > 1 && measures_.of(arg).size >= kRepeated;
      node.written += shared ? 1 : below.written;
    }
    const bool shared = node.uses > 1 && measures_.of(term).size >= kRepeated;
    if (shared) result.written += node.written;
    result.widths += width(store_.sort(term));
    result.literals += literal_weight(term);
    if (store_.op(term) == Op::kVar) result.letters += letters(store_.variable_name(term));
  }
  for (const TermId start : roots) result.written += nodes_[start.value].written;
  for (const TermId term : order) nodes_[term.value] = {};
  result.known = true;
  return result;
}

const Sizes::Root& Sizes::root(TermId term) {
  if (generation_ != store_.generation()) {
    const uint32_t stable = store_.stable_terms(generation_);
    if (roots_.size() > stable) roots_.resize(stable);
    generation_ = store_.generation();
  }
  if (roots_.size() <= term.value) roots_.resize(term.value + 1);
  if (!roots_[term.value].known) {
    const Root measured = measure(term);
    roots_[term.value] = measured;
  }
  return roots_[term.value];
}

void Sizes::add_declaration(const ir::Script& script, const Command& command, Size& size) {
  const auto items = script.items(command);
  switch (command.kind) {
    case CommandKind::kDeclareSort:
    case CommandKind::kDefineSort:
    case CommandKind::kDeclareSortParameter: size.letters += letters(ir::SymbolId{items[0]}); break;
    case CommandKind::kDeclareDatatypes:
      for (const uint32_t item : items) {
        const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{item});
        size.letters += letters(datatype.name);
        size.commands += datatype.parameters.size();
        for (const ir::Constructor& constructor : datatype.constructors) {
          size.commands += 1 + constructor.selectors.size();
          size.letters += letters(store_.fun(constructor.fun).name);
        }
      }
      break;
    default:
      for (const uint32_t item : items) {
        const ir::FunId fun{item};
        size.letters += letters(store_.fun(fun).name);
        size.commands += store_.fun(fun).param_count;
        size.widths += width(store_.fun(fun).result);
        for (const ir::SortId param : store_.params(fun)) size.widths += width(param);
        if (is_definition(command.kind)) ++size.definitions;
      }
  }
}

Size Sizes::of(const ir::Script& script) {
  Size size;
  for (const Command& command : script.commands) {
    size.commands += command_weight(command);
    if (command.text.valid()) size.letters += letters(command.text);
    if (command.value.valid()) size.letters += letters(command.value);
    if (is_declaration(command.kind)) add_declaration(script, command, size);
    for_each_root(store_, script, command, [&](TermId term) {
      const Root& part = root(term);
      size.written += part.written;
      size.tree = ir::saturating_add(size.tree, measures_.of(term).size);
      size.widths += part.widths;
      size.literals += part.literals;
      size.letters += part.letters;
    });
  }
  return size;
}

}  // namespace elenchus::reduce
