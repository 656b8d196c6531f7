#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/record_folders.h"

namespace elenchus::share {

// Files as one value of a database: for each a line with its size, whether it can be executed (x or
// -) and its name, then its content and a line break.
std::string bundle(const std::vector<store::RecordFile>& files);
// Names that no record can have, and whatever else is no bundle, are errors.
base::Result<std::vector<store::RecordFile>> unbundle(std::string_view text);

}  // namespace elenchus::share
