# The tests of the house itself: what is installed can be used, the rules are
# kept, what is generated is up to date. Where they stand does not depend on
# the compiler, so they have the label "once" and run in one build folder only.
# (The tests of the code are in ref/test and conformance.)

find_package(Python3 3.9 COMPONENTS Interpreter)
set(scripts ${PROJECT_SOURCE_DIR}/scripts)

# epref_house_test(NAME FILE ARGUMENT...): a test that runs a script, where the
# script is there. 77 is its word for "could not be run here".
function(epref_house_test name script)
    if(NOT EXISTS ${script})
        message(STATUS "No test ${name}: ${script} is not there")
        return()
    endif()
    add_test(NAME ${name} COMMAND ${script} ${ARGN} COMMAND_EXPAND_LISTS)
    set_tests_properties(${name} PROPERTIES LABELS once SKIP_RETURN_CODE 77)
endfunction()

# epref_torch_test(NAME FILE ARGUMENT...): one that asks PyTorch 2.13: that of
# scripts/testees, if it is installed, else that of the python3 of the system.
set(EPREF_TORCH_PYTHON ${PROJECT_SOURCE_DIR}/build/testees/torch-python/bin/python
    CACHE FILEPATH "A Python with PyTorch 2.13")
function(epref_torch_test name script)
    set(python)
    if(EXISTS ${EPREF_TORCH_PYTHON})
        set(python ${EPREF_TORCH_PYTHON})
    endif()
    add_test(NAME ${name} COMMAND ${python} ${script} ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS "once;slow" SKIP_RETURN_CODE 77)
endfunction()

if(Python3_FOUND)
    epref_house_test(house.rules ${scripts}/house/rules
                     --libraries $<TARGET_FILE_DIR:epref_static>)
    epref_house_test(house.workflow ${scripts}/house/workflow)
    epref_house_test(house.versions ${scripts}/release --versions)
    if(TARGET epref_cli)
        epref_house_test(house.circles.epref ${scripts}/house/circles
                         $<TARGET_OBJECTS:epref_core> $<TARGET_OBJECTS:epref_static>
                         $<TARGET_OBJECTS:epref_common> $<TARGET_OBJECTS:epref_archive>
                         $<TARGET_OBJECTS:epref_make>
                         $<TARGET_OBJECTS:epref_gen> $<TARGET_OBJECTS:epref_cli>)
    endif()
    if(TARGET epconform)
        epref_house_test(house.circles.epconform ${scripts}/house/circles
                         $<TARGET_OBJECTS:epconform_parts> $<TARGET_OBJECTS:epconform>)
    endif()
    if(TARGET epref_rewrite)
        epref_house_test(house.circles.rewrite ${scripts}/house/circles
                         $<TARGET_OBJECTS:epref_rewrite>)
    endif()
    epref_house_test(json.pow10 ${scripts}/tables/make_pow10 --check)
    epref_house_test(spec.tables ${scripts}/tables/spec_tables --check)
    epref_house_test(spec.trace ${PROJECT_SOURCE_DIR}/conformance/scripts/trace)
    epref_house_test(corpora.manifest ${scripts}/golden/pack --check)
    epref_house_test(operators.table ${scripts}/tables/import_operators
                     --imported ${PROJECT_SOURCE_DIR}/corpora/operators/imported.json
                     --check ${PROJECT_SOURCE_DIR}/annex/operators.tsv
                     ${PROJECT_SOURCE_DIR}/corpora/operators/releases.tar.xz)
    epref_torch_test(torch.golden ${scripts}/golden/make --want=2.13.0 --quiet
                     --out=${PROJECT_BINARY_DIR}/golden-again --compare=${EPREF_CORPORA}/golden
                     linear kwargs__nonstrict cond_multi decomp_mlp training_mlp
                     dynamic_batch__strict unicode_strings dtype_float16 weights_zoo
                     archive_extra_files)
    epref_torch_test(schema.installed ${scripts}/tables/import_schema
                     --against ${PROJECT_SOURCE_DIR}/corpora/schemas/8.20.json)
    set(operators ${PROJECT_SOURCE_DIR}/corpora/operators)
    epref_torch_test(operators.installed ${scripts}/tables/import_operators
                     --imported ${operators}/imported.json --installed
                     ${operators}/releases.tar.xz)
    if(TARGET epref_cli)
        epref_house_test(spec.examples ${PROJECT_SOURCE_DIR}/conformance/scripts/spec_examples
                         $<TARGET_FILE:epref_cli>)
        # Pages of it, and of all that the web site has.
        set(site_test ${scripts}/pages/site_test)
        epref_house_test(site.made ${site_test} ${PROJECT_BINARY_DIR})
        epref_house_test(site.shown ${site_test} ${PROJECT_BINARY_DIR} --shown)
        epref_house_test(site.one_command ${site_test} ${PROJECT_BINARY_DIR}/site --one)
        set_tests_properties(site.one_command PROPERTIES PROCESSORS 2 COST 200)
        epref_label(slow site.made site.shown)
        epref_label(weekly site.one_command)
        epref_house_test(readme.session ${PROJECT_SOURCE_DIR}/ref/test/readme/session
                         ${PROJECT_SOURCE_DIR}/README.md $<TARGET_FILE:epref_cli>
                         ${EPREF_CORPORA}/golden)
        # One release each; without a name these scripts take all of them.
        set(proof --epref $<TARGET_FILE:epref_cli> --corpora ${EPREF_CORPORA})
        epref_torch_test(torch.migration ${scripts}/prove/canon ${proof} 2.3.1)
        epref_torch_test(torch.migration_raw ${scripts}/prove/canon ${proof} --raw 2.2.2)
        epref_torch_test(torch.canon ${scripts}/prove/canon ${proof} 2.13.0)
        epref_torch_test(torch.builder ${scripts}/prove/builder
                         --epref $<TARGET_FILE:epref_cli> --seeds 40)
        epref_torch_test(torch.tensors ${scripts}/prove/tensors
                         --epref $<TARGET_FILE:epref_cli> --every=9 ${EPREF_CORPORA}/golden/2.13.0
                         ${EPREF_CORPORA}/golden/2.4.1 ${EPREF_CORPORA}/archives/valid)
        # Where text of a file becomes code, beside what an audit says; a part of it for --all.
        set(sinks ${scripts}/prove/sinks ${proof})
        epref_torch_test(torch.sinks_sample ${sinks} --bases exported --forms call
                         --every 6)
        epref_torch_test(torch.sinks ${sinks})
        set_tests_properties(torch.sinks PROPERTIES PROCESSORS 2 COST 200)
        set_property(TEST torch.sinks PROPERTY LABELS once weekly)
        epref_torch_test(torch.harvest ${scripts}/prove/harvest --epref=$<TARGET_FILE:epref_cli>
                         --only=db/*/*/static --only=written/*/*/static --only=op/add/*/auto)
    endif()

    # Fuzzing: its scripts, what is generated for it, the planted faults, and all targets for
    # a while. (fuzz/tests.cmake has the corpora.)
    set(fuzz ${PROJECT_SOURCE_DIR}/fuzz)
    epref_house_test(fuzz.corpora ${fuzz}/scripts/make_corpora --check)
    epref_house_test(fuzz.ossfuzz ${fuzz}/oss-fuzz/try ${PROJECT_BINARY_DIR}/ossfuzz)
    epref_label(weekly fuzz.ossfuzz)
    epref_house_test(fuzz.faults ${scripts}/fuzz calibrate --check
                     --work=${PROJECT_BINARY_DIR}/faults)
    set(smoke ${PROJECT_BINARY_DIR}/fuzz-smoke)
    epref_house_test(fuzz.smoke_build ${scripts}/fuzz smoke --build-only --out=${smoke})
    epref_house_test(fuzz.smoke ${scripts}/fuzz smoke --no-build --out=${smoke})
    set_tests_properties(fuzz.smoke_build PROPERTIES FIXTURES_SETUP smoke COST 500)
    set_tests_properties(fuzz.smoke PROPERTIES FIXTURES_REQUIRED smoke COST 400)
    epref_label(slow fuzz.faults fuzz.smoke_build fuzz.smoke)
else()
    message(WARNING "No Python 3.9: the tests of the house are left out")
endif()

epref_house_test(package.manual ${PROJECT_SOURCE_DIR}/ref/test/package/manual)

# Installed, or as a folder, or by pkg-config: another project builds and runs
# the example of the README.
set(consume ${PROJECT_SOURCE_DIR}/ref/test/package/consume)
set(package_work ${PROJECT_BINARY_DIR}/package)
set(package_program ${EPREF_CORPORA}/golden/2.13.0/linear/program.json)

epref_house_test(package.install ${consume} install ${package_work})
set_tests_properties(package.install PROPERTIES FIXTURES_SETUP package)
foreach(way find_package pkg_config add_subdirectory)
    foreach(linkage static shared)
        set(name package.${way}.${linkage})
        epref_house_test(${name} ${consume} ${way} ${linkage} ${package_work} ${package_program})
        set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED package)
    endforeach()
endforeach()
get_property(package_tests DIRECTORY PROPERTY TESTS)
list(FILTER package_tests INCLUDE REGEX "^package\\.")
set_tests_properties(${package_tests} PROPERTIES ENVIRONMENT
    "CC=${CMAKE_C_COMPILER};CMAKE=${CMAKE_COMMAND};GENERATOR=${CMAKE_GENERATOR}")
epref_label(slow ${package_tests})

# The Python package: the wheel of a release, installed and tested.
set(release ${PROJECT_BINARY_DIR}/release)
epref_house_test(package.python ${PROJECT_SOURCE_DIR}/python/test/package
                 ${PROJECT_SOURCE_DIR}/build/packaging ${release} ${EPREF_CORPORA}/golden
                 ${PROJECT_BINARY_DIR}/python)
set_tests_properties(package.python PROPERTIES COST 150 FIXTURES_REQUIRED release
                     FIXTURES_SETUP package_python)
epref_label(slow package.python)
if(TARGET epconform)
    epref_house_test(conformance.python ${PROJECT_SOURCE_DIR}/python/test/conformance
                     $<TARGET_FILE:epconform> ${PROJECT_BINARY_DIR}/python)
    set_tests_properties(conformance.python PROPERTIES PROCESSORS 2 COST 60
                         FIXTURES_REQUIRED package_python)
    epref_label(slow conformance.python)
endif()

# The package of npm and the page, built by web/make. They share a folder.
set(web ${PROJECT_SOURCE_DIR}/web/test/run)
set(web_work ${PROJECT_BINARY_DIR}/web)
if(TARGET epref_cli)
    epref_house_test(web.node ${web} node ${web_work} ${EPREF_CORPORA}/golden
                     ${EPREF_CORPORA}/perf $<TARGET_FILE:epref_cli>)
    epref_house_test(web.page ${web} page ${web_work} ${EPREF_CORPORA}/golden
                     ${EPREF_CORPORA}/perf)
    epref_house_test(web.layout ${web} layout)
    set(web_tests web.node web.page)
    if(TARGET epconform)
        epref_house_test(web.conformance ${web} conformance ${web_work} $<TARGET_FILE:epconform>)
        list(APPEND web_tests web.conformance)
    endif()
    set_tests_properties(${web_tests} PROPERTIES PROCESSORS 2 COST 200 RESOURCE_LOCK web)
    epref_label(slow ${web_tests})
endif()

# A release, and apart from it the suite; its packages of Debian in a root of their own; what
# reads the formula, the recipe, the action, the hooks and the container; and all of these used,
# as far as that goes without the services that they are for.
set(package ${PROJECT_SOURCE_DIR}/ref/test/package)
set(model ${EPREF_CORPORA}/golden/2.13.0/linear/model.pt2)
epref_house_test(package.release ${package}/release ${release} ${release}-work)
epref_house_test(package.clean_root ${package}/clean_root ${release} ${package_program}
                 ${PROJECT_BINARY_DIR}/clean-root)
foreach(kind deb formula recipe)
    epref_house_test(package.lint.${kind} ${package}/lint ${kind} ${release})
endforeach()
foreach(kind container action hooks)
    epref_house_test(package.lint.${kind} ${package}/lint ${kind})
endforeach()
epref_house_test(package.hooks ${package}/hooks ${model} ${PROJECT_BINARY_DIR}/hooks)
if(TARGET epref_cli)
    epref_house_test(package.action ${package}/action $<TARGET_FILE:epref_cli>
                     ${EPREF_CORPORA}/golden ${PROJECT_BINARY_DIR}/action)
endif()
if(TARGET epref-testee)
    epref_house_test(package.suite ${package}/suite ${PROJECT_BINARY_DIR}/suite
                     $<TARGET_FILE:epref-testee>)
    set_tests_properties(package.suite PROPERTIES PROCESSORS 2 COST 200)
    epref_label(weekly package.suite) # conformance.reference runs the same vectors
endif()
# All of a release, twice; and a container, for which two systems are installed.
epref_house_test(package.reproduced ${scripts}/release --reproduce ${PROJECT_BINARY_DIR}/reproduced)
epref_house_test(package.container ${package}/container ${model} ${PROJECT_BINARY_DIR}/container)
set_tests_properties(package.release PROPERTIES COST 450 FIXTURES_SETUP release)
set_tests_properties(package.clean_root package.lint.deb package.lint.formula package.lint.recipe
                     PROPERTIES FIXTURES_REQUIRED release)
set_tests_properties(package.hooks package.container package.reproduced PROPERTIES COST 100)
epref_label(slow package.release package.lint.deb package.lint.formula package.lint.recipe
            package.hooks)
epref_label(weekly package.clean_root package.reproduced package.container)

# The modules and a sample of the corpora with MSan, in a build of its own.
epref_house_test(fuzz.msan ${PROJECT_SOURCE_DIR}/fuzz/test_msan ${PROJECT_BINARY_DIR}/fuzz-msan
                 ${EPREF_CORPORA})
set_tests_properties(fuzz.msan PROPERTIES COST 120
                     ENVIRONMENT "CMAKE=${CMAKE_COMMAND};CTEST=${CMAKE_CTEST_COMMAND};GENERATOR=${CMAKE_GENERATOR}")
epref_label(slow fuzz.msan)
