// The server against clients that are slow, rude or many.

#include "web/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
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
  explicit Client(uint16_t port) : Client() { connect_to(port); }
  // One that has not connected yet.
  Client() : fd_(socket(AF_INET, SOCK_STREAM, 0)) {}
  void connect_to(uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    const timeval limit{120, 0};
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
  void start(HttpLimits limits = {}, const TlsFiles& tls = {}) {
    auto server = HttpServer::listen("127.0.0.1", 0, limits, tls);
    ASSERT_TRUE(server.has_value()) << server.error().message;
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
  EXPECT_THAT(ask("GET / HTTP/1.1\r\nRange: bytes=" + std::string(7000, ',') + "\r\n\r\n"),
              StartsWith("HTTP/1.1 416"));
  EXPECT_THAT(ask("GET / SPDY\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask(std::string_view("\0\xff\x80 / \n\n", 8)), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(ask("GET /throw HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(ask("GET /" + std::string(20'000, 'a')), StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, AnswersAreSmallerForWhoeverUnpacksThem) {
  start();
  const std::string packed = ask("GET /big HTTP/1.1\r\nAccept-Encoding: br, gzip\r\n\r\n");
  EXPECT_THAT(packed, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_LT(packed.size(), 100'000u);
}

// A client that speaks TLS and knows the server by its certificate alone.
class TlsClient {
 public:
  TlsClient(uint16_t port, const std::string& certificate) : client_("127.0.0.1", port) {
    client_.set_ca_cert_path(certificate.c_str());
    client_.enable_server_certificate_verification(true);
  }
  httplib::Result get(const std::string& path) { return client_.Get(path); }

 private:
  httplib::SSLClient client_;
};

// Makes a certificate for this machine that is its own proof, with its key in the same file.
void write_certificate(const std::string& path) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("127.0.0.1"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_EXTENSION* const names =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
  X509_add_ext(certificate.get(), names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  std::FILE* const file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  PEM_write_X509(file, certificate.get());
  PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
}

TEST_F(HttpServerTest, SpeaksTls) {
  const std::string path = ::testing::TempDir() + "http_server_test." + std::to_string(getpid());
  write_certificate(path);
  start({.connections = 4, .request_seconds = 2}, {path, {}});
  ASSERT_TRUE(server_->has_tls());
  TlsClient client(server_->port(), path);
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.get("/a?b");
    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->status, 200);
    EXPECT_THAT(answer->body, StartsWith("/a of "));
  }
  EXPECT_EQ(client.get("/big")->body.size(), 5'000'000u);
  // What is no TLS gets nothing, and neither that nor silence keeps others out.
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), ::testing::Not(HasSubstr("200")));
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 20; ++i) idle.push_back(std::make_unique<Client>(server_->port()));
  EXPECT_TRUE(client.get("/"));
  std::remove(path.c_str());
}

TEST_F(HttpServerTest, FilesThatAreNoCertificateAreAnError) {
  for (const std::string path : {"/dev/null", "/no such file"}) {
    const auto server = HttpServer::listen("127.0.0.1", 0, {}, {path, {}});
    ASSERT_FALSE(server.has_value());
    EXPECT_THAT(server.error().message, HasSubstr(path));
  }
}

TEST_F(HttpServerTest, ASlowClientIsSentAway) {
  start({.request_seconds = 0.3});
  const Client slow(server_->port());
  const auto begin = std::chrono::steady_clock::now();
  // Whoever counts each read by itself would wait for this client for ever.
  std::thread drip([&] {
    for (int i = 0; i < 1200 && slow.say("G"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  EXPECT_THAT(slow.hear(), StartsWith("HTTP/1.1 408"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  drip.join();
  // It has a minute to say.
  EXPECT_LT(took.count(), 50);
}

TEST_F(HttpServerTest, ClientsThatOnlyConnectDoNotKeepOthersOut) {
  start({.connections = 8, .request_seconds = 60});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(std::make_unique<Client>(server_->port()));
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, AClientThatDoesNotReadDoesNotStopTheOthers) {
  // Whoever does read has all of it in this time.
  start({.response_seconds = 3});
  const Client deaf(server_->port());
  ASSERT_TRUE(deaf.say("GET /big HTTP/1.1\r\n\r\n"));
  EXPECT_THAT(ask("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_GT(ask("GET /big HTTP/1.1\r\n\r\n").size(), 5'000'000u);
  std::this_thread::sleep_for(std::chrono::milliseconds(6000));
  EXPECT_LT(deaf.hear().size(), 5'000'000u);
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST_F(HttpServerTest, AConnectionThatCannotBeAcceptedIsWaitedFor) {
  start();
  Client client;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{100, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<int> taken;
  for (int fd = 0; (fd = open("/dev/null", O_RDONLY)) >= 0;) taken.push_back(fd);
  const double cpu = own_cpu_seconds();
  client.connect_to(server_->port());
  EXPECT_TRUE(client.say("GET / HTTP/1.1\r\n\r\n"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  EXPECT_LT(own_cpu_seconds() - cpu, 0.5);
  for (const int fd : taken) ::close(fd);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_THAT(client.hear(), StartsWith("HTTP/1.1 200"));
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
