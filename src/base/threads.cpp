#include "base/threads.h"

#include <system_error>

namespace elenchus::base {

std::vector<std::thread> start_threads(size_t count, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(work);
  } catch (const std::system_error&) {
    if (threads.empty()) throw;
  }
  return threads;
}

}  // namespace elenchus::base
