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

# The conformance suite is made of its rows; make_suite holds it against vectors/digest.txt.
set(conformance ${PROJECT_SOURCE_DIR}/conformance)
set(make_suite ${conformance}/scripts/make_suite)
find_package(Python3 3.9 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
    message(WARNING "No Python 3.9: the conformance suite is not made")
elseif(EXISTS ${make_suite})
    file(GLOB suite_sources CONFIGURE_DEPENDS
         ${conformance}/vectors/* ${conformance}/format/*.py)
    add_custom_command(
        OUTPUT ${EPREF_CORPORA}/suite/manifest.jsonl
        COMMAND ${Python3_EXECUTABLE} -B ${make_suite} ${EPREF_CORPORA}/suite
        DEPENDS ${make_suite} ${suite_sources}
        COMMENT "Making the conformance suite of its rows"
        VERBATIM)
    add_custom_target(epref_suite ALL DEPENDS ${EPREF_CORPORA}/suite/manifest.jsonl)
endif()
