#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "history/knowledge.h"

namespace elenchus::history {

// The text of a knowledge file; docs/history.md describes it.
std::string print_knowledge(const Knowledge& knowledge);

// Reads it back. Errors have their line.
base::Result<Knowledge> read_knowledge(std::string_view text);

// What the program brings with it.
std::shared_ptr<const Knowledge> shipped_knowledge();

}  // namespace elenchus::history
