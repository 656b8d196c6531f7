// A server for one page and its data, small enough to be read. A library would bring threads whose
// number and patience have to be bounded from outside; here one thread waits for all connections at
// once, and each has a deadline.

#include "web/http_server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace elenchus::web {

struct HttpServer::Connection {
  enum class Stage : uint8_t { kReading, kWriting, kEnding, kClosed };

  explicit Connection(int descriptor, double until) : fd(descriptor), deadline(until) {}
  ~Connection() { ::close(fd); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int fd;
  double deadline;  // of the present stage
  Stage stage = Stage::kReading;
  std::string input;
  std::string output;
  size_t written = 0;
};

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

std::string head_of(const Response& response) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
      "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n",
      response.status, reason_of(response.status), response.type, response.body.size());
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// Where the head of a request ends, if it does.
size_t end_of_head(std::string_view input) {
  const size_t strict = input.find("\r\n\r\n");
  return strict != std::string_view::npos ? strict : input.find("\n\n");
}

struct Head {
  std::string method;
  Request request;
};

std::optional<Head> parse_head(std::string_view text) {
  const std::string_view line = trimmed(text.substr(0, text.find('\n')));
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos || first == 0) return std::nullopt;
  if (!line.substr(second + 1).starts_with("HTTP/1.")) return std::nullopt;
  const std::string_view target = line.substr(first + 1, second - first - 1);
  if (!target.starts_with('/')) return std::nullopt;
  Head head{std::string(line.substr(0, first)),
            {std::string(target.substr(0, target.find('?'))), {}}};
  size_t at = text.find('\n');
  while (at != std::string_view::npos) {
    const size_t next = text.find('\n', at + 1);
    const std::string_view field = text.substr(at + 1, next - at - 1);
    const size_t colon = field.find(':');
    if (colon != std::string_view::npos && lower(field.substr(0, colon)) == "host") {
      head.request.host = lower(trimmed(field.substr(colon + 1)));
    }
    at = next;
  }
  return head;
}

base::Error system_error(std::string_view what) {
  return {base::ErrorKind::kIo, fmt::format("{}: {}", what, std::strerror(errno)), {}};
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, address, sizeof v4);
    return (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
  }
  if (address->sa_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, address, sizeof v6);
  return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

uint16_t port_of(int fd) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &length) != 0) return 0;  // NOLINT
  uint16_t port = 0;  // at the same place for both families
  std::memcpy(&port,
              reinterpret_cast<const char*>(&storage) + offsetof(sockaddr_in, sin_port),  // NOLINT
              sizeof port);
  return ntohs(port);
}

base::Result<int> bound_socket(const addrinfo& at) {
  const int fd = socket(at.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return system_error("cannot make a socket");
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  constexpr int kBacklog = 128;
  if (bind(fd, at.ai_addr, at.ai_addrlen) != 0 || ::listen(fd, kBacklog) != 0) {
    const base::Error error = system_error("cannot listen");
    ::close(fd);
    return error;
  }
  return fd;
}

}  // namespace

base::Result<std::unique_ptr<HttpServer>> HttpServer::listen(const std::string& address,
                                                             uint16_t port, HttpLimits limits) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0 || found == nullptr) {
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("'{}' is no address of this machine: {}", base::shown(address),
                                   gai_strerror(failed)),
                       {}};
  }
  auto fd = bound_socket(*found);
  const bool is_local = is_loopback(found->ai_addr);
  freeaddrinfo(found);
  if (!fd) {
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("{} at {}, port {}; --port 0 takes any that is free",
                                   fd.error().message, base::shown(address), port),
                       {}};
  }
  return std::unique_ptr<HttpServer>(new HttpServer(*fd, port_of(*fd), is_local, limits));
}

HttpServer::HttpServer(int fd, uint16_t port, bool is_local, HttpLimits limits)
    : fd_(fd), port_(port), is_local_(is_local), limits_(limits) {}

HttpServer::~HttpServer() { ::close(fd_); }

void HttpServer::serve(const Handler& handler, const std::atomic<bool>& stop) {
  constexpr int kTickMs = 200;
  while (!stop) {
    std::vector<pollfd> waiting = {{fd_, POLLIN, 0}};
    for (const auto& connection : connections_) {
      const bool writes = connection->stage == Connection::Stage::kWriting;
      waiting.push_back({connection->fd, static_cast<short>(writes ? POLLOUT : POLLIN), 0});
    }
    if (poll(waiting.data(), waiting.size(), kTickMs) < 0 && errno != EINTR) return;
    const double now = seconds_now();
    for (size_t i = 0; i < connections_.size(); ++i) {
      if (waiting[i + 1].revents != 0) advance(*connections_[i], handler);
      expire(*connections_[i], now);
    }
    std::erase_if(connections_, [](const auto& connection) {
      return connection->stage == Connection::Stage::kClosed;
    });
    if ((waiting[0].revents & POLLIN) != 0) accept_all();
  }
}

void HttpServer::accept_all() {
  // Not all at once: those that are here come first.
  constexpr int kAtOnce = 16;
  for (int i = 0; i < kAtOnce; ++i) {
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    make_room();
    connections_.push_back(
        std::make_unique<Connection>(fd, seconds_now() + limits_.request_seconds));
  }
}

// Connections are in the order in which they came.
void HttpServer::make_room() {
  if (connections_.size() < limits_.connections) return;
  auto oldest = std::find_if(connections_.begin(), connections_.end(), [](const auto& connection) {
    return connection->stage == Connection::Stage::kReading;
  });
  connections_.erase(oldest != connections_.end() ? oldest : connections_.begin());
}

void HttpServer::advance(Connection& connection, const Handler& handler) {
  switch (connection.stage) {
    case Connection::Stage::kReading: return read_request(connection, handler);
    case Connection::Stage::kWriting: return write_response(connection);
    case Connection::Stage::kEnding: return discard_rest(connection);
    case Connection::Stage::kClosed: return;
  }
}

void HttpServer::read_request(Connection& connection, const Handler& handler) {
  char buffer[4096];
  const ssize_t count = recv(connection.fd, buffer, sizeof buffer, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    connection.stage = Connection::Stage::kClosed;
    return;
  }
  connection.input.append(buffer, static_cast<size_t>(count));
  const size_t end = end_of_head(connection.input);
  if (end == std::string::npos) {
    if (connection.input.size() > limits_.request_bytes) {
      answer(connection, {431, "text/plain; charset=utf-8", "the request is too long\n"}, true);
    }
    return;
  }
  const auto head = parse_head(std::string_view(connection.input).substr(0, end));
  if (!head) {
    return answer(connection, {400, "text/plain; charset=utf-8", "this is no request\n"}, true);
  }
  const bool is_head = head->method == "HEAD";
  if (head->method != "GET" && !is_head) {
    return answer(connection, {405, "text/plain; charset=utf-8", "only GET is answered\n"}, true);
  }
  try {
    answer(connection, handler(head->request), !is_head);
  } catch (const std::exception&) {
    answer(connection, {500, "text/plain; charset=utf-8", "internal error\n"}, true);
  }
}

void HttpServer::answer(Connection& connection, const Response& response, bool has_body) {
  connection.output = head_of(response);
  if (has_body) connection.output += response.body;
  connection.stage = Connection::Stage::kWriting;
  connection.deadline = seconds_now() + limits_.response_seconds;
  write_response(connection);
}

void HttpServer::write_response(Connection& connection) {
  while (connection.written < connection.output.size()) {
    const ssize_t count = send(connection.fd, connection.output.data() + connection.written,
                               connection.output.size() - connection.written, MSG_NOSIGNAL);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
      connection.stage = Connection::Stage::kClosed;
      return;
    }
    connection.written += static_cast<size_t>(count);
  }
  // Closing with input unread would make the kernel drop what the client has not received yet.
  constexpr double kPatience = 2;
  shutdown(connection.fd, SHUT_WR);
  connection.stage = Connection::Stage::kEnding;
  connection.deadline = std::min(connection.deadline, seconds_now() + kPatience);
  connection.output.clear();
}

void HttpServer::discard_rest(Connection& connection) {
  char buffer[4096];
  const ssize_t count = recv(connection.fd, buffer, sizeof buffer, 0);
  if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return;
  connection.stage = Connection::Stage::kClosed;
}

void HttpServer::expire(Connection& connection, double now) {
  if (now < connection.deadline || connection.stage == Connection::Stage::kClosed) return;
  if (connection.stage == Connection::Stage::kReading) {
    return answer(connection, {408, "text/plain; charset=utf-8", "the request took too long\n"},
                  true);
  }
  connection.stage = Connection::Stage::kClosed;
}

}  // namespace elenchus::web
