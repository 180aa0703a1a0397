# The target of fuzz_archive.c: the command line's code for archives, without the
# command line. Included by CMakeLists.txt.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
find_package(ZLIB REQUIRED)

set(cli_folder ${PROJECT_SOURCE_DIR}/ref/cli)
set(archive_cli archive base64 buffer constants io members memory names pickle refusal repack safe
                zipfile zipfile_end zipfile_entry zipfile_local zipwrite)
list(TRANSFORM archive_cli PREPEND ${cli_folder}/)
list(TRANSFORM archive_cli APPEND .c)

epref_fuzz_target(archive archive_audited.c archive_reading.c archive_repacked.c zip_reader.c
                  ${archive_cli})
epref_fuzz_mutator(fuzz_archive archive)
target_include_directories(fuzz_archive PRIVATE ${cli_folder})
target_link_libraries(fuzz_archive PRIVATE PkgConfig::CJSON PkgConfig::LIBZIP ZLIB::ZLIB)

# The mutator of archives, over the vectors.
if(EPREF_TESTS AND EPREF_FUZZ_ENGINE STREQUAL "")
    file(GLOB archive_vectors CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/conformance/vectors/archives/*.pt2)
    add_executable(test_mutate_zip test_mutate_zip.c)
    target_link_libraries(test_mutate_zip PRIVATE fuzz_mutate epref_fuzz)
    add_test(NAME fuzz.mutate_zip COMMAND test_mutate_zip ${archive_vectors})
    set_tests_properties(fuzz.mutate_zip PROPERTIES LABELS fuzz TIMEOUT 120)
endif()
