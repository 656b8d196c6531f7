#include "cli/node_name.h"

#include <unistd.h>

#include <fmt/format.h>

namespace elenchus::cli {

std::string usual_node_name(const std::filesystem::path& folder) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string name = folder.lexically_normal().filename().string();
  return name.empty() ? host : fmt::format("{}-{}", host, name);
}

}  // namespace elenchus::cli
