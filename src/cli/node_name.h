#pragma once

#include <filesystem>
#include <string>

namespace elenchus::cli {

// What a part of something shared is called that nobody named: the machine and the folder, so that
// it stays the same.
std::string usual_node_name(const std::filesystem::path& folder);

}  // namespace elenchus::cli
