#include "coverage/afl_map.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "proc/process.h"

namespace elenchus::coverage {
namespace {

// More than any solver has edges; less than what would hurt.
constexpr size_t kLargestMap = size_t{1} << 28;
constexpr double kStartSeconds = 10;

// AFL's classes: what differs within one is taken for noise.
constexpr uint64_t class_of(uint8_t count) {
  if (count <= 3) return count - 1U;
  if (count < 32) return static_cast<uint64_t>(std::bit_width(count));  // 3, 4 and 5
  return count < 128 ? 6 : 7;
}
static_assert(class_of(1) == 0 && class_of(3) == 2 && class_of(4) == 3 && class_of(7) == 3);
static_assert(class_of(8) == 4 && class_of(31) == 5 && class_of(32) == 6 && class_of(255) == 7);

base::Error failure(const char* what) {
  return {base::ErrorKind::kIo, std::string(what) + ": " + std::strerror(errno), {}};
}

}  // namespace

base::Result<AflMap> AflMap::make(size_t size) {
  if (size == 0 || size > kLargestMap) {
    return base::Error{base::ErrorKind::kUnsupported, "a coverage map of a size out of range", {}};
  }
  const int id = shmget(IPC_PRIVATE, size, IPC_CREAT | IPC_EXCL | 0600);
  if (id < 0) return failure("no shared memory for a coverage map");
  void* const bytes = shmat(id, nullptr, 0);
  const bool is_attached = reinterpret_cast<intptr_t>(bytes) != -1;
  // Linux lets others attach to what is marked so, and drops it with the last of them.
  shmctl(id, IPC_RMID, nullptr);
  if (!is_attached) return failure("a coverage map cannot be attached");
  return AflMap(id, size, static_cast<uint8_t*>(bytes));
}

AflMap& AflMap::operator=(AflMap&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(size_, other.size_);
  std::swap(bytes_, other.bytes_);
  std::swap(given_, other.given_);
  return *this;
}

AflMap::~AflMap() {
  if (bytes_ != nullptr) shmdt(bytes_);
}

std::vector<std::string> AflMap::environment() const {
  return {"__AFL_SHM_ID=" + std::to_string(id_), "AFL_MAP_SIZE=" + std::to_string(size_),
          "LD_BIND_NOW=1"};
}

void AflMap::clear() { std::memset(bytes_, 0, size_); }

// take(edge, class) for each edge that was taken.
template <typename Take>
void AflMap::for_each_key(Take take) const {
  for (size_t at = 0; at < size_; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    const size_t count = std::min(sizeof word, size_ - at);
    std::memcpy(&word, bytes_ + at, count);
    if (word == 0) continue;  // nearly all of it
    for (size_t edge = at; edge < at + count; ++edge) {
      if (bytes_[edge] != 0) take(edge, class_of(bytes_[edge]));
    }
  }
}

std::vector<uint64_t> AflMap::new_keys() {
  std::vector<uint64_t> keys;
  for_each_key([&](size_t edge, uint64_t hits) {
    const auto bit = static_cast<uint8_t>(1U << hits);
    if ((given_[edge] & bit) != 0) return;
    given_[edge] |= bit;
    keys.push_back((edge << 3) | hits);
  });
  return keys;
}

std::vector<uint64_t> AflMap::keys() const {
  std::vector<uint64_t> keys;
  for_each_key([&](size_t edge, uint64_t hits) { keys.push_back((edge << 3) | hits); });
  return keys;
}

std::vector<uint32_t> AflMap::edges() const {
  std::vector<uint32_t> taken;
  for (size_t edge = 0; edge < size_; ++edge) {
    if (bytes_[edge] != 0) taken.push_back(static_cast<uint32_t>(edge));
  }
  return taken;
}

std::optional<size_t> afl_map_size(const std::string& program) {
  // What is not instrumented says its version.
  const auto run = proc::capture(
      {.command = {program, "--version"}, .environment = {"AFL_DUMP_MAP_SIZE=1"}, .file = {}},
      kStartSeconds, 4096);
  if (!run) return {};
  std::string_view text = run->out;
  while (text.ends_with('\n')) text.remove_suffix(1);
  size_t size = 0;
  if (!base::read_number(text, size) || size == 0 || size > kLargestMap) return {};
  return size;
}

}  // namespace elenchus::coverage
