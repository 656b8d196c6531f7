#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace elenchus::share {

// Whether it is the URL of a PostgreSQL database rather than the name of a folder.
bool is_address(std::string_view text);

// The text without passwords that stand in URLs or settings in it.
std::string redacted(std::string_view text);

// Where a shared campaign lies: a database, and the campaign's name in it.
struct Address {
  std::string url;       // without the campaign; has no password
  std::string campaign;  // empty: none was named
  // For libpq.
  std::vector<std::pair<std::string, std::string>> settings;

  // As messages name it: the server and the database.
  std::string shown() const;
};

// The URL with the campaign's name in it.
std::string with_campaign(std::string_view url, std::string_view campaign);

// Reads `postgresql://HOST/DATABASE?campaign=NAME`, with whatever else libpq takes there. A
// password is refused: command lines can be read by others, and end up in logs.
base::Result<Address> parse_address(std::string_view text);

}  // namespace elenchus::share
