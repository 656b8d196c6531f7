// Definitions are inlined where that does not make the script much larger, all at once or one by
// one; else their bodies are dropped, which leaves uninterpreted functions. Recursive definitions
// are never inlined. Uninterpreted functions lose parameters.
#include <algorithm>
#include <optional>

#include "ir/functions.h"
#include "ir/script_parts.h"
#include "ir/substitute.h"
#include "ir/walk.h"
#include "reduce/ddmin.h"
#include "reduce/passes.h"

namespace elenchus::reduce {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

class FunctionsPass {
 public:
  explicit FunctionsPass(Session& session) : session_(session), store_(session.store()) {}

  void run() {
    drop_annotations();
    inline_all();
    for (size_t i = 0; i < commands().size(); ++i) inline_one(i);
    for (size_t i = 0; i < commands().size(); ++i) drop_bodies(i);
    for (size_t i = 0; i < commands().size(); ++i) drop_parameters(i);
  }

 private:
  // Inlining may make a script this much larger.
  static constexpr uint64_t kGrowth = 2;
  static constexpr uint64_t kGrowthNodes = 200;

  const std::vector<Command>& commands() const { return session_.best().commands; }

  // All annotations at once; the pass for terms drops single ones.
  void drop_annotations() {
    const auto has_annotations = [&](const Command& command) {
      bool found = false;
      for_each_root(store_, session_.best(), command, [&](TermId root) {
        ir::Walker walker(store_);
        found = found || walker.find(root, [&](TermId term) {
          return store_.op(term) == Op::kAnnotated || is_named_call(store_, term);
        });
      });
      return found;
    };
    if (std::none_of(commands().begin(), commands().end(), has_annotations)) return;
    Change change;
    change.inline_names = true;
    change.build = [this](TermId term, std::span<const TermId> args) {
      return store_.op(term) == Op::kAnnotated ? args[0] : TermId{};
    };
    session_.offer(change);
  }

  // --- Inlining. ---

  bool can_inline(const ir::Script& script, const Command& command) const {
    if (command.kind != CommandKind::kDefineFun && command.kind != CommandKind::kDefineConst) {
      return false;
    }
    return !store_.fun(FunId{script.items(command)[0]}).polymorphic;
  }

  ir::Script inlined(const ir::Script& script, size_t at) {
    const FunId fun{script.items(script.commands[at])[0]};
    ir::Script rest = script;
    rest.commands.erase(rest.commands.begin() + static_cast<ptrdiff_t>(at));
    Change change;
    change.build = [&](TermId term, std::span<const TermId> args) -> TermId {
      if (store_.op(term) != Op::kCall || store_.callee(term) != fun) return {};
      const auto formals = store_.formals(fun);
      ir::Substitution map;
      for (size_t i = 0; i < args.size(); ++i) {
        if (store_.sort(args[i]) != store_.sort(formals[i])) return {};
        map.emplace_back(formals[i], args[i]);
      }
      return ir::substitute(store_, session_.free_variables(), store_.fun(fun).body, map);
    };
    return rewrite(store_, rest, change);
  }

  bool is_small(const ir::Script& candidate) {
    return session_.sizes().of(candidate).written <=
           kGrowth * session_.size().written + kGrowthNodes;
  }

  void inline_all() {
    ir::Script candidate = session_.best();
    size_t count = 0;
    for (size_t i = 0; i < candidate.commands.size();) {
      if (!can_inline(candidate, candidate.commands[i])) {
        ++i;
        continue;
      }
      ++count;
      candidate = inlined(candidate, i);
      if (!is_small(candidate) || session_.free_variables().exhausted()) return;
    }
    if (count > 0) session_.offer(std::move(candidate));
  }

  void inline_one(size_t at) {
    if (!can_inline(session_.best(), commands()[at])) return;
    ir::Script candidate = inlined(session_.best(), at);
    if (is_small(candidate) && !session_.free_variables().exhausted()) {
      session_.offer(std::move(candidate));
    }
  }

  // --- Declarations. ---

  FunId redeclare(FunId fun, std::span<const ir::SortId> params) {
    const std::vector<ir::SortId> copy(params.begin(), params.end());
    return store_.declare(store_.fun(fun).name, ir::FunKind::kDeclared, copy,
                          store_.fun(fun).result);
  }

  // Definitions as declarations.
  void drop_bodies(size_t at) {
    if (!is_definition(commands()[at].kind)) return;
    const auto span = session_.best().items(commands()[at]);
    const std::vector<uint32_t> items(span.begin(), span.end());
    Change change;
    for (const uint32_t item : items) {
      if (store_.fun(FunId{item}).polymorphic) return;
      const FunId other = redeclare(FunId{item}, store_.params(FunId{item}));
      change.functions.emplace_back(FunId{item}, other);
    }
    ir::Script base = session_.best();
    base.commands.erase(base.commands.begin() + static_cast<ptrdiff_t>(at));
    ir::Script candidate = rewrite(store_, base, change);
    std::vector<Command> declarations;
    for (const auto& [old, other] : change.functions) {
      Command command;
      command.kind = CommandKind::kDeclareFun;
      const uint32_t declared[] = {other.value};
      candidate.set_items(command, declared);
      declarations.push_back(command);
    }
    candidate.commands.insert(candidate.commands.begin() + static_cast<ptrdiff_t>(at),
                              declarations.begin(), declarations.end());
    session_.offer(std::move(candidate));
  }

  void drop_parameters(size_t at) {
    if (commands()[at].kind != CommandKind::kDeclareFun) return;
    const FunId first{session_.best().items(commands()[at])[0]};
    if (store_.fun(first).polymorphic) return;
    const size_t count = store_.fun(first).param_count;
    std::vector<bool> kept(count, true);
    minimize(count, [&](std::span<const uint32_t> chosen) {
      const std::optional<size_t> command = find(store_.fun(first).name, kept);
      if (!command) return false;
      const FunId fun{session_.best().items(commands()[*command])[0]};
      std::vector<bool> keep = kept;
      for (const uint32_t i : chosen) keep[i] = false;
      auto candidate = without_parameters(first, fun, kept, keep);
      if (!candidate || !session_.offer(std::move(*candidate))) return false;
      kept = std::move(keep);
      return true;
    });
  }

  // Where the function is declared now.
  std::optional<size_t> find(ir::SymbolId name, const std::vector<bool>& kept) const {
    const auto count = static_cast<uint32_t>(std::count(kept.begin(), kept.end(), true));
    for (size_t i = 0; i < commands().size(); ++i) {
      if (commands()[i].kind != CommandKind::kDeclareFun) continue;
      const ir::FunDecl& decl = store_.fun(FunId{session_.best().items(commands()[i])[0]});
      if (decl.name == name && decl.param_count == count) return i;
    }
    return std::nullopt;
  }

  // `first` has all parameters, `fun` those of `kept`, the result those of `keep`. Nothing when the
  // function is also used otherwise than by calling it.
  std::optional<ir::Script> without_parameters(FunId first, FunId fun,
                                               const std::vector<bool>& kept,
                                               const std::vector<bool>& keep) {
    const auto all = store_.params(first);
    std::vector<ir::SortId> params;
    std::vector<bool> stays;  // for each parameter of `fun`
    for (size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) stays.push_back(keep[i]);
      if (keep[i]) params.push_back(all[i]);
    }
    const FunId other = redeclare(fun, params);
    Change change;
    change.functions.emplace_back(fun, other);
    bool called_only = true;
    change.build = [&](TermId term, std::span<const TermId> args) -> TermId {
      if (!ir::names_function(store_, term, [&](FunId each) { return each == fun; })) return {};
      if (store_.op(term) != Op::kCall) {
        called_only = false;
        return {};
      }
      std::vector<TermId> rest;
      for (size_t i = 0; i < args.size(); ++i) {
        if (stays[i]) rest.push_back(args[i]);
      }
      return store_.make(Op::kCall, store_.sort(term), other.value, rest);
    };
    ir::Script candidate = rewrite(store_, session_.best(), change);
    if (!called_only) return std::nullopt;
    return candidate;
  }

  Session& session_;
  ir::TermStore& store_;
};

}  // namespace

void reduce_functions(Session& session) { FunctionsPass(session).run(); }

}  // namespace elenchus::reduce
