#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace elenchus::store {

// Text of a value, in one line or indented. Bytes that are no UTF-8 are replaced; nothing throws.
inline std::string dump_json(const nlohmann::ordered_json& value, int indent = -1) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// A list of strings as it stands in a column of the database.
std::string list_text(const std::vector<std::string>& items);

// Reads that back; what is no such list is an empty one.
std::vector<std::string> parse_list(std::string_view text);

}  // namespace elenchus::store
