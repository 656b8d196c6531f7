#include "smtlib/printed_terms.h"

#include "smtlib/answers.h"

namespace elenchus::smtlib {

PrintedTerms::PrintedTerms(ir::TermStore& store, const ir::Script& script, size_t end,
                           std::string_view text, Strings strings)
    : store_(store), reader_(store, text), terms_(reader_) {
  reader_.from_solver = true;
  reader_.raw_strings = strings == Strings::kRaw;
  reader_.add_declarations(script, end);
}

void PrintedTerms::add(const ir::Model& model) {
  const auto add_function = [&](ir::FunId fun) {
    const ir::SymbolId name = store_.fun(fun).name;
    for (ir::FunId known = reader_.scope.function(name); known.valid();
         known = reader_.scope.overload(known)) {
      if (known == fun) return;
    }
    reader_.scope.add_function(fun);
  };
  for (const ir::Universe& universe : model.universes) {
    for (const ir::FunId element : universe.elements) add_function(element);
  }
  for (const ir::FunctionDefinition& function : model.functions) add_function(function.fun);
}

// An expression that does not end where it should would take what follows for its own.
ir::TermId PrintedTerms::read(size_t from, size_t to) {
  Lexer& lexer = reader_.lexer;
  reader_.has_escapes = false;
  Lexer part(lexer.text(static_cast<uint32_t>(from), static_cast<uint32_t>(to)));
  const bool is_whole = skip_printed(part) && part.next().kind == TokenKind::kEnd;
  if (!is_whole) return {};
  lexer.rewind(static_cast<uint32_t>(from));
  const uint32_t locals = reader_.scope.local_count();
  const ir::TermId term = terms_.read();
  const bool is_read = term.valid() && !reader_.failed() && lexer.offset() <= to;
  reader_.forgive();
  reader_.scope.unbind_locals(locals);
  return is_read && !store_.has(term, ir::kHasUnknown) ? term : ir::TermId{};
}

std::string_view value_in_reply(std::string_view reply) {
  if (reply.starts_with("(error") || reply.starts_with("unsupported")) return {};
  if (!reply.starts_with("((")) return reply;
  Lexer lexer(reply);
  lexer.next();
  lexer.next();
  if (!skip_printed(lexer)) return reply;
  lexer.peek();
  const uint32_t start = lexer.offset();
  if (!skip_printed(lexer)) return reply;
  const uint32_t end = lexer.offset();
  const bool is_pair = lexer.next().kind == TokenKind::kClose &&
                       lexer.next().kind == TokenKind::kClose &&
                       lexer.next().kind == TokenKind::kEnd;
  return is_pair ? reply.substr(start, end - start) : reply;
}

}  // namespace elenchus::smtlib
