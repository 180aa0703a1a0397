# The manual of section 3, made from the public headers where there is an awk. Its date is
# that of the page of the command.

find_program(EPREF_AWK awk)
if(NOT EPREF_AWK)
    message(STATUS "No awk: the manual pages of the libraries are left out")
    return()
endif()

set(man_pages ${PROJECT_SOURCE_DIR}/scripts/tables/man_pages)
set(EPREF_MANUAL ${PROJECT_BINARY_DIR}/man/man3)
file(STRINGS ref/cli/epref.1 date REGEX "^\\.Dd " LIMIT_COUNT 1)
string(REPLACE ".Dd " "" date "${date}")

set(manuals epref epref_builder)
if(TARGET epref_archive_shared)
    list(APPEND manuals epref_archive)
endif()
set(stamps)
foreach(name ${manuals})
    set(header ${PROJECT_SOURCE_DIR}/ref/include/${name}.h)
    set(stamp ${PROJECT_BINARY_DIR}/man/${name}.stamp)
    add_custom_command(
        OUTPUT ${stamp}
        COMMAND ${man_pages} ${header} ${name} ${date} ${EPREF_MANUAL}
        COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
        DEPENDS ${man_pages} ${header} ${PROJECT_SOURCE_DIR}/ref/cli/epref.1
        VERBATIM)
    list(APPEND stamps ${stamp})
endforeach()
add_custom_target(epref_manual ALL DEPENDS ${stamps})
install(DIRECTORY ${EPREF_MANUAL} DESTINATION ${CMAKE_INSTALL_MANDIR} ${EPREF_DEVELOPMENT})
