# For find_package(relist): the libraries, their headers under include/relist, and the package's files.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(relist_package ${CMAKE_INSTALL_LIBDIR}/cmake/relist)
set_target_properties(relist_flags PROPERTIES EXPORT_NAME flags)
target_include_directories(relist_flags INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/relist>)
install(TARGETS relist_flags relist_wire relist_runtime relist_fakeapi relist_http_server relist_reflector
        EXPORT relist ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT relist NAMESPACE relist:: FILE relistTargets.cmake DESTINATION ${relist_package})

# Headers of tests and examples stay here.
install(DIRECTORY core fakeapi reflector DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/relist
        FILES_MATCHING PATTERN "*.h"
        PATTERN "testdata" EXCLUDE PATTERN "testing" EXCLUDE PATTERN "examples" EXCLUDE PATTERN "conformance" EXCLUDE PATTERN "*_bench.h" EXCLUDE PATTERN "*_fixture.h" EXCLUDE
        PATTERN "*_test_*.h" EXCLUDE PATTERN "test_handler.h" EXCLUDE PATTERN "recording_comparer.h" EXCLUDE)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/relistConfig.cmake.in ${PROJECT_BINARY_DIR}/relistConfig.cmake
                              INSTALL_DESTINATION ${relist_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/relistConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/relistConfig.cmake ${PROJECT_BINARY_DIR}/relistConfigVersion.cmake
        DESTINATION ${relist_package})
