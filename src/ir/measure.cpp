#include "ir/measure.h"

#include <algorithm>

namespace elenchus::ir {

Measure Measures::of(TermId term) {
  return cache_.at(term, [this](TermId t) {
    Measure measure{1, 1};
    for (const TermId arg : store_.args(t)) {
      const Measure& below = cache_.get(arg);
      measure.size = saturating_add(measure.size, below.size);
      measure.depth = std::max(measure.depth, below.depth + 1);
    }
    return measure;
  });
}

}  // namespace elenchus::ir
