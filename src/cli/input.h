#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/pages.h"
#include "base/result.h"
#include "ir/op_table.h"
#include "knobs/correlations.h"

namespace elenchus::history {
struct Knowledge;
}

namespace elenchus::cli {

// Bytes that were read. A string would be filled with zeros before.
struct Input {
  base::Pages bytes;
  size_t size = 0;

  std::string_view view() const { return {reinterpret_cast<const char*>(bytes.get()), size}; }
};

// The whole content of a file, a pipe, or with "-" of standard input.
base::Result<Input> read_input(const std::string& path);

// How messages call the input.
std::string shown_name(const std::string& path);

// The same for where output goes.
std::string shown_output(const std::string& path);

// The paths, with the .smt2 files below it, in order, for each folder. Fails when a folder cannot
// be read.
base::Result<std::vector<std::string>> expand_inputs(const std::vector<std::string>& paths);

// Writes everything, or says why not. "-" is standard output.
base::Result<void> write_output(const std::string& path, const std::string& content);

// The same, but a regular file is written aside and renamed: it is never half of one. Links are
// followed, and what is no regular file (a device, a pipe) is written to as it is.
base::Result<void> replace_output(const std::string& path, const std::string& content);

// The operator table with the operators of a file, or without when there is no file name.
base::Result<std::shared_ptr<const ir::OpTable>> operators_with(const std::string& path);

// The operators that tests are to be made of: those that a file lists, by their names where the
// table has them, with their signatures where it does not.
struct OperatorChoice {
  std::shared_ptr<const ir::OpTable> table;
  std::shared_ptr<const std::set<std::string, std::less<>>> names;
};
base::Result<OperatorChoice> operator_set_in(const std::string& path);

// What a knowledge file says; none for no path.
base::Result<std::shared_ptr<const history::Knowledge>> knowledge_in(const std::string& path);

// What a file of `learn options` says.
base::Result<knobs::Correlations> correlations_in(const std::string& path);

}  // namespace elenchus::cli
