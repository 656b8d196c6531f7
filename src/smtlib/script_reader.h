#pragma once

#include <string_view>
#include <vector>

#include "ir/script.h"
#include "smtlib/reader.h"
#include "smtlib/term_reader.h"

namespace elenchus::smtlib {

// Reads commands, one after the other, into a script.
class ScriptReader {
 public:
  ScriptReader(ir::TermStore& store, std::string_view text) : r_(store, text), terms_(r_) {}

  Reader& reader() { return r_; }

  // False after a failure.
  bool read(ir::Script& script);

 private:
  using Handler = bool (ScriptReader::*)(ir::Command&);
  static Handler handler_of(std::string_view name);

  bool read_commands();
  bool read_command(uint32_t start);
  bool finish(ir::Command& command);
  // The rest of the command, up to its closing parenthesis, as text: none when nothing is left.
  bool read_rest(ir::SymbolId& text);
  bool rest_as_text(ir::Command& command);

  bool set_logic(ir::Command& command);
  bool set_option(ir::Command& command);
  bool set_info(ir::Command& command);
  bool read_setting(ir::Command& command);
  bool any_text(ir::Command& command);
  bool declare_sort(ir::Command& command);
  bool define_sort(ir::Command& command);
  bool declare_sort_parameter(ir::Command& command);
  bool declare_fun(ir::Command& command);
  bool declare_const(ir::Command& command);
  bool declare_var(ir::Command& command);
  bool define_fun(ir::Command& command);
  bool define_const(ir::Command& command);
  bool define_fun_rec(ir::Command& command);
  bool define_funs_rec(ir::Command& command);
  bool declare_datatype(ir::Command& command);
  bool declare_datatypes(ir::Command& command);
  bool declare_codatatype(ir::Command& command);
  bool declare_codatatypes(ir::Command& command);
  bool assert_term(ir::Command& command);
  bool assert_soft(ir::Command& command);
  bool minimize(ir::Command& command);
  bool maximize(ir::Command& command);
  bool check_sat(ir::Command& command);
  bool check_sat_assuming(ir::Command& command);
  bool check_sat_using(ir::Command& command);
  bool get_value(ir::Command& command);
  bool push(ir::Command& command);
  bool pop(ir::Command& command);
  bool reset(ir::Command& command);
  bool reset_assertions(ir::Command& command);
  bool end_script(ir::Command& command);

  bool add_function(ir::Command& command, ir::SymbolId name, uint32_t offset, ir::FunKind kind,
                    std::span<const ir::SortId> params, ir::SortId result, ir::FunId& fun);
  bool define(ir::Command& command, std::string_view what, ir::FunKind kind);
  void settle_assertions();
  bool read_body(ir::SortId wanted, ir::TermId& body);
  bool read_terms(ir::Command& command, ir::SortId wanted);
  bool read_term_list(ir::Command& command, ir::SortId wanted);
  bool read_objective(ir::Command& command, ir::CommandKind kind);
  bool level_change(ir::Command& command);
  ir::SymbolId new_sort_name(std::string_view what);

  // Datatypes.
  struct NewDatatype {
    ir::SymbolId name;
    ir::DatatypeId id;
    uint32_t arity = 0;
  };
  struct NewConstructor {
    ir::SymbolId name;
    uint32_t offset = 0;
    std::vector<ir::SymbolId> selectors;
    std::vector<ir::SortId> fields;  // by selector
  };
  bool read_datatypes(ir::Command& command, bool codatatypes);
  bool read_old_datatypes(ir::Command& command, std::vector<ir::SymbolId> parameters,
                          bool codatatypes);
  bool read_datatype_body(const NewDatatype& datatype);
  bool read_constructors(const NewDatatype& datatype, std::span<const ir::SortId> parameters);
  bool read_constructor(NewConstructor& constructor);
  bool declare_constructor(const NewDatatype& datatype, ir::SortId sort,
                           const NewConstructor& read);
  void announce(NewDatatype& datatype, bool codatatype);
  std::vector<ir::SortId> bind_parameters(std::span<const ir::SymbolId> names);
  void unbind_parameters(std::span<const ir::SymbolId> names);
  bool read_symbol_list(std::vector<ir::SymbolId>& names);

  Reader r_;
  TermReader terms_;
  ir::Script* script_ = nullptr;
  std::vector<size_t> unsettled_;  // commands whose terms wait in terms_
  bool done_ = false;
};

}  // namespace elenchus::smtlib
