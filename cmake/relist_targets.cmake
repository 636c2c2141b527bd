# Flags, dependencies, and the two functions with which every folder declares its library and its tests.
#
#   relist_library(NAME core SOURCES a.cc b.cc DEPENDS PUBLIC fmt::fmt PRIVATE relist::json)
#   relist_test(NAME core_wire_test SOURCES wire/a_test.cc wire/b_test.cc DEPENDS relist::core [LABELS threaded])
#   relist_fuzzer(NAME json_fuzz SOURCES json_fuzz.cc DEPENDS relist::wire)     only with RELIST_FUZZ (clang)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(RELIST_CCACHE ccache)
if(RELIST_CCACHE AND RELIST_DEVELOPER_MODE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RELIST_CCACHE})
endif()

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
# simdjson's class layout depends on macros: its pkg-config flags are part of the dependency.
pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson)

add_library(relist_flags INTERFACE)
target_include_directories(relist_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
target_compile_features(relist_flags INTERFACE cxx_std_20)
# One setting for all targets: it changes simdjson's class layout.
target_compile_definitions(relist_flags INTERFACE SIMDJSON_DEVELOPMENT_CHECKS=0)
# See reflector/parity_switch.h; for .ci/nightly only.
option(RELIST_PARITY_SWITCHES "Behaviours of the reflector can be turned off one at a time" OFF)
if(RELIST_PARITY_SWITCHES)
  target_compile_definitions(relist_flags INTERFACE RELIST_PARITY_SWITCHES)
endif()
# Warnings are for those who build us, never for those who use us.
function(relist_warnings)
  target_compile_options(relist_flags INTERFACE "$<BUILD_INTERFACE:${ARGN}>")
endfunction()
if(RELIST_DEVELOPER_MODE)
  relist_warnings(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
  # Designated initialisers name what they set; the rest is the default on purpose.
  relist_warnings(-Wno-missing-field-initializers)
  if(CMAKE_UNITY_BUILD)
    # A private type of one file in a private struct of the same file is fine, but looks otherwise there; and a local
    # name shadows nothing that its own file can see. The presets that compile each file alone warn of both.
    relist_warnings(-Wno-subobject-linkage -Wno-shadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False on variants and coroutine frames with g++ 12 (gcc bugs 105562, 105593).
    relist_warnings(-Wno-maybe-uninitialized -Wno-restrict)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # libstdc++ 12's own std::stable_sort calls what it has deprecated.
    relist_warnings(-Wno-deprecated-declarations)
  endif()
  enable_testing()
  find_package(GTest REQUIRED)
  # What ThreadSanitizer is built for: the tests labelled `threaded`.
  add_custom_target(relist_threaded_tests)
  add_custom_target(relist_fuzzers)
endif()

# Who names no build type wants a server and informers that are fast.
function(relist_optimise NAME)
  get_property(has_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT has_types AND "${CMAKE_BUILD_TYPE}" STREQUAL "")
    target_compile_options(${NAME} PRIVATE -O2)
  endif()
endfunction()

# Most of a file's compile time is its headers'. For daily work and .ci/run files are compiled a few at a time; `release`,
# `fuzz` and whoever embeds us compile each alone, and so find a header that a file lacks.
option(RELIST_BATCHES "Files are compiled five at a time" OFF)
function(relist_in_batches TARGET)
  if(RELIST_BATCHES AND NOT CMAKE_UNITY_BUILD)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)  # as above; -Wshadow stays
  endif()
endfunction()

function(relist_library)
  cmake_parse_arguments(A "" "NAME" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(relist_${A_NAME} STATIC ${A_SOURCES})
  add_library(relist::${A_NAME} ALIAS relist_${A_NAME})
  set_target_properties(relist_${A_NAME} PROPERTIES EXPORT_NAME ${A_NAME})
  relist_optimise(relist_${A_NAME})
  relist_in_batches(relist_${A_NAME})
  target_link_libraries(relist_${A_NAME} PUBLIC relist_flags ${A_PUBLIC} PRIVATE ${A_PRIVATE})
endfunction()

# Tests are built as unity, in sixes for daily work, in larger batches under sanitizers: the libraries' headers cost more than
# the tests themselves.
option(RELIST_OPTIMISE_TESTS "Test bodies are optimised, too; it takes a quarter of their time, and wins few of them any" ON)
function(relist_test)
  cmake_parse_arguments(A "" "NAME;TIMEOUT" "SOURCES;DEPENDS;LABELS;DEFINES" ${ARGN})
  if(NOT RELIST_DEVELOPER_MODE)
    return()
  endif()
  add_executable(${A_NAME} ${A_SOURCES})
  if(NOT CMAKE_UNITY_BUILD)
    set_target_properties(${A_NAME} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  if(NOT RELIST_OPTIMISE_TESTS)
    target_compile_options(${A_NAME} PRIVATE -O0)
  endif()
  target_link_libraries(${A_NAME} PRIVATE relist_flags ${A_DEPENDS} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${A_NAME} PRIVATE RELIST_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ${A_DEFINES})
  if("threaded" IN_LIST A_LABELS)
    add_dependencies(relist_threaded_tests ${A_NAME})
  endif()
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  # One ctest entry for each test binary: starting hundreds of sanitized processes costs minutes. The longest start first,
  # so that none runs alone at the end.
  add_test(NAME ${A_NAME} COMMAND ${A_NAME} --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${A_NAME} PROPERTIES TIMEOUT ${A_TIMEOUT} COST ${A_TIMEOUT} LABELS "${A_LABELS}")
endfunction()

# A libFuzzer target x_fuzz; .ci/nightly starts it from testdata/fuzz/x of its folder, where there is one.
function(relist_fuzzer)
  cmake_parse_arguments(A "" "NAME" "SOURCES;DEPENDS" ${ARGN})
  if(NOT RELIST_FUZZ)
    return()
  endif()
  add_executable(${A_NAME} ${A_SOURCES})
  target_link_libraries(${A_NAME} PRIVATE relist_flags ${A_DEPENDS})
  target_link_options(${A_NAME} PRIVATE -fsanitize=fuzzer)
  add_dependencies(relist_fuzzers ${A_NAME})
endfunction()
