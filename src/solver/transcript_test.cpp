#include "solver/transcript.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "solver/solver.h"

namespace elenchus::solver {
namespace {

using SolverRun = Run;  // a test has a Run of its own

const std::string kFake = ELENCHUS_SOURCE_DIR "/tests/fake_solvers/fake";
constexpr std::string_view kSat = "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n";
constexpr std::string_view kUnsat = "(assert false)\n(check-sat)\n";

Query query_of(std::string_view text) {
  Query query;
  query.text = text;
  query.check_ends = {static_cast<uint32_t>(text.size() - 1)};
  query.want_models = true;
  return query;
}

Solver fake(const std::string& mode) {
  auto solver = find_solver(Profiles::standard(), kFake + ' ' + mode);
  EXPECT_TRUE(solver.has_value());
  return solver ? std::move(*solver) : Solver();
}

RunLimits limits() {
  RunLimits result;
  result.seconds = 30;
  return result;
}

std::vector<std::string> texts(const Transcript& transcript) {
  std::vector<std::string> result;
  for (const auto& asked : transcript.queries) result.push_back(asked->query.text);
  return result;
}

Transcript only(const Transcript& all, std::vector<size_t> indices) {
  Transcript some;
  some.options = all.options;
  for (const size_t i : indices) some.queries.push_back(all.queries.at(i));
  return some;
}

// Honest, then lying: the run of the third query, in a session.
SolverRun lying_run(Runner& runner) {
  EXPECT_EQ(runner.run(query_of(kSat), limits()).outcome, Outcome::kSat);
  EXPECT_EQ(runner.run(query_of(kUnsat), limits()).outcome, Outcome::kSat) << "a lie";
  return runner.run(query_of(kSat), limits());
}

TEST(Transcript, HoldsWhatTheSessionWasAsked) {
  Runner runner(fake("lies-later"), false);
  const SolverRun run = lying_run(runner);
  EXPECT_EQ(run.outcome, Outcome::kUnsat);
  const Transcript transcript = transcript_of(run);
  EXPECT_TRUE(transcript.is_complete);
  EXPECT_EQ(transcript.options, std::vector<std::string>{"lies-later"});
  EXPECT_EQ(texts(transcript),
            (std::vector<std::string>{std::string(kSat), std::string(kUnsat), std::string(kSat)}));
  const Asked& second = *transcript.queries[1];
  EXPECT_EQ(second.prologue, "(reset)\n");
  EXPECT_EQ(second.answers, std::vector<Outcome>{Outcome::kSat});
  EXPECT_EQ(second.output, "sat\n(\n)\n");
  // What comes after a run is not part of its history.
  runner.run(query_of(kUnsat), limits());
  EXPECT_EQ(transcript_of(run).queries.size(), 3U);
}

TEST(Transcript, OfAProcessOfItsOwnIsEmpty) {
  Runner runner(fake("honest"), true);
  const Transcript transcript = transcript_of(runner.run(query_of(kSat), limits()));
  EXPECT_TRUE(transcript.queries.empty());
  EXPECT_TRUE(transcript.is_complete);
}

TEST(Transcript, BeginsWithTheProcess) {
  Runner runner(fake("lies-later"), false);
  runner.run(query_of(kSat), limits());
  runner.close();
  EXPECT_EQ(transcript_of(runner.run(query_of(kUnsat), limits())).queries.size(), 1U);
}

TEST(Replay, ShowsWhatNeedsHistory) {
  Runner runner(fake("lies-later"), false);
  const Transcript transcript = transcript_of(lying_run(runner));
  const Replay all = replay(fake("lies-later"), transcript, limits());
  EXPECT_TRUE(all.is_whole);
  EXPECT_EQ(all.asked, 3U);
  EXPECT_EQ(all.run.outcome, Outcome::kUnsat);
  EXPECT_FALSE(all.run.fresh);
  EXPECT_GE(all.seconds, all.run.seconds);
  // Any earlier query will do, and alone it is honest.
  EXPECT_EQ(replay(fake("lies-later"), only(transcript, {1, 2}), limits()).run.outcome,
            Outcome::kUnsat);
  EXPECT_EQ(replay(fake("lies-later"), only(transcript, {2}), limits()).run.outcome, Outcome::kSat);
}

TEST(Replay, TakesTheOptionsOfTheTranscript) {
  Runner runner(fake("lies-later"), false);
  const Transcript transcript = transcript_of(lying_run(runner));
  EXPECT_EQ(replay(fake("honest"), transcript, limits()).run.outcome, Outcome::kUnsat);
  Transcript honest = transcript;
  honest.options = {"honest"};
  EXPECT_EQ(replay(fake("lies-later"), honest, limits()).run.outcome, Outcome::kSat);
}

TEST(Replay, EndsWhereTheProcessEnds) {
  Runner runner(fake("third"), false);
  for (int i = 0; i < 2; ++i) runner.run(query_of(kSat), limits());
  const SolverRun run = runner.run(query_of(kSat), limits());
  ASSERT_TRUE(crashed_only_in_session(run));
  Transcript transcript = transcript_of(*run.session_run);
  EXPECT_EQ(replay(fake("third"), transcript, limits()).run.outcome, Outcome::kCrash);
  transcript.queries.push_back(transcript.queries[0]);
  const Replay longer = replay(fake("third"), transcript, limits());
  EXPECT_FALSE(longer.is_whole);
  EXPECT_EQ(longer.asked, 3U);
}

TEST(Replay, OfNothingOrWithoutAProgramSaysSo) {
  EXPECT_FALSE(replay(fake("honest"), {}, limits()).is_whole);
  Runner runner(fake("honest"), false);
  const Transcript transcript = transcript_of(runner.run(query_of(kSat), limits()));
  Solver gone = fake("honest");
  gone.program = "/nowhere/solver";
  const Replay replayed = replay(gone, transcript, limits());
  EXPECT_FALSE(replayed.is_whole);
  EXPECT_TRUE(replayed.run.internal_error.has_value());
}

TEST(SessionLog, DropsTheOldestAndSaysSo) {
  const SolverRun run;
  SessionLog few({}, 2, 1 << 20);
  for (uint64_t i = 1; i <= 3; ++i) EXPECT_EQ(few.add(query_of(kSat), "", run), i);
  EXPECT_EQ(few.up_to(3).queries.size(), 2U);
  EXPECT_FALSE(few.up_to(3).is_complete);
  EXPECT_EQ(few.up_to(2).queries.size(), 1U);
  EXPECT_TRUE(few.up_to(1).queries.empty());

  SessionLog small({}, 100, 10000);
  Query big = query_of(kSat);
  big.text += std::string(6000, ' ');
  EXPECT_TRUE(small.up_to(small.add(big, "", run)).is_complete);
  EXPECT_EQ(small.up_to(small.add(big, "", run)).queries.size(), 1U);
  // The query itself is there, however big.
  big.text += std::string(60000, ' ');
  EXPECT_EQ(small.up_to(small.add(big, "", run)).queries.size(), 1U);
}

TEST(SessionLog, IsReadWhileItGrows) {
  SessionLog log({}, 16, 1 << 20);
  std::thread writer([&] {
    for (int i = 0; i < 2000; ++i) log.add(query_of(kSat), "(reset)\n", {});
  });
  for (uint64_t i = 0; i < 2000; ++i) EXPECT_LE(log.up_to(i).queries.size(), 16U);
  writer.join();
}

TEST(SessionScript, IsWhatASolverReads) {
  Runner runner(fake("honest"), false);
  runner.run(query_of(kSat), limits());
  const SolverRun run = runner.run(query_of(kUnsat), limits());
  EXPECT_EQ(session_script(*fake("honest").profile, transcript_of(run)),
            "(reset)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n"
            "(reset)\n(assert false)\n(check-sat)\n");
}

TEST(TranscriptText, RoundTrips) {
  Runner runner(fake("lies-later"), false);
  Transcript transcript = transcript_of(lying_run(runner));
  transcript.options = {"a b", "it's"};
  transcript.is_complete = false;
  const std::string text = write_transcript(transcript);
  const auto back = read_transcript(text);
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->options, transcript.options);
  EXPECT_FALSE(back->is_complete);
  EXPECT_EQ(texts(*back), texts(transcript));
  for (size_t i = 0; i < back->queries.size(); ++i) {
    EXPECT_EQ(back->queries[i]->query.check_ends, transcript.queries[i]->query.check_ends);
    EXPECT_TRUE(back->queries[i]->query.want_models);
    EXPECT_EQ(back->queries[i]->prologue, "(reset)\n");
    EXPECT_EQ(back->queries[i]->answers, transcript.queries[i]->answers);
    EXPECT_EQ(back->queries[i]->outcome, transcript.queries[i]->outcome);
  }
  // It can be replayed from there.
  EXPECT_EQ(write_transcript(transcript).substr(0, 48),
            "; elenchus session 1 incomplete options 'a b' 'i");
}

TEST(TranscriptText, CutAnywhereIsAnError) {
  Runner runner(fake("honest"), false);
  const std::string text = write_transcript(transcript_of(runner.run(query_of(kSat), limits())));
  for (size_t size = text.rfind("; query ") + 1; size < text.rfind("(check-sat)"); ++size) {
    EXPECT_FALSE(read_transcript(std::string_view(text).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(read_transcript("").has_value());
  EXPECT_FALSE(read_transcript("; elenchus session 1 complete").has_value());
}

}  // namespace
}  // namespace elenchus::solver
