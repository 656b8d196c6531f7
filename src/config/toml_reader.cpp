#include "config/toml_reader.h"

#include "config/toml_guard.h"

namespace elenchus::config {

base::Result<toml::table> parse_toml(std::string_view text) {
  if (const auto readable = check_toml(text); !readable) return readable.error();
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    return base::Error{
        base::ErrorKind::kParse, std::string(error.description()), {where.line, where.column}};
  }
}

base::Location place_of(const toml::node& node) {
  const auto where = node.source().begin;
  return {where.line, where.column};
}

const toml::node* TomlReader::find(std::string_view key) {
  asked_.insert(key);
  return table_.get(key);
}

void TomlReader::read(std::string_view key, std::vector<std::string>& into) {
  if (find(key) != nullptr) into.clear();
  read_each(key, [&](const std::string& text) {
    into.push_back(text);
    return std::string();
  });
}

void TomlReader::read_one_or_more(std::string_view key, std::vector<std::string>& into) {
  const toml::node* node = find(key);
  const auto one = node == nullptr ? std::nullopt : node->value<std::string>();
  if (!one) return read(key, into);
  into = {*one};
}

void TomlReader::refuse_unknown_keys() {
  for (const auto& [key, value] : table_) {
    if (!asked_.contains(key.str())) fail("unknown key '" + std::string(key.str()) + "'", value);
  }
}

void TomlReader::fail(const std::string& message, const toml::node& at) {
  if (has_failed()) return;
  error_ = {base::ErrorKind::kParse, where_.empty() ? message : where_ + ": " + message,
            place_of(at)};
}

void TomlReader::fail_at(std::string_view key, const std::string& message) {
  const toml::node* node = table_.get(key);
  fail(message, node != nullptr ? *node : table_);
}

std::string TomlReader::expects(std::string_view key, std::string_view what) {
  return "'" + std::string(key) + "' must be " + std::string(what);
}

}  // namespace elenchus::config
