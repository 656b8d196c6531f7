#include "web/client_stream.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/clock.h"

namespace elenchus::web {
namespace {

bool contains_field(std::string_view head, std::string_view name) {
  const auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; };
  for (size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
    const std::string_view line = head.substr(at + 1);
    if (line.size() >= name.size() && std::equal(name.begin(), name.end(), line.begin(),
                                                 [&](char a, char b) { return is_same(b, a); })) {
      return true;
    }
  }
  return false;
}

bool has_ended(std::string_view head) {
  return head.find("\r\n\r\n") != std::string_view::npos ||
         head.find("\n\n") != std::string_view::npos;
}

}  // namespace

ClientStream::ClientStream(int fd, SSL_CTX* tls, const HttpLimits& limits)
    : fd_(fd),
      limits_(limits),
      tls_(tls == nullptr ? nullptr : SSL_new(tls)),
      deadline_(base::seconds_now() + limits.request_seconds) {
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
  fcntl(fd_, F_SETFD, FD_CLOEXEC);
  if (tls_ != nullptr) SSL_set_fd(tls_.get(), fd_);
}

ClientStream::~ClientStream() { ::close(fd_); }

void ClientStream::drop() {
  is_dropped_ = true;
  ::shutdown(fd_, SHUT_RDWR);
}

bool ClientStream::wait_for(short events) const {
  while (true) {
    const double left = deadline_ - base::seconds_now();
    if (left <= 0) return false;
    pollfd waiting{fd_, events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::ceil(left * 1000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// After an operation that could not be ended: whether it is worth trying again.
bool ClientStream::wait_for_tls(int result) const {
  switch (SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_READ: return wait_for(POLLIN);
    case SSL_ERROR_WANT_WRITE: return wait_for(POLLOUT);
    default: return false;
  }
}

bool ClientStream::shake_hands() {
  while (true) {
    ERR_clear_error();
    const int result = SSL_accept(tls_.get());
    if (result == 1) return true;
    if (!wait_for_tls(result)) return false;
  }
}

ssize_t ClientStream::receive(char* to, size_t size) {
  while (true) {
    ERR_clear_error();
    const ssize_t count =
        tls_ == nullptr ? recv(fd_, to, size, 0) : SSL_read(tls_.get(), to, static_cast<int>(size));
    if (count > 0) return count;
    if (tls_ != nullptr) {
      if (!wait_for_tls(static_cast<int>(count))) return 0;
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR) || !wait_for(POLLIN)) {
      return 0;
    }
  }
}

bool ClientStream::read_head() {
  if (tls_ != nullptr && !shake_hands()) return false;
  char buffer[4096];
  while (!has_ended(head_)) {
    if (head_.size() > limits_.request_bytes) {
      return send_away("431 Request Header Fields Too Large", "the request is too long");
    }
    const ssize_t count = receive(buffer, sizeof buffer);
    if (count <= 0 && base::seconds_now() < deadline_) return false;
    if (count <= 0) return send_away("408 Request Timeout", "the request took too long");
    head_.append(buffer, static_cast<size_t>(count));
  }
  // The library reads this field with a regular expression, which takes the more stack the longer
  // it is; and nobody needs a part of a page.
  if (contains_field(head_, "range:")) {
    return send_away("416 Range Not Satisfiable", "there are no parts");
  }
  is_reading_ = false;
  deadline_ = base::seconds_now() + limits_.response_seconds;
  return true;
}

bool ClientStream::send_away(std::string_view status, std::string_view why) {
  is_reading_ = false;
  deadline_ = base::seconds_now() + 1;
  const std::string answer = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}\n",
      status, why.size() + 1, why);
  write(answer.data(), answer.size());
  return false;
}

// What follows the head is of no interest.
ssize_t ClientStream::read(char* to, size_t size) {
  const size_t count = std::min(size, head_.size() - taken_);
  std::memcpy(to, head_.data() + taken_, count);
  taken_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t ClientStream::write(const char* from, size_t size) {
  size_t written = 0;
  while (written < size) {
    ERR_clear_error();
    const char* const rest = from + written;
    constexpr size_t kAtOnce = size_t{1} << 20;
    const size_t wanted = std::min(size - written, kAtOnce);
    const ssize_t count = tls_ == nullptr ? send(fd_, rest, wanted, MSG_NOSIGNAL)
                                          : SSL_write(tls_.get(), rest, static_cast<int>(wanted));
    if (count > 0) {
      written += static_cast<size_t>(count);
    } else if (tls_ != nullptr) {
      if (!wait_for_tls(static_cast<int>(count))) return -1;
    } else if ((errno != EAGAIN && errno != EINTR) || !wait_for(POLLOUT)) {
      return -1;
    }
  }
  return static_cast<ssize_t>(written);
}

// Closing with input unread would make the kernel drop what the client has not received yet.
void ClientStream::finish() {
  constexpr double kPatience = 2;
  deadline_ = base::seconds_now() + kPatience;
  if (tls_ != nullptr && SSL_is_init_finished(tls_.get()) != 0) {
    ERR_clear_error();
    SSL_shutdown(tls_.get());
  }
  ::shutdown(fd_, SHUT_WR);
  char buffer[4096];
  while (wait_for(POLLIN)) {
    const ssize_t count = recv(fd_, buffer, sizeof buffer, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return;
  }
}

// Nobody asks for addresses.
void ClientStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "-";
  port = 0;
}

void ClientStream::get_local_ip_and_port(std::string& ip, int& port) const {
  get_remote_ip_and_port(ip, port);
}

}  // namespace elenchus::web
