#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ir/op_table.h"

namespace elenchus::cli {

// Bytes that were read. A string would be filled with zeros before.
struct Input {
  std::unique_ptr<char[]> bytes;
  size_t size = 0;

  std::string_view view() const { return {bytes.get(), size}; }
};

// The whole content of a file, a pipe, or with "-" of standard input.
base::Result<Input> read_input(const std::string& path);

// Writes everything, or says why not. "-" is standard output.
base::Result<void> write_output(const std::string& path, const std::string& content);

// The operator table with the operators of a file, or without when there is no file name.
base::Result<std::shared_ptr<const ir::OpTable>> operators_with(const std::string& path);

}  // namespace elenchus::cli
