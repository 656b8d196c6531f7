# How a library or a program of ours is compiled when nobody edits it: several files as one (a unity
# build), which reads the standard library's and our headers once for all of them. On two cores that
# makes the difference between minutes and a coffee break. The preset `debug`, for those who edit,
# compiles each file by itself, so that a missing #include is found.
#
# Names in unnamed namespaces must be unique within a unit. What shares a vocabulary with its siblings
# on purpose, such as two files of rules that both have a `concat`, is compiled alone.

option(ELENCHUS_FAST_BUILD "Compile several files as one" OFF)

# Enough to read headers seldom, few enough to give each core something to do.
set(ELENCHUS_FILES_PER_UNIT 10)

set(ELENCHUS_COMPILED_ALONE
    src/eval/bits_rules.cpp src/eval/regex_rules.cpp src/eval/sequence_rules.cpp
    src/eval/string_rules.cpp
    src/mutate/diver/range_floats.cpp src/mutate/diver/range_strings.cpp
    src/solver/runner.cpp
    src/num/float_oracle_test.cpp src/proc/process_test.cpp src/solver/runner_test.cpp
    src/store/campaign_faults_test.cpp src/triage/title.cpp src/triage/title_test.cpp
    tests/incremental_test.cpp tests/known_answer_test.cpp tests/reduce_test.cpp)

# Headers that every unit of a folder needs, and that take longer to read than the rest of it.
set(ELENCHUS_HEAVY_HEADERS_cli <CLI/CLI.hpp> <nlohmann/json.hpp> <fmt/format.h>)

# Folders that do nothing often: what they call does. Most of their time goes into code of CLI11,
# nlohmann-json and the standard library, which costs a third less to compile with -O1.
set(ELENCHUS_COLD cli config docket experiment record share store triage web)

function(elenchus_build_fast target)
  if(NOT ELENCHUS_FAST_BUILD)
    return()
  endif()
  string(REGEX REPLACE "^elenchus_" "" folder ${target})
  if(ELENCHUS_HEAVY_HEADERS_${folder})
    target_precompile_headers(${target} PRIVATE ${ELENCHUS_HEAVY_HEADERS_${folder}})
  endif()
  if(folder IN_LIST ELENCHUS_COLD)
    target_compile_options(${target} PRIVATE -O1)
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ELENCHUS_FILES_PER_UNIT})
endfunction()

foreach(file IN LISTS ELENCHUS_COMPILED_ALONE)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/${file}" PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
