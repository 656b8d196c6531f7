#include "store/database.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "base/system_error.h"
#include "base/text.h"

namespace elenchus::store {
namespace {

constexpr int kBusyMilliseconds = 10000;

// A name as part of a URI for SQLite.
std::string uri_of(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/' || std::isalnum(byte) != 0 || c == '.' || c == '_' || c == '-') {
      uri += c;
    } else {
      uri += fmt::format("%{:02x}", byte);
    }
  }
  return uri;
}

std::string advice(int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "; the file is damaged: move it away and resume the campaign, which takes its bugs up "
             "again from the folder bugs/ (statistics are lost)";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "; another program holds it";
    case SQLITE_FULL: return "; make room, then go on";
    default: return "";
  }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::start() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
}

base::Result<bool> Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(handle_.get());
    return false;
  }
  base::Error error = database_->error();
  sqlite3_reset(handle_.get());
  return error;
}

base::Result<void> Statement::finish() {
  for (;;) {
    ELENCHUS_ASSIGN_OR_RETURN(const bool more, step());
    if (!more) return {};
  }
}

void Statement::bind_integer(int place, int64_t value) {
  sqlite3_bind_int64(handle_.get(), place, value);
}

void Statement::bind(int place, double value) { sqlite3_bind_double(handle_.get(), place, value); }

void Statement::bind(int place, std::string_view value) {
  // A null pointer would bind null.
  const char* bytes = value.data() == nullptr ? "" : value.data();
  sqlite3_bind_text64(handle_.get(), place, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(handle_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

base::Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path,
                                                       Access access) {
  std::unique_ptr<Database> database(new Database(path));
  if (auto done = database->connect(access); !done) return done.error();
  return database;
}

base::Result<void> Database::connect(Access access) {
  const auto open_as = [this](const std::string& uri, int flags) -> base::Result<void> {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &handle,
                                     flags | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) return error();
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyMilliseconds);
    return {};
  };
  const std::string uri = uri_of(path_);
  if (access == Access::kWrite) {
    if (auto done = open_as(uri, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE); !done) return done;
    return run_script(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
  }
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) {
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("cannot read '{}': {}", path_.string(), std::strerror(ENOENT)),
                       {}};
  }
  auto opened = open_as(uri, SQLITE_OPEN_READONLY);
  if (opened) opened = begin_reading();
  if (opened) return opened;
  // A folder that cannot be written has no room for the index of the write-ahead log. Where there
  // is no log either, nobody is writing, and the file can be read as it is.
  const std::string log = path_.string() + "-wal";
  const bool is_still = is_folder_read_only() && !std::filesystem::exists(log, ignored);
  if (!is_still) return opened;
  if (auto again = open_as(uri + "?immutable=1", SQLITE_OPEN_READONLY); !again) return again;
  return begin_reading();
}

base::Result<void> Database::begin_reading() {
  return query("SELECT count(*) FROM sqlite_schema", [](const Statement&) {});
}

bool Database::is_folder_read_only() const {
  return access(path_.parent_path().c_str(), W_OK) != 0;
}

base::Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &handle,
                         nullptr) != SQLITE_OK) {
    return error();
  }
  return Statement(*this, handle);
}

base::Result<void> Database::run_script(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return error();
  }
  return {};
}

base::Result<void> Database::transaction(const std::function<base::Result<void>()>& work) {
  if (auto begun = run_script("BEGIN IMMEDIATE"); !begun) return begun;
  auto done = work();
  if (done) done = run_script("COMMIT");
  // Some failures have rolled back already.
  if (!done && sqlite3_get_autocommit(handle_.get()) == 0) {
    (void)sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  return done;
}

bool Database::is_gone() const {
  int has_moved = 0;
  sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return has_moved != 0;
}

int64_t Database::changes() const { return sqlite3_changes64(handle_.get()); }

base::Error Database::error() const {
  const int code = sqlite3_extended_errcode(handle_.get());
  const int system = sqlite3_system_errno(handle_.get());
  const bool is_full = (code & 0xff) == SQLITE_FULL || system == ENOSPC || system == EFBIG;
  std::string why = sqlite3_errmsg(handle_.get());
  const bool is_of_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  if (is_of_system && base::is_exhaustion(system)) {
    return base::system_error(fmt::format("cannot use '{}'", base::shown(path_.native(), 400)),
                              system);
  }
  if (is_of_system && system != 0) why += fmt::format(" ({})", std::strerror(system));
  return {is_full ? base::ErrorKind::kLimit : base::ErrorKind::kIo,
          fmt::format("cannot use '{}': {}{}", base::shown(path_.native(), 400), why,
                      advice(is_full ? SQLITE_FULL : code)),
          {}};
}

}  // namespace elenchus::store
