#include "knobs/listing.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace elenchus::knobs {
namespace {

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// The text between two marks, or nothing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t start = text.rfind(before);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + before.size());
  const size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end);
}

Type z3_type(std::string_view word) {
  if (word == "bool") return Type::kBool;
  if (word == "unsigned int" || word == "int") return Type::kInteger;
  if (word == "double") return Type::kReal;
  return Type::kString;
}

// "    arith.solver (unsigned int) what it does (default: 6)"
bool read_z3_line(std::string_view line, const std::string& module, Knob& knob) {
  constexpr std::string_view kDefault = "(default: ";
  const size_t open = line.find(" (");
  const size_t close = line.find(')', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos) return false;
  const std::string_view name = base::trimmed(line.substr(0, open));
  if (name.empty() || name.find(' ') != std::string_view::npos) return false;
  knob.name = module.empty() ? std::string(name) : module + "." + std::string(name);
  knob.group = module;
  knob.type = z3_type(line.substr(open + 2, close - open - 2));
  std::string_view rest = line.substr(close + 1);
  const size_t standard = rest.rfind(kDefault);
  if (standard != std::string_view::npos) {
    std::string_view value = base::trimmed(rest.substr(standard + kDefault.size()));
    if (value.ends_with(')')) value.remove_suffix(1);
    knob.standard = value;
    rest = rest.substr(0, standard);
  }
  knob.about = base::trimmed(rest);
  return true;
}

// "=N" is a number, "=MODE" one of several words, nothing a Boolean.
Type cvc_type(std::string_view placeholder, std::string_view about) {
  if (placeholder.empty()) return Type::kBool;
  if (placeholder == "P" || placeholder == "F") return Type::kReal;
  if (placeholder == "N" || placeholder == "n" || placeholder == "MS") return Type::kInteger;
  if (placeholder == "MODE" || placeholder == "RULE" || placeholder == "mode") return Type::kEnum;
  if (about.find("help)") != std::string_view::npos) return Type::kEnum;
  return Type::kString;
}

// What stands after the names, once all lines of the entry are there.
void finish_cvc(Knob& knob, const std::string& placeholder) {
  constexpr std::string_view kExpert = "(EXPERTS only)";
  constexpr std::string_view kReversible = "[*]";
  const bool reversible = knob.about.find(kReversible) != std::string::npos;
  for (const std::string_view mark : {kExpert, kReversible}) {
    const size_t at = knob.about.find(mark);
    if (at == std::string::npos) continue;
    knob.is_expert = knob.is_expert || mark == kExpert;
    knob.about.erase(at, mark.size());
  }
  knob.about = base::trimmed(knob.about);
  knob.type = cvc_type(placeholder, knob.about);
  if (knob.type == Type::kBool && !reversible) knob.ignored = "does something and ends";
}

struct CvcEntry {
  Knob knob;
  std::string placeholder;
};

// "  --nl-ext=MODE          what it does", "  --seed=N | -s N        what it does"
bool start_cvc(std::string_view line, CvcEntry& entry) {
  if (indent_of(line) > 4) return false;
  line = base::trimmed(line);
  if (!line.starts_with("--")) return false;
  const size_t end = std::min(line.find_first_of(" ="), line.size());
  entry.knob.name = line.substr(2, end - 2);
  line.remove_prefix(end);
  if (line.starts_with('=')) {
    const size_t stop = std::min(line.find(' '), line.size());
    entry.placeholder = line.substr(1, stop - 1);
    line.remove_prefix(stop);
  }
  // Other names come after a bar; the description after two blanks, or a single one where a long
  // name leaves no room for more.
  const bool has_others = base::trimmed(line).starts_with('|');
  const size_t text = has_others ? line.find("  ") : 0;
  if (text != std::string_view::npos) entry.knob.about = base::trimmed(line.substr(text));
  return !entry.knob.name.empty();
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

void add_cvc(std::vector<Knob>& knobs, CvcEntry& entry) {
  if (entry.knob.name.empty()) return;
  finish_cvc(entry.knob, entry.placeholder);
  knobs.push_back(std::move(entry.knob));
  entry = {};
}

}  // namespace

std::vector<Knob> read_z3_listing(std::string_view text) {
  constexpr std::string_view kModule = "[module] ";
  std::vector<Knob> knobs;
  std::string module;
  while (!text.empty()) {
    const std::string_view line = base::take_line(text);
    if (line.starts_with(kModule)) {
      const std::string_view rest = line.substr(kModule.size());
      module = base::trimmed(rest.substr(0, rest.find(',')));
      continue;
    }
    Knob knob;
    if (line.starts_with("    ") && read_z3_line(line, module, knob)) {
      knobs.push_back(std::move(knob));
    }
  }
  return knobs;
}

std::vector<Knob> read_cvc_listing(std::string_view text) {
  constexpr std::string_view kFrom = "From the ";
  constexpr std::string_view kModule = " module:";
  std::vector<Knob> knobs;
  std::string group = "common";
  CvcEntry entry;
  while (!text.empty()) {
    const std::string_view line = base::take_line(text);
    CvcEntry next;
    if (start_cvc(line, next)) {
      add_cvc(knobs, entry);
      entry = std::move(next);
      entry.knob.group = group;
    } else if (!entry.knob.name.empty() && indent_of(line) > 8 && !base::trimmed(line).empty()) {
      if (!entry.knob.about.empty()) entry.knob.about += ' ';
      entry.knob.about += base::trimmed(line);
    } else {
      add_cvc(knobs, entry);
      const std::string_view whole = base::trimmed(line);
      if (whole.starts_with(kFrom) && whole.ends_with(kModule)) {
        group = lower(whole.substr(kFrom.size(), whole.size() - kFrom.size() - kModule.size()));
      }
    }
  }
  add_cvc(knobs, entry);
  return knobs;
}

std::vector<Knob> read_boolector_listing(std::string_view text) {
  std::vector<Knob> knobs;
  while (!text.empty()) {
    const std::string_view line = base::take_line(text);
    const size_t name = line.find("--");
    const size_t open = line.find("<n>", name == std::string_view::npos ? 0 : name);
    if (name == std::string_view::npos || open == std::string_view::npos) continue;
    const std::string_view range = between(line, "[", "]");
    const size_t comma = range.find(',');
    Knob knob;
    knob.name = line.substr(name + 2, open - name - 2);
    knob.type = Type::kInteger;
    knob.standard = between(line, "(default ", ")");
    knob.about = base::trimmed(line.substr(open + 3));
    if (comma == std::string_view::npos || !base::read_number(range.substr(0, comma), knob.low) ||
        !base::read_number(range.substr(comma + 1), knob.high)) {
      continue;
    }
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

void read_modes(std::string_view text, Knob& knob) {
  constexpr std::string_view kDefault = " (default)";
  while (!text.empty()) {
    std::string_view line = base::trimmed(base::take_line(text));
    if (!line.starts_with("+ ")) continue;
    line.remove_prefix(2);
    const bool is_default = line.ends_with(kDefault);
    if (is_default) line.remove_suffix(kDefault.size());
    if (line.empty() || line.find(' ') != std::string_view::npos) continue;
    knob.values.emplace_back(line);
    if (is_default) knob.standard = line;
  }
}

std::vector<Tactic> read_tactics(std::string_view text) {
  std::vector<Tactic> tactics;
  while (!text.empty()) {
    std::string_view line = base::take_line(text);
    // Probes come last, under a heading of their own.
    if (line.starts_with("builtin probes")) break;
    if (!line.starts_with("- ") || line.starts_with("- (")) continue;
    line.remove_prefix(2);
    const size_t end = std::min(line.find(' '), line.size());
    tactics.push_back(
        {std::string(line.substr(0, end)), std::string(base::trimmed(line.substr(end)))});
  }
  return tactics;
}

}  // namespace elenchus::knobs
