// The text form of a transcript is one line about the process and, for each query, one line that
// says how it was put, the text as it was sent, and the output as comments:
//
//   ; elenchus session 1 complete options 'smt.arith.solver=2'
//   ; query prologue 8 text 45 checks 44 wants models outcome sat answers sat
//   (reset)
//   (assert true)
//   (check-sat)
//   ; > sat

#include "solver/transcript.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"

namespace elenchus::solver {
namespace {

constexpr size_t kMostOutputKept = 4096;
constexpr std::string_view kFirstLine = "; elenchus session 1 ";
constexpr std::string_view kQueryLine = "; query ";
constexpr std::string_view kOutputLine = "; > ";
constexpr std::array kOutcomes = {Outcome::kSat,     Outcome::kUnsat,  Outcome::kUnknown,
                                  Outcome::kTimeout, Outcome::kMemout, Outcome::kCrash,
                                  Outcome::kRejected};

size_t bytes_of(const Asked& asked) {
  return asked.query.text.size() + asked.prologue.size() + asked.output.size() + sizeof(Asked);
}

base::Error broken(const char* why) {
  return {base::ErrorKind::kParse, std::string("not the transcript of a session: ") + why, {}};
}

// What the runner asks after a check, as far as its answer allows.
std::string requests_after(const Profile& profile, const Asked& asked, size_t check) {
  if (check >= asked.answers.size()) return {};
  const Outcome answer = asked.answers[check];
  if (asked.query.want_models && profile.has_models && answer == Outcome::kSat) {
    return "\n(get-model)";
  }
  if (asked.query.want_cores && profile.has_cores && answer == Outcome::kUnsat) {
    return "\n(get-unsat-core)";
  }
  if (asked.query.want_proofs && answer == Outcome::kUnsat) return "\n(get-proof)";
  return {};
}

// "1,2,3", or "-" for none: every field of a line is a word.
template <typename Items, typename Write>
std::string list_of(const Items& items, Write write) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ",") + std::string(write(item));
  return text.empty() ? "-" : text;
}

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (list != "-" && !list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    parts.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

std::string wants_of(const Query& query) {
  std::vector<std::string> wants;
  if (query.want_models) wants.emplace_back("models");
  if (query.want_cores) wants.emplace_back("cores");
  if (query.want_proofs) wants.emplace_back("proofs");
  if (query.want_objectives) wants.emplace_back("objectives");
  if (query.want_statistics) wants.emplace_back("statistics");
  return list_of(wants, [](const std::string& want) { return want; });
}

std::string header_of(const Asked& asked) {
  const auto number = [](uint32_t end) { return std::to_string(end); };
  std::string line(kQueryLine);
  line += "prologue " + std::to_string(asked.prologue.size());
  line += " text " + std::to_string(asked.query.text.size());
  line += " checks " + list_of(asked.query.check_ends, number);
  line += " wants " + wants_of(asked.query);
  line += " outcome " + std::string(to_string(asked.outcome));
  line += " answers " + list_of(asked.answers, [](Outcome answer) { return to_string(answer); });
  return line + '\n';
}

std::optional<uint32_t> number_of(std::string_view word) {
  uint32_t number = 0;
  return base::read_number(word, number) ? std::optional(number) : std::nullopt;
}

std::optional<Outcome> outcome_of(std::string_view word) {
  const auto found = std::find_if(kOutcomes.begin(), kOutcomes.end(),
                                  [&](Outcome known) { return word == to_string(known); });
  if (found == kOutcomes.end()) return {};
  return *found;
}

// Reads a transcript from front to back.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  base::Result<Transcript> read() {
    Transcript transcript;
    std::string_view line = base::take_line(text_);
    if (!line.starts_with(kFirstLine)) return broken("it does not say so in its first line");
    line.remove_prefix(kFirstLine.size());
    ELENCHUS_ASSIGN_OR_RETURN(std::vector<std::string> words, base::shell_words(line));
    if (words.size() < 2 || words[1] != "options") return broken("its first line is incomplete");
    transcript.is_complete = words[0] == "complete";
    transcript.options.assign(words.begin() + 2, words.end());
    while (!text_.empty()) {
      line = base::take_line(text_);
      if (line.starts_with(kOutputLine) && !transcript.queries.empty()) continue;
      ELENCHUS_ASSIGN_OR_RETURN(Asked asked, read_query(line));
      transcript.queries.push_back(std::make_shared<const Asked>(std::move(asked)));
    }
    return transcript;
  }

 private:
  base::Result<Asked> read_query(std::string_view line) {
    if (!line.starts_with(kQueryLine)) return broken("a line belongs to no query");
    line.remove_prefix(kQueryLine.size());
    ELENCHUS_ASSIGN_OR_RETURN(const std::vector<std::string> words, base::shell_words(line));
    if (words.size() != 12) return broken("a query's line is incomplete");
    const auto prologue = number_of(words[1]);
    const auto size = number_of(words[3]);
    const auto outcome = outcome_of(words[9]);
    if (!prologue || !size || !outcome) return broken("a query's line is garbled");
    if (text_.size() < uint64_t{*prologue} + *size) return broken("a query is cut short");
    Asked asked;
    asked.outcome = *outcome;
    asked.prologue = text_.substr(0, *prologue);
    asked.query.text = text_.substr(*prologue, *size);
    text_.remove_prefix(size_t{*prologue} + *size);
    if (!asked.query.text.ends_with('\n')) base::take_line(text_);
    uint32_t last = 0;
    for (const std::string_view part : parts_of(words[5])) {
      const auto end = number_of(part);
      if (!end || *end <= last || *end > *size) return broken("a check is out of place");
      asked.query.check_ends.push_back(last = *end);
    }
    for (const std::string_view want : parts_of(words[7])) {
      asked.query.want_models |= want == "models";
      asked.query.want_cores |= want == "cores";
      asked.query.want_proofs |= want == "proofs";
      asked.query.want_objectives |= want == "objectives";
      asked.query.want_statistics |= want == "statistics";
    }
    for (const std::string_view part : parts_of(words[11])) {
      const auto answer = outcome_of(part);
      if (!answer) return broken("an answer is none");
      asked.answers.push_back(*answer);
    }
    return asked;
  }

  std::string_view text_;
};

}  // namespace

uint64_t SessionLog::add(const Query& query, std::string_view prologue, const Run& run) {
  auto asked = std::make_shared<Asked>();
  asked->query = query;
  asked->prologue = prologue;
  asked->outcome = run.outcome;
  for (const CheckResult& check : run.checks) asked->answers.push_back(check.outcome);
  asked->output = run.out.substr(0, kMostOutputKept);
  const std::lock_guard lock(mutex_);
  bytes_ += bytes_of(*asked);
  kept_.push_back(std::move(asked));
  while (kept_.size() > 1 && (kept_.size() > most_queries_ || bytes_ > most_bytes_)) {
    bytes_ -= bytes_of(*kept_.front());
    kept_.pop_front();
    ++dropped_;
  }
  return dropped_ + kept_.size();
}

Transcript SessionLog::up_to(uint64_t number) const {
  Transcript transcript;
  transcript.options = options_;
  const std::lock_guard lock(mutex_);
  transcript.is_complete = dropped_ == 0;
  const uint64_t count = number - std::min(number, dropped_);
  const auto end = kept_.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(count, kept_.size()));
  transcript.queries.assign(kept_.begin(), end);
  return transcript;
}

Transcript transcript_of(const Run& run) {
  return run.session == nullptr ? Transcript() : run.session->up_to(run.session_number);
}

std::string session_script(const Profile& profile, const Transcript& transcript) {
  std::string script;
  for (const auto& asked : transcript.queries) {
    script += asked->prologue;
    const std::string_view text = asked->query.text;
    size_t start = 0;
    for (size_t i = 0; i < asked->query.check_ends.size(); ++i) {
      const size_t end = asked->query.check_ends[i];
      script += text.substr(start, end - start);
      script += requests_after(profile, *asked, i);
      start = end;
    }
    script += text.substr(start);
    if (!script.ends_with('\n')) script += '\n';
  }
  return script;
}

std::string write_transcript(const Transcript& transcript) {
  std::string text(kFirstLine);
  text += transcript.is_complete ? "complete options" : "incomplete options";
  for (const std::string& option : transcript.options) text += ' ' + base::shell_word(option);
  text += '\n';
  for (const auto& asked : transcript.queries) {
    text += header_of(*asked);
    text += asked->prologue;
    text += asked->query.text;
    if (!asked->query.text.ends_with('\n')) text += '\n';
    for (const std::string_view line : base::lines_of(asked->output)) {
      text.append(kOutputLine).append(line).append("\n");
    }
  }
  return text;
}

base::Result<Transcript> read_transcript(std::string_view text) { return Reader(text).read(); }

}  // namespace elenchus::solver
