#include "smtlib/answers.h"

#include <algorithm>
#include <string>
#include <utility>

namespace elenchus::smtlib {
namespace {

bool is_answer(std::string_view word) {
  return word == "sat" || word == "unsat" || word == "unknown";
}

bool is_error(const Token& head) { return head.kind == TokenKind::kSymbol && head.text == "error"; }

// Sorts out what a solver printed: answers, models, errors and the rest.
class AnswerSplitter {
 public:
  explicit AnswerSplitter(std::string_view text) : text_(text), lexer_(text) {}

  bool is_done() { return lexer_.peek() == '\0' && lexer_.offset() == text_.size(); }

  // After is_done() said no.
  base::Result<void> step() {
    const uint32_t start = lexer_.offset();
    const Token token = lexer_.next();
    if (token.kind == TokenKind::kOpen) return read_list(start);
    if (token.kind == TokenKind::kError) return failure(start, std::string(token.text));
    if (token.kind == TokenKind::kClose) return failure(start, "')' found, a model expected");
    if (token.kind == TokenKind::kSymbol && is_answer(token.text)) {
      answers_.push_back({token.text, start, start, {}});
      answers_.back().trouble = std::exchange(trouble_, {});
      return {};
    }
    lexer_.rewind(start);
    skip_line(lexer_, text_);
    return {};
  }

  std::vector<AnswerText> take() { return std::move(answers_); }

 private:
  base::Error failure(uint32_t offset, std::string message) const {
    return {base::ErrorKind::kParse, std::move(message), lexer_.location(offset)};
  }

  base::Result<void> read_list(uint32_t start) {
    const Token head = lexer_.next();
    lexer_.rewind(start);
    if (!skip_printed(lexer_)) {
      lexer_.rewind(start);
      lexer_.skip_expression();
      return failure(lexer_.error().offset, std::string(lexer_.error().text));
    }
    if (is_error(head)) note_error(start);
    const bool is_core = !answers_.empty() && answers_.back().answer == "unsat";
    if (is_core || is_other_output(head)) return {};
    if (answers_.empty()) answers_.push_back({{}, start, start, std::exchange(trouble_, {})});
    AnswerText& last = answers_.back();
    if (!last.has_model()) last.model_start = start;
    last.model_end = lexer_.offset();
    return {};
  }

  // That there is no model after unsat or unknown is no trouble.
  void note_error(uint32_t start) {
    const bool is_expected =
        !answers_.empty() && answers_.back().answer != "sat" && !answers_.back().has_model();
    if (is_expected || trouble_.line != 0) return;
    trouble_ = lexer_.location(start);
  }

  std::string_view text_;
  Lexer lexer_;
  std::vector<AnswerText> answers_;
  base::Location trouble_;  // where the solver complained since the last answer
};

}  // namespace

bool is_other_output(const Token& head) {
  return head.kind == TokenKind::kKeyword || is_error(head) ||
         (head.kind == TokenKind::kSymbol && head.text == "objectives");
}

void skip_line(Lexer& lexer, std::string_view text) {
  const size_t end = text.find('\n', lexer.offset());
  lexer.rewind(static_cast<uint32_t>(std::min(end, text.size())));
}

bool skip_printed(Lexer& lexer) {
  size_t depth = 0;
  do {
    const Token token = lexer.next();
    if (token.kind == TokenKind::kEnd) return false;
    if (token.kind == TokenKind::kClose && depth == 0) return false;
    if (token.kind == TokenKind::kOpen) ++depth;
    if (token.kind == TokenKind::kClose) --depth;
    if (token.kind == TokenKind::kError) {
      const char bad = lexer.text(token.offset, token.offset + 1)[0];
      if (bad == '"' || bad == '|' || bad == '\0') return false;
      lexer.rewind(token.offset + 1);
    }
  } while (depth > 0);
  return true;
}

base::Result<std::vector<AnswerText>> split_answers(std::string_view text) {
  if (text.size() >= UINT32_MAX) {
    return base::Error{base::ErrorKind::kLimit, "models of 4 GiB or more are not read", {}};
  }
  AnswerSplitter splitter(text);
  while (!splitter.is_done()) {
    if (const auto done = splitter.step(); !done) return done.error();
  }
  return splitter.take();
}

}  // namespace elenchus::smtlib
