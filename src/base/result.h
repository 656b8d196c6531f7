#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace elenchus::base {

enum class ErrorKind : uint8_t { kParse, kType, kUnsupported, kIo, kLimit, kInternal };

const char* to_string(ErrorKind kind);

// A place in an input text. Lines and columns count from 1, columns in bytes; line 0 means "no
// place".
struct Location {
  uint32_t line = 0;
  uint32_t column = 0;
};

// An expected failure: bad input, a missing file, a budget that ran out.
struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
  Location where = {};
};

// `FILE:LINE:COL: error: message`, the form in which every input error reaches the user.
std::string describe(const Error& error, const std::string& file);

// A value or an Error. The member names are those of std::expected, so that a later switch is one
// line.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    ELENCHUS_CHECK(has_value(), error().message);
    return std::get<0>(state_);
  }
  const T& value() const& {
    ELENCHUS_CHECK(has_value(), error().message);
    return std::get<0>(state_);
  }
  T&& value() && {
    ELENCHUS_CHECK(has_value(), error().message);
    return std::get<0>(std::move(state_));
  }
  const Error& error() const { return std::get<1>(state_); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace elenchus::base

#define ELENCHUS_CONCAT_INNER(a, b) a##b
#define ELENCHUS_CONCAT(a, b) ELENCHUS_CONCAT_INNER(a, b)

// Assigns the value of a Result to `lhs`, or returns its error from the enclosing function.
#define ELENCHUS_ASSIGN_OR_RETURN(lhs, expr)           \
  auto ELENCHUS_CONCAT(result_, __LINE__) = (expr);    \
  if (!ELENCHUS_CONCAT(result_, __LINE__).has_value()) \
    return ELENCHUS_CONCAT(result_, __LINE__).error(); \
  lhs = std::move(ELENCHUS_CONCAT(result_, __LINE__)).value()
