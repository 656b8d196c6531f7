#include "store/json.h"

namespace elenchus::store {

std::string list_text(const std::vector<std::string>& items) { return dump_json(items); }

std::vector<std::string> parse_list(std::string_view text) {
  const auto list = nlohmann::ordered_json::parse(text, nullptr, false);
  std::vector<std::string> items;
  if (!list.is_array()) return items;
  for (const auto& item : list) {
    if (item.is_string()) items.push_back(item.get<std::string>());
  }
  return items;
}

}  // namespace elenchus::store
