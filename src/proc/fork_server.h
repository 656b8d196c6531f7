#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "proc/fork_protocol.h"
#include "proc/process.h"

namespace elenchus::proc {

// A program built with afl-clang-fast that waits before its main() and forks a child whenever it is
// asked. A child is what a new process would be, but for the work of starting one. It uses the
// streams of the server, so there is one at a time. Not thread-safe.
//
// The server dies with the thread that started it, the children also with our program. What a child
// starts may live on with its output open until kill(), as with any process; that ends the server,
// too.
class ForkServer {
 public:
  // Starts the program and shakes hands. An error where it is no fork server: one should then start
  // processes, and need not tell anybody. `patience`: for its handshake.
  static base::Result<ForkServer> start(const Launch& launch,
                                        Clock::duration patience = std::chrono::seconds(10));

  // The next child, which finds `file` as kInputFile where the server was started with a file. An
  // error where another child has not been waited for, or the server is of no use any more.
  //
  // A child that closes its output is not noticed, as the server has it open. Its time is exact to
  // a clock tick, a hundredth of a second, though right in the sum over children. It may outlive
  // this object.
  base::Result<Process> start_child(std::string_view file);

  // False when the server has died or been ended.
  bool is_alive() const;
  // That it has started.
  uint32_t children() const;
  const Greeting& greeting() const;
  pid_t pid() const;

 private:
  struct State;
  class Child;
  explicit ForkServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;  // shared with the child
};

}  // namespace elenchus::proc
