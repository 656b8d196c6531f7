#pragma once

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace elenchus::base {

// Threads that all run `work`: `count` of them, or as many as the system has left. Throws
// std::system_error where it has none. For work that fewer threads do as well, if more slowly.
std::vector<std::thread> start_threads(size_t count, const std::function<void()>& work);

}  // namespace elenchus::base
