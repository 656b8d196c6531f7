#pragma once

#include <concepts>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"

namespace elenchus::config {

// Reads a text as TOML; where it is none, the error says where.
base::Result<toml::table> parse_toml(std::string_view text);

// Where a node stands in its text.
base::Location place_of(const toml::node& node);

// Reads one table, key by key. What is not there leaves the value as it is. All readers of a text
// share one error, which keeps the first thing that is wrong. A key that nobody asked for is wrong,
// too: a misspelt one would silently mean nothing.
class TomlReader {
 public:
  // `where` stands before each message; the table and the error must outlive the reader.
  TomlReader(const toml::table& table, std::string where, base::Error& error)
      : table_(table), where_(std::move(where)), error_(error) {}
  ~TomlReader() { refuse_unknown_keys(); }
  TomlReader(const TomlReader&) = delete;
  TomlReader& operator=(const TomlReader&) = delete;

  // A string, a flag or a number; whole numbers must fit their type.
  template <typename T>
  void read(std::string_view key, T& into) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      const auto value = node->value<int64_t>();
      if (!value) return fail_at(key, expects(key, "a whole number"));
      if (std::unsigned_integral<T> && *value < 0) return fail_at(key, expects(key, "0 or more"));
      into = static_cast<T>(*value);
      if (static_cast<int64_t>(into) != *value) fail_at(key, expects(key, "smaller"));
    } else {
      const auto value = node->value<T>();
      if (!value) return fail_at(key, expects(key, name_of<T>()));
      into = *value;
    }
  }

  // A list of strings.
  void read(std::string_view key, std::vector<std::string>& into);
  // The same, or a string alone.
  void read_one_or_more(std::string_view key, std::vector<std::string>& into);

  // Calls read(reader) with the table below the key, if it is there.
  template <typename Read>
  void table(std::string_view key, Read read) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return fail_at(key, expects(key, "a table"));
    TomlReader reader(*table, std::string(key), error_);
    read(reader);
  }

  // Calls read(reader, node) with each table of the list below the key, if it is there.
  template <typename Read>
  void tables(std::string_view key, Read read) {
    each(key, [&](const toml::node& item) {
      const bool is_table = item_of(key, item, [&](TomlReader& reader) { read(reader, item); });
      if (!is_table) fail(expects(key, "a list of tables"), item);
    });
  }

  // Calls read(reader) with an item of the list below the key; false if it is no table.
  template <typename Read>
  bool item_of(std::string_view key, const toml::node& item, Read read) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return false;
    TomlReader reader(*table, std::string(key), error_);
    read(reader);
    return true;
  }

  // Calls take(text) with each text of the list; a message that it returns is an error there.
  template <typename Take>
  void read_each(std::string_view key, Take take) {
    each(key, [&](const toml::node& item) {
      const auto text = item.value<std::string>();
      const std::string error = text ? take(*text) : expects(key, "a list of strings");
      if (!error.empty()) fail(error, item);
    });
  }

  // The same for each list in the table below the key, with the list's name: take(name, text).
  template <typename Take>
  void read_lists(std::string_view key, Take take) {
    table(key, [&](TomlReader& lists) {
      for (const auto& list : lists.table_) {
        const std::string_view name = list.first.str();
        lists.read_each(name,
                        [&](const std::string& text) { return take(std::string(name), text); });
      }
    });
  }

  // Calls visit(node) with each item of the list below the key, if it is there.
  template <typename Visit>
  void each(std::string_view key, Visit visit) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) return fail_at(key, expects(key, "a list"));
    for (const toml::node& item : *array) visit(item);
  }

  // The node of a key, which counts as asked for; null if it is not there.
  const toml::node* find(std::string_view key);

  // Also when the reader goes; earlier where something that is missing would be told first.
  void refuse_unknown_keys();

  void fail(const std::string& message, const toml::node& at);
  // Where the key stands, or the table if it is not there.
  void fail_at(std::string_view key, const std::string& message);
  bool has_failed() const { return !error_.message.empty(); }

 private:
  static std::string expects(std::string_view key, std::string_view what);
  template <typename T>
  static std::string_view name_of() {
    if constexpr (std::same_as<T, bool>) return "true or false";
    if constexpr (std::same_as<T, double>) return "a number";
    return "a string";
  }

  const toml::table& table_;
  std::string where_;
  base::Error& error_;
  std::set<std::string_view> asked_;
};

}  // namespace elenchus::config
