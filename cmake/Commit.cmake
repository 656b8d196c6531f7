# Which commit a program is built from, for --version. Included by the build, this makes a file that
# is looked at with every build and written only when the commit is another one; run with
# `cmake -P`, it writes that file.

if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND git -C "${ROOT}" describe --always --dirty=-changed --abbrev=10 --exclude=*
                  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(commit STREQUAL "")
    set(commit "unknown")
  endif()
  file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include <string_view>

namespace elenchus::cli {
std::string_view built_from_commit();
std::string_view built_from_commit() { return "@commit@"; }
}  // namespace elenchus::cli
]])
  return()
endif()

set(commit_source "${PROJECT_BINARY_DIR}/generated/commit.cpp")
add_custom_target(elenchus_commit
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${commit_source}"
          -P "${PROJECT_SOURCE_DIR}/cmake/Commit.cmake"
  BYPRODUCTS "${commit_source}"
  VERBATIM)
target_sources(elenchus PRIVATE "${commit_source}")
set_source_files_properties("${commit_source}" PROPERTIES GENERATED TRUE)
add_dependencies(elenchus elenchus_commit)
