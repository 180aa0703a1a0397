# How everything is built: folders, warnings, sanitizers. What another project
# that adds this one as a folder has chosen stays as it is.

include(GNUInstallDirs)

set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set_property(CACHE CMAKE_BUILD_TYPE PROPERTY VALUE Release)
    endif()
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# The warnings that all C of this project is clean under, with gcc and clang.
# They are on for every target of these folders; one that links epref_warnings
# says so itself.
add_library(epref_warnings INTERFACE)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-qual -Wvla
                 -Wstrict-prototypes -Wswitch-enum)
    if(EPREF_WERROR)
        list(APPEND warnings -Werror)
    endif()
    add_compile_options(${warnings})
    target_compile_options(epref_warnings INTERFACE ${warnings})
endif()

# What EP_ALWAYS, EP_NEVER and EP_UNREACHABLE are (ref/src/base/never.h), in all that
# includes the library's own headers. A fuzzer looks for what cannot happen.
if(EPREF_ASSERT OR NOT EPREF_FUZZ_ENGINE STREQUAL "")
    add_compile_definitions(EPREF_ASSERT)
endif()

# Sanitizers are for all that is built here: half of a program cannot be
# watched. The first finding ends the program, so that no test passes over it.
if(EPREF_SANITIZE)
    string(REPLACE ";" "," sanitizers "${EPREF_SANITIZE}")
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${sanitizers})
endif()
