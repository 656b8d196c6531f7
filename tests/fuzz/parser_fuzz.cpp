// Feeds any bytes to the parser. What parses must print, the printed text must parse again, and
// printing that must give the same text. One store serves all inputs and is rolled back after each,
// as a worker of a campaign does it, so that a rollback that leaves something behind shows up too.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ir/script_stats.h"
#include "ir/term_store.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace {

using namespace elenchus;

[[noreturn]] void report(const char* what, const base::Error* error, std::string_view text,
                         std::string_view other) {
  std::fprintf(stderr, "\n%s\n", what);
  if (error != nullptr) std::fprintf(stderr, "%s\n", describe(*error, "printed").c_str());
  std::fprintf(stderr, "--- printed:\n%.*s\n", static_cast<int>(text.size()), text.data());
  if (!other.empty()) {
    std::fprintf(stderr, "--- printed again:\n%.*s\n", static_cast<int>(other.size()),
                 other.data());
  }
  __builtin_trap();
}

// An error has a message and a place inside the text.
void check_error(const base::Error& error, std::string_view text) {
  const bool placed = error.where.line >= 1 && error.where.column >= 1 &&
                      error.where.line <= text.size() + 1 && error.where.column <= text.size() + 1;
  if (!placed || error.message.empty()) report("an error without a place", &error, text, {});
  if (error.kind == base::ErrorKind::kInternal) report("an internal error", &error, text, {});
}

void round_trip(ir::TermStore& store, std::string_view text, const smtlib::ParseOptions& options) {
  const ir::TermStore::Mark start = store.mark();
  const auto script = smtlib::parse_script(store, text, options);
  if (!script) {
    check_error(script.error(), text);
    store.rollback(start);
    return;
  }
  ir::script_stats(store, *script);
  const auto printed = smtlib::print_script(store, *script);
  store.rollback(start);
  if (!printed) return;

  const auto again = smtlib::parse_script(store, *printed, options);
  if (!again) report("the printed text does not parse", &again.error(), *printed, {});
  const auto twice = smtlib::print_script(store, *again);
  if (!twice) report("the printed text does not print", &twice.error(), *printed, {});
  if (*twice != *printed) report("printing is not stable", nullptr, *printed, *twice);
  store.rollback(start);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static ir::TermStore store;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  round_trip(store, text, {.strict = false});
  round_trip(store, text, {.strict = true});
  return 0;
}
