#pragma once

#include <filesystem>

#include "base/result.h"

namespace elenchus::store {

// The right to write to a campaign. Only one process has it; it ends with the process, however that
// ends.
class WriterLock {
 public:
  static base::Result<WriterLock> acquire(const std::filesystem::path& file);

  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

 private:
  explicit WriterLock(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace elenchus::store
