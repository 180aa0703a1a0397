# The tests of the targets, labelled fuzz: what is in corpora/fuzz and in
# corpora/regress breaks no property. Included by CMakeLists.txt where the targets
# have main.c for an engine.
#
#   fuzz.replay.NAME     all inputs, in this build, whatever sanitizers it has
#   fuzz.documents.NAME  golden programs and vectors
#   fuzz.msan            one in so many with MSan, in a build of its own
#   fuzz.valgrind.NAME   one in so many under Valgrind: weekly, but for the targets of
#                        libraries that are not built for MSan
#
#   ref.NAME_laws        the targets migrate and canon over golden programs
#
# The others are of the scripts, and stand in cmake/tests.cmake. The targets do not
# depend on the corpora, which are part of the default build: scripts/fuzz builds
# targets alone.

find_program(EPREF_VALGRIND valgrind)
set(regress ${PROJECT_SOURCE_DIR}/corpora/regress)
file(GLOB regress_files CONFIGURE_DEPENDS ${regress}/*/*)

set(replay_timeout 600)
if(CMAKE_CROSSCOMPILING) # an emulated machine
    set(replay_timeout 3600)
endif()

# epref_replay_test(NAME EVERY): of a target, if it is built; Valgrind takes every
# EVERY-th input.
function(epref_replay_test name every)
    if(NOT TARGET fuzz_${name})
        return()
    endif()
    set(inputs ${EPREF_CORPORA}/fuzz/${name})
    if(IS_DIRECTORY ${regress}/${name})
        list(APPEND inputs ${regress}/${name})
    endif()
    add_test(NAME fuzz.replay.${name} COMMAND fuzz_${name} ${inputs})
    set_tests_properties(fuzz.replay.${name} PROPERTIES LABELS fuzz TIMEOUT ${replay_timeout})
    if(EPREF_VALGRIND AND NOT EPREF_SANITIZE AND NOT EPREF_PORTABLE)
        add_test(NAME fuzz.valgrind.${name}
                 COMMAND ${EPREF_VALGRIND} -q --error-exitcode=9 --leak-check=full
                         $<TARGET_FILE:fuzz_${name}> --every=${every} ${inputs})
        set_tests_properties(fuzz.valgrind.${name} PROPERTIES LABELS "valgrind;once")
        if(name MATCHES "^(archive|state|pack|zip|oracle)$")
            epref_label(slow fuzz.valgrind.${name})
        else()
            epref_label(weekly fuzz.valgrind.${name})
        endif()
    endif()
endfunction()

epref_replay_test(decode 3)
epref_replay_test(roundtrip 3)
epref_replay_test(read 3)
epref_replay_test(forward 3)
epref_replay_test(canon 10)
epref_replay_test(diff 15)
epref_replay_test(migrate 15)
epref_replay_test(program 15)
epref_replay_test(strings 1)
epref_replay_test(builder 1)
epref_replay_test(archive 1)
epref_replay_test(given 1)
epref_replay_test(state 3)
epref_replay_test(pack 3)
epref_replay_test(zip 3)
epref_replay_test(oom 10)
epref_replay_test(oracle 20)
if(EPREF_SANITIZE AND TEST fuzz.replay.oracle) # most of it is the oracle's Python
    epref_label(slow fuzz.replay.oracle)
endif()

# ---- golden programs and vectors -------------------------------------------------

# Every one of them breaks no property of any target, whole and not only as far as they differ
# in coverage: one in so many of each target's, and weekly all.
set(documents ${PROJECT_BINARY_DIR}/fuzz-documents)

# epref_documents_test(NAME LABEL EVERY)
function(epref_documents_test name label every)
    if(TARGET fuzz_${name} AND NOT EPREF_PORTABLE)
        set(test fuzz.documents.${name}.${every})
        add_test(NAME ${test} COMMAND fuzz_${name} --every=${every} ${documents}/${name})
        set_tests_properties(${test} PROPERTIES LABELS "fuzz;once;${label}"
                             FIXTURES_REQUIRED documents)
    endif()
endfunction()

if(NOT EPREF_PORTABLE)
    add_test(NAME fuzz.documents
             COMMAND sh -c "rm -rf \"$1\" && exec \"$0\" --gather \"$1\" --corpora \"$2\""
                     ${CMAKE_CURRENT_SOURCE_DIR}/scripts/make_corpora ${documents} ${EPREF_CORPORA})
    set_tests_properties(fuzz.documents PROPERTIES LABELS "once;slow" FIXTURES_SETUP documents)
endif()
foreach(name decode roundtrip read forward canon diff migrate program strings archive state pack
        zip oom)
    epref_documents_test(${name} slow 7)
    epref_documents_test(${name} weekly 1)
endforeach()
epref_documents_test(oracle slow 70) # asks a process that takes its time
epref_documents_test(oracle weekly 10)

# ---- laws over golden programs -------------------------------------------------

# Of migration, and of canonical forms: one program in so many, with as many draws of
# versions, rewritings and changes. An emulated machine takes fifty times as long,
# sanitizers fifteen times.
set(every 5)
if(CMAKE_CROSSCOMPILING)
    set(every 200)
elseif(EPREF_SANITIZE)
    set(every 40)
endif()

# epref_laws_test(NAME TARGET EVERY TAILS)
function(epref_laws_test name target every tails)
    add_test(NAME ref.${name}
             COMMAND sh -c "exec \"$@\" \"$0\"/*/*/program.json" ${EPREF_CORPORA}/golden
                     ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:fuzz_${target}>
                     --every=${every} --tails=${tails})
    set_tests_properties(ref.${name} PROPERTIES LABELS golden TIMEOUT ${replay_timeout})
    epref_compiler_test(ref.${name} fuzz_${target})
endfunction()

epref_laws_test(migrate_laws migrate ${every} 24)
epref_laws_test(canon_laws canon ${every} 16)
epref_laws_test(migrate_laws.all migrate 1 16)
epref_laws_test(canon_laws.all canon 1 24)
epref_label(slow ref.migrate_laws.all ref.canon_laws.all)
