// Uses are found by walking terms; sorts and signatures are followed from there. A function is
// known by its id, a sort by its symbol (uninterpreted sorts and sort parameters) or by its
// datatype.
#include "reduce/declarations.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"
#include "ir/functions.h"
#include "ir/naming.h"
#include "ir/script_parts.h"
#include "ir/timeline.h"

namespace elenchus::reduce {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

namespace {

// One number for both kinds of named sorts.
uint32_t datatype_key(ir::DatatypeId id) { return id.value | 0x8000'0000U; }

// The symbols in a text, as far as names are concerned.
template <typename Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '|' || text[i] == '"') {
      const size_t end = std::min(text.find(text[i], i + 1), text.size());
      if (text[i] == '|') visit(text.substr(i + 1, end - i - 1));
      i = end + 1;
      continue;
    }
    const size_t end = std::min(text.find_first_of(" \t\r\n()|\"", i), text.size());
    if (end > i) visit(text.substr(i, end - i));
    i = std::max(end, i + 1);
    if (end < text.size() && (text[end] == '|' || text[end] == '"')) i = end;
  }
}

}  // namespace

// --- Uses. ---

void Declarations::add_text(SymbolId text, Uses& uses) {
  for_each_word(store_.symbols().text(text), [&](std::string_view word) {
    const SymbolId name = store_.symbols().find(word);
    if (name.valid()) uses.names.insert(name.value);
  });
}

void Declarations::add_sort(SortId root, Uses& uses) {
  std::vector<SortId> stack = {root};
  while (!stack.empty()) {
    const SortId sort = stack.back();
    stack.pop_back();
    if (!uses.seen_sorts.insert(sort.value).second) continue;
    const ir::SortNode& node = store_.sorts()[sort];
    uint32_t key = 0;
    if (node.kind == SortKind::kUninterpreted || node.kind == SortKind::kParameter) key = node.a;
    if (node.kind == SortKind::kDatatype) key = datatype_key(ir::DatatypeId{node.a});
    if (node.kind == SortKind::kOpaque) add_text(SymbolId{node.a}, uses);
    if (key != 0 && uses.sorts.insert(key).second) uses.new_sorts.push_back(key);
    for (const SortId child : store_.sorts().children(sort)) stack.push_back(child);
  }
}

void Declarations::add_function(FunId fun, Uses& uses) {
  if (uses.functions.insert(fun.value).second) {
    uses.new_functions.push_back(fun.value);
  }
}

void Declarations::add_node(TermId term, Uses& uses, std::vector<TermId>& more) {
  add_sort(store_.sort(term), uses);
  switch (store_.op(term)) {
    case Op::kCall:
      // What a name means is part of the term: no command declares it.
      if (is_named_call(store_, term)) {
        more.push_back(store_.fun(store_.callee(term)).body);
        break;
      }
      add_function(store_.callee(term), uses);
      break;
    case Op::kUnknownCall:
    case Op::kUnknownText: add_text(SymbolId{store_.payload(term)}, uses); break;
    case Op::kAnnotated: {
      const auto attribute = store_.indices(term);
      if (const SymbolId name = ir::given_name(store_, term); name.valid()) {
        uses.given_names.emplace_back(name.value, store_.args(term)[0]);
      } else if (attribute[1] != 0) {
        add_text(SymbolId{attribute[1]}, uses);
      }
      break;
    }
    default: ir::for_each_function(store_, term, [&](FunId fun) { add_function(fun, uses); });
  }
}

void Declarations::add_term(TermId root, Uses& uses) {
  std::vector<TermId> more = {root};
  while (!more.empty()) {
    const TermId next = more.back();
    more.pop_back();
    walker_.walk(next, [&](TermId term) { add_node(term, uses, more); });
  }
}

void Declarations::add_signature(FunId fun, Uses& uses) {
  add_sort(store_.fun(fun).result, uses);
  for (const SortId param : store_.params(fun)) add_sort(param, uses);
}

void Declarations::add_fields(ir::DatatypeId id, Uses& uses) {
  for (const ir::Constructor& constructor : store_.datatype(id).constructors) {
    for (const FunId selector : constructor.selectors) {
      add_sort(store_.fun(selector).result, uses);
    }
  }
}

// --- Names. ---

std::unordered_set<std::string> Declarations::names(const ir::Script& script) {
  std::unordered_set<std::string> names;
  const auto add = [&](SymbolId name) { names.emplace(store_.symbols().text(name)); };
  const auto add_words = [&](SymbolId text) {
    if (!text.valid()) return;
    for_each_word(store_.symbols().text(text), [&](std::string_view word) { names.emplace(word); });
  };
  walker_.restart();
  const auto add_names_of = [&](TermId term) {
    switch (store_.op(term)) {
      case Op::kVar: add(store_.variable_name(term)); break;
      case Op::kCall: add(store_.fun(store_.callee(term)).name); break;
      case Op::kUnknownCall:
      case Op::kUnknownText: add_words(SymbolId{store_.payload(term)}); break;
      case Op::kAnnotated: add_words(SymbolId{store_.indices(term)[1]}); break;
      default: break;
    }
  };
  for (const Command& command : script.commands) {
    add_words(command.text);
    add_words(command.value);
    for_each_root(store_, script, command, [&](TermId root) { walker_.walk(root, add_names_of); });
    if (!is_declaration(command.kind)) continue;
    ir::for_each_declared(store_, script, command, [&](FunId fun) {
      add(store_.fun(fun).name);
      for (const TermId formal : store_.formals(fun)) add(store_.variable_name(formal));
    });
    if (declares_functions(command.kind)) continue;
    if (command.kind != CommandKind::kDeclareDatatypes) {
      add(SymbolId{script.items(command)[0]});
      continue;
    }
    for (const uint32_t item : script.items(command)) {
      add(store_.datatype(ir::DatatypeId{item}).name);
    }
  }
  return names;
}

// --- Unused declarations. ---

bool Declarations::is_used(const ir::Script& script, const Command& command,
                           const Uses& uses) const {
  const auto items = script.items(command);
  const auto named = [&](SymbolId name) { return uses.names.contains(name.value); };
  switch (command.kind) {
    case CommandKind::kDefineSort: return named(SymbolId{items[0]});
    case CommandKind::kDeclareSort:
    case CommandKind::kDeclareSortParameter:
      return uses.sorts.contains(items[0]) || named(SymbolId{items[0]});
    case CommandKind::kDeclareDatatypes:
      return std::any_of(items.begin(), items.end(), [&](uint32_t item) {
        const ir::DatatypeId id{item};
        if (uses.sorts.contains(datatype_key(id)) || named(store_.datatype(id).name)) return true;
        bool found = false;
        ir::for_each_function_of(store_.datatype(id),
                                 [&](FunId fun) { found = found || named(store_.fun(fun).name); });
        return found;
      });
    default:
      return std::any_of(items.begin(), items.end(), [&](uint32_t item) {
        return uses.functions.contains(item) || named(store_.fun(FunId{item}).name);
      });
  }
}

std::vector<uint32_t> Declarations::unused(const ir::Script& script) {
  Uses uses;
  walker_.restart();
  std::vector<uint32_t> open;  // declarations not known to be used
  for (uint32_t i = 0; i < script.commands.size(); ++i) {
    const Command& command = script.commands[i];
    if (is_declaration(command.kind)) {
      open.push_back(i);
      continue;
    }
    if (command.text.valid() && command.kind != CommandKind::kSetLogic) {
      add_text(command.text, uses);
    }
    if (command.value.valid()) add_text(command.value, uses);
    for_each_root(store_, script, command, [&](TermId term) { add_term(term, uses); });
  }
  // Uses are mostly of earlier declarations, so that going backwards needs few rounds.
  for (bool more = true; more;) {
    more = false;
    for (size_t i = open.size(); i-- > 0;) {
      const Command& command = script.commands[open[i]];
      if (!is_used(script, command, uses)) continue;
      more = true;
      open.erase(open.begin() + static_cast<ptrdiff_t>(i));
      for (const uint32_t item : script.items(command)) {
        if (declares_functions(command.kind)) add_signature(FunId{item}, uses);
        if (is_definition(command.kind)) add_term(store_.fun(FunId{item}).body, uses);
        if (command.kind == CommandKind::kDeclareDatatypes) {
          add_fields(ir::DatatypeId{item}, uses);
        }
      }
    }
  }
  return open;
}

// --- Scopes. ---

// What is declared at some point of a script, with a log to go back by.
struct Declarations::Live {
  struct Entry {
    enum class Kind : uint8_t { kFunction, kSort, kSignature, kSortName, kGivenName } kind;
    uint64_t key;
  };
  std::unordered_set<uint32_t> functions;
  std::unordered_set<uint32_t> sorts;
  std::unordered_set<uint64_t> signatures;
  std::unordered_set<uint64_t> sort_names;
  std::unordered_map<uint64_t, TermId> given_names;
  std::vector<Entry> log;

  bool add(Entry::Kind kind, uint64_t key) {
    log.push_back({kind, key});
    switch (kind) {
      case Entry::Kind::kFunction: return functions.insert(static_cast<uint32_t>(key)).second;
      case Entry::Kind::kSort: return sorts.insert(static_cast<uint32_t>(key)).second;
      case Entry::Kind::kSignature: return signatures.insert(key).second;
      case Entry::Kind::kSortName: return sort_names.insert(key).second;
      case Entry::Kind::kGivenName: break;
    }
    return true;
  }

  void cut(size_t size) {
    for (; log.size() > size; log.pop_back()) {
      const auto [kind, key] = log.back();
      switch (kind) {
        case Entry::Kind::kFunction: functions.erase(static_cast<uint32_t>(key)); break;
        case Entry::Kind::kSort: sorts.erase(static_cast<uint32_t>(key)); break;
        case Entry::Kind::kSignature: signatures.erase(key); break;
        case Entry::Kind::kSortName: sort_names.erase(key); break;
        case Entry::Kind::kGivenName: given_names.erase(key); break;
      }
    }
  }
};

// Where is_closed() has come to.
struct Declarations::Scope {
  Scope(const ir::TermStore& store, const ir::Script& script) : timeline(store, script) {}

  ir::Timeline timeline;
  Live live;
  Uses uses;                       // since the last pop: whatever was live then still is
  std::vector<size_t> log_before;  // by command: how long the log was
};

uint64_t Declarations::signature_key(FunId fun) const {
  uint64_t hash = base::hash_mix(store_.fun(fun).name.value, store_.fun(fun).result.value);
  for (const SortId param : store_.params(fun)) hash = base::hash_mix(hash, param.value);
  return hash;
}

bool Declarations::declare_function(FunId fun, Live& live) const {
  const bool is_new = live.add(Live::Entry::Kind::kFunction, fun.value);
  return live.add(Live::Entry::Kind::kSignature, signature_key(fun)) && is_new;
}

bool Declarations::declare_datatypes(const ir::Script& script, const Command& command, Live& live) {
  bool fresh = true;
  for (const uint32_t item : script.items(command)) {
    const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{item});
    live.add(Live::Entry::Kind::kSort, datatype_key(ir::DatatypeId{item}));
    fresh = live.add(Live::Entry::Kind::kSortName, datatype.name.value) && fresh;
    ir::for_each_function_of(datatype,
                             [&](FunId fun) { fresh = declare_function(fun, live) && fresh; });
  }
  return fresh;
}

bool Declarations::declare(const ir::Script& script, const Command& command, Live& live) {
  const auto items = script.items(command);
  switch (command.kind) {
    case CommandKind::kDeclareSort:
    case CommandKind::kDeclareSortParameter:
      live.add(Live::Entry::Kind::kSort, items[0]);
      [[fallthrough]];
    case CommandKind::kDefineSort: return live.add(Live::Entry::Kind::kSortName, items[0]);
    case CommandKind::kDeclareDatatypes: return declare_datatypes(script, command, live);
    default: {
      bool fresh = true;
      for (const uint32_t item : items) fresh = declare_function(FunId{item}, live) && fresh;
      return fresh;
    }
  }
}

bool Declarations::all_live(Uses& uses, const Live& live) const {
  const bool functions = std::all_of(uses.new_functions.begin(), uses.new_functions.end(),
                                     [&](uint32_t fun) { return live.functions.contains(fun); });
  const bool sorts = std::all_of(uses.new_sorts.begin(), uses.new_sorts.end(),
                                 [&](uint32_t sort) { return live.sorts.contains(sort); });
  uses.new_functions.clear();
  uses.new_sorts.clear();
  return functions && sorts;
}

// Commands that change what is declared, without using or declaring anything. False when it is no
// such command.
bool Declarations::change_level(const Command& command, Scope& scope) {
  Live& live = scope.live;
  const size_t at = scope.log_before.size() - 1;
  const auto start_again = [&] {
    scope.uses = {};
    walker_.restart();
  };
  switch (command.kind) {
    case CommandKind::kSetOption:
    case CommandKind::kSetInfo:
    case CommandKind::kText:
    case CommandKind::kPush: return true;
    case CommandKind::kPop:
      if (const uint32_t push = scope.timeline.taken_back_to(at); push != ir::Timeline::kNever) {
        live.cut(scope.log_before[push]);
      }
      start_again();
      return true;
    case CommandKind::kReset:
      live = {};
      start_again();
      return true;
    case CommandKind::kResetAssertions:
      // What was declared may be declared again, and may still be used.
      live.signatures.clear();
      live.sort_names.clear();
      live.given_names.clear();
      return true;
    default: return false;
  }
}

// What the command itself uses, besides its terms.
void Declarations::add_sorts_of(const ir::Script& script, const Command& command, Uses& uses) {
  const auto items = script.items(command);
  // The parameters of a datatype or of an abbreviation are declared by it.
  const auto add_parameter = [&](SortId parameter) {
    uses.sorts.insert(store_.sorts()[parameter].a);
  };
  if (command.kind == CommandKind::kDefineSort) {
    for (const uint32_t item : items.subspan(2)) add_parameter(SortId{item});
    add_sort(SortId{items[1]}, uses);
  }
  for (const uint32_t item : items) {
    if (declares_functions(command.kind)) add_signature(FunId{item}, uses);
    if (command.kind != CommandKind::kDeclareDatatypes) continue;
    for (const SortId parameter : store_.datatype(ir::DatatypeId{item}).parameters) {
      add_parameter(parameter);
    }
    add_fields(ir::DatatypeId{item}, uses);
  }
}

// A name stands for one term at a time.
bool Declarations::give_names(Uses& uses, Live& live) {
  bool fresh = true;
  for (const auto& [name, term] : uses.given_names) {
    const auto [entry, is_new] = live.given_names.emplace(name, term);
    if (is_new) live.log.push_back({Live::Entry::Kind::kGivenName, name});
    fresh = fresh && entry->second == term;
  }
  uses.given_names.clear();
  return fresh;
}

bool Declarations::is_closed(const ir::Script& script) {
  Scope scope(store_, script);
  walker_.restart();
  for (const Command& command : script.commands) {
    if (scope.timeline.pops_too_many(scope.log_before.size())) return false;
    scope.log_before.push_back(scope.live.log.size());
    if (change_level(command, scope)) continue;
    const bool declares = is_declaration(command.kind);
    // These may use what they declare.
    const bool first = command.kind == CommandKind::kDeclareDatatypes ||
                       command.kind == CommandKind::kDefineFunRec ||
                       command.kind == CommandKind::kDefineFunsRec;
    if (first && !declare(script, command, scope.live)) return false;
    add_sorts_of(script, command, scope.uses);
    for_each_root(store_, script, command, [&](TermId term) { add_term(term, scope.uses); });
    if (!all_live(scope.uses, scope.live) || !give_names(scope.uses, scope.live)) return false;
    if (declares && !first && !declare(script, command, scope.live)) return false;
  }
  return true;
}

}  // namespace elenchus::reduce
