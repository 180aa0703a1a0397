# The targets of fuzz_archive.c and fuzz_zip.c: the command line's code for archives,
# without the command line. Included by CMakeLists.txt.
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
find_package(ZLIB REQUIRED)

set(cli_folder ${PROJECT_SOURCE_DIR}/ref/cli)
set(zipfile_cli buffer io memory names refusal safe zipfile zipfile_end zipfile_entry zipfile_local)
set(archive_cli archive base64 constants members pickle repack zipwrite)
foreach(list zipfile_cli archive_cli)
    list(TRANSFORM ${list} PREPEND ${cli_folder}/)
    list(TRANSFORM ${list} APPEND .c)
endforeach()

epref_fuzz_target(archive archive_audited.c archive_reading.c archive_repacked.c zip_reader.c
                  zip_rules.c ${zipfile_cli} ${archive_cli})
epref_fuzz_mutator(fuzz_archive archive)
target_include_directories(fuzz_archive PRIVATE ${cli_folder})
target_link_libraries(fuzz_archive PRIVATE ZLIB::ZLIB)

# What is written in Python answers from a process of its own; zip_oracle.c starts it.
epref_fuzz_target(zip zip_libzip.c zip_listing.c zip_oracle.c zip_reader.c pytorch_process.c
                  ${zipfile_cli})
epref_fuzz_mutator(fuzz_zip archive)
target_include_directories(fuzz_zip PRIVATE ${cli_folder})
target_link_libraries(fuzz_zip PRIVATE PkgConfig::LIBZIP ZLIB::ZLIB)
target_compile_definitions(fuzz_zip PRIVATE
                           FUZZ_ZIP_ORACLE="${CMAKE_CURRENT_SOURCE_DIR}/zip_oracle")

# The mutator of archives, over the vectors.
if(EPREF_TESTS AND EPREF_FUZZ_ENGINE STREQUAL "")
    file(GLOB archive_vectors CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/conformance/vectors/archives/*.pt2)
    add_executable(test_mutate_zip test_mutate_zip.c zip_rules.c fuzz.c)
    target_compile_definitions(test_mutate_zip PRIVATE FUZZ_TARGET="mutate_zip")
    target_link_libraries(test_mutate_zip PRIVATE fuzz_mutate epref_fuzz)
    add_test(NAME fuzz.mutate_zip COMMAND test_mutate_zip ${archive_vectors})
    set_tests_properties(fuzz.mutate_zip PROPERTIES LABELS fuzz TIMEOUT 120)
endif()
