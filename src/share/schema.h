#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace elenchus::share {

class Connection;

// The version of the tables that this program works with.
int64_t current_version();

// The version that the database has; 0: no tables of ours.
base::Result<int64_t> schema_version(Connection& connection);

// What is wrong with a version for this program, and what to do about it.
base::Result<void> check_version(int64_t version);
base::Result<void> check_schema(Connection& connection);

// Makes the tables where there are none, and brings older ones up to date. What could not be done
// for want of rights that one can do without is said.
struct Preparation {
  int64_t from = 0;
  int64_t to = 0;
  std::vector<std::string> remarks;
};
base::Result<Preparation> prepare_schema(Connection& connection, bool may_create);

}  // namespace elenchus::share
