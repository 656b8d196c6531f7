#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

// The two streams of the program, as they should behave when nobody listens.
namespace elenchus::cli {

// A message on standard error. Where it cannot be written it is lost, and nothing else is: a log
// that nobody reads any longer must not end a campaign.
void tell_text(std::string_view text);

template <typename... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell_text(fmt::format(format, std::forward<Args>(args)...));
}

// A result on standard output. A reader that has gone away (head, less) ends the program as it ends
// others, by SIGPIPE; what else goes wrong is said once, and output_failed() from then on.
void put_text(std::string_view text);

template <typename... Args>
void put(fmt::format_string<Args...> format, Args&&... args) {
  put_text(fmt::format(format, std::forward<Args>(args)...));
}

bool output_failed();

// Ends the program as a broken pipe does by default.
[[noreturn]] void end_by_broken_pipe();

}  // namespace elenchus::cli
