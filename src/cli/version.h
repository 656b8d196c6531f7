#pragma once

#include <string>
#include <string_view>

namespace elenchus::cli {

// What the program was built from: written by the build (cmake/Commit.cmake).
std::string_view built_from_commit();

// What `--version` prints: version and commit, then compiler and libraries.
std::string version_text(std::string_view commit);

}  // namespace elenchus::cli
