#include "store/campaign_folder.h"

#include <algorithm>

namespace elenchus::store {
namespace {

constexpr size_t kMaxName = 120;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == '+';
}

}  // namespace

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

bool is_bug_file_name(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos) return is_plain_name(name);
  return is_plain_name(name.substr(0, slash)) && is_plain_name(name.substr(slash + 1));
}

}  // namespace elenchus::store
