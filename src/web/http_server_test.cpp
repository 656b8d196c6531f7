// The server against clients that are slow, rude or many.

#include "web/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace elenchus::web {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Client {
 public:
  explicit Client(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    const timeval limit{20, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  bool say(std::string_view text) const {
    return send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  std::string hear() const {
    std::string text;
    char buffer[65536];
    for (ssize_t n = 0; (n = recv(fd_, buffer, sizeof buffer, 0)) > 0;) {
      text.append(buffer, static_cast<size_t>(n));
    }
    return text;
  }

 private:
  int fd_;
  bool connected_ = false;
};

class HttpServerTest : public ::testing::Test {
 protected:
  void start(HttpLimits limits = {}) {
    auto server = HttpServer::listen("127.0.0.1", 0, limits);
    ASSERT_TRUE(server.has_value());
    server_ = std::move(*server);
    thread_ = std::thread([this] {
      server_->serve(
          [](const Request& request) -> Response {
            if (request.path == "/throw") throw std::runtime_error("no");
            if (request.path == "/big") return {200, "text/plain", std::string(5'000'000, 'x')};
            return {200, "text/plain", request.path + " of " + request.host};
          },
          stop_);
    });
  }
  void TearDown() override {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::string ask(std::string_view text) const {
    const Client client(server_->port());
    client.say(text);
    return client.hear();
  }

  std::unique_ptr<HttpServer> server_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST_F(HttpServerTest, AnswersGetAndHead) {
  start();
  const std::string answer = ask("GET /a/b?c=d HTTP/1.1\r\nHOST: LocalHost:1 \r\nX: y\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Length: 19\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\n/a/b of localhost:1"));
  EXPECT_TRUE(ask("HEAD /a HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
  EXPECT_TRUE(server_->is_local());
}

TEST_F(HttpServerTest, WhatIsNoRequestGetsAnError) {
  start();
  EXPECT_THAT(ask("nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask("\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask("GET a HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask("GET / SPDY\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask(std::string_view("\0\xff\x80 / \n\n", 8)), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(ask("GET /throw HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(ask("GET /" + std::string(20'000, 'a')), StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, ASlowClientIsSentAway) {
  start({.request_seconds = 0.3});
  const Client slow(server_->port());
  const auto begin = std::chrono::steady_clock::now();
  // Whoever counts each read by itself would wait for this client for ever.
  std::thread drip([&] {
    for (int i = 0; i < 30 && slow.say("G"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  EXPECT_THAT(slow.hear(), StartsWith("HTTP/1.1 408"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  drip.join();
  EXPECT_LT(took.count(), 10);
}

TEST_F(HttpServerTest, ClientsThatOnlyConnectDoNotKeepOthersOut) {
  start({.connections = 8, .request_seconds = 60});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(std::make_unique<Client>(server_->port()));
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, AClientThatDoesNotReadDoesNotStopTheOthers) {
  start({.response_seconds = 0.5});
  const Client deaf(server_->port());
  ASSERT_TRUE(deaf.say("GET /big HTTP/1.1\r\n\r\n"));
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_GT(ask("GET /big HTTP/1.1\r\n\r\n").size(), 5'000'000u);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  EXPECT_LT(deaf.hear().size(), 5'000'000u);
}

TEST_F(HttpServerTest, APortThatIsTakenIsAnError) {
  start();
  const auto second = HttpServer::listen("127.0.0.1", server_->port());
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr("--port 0"));
  EXPECT_FALSE(HttpServer::listen("no such name.invalid", 0).has_value());
}

}  // namespace
}  // namespace elenchus::web
