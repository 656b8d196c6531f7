#include "history/knowledge_file.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/embedded.h"
#include "base/text.h"
#include "history/signature.h"
#include "history/skeleton.h"
#include "ir/term_store.h"
#include "smtlib/lexer.h"
#include "smtlib/parser.h"

namespace elenchus::history {

std::span<const base::EmbeddedFile> embedded_knowledge();

namespace {

constexpr std::string_view kHeader = "elenchus-history";
constexpr uint32_t kVersion = 2;
constexpr uint32_t kOldestVersion = 1;  // without shapes
constexpr std::string_view kNone = "-";
constexpr std::string_view kArrow = "=>";

// Support and confidence are checked against these, so that a file cannot make mining endless.
constexpr uint32_t kMostItems = 8;
constexpr uint32_t kMostSets = 1'000'000;

std::string_view or_none(std::string_view text) { return text.empty() ? kNone : text; }

void append_numbers(std::string& text, std::string_view label, const std::vector<uint32_t>& list) {
  text += label;
  for (const uint32_t each : list) text += fmt::format(" {}", each);
}

// Splits a line at its spaces, word by word.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool is_empty() const { return rest_.empty(); }
  std::string_view next() {
    const size_t end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return word;
  }
  std::string_view rest() { return std::exchange(rest_, {}); }
  std::string_view peek() const { return rest_.substr(0, rest_.find(' ')); }

 private:
  std::string_view rest_;
};

bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 4 || i == 7;
    if (is_dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
  }
  return true;
}

// Whether the text is so many expressions and nothing else.
bool is_expressions(std::string_view text, uint32_t count) {
  smtlib::Lexer lexer(text);
  for (uint32_t i = 0; i < count; ++i) {
    if (!lexer.skip_expression()) return false;
  }
  return lexer.offset() == text.size();
}

class FileReader {
 public:
  explicit FileReader(std::string_view text) : text_(text) {}

  base::Result<Knowledge> read() {
    std::string_view rest = text_;
    bool is_good = read_header(take_line(rest));
    while (is_good && !rest.empty()) {
      const std::string_view line = take_line(rest);
      if (line.empty() || line[0] == '#') continue;
      is_good = read_line(line);
    }
    if (is_good) is_good = check_numbers();
    if (is_good) is_good = check_atoms();
    if (!is_good) {
      return base::Error{base::ErrorKind::kParse, std::move(problem_), {line_, 1}};
    }
    return std::move(knowledge_);
  }

 private:
  bool fail(std::string message) {
    problem_ = std::move(message);
    return false;
  }

  std::string_view take_line(std::string_view& rest) {
    ++line_;
    return base::take_plain_line(rest);
  }

  bool read_header(std::string_view line) {
    Words words(line);
    if (words.next() != kHeader) {
      return fail(fmt::format("not a knowledge file: it does not start with '{}'", kHeader));
    }
    uint32_t version = 0;
    if (!base::read_number(words.next(), version) || !words.is_empty()) {
      return fail("the version of the knowledge file is not a number");
    }
    if (version < kOldestVersion || version > kVersion) {
      return fail(fmt::format("version {} of knowledge files cannot be read; {} to {} can", version,
                              kOldestVersion, kVersion));
    }
    return true;
  }

  bool read_line(std::string_view line) {
    Words words(line);
    const std::string_view key = words.next();
    if (key == "rules") return read_settings(words);
    if (key == "skeleton") return read_skeleton(words);
    if (key == "signature") return read_signature(words);
    if (key == "declare") return read_declaration(words);
    if (key == "shape") return read_atom(key, words, knowledge_.shapes, shape_lines_);
    if (key == "atom") return read_atom(key, words, knowledge_.atoms, atom_lines_);
    if (key == "input") return read_lesson(words);
    if (key == "rule") return read_rule(words);
    return fail(fmt::format("'{}' starts no line of a knowledge file", base::shown(key, 20)));
  }

  bool read_settings(Words& words) {
    RuleSettings& settings = knowledge_.settings;
    const bool is_good =
        words.next() == "support" && base::read_number(words.next(), settings.support) &&
        words.next() == "confidence" && base::read_number(words.next(), settings.confidence) &&
        words.next() == "items" && base::read_number(words.next(), settings.max_items) &&
        words.next() == "sets" && base::read_number(words.next(), settings.max_sets) &&
        words.is_empty();
    if (!is_good) return fail("expected: rules support N confidence C items N sets N");
    if (settings.max_items == 0 || settings.max_items > kMostItems ||
        settings.max_sets > kMostSets || !(settings.confidence >= 0 && settings.confidence <= 1)) {
      return fail("support, confidence or a limit of the rules is out of range");
    }
    return true;
  }

  bool read_skeleton(Words& words) {
    const std::string text(words.rest());
    const auto skeleton = parse_skeleton(text);
    if (!skeleton) return fail(skeleton.error().message);
    if (to_text(*skeleton) != text) return fail("the skeleton is not written as usual");
    knowledge_.skeletons.push_back(text);
    return true;
  }

  bool read_signature(Words& words) {
    const std::string text(words.rest());
    const auto signature = parse_signature(text);
    if (!signature) return fail(signature.error().message);
    if (to_text(*signature) != text) return fail("the signature is not written as usual");
    knowledge_.signatures.push_back(text);
    return true;
  }

  bool read_declaration(Words& words) {
    const std::string name(words.next());
    const std::string sorts(words.rest());
    if (name.empty() || !is_expressions(sorts, 2)) {
      return fail("expected: declare NAME (SORT...) SORT");
    }
    if (!knowledge_.declarations.emplace(name, sorts).second) {
      return fail(fmt::format("'{}' is declared twice", base::shown(name, 40)));
    }
    declaration_lines_.push_back(line_);
    declaration_order_.push_back(name);
    return true;
  }

  bool read_atom(std::string_view key, Words& words, std::vector<AtomText>& list,
                 std::vector<uint32_t>& lines) {
    AtomText atom;
    const bool is_number = base::read_number(words.next(), atom.signature);
    atom.text = words.rest();
    if (!is_number || !is_expressions(atom.text, 1)) {
      return fail(fmt::format("expected: {} SIGNATURE TERM", key));
    }
    list.push_back(std::move(atom));
    lines.push_back(line_);
    return true;
  }

  // The numbers up to a word that is none.
  bool read_numbers(Words& words, std::vector<uint32_t>& list) {
    uint32_t number = 0;
    while (!words.is_empty() && base::read_number(words.peek(), number)) {
      words.next();
      if (!list.empty() && number < list.back()) return fail("the numbers are not in order");
      list.push_back(number);
    }
    return true;
  }

  bool read_lesson(Words& words) {
    Lesson lesson;
    if (!base::read_number(words.next(), lesson.fingerprint, 16)) {
      return fail("the fingerprint of an input is not a hexadecimal number");
    }
    Origin& origin = lesson.origin;
    const auto take = [&](std::string& field) {
      field = words.next();
      if (field == kNone) field.clear();
    };
    take(origin.solver);
    std::string issue;
    take(issue);
    take(origin.date);
    take(origin.kind);
    if (!issue.empty() && !base::read_number(issue, origin.issue))
      return fail("the issue is not a number");
    if (!origin.date.empty() && !is_date(origin.date)) return fail("the date is not YYYY-MM-DD");
    if (words.next() != "skeletons") return fail("expected 'skeletons' and their numbers");
    if (!read_numbers(words, lesson.skeletons)) return false;
    if (words.next() != "signatures") return fail("expected 'signatures' and their numbers");
    if (!read_numbers(words, lesson.signatures)) return false;
    if (words.next() != "atoms") return fail("expected 'atoms' and their numbers");
    if (!read_numbers(words, lesson.atoms)) return false;
    if (words.peek() == "shapes") {
      words.next();
      if (!read_numbers(words, lesson.shapes)) return false;
    }
    if (!words.is_empty()) return fail("the line of an input does not end where it should");
    knowledge_.lessons.push_back(std::move(lesson));
    lesson_lines_.push_back(line_);
    return true;
  }

  bool read_rule(Words& words) {
    Rule rule;
    if (!read_numbers(words, rule.antecedent)) return false;
    if (words.next() != kArrow) return fail("expected '=>' in a rule");
    if (!read_numbers(words, rule.consequent)) return false;
    const bool is_good = words.next() == "support" &&
                         base::read_number(words.next(), rule.support) &&
                         words.next() == "confidence" &&
                         base::read_number(words.next(), rule.confidence) && words.is_empty();
    if (!is_good || rule.antecedent.empty() || rule.consequent.empty()) {
      return fail("expected: rule NUMBERS => NUMBERS support N confidence C");
    }
    if (!(rule.confidence >= 0 && rule.confidence <= 1)) return fail("confidence is from 0 to 1");
    knowledge_.rules.push_back(std::move(rule));
    rule_lines_.push_back(line_);
    return true;
  }

  bool are_below(const std::vector<uint32_t>& list, size_t size, std::string_view what) {
    const auto bad = std::find_if(list.begin(), list.end(), [&](uint32_t n) { return n >= size; });
    if (bad == list.end()) return true;
    return fail(fmt::format("there is no {} {}", what, *bad));
  }

  bool check_numbers() {
    const size_t signatures = knowledge_.signatures.size();
    const auto have_signatures = [&](const auto& list, const auto& lines) {
      for (size_t i = 0; i < list.size(); ++i) {
        line_ = lines[i];
        if (!are_below({list[i].signature}, signatures, "signature")) return false;
      }
      return true;
    };
    if (!have_signatures(knowledge_.shapes, shape_lines_) ||
        !have_signatures(knowledge_.atoms, atom_lines_)) {
      return false;
    }
    for (size_t i = 0; i < knowledge_.lessons.size(); ++i) {
      const Lesson& lesson = knowledge_.lessons[i];
      line_ = lesson_lines_[i];
      if (!are_below(lesson.skeletons, knowledge_.skeletons.size(), "skeleton") ||
          !are_below(lesson.signatures, signatures, "signature") ||
          !are_below(lesson.shapes, knowledge_.shapes.size(), "shape") ||
          !are_below(lesson.atoms, knowledge_.atoms.size(), "atom")) {
        return false;
      }
    }
    for (size_t i = 0; i < knowledge_.rules.size(); ++i) {
      line_ = rule_lines_[i];
      if (!are_below(knowledge_.rules[i].antecedent, signatures, "signature") ||
          !are_below(knowledge_.rules[i].consequent, signatures, "signature")) {
        return false;
      }
    }
    return true;
  }

  // A script of one line for each declaration, shape and atom: the error's line says whose it is.
  bool check_atoms() {
    std::string script = sort_declarations() + "\n";
    std::vector<uint32_t> lines = {1};
    for (size_t i = 0; i < declaration_order_.size(); ++i) {
      const std::string& name = declaration_order_[i];
      script += fmt::format("(declare-fun {} {})\n", name, knowledge_.declarations[name]);
      lines.push_back(declaration_lines_[i]);
    }
    const auto add = [&](const auto& list, const auto& lines_of_list) {
      for (size_t i = 0; i < list.size(); ++i) {
        script += fmt::format("(assert {})\n", list[i].text);
        lines.push_back(lines_of_list[i]);
      }
    };
    add(knowledge_.shapes, shape_lines_);
    add(knowledge_.atoms, atom_lines_);
    ir::TermStore store;
    const auto parsed = smtlib::parse_script(store, script, {.strict = true});
    if (parsed) return true;
    line_ = lines[std::min<size_t>(parsed.error().where.line, lines.size()) - 1];
    return fail(parsed.error().message);
  }

  std::string_view text_;
  uint32_t line_ = 0;
  std::string problem_;
  Knowledge knowledge_;
  std::vector<std::string> declaration_order_;
  std::vector<uint32_t> declaration_lines_;
  std::vector<uint32_t> shape_lines_;
  std::vector<uint32_t> atom_lines_;
  std::vector<uint32_t> lesson_lines_;
  std::vector<uint32_t> rule_lines_;
};

}  // namespace

std::string print_knowledge(const Knowledge& knowledge) {
  std::string text = fmt::format("{} {}\n", kHeader, kVersion);
  const RuleSettings& settings = knowledge.settings;
  text += fmt::format("rules support {} confidence {} items {} sets {}\n", settings.support,
                      settings.confidence, settings.max_items, settings.max_sets);
  for (const std::string& each : knowledge.skeletons) text += fmt::format("skeleton {}\n", each);
  for (const std::string& each : knowledge.signatures) text += fmt::format("signature {}\n", each);
  for (const auto& [name, sorts] : knowledge.declarations) {
    text += fmt::format("declare {} {}\n", name, sorts);
  }
  for (const AtomText& shape : knowledge.shapes) {
    text += fmt::format("shape {} {}\n", shape.signature, shape.text);
  }
  for (const AtomText& atom : knowledge.atoms) {
    text += fmt::format("atom {} {}\n", atom.signature, atom.text);
  }
  for (const Lesson& lesson : knowledge.lessons) {
    const Origin& origin = lesson.origin;
    text += fmt::format("input {:016x} {} {} {} {}", lesson.fingerprint, or_none(origin.solver),
                        origin.issue == 0 ? std::string(kNone) : std::to_string(origin.issue),
                        or_none(origin.date), or_none(origin.kind));
    append_numbers(text, " skeletons", lesson.skeletons);
    append_numbers(text, " signatures", lesson.signatures);
    append_numbers(text, " atoms", lesson.atoms);
    append_numbers(text, " shapes", lesson.shapes);
    text += '\n';
  }
  for (const Rule& rule : knowledge.rules) {
    append_numbers(text, "rule", rule.antecedent);
    append_numbers(text, " =>", rule.consequent);
    text += fmt::format(" support {} confidence {}\n", rule.support, rule.confidence);
  }
  return text;
}

base::Result<Knowledge> read_knowledge(std::string_view text) { return FileReader(text).read(); }

std::shared_ptr<const Knowledge> shipped_knowledge() {
  static const auto knowledge = [] {
    KnowledgeBuilder builder;
    for (const base::EmbeddedFile& file : embedded_knowledge()) {
      auto part = read_knowledge(file.content);
      ELENCHUS_CHECK(part.has_value(), part.error().message);
      if (embedded_knowledge().size() == 1) {
        return std::make_shared<const Knowledge>(std::move(*part));
      }
      builder.add(*part);
    }
    return std::make_shared<const Knowledge>(builder.build({}));
  }();
  return knowledge;
}

}  // namespace elenchus::history
