#include "cli/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/say.h"
#include "history/knowledge_file.h"
#include "ir/signature.h"

namespace elenchus::cli {
namespace {

constexpr size_t kMaxInput = UINT32_MAX;
constexpr size_t kMaxDevice = size_t{64} << 20;

base::Error io_error(int code) { return {base::ErrorKind::kIo, std::strerror(code), {}}; }

// Closes a descriptor that we opened.
class Descriptor {
 public:
  Descriptor(int fd, bool owned) : fd_(fd), owned_(owned) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_ && fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
  bool owned_;
};

// Memory for `room` bytes, with those of the input at its start.
base::Pages larger(const Input& input, size_t room) {
  auto bytes = base::allocate_block(room);
  std::copy_n(input.bytes.get(), input.size, bytes.get());
  return bytes;
}

}  // namespace

std::string shown_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

std::string shown_output(const std::string& path) { return path == "-" ? "<stdout>" : path; }

base::Result<std::vector<std::string>> expand_inputs(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    fs::recursive_directory_iterator entry(path, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (entry->path().extension() == ".smt2") found.push_back(entry->path().string());
    }
    if (error) return base::Error{base::ErrorKind::kIo, path + ": " + error.message(), {}};
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

base::Result<Input> read_input(const std::string& path) {
  const bool standard = path == "-";
  const Descriptor file(standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC),
                        !standard);
  if (file.get() < 0) return io_error(errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return io_error(errno);
  if (S_ISDIR(info.st_mode)) return io_error(EISDIR);

  Input input;
  size_t room = 0;
  // One byte more than the size, so that the end is seen without growing.
  size_t wanted = S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) + 1 : 1U << 16;
  for (;;) {
    if (S_ISCHR(info.st_mode) && input.size > kMaxDevice) {
      return base::Error{base::ErrorKind::kLimit, "a device that does not come to an end", {}};
    }
    if (wanted > kMaxInput) return base::Error{base::ErrorKind::kLimit, "4 GiB or more", {}};
    if (room < wanted) input.bytes = larger(input, room = wanted);
    const ssize_t got = read(file.get(), input.bytes.get() + input.size, room - input.size);
    if (got < 0) {
      if (errno == EINTR) continue;
      return io_error(errno);
    }
    if (got == 0) return input;
    input.size += static_cast<size_t>(got);
    if (input.size == room) wanted = room * 2;
  }
}

base::Result<void> write_output(const std::string& path, const std::string& content) {
  const bool standard = path == "-";
  const Descriptor file(
      standard ? STDOUT_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
      !standard);
  if (file.get() < 0) return io_error(errno);
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t put = write(file.get(), content.data() + done, content.size() - done);
    if (put < 0) {
      if (errno == EINTR) continue;
      if (standard && errno == EPIPE) end_by_broken_pipe();
      return io_error(errno);
    }
    done += static_cast<size_t>(put);
  }
  return {};
}

base::Result<void> replace_output(const std::string& path, const std::string& content) {
  std::error_code error;
  const bool is_new = !std::filesystem::exists(std::filesystem::symlink_status(path, error));
  const bool is_plain = is_new || std::filesystem::is_regular_file(path, error);
  if (path == "-" || !is_plain) return write_output(path, content);
  error.clear();
  std::filesystem::path real = path;
  if (!is_new) real = std::filesystem::canonical(path, error);
  if (error) return base::Error{base::ErrorKind::kIo, error.message(), {}};
  const std::string aside = real.string() + ".tmp";
  if (auto done = write_output(aside, content); !done) return done;
  std::filesystem::rename(aside, real, error);
  if (error) return base::Error{base::ErrorKind::kIo, error.message(), {}};
  return {};
}

base::Result<std::shared_ptr<const ir::OpTable>> operators_with(const std::string& path) {
  if (path.empty()) return ir::OpTable::standard();
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(path));
  auto extended = std::make_shared<ir::OpTable>();
  if (const auto added = extended->add_user_operators(text.view()); !added) return added.error();
  return std::shared_ptr<const ir::OpTable>(std::move(extended));
}

base::Result<OperatorChoice> operator_set_in(const std::string& path) {
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(path));
  ELENCHUS_ASSIGN_OR_RETURN(const auto signatures, ir::parse_signatures(text.view()));
  if (signatures.empty()) {
    return base::Error{base::ErrorKind::kParse, "there is no operator in it", {}};
  }
  auto table = std::make_shared<ir::OpTable>();
  auto names = std::make_shared<std::set<std::string, std::less<>>>();
  std::string further;
  for (const ir::Signature& signature : signatures) {
    names->insert(signature.name);
    const ir::SymbolId symbol = table->symbols().find(signature.name);
    const bool is_known = symbol.valid() && !table->named(symbol).empty();
    if (!is_known) further += signature.text + '\n';
  }
  if (const auto added = table->add_user_operators(further); !added) return added.error();
  return OperatorChoice{std::move(table), std::move(names)};
}

base::Result<std::shared_ptr<const history::Knowledge>> knowledge_in(const std::string& path) {
  if (path.empty()) return std::shared_ptr<const history::Knowledge>();
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(path));
  ELENCHUS_ASSIGN_OR_RETURN(history::Knowledge knowledge, history::read_knowledge(text.view()));
  return std::make_shared<const history::Knowledge>(std::move(knowledge));
}

base::Result<knobs::Correlations> correlations_in(const std::string& path) {
  ELENCHUS_ASSIGN_OR_RETURN(const Input text, read_input(path));
  return knobs::read_correlations(text.view());
}

}  // namespace elenchus::cli
