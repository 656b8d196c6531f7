#include "smtlib/model_printer.h"

#include "smtlib/printer.h"
#include "smtlib/term_printer.h"

namespace elenchus::smtlib {
namespace {

class ModelWriter {
 public:
  explicit ModelWriter(const ir::TermStore& store)
      : store_(store), terms_(store, PrintOptions{}.let_size) {}

  base::Result<std::string> write(const ir::Model& model) {
    out_ = "(\n";
    for (const ir::Universe& universe : model.universes) write_universe(universe);
    for (const ir::FunctionDefinition& function : model.functions) {
      if (!write_function(function)) {
        return base::Error{base::ErrorKind::kLimit, "too many bound variables", {}};
      }
    }
    return std::move(out_) + ")\n";
  }

 private:
  void write_universe(const ir::Universe& universe) {
    for (const ir::FunId element : universe.elements) {
      out_ += "  (declare-fun ";
      write_name(element);
      out_ += " () ";
      write_sort(universe.sort);
      out_ += ")\n";
    }
    if (!universe.is_complete || universe.elements.empty()) return;
    out_ += "  (forall ((x ";
    write_sort(universe.sort);
    out_ += ")) (or";
    for (const ir::FunId element : universe.elements) {
      out_ += " (= x ";
      write_name(element);
      out_ += ')';
    }
    out_ += "))\n";
  }

  bool write_function(const ir::FunctionDefinition& function) {
    const auto& [formals, body] = function.definition;
    terms_.start_command();
    terms_.open_formals(formals, body);
    out_ += "  (define-fun ";
    write_name(function.fun);
    out_ += " (";
    terms_.append_variables(out_, formals);
    out_ += ") ";
    write_sort(store_.fun(function.fun).result);
    out_ += ' ';
    const bool done = terms_.append(out_, body);
    terms_.close_formals(formals);
    out_ += ")\n";
    return done;
  }

  void write_name(ir::FunId fun) { append_symbol(out_, store_.symbols(), store_.fun(fun).name); }
  void write_sort(ir::SortId sort) { append_sort(out_, store_.sorts(), store_.symbols(), sort); }

  const ir::TermStore& store_;
  TermPrinter terms_;
  std::string out_;
};

}  // namespace

base::Result<std::string> print_model(const ir::TermStore& store, const ir::Model& model) {
  return ModelWriter(store).write(model);
}

}  // namespace elenchus::smtlib
