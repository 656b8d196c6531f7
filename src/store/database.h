#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace elenchus::store {

class Database;

// A prepared statement; lives at most as long as its database.
class Statement {
 public:
  // Binds the values to ?1, ?2, ... and runs the statement, which gives no rows or rows that nobody
  // wants. Can be called again and again.
  template <typename... Values>
  base::Result<void> run(const Values&... values) {
    start();
    int place = 0;
    (bind(++place, values), ...);
    return finish();
  }

  // Binds the values for step().
  template <typename... Values>
  void start_with(const Values&... values) {
    start();
    int place = 0;
    (bind(++place, values), ...);
  }

  // The next row, or false after the last one.
  base::Result<bool> step();

  // Columns of the current row, from 0 on. What is null is 0 or empty.
  int64_t integer(int column) const;
  uint64_t count(int column) const { return static_cast<uint64_t>(integer(column)); }
  double real(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  Statement(Database& database, sqlite3_stmt* handle) : database_(&database), handle_(handle) {}

  void start();
  base::Result<void> finish();
  void bind_integer(int place, int64_t value);
  void bind(int place, double value);
  void bind(int place, std::string_view value);
  template <typename T>
  requires std::is_integral_v<T>
  void bind(int place, T value) { bind_integer(place, static_cast<int64_t>(value)); }

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// A connection to campaign.db. Every error names the file and what to do about it. Not thread-safe
// by itself: whoever uses it holds mutex().
class Database {
 public:
  enum class Access : uint8_t { kRead, kWrite };

  static base::Result<std::unique_ptr<Database>> open(const std::filesystem::path& path,
                                                      Access access);

  std::mutex& mutex() { return mutex_; }

  base::Result<Statement> prepare(std::string_view sql);

  // One statement with values, or several without.
  template <typename... Values>
  base::Result<void> run(std::string_view sql, const Values&... values) {
    ELENCHUS_ASSIGN_OR_RETURN(Statement statement, prepare(sql));
    return statement.run(values...);
  }
  base::Result<void> run_script(const std::string& sql);

  // Calls `row` for each row of the answer.
  template <typename Row, typename... Values>
  base::Result<void> query(std::string_view sql, Row row, const Values&... values) {
    ELENCHUS_ASSIGN_OR_RETURN(Statement statement, prepare(sql));
    statement.start_with(values...);
    for (;;) {
      ELENCHUS_ASSIGN_OR_RETURN(const bool more, statement.step());
      if (!more) return {};
      row(statement);
    }
  }

  // Does everything in `work` or nothing of it.
  base::Result<void> transaction(const std::function<base::Result<void>()>& work);

  // Whether the file has been removed, or another one has taken its place.
  bool is_gone() const;

  // How many rows the last statement changed.
  int64_t changes() const;

  // What the last failure was.
  base::Error error() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  explicit Database(std::filesystem::path path) : path_(std::move(path)) {}

  base::Result<void> connect(Access access);
  base::Result<void> begin_reading();
  bool is_folder_read_only() const;

  std::filesystem::path path_;
  std::mutex mutex_;
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace elenchus::store
