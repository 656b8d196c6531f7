#pragma once

#include "base/ids.h"

namespace elenchus::ir {

using SymbolId = base::Id<struct SymbolTag>;
using SortId = base::Id<struct SortTag>;
using TermId = base::Id<struct TermTag>;
using FunId = base::Id<struct FunTag>;
using DatatypeId = base::Id<struct DatatypeTag>;
using IndexListId = base::Id<struct IndexListTag>;

}  // namespace elenchus::ir
