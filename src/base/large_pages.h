#pragma once

#include <cstddef>

namespace elenchus::base {

// Asks for large pages behind memory that is about to be filled: they save page faults, and
// look-ups all over it find their pages faster. Small memory stays as it is, since a large page is
// there as a whole.
void prefer_large_pages(void* memory, size_t bytes);

}  // namespace elenchus::base
