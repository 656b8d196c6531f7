#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace elenchus::web {

struct Request {
  std::string path;  // as sent, without what follows '?'
  std::string host;  // the header, in lower case; may be empty
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

// What clients may cost. Times are for a whole request or response, not for a single read, so that
// no client can hold a connection by sending a byte now and then.
struct HttpLimits {
  size_t connections = 64;
  size_t request_bytes = 8192;
  double request_seconds = 5;
  double response_seconds = 30;
};

// Answers GET requests, one after the other, in one thread. A request is answered and the
// connection closed; whatever is no request gets an error and is closed too. When too many
// connections are open, the one that has been sending its request for longest is dropped.
class HttpServer {
 public:
  using Handler = std::function<Response(const Request&)>;

  // Port 0 is any that is free.
  static base::Result<std::unique_ptr<HttpServer>> listen(const std::string& address, uint16_t port,
                                                          HttpLimits limits = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  uint16_t port() const { return port_; }
  bool is_local() const { return is_local_; }  // nobody but this machine reaches it

  // Serves until `stop` is set.
  void serve(const Handler& handler, const std::atomic<bool>& stop);

 private:
  struct Connection;

  HttpServer(int fd, uint16_t port, bool is_local, HttpLimits limits);

  void accept_all();
  void make_room();
  void advance(Connection& connection, const Handler& handler);
  void read_request(Connection& connection, const Handler& handler);
  void write_response(Connection& connection);
  void discard_rest(Connection& connection);
  void answer(Connection& connection, const Response& response, bool has_body);
  void expire(Connection& connection, double now);

  int fd_;
  uint16_t port_;
  bool is_local_;
  HttpLimits limits_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace elenchus::web
