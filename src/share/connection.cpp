#include "share/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/text.h"

namespace elenchus::share {
namespace {

constexpr Oid kBytea = 17;

// What is set unless the URL says otherwise: nothing may wait for longer than some seconds.
constexpr std::pair<const char*, const char*> kDefaults[] = {
    {"connect_timeout", "5"},         {"tcp_user_timeout", "10000"}, {"keepalives_idle", "5"},
    {"keepalives_interval", "3"},     {"keepalives_count", "3"},     {"client_encoding", "UTF8"},
    {"application_name", "elenchus"},
};

// As libpq takes them; what comes later counts. Refers to the settings.
struct Parameters {
  explicit Parameters(std::span<const std::pair<std::string, std::string>> settings) {
    for (const auto& [name, value] : kDefaults) add(name, value);
    for (const auto& [name, value] : settings) add(name.c_str(), value.c_str());
    add(nullptr, nullptr);
  }
  void add(const char* name, const char* value) {
    names.push_back(name);
    values.push_back(value);
  }
  std::vector<const char*> names;
  std::vector<const char*> values;
};

// The first line is what a user wants; those after it are hints.
std::string line_without_mark(std::string_view text) {
  text = base::first_line(text);
  for (const std::string_view start : {"ERROR:  ", "FATAL:  "}) {
    if (text.starts_with(start)) text.remove_prefix(start.size());
  }
  return redacted(base::shown(text, 400));
}

// libpq says of each address that it tried why not; the last is as good as any. Further lines say
// where a password or a certificate came from, and those with a tab what everybody knows.
std::string last_attempt(std::string_view text) {
  std::string said;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_attempt = line.starts_with("connection to server");
    if (is_attempt || said.empty()) {
      said = line_without_mark(line);
    } else if (!line.empty() && !line.starts_with('\t')) {
      said += "; " + line_without_mark(line);
    }
  }
  return said;
}

std::string advice(std::string_view code) {
  if (code == "42501") {
    return "; the role needs the rights of elenchus_node to take part, or of elenchus_reader to "
           "look: GRANT elenchus_node TO ...";
  }
  if (code == "42P01" || code == "3F000") {
    return "; there are no shared campaigns here yet: elenchus share init URL";
  }
  if (code == "53100") return "; the server's disk is full";
  if (code == "53300") return "; every node and reader needs a connection: raise max_connections";
  if (code == "28P01") {
    return "; libpq takes passwords from ~/.pgpass (mode 600), PGPASSWORD or a service file";
  }
  if (code == "3D000") return "; createdb makes it, and elenchus share init its tables";
  return {};
}

// libpq tells no code where a server refuses a connection.
std::string_view refusal_code(std::string_view message) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"too many", "53300"},
      {"remaining connection slots", "53300"},
      {"no password supplied", "28P01"},
      {"password authentication failed", "28P01"},
      {"FATAL:  database \"", "3D000"},
  };
  for (const auto& [words, code] : kWords) {
    if (message.find(words) != std::string_view::npos) return code;
  }
  return {};
}

int hex_value(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

std::string in_quotes(std::string_view item) {
  std::string text = "\"";
  for (const char c : item) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

// PostgreSQL takes UTF-8 without zeros.
std::string clean(std::string_view text) {
  std::string cleaned(text);
  std::erase(cleaned, '\0');
  using Json = nlohmann::json;
  const std::string dumped = Json(cleaned).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(dumped).get<std::string>();
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

}  // namespace

Value::Value(std::string_view text) : text_(is_plain(text) ? std::string(text) : clean(text)) {}

Value::Value(double number) : text_(fmt::format("{}", number)) {}

Value Value::bytes(std::string content) {
  Value value;
  value.text_ = std::move(content);
  value.is_binary_ = true;
  return value;
}

Value Value::list(std::span<const std::string> items) {
  std::string text = "{";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ',';
    text += in_quotes(item);
  }
  return {text + '}'};
}

Value Value::list(std::span<const int64_t> items) {
  return {fmt::format("{{{}}}", fmt::join(items, ","))};
}

void Rows::Clear::operator()(pg_result* result) const { PQclear(result); }

size_t Rows::size() const { return static_cast<size_t>(PQntuples(result_.get())); }

std::string_view Rows::view(size_t row, int column) const {
  const int at = static_cast<int>(row);
  return {PQgetvalue(result_.get(), at, column),
          static_cast<size_t>(PQgetlength(result_.get(), at, column))};
}

bool Rows::is_null(size_t row, int column) const {
  return PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

std::string Rows::text(size_t row, int column) const { return std::string(view(row, column)); }

int64_t Rows::integer(size_t row, int column) const {
  const std::string_view text = view(row, column);
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double Rows::real(size_t row, int column) const {
  const std::string_view text = view(row, column);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool Rows::flag(size_t row, int column) const { return view(row, column) == "t"; }

// As text: a backslash, an x, then two digits for each byte.
std::string Rows::bytes(size_t row, int column) const {
  std::string_view text = view(row, column);
  if (!text.starts_with("\\x")) return {};
  text.remove_prefix(2);
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(hex_value(text[i]) * 16 + hex_value(text[i + 1]));
  }
  return bytes;
}

void Connection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

base::Result<std::unique_ptr<Connection>> Connection::open(const Address& address, int patience) {
  const Parameters parameters(address.settings);
  std::unique_ptr<Connection> connection(new Connection(
      PQconnectdbParams(parameters.names.data(), parameters.values.data(), 0), address, patience));
  pg_conn* const handle = connection->handle_.get();
  if (PQstatus(handle) != CONNECTION_OK) {
    return base::Error{base::ErrorKind::kIo,
                       fmt::format("cannot reach the shared campaign at {}: {}{}", address.shown(),
                                   last_attempt(PQerrorMessage(handle)),
                                   advice(refusal_code(PQerrorMessage(handle)))),
                       {}};
  }
  PQsetnonblocking(handle, 1);
  PQsetNoticeProcessor(
      handle, [](void*, const char*) {}, nullptr);
  auto set = connection->run_script(fmt::format(
      "SET search_path = elenchus, pg_catalog; SET statement_timeout = '{}s'; "
      "SET lock_timeout = '10s'; SET client_min_messages = error; SET bytea_output = hex",
      patience));
  if (!set) return set.error();
  return connection;
}

bool Connection::is_lost() const { return is_silent_ || PQstatus(handle_.get()) != CONNECTION_OK; }

bool Connection::is_server_there() const {
  const Parameters parameters(address_.settings);
  const PGPing answer = PQpingParams(parameters.names.data(), parameters.values.data(), 0);
  return answer == PQPING_OK || answer == PQPING_REJECT;
}

// The kernel of a machine whose server hangs says that all is well, and no timeout of TCP or of
// statements ends the wait. A server that is busy with a statement lets others in; one that does
// not do that is not waited for.
bool Connection::wait_for(short events, double deadline) {
  constexpr double kSilence = 2;  // seconds until somebody looks whether the server is there
  while (!is_silent_) {
    const double wait = std::clamp(deadline - base::seconds_now(), 0.0, kSilence);
    pollfd waiting{PQsocket(handle_.get()), events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(wait * 1000) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno == EINTR) continue;
    is_silent_ = base::seconds_now() >= deadline || !is_server_there();
  }
  return false;
}

base::Result<Rows> Connection::collect(bool was_sent) {
  constexpr double kLonger = 10;  // seconds; the server itself ends statements before that
  pg_conn* const handle = handle_.get();
  const double deadline = base::seconds_now() + patience_ + kLonger;
  const auto take_in = [&](short events) {
    return wait_for(events, deadline) && PQconsumeInput(handle) == 1;
  };
  bool is_alive = was_sent && !is_silent_;
  while (is_alive) {
    const int left = PQflush(handle);
    if (left <= 0) {
      is_alive = left == 0;
      break;
    }
    is_alive = take_in(POLLIN | POLLOUT);
  }
  // Of several statements, the last counts, and ends them if it failed.
  Rows last(nullptr);
  while (is_alive) {
    while (is_alive && PQisBusy(handle) == 1) is_alive = take_in(POLLIN);
    if (!is_alive) break;
    pg_result* const result = PQgetResult(handle);
    if (result == nullptr) break;
    last = Rows(result);
  }
  if (is_silent_) {
    failure_code_.clear();
    return base::Error{
        base::ErrorKind::kIo,
        fmt::format("the shared campaign at {}: the server does not answer", address_.shown()),
        {}};
  }
  return checked(std::move(last));
}

base::Result<Rows> Connection::checked(Rows rows) {
  const pg_result* const result = rows.result_.get();
  ++traffic_.statements;
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
    for (size_t row = 0; row < rows.size(); ++row) {
      for (int column = 0; column < PQnfields(result); ++column) {
        traffic_.bytes_received +=
            static_cast<uint64_t>(PQgetlength(result, static_cast<int>(row), column));
      }
    }
    return rows;
  }
  const char* const code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  std::string_view why = PQresultErrorMessage(result);
  if (why.empty()) why = PQerrorMessage(handle_.get());
  failure_code_ = code == nullptr ? "" : code;
  return base::Error{base::ErrorKind::kIo,
                     fmt::format("the shared campaign at {}: {}{}", address_.shown(),
                                 line_without_mark(why), advice(failure_code_)),
                     {}};
}

base::Result<Rows> Connection::run(const std::string& sql, std::span<const Value> values) {
  std::vector<Oid> types;
  std::vector<const char*> texts;
  std::vector<int> lengths;
  std::vector<int> formats;
  traffic_.bytes_sent += sql.size();
  for (const Value& value : values) {
    types.push_back(value.is_binary() ? kBytea : 0);
    texts.push_back(value.text().c_str());
    lengths.push_back(static_cast<int>(value.text().size()));
    formats.push_back(value.is_binary() ? 1 : 0);
    traffic_.bytes_sent += value.text().size();
  }
  return collect(PQsendQueryParams(handle_.get(), sql.c_str(), static_cast<int>(values.size()),
                                   types.data(), texts.data(), lengths.data(), formats.data(),
                                   0) == 1);
}

base::Result<void> Connection::run_script(const std::string& sql) {
  traffic_.bytes_sent += sql.size();
  auto done = collect(PQsendQuery(handle_.get(), sql.c_str()) == 1);
  if (!done) return done.error();
  return {};
}

}  // namespace elenchus::share
