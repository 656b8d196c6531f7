# Libraries that are not ours, and which folder of src/ links which.
# Everything comes from the system; nothing is fetched during a build.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)

# GMP ships no CMake package.
foreach(lib gmp gmpxx)
  find_library(ELENCHUS_${lib}_LIBRARY ${lib} REQUIRED)
  mark_as_advanced(ELENCHUS_${lib}_LIBRARY)
endforeach()
find_path(ELENCHUS_gmp_INCLUDE gmpxx.h REQUIRED)
mark_as_advanced(ELENCHUS_gmp_INCLUDE)
add_library(elenchus_gmp INTERFACE)
target_include_directories(elenchus_gmp SYSTEM INTERFACE ${ELENCHUS_gmp_INCLUDE})
target_link_libraries(elenchus_gmp INTERFACE ${ELENCHUS_gmpxx_LIBRARY} ${ELENCHUS_gmp_LIBRARY})

set(ELENCHUS_EXTERNALS_every fmt::fmt)
set(ELENCHUS_EXTERNALS_num elenchus_gmp)
set(ELENCHUS_EXTERNALS_cli CLI11::CLI11 nlohmann_json::nlohmann_json)
