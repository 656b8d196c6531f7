#include "docket/suspicion.h"

#include <gtest/gtest.h>

#include "store/files.h"
#include "store/test_campaign.h"

namespace elenchus::docket {
namespace {

Suspicion full_suspicion() {
  Suspicion one;
  one.id = "000007-crash";
  one.stage = Stage::kReduced;
  one.time = 1700000000.5;
  one.kind = "crash";
  one.oracle = "crash";
  one.solver = {"z3", {"sat.euf=true"}};
  one.other = Party{"cvc5", {}};
  one.check = 3;
  one.claim = "z3 crashes";
  one.evidence = "line 1\nline \"2\"";
  one.location = "ast.cpp:12";
  one.look = "crash z3: ast.cpp:12";
  one.cause = "crash z3: ast.cpp:12";
  one.origin = {"storm", {"a.smt2", "b.smt2"}, 42, "sat unsat"};
  one.construction = "by construction";
  one.expected = {"sat", "unsat"};
  one.is_by_variant = true;
  one.needs_history = true;
  one.is_minimal = true;
  one.tries = 17;
  one.reason = "why not";
  one.script = "(check-sat)\n";
  one.witness = "(model)\n";
  one.test_model = "(other)\n";
  one.session = "; elenchus session\n";
  one.reduced = "(exit)\n";
  one.reduced_witness = "(smaller)\n";
  one.reduced_check = 1;
  one.provisional = "crash z3: ast.cpp:1";
  return one;
}

TEST(SuspicionTest, IsReadBackAsItWasWritten) {
  const store::TestFolder home;
  const store::RecordFolders folders(home.path());
  const Suspicion before = full_suspicion();
  ASSERT_OK(folders.add(before.id, files_of(before)));
  const auto after = read_suspicion(folders, before.id);
  ASSERT_OK(after);
  EXPECT_EQ(json_text(*after), json_text(before));
  EXPECT_EQ(after->script, before.script);
  EXPECT_EQ(after->witness, before.witness);
  EXPECT_EQ(after->test_model, before.test_model);
  EXPECT_EQ(after->session, before.session);
  EXPECT_EQ(after->reduced, before.reduced);
  EXPECT_EQ(after->reduced_witness, before.reduced_witness);
}

TEST(SuspicionTest, TextsThatAreEmptyHaveNoFile) {
  const store::TestFolder home;
  const store::RecordFolders folders(home.path());
  Suspicion one;
  one.script = "(check-sat)\n";
  ASSERT_OK(folders.add("000001-crash", files_of(one)));
  const auto names = folders.files("000001-crash");
  ASSERT_OK(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"script.smt2", "suspicion.json"}));
}

TEST(SuspicionTest, ADescriptionThatIsDamagedIsAnErrorWithItsPlace) {
  const store::TestFolder home;
  const store::RecordFolders folders(home.path());
  for (const char* text : {"", "{", "[]", "{\"id\": 1}", "{\"id\": \"x\", \"time\": \"y\"}"}) {
    ASSERT_OK(folders.remove("000001-crash"));
    ASSERT_OK(folders.add("000001-crash", {{"suspicion.json", text}}));
    const auto read = read_suspicion(folders, "000001-crash");
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_NE(read.error().message.find("suspicion.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace elenchus::docket
