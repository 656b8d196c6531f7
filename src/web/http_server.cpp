// cpp-httplib takes connections, reads requests and writes answers. What it leaves open is bounded
// here: its timeouts are for each read, ours for a request as a whole, and whoever only connects
// makes room for others.

#include "web/http_server.h"

#include <httplib.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "web/client_stream.h"

namespace elenchus::web {
namespace {

constexpr const char* kPlainText = "text/plain; charset=utf-8";

std::string in_lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

bool is_loopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
  }
  if (address.ss_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

Request request_of(const httplib::Request& from) {
  Request request;
  const size_t mark = from.target.find('?');
  request.path = from.target.substr(0, mark);
  if (mark != std::string::npos) request.query = from.target.substr(mark + 1);
  request.host = in_lower_case(from.get_header_value("Host"));
  request.authorization = from.get_header_value("Authorization");
  request.cookie = from.get_header_value("Cookie");
  return request;
}

Response answer_to(const httplib::Request& from, const HttpServer::Handler& handler) {
  if (!from.target.starts_with('/')) return {400, kPlainText, "this is not a request\n"};
  if (from.method != "GET" && from.method != "HEAD") {
    return {405, kPlainText, "only GET is answered\n"};
  }
  try {
    return handler(request_of(from));
  } catch (const std::exception&) {
    return {500, kPlainText, "internal error\n"};
  }
}

using TlsContext = std::unique_ptr<SSL_CTX, FreeTls>;

base::Error tls_error(const std::string& file) {
  char why[256] = "";
  ERR_error_string_n(ERR_get_error(), why, sizeof why);
  const std::string_view text = why;
  return {
      base::ErrorKind::kIo,
      fmt::format("cannot use {} for TLS: {}", base::shown(file), text.substr(text.rfind(':') + 1)),
      {}};
}

base::Result<TlsContext> tls_context(const TlsFiles& files) {
  if (files.certificate.empty()) return TlsContext();
  const std::string& key = files.key.empty() ? files.certificate : files.key;
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr) return tls_error(files.certificate);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Nobody is there to type the password of a key.
  SSL_CTX_set_default_passwd_cb(context.get(), [](char*, int, int, void*) { return 0; });
  if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1) {
    return tls_error(files.certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1) {
    return tls_error(key);
  }
  return context;
}

}  // namespace

class HttpServer::Library : public httplib::Server {
 public:
  Library(HttpLimits limits, TlsContext tls) : limits_(limits), tls_(std::move(tls)) {
    // Not SO_REUSEPORT, with which two programs share a port without a word.
    set_socket_options([](socket_t fd) {
      const int on = 1;
      setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_default_headers({{"Cache-Control", "no-store"},
                         {"X-Content-Type-Options", "nosniff"},
                         {"X-Frame-Options", "DENY"},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Resource-Policy", "same-origin"}});
    constexpr time_t kTickUs = 200'000;
    set_idle_interval(0, kTickUs);
    new_task_queue = [this] { return new Queue(*this); };
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& to) {
      const Response response = answer(request);
      to.status = response.status;
      to.set_content(response.body, response.type.c_str());
      if (!response.cookie.empty()) {
        to.set_header("Set-Cookie", fmt::format("{}; HttpOnly; SameSite=Strict; Path=/{}",
                                                response.cookie, tls_ ? "; Secure" : ""));
      }
      return HandlerResponse::Handled;
    });
  }

  ~Library() override {
    const socket_t fd = svr_sock_.exchange(INVALID_SOCKET);
    if (fd != INVALID_SOCKET) ::close(fd);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  base::Result<void> bind(const std::string& address, uint16_t port) {
    errno = 0;
    const int got = port == 0 ? bind_to_any_port(address) : bind_to_port(address, port) ? port : -1;
    if (got < 0) {
      return base::Error{
          base::ErrorKind::kIo,
          fmt::format("cannot listen at {}, port {}: {}; --port 0 takes any that is "
                      "free",
                      base::shown(address), port,
                      errno == 0 ? "this is not an address of this machine" : std::strerror(errno)),
          {}};
    }
    port_ = static_cast<uint16_t>(got);
    sockaddr_storage bound{};
    socklen_t length = sizeof bound;
    is_local_ =
        getsockname(svr_sock_, reinterpret_cast<sockaddr*>(&bound), &length) == 0 &&  // NOLINT
        is_loopback(bound);
    return {};
  }

  void run(const HttpServer::Handler& handler, const std::atomic<bool>& stop) {
    handler_ = &handler;
    std::atomic<bool> is_over = false;
    std::thread watch([&] {
      constexpr auto kNap = std::chrono::milliseconds(50);
      while (!is_over && (!stop || !is_running())) std::this_thread::sleep_for(kNap);
      this->stop();
      // Those that are still connected end, too.
      const std::lock_guard lock(clients_mutex_);
      is_stopping_ = true;
      for (ClientStream* client : clients_) client->drop();
    });
    listen_after_bind();
    is_over = true;
    watch.join();
  }

  uint16_t port() const { return port_; }
  bool is_local() const { return is_local_; }
  bool has_tls() const { return tls_ != nullptr; }

 private:
  // Counts connections that wait for a thread.
  class Queue : public httplib::ThreadPool {
   public:
    explicit Queue(Library& library)
        : ThreadPool(library.limits_.connections), library_(&library) {}
    void enqueue(std::function<void()> work) override {
      ++library_->waiting_;
      library_->make_room();
      ThreadPool::enqueue(std::move(work));
    }

   private:
    Library* library_;
  };

  Response answer(const httplib::Request& request) {
    const std::lock_guard lock(handler_mutex_);
    return answer_to(request, *handler_);
  }

  // Clients are in the order in which they came.
  void make_room() {
    const std::lock_guard lock(clients_mutex_);
    if (waiting_ == 0 || clients_.size() < limits_.connections) return;
    ClientStream* oldest = nullptr;
    for (ClientStream* client : clients_) {
      if (client->is_dropped()) continue;
      if (oldest == nullptr || (client->is_reading() && !oldest->is_reading())) oldest = client;
    }
    if (oldest != nullptr) oldest->drop();
  }

  void add(ClientStream& client) {
    const std::lock_guard lock(clients_mutex_);
    clients_.push_back(&client);
    if (is_stopping_) client.drop();
  }

  void remove(const ClientStream& client) {
    const std::lock_guard lock(clients_mutex_);
    std::erase(clients_, &client);
  }

  bool process_and_close_socket(socket_t socket) override {
    --waiting_;
    ClientStream client(socket, tls_.get(), limits_);
    add(client);
    make_room();
    if (client.read_head()) {
      bool is_closed = false;
      process_request(client, true, is_closed, [](httplib::Request& request) {
        // The other ways to make an answer smaller take longer than to send it.
        const bool takes_gzip =
            request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
        request.headers.erase("Accept-Encoding");
        if (takes_gzip) request.headers.emplace("Accept-Encoding", "gzip");
      });
    }
    client.finish();
    remove(client);
    return true;
  }

  HttpLimits limits_;
  TlsContext tls_;
  uint16_t port_ = 0;
  bool is_local_ = false;
  const HttpServer::Handler* handler_ = nullptr;
  std::mutex handler_mutex_;
  std::mutex clients_mutex_;
  std::vector<ClientStream*> clients_;
  bool is_stopping_ = false;
  std::atomic<size_t> waiting_ = 0;
};

base::Result<std::unique_ptr<HttpServer>> HttpServer::listen(const std::string& address,
                                                             uint16_t port, HttpLimits limits,
                                                             const TlsFiles& tls) {
  ELENCHUS_ASSIGN_OR_RETURN(TlsContext context, tls_context(tls));
  auto library = std::make_unique<Library>(limits, std::move(context));
  if (auto bound = library->bind(address, port); !bound) return bound.error();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(library)));
}

HttpServer::HttpServer(std::unique_ptr<Library> library) : library_(std::move(library)) {}

HttpServer::~HttpServer() = default;

uint16_t HttpServer::port() const { return library_->port(); }

bool HttpServer::is_local() const { return library_->is_local(); }

bool HttpServer::has_tls() const { return library_->has_tls(); }

void HttpServer::serve(const Handler& handler, const std::atomic<bool>& stop) {
  library_->run(handler, stop);
}

}  // namespace elenchus::web
