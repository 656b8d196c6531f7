#pragma once

#include <string_view>

#include "ir/model.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "smtlib/model_reader.h"
#include "smtlib/reader.h"
#include "smtlib/term_reader.h"

namespace elenchus::smtlib {

// Reads terms that a solver printed, anywhere in one text. A failure says nothing about the next
// term. The text, the script and the store must outlive it.
class PrintedTerms {
 public:
  // Names mean what they mean in the script before its command number `end`.
  PrintedTerms(ir::TermStore& store, const ir::Script& script, size_t end, std::string_view text,
               Strings strings = Strings::kEscaped);

  // The functions that only a model has can be named, too.
  void add(const ir::Model& model);

  // The only term in a part of the text; none where there is no term, or more than that, or one
  // with something in it that we do not know.
  ir::TermId read(size_t from, size_t to);

  // Whether the latest term has a string with what may be an escape.
  bool has_escapes() const { return reader_.has_escapes; }

 private:
  ir::TermStore& store_;
  Reader reader_;
  TermReader terms_;
};

// The part of a reply that is the value: all of it, or v where it is ((t v)), as for get-value.
// Empty where it is neither, such as an error.
std::string_view value_in_reply(std::string_view reply);

}  // namespace elenchus::smtlib
