# Tests are found by name: src/*/*_test.cpp, tests/*_test.cpp, tests/e2e/*_test.py, and the checks
# in tools/. Labels: "fast" (run before each commit) or "slow"; "e2e" marks what drives the whole
# program from outside; "plain" what gains nothing from sanitizers. `make test` runs each test once: what
# is plain with the release build, everything else with sanitizers.

find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Time limits only stop hangs; they leave room for sanitizers on a busy machine.
set(ELENCHUS_UNIT_TIMEOUT 900)
set(ELENCHUS_FAST_TIMEOUT 600)
set(ELENCHUS_SLOW_TIMEOUT 3600)

# What every test may read. A sanitizer's finding ends a test with its own exit code, never with one
# that the program uses.
set(ELENCHUS_TEST_ENVIRONMENT
    "UBSAN_OPTIONS=print_stacktrace=1:exitcode=99"
    "ASAN_OPTIONS=exitcode=99:detect_stack_use_after_return=1"
    # Tests that kill a process fork one first, with threads and all.
    "TSAN_OPTIONS=exitcode=99:halt_on_error=1:die_after_fork=0")

# A process runs many cases: starting one for each costs as much as the cases do in most folders, with
# sanitizers (0.02 to 0.05 s of CPU time each). What fails is named by its output; a program with more
# cases than this has several shares, so that each core has something to do.
set(ELENCHUS_CASES_PER_PROCESS 60)

# Folders whose code runs in several threads. Their tests have the label "threads" and are what a
# build for ThreadSanitizer makes.
set(ELENCHUS_THREADED base store web lab docket campaign)
add_custom_target(threaded_tests)

# What takes minutes, the longest first: begun last it would leave the other cores idle, and without
# these figures ctest knows no better until all have run once.
set(ELENCHUS_LONG_TESTS integration_tests e2e.share_test e2e.planted_test e2e.docket_test
    e2e.fuzz_test e2e.killed_test e2e.page_test crosscheck)

function(elenchus_set_cost test folder)
  list(FIND ELENCHUS_LONG_TESTS ${folder} place)
  if(place GREATER -1)
    math(EXPR cost "1000 - ${place}")
    set_tests_properties(${test} PROPERTIES COST ${cost})
  endif()
endfunction()

function(elenchus_count_cases result)
  set(cases 0)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" found REGEX "^(TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)[(]")
    list(LENGTH found count)
    math(EXPR cases "${cases} + ${count}")
  endforeach()
  set(${result} ${cases} PARENT_SCOPE)
endfunction()

function(elenchus_add_gtest name library)
  add_executable(${name} ${ARGN})
  elenchus_build_fast(${name})
  target_link_libraries(${name} PRIVATE ${library} elenchus_warnings
                        GTest::gmock GTest::gtest_main rapidcheck Threads::Threads)
  target_compile_definitions(${name} PRIVATE ELENCHUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  elenchus_count_cases(cases ${ARGN})
  math(EXPR last "${cases} / ${ELENCHUS_CASES_PER_PROCESS}")
  math(EXPR shares "${last} + 1")
  set(labels fast)
  string(REGEX REPLACE "_tests$" "" folder ${name})
  if(folder IN_LIST ELENCHUS_THREADED)
    add_dependencies(threaded_tests ${name})
    list(APPEND labels threads)
  endif()
  foreach(share RANGE ${last})
    set(test ${name})
    if(shares GREATER 1)
      set(test ${name}.${share})
    endif()
    add_test(NAME ${test} COMMAND ${name})
    set_tests_properties(${test} PROPERTIES
      LABELS "${labels}" TIMEOUT ${ELENCHUS_UNIT_TIMEOUT}
      ENVIRONMENT "${ELENCHUS_TEST_ENVIRONMENT};GTEST_TOTAL_SHARDS=${shares};GTEST_SHARD_INDEX=${share}")
    elenchus_set_cost(${test} ${name})
  endforeach()
endfunction()

# A script that is a test by itself; exit code 77 means skipped.
function(elenchus_add_script_test name label timeout)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES
    LABELS "${label}" TIMEOUT ${timeout} SKIP_RETURN_CODE 77
    ENVIRONMENT "${ELENCHUS_TEST_ENVIRONMENT}")
  elenchus_set_cost(${name} ${name})
endfunction()

foreach(folder IN LISTS ELENCHUS_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cpp")
  if(sources)
    elenchus_add_gtest(${folder}_tests elenchus_${folder} ${sources})
  endif()
endforeach()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
if(sources)
  elenchus_add_gtest(integration_tests elenchus_all ${sources})
endif()

# What the evaluator makes of random terms; tools/crosscheck compares it with solvers.
add_executable(crosscheck tests/crosscheck.cpp)
target_link_libraries(crosscheck PRIVATE elenchus_all elenchus_warnings CLI11::CLI11)

# Makes campaign folders for tests of the commands that read them.
add_executable(resume_campaign tests/resume_campaign.cpp)
target_link_libraries(resume_campaign PRIVATE elenchus_store elenchus_warnings)

# The same with figures, bugs and hours of one's choice.
add_executable(make_campaign tests/make_campaign.cpp)
target_link_libraries(make_campaign PRIVATE elenchus_store elenchus_warnings CLI11::CLI11)

# What the tests below drive; a build for them alone needs no unit tests.
add_custom_target(driven_from_outside DEPENDS elenchus resume_campaign make_campaign crosscheck)

file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/e2e/*_test.py")
foreach(script IN LISTS scripts)
  # The label is read here, so a changed script means configuring again.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  file(STRINGS "${script}" head LIMIT_COUNT 20)
  set(label fast)
  set(timeout ${ELENCHUS_FAST_TIMEOUT})
  if("${head}" MATCHES "label: [a-z, ]*slow")
    set(label slow)
    set(timeout ${ELENCHUS_SLOW_TIMEOUT})
  endif()
  # Most of these wait for solvers, so that sanitizers would see the same code run as in the unit tests,
  # only later. What is fed with strange input is another matter.
  if(NOT "${head}" MATCHES "label: [a-z, ]*sanitized")
    set(label "${label};plain")
  endif()
  get_filename_component(stem "${script}" NAME_WE)
  elenchus_add_script_test(e2e.${stem} "${label};e2e" ${timeout}
    ${Python3_EXECUTABLE} "${script}" --elenchus "${PROJECT_BINARY_DIR}/elenchus")
endforeach()

foreach(check check_layers check_format check_operators)
  set(script "${PROJECT_SOURCE_DIR}/tools/${check}")
  if(EXISTS "${script}")
    elenchus_add_script_test(${check} "fast;plain" ${ELENCHUS_FAST_TIMEOUT} "${script}")
  endif()
endforeach()

elenchus_add_script_test(check_seeds "fast;plain" ${ELENCHUS_FAST_TIMEOUT}
  "${PROJECT_SOURCE_DIR}/tools/check_seeds" --elenchus "${PROJECT_BINARY_DIR}/elenchus")
set_tests_properties(check_seeds PROPERTIES PROCESSORS 2)

# Compares solvers with release builds only: elsewhere it would find the same, more slowly.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  elenchus_add_script_test(crosscheck "slow;plain" ${ELENCHUS_FAST_TIMEOUT}
    "${PROJECT_SOURCE_DIR}/tools/crosscheck" --count 20 --program $<TARGET_FILE:crosscheck>)
endif()

# What the branch changed: everything takes longer than all other tests together, and `make tidy` has it.
# It needs the flags of single files, which only the presets for those who edit have; `make check` runs it.
if(NOT ELENCHUS_FAST_BUILD)
  elenchus_add_script_test(tidy slow ${ELENCHUS_SLOW_TIMEOUT}
    "${PROJECT_SOURCE_DIR}/tools/run_tidy" --no-tests --changed --build "${PROJECT_BINARY_DIR}")
  set_tests_properties(tidy PROPERTIES PROCESSORS 2)
endif()
