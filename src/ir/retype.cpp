// Other sorts for a whole script at once: other widths and formats, other numbers, a simpler sort
// in the place of one, a datatype with less in it, another sort for one constant.
#include "ir/retype.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/apply.h"
#include "ir/rewriter.h"
#include "ir/script_parts.h"
#include "num/literal.h"

namespace elenchus::ir {
namespace {

using Format = Retyping::Format;

class Retyper {
 public:
  Retyper(TermStore& store, const Retyping& retyping)
      : store_(store), retyping_(retyping), rewriter_(store) {
    if (retyping_.cut != nullptr) functions_ = retyping_.cut->functions;
  }

  std::optional<Script> run(const Script& script) {
    Script result = script;
    for (Command& command : result.commands) {
      const auto old = script.items(command);
      std::vector<uint32_t> items;
      if (has_term(command.kind)) {
        const SortId wanted = sort(store_.sort(command.term));
        command.term = term(command.term);
        if (store_.sort(command.term) != wanted) failed_ = true;
      }
      for (size_t i = 0; i < old.size() && !failed_; ++i) {
        items.push_back(item(script, command, i, old[i]));
      }
      if (failed_) return std::nullopt;
      if (!items.empty()) result.set_items(command, items);
    }
    return result;
  }

 private:
  struct Hooks : RewriteHooks {
    Retyper& retyper;
    TermId after(TermId old, std::span<const TermId> args) const {
      return retyper.resized(old, {args.begin(), args.end()});
    }
    bool is_stopped() const { return retyper.failed_; }
  };

  uint32_t item(const Script&, const Command& command, size_t position, uint32_t old) {
    switch (command.kind) {
      case CommandKind::kDefineSort: return position == 1 ? sort(SortId{old}).value : old;
      case CommandKind::kDeclareSort:
      case CommandKind::kDeclareSortParameter: return old;
      case CommandKind::kDeclareDatatypes: {
        const DatatypeCut* cut = retyping_.cut;
        if (cut != nullptr && cut->from.value == old) return cut->to.value;
        // Fields of other sorts would need another datatype.
        for (const Constructor& constructor : store_.datatype(DatatypeId{old}).constructors) {
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
    if (retyping_.width) return old == retyping_.width->first ? retyping_.width->second : old;
    if (retyping_.format || retyping_.sort) return old;
    if (old % retyping_.divisor != 0) failed_ = true;
    return old / retyping_.divisor;
  }

  Format format(Format old) const {
    return retyping_.format && retyping_.format->first == old ? retyping_.format->second : old;
  }

  bool is_cut(const SortNode& node) const {
    return retyping_.cut != nullptr && node.kind == SortKind::kDatatype &&
           node.a == retyping_.cut->from.value;
  }

  SortId sort_of_cut(SortId old) {
    const DatatypeCut& cut = *retyping_.cut;
    std::vector<SortId> children;
    if (!cut.instance.valid()) {
      for (const SortId child : store_.sorts().children(old)) children.push_back(child);
      for (SortId& child : children) child = sort(child);
    } else if (old != cut.instance) {
      failed_ = true;
    }
    const SymbolId name = store_.datatype(cut.to).name;
    return store_.sorts().make(SortKind::kDatatype, cut.to.value, name.value, children);
  }

  SortId sort(SortId old) {
    const auto known = sorts_.find(old.value);
    if (known != sorts_.end()) return known->second;
    const SortNode node = store_.sorts()[old];
    SortId result = old;
    if (retyping_.constant) {
      // Sorts stay.
    } else if (retyping_.sort && old == retyping_.sort->first) {
      result = retyping_.sort->second;
    } else if (is_cut(node)) {
      result = sort_of_cut(old);
    } else if (node.kind == SortKind::kBitVec) {
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
    const FunDecl decl = store_.fun(old);
    const auto span = store_.params(old);
    std::vector<SortId> params(span.begin(), span.end());
    bool changed = false;
    for (SortId& param : params) {
      const SortId other = sort(param);
      changed = changed || other != param;
      param = other;
    }
    const bool is_constant = retyping_.constant && retyping_.constant->first == old;
    const SortId result = is_constant ? retyping_.constant->second : sort(decl.result);
    const bool datatype =
        decl.kind == FunKind::kConstructor || decl.kind == FunKind::kSelector || decl.polymorphic;
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
    Hooks hooks{{}, *this};
    return rewriter_.rewrite(root, hooks);
  }

  // Names are found by their functions; chains of them are out of reach.
  TermId resized(TermId old, std::vector<TermId> args) {
    const TermId result = is_named_call(store_, old) ? TermId{} : build(old, std::move(args));
    if (!result.valid()) failed_ = true;
    return failed_ ? old : result;
  }

  TermId variable(TermId old) {
    return store_.variable(store_.variable_name(old), sort(store_.sort(old)),
                           store_.variable_level(old));
  }

  TermId build(TermId old, std::vector<TermId> args) {
    const Op op = store_.op(old);
    const auto span = store_.args(old);
    if (op == Op::kVar) return variable(old);
    if (op == Op::kBitsLiteral) return resize(old, store_.sorts()[sort(store_.sort(old))].a);
    if (op == Op::kIntLiteral && sort(kIntSort) == kRealSort) {
      return store_.real_literal(std::string(store_.literal_text(old)) + ".0");
    }
    if (op == Op::kRealLiteral && sort(kRealSort) == kIntSort) return whole(old);
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
    if (op == Op::kIs && becomes_bool(FunId{store_.indices(old)[0]})) {
      const bool is_first = store_.fun(FunId{store_.indices(old)[0]}).constructor == 0;
      return is_first ? args[0] : store_.make(Op::kNot, kBoolSort, 0, args);
    }
    const Op ops[] = {op};
    const std::vector<uint32_t> indices = indices_of(old);
    const bool open = store_.ops().info(op).needs_as;
    const std::vector<TermId> wanted = args;
    const TermId result =
        apply(store_, Head{ops, indices, open ? sort(store_.sort(old)) : SortId{}}, args);
    if (!result.valid() || store_.op(result) != op) return {};
    // Where one constant is of another sort, what stands beside it is converted.
    return retyping_.constant || wanted == args ? result : TermId{};
  }

  // None for a number with a fraction.
  TermId whole(TermId literal) {
    const std::string_view text = store_.literal_text(literal);
    return text.ends_with(".0") ? store_.int_literal(text.substr(0, text.size() - 2)) : TermId{};
  }

  // What an enumeration's constructor becomes: its first one true, all others false.
  TermId truth_of(FunId constructor) {
    const bool is_first = store_.fun(constructor).constructor == 0;
    return store_.make(is_first ? Op::kTrue : Op::kFalse, kBoolSort, 0, {});
  }

  bool becomes_bool(FunId fun) const {
    return retyping_.sort && retyping_.sort->second == kBoolSort &&
           store_.fun(fun).kind == FunKind::kConstructor &&
           store_.fun(fun).result == retyping_.sort->first;
  }

  TermId call(TermId old, std::vector<TermId> args) {
    const FunId callee = store_.callee(old);
    if (becomes_bool(callee)) return truth_of(callee);
    const FunId fun = function(callee);
    if (failed_) return {};
    if (retyping_.cut != nullptr && retyping_.cut->field && retyping_.cut->field->first == callee) {
      args.erase(args.begin() + static_cast<std::ptrdiff_t>(retyping_.cut->field->second));
    }
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
    if (has_function_indices(store_, old)) {
      for (uint32_t& index : indices) {
        if ((index & kSymbolIndex) == 0) index = function(FunId{index}).value;
      }
      return indices;
    }
    const bool numbers = std::none_of(indices.begin(), indices.end(),
                                      [](uint32_t index) { return (index & kSymbolIndex) != 0; });
    if (!numbers) return indices;
    const Op op = store_.op(old);
    if (retyping_.format) {
      if (indices.size() == 2 &&
          store_.sorts().kind(store_.sort(old)) == SortKind::kFloatingPoint) {
        const Format other = format({indices[0], indices[1]});
        indices = {other.first, other.second};
      }
    } else if (retyping_.divisor > 1 && op == Op::kBvExtract) {
      indices = {(indices[0] + 1) / retyping_.divisor - 1, indices[1] / retyping_.divisor};
    } else if (retyping_.divisor > 1 && (op == Op::kBvZeroExtend || op == Op::kBvSignExtend)) {
      indices[0] /= retyping_.divisor;
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
    const SortNode node = store_.sorts()[sort(store_.sort(old))];
    if (node.kind != SortKind::kFloatingPoint || args.size() != 3) return false;
    for (const TermId arg : args) {
      if (store_.op(arg) != Op::kBitsLiteral) return !retyping_.format;
    }
    args[0] = resize(args[0], 1);
    args[1] = resize(args[1], node.a);
    args[2] = resize(args[2], node.b - 1);
    return true;
  }

  TermStore& store_;
  const Retyping& retyping_;
  bool failed_ = false;
  std::unordered_map<uint32_t, SortId> sorts_;
  std::unordered_map<uint32_t, FunId> functions_;
  Rewriter<> rewriter_;
};

}  // namespace

std::optional<Script> retyped(TermStore& store, const Script& script, const Retyping& retyping) {
  return Retyper(store, retyping).run(script);
}

}  // namespace elenchus::ir
