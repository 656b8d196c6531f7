#include "smtlib/printer.h"

#include <optional>
#include <utility>
#include <vector>

#include "ir/timeline.h"
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

class ScriptWriter {
 public:
  ScriptWriter(const ir::TermStore& store, const PrintOptions& options)
      : store_(store), terms_(store, options.let_size) {}

  base::Result<PrintedScript> run(const ir::Script& script) {
    script_ = &script;
    terms_.start_script();
    timeline_.emplace(store_, script);
    names_before_.clear();
    out_.clear();
    PrintedScript printed;
    bool needs_logic = !script.logic.valid();
    for (const Command& command : script.commands) {
      // The logic is written before the first command that needs it, wherever that is.
      if (needs_logic && !may_precede_logic(command)) {
        out_ += "(set-logic ALL)\n";
        needs_logic = false;
      }
      terms_.start_command();
      names_before_.push_back(terms_.name_count());
      if (!write_with_names(command)) return too_many_variables();
      printed.command_ends.push_back(static_cast<uint32_t>(out_.size()));
      out_ += '\n';
    }
    printed.text = std::move(out_);
    return printed;
  }

 private:
  static bool may_precede_logic(const Command& command) {
    return ir::is_setting(command.kind) || command.kind == CommandKind::kExit;
  }

  // The command, and before it definitions of the names that it uses and that the text does not
  // give.
  bool write_with_names(const Command& command) {
    const size_t start = out_.size();
    const size_t names = terms_.name_count();
    terms_.forget_missing_names();
    if (!write(command)) return false;
    if (terms_.missing_names().empty()) return true;
    const std::vector<ir::FunId> missing = terms_.missing_names();
    out_.resize(start);
    terms_.forget_names(names);
    return define_names(missing) && write(command);
  }

  // What a definition itself lacks is defined before it: then it is written anew.
  bool define_names(std::vector<ir::FunId> missing) {
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
    return true;
  }

  void symbol(SymbolId name) { append_symbol(out_, store_.symbols(), name); }
  void sort(SortId id) { append_sort(out_, store_.sorts(), store_.symbols(), id); }
  void text(SymbolId id) { out_ += store_.symbols().text(id); }

  bool write(const Command& command) {
    const auto items = script_->items(command);
    switch (command.kind) {
      case CommandKind::kText: text(command.text); return true;
      case CommandKind::kSetOption: write_setting("(set-option ", command); break;
      case CommandKind::kSetInfo: write_setting("(set-info ", command); break;
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
      case CommandKind::kPush: out_ += "(push " + std::to_string(command.number); break;
      case CommandKind::kPop:
        out_ += "(pop " + std::to_string(command.number);
        forget_popped_names();
        break;
      case CommandKind::kReset:
        out_ += "(reset";
        terms_.forget_names(0);
        break;
      case CommandKind::kResetAssertions:
        out_ += "(reset-assertions";
        terms_.forget_names(0);
        break;
      case CommandKind::kExit: out_ += "(exit"; break;
    }
    out_ += ')';
    return true;
  }

  void write_setting(const char* head, const Command& command) {
    out_ += head;
    text(command.text);
    if (!command.value.valid()) return;
    out_ += ' ';
    text(command.value);
  }

  // What was named within popped levels may be named again.
  void forget_popped_names() {
    const uint32_t push = timeline_->taken_back_to(names_before_.size() - 1);
    if (push != ir::Timeline::kNever) terms_.forget_names(names_before_[push]);
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
  std::optional<ir::Timeline> timeline_;
  std::vector<size_t> names_before_;  // by command: how many names there were
  std::string out_;
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
