#include "docket/backtrace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace elenchus::docket {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(BacktraceTest, SolverFramesComeFirst) {
  EXPECT_THAT(frames_in("Program received signal SIGABRT, Aborted.\n"
                        "#0  __pthread_kill_implementation (threadid=...) at ./nptl/kill.c:44\n"
                        "#1  0x00007ffff7a42520 in __GI_raise (sig=6) at raise.c:26\n"
                        "#2  0x00007ffff7a2e7f3 in abort () from /lib/libc.so.6\n"
                        "#3  0x000055555 in smt::context::propagate (this=...) at context.cpp:12\n"
                        "#4  0x000055556 in ?? ()\n"
                        "#5  main (argc=2, argv=...) at main.cpp:3\n"),
              ElementsAre("smt::context::propagate"));
}

TEST(BacktraceTest, WhatSaysThatItDiesIsNotWhereItDies) {
  EXPECT_THAT(frames_in("#0  abort () from /lib/libc.so.6\n"
                        "#1  0x00001 in cvc5::internal::FatalStream::~FatalStream() ()\n"
                        "#2  0x00002 in cvc5::internal::theory::f(int) ()\n"),
              ElementsAre("cvc5::internal::theory::f(int)"));
}

constexpr std::string_view kHidden =
    "#0  0x00007ffff60a0 in ?? () from /lib/libc.so.6\n"
    "#1  0x00007ffff700b in ?? () from /lib/libcvc5.so.1\n"
    "#2  0x00007ffff700d in ?? () from /lib/libcvc5.so.1\n"
    "#3  0x00007ffff7020 in ?? () from /lib/libcvc5.so.1\n"
    "#4  0x00007ffff7040 in cvc5::SolverEngine::checkSat() () from /lib/libcvc5.so.1\n"
    "#5  0x0000555555557 in ?? ()\n";

TEST(BacktraceTest, TheFirstNameAfterHiddenFramesIsNotWhereItDies) {
  EXPECT_THAT(frames_in(kHidden), IsEmpty());
}

TEST(BacktraceTest, HiddenFramesHavePlacesInTheirFile) {
  const std::string mappings =
      "          Start Addr           End Addr       Size     Offset  Perms  objfile\n"
      "      0x7ffff6000     0x7ffff6fff  0xfff        0x0  r-xp   /usr/lib/libc.so.6\n"
      "      0x7ffff7000     0x7ffff700c  0x00c       0x20  r-xp   /usr/lib/libcvc5.so.1\n"
      "      0x7ffff700c     0x7ffff7fff  0xff3      0x100  r-xp   /usr/lib/libcvc5.so.1\n"
      "      0x7ffff8000     0x7ffff8fff  0xff3        0x0  rw-p\n";
  EXPECT_THAT(frames_in(std::string(kHidden) + mappings),
              ElementsAre("libcvc5.so.1+0x2b", "libcvc5.so.1+0x101"));
}

TEST(BacktraceTest, WhatLeadsToTheSolverIsLeftOut) {
  EXPECT_THAT(frames_in("#0  0x01 in a::f (x=1) at a.cpp:1\n"
                        "#1  0x02 in ?? ()\n"
                        "#2  0x03 in a::g () at a.cpp:2\n"
                        "#3  0x04 in __libc_start_call_main (main=...)\n"
                        "#4  0x05 in _start ()\n"),
              ElementsAre("a::f", "a::g"));
}

TEST(BacktraceTest, NothingIsNoFrame) {
  EXPECT_THAT(frames_in(""), IsEmpty());
  EXPECT_THAT(frames_in("No stack.\n"), IsEmpty());
  EXPECT_THAT(frames_in("#0  0x0000\n#1\n#"), IsEmpty());
}

}  // namespace
}  // namespace elenchus::docket
