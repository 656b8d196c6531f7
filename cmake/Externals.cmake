# Libraries that are not ours, and which folder of src/ links which.
# Everything comes from the system; nothing is fetched during a build.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PostgreSQL REQUIRED)
find_package(OpenSSL REQUIRED)

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

# Calcium (exact algebraic numbers) and the FLINT and Arb it stands on ship none either. Debian's
# name for libarb is libflint-arb.
find_library(ELENCHUS_calcium_LIBRARY calcium REQUIRED)
find_library(ELENCHUS_arb_LIBRARY NAMES flint-arb arb REQUIRED)
find_library(ELENCHUS_flint_LIBRARY flint REQUIRED)
find_path(ELENCHUS_calcium_INCLUDE calcium/qqbar.h REQUIRED)
find_path(ELENCHUS_arb_INCLUDE acb.h REQUIRED)
find_path(ELENCHUS_flint_INCLUDE flint/fmpz_poly.h REQUIRED)
add_library(elenchus_calcium INTERFACE)
foreach(lib calcium arb flint)
  mark_as_advanced(ELENCHUS_${lib}_LIBRARY ELENCHUS_${lib}_INCLUDE)
  target_include_directories(elenchus_calcium SYSTEM INTERFACE ${ELENCHUS_${lib}_INCLUDE})
  target_link_libraries(elenchus_calcium INTERFACE ${ELENCHUS_${lib}_LIBRARY})
endforeach()
target_link_libraries(elenchus_calcium INTERFACE elenchus_gmp)

# cpp-httplib. Debian's is built with all three, which change what its classes hold.
find_library(ELENCHUS_httplib_LIBRARY cpp-httplib REQUIRED)
find_path(ELENCHUS_httplib_INCLUDE httplib.h REQUIRED)
mark_as_advanced(ELENCHUS_httplib_LIBRARY ELENCHUS_httplib_INCLUDE)
add_library(elenchus_httplib INTERFACE)
target_include_directories(elenchus_httplib SYSTEM INTERFACE ${ELENCHUS_httplib_INCLUDE})
target_compile_definitions(elenchus_httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT
                           CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
target_link_libraries(elenchus_httplib INTERFACE ${ELENCHUS_httplib_LIBRARY} OpenSSL::SSL
                      OpenSSL::Crypto Threads::Threads)

set(ELENCHUS_EXTERNALS_every fmt::fmt)
set(ELENCHUS_EXTERNALS_num elenchus_gmp elenchus_calcium)
set(ELENCHUS_EXTERNALS_history nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_coverage nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_record nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_config tomlplusplus::tomlplusplus)
set(ELENCHUS_EXTERNALS_store SQLite::SQLite3 nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_share PostgreSQL::PostgreSQL nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_lab Threads::Threads)
set(ELENCHUS_EXTERNALS_docket nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_campaign Threads::Threads nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_web elenchus_httplib nlohmann_json::nlohmann_json)
set(ELENCHUS_EXTERNALS_cli CLI11::CLI11 nlohmann_json::nlohmann_json)
