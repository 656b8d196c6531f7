#pragma once

#include <vector>

#include "base/result.h"
#include "store/bucket_sums.h"
#include "store/records.h"
#include "store/stats.h"

namespace elenchus::store {

class Database;

// Queries that the reader and the writer share. The caller holds the database's mutex.
base::Result<Stats> load_stats(Database& database, BucketSums& sums);
base::Result<std::vector<BugRecord>> load_bugs(Database& database);

}  // namespace elenchus::store
