#include "smtlib/parser.h"

#include "smtlib/script_reader.h"

namespace elenchus::smtlib {

base::Result<ir::Script> parse_script(ir::TermStore& store, std::string_view text,
                                      const ParseOptions& options) {
  if (text.size() >= UINT32_MAX) {
    return base::Error{base::ErrorKind::kLimit, "scripts of 4 GiB or more are not read"};
  }
  // A guess that is right within a factor of two for ordinary scripts.
  store.reserve_terms(static_cast<uint32_t>(text.size() / 12));
  ScriptReader reader(store, text);
  reader.reader().strict = options.strict;
  ir::Script script;
  if (!reader.read(script)) return reader.reader().take_error();
  script.warnings = reader.reader().take_warnings();
  return script;
}

}  // namespace elenchus::smtlib
