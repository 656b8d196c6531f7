#pragma once

#include <cstdint>

#include "base/result.h"

namespace elenchus::store {

class Database;

// Makes the tables in an empty database; refuses one that a newer program wrote, or that is none of
// ours. Only a writer upgrades.
base::Result<void> prepare_schema(Database& database);

// The same for a reader, who changes nothing.
base::Result<void> check_schema(Database& database);

// The version of a database's format, which grows with every change.
base::Result<int64_t> schema_version(Database& database);

}  // namespace elenchus::store
