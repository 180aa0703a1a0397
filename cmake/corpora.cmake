# The corpora, unpacked into EPREF_CORPORA. Tests that read them depend on the
# target epref_corpora; it is part of the default build.

set(EPREF_CORPORA ${PROJECT_BINARY_DIR}/corpora)
set(unpack ${PROJECT_SOURCE_DIR}/scripts/unpack_corpora)
file(GLOB_RECURSE archives CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/corpora/*.xz
     ${PROJECT_SOURCE_DIR}/corpora/perf/*.json)

add_custom_command(
    OUTPUT ${EPREF_CORPORA}/.stamp
    COMMAND ${unpack} ${EPREF_CORPORA}
    COMMAND ${CMAKE_COMMAND} -E touch ${EPREF_CORPORA}/.stamp
    DEPENDS ${unpack} ${archives}
    COMMENT "Unpacking the corpora"
    VERBATIM)
add_custom_target(epref_corpora ALL DEPENDS ${EPREF_CORPORA}/.stamp)
