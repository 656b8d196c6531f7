#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "proc/process.h"

namespace elenchus::proc {

// Words go over the pipes of a fork server in the order of bytes of the machine.
bool send_word(const Fd& to, uint32_t word);
// Nothing when none comes in time or the other side has gone.
std::optional<uint32_t> receive_word(const Fd& from, Clock::time_point deadline);

// What a fork server says of itself.
struct Greeting {
  uint32_t version = 0;   // of the protocol; 0 for the one-word handshake
  uint32_t map_size = 0;  // bytes of its coverage map; 0 where it does not say
};

// The beginning of a conversation with a fork server, in AFL++'s older form and in the versioned
// one. The error says what the server complains of, or that there is none.
base::Result<Greeting> shake_hands(const Fd& commands, const Fd& status,
                                   Clock::time_point deadline);

}  // namespace elenchus::proc
