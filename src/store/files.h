#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace elenchus::store {

// `cannot write 'FILE': No space left on device`, from an errno.
base::Error file_error(std::string_view act, const std::filesystem::path& path, int code);

// The whole content; more than `most` bytes are an error.
base::Result<std::string> read_file(const std::filesystem::path& path,
                                    size_t most = size_t{1} << 30);

// Writes a file and waits until it is on the disk. An existing file is overwritten in place.
base::Result<void> write_durable(const std::filesystem::path& path, std::string_view content,
                                 bool executable = false);

enum class Durability : unsigned char { kLater, kNow };

// Replaces a file as a whole: readers see the old content or the new one. With kLater, a power
// failure may bring the old one back.
base::Result<void> replace_file(const std::filesystem::path& path, std::string_view content,
                                Durability durability, bool executable = false);

base::Result<void> append_to_file(const std::filesystem::path& path, std::string_view content);

// Makes a folder and those above it; an existing one is fine.
base::Result<void> make_folder(const std::filesystem::path& path);

// Makes names in the folder durable.
base::Result<void> sync_folder(const std::filesystem::path& path);

// Removes a file or a folder with all that is in it; nothing there is fine.
base::Result<void> remove_tree(const std::filesystem::path& path);

// What all files below a folder take on the disk. What cannot be read counts nothing.
uint64_t bytes_below(const std::filesystem::path& path);

// The names in a folder, sorted.
base::Result<std::vector<std::string>> list_folder(const std::filesystem::path& path);

}  // namespace elenchus::store
