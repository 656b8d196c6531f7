// For tests over a collection of scripts that is too large to lie in the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace elenchus::base {

inline constexpr std::string_view kNoCorpus =
    "set ELENCHUS_CORPUS to a folder with seeds/ and history/ to run this";

// A folder of the collection, whether it is there or not; nothing where no collection is named.
inline std::optional<std::filesystem::path> corpus_folder(std::string_view name) {
  const char* corpus = std::getenv("ELENCHUS_CORPUS");
  if (corpus == nullptr || *corpus == '\0') return {};
  return std::filesystem::path(corpus) / name;
}

}  // namespace elenchus::base
