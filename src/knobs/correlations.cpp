#include "knobs/correlations.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/embedded.h"
#include "base/text.h"

namespace elenchus::knobs {

std::span<const base::EmbeddedFile> embedded_correlations();

namespace {

constexpr std::string_view kHead = "elenchus-options 2";
// Fewer trials say nothing.
constexpr uint32_t kFewTrials = 4;
// One effect may be another operation's that happened to be in the formula.
constexpr uint32_t kFewEffects = 2;

bool is_conflict(const Effects& effects) {
  return effects.trials >= kFewTrials && effects.conflicts * 2 > effects.trials;
}

// With every operation that it was tried often enough with, where these are some.
bool is_always_in_conflict(const std::map<std::string, Effects>& row) {
  size_t known = 0;
  for (const auto& [operation, effects] : row) {
    if (effects.trials < kFewTrials) continue;
    if (!is_conflict(effects)) return false;
    ++known;
  }
  return known > 1;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

// "solver z3 4.8.12", "threshold 0.1", "formulas 120"
bool read_setting(std::string_view line, Correlations& into) {
  const size_t space = line.find(' ');
  if (space == std::string_view::npos) return false;
  const std::string_view key = line.substr(0, space);
  const std::string_view value = line.substr(space + 1);
  if (key == "threshold") return base::read_number(value, into.threshold);
  if (key == "formulas") return base::read_number(value, into.formulas);
  if (key != "solver") return false;
  const size_t end = std::min(value.find(' '), value.size());
  into.solver = value.substr(0, end);
  into.version = value.substr(std::min(end + 1, value.size()));
  return true;
}

bool read_row(const std::vector<std::string_view>& fields, Correlations& into) {
  if (fields.size() != 8 || fields[0].empty() || fields[1].empty()) return false;
  Effects effects;
  uint32_t* const counts[] = {&effects.trials,     &effects.conflicts, &effects.answers,
                              &effects.statistics, &effects.coverage,  &effects.times};
  for (size_t i = 0; i < std::size(counts); ++i) {
    if (!base::read_number(fields[i + 2], *counts[i])) return false;
  }
  const uint64_t outcomes = uint64_t{effects.conflicts} + effects.answers + effects.statistics +
                            effects.coverage + effects.times;
  if (outcomes > effects.trials) return false;
  into.add(std::string(fields[0]), std::string(fields[1]), effects);
  return true;
}

}  // namespace

void Effects::add(const Effects& other) {
  trials += other.trials;
  conflicts += other.conflicts;
  answers += other.answers;
  statistics += other.statistics;
  coverage += other.coverage;
  times += other.times;
}

void Correlations::add(const std::string& option, const std::string& operation,
                       const Effects& effects) {
  table_[option][operation].add(effects);
}

bool Correlations::knows(const std::string& option) const {
  const auto row = table_.find(option);
  return row != table_.end() && !is_always_in_conflict(row->second) &&
         std::any_of(row->second.begin(), row->second.end(),
                     [](const auto& cell) { return cell.second.trials >= kFewTrials; });
}

const Effects* Correlations::find(const std::string& option, const std::string& operation) const {
  const auto row = table_.find(option);
  if (row == table_.end()) return nullptr;
  const auto cell = row->second.find(operation);
  return cell == row->second.end() ? nullptr : &cell->second;
}

bool Correlations::knows(const std::string& option, const std::string& operation) const {
  const Effects* effects = find(option, operation);
  return effects != nullptr && effects->trials >= kFewTrials;
}

double Correlations::probability(const std::string& option, const std::string& operation) const {
  const Effects* effects = find(option, operation);
  if (effects == nullptr || effects->trials == 0) return 0;
  return static_cast<double>(effects->seen()) / effects->trials;
}

bool Correlations::is_relevant(const std::set<std::string>& operations,
                               const std::string& option) const {
  if (is_in_conflict(operations, option)) return false;
  return std::any_of(operations.begin(), operations.end(), [&](const std::string& operation) {
    const Effects* effects = find(option, operation);
    return effects != nullptr && effects->trials >= kFewTrials && effects->seen() >= kFewEffects &&
           probability(option, operation) >= threshold;
  });
}

// An option that is refused with every operation is refused for something else that all training
// formulas have: their models, their logic.
bool Correlations::is_in_conflict(const std::set<std::string>& operations,
                                  const std::string& option) const {
  const auto row = table_.find(option);
  if (row == table_.end() || is_always_in_conflict(row->second)) return false;
  return std::any_of(operations.begin(), operations.end(), [&](const std::string& operation) {
    const Effects* effects = find(option, operation);
    return effects != nullptr && is_conflict(*effects);
  });
}

void Correlations::merge(const Correlations& other) {
  formulas += other.formulas;
  for (const auto& [option, row] : other.table_) {
    for (const auto& [operation, effects] : row) add(option, operation, effects);
  }
}

std::string print_correlations(const Correlations& correlations) {
  std::string text =
      fmt::format("{}\nsolver {} {}\nthreshold {}\nformulas {}\n", kHead, correlations.solver,
                  correlations.version, correlations.threshold, correlations.formulas);
  text += "# option, operation, trials, conflicts, answers, statistics, coverage, times\n";
  for (const auto& [option, row] : correlations.table()) {
    for (const auto& [operation, effects] : row) {
      text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", option, operation, effects.trials,
                          effects.conflicts, effects.answers, effects.statistics, effects.coverage,
                          effects.times);
    }
  }
  return text;
}

base::Result<Correlations> read_correlations(std::string_view text) {
  Correlations correlations;
  uint32_t number = 0;
  while (!text.empty()) {
    const std::string_view line = base::take_plain_line(text);
    ++number;
    const auto wrong = [&](std::string message) {
      return base::Error{base::ErrorKind::kParse, std::move(message), {number, 1}};
    };
    if (number == 1) {
      if (line != kHead) return wrong(fmt::format("expected '{}'", kHead));
      continue;
    }
    if (line.empty() || line.starts_with('#')) continue;
    const auto fields = fields_of(line);
    const bool is_read =
        fields.size() == 1 ? read_setting(line, correlations) : read_row(fields, correlations);
    if (!is_read) {
      return wrong("expected an option, an operation and six counts that fit, or a setting");
    }
  }
  if (number == 0) return base::Error{base::ErrorKind::kParse, "an empty file", {1, 1}};
  return correlations;
}

const Correlations* shipped_correlations(std::string_view solver) {
  static const auto shipped = [] {
    std::vector<Correlations> all;
    for (const base::EmbeddedFile& file : embedded_correlations()) {
      auto one = read_correlations(file.content);
      ELENCHUS_CHECK(one.has_value(), one.error().message);
      all.push_back(std::move(*one));
    }
    return all;
  }();
  const auto found = std::find_if(shipped.begin(), shipped.end(),
                                  [&](const Correlations& one) { return one.solver == solver; });
  return found == shipped.end() ? nullptr : &*found;
}

}  // namespace elenchus::knobs
