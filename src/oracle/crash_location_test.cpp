#include "oracle/crash_location.h"

#include <gtest/gtest.h>

namespace elenchus::oracle {
namespace {

TEST(CrashLocation, PlacesStayAndFoldersGo) {
  EXPECT_EQ(normalised_message("Fatal failure within f() at ./src/expr/node.cpp:1700"),
            "Fatal failure within f() at node.cpp:1700");
  EXPECT_EQ(normalised_message("File: /build/z3/src/ast/ast.cpp"), "File: ast.cpp");
}

TEST(CrashLocation, APlaceOutlivesLongParameters) {
  const std::string type = "const std::vector<cvc5::internal::NodeTemplate<true> (int), x>&, ";
  std::string parameters;
  for (int i = 0; i < 8; ++i) parameters += type;
  const std::string head = "Fatal failure within bool a::(anonymous namespace)::f";
  EXPECT_EQ(normalised_message(head + "(" + parameters + "int) const at ./src/a/b.cpp:77\nmore"),
            head + " at b.cpp:77");
  EXPECT_EQ(normalised_message("Fatal failure within bool b::operator()(" + parameters +
                               "int) at ./src/a/b.cpp:78"),
            "Fatal failure within bool b::operator() at b.cpp:78");
  EXPECT_EQ(normalised_message("Fatal failure within f(int) at c.cpp:9"),
            "Fatal failure within f(int) at c.cpp:9");
  EXPECT_LE(normalised_message(std::string(900, 'x') + " at c.cpp:9").size(), 900u);
}

TEST(CrashLocation, FoldersGoWhateverTheyAreCalled) {
  constexpr const char* kSame = "cannot load libz#: run again";
  EXPECT_EQ(normalised_message("cannot load /opt/z3-4.8/libz3: run again"), kSame);
  EXPECT_EQ(normalised_message("cannot load /home/me/my+build@2/libz3: run again"), kSame);
  EXPECT_EQ(normalised_message("cannot load ../b-1/libz3: run again"), kSame);
  EXPECT_EQ(normalised_message("at /a-1/src/x.cpp:12 (/ x 2) and/or"),
            "at x.cpp:12 (/ x #) and/or");
}

TEST(CrashLocation, NumbersAddressesAndQuotedTextGo) {
  EXPECT_EQ(normalised_message("bad node 1234 at 0x7ffe12 of 'x!17'"), "bad node # at 0x of ''");
  EXPECT_EQ(normalised_message("bad node 99 at 0xabc of 'y'"), "bad node # at 0x of ''");
  EXPECT_EQ(normalised_message("an unfinished ' quote"), "an unfinished ' quote");
}

TEST(CrashLocation, OnlyTheFirstLineCounts) {
  EXPECT_EQ(normalised_message("one\ntwo"), "one");
  EXPECT_EQ(normalised_message(""), "");
}

TEST(CrashLocation, SanitizerStacksAreTakenFromTheTop) {
  solver::Run run;
  run.err =
      "==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x55\n"
      "    #0 0x55d1 in cvc5::Node::f(int) /src/node.cpp:12:3\n"
      "    #1 0x55d2 in main /src/main.cpp:1\n";
  EXPECT_EQ(crash_location(run), "AddressSanitizer: heap-use-after-free < cvc5::Node::f < main");
}

TEST(CrashLocation, AssertionsOfZ3HaveTheirPlaceOnFurtherLines) {
  solver::Run run;
  run.message = "ASSERTION VIOLATION\nFile: ../src/ast/ast.cpp\nLine: 42\nx == y";
  EXPECT_EQ(crash_location(run), "ASSERTION VIOLATION ast.cpp:42");
}

TEST(CrashLocation, ASignalIsBetterThanNothing) {
  solver::Run run;
  run.signal = 11;
  EXPECT_EQ(crash_location(run), "signal 11");
  run.message = "CVC4 suffered a segfault.";
  EXPECT_EQ(crash_location(run), "SIGSEGV");
  run.message = "ASSERTION VIOLATION";
  EXPECT_EQ(crash_location(run), "ASSERTION VIOLATION");
}

TEST(CrashLocation, AnAddressNearZeroIsAnOffset) {
  solver::Run run;
  run.message = "CVC4 suffered a segfault.\nOffending address is 0xa8\nLooks like a NULL pointer";
  EXPECT_EQ(crash_location(run), "SIGSEGV@0xa8");
  run.message = "cvc5 suffered a segfault.\nOffending address is 0x0";
  EXPECT_EQ(crash_location(run), "SIGSEGV@0x0");
  run.message = "cvc5 suffered a segfault.\nOffending address is 0x7ffd1000";
  EXPECT_EQ(crash_location(run), "SIGSEGV");
}

}  // namespace
}  // namespace elenchus::oracle
