// Terms are written with a stack of pending items, so that depth costs memory only.
//
// Shared subterms are named by `let` where repeating them would cost: the text of a term must not
// be exponentially longer than the term. A *unit* is a place where lets may stand: the root, and
// the body of each binder. A subterm belongs to the innermost unit whose variables are free in it
// (to the root, if none are), and is named there when terms below that unit use it more than once.
// The lets of a unit are written in levels: a level's values mention only names of earlier levels.
#include "smtlib/term_printer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/apply.h"
#include "smtlib/lexer.h"

namespace elenchus::smtlib {

using ir::Op;
using ir::SymbolId;
using ir::TermId;

namespace {

// The name in the head of an unknown operator: f in f, (_ f 1), (as f S).
std::string_view name_in(std::string_view head) {
  Lexer lexer(head);
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    if (token.kind == TokenKind::kQuotedSymbol) return token.text;
    if (token.kind == TokenKind::kSymbol && token.text != "_" && token.text != "as") {
      return token.text;
    }
    if (token.kind == TokenKind::kError) break;
  }
  return {};
}

}  // namespace

TermPrinter::TermPrinter(const ir::TermStore& store, uint32_t let_size)
    : store_(store),
      let_size_(let_size),
      free_(store),
      measures_(store),
      walker_(store),
      shared_terms_(store, free_) {}

void TermPrinter::start_script() {
  // Empty lists, which only cost memory.
  constexpr size_t kMany = 1U << 16;
  if (scope_.size() > kMany) scope_.clear();
  forget_names(0);
  forget_missing_names();
  names_in_text_.clear();
}

bool TermPrinter::append(std::string& out, TermId term) {
  out_ = &out;
  let_count_ = 0;
  std::vector<TermId> free;
  for (const TermId variable : free_.of(term)) {
    if (is_in_scope(variable)) continue;
    free.push_back(variable);
    std::string name;
    append_symbol(name, store_.symbols(), store_.variable_name(variable));
    scope_[variable.value].push_back({std::move(name), 0});
  }
  budget_ = kBudget;
  name_budget_ = kNameBudget;
  open_unit(term, 0);
  run();
  close_scope(free);
  return !free_.exhausted() && budget_ > 0;
}

void TermPrinter::append_variables(std::string& out, std::span<const TermId> variables) {
  out_ = &out;
  const char* space = "";
  for (const TermId variable : variables) {
    out += space;
    out += '(';
    write_variable(variable);
    out += ' ';
    write_sort(store_.sort(variable));
    out += ')';
    space = " ";
  }
}

void TermPrinter::run() {
  while (!stack_.empty()) {
    const Item item = stack_.back();
    stack_.pop_back();
    switch (item.kind) {
      case Item::Kind::kText: *out_ += item.text; break;
      case Item::Kind::kSpacedTerm: *out_ += ' '; [[fallthrough]];
      case Item::Kind::kTerm: write(item.term); break;
      case Item::Kind::kUnit: open_unit(item.term, item.binder); break;
      case Item::Kind::kDefinition: write_in_full(item.term); break;
      case Item::Kind::kLetName: *out_ += innermost_let(item.term).name; break;
      case Item::Kind::kAttribute: write_attribute(item.term); break;
      case Item::Kind::kEndScope: close_scope(store_.bound_variables(item.term)); break;
      case Item::Kind::kEndUnit:
        for (size_t i = units_.back().size(); i-- > 0;) {
          innermost_let_[units_.back()[i].value] = lets_.back().outer;
          lets_.pop_back();
        }
        units_.pop_back();
        break;
    }
  }
}

// --- Terms. ---

bool TermPrinter::is_leaf(TermId term) const { return store_.args(term).empty(); }

const TermPrinter::Let* TermPrinter::usable_let(TermId term) {
  if (lets_.empty() || term.value >= innermost_let_.size()) return nullptr;
  if (innermost_let_[term.value] == 0) return nullptr;
  const Let& let = innermost_let(term);
  const auto variables = free_.of(term);
  for (size_t i = 0; i < variables.size(); ++i) {
    if (scope_[variables[i].value].back().binder != let.binders[i]) return nullptr;
  }
  return &let;
}

void TermPrinter::write(TermId term) {
  if (const Let* let = usable_let(term)) {
    *out_ += let->name;
    return;
  }
  write_in_full(term);
}

void TermPrinter::write_in_full(TermId term) {
  const Op op = store_.op(term);
  switch (op) {
    case Op::kVar: write_variable(term); return;
    case Op::kIntLiteral:
    case Op::kRealLiteral:
    case Op::kAlgebraicLiteral:
    case Op::kBitsLiteral: *out_ += store_.literal_text(term); return;
    case Op::kUnknownText:
      *out_ += store_.literal_text(term);
      note_names_in(store_.literal_text(term));
      return;
    case Op::kStringLiteral:
      *out_ += '"';
      *out_ += store_.literal_text(term);
      *out_ += '"';
      return;
    case Op::kFieldLiteral:
      *out_ += "(as ff";
      *out_ += store_.literal_text(term);
      *out_ += ' ';
      write_sort(store_.sort(term));
      *out_ += ')';
      return;
    case Op::kFunRef: write_symbol(store_.fun(store_.callee(term)).name); return;
    case Op::kMatch: write_match(term); return;
    case Op::kMatchCase: write_case(term); return;
    case Op::kAnnotated: write_annotation(term, kNoUnit); return;
    case Op::kHoApply: write_higher_order(term); return;
    default: break;
  }
  if (ir::is_binder(op)) {
    write_binder(term);
  } else {
    write_application(term);
  }
}

void TermPrinter::write_variable(TermId variable) {
  const auto found = scope_.find(variable.value);
  if (found != scope_.end() && !found->second.empty()) {
    *out_ += found->second.back().name;
  } else {
    write_symbol(store_.variable_name(variable));
  }
}

void TermPrinter::write_application(TermId term) {
  const auto args = store_.args(term);
  if (!is_leaf(term)) *out_ += '(';
  switch (store_.op(term)) {
    case Op::kCall: write_call_head(term); break;
    case Op::kUnknownCall: *out_ += store_.literal_text(term); break;
    default: write_op_head(term); break;
  }
  if (!is_leaf(term)) write_rest(args);
}

// The arguments, and the closing parenthesis. Leaves at the front need not wait on the stack.
void TermPrinter::write_rest(std::span<const TermId> args) {
  size_t i = 0;
  for (; i < args.size() && is_leaf(args[i]); ++i) {
    *out_ += ' ';
    write_in_full(args[i]);
  }
  if (i == args.size()) {
    *out_ += ')';
    return;
  }
  push_text(")");
  for (size_t k = args.size(); k > i; --k) push(Item::Kind::kSpacedTerm, args[k - 1]);
}

void TermPrinter::write_call_head(TermId term) {
  const ir::FunDecl& fun = store_.fun(store_.callee(term));
  if (fun.kind == ir::FunKind::kNamed) note_name(store_.callee(term));
  if (!fun.needs_as) {
    write_symbol(fun.name);
    return;
  }
  *out_ += "(as ";
  write_symbol(fun.name);
  *out_ += ' ';
  write_sort(store_.sort(term));
  *out_ += ')';
}

void TermPrinter::write_op_head(TermId term) {
  const Op op = store_.op(term);
  const ir::OpInfo& info = store_.ops().info(op);
  const bool qualified = info.needs_as;
  const bool indexed = store_.payload(term) != 0;
  if (qualified) *out_ += "(as ";
  if (indexed) *out_ += "(_ ";
  *out_ += store_.ops().name(op);
  if (indexed) {
    for (const uint32_t index : store_.indices(term)) write_index(term, index);
    *out_ += ')';
  }
  if (qualified) {
    *out_ += ' ';
    write_sort(store_.sort(term));
    *out_ += ')';
  }
}

void TermPrinter::write_index(TermId term, uint32_t index) {
  *out_ += ' ';
  if ((index & ir::kSymbolIndex) != 0) {
    *out_ += store_.symbols().text(SymbolId{index & ~ir::kSymbolIndex});
  } else if (store_.ops().info(store_.op(term)).signatures[0].symbolic_index) {
    write_symbol(store_.fun(ir::FunId{index}).name);
  } else {
    *out_ += std::to_string(index);
  }
}

// (f x) where f is a variable, a constant or a function that lacks arguments, else (@ f x).
void TermPrinter::write_higher_order(TermId term) {
  const auto args = store_.args(term);
  const Op head = store_.op(args[0]);
  const bool is_constant = head == Op::kCall && store_.args(args[0]).empty();
  const bool is_partial =
      head == Op::kFunRef && args.size() <= store_.fun(store_.callee(args[0])).param_count;
  const bool named = head == Op::kVar || is_constant || is_partial;
  *out_ += named ? "(" : "(@";
  if (named) write_in_full(args[0]);
  write_rest(args.subspan(named ? 1 : 0));
}

void TermPrinter::write_binder(TermId term) {
  switch (store_.op(term)) {
    case Op::kForall: *out_ += "(forall ("; break;
    case Op::kExists: *out_ += "(exists ("; break;
    case Op::kLambda: *out_ += "(lambda ("; break;
    case Op::kChoice: *out_ += "(witness ("; break;
    default: *out_ += "(set.comprehension ("; break;
  }
  open_scope(term);
  const uint32_t binder = binder_count_;
  const auto variables = store_.bound_variables(term);
  append_variables(*out_, variables);
  *out_ += ") ";
  push_text(")");
  push(Item::Kind::kEndScope, term);
  const auto bodies = store_.args(term).subspan(variables.size());
  for (size_t i = bodies.size(); i-- > 0;) {
    if (i + 1 < bodies.size()) push_text(" ");
    push_unit(bodies[i], binder);
  }
}

void TermPrinter::write_match(TermId term) {
  const auto args = store_.args(term);
  *out_ += "(match ";
  push_text("))");
  for (size_t i = args.size(); i-- > 1;) {
    push(i == 1 ? Item::Kind::kTerm : Item::Kind::kSpacedTerm, args[i]);
  }
  push_text(" (");
  push(Item::Kind::kTerm, args[0]);
}

void TermPrinter::write_case(TermId term) {
  const ir::FunId constructor = store_.callee(term);
  const auto variables = store_.bound_variables(term);
  open_scope(term);
  *out_ += '(';
  if (constructor.valid()) {
    if (!variables.empty()) *out_ += '(';
    write_symbol(store_.fun(constructor).name);
  }
  for (const TermId variable : variables) {
    if (constructor.valid()) *out_ += ' ';
    write_variable(variable);
  }
  if (constructor.valid() && !variables.empty()) *out_ += ')';
  *out_ += ' ';
  push_text(")");
  push(Item::Kind::kEndScope, term);
  push_unit(store_.args(term).back(), binder_count_);
}

bool TermPrinter::give_name(uint32_t symbol) {
  if (!given_names_.insert(symbol).second) return false;
  given_order_.push_back(symbol);
  return true;
}

void TermPrinter::note_name(ir::FunId fun) {
  const uint32_t name = store_.fun(fun).name.value;
  if (!given_names_.contains(name) && !names_in_text_.contains(name)) missing_names_.push_back(fun);
}

void TermPrinter::note_names_in(std::string_view text) {
  if (text.find(":named") == std::string_view::npos) return;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind < TokenKind::kError; token = lexer.next()) {
    if (token.kind == TokenKind::kEnd) return;
    if (token.kind != TokenKind::kKeyword || token.text != ":named") continue;
    names_in_text_.insert(store_.symbols().find(lexer.next().text).value);
  }
}

void TermPrinter::forget_names(size_t count) {
  while (given_order_.size() > count) {
    given_names_.erase(given_order_.back());
    given_order_.pop_back();
  }
}

// Nested annotations are written as one, as far as they have no name of their own.
void TermPrinter::write_annotation(TermId term, uint32_t binder) {
  const SymbolId named = store_.symbols().find(":named");
  std::vector<TermId> chain;
  const TermId outermost = term;
  for (; store_.op(term) == Op::kAnnotated; term = store_.args(term)[0]) {
    if (term != outermost && usable_let(term) != nullptr) break;
    const auto attribute = store_.indices(term);
    const bool repeats = attribute[0] == named.value && !give_name(attribute[1]);
    if (!repeats) chain.push_back(term);
  }
  if (chain.empty()) {
    push_unit(term, binder);
    return;
  }
  *out_ += "(! ";
  push_text(")");
  // The outermost annotation is the last attribute.
  for (const TermId annotation : chain) {
    const auto patterns = store_.args(annotation).subspan(1);
    if (!patterns.empty()) {
      push_text(")");
      for (size_t i = patterns.size(); i-- > 0;) {
        push(i == 0 ? Item::Kind::kTerm : Item::Kind::kSpacedTerm, patterns[i]);
      }
      push_text(" (");
    }
    push(Item::Kind::kAttribute, annotation);
  }
  push_unit(term, binder);
}

void TermPrinter::write_attribute(TermId annotation) {
  const auto attribute = store_.indices(annotation);
  const SymbolId keyword{attribute[0]};
  const SymbolId value{attribute[1]};
  *out_ += ' ';
  *out_ += store_.symbols().text(keyword);
  if (!value.valid()) return;
  *out_ += ' ';
  if (store_.symbols().text(keyword) == ":named") {
    write_symbol(value);
  } else {
    *out_ += store_.symbols().text(value);
  }
}

// --- Scopes. ---

void TermPrinter::open_scope(TermId binder) {
  ++binder_count_;
  collect_taken_names(binder);
  for (const TermId variable : store_.bound_variables(binder)) {
    std::string name = name_for(variable, binder);
    taken_names_.insert(name);
    scope_[variable.value].push_back({std::move(name), binder_count_});
  }
}

void TermPrinter::open_formals(std::span<const TermId> formals, TermId body) {
  ++binder_count_;
  taken_names_.clear();
  for (const TermId formal : formals) {
    std::string name = name_for(formal, body);
    taken_names_.insert(name);
    scope_[formal.value].push_back({std::move(name), binder_count_});
  }
}

bool TermPrinter::is_in_scope(TermId variable) const {
  const auto found = scope_.find(variable.value);
  return found != scope_.end() && !found->second.empty();
}

void TermPrinter::close_scope(std::span<const TermId> variables) {
  for (const TermId variable : variables) scope_[variable.value].pop_back();
}

// Names that the binder's body needs for variables of other binders.
void TermPrinter::collect_taken_names(TermId binder) {
  taken_names_.clear();
  for (const TermId variable : free_.of(binder)) {
    if (is_in_scope(variable)) taken_names_.insert(scope_[variable.value].back().name);
  }
}

// The variable's own name, unless the binder's body means something else by it.
std::string TermPrinter::name_for(TermId variable, TermId binder) {
  const SymbolId symbol = store_.variable_name(variable);
  std::string name;
  append_symbol(name, store_.symbols(), symbol);
  const bool means_more = store_.is_function_name(symbol) || !store_.ops().named(symbol).empty() ||
                          store_.has(binder, ir::kHasUnknown);
  if (!taken_names_.contains(name) && !(means_more && applies(binder, symbol))) return name;
  const std::string stem(store_.symbols().text(symbol));
  for (;;) {
    const std::string other = stem + "!" + std::to_string(++rename_count_);
    if (store_.symbols().find(other).valid()) continue;
    return ir::needs_bars(other) ? "|" + other + "|" : other;
  }
}

// Whether a function or an operator of this name is applied somewhere in the term.
bool TermPrinter::applies(TermId root, SymbolId name) {
  const std::string_view text = store_.symbols().text(name);
  const auto is_use = [&](TermId term) {
    if (name_budget_ > 0) --name_budget_;
    switch (store_.op(term)) {
      case Op::kCall:
      case Op::kFunRef: return store_.fun(store_.callee(term)).name == name;
      case Op::kUnknownCall: return name_in(store_.literal_text(term)) == text;
      default: return store_.ops().info(store_.op(term)).name == name;
    }
  };
  // When looking costs too much, a name that may clash is taken to clash.
  if (name_budget_ == 0) return true;
  walker_.restart();
  return walker_.find(root, is_use);
}

// --- Lets. ---

// Writes the lets of the unit and, by the items that it leaves on the stack, the root.
void TermPrinter::open_unit(TermId root, uint32_t binder) {
  // A quantifier's patterns must follow it at once, so lets stand inside the annotation.
  if (store_.op(root) == Op::kAnnotated && usable_let(root) == nullptr) {
    write_annotation(root, binder);
    return;
  }
  // cvc5 takes no :named below a let, and a let before the :named could not use the name. Only a
  // term that would be long without a let takes the risk.
  constexpr uint64_t kLong = 2000;
  const uint64_t size = measures_.of(root).size;
  if (size < 2ULL * let_size_ || (store_.has(root, ir::kHasNamed) && size < kLong)) {
    push(Item::Kind::kTerm, root);
    return;
  }
  SharedTerms::Test is_bound_here;
  if (binder != 0) {
    is_bound_here = [this, binder](TermId variable) {
      return is_in_scope(variable) && scope_[variable.value].back().binder == binder;
    };
  }
  const auto is_worth = [this](TermId term) { return is_worth_a_name(term); };
  const auto levels = shared_terms_.find(root, is_bound_here, is_worth, budget_);
  if (levels.empty()) {
    push(Item::Kind::kTerm, root);
    return;
  }
  units_.emplace_back();
  push(Item::Kind::kEndUnit, {});
  for (const auto& level : levels) {
    for (const TermId term : level) give_let(term);
    push_text(")");
  }
  push(Item::Kind::kTerm, root);
  for (size_t i = levels.size(); i-- > 0;) bind_level(levels[i]);
}

// The term has a name from here to the end of the unit.
void TermPrinter::give_let(TermId term) {
  Let let{new_let_name(), {}, 0};
  for (const TermId variable : free_.of(term)) {
    let.binders.push_back(scope_[variable.value].back().binder);
  }
  if (innermost_let_.size() <= term.value) innermost_let_.resize(store_.term_count());
  let.outer = innermost_let_[term.value];
  lets_.push_back(std::move(let));
  innermost_let_[term.value] = static_cast<uint32_t>(lets_.size());
  units_.back().push_back(term);
}

void TermPrinter::push_unit(TermId root, uint32_t binder) {
  if (binder == kNoUnit) {
    push(Item::Kind::kTerm, root);
  } else {
    stack_.push_back({Item::Kind::kUnit, nullptr, root, binder});
  }
}

void TermPrinter::bind_level(const std::vector<TermId>& level) {
  push_text(") ");
  for (size_t i = level.size(); i-- > 0;) {
    push_text(")");
    push(Item::Kind::kDefinition, level[i]);
    push_text(" ");
    push(Item::Kind::kLetName, level[i]);
    push_text(i == 0 ? "(" : " (");
  }
  push_text("(let (");
}

bool TermPrinter::is_worth_a_name(TermId term) {
  if (store_.op(term) == Op::kMatchCase || measures_.of(term).size < let_size_) return false;
  // What depends on variables of binders further down is named there.
  const auto variables = free_.of(term);
  const bool closed = std::all_of(variables.begin(), variables.end(),
                                  [&](TermId variable) { return is_in_scope(variable); });
  return closed && usable_let(term) == nullptr;
}

std::string TermPrinter::new_let_name() {
  if (let_count_ == 0) choose_let_prefix();
  return let_prefix_ + std::to_string(++let_count_);
}

// A prefix that no function and no variable has. Of all symbols, only those that came since the
// last time are looked at.
void TermPrinter::choose_let_prefix() {
  constexpr std::string_view kStem = "_let";
  const ir::SymbolTable& symbols = store_.symbols();
  if (prefix_generation_ != store_.generation()) {
    prefix_generation_ = store_.generation();
    prefix_symbols_ = 0;
    similar_names_.clear();
  }
  for (uint32_t id = std::max(prefix_symbols_, 1U); id < symbols.size(); ++id) {
    if (symbols.text(SymbolId{id}).starts_with(kStem)) similar_names_.push_back(SymbolId{id});
  }
  prefix_symbols_ = symbols.size();
  std::set<std::string_view> taken;
  for (const SymbolId symbol : similar_names_) {
    if (!store_.is_function_name(symbol) && !store_.is_variable_name(symbol)) continue;
    const std::string_view text = symbols.text(symbol);
    taken.insert(text.substr(0, text.find('_', kStem.size()) + 1));
  }
  let_prefix_ = "_let_";
  for (uint32_t i = 1; taken.contains(let_prefix_); ++i) {
    let_prefix_ = std::string(kStem) + std::to_string(i) + "_";
  }
}

}  // namespace elenchus::smtlib
