# Packages for Debian and its relatives, by CPack: libepref with its soname, libepref-dev and
# epref. scripts/release calls it, with the folders and flags that distributions want; by hand:
#
#   cmake -S . -B build-deb -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_RPATH=ON -DEPREF_TESTS=OFF \
#       -DEPREF_STATIC_LIBRARIES=OFF
#   (cd build-deb && cpack)
#
# What Debian wants beside what is installed, packaging/debian/finish.cmake makes.

set(EPREF_REPOSITORY "https://github.com/OWNER/epref" CACHE STRING
    "Where the project is, for those who have a package")
set(EPREF_MAINTAINER "epref contributors <OWNER@users.noreply.github.com>" CACHE STRING
    "Who makes the packages, with an address")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "epref contributors")
set(CPACK_PACKAGE_CONTACT "${EPREF_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_THREADS 1)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL libraries development command)
set(CPACK_COMPONENTS_GROUPING IGNORE)

# A distribution's own package of the same version begins with revision 1, and replaces these.
set(EPREF_DEBIAN_VERSION ${PROJECT_VERSION}-0epref1)
set(EPREF_DEBIAN_LIBRARY libepref${EPREF_SOVERSION})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_VERSION ${EPREF_DEBIAN_VERSION})
set(CPACK_DEBIAN_PACKAGE_SOURCE epref)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${EPREF_REPOSITORY})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# What finish.cmake writes before the packages are made, and what they depend on it sets too.
set(control ${PROJECT_BINARY_DIR}/debian)
set(CPACK_PRE_BUILD_SCRIPTS ${control}/finish.cmake)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/packaging/debian/triggers;${control}/shlibs;${control}/symbols)

set(about "epref checks, compares, migrates, canonicalizes and writes programs that
PyTorch saves with torch.export.save, and the .pt2 archives around them:
strictly, byte for byte, in every version of their schema, and without
PyTorch or Python.")

set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME ${EPREF_DEBIAN_LIBRARY})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_DESCRIPTION "library of PyTorch's exported programs
${about}

This package has the shared libraries: libepref reads programs, and
libepref_archive the archives around them.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libepref-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${EPREF_DEBIAN_LIBRARY} (= ${EPREF_DEBIAN_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "library of PyTorch's exported programs, for development
${about}

This package has the headers, the manual of the libraries, the static libepref,
what CMake and pkg-config need, and examples.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME epref)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "check and compare PyTorch's exported programs
${about}

This package has the command, its manual page, and completions for bash, zsh
and fish.")

configure_file(packaging/debian/finish.cmake.in ${control}/finish.cmake @ONLY)
include(CPack)
