# The mutator that knows the format: fuzz_mutate, which libFuzzer's targets and
# the test link, and libfuzz_mutator.so for AFL++. It is no code under test: were
# it instrumented as that is, engines would count its branches for nothing.

find_package(ZLIB REQUIRED)

file(GLOB mutate_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/mutator/mutate*.c)

add_library(fuzz_mutate STATIC EXCLUDE_FROM_ALL ${mutate_sources} fuzz.c oracles/zip_reader.c
                                                oracles/zip_rules.c)
target_compile_definitions(fuzz_mutate PRIVATE FUZZ_TARGET="mutate")
target_include_directories(fuzz_mutate PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/ref
                           PRIVATE ${PROJECT_SOURCE_DIR}/ref/src ${EPREF_TABLES})
target_link_libraries(fuzz_mutate PUBLIC epref_fuzz epref::epref_static
                      PRIVATE epref_gen ZLIB::ZLIB)
set_target_properties(fuzz_mutate epref_fuzz epref_gen epref_common PROPERTIES POSITION_INDEPENDENT_CODE ON)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    target_compile_options(fuzz_mutate PRIVATE -fno-sanitize=fuzzer-no-link)
    target_compile_options(epref_gen PRIVATE -fno-sanitize=fuzzer-no-link)
endif()

# epref_fuzz_mutator(TARGET LAYOUT): the mutator for a target, where libFuzzer is
# its engine; LAYOUT is the "input" of targets.json, of which calls and files of tensors
# have no structure that it knows. AFL++ takes the library below.
function(epref_fuzz_mutator target layout)
    if(EPREF_FUZZ_ENGINE MATCHES "-fsanitize=fuzzer" AND NOT layout MATCHES "calls|tensorfile")
        target_sources(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/mutator_libfuzzer.c)
        target_compile_definitions(${target} PRIVATE FUZZ_LAYOUT="${layout}")
        target_link_libraries(${target} PRIVATE fuzz_mutate)
    endif()
endfunction()

# The symbols that AFL++ puts into what it compiles are those of a target, which
# a library of AFL++'s own process does not find: it is built with the rest when
# the compiler is another one.
if(NOT CMAKE_C_COMPILER MATCHES "afl-")
    add_library(fuzz_mutator MODULE mutator/mutator_afl.c)
    target_link_libraries(fuzz_mutator PRIVATE fuzz_mutate)
endif()

if(EPREF_TESTS AND EPREF_FUZZ_ENGINE STREQUAL "")
    add_test(NAME fuzz.dictionary COMMAND ${PROJECT_SOURCE_DIR}/fuzz/scripts/make_dictionary --check)
    set_tests_properties(fuzz.dictionary PROPERTIES LABELS fuzz)
endif()
