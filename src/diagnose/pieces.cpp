#include "diagnose/pieces.h"

#include <fmt/format.h>

#include "smtlib/lexer.h"

namespace elenchus::diagnose {
namespace {

using smtlib::Lexer;
using smtlib::TokenKind;

// What is inside of "(...)".
std::string_view inside(std::string_view list) {
  return list.size() < 2 || list.front() != '(' ? std::string_view()
                                                : list.substr(1, list.size() - 2);
}

}  // namespace

std::vector<std::string_view> expressions_in(std::string_view text) {
  std::vector<std::string_view> found;
  Lexer lexer(text);
  while (lexer.peek() != '\0' && lexer.peek() != ')') {
    const uint32_t start = lexer.offset();
    if (!lexer.skip_expression()) break;
    found.push_back(lexer.text(start, lexer.offset()));
  }
  return found;
}

std::optional<std::vector<std::vector<std::string_view>>> goals_in(std::string_view text) {
  std::vector<std::vector<std::string_view>> goals;
  const size_t at = text.find("(goals");
  if (at == std::string_view::npos) return {};
  const auto all = expressions_in(text.substr(at));
  if (all.empty()) return {};
  const auto parts = expressions_in(inside(all.front()));
  for (size_t i = 1; i < parts.size(); ++i) {
    const auto items = expressions_in(inside(parts[i]));
    if (items.empty() || items.front() != "goal") return {};
    auto& formulas = goals.emplace_back();
    for (size_t item = 1; item < items.size(); ++item) {
      if (items[item].starts_with(':')) {
        ++item;  // and its value
      } else {
        formulas.push_back(items[item]);
      }
    }
  }
  return goals;
}

std::string_view section_of(std::string_view text, std::string_view start, std::string_view end) {
  const size_t from = text.find(start);
  if (from == std::string_view::npos) return {};
  const std::string_view rest = text.substr(from + start.size());
  const size_t to = rest.find(end);
  return to == std::string_view::npos ? std::string_view() : rest.substr(0, to);
}

std::optional<std::string> with_equations(std::string_view script) {
  std::string text;
  for (const std::string_view command : expressions_in(script)) {
    const auto parts = expressions_in(inside(command));
    const bool is_definition = !parts.empty() && parts[0].starts_with("define-");
    if (!is_definition) {
      (text += command) += '\n';
      continue;
    }
    if (parts[0] == "define-sort") return {};
    if (parts.size() != 5 || parts[0] != "define-fun" ||
        !expressions_in(inside(parts[2])).empty()) {
      return {};
    }
    text += fmt::format("(declare-fun {} () {})\n(assert (= {} {}))\n", parts[1], parts[3],
                        parts[1], parts[4]);
  }
  return text;
}

}  // namespace elenchus::diagnose
