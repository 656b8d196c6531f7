#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "share/address.h"

struct pg_conn;
struct pg_result;

namespace elenchus::share {

// A parameter of a statement.
class Value {
 public:
  Value(std::string_view text);  // NOLINT: bytes that are no UTF-8 are
  Value(const std::string& text) : Value(std::string_view(text)) {}  // NOLINT: replaced
  Value(const char* text) : Value(std::string_view(text)) {}         // NOLINT
  Value(bool flag) : text_(flag ? "t" : "f") {}                      // NOLINT
  Value(double number);                                              // NOLINT
  template <typename T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Value(T number)
      : text_(std::to_string(static_cast<int64_t>(number))) {}  // NOLINT

  static Value bytes(std::string content);
  static Value list(std::span<const std::string> items);
  static Value list(std::span<const int64_t> items);

  const std::string& text() const { return text_; }
  bool is_binary() const { return is_binary_; }

 private:
  Value() = default;

  std::string text_;
  bool is_binary_ = false;
};

// What a statement gave.
class Rows {
 public:
  size_t size() const;
  bool is_null(size_t row, int column) const;
  std::string text(size_t row, int column) const;
  int64_t integer(size_t row, int column) const;
  uint64_t count(size_t row, int column) const {
    return static_cast<uint64_t>(integer(row, column));
  }
  double real(size_t row, int column) const;
  bool flag(size_t row, int column) const;
  std::string bytes(size_t row, int column) const;

 private:
  friend class Connection;
  struct Clear {
    void operator()(pg_result* result) const;
  };
  explicit Rows(pg_result* result) : result_(result) {}
  std::string_view view(size_t row, int column) const;

  std::unique_ptr<pg_result, Clear> result_;
};

// What readers ask is about all nodes, and may take its time.
inline constexpr int kReadersPatience = 300;  // seconds

// What went to a server and came back.
struct Traffic {
  uint64_t statements = 0;
  uint64_t bytes_sent = 0;      // parameters and statements
  uint64_t bytes_received = 0;  // values
};

// A connection to a database of shared campaigns. Errors say what to do, and never hold a password.
// Used by one thread. Waits no longer than it was told, also where the network is cut.
class Connection {
 public:
  // `patience`: seconds that the server may take for a statement.
  static base::Result<std::unique_ptr<Connection>> open(const Address& address, int patience = 20);

  // One statement; what it holds of others' text goes as parameters.
  base::Result<Rows> run(const std::string& sql, std::span<const Value> values = {});
  base::Result<Rows> run(const std::string& sql, std::initializer_list<Value> values) {
    return run(sql, std::span(values.begin(), values.size()));
  }
  // Several statements without parameters, or everything in them or nothing.
  base::Result<void> run_script(const std::string& sql);

  // The code of the last statement that failed, as PostgreSQL has it: "42501".
  const std::string& failure_code() const { return failure_code_; }
  bool is_lost() const;
  const Traffic& traffic() const { return traffic_; }

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };

  Connection(pg_conn* handle, Address address, int patience)
      : handle_(handle), address_(std::move(address)), patience_(patience) {}
  base::Result<Rows> collect(bool was_sent);
  bool wait_for(short events, double deadline);
  bool is_server_there() const;
  base::Result<Rows> checked(Rows rows);

  std::unique_ptr<pg_conn, Finish> handle_;
  Address address_;
  int patience_;
  std::string failure_code_;
  bool is_silent_ = false;  // the server did not answer once, and is not waited for again
  Traffic traffic_;
};

}  // namespace elenchus::share
