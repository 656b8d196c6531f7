// All neighbours that are tried are one edit away, so the nearest is the one that is read with the
// least effort: the one with the smallest difference as text. Edits come in random order, every
// kind of edit having a turn (mutate/edit/edit.cpp), so that a hundred of them meet most places of
// a reduced script.
#include "diagnose/neighbour.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>
#include <vector>

#include "base/text.h"
#include "mutate/edit/edit.h"
#include "smtlib/printer.h"

namespace elenchus::diagnose {
namespace {

using mutate::Mutant;

bool is_of_word(char c) {
  return c != '(' && c != ')' && std::isspace(static_cast<unsigned char>(c)) == 0;
}

// One after the other, single edits only, of what the script itself has.
class Edits {
 public:
  explicit Edits(const Subject& subject)
      : engine_(mutate::make_edit(settings())),
        series_(mutate::series_in(
            engine_->start(subject.store, {.script = subject.test.script, .models = {}}))) {}

  std::optional<Mutant> next() {
    constexpr int kSkips = 8;  // in a row, after which there probably is nothing left
    for (int i = 0; series_ != nullptr && i < kSkips; ++i) {
      auto attempt = series_->next(rng_);
      if (auto* mutant = std::get_if<Mutant>(&attempt)) return std::move(*mutant);
    }
    return {};
  }

 private:
  static mutate::EditSettings settings() {
    mutate::EditSettings settings;
    settings.widen_one_in = settings.pair_one_in = settings.stock = settings.guesses = 0;
    return settings;
  }

  base::Rng rng_{1};
  std::unique_ptr<mutate::Engine> engine_;
  std::unique_ptr<mutate::Series> series_;
};

struct Candidate {
  Mutant mutant;
  Neighbour neighbour;
  size_t distance = 0;
};

oracle::Case case_of(const oracle::Case& test, const ir::Script& script) {
  return {.script = script, .witness = test.witness};
}

}  // namespace

Difference difference_of(std::string_view before, std::string_view after) {
  const size_t least = std::min(before.size(), after.size());
  size_t start = 0;
  while (start < least && before[start] == after[start]) ++start;
  while (start > 0 && is_of_word(before[start - 1])) --start;
  size_t end = 0;
  while (end < least - start && before[before.size() - 1 - end] == after[after.size() - 1 - end]) {
    ++end;
  }
  while (end > 0 && is_of_word(before[before.size() - end])) --end;
  return {std::string(before.substr(start, before.size() - end - start)),
          std::string(after.substr(start, after.size() - end - start))};
}

namespace {

void put_lines(std::string& text, char mark, const std::vector<std::string_view>& lines,
               size_t from, size_t to, size_t most) {
  for (size_t i = from; i < to; ++i) {
    if (i - from == most) {
      text += "...\n";
      return;
    }
    ((text += mark) += lines[i]) += '\n';
  }
}

}  // namespace

std::string changed_lines(std::string_view before, std::string_view after, size_t most) {
  const auto old_lines = base::lines_of(before);
  const auto new_lines = base::lines_of(after);
  const size_t least = std::min(old_lines.size(), new_lines.size());
  size_t start = 0;
  while (start < least && old_lines[start] == new_lines[start]) ++start;
  size_t end = 0;
  while (end < least - start &&
         old_lines[old_lines.size() - 1 - end] == new_lines[new_lines.size() - 1 - end]) {
    ++end;
  }
  std::string text;
  put_lines(text, '-', old_lines, start, old_lines.size() - end, most);
  put_lines(text, '+', new_lines, start, new_lines.size() - end, most);
  return text;
}

std::optional<Neighbour> nearest_quiet(const Subject& subject, lab::SolverLab& sessions,
                                       uint32_t edits) {
  const auto original = smtlib::print_script(subject.store, subject.test.script);
  if (!original) return {};
  std::vector<Candidate> quiet;
  Edits all(subject);
  for (uint32_t i = 0; i < edits && !subject.stop(); ++i) {
    auto mutant = all.next();
    if (!mutant) break;
    const oracle::Case test = case_of(subject.test, mutant->script);
    const Look look = look_at(subject.store, sessions, test, subject.finding);
    if (look.sight != Sight::kGone) continue;
    auto text = smtlib::print_script(subject.store, mutant->script);
    if (!text) continue;
    const size_t distance = difference_of(*original, *text).size();
    Neighbour neighbour{std::move(*text), std::string(mutant->kind), look.answer};
    quiet.push_back({std::move(*mutant), std::move(neighbour), distance});
  }
  // An answer tells more than an unknown.
  std::stable_sort(quiet.begin(), quiet.end(), [](const Candidate& a, const Candidate& b) {
    const bool a_is_open = a.neighbour.answer == "unknown";
    const bool b_is_open = b.neighbour.answer == "unknown";
    return a_is_open != b_is_open ? b_is_open : a.distance < b.distance;
  });
  constexpr size_t kMostLooks = 5;
  for (size_t i = 0; i < std::min(kMostLooks, quiet.size()); ++i) {
    const oracle::Case test = case_of(subject.test, quiet[i].mutant.script);
    const auto is_quiet = [&] {
      return look_at(subject.store, subject.lab, test, subject.finding).sight == Sight::kGone;
    };
    if (is_quiet() && is_quiet()) return std::move(quiet[i].neighbour);
  }
  return {};
}

}  // namespace elenchus::diagnose
