#pragma once

#include <string_view>

namespace elenchus::record {

// What is said of a bug that waits for more, see Bug::is_provisional.
inline constexpr std::string_view kProvisionalNote =
    "Not finished: the time was up before this was reduced and described to the end; `elenchus "
    "fuzz "
    "--resume` goes on with it.";

}  // namespace elenchus::record
