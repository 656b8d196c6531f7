#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include <httplib.h>
#include <openssl/ssl.h>

#include "web/http_server.h"

namespace elenchus::web {

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* session) const { SSL_free(session); }
};

// What the library reads a request from and writes the answer to: a socket, with TLS or without. It
// owns the socket. All but drop() is for one thread.
class ClientStream : public httplib::Stream {
 public:
  // `tls`: none for plain HTTP.
  ClientStream(int fd, SSL_CTX* tls, const HttpLimits& limits);
  ~ClientStream() override;
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  // Reads the head of a request in the time that there is for it; false: the client was sent away.
  bool read_head();
  // Ends the connection so that what was sent arrives.
  void finish();

  // By another thread: the client has to go.
  void drop();
  bool is_reading() const { return is_reading_; }
  bool is_dropped() const { return is_dropped_; }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return fd_; }

 private:
  bool shake_hands();
  ssize_t receive(char* to, size_t size);
  bool wait_for(short events) const;
  bool wait_for_tls(int result) const;
  bool send_away(std::string_view status, std::string_view why);

  int fd_;
  HttpLimits limits_;
  std::unique_ptr<SSL, FreeTls> tls_;
  double deadline_;
  std::string head_;
  size_t taken_ = 0;  // of the head, by the library
  std::atomic<bool> is_reading_ = true;
  std::atomic<bool> is_dropped_ = false;
};

}  // namespace elenchus::web
