#include "ir/timeline.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace elenchus::ir {
namespace {

using testing::ElementsAre;

// Scripts in short: a word for each command.
struct Word {
  const char* text;
  CommandKind kind;
  uint32_t number = 0;
  const char* option = nullptr;
};
constexpr Word kWords[] = {
    {"logic", CommandKind::kSetLogic},
    {"info", CommandKind::kSetInfo},
    {"option", CommandKind::kSetOption, 0, ":produce-models"},
    {"global", CommandKind::kSetOption, 0, ":global-declarations"},
    {"sort", CommandKind::kDeclareSort},
    {"abbreviation", CommandKind::kDefineSort},
    {"fun", CommandKind::kDeclareFun},
    {"const", CommandKind::kDeclareConst},
    {"define", CommandKind::kDefineFun},
    {"recursive", CommandKind::kDefineFunsRec},
    {"datatype", CommandKind::kDeclareDatatypes},
    {"assert", CommandKind::kAssert},
    {"soft", CommandKind::kAssertSoft},
    {"check", CommandKind::kCheckSat},
    {"push0", CommandKind::kPush, 0},
    {"push", CommandKind::kPush, 1},
    {"push2", CommandKind::kPush, 2},
    {"pop0", CommandKind::kPop, 0},
    {"pop", CommandKind::kPop, 1},
    {"pop2", CommandKind::kPop, 2},
    {"pop3", CommandKind::kPop, 3},
    {"reset", CommandKind::kReset},
    {"reset-assertions", CommandKind::kResetAssertions},
};

Script script_of(TermStore& store, const std::string& text) {
  Script script;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    Command command;
    for (const Word& known : kWords) {
      if (known.text != word) continue;
      command.kind = known.kind;
      command.number = known.number;
      if (known.option == nullptr) continue;
      command.text = store.symbols().intern(known.option);
      command.value = store.symbols().intern("true");
    }
    EXPECT_NE(command.kind, CommandKind::kText) << word;
    script.commands.push_back(command);
  }
  return script;
}

// What is in force, and what can be used, at the end of the script.
struct Ending {
  std::string holds, usable;
};
Ending ending_of(const std::string& text) {
  TermStore store;
  const Script script = script_of(store, text);
  const Timeline timeline(store, script);
  Ending ending;
  std::istringstream words(text);
  std::string word;
  const size_t last = script.commands.size();
  for (size_t i = 0; words >> word; ++i) {
    const CommandKind kind = script.commands[i].kind;
    if (kind >= CommandKind::kCheckSat) continue;
    if (timeline.holds(i, last)) ending.holds += word + ' ';
    if (timeline.is_usable(i, last)) ending.usable += word + ' ';
  }
  return ending;
}

TEST(Timeline, SaysWhatIsInForce) {
  const struct {
    std::string script, holds;
  } cases[] = {
      {"", ""},
      {"logic const assert", "logic const assert "},
      {"const push assert pop", "const "},
      {"push const assert pop check", ""},
      {"push sort abbreviation fun define recursive datatype soft pop", ""},
      {"push2 const assert pop", ""},
      {"push2 const pop assert pop", ""},
      {"push const push define pop assert", "const assert "},
      {"push const push define pop2 assert", "assert "},
      {"const push fun push define pop assert push sort pop", "const fun assert "},
      {"push0 const pop0 assert", "const assert "},
      // What closes more levels than are open closes all.
      {"const push assert pop3", "const "},
      {"const assert pop", "const assert "},
      // Settings outlive their level.
      {"push option info const pop", "option info "},
      // Global declarations.
      {"global push sort fun define datatype assert pop", "global sort fun define datatype "},
      {"global push const push define assert pop2 pop", "global const define "},
      {"global const assert reset-assertions", "global const "},
      {"global push const assert reset-assertions assert", "global const assert "},
      {"global push const reset-assertions push fun pop pop", "global const fun "},
      {"global const reset push fun pop", ""},
      // Resets.
      {"logic option const assert reset", ""},
      {"logic push const assert reset logic fun", "logic fun "},
      {"logic option const assert reset-assertions", "logic option "},
      {"const reset-assertions fun assert", "fun assert "},
      {"push const reset-assertions push fun pop assert", "assert "},
      {"push push reset-assertions const pop", "const "},
      {"push push reset const pop", "const "},
  };
  for (const auto& [script, holds] : cases) EXPECT_EQ(ending_of(script).holds, holds) << script;
}

TEST(Timeline, SaysWhatCanBeUsed) {
  const struct {
    std::string script, usable;
  } cases[] = {
      {"const push fun pop", "const "},
      {"global push fun pop", "global fun "},
      {"const reset-assertions fun", "const fun "},
      {"push const reset-assertions fun pop push define pop", "const fun "},
      {"const reset-assertions fun reset sort", "sort "},
  };
  for (const auto& [script, usable] : cases) EXPECT_EQ(ending_of(script).usable, usable) << script;
}

TEST(Timeline, SaysWhereThingsEnd) {
  TermStore store;
  const Script script = script_of(store, "const push2 fun push assert pop2 pop pop reset");
  const Timeline timeline(store, script);
  EXPECT_EQ(timeline.end(0), 8U);
  EXPECT_EQ(timeline.end(2), 5U);
  EXPECT_EQ(timeline.end(4), 5U);
  EXPECT_FALSE(timeline.holds(4, 4));
  EXPECT_TRUE(timeline.holds(4, 5));
  EXPECT_FALSE(timeline.holds(4, 6));
  EXPECT_EQ(timeline.opener(5), 1U);
  EXPECT_EQ(timeline.opener(6), 1U);
  EXPECT_EQ(timeline.opener(7), Timeline::kNever);
  EXPECT_FALSE(timeline.pops_too_many(6));
  EXPECT_TRUE(timeline.pops_too_many(7));
}

TEST(Timeline, GlobalDeclarationsAreNotTakenBack) {
  TermStore store;
  Script script = script_of(store, "option push pop global push pop reset push pop global push");
  script.commands.push_back(script.commands[9]);
  script.commands.back().value = store.symbols().intern("false");
  script.commands.push_back(script.commands[2]);
  const Timeline timeline(store, script);
  EXPECT_EQ(timeline.taken_back_to(2), 1U);
  EXPECT_EQ(timeline.taken_back_to(5), Timeline::kNever);
  EXPECT_EQ(timeline.opener(5), 4U);
  EXPECT_EQ(timeline.taken_back_to(8), 7U);
  EXPECT_EQ(timeline.taken_back_to(12), 10U);
}

TEST(Timeline, ChecksAskForWhatIsAsserted) {
  TermStore store;
  Script script = script_of(
      store, "assert check push assert soft check pop check reset-assertions assert check");
  for (size_t i = 0; i < script.commands.size(); ++i) {
    script.commands[i].term = TermId{static_cast<uint32_t>(i)};
  }
  Command assuming;
  assuming.kind = CommandKind::kCheckSatAssuming;
  const uint32_t assumed[] = {40, 41};
  script.set_items(assuming, assumed);
  script.commands.push_back(assuming);
  const auto claims = [&](size_t check) {
    std::vector<uint32_t> terms;
    for (const Claim& claim : claims_at(script, check)) terms.push_back(claim.term.value);
    return terms;
  };
  const Timeline timeline(store, script);
  for (const size_t check : checks_of(script)) {
    std::vector<uint32_t> terms;
    for (const Claim& claim : timeline.claims(script, check)) terms.push_back(claim.term.value);
    EXPECT_EQ(terms, claims(check));
  }
  EXPECT_THAT(checks_of(script), ElementsAre(1, 5, 7, 10, 11));
  EXPECT_THAT(claims(1), ElementsAre(0));
  EXPECT_THAT(claims(5), ElementsAre(0, 3));
  EXPECT_THAT(claims(7), ElementsAre(0));
  EXPECT_THAT(claims(10), ElementsAre(9));
  EXPECT_THAT(claims(11), ElementsAre(9, 40, 41));
  EXPECT_THAT(claims(12), ElementsAre(9));
}

// Twice as long, twice the time: each command is taken back once.
TEST(Timeline, LongScripts) {
  TermStore store;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "const push assert reset-assertions push fun ";
  const Script script = script_of(store, text + "pop reset");
  const Timeline timeline(store, script);
  EXPECT_EQ(timeline.end(0), 3U);
  EXPECT_FALSE(timeline.is_usable(0, script.commands.size()));
}

}  // namespace
}  // namespace elenchus::ir
