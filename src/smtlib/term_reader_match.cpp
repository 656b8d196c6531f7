// How TermReader reads match.
#include "smtlib/term_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/apply.h"

namespace elenchus::smtlib {

using ir::FunId;
using ir::FunKind;
using ir::Op;
using ir::SortId;
using ir::SortKind;
using ir::SymbolId;
using ir::TermId;

bool TermReader::open_case(const Group& match) {
  const SortId scrutinee = store_.sort(values_[match.values]);
  if (store_.sorts().kind(scrutinee) != SortKind::kDatatype && scrutinee != ir::kUnknownSort) {
    return r_.fail_type(
        match.start,
        fmt::format("match on a term of sort {}, which is not a datatype", r_.shown(scrutinee)));
  }
  if (!r_.expect_open("'(' before a case")) return false;
  Group& group = push(Kind::kCase, r_.lexer.offset());
  return read_case_pattern(group, scrutinee);
}

// The constructor of that name that makes values of the sort, else the newest of that name.
FunId TermReader::constructor_of(SymbolId name, SortId sort) const {
  const ir::SortNode& node = store_.sorts()[sort];
  for (FunId fun = r_.scope.function(name); fun.valid(); fun = r_.scope.overload(fun)) {
    const ir::FunDecl& decl = store_.fun(fun);
    if (decl.kind == FunKind::kConstructor && node.kind == SortKind::kDatatype &&
        decl.datatype.value == node.a) {
      return fun;
    }
  }
  return datatype_function(name, FunKind::kConstructor);
}

// cons, (cons x y), x or _. Binds the variables and leaves them as the group's first values.
bool TermReader::read_case_pattern(Group& group, SortId scrutinee) {
  const Token token = r_.lexer.next();
  const bool with_fields = token.kind == TokenKind::kOpen;
  SymbolId name;
  if (with_fields) {
    name = r_.expect_symbol("a constructor");
    if (!name.valid()) return false;
  } else if (is_symbol(token)) {
    name = r_.intern(token);
  } else {
    return r_.fail_token(token, "a pattern");
  }
  const FunId constructor = constructor_of(name, scrutinee);
  const auto bind = [&](SymbolId variable, SortId sort) {
    const TermId term = store_.variable(variable, sort, r_.scope.binder_depth(variable));
    r_.scope.bind_local(variable, term, true);
    values_.push_back(term);
  };
  if (!with_fields && (!constructor.valid() || store_.fun(constructor).param_count > 0)) {
    bind(name, scrutinee);
    return true;
  }
  if (!constructor.valid()) {
    return r_.fail_type(token.offset, fmt::format("'{}' is not a constructor", r_.shown(name)));
  }
  group.constructor = constructor;
  ir::SortBindings bindings;
  if (!ir::match_sort(store_.sorts(), store_.fun(constructor).result, scrutinee, bindings)) {
    return r_.fail_type(token.offset, fmt::format("'{}' is not a constructor of sort {}",
                                                  r_.shown(name), r_.shown(scrutinee)));
  }
  if (!with_fields) return true;
  for (const SortId param : store_.params(constructor)) {
    const SymbolId variable = r_.expect_symbol("a variable for each field");
    if (!variable.valid()) return false;
    // A scrutinee of unknown sort does not say what the parameters are.
    const bool is_open = scrutinee == ir::kUnknownSort && store_.sorts()[param].has_parameters;
    bind(variable,
         is_open ? ir::kUnknownSort : ir::substitute_sort(store_.sorts(), param, bindings));
  }
  return r_.expect_close("')' after the pattern");
}

// Whether the cases leave no constructor of the scrutinee out. What we do not know is not judged.
bool TermReader::covers_all(uint32_t start, std::span<const TermId> parts) {
  const SortId scrutinee = store_.sort(parts[0]);
  if (store_.sorts().kind(scrutinee) != SortKind::kDatatype) return true;
  std::vector<FunId> covered;
  for (const TermId match_case : parts.subspan(1)) {
    const FunId constructor = store_.callee(match_case);
    if (!constructor.valid()) return true;
    covered.push_back(constructor);
  }
  std::sort(covered.begin(), covered.end());
  const ir::DatatypeId datatype{store_.sorts()[scrutinee].a};
  for (const ir::Constructor& constructor : store_.datatype(datatype).constructors) {
    if (std::binary_search(covered.begin(), covered.end(), constructor.fun)) continue;
    return r_.fail_type(start, fmt::format("the cases of match leave out '{}'",
                                           r_.shown(store_.fun(constructor.fun).name)));
  }
  return true;
}

TermId TermReader::finish_match(const Group& group) {
  const Group done = group;
  std::vector<TermId> parts(values_.begin() + done.values, values_.end());
  SortId sort = store_.sort(parts[1]);
  for (size_t i = 2; i < parts.size(); ++i) {
    if (sort == ir::kUnknownSort) sort = store_.sort(parts[i]);
    if (store_.sort(parts[i]) == sort || store_.sort(parts[i]) == ir::kUnknownSort) continue;
    r_.fail_type(done.start, fmt::format("the cases of match have sorts {} and {}", r_.shown(sort),
                                         r_.shown(store_.sort(parts[i]))));
    return {};
  }
  if (!covers_all(done.start, parts)) return {};
  const TermId term = store_.make(Op::kMatch, sort, 0, parts);
  drop_group(done);
  return term;
}

}  // namespace elenchus::smtlib
