// The handshake of AFL++'s fork servers, as its runtime library has it.
//
// Older (up to 4.10, Debian's 4.04c among them): the server writes one word, which is 0, or flags
// with the size of its map, or an error. It expects no answer unless it has a dictionary or wants
// its input in shared memory; then it takes a command without these flags for "no, thanks", and for
// its first command as well. So nothing needs to be answered.
//
// Versioned: the server writes "AFL" with a version, we answer with all bits inverted, it writes
// its options, what belongs to each of them, and its version again.

#include "proc/fork_protocol.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <string>

namespace elenchus::proc {
namespace {

constexpr uint32_t kVersionMark = 0x41464c00;  // "AFL", then the version
constexpr uint32_t kVersionMask = 0x000000ff;
constexpr uint32_t kError = 0xeffe0000;  // then a code
constexpr uint32_t kErrorMask = 0xffff0000;
constexpr uint32_t kOptionMapSize = 0x1;
constexpr uint32_t kOptionDictionary = 0x800;
// More is not a dictionary.
constexpr uint32_t kLargestDictionary = 1 << 24;

constexpr uint32_t kOldEnabled = 0x80000001;
constexpr uint32_t kOldMapSize = 0x40000000;
constexpr uint32_t kOldMapSizeMask = 0x00fffffe;  // one less than the size, shifted by one
constexpr uint32_t kOldError = 0xf800008f;        // the code in bits 8 to 23

bool has(uint32_t word, uint32_t flags) { return (word & flags) == flags; }

base::Error no_server(const std::string& why) {
  return {base::ErrorKind::kUnsupported, "no fork server: " + why, {}};
}

base::Error refusal(uint32_t code) {
  return no_server("the program reports error " + std::to_string(code));
}

// Reads this many bytes in time.
bool receive(const Fd& from, char* into, size_t size, Clock::time_point deadline) {
  using std::chrono::milliseconds;
  while (size > 0) {
    const auto left = std::max(deadline - Clock::now(), Clock::duration(0));
    pollfd ready = {from.get(), POLLIN, 0};
    const auto pause = std::chrono::ceil<milliseconds>(left).count();
    const int count = poll(&ready, 1, static_cast<int>(pause));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    const ssize_t read_count = read(from.get(), into, size);
    if (read_count < 0 && errno == EINTR) continue;
    if (read_count <= 0) return false;
    into += read_count;
    size -= static_cast<size_t>(read_count);
  }
  return true;
}

bool skip(const Fd& from, uint32_t size, Clock::time_point deadline) {
  std::array<char, 1 << 12> buffer;
  while (size > 0) {
    const auto part = std::min<uint32_t>(size, buffer.size());
    if (!receive(from, buffer.data(), part, deadline)) return false;
    size -= part;
  }
  return true;
}

base::Result<Greeting> old_greeting(uint32_t word) {
  if (has(word, kOldError)) return refusal((word >> 8) & 0xffff);
  Greeting greeting;
  if (has(word, kOldEnabled | kOldMapSize)) greeting.map_size = ((word & kOldMapSizeMask) >> 1) + 1;
  return greeting;
}

base::Result<Greeting> versioned_greeting(uint32_t hello, const Fd& commands, const Fd& status,
                                          Clock::time_point deadline) {
  const auto broken = [] { return no_server("the handshake breaks off"); };
  Greeting greeting;
  greeting.version = hello & kVersionMask;
  if (!send_word(commands, ~hello)) return broken();
  const auto options = receive_word(status, deadline);
  if (!options) return broken();
  if ((*options & kErrorMask) == kError) return refusal(*options & 0xffff);
  if (has(*options, kOptionMapSize)) {
    const auto size = receive_word(status, deadline);
    if (!size) return broken();
    greeting.map_size = *size;
  }
  if (has(*options, kOptionDictionary)) {
    const auto size = receive_word(status, deadline);
    if (!size || *size > kLargestDictionary || !skip(status, *size, deadline)) return broken();
  }
  if (receive_word(status, deadline) != hello) return broken();
  return greeting;
}

}  // namespace

bool send_word(const Fd& to, uint32_t word) {
  for (;;) {
    // So few bytes are written as a whole or not at all.
    const ssize_t count = write(to.get(), &word, sizeof word);
    if (count < 0 && errno == EINTR) continue;
    return count == sizeof word;
  }
}

std::optional<uint32_t> receive_word(const Fd& from, Clock::time_point deadline) {
  std::array<char, sizeof(uint32_t)> bytes;
  if (!receive(from, bytes.data(), bytes.size(), deadline)) return {};
  return std::bit_cast<uint32_t>(bytes);
}

base::Result<Greeting> shake_hands(const Fd& commands, const Fd& status,
                                   Clock::time_point deadline) {
  const auto word = receive_word(status, deadline);
  if (!word) return no_server("the program does not mention one");
  if ((*word & kErrorMask) == kError) return refusal(*word & 0xffff);
  if ((*word & ~kVersionMask) == kVersionMark) {
    return versioned_greeting(*word, commands, status, deadline);
  }
  return old_greeting(*word);
}

}  // namespace elenchus::proc
