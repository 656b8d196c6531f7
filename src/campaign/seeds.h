#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded.h"
#include "base/result.h"

namespace elenchus::campaign {

// The scripts that the program brings with it: data/seeds.
std::span<const base::EmbeddedFile> embedded_seeds();

// Where a seed comes from.
struct SeedFile {
  std::string path;                         // "embedded:QF_BV/shift.smt2" for those of the program
  std::string folder;                       // by which yields are counted
  std::shared_ptr<const std::string> text;  // only where it cannot be read again
  std::string key;                          // the same from whatever folder it is named
  // Of one that a test made: the path of the seed that it descends from, by so many steps.
  std::string ancestor = {};
  uint32_t generation = 0;

  const std::string& family() const { return ancestor.empty() ? path : ancestor; }
};

// What a list of seeds consists of.
struct SeedList {
  std::vector<SeedFile> files;  // sorted by path, each once
  uint64_t too_large = 0;       // left out

  std::optional<size_t> place_of(std::string_view path) const;
};

// A seed larger than this slows every test that is made of it: DIVER's limit.
inline constexpr uint64_t kLargestSeed = 200 << 10;

// The seeds that the paths mean: files, and below folders every file that ends in .smt2; "-" is
// standard input. No paths: the embedded ones.
base::Result<SeedList> find_seeds(std::span<const std::string> paths);

// The text of a seed.
base::Result<std::string> read_seed(const SeedFile& seed);

}  // namespace elenchus::campaign
