// A batch is printed into one text, asked for in one round trip, and read back as one text, so that
// what a term costs is little more than its own characters. Replies that we cannot read are
// counted: a solver may print operators of its own.

#include "lane/lane.h"

#include <algorithm>
#include <utility>

#include "oracle/term_values.h"
#include "oracle/variants.h"
#include "smtlib/printed_terms.h"
#include "smtlib/printer.h"
#include "smtlib/term_printer.h"

namespace elenchus::lane {

using ir::TermId;

namespace {

constexpr uint64_t kSteps = 20'000;
constexpr uint32_t kLetSize = 12;
// An operator is given up after so many terms that took too long: each costs seconds, and the rest
// of its batch.
constexpr uint32_t kMostHangs = 2;

// The questions about terms, in one text.
class Questions {
 public:
  Questions(const ir::TermStore& store, std::string_view form) : printer_(store, kLetSize) {
    const size_t place = form.find("{}");
    before_ = form.substr(0, place);
    after_ = form.substr(place + 2);
    printer_.start_script();
  }

  // False where the term cannot be written in a line.
  bool add(TermId term) {
    const size_t start = text_.size();
    text_ += before_;
    printer_.start_command();
    const bool is_written = printer_.append(text_, term);
    text_ += after_;
    if (!is_written || text_.find('\n', start) != std::string::npos) {
      text_.resize(start);
      return false;
    }
    ends_.push_back(text_.size());
    return true;
  }

  std::vector<std::string_view> views() const {
    std::vector<std::string_view> views;
    views.reserve(ends_.size());
    size_t start = 0;
    for (const size_t end : ends_) {
      views.push_back(std::string_view(text_).substr(start, end - start));
      start = end;
    }
    return views;
  }

 private:
  smtlib::TermPrinter printer_;
  std::string_view before_;
  std::string_view after_;
  std::string text_;
  std::vector<size_t> ends_;
};

}  // namespace

std::vector<Suspect> Choice::choose(const ir::TermStore& store, std::vector<Suspect> suspects,
                                    size_t most) {
  std::vector<Suspect> chosen;
  while (chosen.size() < most && !suspects.empty()) {
    const auto looks = [&](const Suspect& one) { return chosen_[store.meaning(one.term)]; };
    const auto next =
        std::min_element(suspects.begin(), suspects.end(),
                         [&](const Suspect& a, const Suspect& b) { return looks(a) < looks(b); });
    ++chosen_[store.meaning(next->term)];
    chosen.push_back(*next);
    suspects.erase(next);
  }
  return chosen;
}

Counts& Counts::operator+=(const Counts& other) {
  terms += other.terms;
  for (size_t i = 0; i < kFates; ++i) fates[i] += other.fates[i];
  unchanged += other.unchanged;
  unreadable += other.unreadable;
  other_sorts += other.other_sorts;
  compared += other.compared;
  cpu_seconds += other.cpu_seconds;
  return *this;
}

std::vector<std::pair<std::string_view, uint64_t>> Counts::by_name() const {
  static constexpr std::array<std::string_view, kFates> kFateNames = {
      "answered", "refused", "fatal", "too-long", "confused", "lost"};
  std::vector<std::pair<std::string_view, uint64_t>> all = {{"asked", terms}};
  for (size_t i = 0; i < kFates; ++i) all.emplace_back(kFateNames[i], fates[i]);
  all.insert(all.end(), {{"unchanged", unchanged},
                         {"unreadable", unreadable},
                         {"other-sort", other_sorts},
                         {"compared", compared}});
  return all;
}

TermLane::TermLane(const solver::Solver& solver, const solver::RunLimits& limits)
    : solver_(solver), session_(solver, limits) {}

bool TermLane::serves(const solver::Solver& solver) {
  const solver::Profile& profile = *solver.profile;
  return profile.simplify_command.find("{}") != std::string::npos && profile.is_interactive &&
         profile.has_sessions;
}

std::vector<Suspect> TermLane::examine(ir::TermStore& store, const ir::Script& script,
                                       std::span<const TermId> terms,
                                       std::span<const ir::Model> assignments,
                                       std::string_view form, Counts& counts) {
  replies_.assign(terms.size(), {.fate = Fate::kLost});
  std::vector<Suspect> suspects;
  const ir::Script bare = oracle::declarations_of(script);
  const auto declarations = smtlib::print_script(store, bare);
  if (!declarations || !session_.declare(*declarations)) return suspects;
  Questions questions(store, form);
  std::vector<size_t> asked;  // places of the terms
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto hangs = hangs_.find(store.meaning(terms[i]));
    const bool is_given_up = hangs != hangs_.end() && hangs->second >= kMostHangs;
    if (!is_given_up && questions.add(terms[i])) {
      asked.push_back(i);
    } else {
      replies_[i].fate = Fate::kRefused;
    }
  }
  const std::vector<Reply> replies = session_.ask(questions.views());
  counts.cpu_seconds += session_.take_cpu_seconds();
  counts.terms += asked.size();
  smtlib::PrintedTerms reader(store, bare, bare.commands.size(), session_.text());
  oracle::TermValues values(store, assignments, kSteps);
  for (size_t i = 0; i < asked.size(); ++i) {
    const TermId term = terms[asked[i]];
    const Reply& reply = replies_[asked[i]] = replies[i];
    ++counts.fates[static_cast<size_t>(reply.fate)];
    if (reply.fate == Fate::kFatal) suspects.push_back({term, {}});
    if (reply.fate == Fate::kTooLong) ++hangs_[store.meaning(term)];
    if (reply.fate != Fate::kAnswered) continue;
    TermId read = reader.read(reply.from, reply.to);
    counts.unreadable += read.valid() ? 0 : 1;
    counts.unchanged += read == term ? 1 : 0;
    if (!read.valid() || read == term) continue;
    read = oracle::of_same_sort(store, term, read);
    counts.other_sorts += read.valid() ? 0 : 1;
    if (!read.valid()) continue;
    if (const auto at = values.difference(term, read)) suspects.push_back({term, at});
  }
  counts.compared += values.compared();
  return suspects;
}

}  // namespace elenchus::lane
