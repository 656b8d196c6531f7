#pragma once

#include <string_view>

namespace elenchus::base {

// A file of data/ that is part of the program: its path below the folder that was embedded, with
// forward slashes, and its content. Lists of them are sorted by path. See cmake/Embed.cmake.
struct EmbeddedFile {
  std::string_view path;
  std::string_view content;
};

}  // namespace elenchus::base
