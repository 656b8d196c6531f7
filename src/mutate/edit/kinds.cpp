#include "mutate/edit/kinds.h"

#include <vector>

namespace elenchus::mutate::edit {

std::span<const Kind> kinds() {
  static const std::vector<Kind> kAll = [] {
    std::vector<Kind> all;
    for (const auto rows : {term_kinds(), command_kinds(), declaration_kinds()}) {
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace elenchus::mutate::edit
