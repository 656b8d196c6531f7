#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace elenchus::web {

struct Request {
  std::string path;  // as sent, without what follows '?'
  std::string host;  // the header, in lower case; may be empty
  // What may hold a token; empty where it was not sent.
  std::string query = {};          // what follows '?'
  std::string authorization = {};  // headers
  std::string cookie = {};
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string cookie = {};  // to be sent back with every request; empty: none
};

// What clients may cost. Times are for a whole request or response, not for a single read, so that
// no client can hold a connection by sending a byte now and then.
struct HttpLimits {
  size_t connections = 32;
  size_t request_bytes = 8192;
  double request_seconds = 5;
  double response_seconds = 30;
};

// PEM files. Without a certificate: plain HTTP.
struct TlsFiles {
  std::string certificate;  // and those that lead from it to one that clients know
  std::string key;          // empty: in the certificate's file
};

// Answers GET requests, a connection for each; whatever is no request gets an error. When too many
// connections are open, the one that has been sending its request for longest is dropped.
class HttpServer {
 public:
  // Is called by one thread at a time.
  using Handler = std::function<Response(const Request&)>;

  // Port 0 is any that is free.
  static base::Result<std::unique_ptr<HttpServer>> listen(const std::string& address, uint16_t port,
                                                          HttpLimits limits = {},
                                                          const TlsFiles& tls = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  uint16_t port() const;
  bool is_local() const;  // nobody but this machine reaches it
  bool has_tls() const;

  // Serves until `stop` is set.
  void serve(const Handler& handler, const std::atomic<bool>& stop);

 private:
  class Library;

  explicit HttpServer(std::unique_ptr<Library> library);

  std::unique_ptr<Library> library_;
};

}  // namespace elenchus::web
