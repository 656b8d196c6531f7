#include "smtlib/printer.h"

#include <algorithm>
#include <vector>

#include "smtlib/term_printer.h"

namespace elenchus::smtlib {

using ir::Command;
using ir::CommandKind;
using ir::SortId;
using ir::SymbolId;
using ir::TermId;

namespace {

base::Error too_many_variables() {
  return {base::ErrorKind::kLimit, "too many variables under too many nested binders", {}};
}

}  // namespace

// Writes scripts. The mutants of a seed differ in a command or two: what stands before and after
// them is copied from the text of the script before.
class ScriptWriter {
 public:
  ScriptWriter(const ir::TermStore& store, const PrintOptions& options)
      : store_(store), terms_(store, options.let_size) {}

  base::Result<PrintedScript> run(const ir::Script& script) {
    script_ = &script;
    terms_.start_script();
    names_before_.clear();
    keeps_names_ = false;
    out_.clear();
    ends_.clear();
    const size_t count = script.commands.size();
    Common common = common_with_last();
    bool needs_logic = !script.logic.valid();
    for (size_t i = 0; i < common.before && needs_logic; ++i) {
      needs_logic = may_precede_logic(script.commands[i]);
    }
    // The logic is written before the first command that needs it, wherever that is.
    if (needs_logic) common.after = 0;
    if (common.before > 0) {
      out_.assign(last_.text, 0, last_.command_ends[common.before - 1] + 1);
      const auto& ends = last_.command_ends;
      ends_.assign(ends.begin(), ends.begin() + static_cast<ptrdiff_t>(common.before));
    }
    for (size_t i = common.before; i < count - common.after; ++i) {
      const Command& command = script.commands[i];
      if (needs_logic && !may_precede_logic(command)) {
        out_ += "(set-logic ALL)\n";
        needs_logic = false;
      }
      terms_.start_command();
      if (!write_with_names(command)) {
        has_last_ = false;
        return too_many_variables();
      }
      ends_.push_back(static_cast<uint32_t>(out_.size()));
      out_ += '\n';
    }
    copy_end(common.after);
    remember();
    return last_;
  }

 private:
  // How many commands at the beginning and at the end are those of the last script.
  struct Common {
    size_t before = 0;
    size_t after = 0;
  };

  Common common_with_last() const {
    // Names are given once, so that each command depends on those before it.
    const bool usable = has_last_ && last_generation_ == store_.generation() &&
                        last_script_.logic.valid() == script_->logic.valid();
    if (!usable) return {};
    const auto& now = script_->commands;
    const auto& then = last_script_.commands;
    const size_t most = std::min(now.size(), then.size());
    Common common;
    while (common.before < most && same(now[common.before], then[common.before])) ++common.before;
    while (common.before + common.after < most &&
           same(now[now.size() - 1 - common.after], then[then.size() - 1 - common.after])) {
      ++common.after;
    }
    for (size_t i = common.before; i < now.size() - common.after; ++i) {
      if (has_names(now[i])) return {};
    }
    return common;
  }

  bool same(const Command& now, const Command& then) const {
    if (now.kind != then.kind || now.term != then.term || now.text != then.text ||
        now.number != then.number || now.item_count != then.item_count) {
      return false;
    }
    const auto items = script_->items(now);
    return items.empty() ||
           std::equal(items.begin(), items.end(), last_script_.items(then).begin());
  }

  bool has_names(const Command& command) const {
    const auto named = [&](TermId term) {
      return store_.has(term, ir::kHasNamed) || store_.has(term, ir::kHasUnknown);
    };
    if (ir::has_term(command.kind)) return named(command.term);
    const auto items = script_->items(command);
    if (ir::has_term_items(command.kind)) {
      return std::any_of(items.begin(), items.end(),
                         [&](uint32_t item) { return named(TermId{item}); });
    }
    if (command.kind < CommandKind::kDefineFun || command.kind > CommandKind::kDefineFunsRec) {
      return false;
    }
    return std::any_of(items.begin(), items.end(), [&](uint32_t item) {
      const TermId body = store_.fun(ir::FunId{item}).body;
      return body.valid() && named(body);
    });
  }

  void copy_end(size_t commands) {
    if (commands == 0) return;
    const auto& ends = last_.command_ends;
    const size_t first = ends.size() - commands;
    const uint32_t from = first == 0 ? 0 : ends[first - 1] + 1;
    const auto shift = static_cast<uint32_t>(out_.size()) - from;
    out_.append(last_.text, from);
    for (size_t i = first; i < ends.size(); ++i) ends_.push_back(ends[i] + shift);
  }

  void remember() {
    const auto& commands = script_->commands;
    has_last_ = std::none_of(commands.begin(), commands.end(),
                             [&](const Command& command) { return has_names(command); });
    last_generation_ = store_.generation();
    last_.text = out_;
    last_.command_ends = ends_;
    if (has_last_) last_script_ = *script_;
  }

  bool may_precede_logic(const Command& command) const {
    if (command.kind != CommandKind::kText) return command.kind == CommandKind::kExit;
    const std::string_view text = store_.symbols().text(command.text);
    return text.starts_with("(set-");
  }

  // The command, and before it definitions of the names that it uses and that the text does not
  // give.
  bool write_with_names(const Command& command) {
    const size_t start = out_.size();
    const size_t names = terms_.name_count();
    terms_.forget_missing_names();
    if (!write(command)) return false;
    if (terms_.missing_names().empty()) return true;
    std::vector<ir::FunId> missing = terms_.missing_names();
    out_.resize(start);
    terms_.forget_names(names);
    while (!missing.empty()) {
      const ir::FunId fun = missing.back();
      const size_t line = out_.size();
      terms_.forget_missing_names();
      out_ += "(define-fun ";
      if (!write_definition(fun)) return false;
      out_ += ")\n";
      const auto& more = terms_.missing_names();
      if (more.empty()) missing.pop_back();
      if (!more.empty() || !terms_.give_name(fun)) out_.resize(line);
      missing.insert(missing.end(), more.begin(), more.end());
    }
    return write(command);
  }

  void symbol(SymbolId name) { append_symbol(out_, store_.symbols(), name); }
  void sort(SortId id) { append_sort(out_, store_.sorts(), store_.symbols(), id); }
  void text(SymbolId id) { out_ += store_.symbols().text(id); }

  bool write(const Command& command) {
    const auto items = script_->items(command);
    switch (command.kind) {
      case CommandKind::kText:
        text(command.text);
        note_option(store_.symbols().text(command.text));
        return true;
      case CommandKind::kSetLogic:
        out_ += "(set-logic ";
        symbol(command.text);
        break;
      case CommandKind::kDeclareSort:
        out_ += "(declare-sort ";
        symbol(SymbolId{items[0]});
        out_ += ' ' + std::to_string(command.number);
        break;
      case CommandKind::kDeclareSortParameter:
        out_ += "(declare-sort-parameter ";
        symbol(SymbolId{items[0]});
        break;
      case CommandKind::kDefineSort: write_define_sort(items); break;
      case CommandKind::kDeclareFun: write_declare_fun(ir::FunId{items[0]}); break;
      case CommandKind::kDeclareConst:
        out_ += "(declare-const ";
        symbol(store_.fun(ir::FunId{items[0]}).name);
        out_ += ' ';
        sort(store_.fun(ir::FunId{items[0]}).result);
        break;
      case CommandKind::kDefineFun:
      case CommandKind::kDefineConst:
        out_ += "(define-fun ";
        if (!write_definition(ir::FunId{items[0]})) return false;
        break;
      case CommandKind::kDefineFunRec:
        out_ += "(define-fun-rec ";
        if (!write_definition(ir::FunId{items[0]})) return false;
        break;
      case CommandKind::kDefineFunsRec:
        if (!write_definitions(items)) return false;
        break;
      case CommandKind::kDeclareDatatypes: write_datatypes(items); break;
      case CommandKind::kAssert: return write_with_term("(assert ", command);
      case CommandKind::kAssertSoft: return write_with_term("(assert-soft ", command);
      case CommandKind::kMinimize: return write_with_term("(minimize ", command);
      case CommandKind::kMaximize: return write_with_term("(maximize ", command);
      case CommandKind::kCheckSat: out_ += "(check-sat"; break;
      case CommandKind::kCheckSatAssuming: return write_list("(check-sat-assuming (", command);
      case CommandKind::kGetValue: return write_list("(get-value (", command);
      case CommandKind::kCheckSatUsing:
        out_ += "(check-sat-using ";
        text(command.text);
        break;
      case CommandKind::kPush:
        out_ += "(push " + std::to_string(command.number);
        names_before_.insert(names_before_.end(), command.number, terms_.name_count());
        break;
      case CommandKind::kPop:
        out_ += "(pop " + std::to_string(command.number);
        forget_names(command.number);
        break;
      case CommandKind::kReset:
        out_ += "(reset";
        names_before_.clear();
        terms_.forget_names(0);
        break;
      case CommandKind::kResetAssertions:
        out_ += "(reset-assertions";
        names_before_.clear();
        terms_.forget_names(0);
        break;
      case CommandKind::kExit: out_ += "(exit"; break;
    }
    out_ += ')';
    return true;
  }

  void note_option(std::string_view option) {
    if (!option.starts_with("(set-option :global-decl")) return;
    keeps_names_ = option.find("true") != std::string_view::npos;
  }

  // What was named within popped levels may be named again.
  void forget_names(uint32_t levels) {
    for (; levels > 0 && !names_before_.empty(); --levels) {
      if (!keeps_names_) terms_.forget_names(names_before_.back());
      names_before_.pop_back();
    }
  }

  bool write_with_term(const char* head, const Command& command) {
    out_ += head;
    if (!terms_.append(out_, command.term)) return false;
    if (command.text.valid()) {
      out_ += ' ';
      text(command.text);
    }
    out_ += ')';
    return true;
  }

  bool write_list(const char* head, const Command& command) {
    out_ += head;
    const char* space = "";
    for (const uint32_t item : script_->items(command)) {
      out_ += space;
      if (!terms_.append(out_, TermId{item})) return false;
      space = " ";
    }
    out_ += ')';
    if (command.text.valid()) {
      out_ += ' ';
      text(command.text);
    }
    out_ += ')';
    return true;
  }

  void write_define_sort(std::span<const uint32_t> items) {
    out_ += "(define-sort ";
    symbol(SymbolId{items[0]});
    out_ += " (";
    for (size_t i = 2; i < items.size(); ++i) {
      if (i > 2) out_ += ' ';
      sort(SortId{items[i]});
    }
    out_ += ") ";
    sort(SortId{items[1]});
  }

  void write_declare_fun(ir::FunId fun) {
    out_ += "(declare-fun ";
    symbol(store_.fun(fun).name);
    out_ += " (";
    const char* space = "";
    for (const SortId param : store_.params(fun)) {
      out_ += space;
      sort(param);
      space = " ";
    }
    out_ += ") ";
    sort(store_.fun(fun).result);
  }

  void write_signature(ir::FunId fun) {
    symbol(store_.fun(fun).name);
    out_ += " (";
    terms_.append_variables(out_, store_.formals(fun));
    out_ += ") ";
    sort(store_.fun(fun).result);
  }

  bool write_definition(ir::FunId fun) {
    const ir::TermId body = store_.fun(fun).body;
    terms_.open_formals(store_.formals(fun), body);
    write_signature(fun);
    out_ += ' ';
    const bool done = terms_.append(out_, body);
    terms_.close_formals(store_.formals(fun));
    return done;
  }

  bool write_definitions(std::span<const uint32_t> funs) {
    std::string bodies;
    out_ += "(define-funs-rec (";
    for (size_t i = 0; i < funs.size(); ++i) {
      const ir::FunId fun{funs[i]};
      const ir::TermId body = store_.fun(fun).body;
      terms_.open_formals(store_.formals(fun), body);
      out_ += i == 0 ? "(" : " (";
      write_signature(fun);
      out_ += ')';
      if (i > 0) bodies += ' ';
      const bool done = terms_.append(bodies, body);
      terms_.close_formals(store_.formals(fun));
      if (!done) return false;
    }
    out_ += ") (" + bodies + ")";
    return true;
  }

  void write_datatypes(std::span<const uint32_t> ids) {
    const bool codata = store_.datatype(ir::DatatypeId{ids[0]}).is_codatatype;
    out_ += codata ? "(declare-codatatypes (" : "(declare-datatypes (";
    const char* space = "";
    for (const uint32_t id : ids) {
      const ir::Datatype& datatype = store_.datatype(ir::DatatypeId{id});
      out_ += space;
      out_ += '(';
      symbol(datatype.name);
      out_ += ' ' + std::to_string(datatype.parameters.size()) + ')';
      space = " ";
    }
    out_ += ") (";
    space = "";
    for (const uint32_t id : ids) {
      out_ += space;
      write_datatype(store_.datatype(ir::DatatypeId{id}));
      space = " ";
    }
    out_ += ')';
  }

  void write_datatype(const ir::Datatype& datatype) {
    if (!datatype.parameters.empty()) {
      out_ += "(par (";
      for (size_t i = 0; i < datatype.parameters.size(); ++i) {
        if (i > 0) out_ += ' ';
        sort(datatype.parameters[i]);
      }
      out_ += ") ";
    }
    out_ += '(';
    const char* space = "";
    for (const ir::Constructor& constructor : datatype.constructors) {
      out_ += space;
      out_ += '(';
      symbol(store_.fun(constructor.fun).name);
      for (const ir::FunId selector : constructor.selectors) {
        out_ += " (";
        symbol(store_.fun(selector).name);
        out_ += ' ';
        sort(store_.fun(selector).result);
        out_ += ')';
      }
      out_ += ')';
      space = " ";
    }
    out_ += ')';
    if (!datatype.parameters.empty()) out_ += ')';
  }

  const ir::TermStore& store_;
  const ir::Script* script_ = nullptr;
  TermPrinter terms_;
  std::vector<size_t> names_before_;  // for each open level: how many names there were
  bool keeps_names_ = false;          // :global-declarations
  std::string out_;
  std::vector<uint32_t> ends_;

  bool has_last_ = false;
  uint64_t last_generation_ = 0;
  ir::Script last_script_;
  PrintedScript last_;
};

base::Result<std::string> print_script(const ir::TermStore& store, const ir::Script& script,
                                       const PrintOptions& options) {
  auto printed = ScriptWriter(store, options).run(script);
  if (!printed) return printed.error();
  return std::move(printed->text);
}

ScriptPrinter::ScriptPrinter(const ir::TermStore& store, const PrintOptions& options)
    : store_(store), options_(options) {}
ScriptPrinter::~ScriptPrinter() = default;
ScriptPrinter::ScriptPrinter(ScriptPrinter&&) noexcept = default;

base::Result<PrintedScript> ScriptPrinter::print(const ir::Script& script) {
  if (writer_ == nullptr) writer_ = std::make_unique<ScriptWriter>(store_, options_);
  auto printed = writer_->run(script);
  // Tables that ran out of room are of no more use.
  if (!printed) writer_ = nullptr;
  return printed;
}

base::Result<std::string> print_term(const ir::TermStore& store, TermId term,
                                     const PrintOptions& options) {
  std::string out;
  TermPrinter printer(store, options.let_size);
  if (!printer.append(out, term)) return too_many_variables();
  return out;
}

}  // namespace elenchus::smtlib
