# What runs when: each test says it by labels, beside its add_test.
#
#   (none of these)  scripts/test runs it, and all that is below
#   slow             scripts/test leaves it out, and says so; --all has it in the folder build
#   weekly           --all leaves it out as well; a smaller one of the same kind is
#                    in --all, and --weekly has both
#   once             does not depend on how the C is compiled: only in the folder build
#   compiler         what an optimiser may get wrong: in build-clang too, which runs and
#                    builds nothing else (epref_compiled)
#
# The other labels (module, sweep, golden, hostile, locale, valgrind, fuzz, cli, gen) say
# what a test is about, for ctest -L.

# epref_label(LABEL TEST...): one more label for tests of this folder.
function(epref_label label)
    set_property(TEST ${ARGN} APPEND PROPERTY LABELS ${label})
endfunction()

# What the tests labelled compiler need. The corpora are in the default build.
add_custom_target(epref_compiled)

# What the tests labelled module need: fuzz/test_msan builds it for MSan.
add_custom_target(epref_modules)

# epref_compiler_test(TEST PROGRAM...): a test with this label, and what it runs.
function(epref_compiler_test test)
    epref_label(compiler ${test})
    add_dependencies(epref_compiled ${ARGN})
endfunction()
