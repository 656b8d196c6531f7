#include "cli/version.h"

#include <gmp.h>
#include <sqlite3.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace elenchus::cli {

std::string version_text(std::string_view commit) {
#ifdef __clang__
  constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
  constexpr std::string_view kCompiler = "g++ " __VERSION__;
#endif
  std::string text = fmt::format("elenchus {} (commit {})\n", ELENCHUS_VERSION, commit);
  text += fmt::format("compiler: {}\n", kCompiler);
  text +=
      fmt::format("libraries: SQLite {}, GMP {}, fmt {}.{}.{}, CLI11 {}, nlohmann-json {}.{}.{}",
                  sqlite3_libversion(), gmp_version, FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                  FMT_VERSION % 100, CLI11_VERSION, NLOHMANN_JSON_VERSION_MAJOR,
                  NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
  return text;
}

}  // namespace elenchus::cli
