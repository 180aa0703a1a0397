# What is installed: the headers, the libraries, the command line and its manual
# page, and what CMake and pkg-config need to find them.

include(CMakePackageConfigHelpers)

install(FILES ref/include/epref.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS epref_static epref_shared EXPORT epref-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET epref_archive_shared)
    install(FILES ref/include/epref_archive.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(TARGETS epref_archive_shared EXPORT epref-targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET epref_cli)
    install(TARGETS epref_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ref/cli/epref.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/epref)
configure_package_config_file(cmake/epref-config.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/epref-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/epref-config-version.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/epref-config.cmake
              ${PROJECT_BINARY_DIR}/cmake/epref-config-version.cmake
        DESTINATION ${package_dir})
install(EXPORT epref-targets NAMESPACE epref:: DESTINATION ${package_dir})

set(packages epref)
if(TARGET epref_archive_shared)
    list(APPEND packages epref_archive)
endif()
foreach(package ${packages})
    configure_file(cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/cmake/${package}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${package}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
