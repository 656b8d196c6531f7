#include "cli/quantities.h"

#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace elenchus::cli {
namespace {

struct Quantity {
  double number = 0;
  std::string_view unit;
};

// A number that is not negative, and what follows it.
std::optional<Quantity> split(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789.");
  const std::string digits(text.substr(0, end));
  char* stop = nullptr;
  const double number = std::strtod(digits.c_str(), &stop);
  if (digits.empty() || *stop != '\0' || !std::isfinite(number)) return {};
  return Quantity{number, end == std::string_view::npos ? "" : text.substr(end)};
}

base::Error bad(std::string_view text, std::string_view what, std::string_view examples) {
  return {
      base::ErrorKind::kParse, fmt::format("'{}' is not a {}; write {}", text, what, examples), {}};
}

}  // namespace

base::Result<double> parse_duration(std::string_view text) {
  const auto quantity = split(text);
  const auto error = bad(text, "time", "90s, 10m, 1.5h or 2d");
  if (!quantity) return error;
  if (quantity->unit.empty() || quantity->unit == "s") return quantity->number;
  if (quantity->unit == "ms") return quantity->number / 1000;
  if (quantity->unit == "m" || quantity->unit == "min") return quantity->number * 60;
  if (quantity->unit == "h") return quantity->number * 3600;
  if (quantity->unit == "d") return quantity->number * 86400;
  return error;
}

base::Result<uint64_t> parse_size(std::string_view text) {
  constexpr double kMost = 1e18;
  const auto quantity = split(text);
  const auto error = bad(text, "size", "512M, 2G or a number of bytes");
  if (!quantity) return error;
  double factor = 0;
  if (quantity->unit.empty()) factor = 1;
  if (quantity->unit == "K" || quantity->unit == "k") factor = 1024;
  if (quantity->unit == "M") factor = 1024.0 * 1024;
  if (quantity->unit == "G") factor = 1024.0 * 1024 * 1024;
  if (factor == 0 || quantity->number * factor > kMost) return error;
  return static_cast<uint64_t>(quantity->number * factor);
}

std::string show_duration(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

}  // namespace elenchus::cli
