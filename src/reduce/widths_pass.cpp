// Narrower bit-vectors and smaller floats. A sort is changed in the whole script at once and every
// term is typed again; where some operator does not take what its arguments have become, there is
// no candidate. First all widths are divided by the same number, indices included, which keeps
// concatenations and extractions in step; then single widths and formats are tried.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "ir/apply.h"
#include "num/literal.h"
#include "reduce/passes.h"
#include "reduce/script_parts.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::TermId;

using Format = std::pair<uint32_t, uint32_t>;

// What becomes of widths.
struct Narrowing {
  uint32_t divisor = 1;                                // of all widths and indices
  std::optional<std::pair<uint32_t, uint32_t>> width;  // one width, and what it becomes
  std::optional<std::pair<Format, Format>> format;     // one float format, likewise
};

// A script with other widths. Fails where anything is not as simple as hoped for.
class Resizer {
 public:
  Resizer(ir::TermStore& store, const Narrowing& narrowing)
      : store_(store), narrowing_(narrowing) {}

  std::optional<ir::Script> run(const ir::Script& script) {
    ir::Script result = script;
    for (Command& command : result.commands) {
      const auto old = script.items(command);
      std::vector<uint32_t> items;
      if (ir::has_term(command.kind)) command.term = term(command.term);
      for (size_t i = 0; i < old.size() && !failed_; ++i) {
        items.push_back(item(script, command, i, old[i]));
      }
      if (failed_) return std::nullopt;
      if (!items.empty()) result.set_items(command, items);
    }
    return result;
  }

 private:
  uint32_t item(const ir::Script&, const Command& command, size_t position, uint32_t old) {
    switch (command.kind) {
      case CommandKind::kDefineSort: return position == 1 ? sort(SortId{old}).value : old;
      case CommandKind::kDeclareSort:
      case CommandKind::kDeclareSortParameter: return old;
      case CommandKind::kDeclareDatatypes: {
        // Fields of other sorts would need another datatype.
        for (const ir::Constructor& constructor :
             store_.datatype(ir::DatatypeId{old}).constructors) {
          for (const FunId selector : constructor.selectors) {
            if (sort(store_.fun(selector).result) != store_.fun(selector).result) failed_ = true;
          }
        }
        return old;
      }
      case CommandKind::kCheckSatAssuming:
      case CommandKind::kGetValue: return term(TermId{old}).value;
      case CommandKind::kDefineFunRec:
      case CommandKind::kDefineFunsRec: failed_ = true; return old;
      default: return function(FunId{old}).value;
    }
  }

  // --- Sorts. ---

  uint32_t width(uint32_t old) {
    if (narrowing_.width) return old == narrowing_.width->first ? narrowing_.width->second : old;
    if (narrowing_.format) return old;
    if (old % narrowing_.divisor != 0) failed_ = true;
    return old / narrowing_.divisor;
  }

  Format format(Format old) const {
    return narrowing_.format && narrowing_.format->first == old ? narrowing_.format->second : old;
  }

  SortId sort(SortId old) {
    const auto known = sorts_.find(old.value);
    if (known != sorts_.end()) return known->second;
    const ir::SortNode node = store_.sorts()[old];
    SortId result = old;
    if (node.kind == SortKind::kBitVec) {
      result = store_.sorts().bit_vec(width(node.a));
    } else if (node.kind == SortKind::kFloatingPoint) {
      const Format other = format({node.a, node.b});
      result = store_.sorts().floating_point(other.first, other.second);
    } else if (node.child_count > 0) {
      const auto span = store_.sorts().children(old);
      std::vector<SortId> children(span.begin(), span.end());
      for (SortId& child : children) child = sort(child);
      result = store_.sorts().make(node.kind, node.a, node.b, children);
    }
    if (!result.valid()) failed_ = true;
    sorts_.emplace(old.value, result);
    return result;
  }

  // --- Functions. ---

  FunId function(FunId old) {
    const auto known = functions_.find(old.value);
    if (known != functions_.end()) return known->second;
    const ir::FunDecl decl = store_.fun(old);
    const auto span = store_.params(old);
    std::vector<SortId> params(span.begin(), span.end());
    bool changed = false;
    for (SortId& param : params) {
      const SortId other = sort(param);
      changed = changed || other != param;
      param = other;
    }
    const SortId result = sort(decl.result);
    const bool datatype = decl.kind == ir::FunKind::kConstructor ||
                          decl.kind == ir::FunKind::kSelector || decl.polymorphic;
    changed = changed || result != decl.result;
    if (datatype && changed && !decl.polymorphic) failed_ = true;
    if (failed_ || datatype) return old;
    FunId other = old;
    if (!decl.body.valid()) {
      if (changed) other = store_.declare(decl.name, decl.kind, params, result);
    } else {
      const TermId body = term(decl.body);
      if (failed_) return old;
      std::vector<TermId> formals;
      for (const TermId formal : store_.formals(old)) formals.push_back(formal);
      for (TermId& formal : formals) formal = variable(formal);
      if (changed || body != decl.body) {
        other = store_.declare(decl.name, decl.kind, params, result);
        store_.define(other, formals, body);
        if (store_.sort(body) != result) failed_ = true;
      }
    }
    functions_.emplace(old.value, other);
    return other;
  }

  // --- Terms. ---

  TermId term(TermId root) {
    std::vector<std::pair<TermId, bool>> stack = {{root, false}};
    while (!stack.empty() && !failed_) {
      const auto [top, entered] = stack.back();
      if (terms_.contains(top.value)) {
        stack.pop_back();
        continue;
      }
      if (!entered) {
        stack.back().second = true;
        for (const TermId arg : store_.args(top)) {
          if (!terms_.contains(arg.value)) stack.emplace_back(arg, false);
        }
        // Names are found by their functions; chains of them are out of reach.
        if (is_named_call(store_, top)) failed_ = true;
        continue;
      }
      stack.pop_back();
      const TermId result = build(top);
      if (!result.valid()) failed_ = true;
      terms_.emplace(top.value, result);
    }
    return failed_ ? root : terms_.at(root.value);
  }

  TermId variable(TermId old) {
    return store_.variable(store_.variable_name(old), sort(store_.sort(old)),
                           store_.variable_level(old));
  }

  TermId build(TermId old) {
    const Op op = store_.op(old);
    const auto span = store_.args(old);
    std::vector<TermId> args(span.begin(), span.end());
    for (TermId& arg : args) arg = terms_.at(arg.value);
    if (op == Op::kVar) return variable(old);
    if (op == Op::kBitsLiteral) return resize(old, store_.sorts()[sort(store_.sort(old))].a);
    if (op == Op::kCall) return call(old, args);
    if (op <= Op::kUnknownText) {
      if (op == Op::kFunRef || op == Op::kMatchCase || op == Op::kUnknownCall ||
          op == Op::kUnknownText) {
        return {};
      }
      for (size_t i = 0; i < args.size(); ++i) {
        if (store_.sort(args[i]) != sort(store_.sort(span[i]))) return {};
      }
      return store_.make(op, sort(store_.sort(old)), store_.payload(old), args);
    }
    if (op == Op::kFp && !resize_parts(old, args)) return {};
    const Op ops[] = {op};
    const std::vector<uint32_t> indices = indices_of(old);
    const bool open = store_.ops().info(op).needs_as;
    const std::vector<TermId> wanted = args;
    const TermId result =
        ir::apply(store_, ir::Head{ops, indices, open ? sort(store_.sort(old)) : SortId{}}, args);
    if (!result.valid() || wanted != args || store_.op(result) != op) return {};
    return result;
  }

  TermId call(TermId old, std::span<TermId> args) {
    const FunId callee = store_.callee(old);
    const FunId fun = function(callee);
    if (failed_) return {};
    if (store_.fun(fun).polymorphic) {
      return ir::call(store_, fun, args, sort(store_.sort(old)));
    }
    const auto params = store_.params(fun);
    for (size_t i = 0; i < args.size(); ++i) {
      if (store_.sort(args[i]) != params[i]) return {};
    }
    return store_.make(Op::kCall, store_.fun(fun).result, fun.value, args);
  }

  std::vector<uint32_t> indices_of(TermId old) {
    if (store_.payload(old) == 0) return {};
    const auto span = store_.indices(old);
    std::vector<uint32_t> indices(span.begin(), span.end());
    const bool numbers = !has_function_indices(store_, old) &&
                         std::none_of(indices.begin(), indices.end(), [](uint32_t index) {
                           return (index & ir::kSymbolIndex) != 0;
                         });
    if (!numbers) return indices;
    const Op op = store_.op(old);
    if (narrowing_.format) {
      if (indices.size() == 2 &&
          store_.sorts().kind(store_.sort(old)) == SortKind::kFloatingPoint) {
        const Format other = format({indices[0], indices[1]});
        indices = {other.first, other.second};
      }
    } else if (narrowing_.divisor > 1 && op == Op::kBvExtract) {
      indices = {(indices[0] + 1) / narrowing_.divisor - 1, indices[1] / narrowing_.divisor};
    } else if (narrowing_.divisor > 1 && (op == Op::kBvZeroExtend || op == Op::kBvSignExtend)) {
      indices[0] /= narrowing_.divisor;
    }
    return indices;
  }

  // The low bits of a literal.
  TermId resize(TermId literal, uint32_t width) {
    std::string binary;
    const std::string_view text = store_.literal_text(literal);
    for (const char c : text.substr(2)) {
      const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
      if (text[1] == 'b') {
        binary += c;
        continue;
      }
      for (int bit = 3; bit >= 0; --bit) binary += ((digit >> bit) & 1) != 0 ? '1' : '0';
    }
    if (width == 0) return {};
    if (binary.size() > width) binary = binary.substr(binary.size() - width);
    binary.insert(0, width - binary.size(), '0');
    return store_.bits_literal(num::bits_literal(binary));
  }

  // (fp sign exponent significand) with literals for parts.
  bool resize_parts(TermId old, std::span<TermId> args) {
    const ir::SortNode node = store_.sorts()[sort(store_.sort(old))];
    if (node.kind != SortKind::kFloatingPoint || args.size() != 3) return false;
    for (const TermId arg : args) {
      if (store_.op(arg) != Op::kBitsLiteral) return !narrowing_.format;
    }
    args[0] = resize(args[0], 1);
    args[1] = resize(args[1], node.a);
    args[2] = resize(args[2], node.b - 1);
    return true;
  }

  ir::TermStore& store_;
  const Narrowing& narrowing_;
  bool failed_ = false;
  std::unordered_map<uint32_t, SortId> sorts_;
  std::unordered_map<uint32_t, FunId> functions_;
  std::unordered_map<uint32_t, TermId> terms_;
};

class WidthsPass {
 public:
  explicit WidthsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    look();
    if (!widths_.empty()) divide();
    look();
    const std::set<uint32_t> widths = widths_;
    for (const uint32_t width : widths) {
      for (const uint32_t narrow : {1U, 2U, 4U, 8U, width / 2, width - 1}) {
        if (narrow == 0 || narrow >= width) continue;
        Narrowing narrowing;
        narrowing.width = {width, narrow};
        if (offer(narrowing)) break;
      }
    }
    const std::set<Format> formats = formats_;
    for (const Format& format : formats) {
      for (const Format& small : {Format{2, 3}, Format{3, 5}, Format{5, 11}, Format{8, 24}}) {
        if (small.first + small.second >= format.first + format.second) continue;
        Narrowing narrowing;
        narrowing.format = {format, small};
        if (offer(narrowing)) break;
      }
    }
  }

 private:
  void add(SortId sort) {
    const ir::SortNode& node = store_.sorts()[sort];
    if (node.kind == SortKind::kBitVec) widths_.insert(node.a);
    if (node.kind == SortKind::kFloatingPoint) formats_.emplace(node.a, node.b);
    for (const SortId child : store_.sorts().children(sort)) add(child);
  }

  void look() {
    widths_.clear();
    formats_.clear();
    ir::Walker walker(store_);
    for (const Command& command : session_.best().commands) {
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        walker.walk(root, [&](TermId term) { add(store_.sort(term)); });
      });
    }
  }

  bool offer(const Narrowing& narrowing) {
    auto candidate = Resizer(store_, narrowing).run(session_.best());
    return candidate && session_.offer(std::move(*candidate));
  }

  void divide() {
    uint32_t common = 0;
    for (const uint32_t width : widths_) common = std::gcd(common, width);
    for (uint32_t divisor = common; divisor > 1; --divisor) {
      if (common % divisor != 0) continue;
      Narrowing narrowing;
      narrowing.divisor = divisor;
      if (offer(narrowing)) return;
    }
  }

  Session& session_;
  ir::TermStore& store_;
  std::set<uint32_t> widths_;
  std::set<Format> formats_;
};

}  // namespace

void reduce_widths(Session& session) { WidthsPass(session).run(); }

}  // namespace elenchus::reduce
