#include "knobs/catalogue.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "solver/inquiry.h"

namespace elenchus::knobs {
namespace {

// Above it, a default means "no limit", and small values are the interesting ones.
constexpr double kNoLimit = 1e9;
constexpr double kSmallNumbers = 100;

constexpr std::string_view kNoValues = "its values are not known";

// A pattern of a name, or @ and a pattern of the module.
bool fits_any(const std::vector<std::string>& patterns, const Knob& knob) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string_view pattern) {
    return pattern.starts_with('@') ? fits(pattern.substr(1), knob.group)
                                    : fits(pattern, knob.name);
  });
}

double number_of(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Around the default; from zero, since few options take negative numbers.
void guess_range(Knob& knob) {
  if (knob.low != 0 || knob.high != 0) return;
  const double standard = number_of(knob.standard);
  if (standard < 0) knob.low = -1;
  const bool is_limit = standard > kNoLimit;
  if (knob.type == Type::kReal) {
    knob.high = standard > 0 && !is_limit ? 2 * standard : 1;
  } else {
    knob.high = is_limit ? kSmallNumbers : std::max(10.0, 4 * standard);
  }
}

void apply_ranges(const solver::KnobSource& source, Knob& knob) {
  for (const solver::KnobRule& rule : source.ranges) {
    if (!fits_any(rule.match, knob)) continue;
    if (!rule.values.empty()) {
      knob.values = rule.values;
      if (knob.type != Type::kBool) knob.type = Type::kEnum;
    }
    if (rule.low != 0 || rule.high != 0) {
      knob.low = rule.low;
      knob.high = rule.high;
    }
  }
}

void complete(Knob& knob) {
  if (knob.type == Type::kInteger || knob.type == Type::kReal) guess_range(knob);
  if (knob.type == Type::kBool && knob.values.empty()) knob.values = {"false", "true"};
  const bool is_word = knob.type == Type::kEnum || knob.type == Type::kString;
  if (knob.is_usable() && is_word && knob.values.empty()) knob.ignored = kNoValues;
  if (knob.is_usable() && is_word && knob.values.size() == 1 && knob.values[0] == knob.standard) {
    knob.ignored = "it has but one value";
  }
}

std::string text_of(const solver::Solver& solver, std::vector<std::string> arguments,
                    std::string_view input = {}) {
  return solver::output_of(solver, arguments, input).out;
}

// Also what it prints on standard error: cvc5 lists the values of a mode there, cvc4 does not.
std::string all_text_of(const solver::Solver& solver, std::vector<std::string> arguments) {
  const solver::Printed printed = solver::output_of(solver, arguments);
  return printed.out + '\n' + printed.err;
}

// How many of the answers to a list of (get-option ...) there are; what they say goes into the
// knobs.
size_t read_defaults(std::string_view answers, std::span<Knob* const> asked) {
  size_t read = 0;
  while (read < asked.size()) {
    const size_t end = answers.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view word = answers.substr(0, end);
    answers.remove_prefix(end + 1);
    if (word.starts_with('(')) break;
    const bool is_value = word != "unsupported" && word.find(' ') == std::string_view::npos;
    if (is_value) asked[read]->standard = word;
    ++read;
  }
  return read;
}

// cvc4 and cvc5 say what an option is set to. cvc5 ends where it will not say; the rest is asked
// for again.
void ask_for_defaults(const solver::Solver& solver, std::vector<Knob>& knobs) {
  std::vector<Knob*> asked;
  for (Knob& knob : knobs) {
    if (knob.is_usable() && knob.standard.empty()) asked.push_back(&knob);
  }
  std::span<Knob* const> rest = asked;
  while (!rest.empty()) {
    std::string script;
    for (const Knob* knob : rest) script += fmt::format("(get-option :{})\n", knob->name);
    const std::string answers = text_of(solver, solver.profile->base_options, script);
    const size_t read = read_defaults(answers, rest);
    rest = rest.subspan(std::min(read + 1, rest.size()));
  }
}

void ask_for_modes(const solver::Solver& solver, std::vector<Knob>& knobs) {
  for (Knob& knob : knobs) {
    if (!knob.is_usable() || knob.type != Type::kEnum) continue;
    read_modes(all_text_of(solver, {fmt::format("--{}=help", knob.name)}), knob);
  }
}

// Options that have values to choose from, none of which we know, are lost to every search: that
// must not go unnoticed.
std::vector<std::string> gaps_of(const solver::Solver& solver, const Catalogue& catalogue) {
  if (catalogue.knobs.empty()) {
    return {fmt::format("{} lists no options that we can read", solver.name)};
  }
  std::vector<std::string> lost;
  for (const Knob& knob : catalogue.knobs) {
    if (knob.type == Type::kEnum && knob.ignored == kNoValues) lost.push_back(knob.name);
  }
  if (lost.empty()) return {};
  return {fmt::format("{} does not say which values {} of its options have ({}{})", solver.name,
                      lost.size(), lost.front(), lost.size() > 1 ? ", ..." : "")};
}

void mark_ignored(const solver::KnobSource& source, std::vector<Knob>& knobs) {
  for (Knob& knob : knobs) {
    const auto rule =
        std::find_if(source.ignored.begin(), source.ignored.end(),
                     [&](const solver::KnobRule& one) { return fits_any(one.match, knob); });
    if (rule == source.ignored.end()) continue;
    knob.ignored = rule->reason;
    knob.tells = rule->tells;
  }
}

// Names that a solver lists twice, as cvc5 does its common options.
void drop_repeated(std::vector<Knob>& knobs) {
  std::vector<std::string> seen;
  std::erase_if(knobs, [&](const Knob& knob) {
    if (std::find(seen.begin(), seen.end(), knob.name) != seen.end()) return true;
    seen.push_back(knob.name);
    return false;
  });
}

}  // namespace

const Knob* Catalogue::find(std::string_view name) const {
  const auto found =
      std::find_if(knobs.begin(), knobs.end(), [&](const Knob& knob) { return knob.name == name; });
  return found == knobs.end() ? nullptr : &*found;
}

size_t Catalogue::usable() const {
  return static_cast<size_t>(
      std::count_if(knobs.begin(), knobs.end(), [](const Knob& knob) { return knob.is_usable(); }));
}

void apply_profile(const solver::Profile& profile, std::vector<Knob>& knobs) {
  const solver::KnobSource& source = profile.knobs;
  mark_ignored(source, knobs);
  for (Knob& knob : knobs) {
    apply_ranges(source, knob);
    complete(knob);
    if (!source.regular.empty()) knob.is_expert = !fits_any(source.regular, knob);
  }
}

Catalogue catalogue_of(const solver::Solver& solver) {
  const solver::KnobSource& source = solver.profile->knobs;
  Catalogue catalogue;
  if (source.reader.empty()) return catalogue;
  const std::string text = text_of(solver, source.list);
  if (source.reader == "z3") {
    catalogue.knobs = read_z3_listing(text);
    catalogue.tactics = read_tactics(text_of(solver, {"-in"}, "(help-tactic)\n"));
  } else if (source.reader == "cvc") {
    catalogue.knobs = read_cvc_listing(text);
    drop_repeated(catalogue.knobs);
    mark_ignored(source, catalogue.knobs);
    ask_for_modes(solver, catalogue.knobs);
    ask_for_defaults(solver, catalogue.knobs);
  } else if (source.reader == "boolector") {
    catalogue.knobs = read_boolector_listing(text);
  }
  apply_profile(*solver.profile, catalogue.knobs);
  catalogue.gaps = gaps_of(solver, catalogue);
  return catalogue;
}

}  // namespace elenchus::knobs
