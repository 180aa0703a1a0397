# What is installed: the headers, the libraries and examples of their use, the command
# line, its completions, the manual, and what CMake and pkg-config need to find them. The
# components are what distributions make packages of (package.cmake).

set(EPREF_LIBRARIES COMPONENT libraries)
set(EPREF_DEVELOPMENT COMPONENT development)
set(EPREF_COMMAND COMPONENT command)

include(CMakePackageConfigHelpers)

set(headers ref/include/epref.h ref/include/epref_builder.h)
set(libraries epref_static epref_shared)
if(TARGET epref_archive_shared)
    list(APPEND headers ref/include/epref_archive.h)
    list(APPEND libraries epref_archive_shared)
endif()
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${EPREF_DEVELOPMENT})
install(TARGETS ${libraries} EXPORT epref-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${EPREF_DEVELOPMENT}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${EPREF_LIBRARIES}
                NAMELINK_COMPONENT development
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${EPREF_LIBRARIES})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} ${EPREF_LIBRARIES})

include(cmake/manual.cmake)

# The examples, each for the libraries that are there.
set(examples build nodes roundtrip signature)
if(TARGET epref_archive_shared)
    list(APPEND examples archive identity)
endif()
list(TRANSFORM examples PREPEND ref/examples/)
list(TRANSFORM examples APPEND .c)
install(FILES ${examples} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples ${EPREF_DEVELOPMENT})

if(TARGET epref_cli)
    install(TARGETS epref_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${EPREF_COMMAND})
    install(FILES ref/cli/epref.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${EPREF_COMMAND})
    if(TARGET epref_completions)
        set(completions ${PROJECT_BINARY_DIR}/completions)
        set(data ${CMAKE_INSTALL_DATADIR})
        install(FILES ${completions}/bash DESTINATION ${data}/bash-completion/completions
                RENAME epref ${EPREF_COMMAND})
        install(FILES ${completions}/zsh DESTINATION ${data}/zsh/site-functions
                RENAME _epref ${EPREF_COMMAND})
        install(FILES ${completions}/fish DESTINATION ${data}/fish/vendor_completions.d
                RENAME epref.fish ${EPREF_COMMAND})
    endif()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/epref)
configure_package_config_file(cmake/epref-config.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/epref-config.cmake
                              INSTALL_DESTINATION ${package_dir})
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatible SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/epref-config-version.cmake
                                 COMPATIBILITY ${compatible})
install(FILES ${PROJECT_BINARY_DIR}/cmake/epref-config.cmake
              ${PROJECT_BINARY_DIR}/cmake/epref-config-version.cmake
        DESTINATION ${package_dir} ${EPREF_DEVELOPMENT})
install(EXPORT epref-targets NAMESPACE epref:: DESTINATION ${package_dir} ${EPREF_DEVELOPMENT})

# A .pc file finds its folders from where it lies, so that the prefix can be chosen when
# installing, and changed afterwards; folders that were given as full paths stay as they are.
foreach(folder LIBDIR INCLUDEDIR)
    set(EPREF_PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
        set(EPREF_PC_${folder} "${CMAKE_INSTALL_${folder}}")
    endif()
endforeach()
set(EPREF_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(EPREF_PC_PREFIX "\${pcfiledir}/${up}")
endif()

set(packages epref)
if(TARGET epref_archive_shared)
    list(APPEND packages epref_archive)
endif()
foreach(package ${packages})
    configure_file(cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/cmake/${package}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${package}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${EPREF_DEVELOPMENT})
endforeach()
