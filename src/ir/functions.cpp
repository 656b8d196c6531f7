#include "ir/functions.h"

#include <algorithm>

namespace elenchus::ir {

std::vector<FunId> functions_in(const TermStore& store, TermId root) {
  std::vector<FunId> functions;
  Walker walker(store);
  walker.walk(root, [&](TermId term) {
    for_each_function(store, term, [&](FunId fun) { functions.push_back(fun); });
  });
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  return functions;
}

}  // namespace elenchus::ir
