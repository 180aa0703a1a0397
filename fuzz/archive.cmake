# The targets of fuzz_archive.c, fuzz_state.c, fuzz_pack.c, fuzz_given.c and fuzz_zip.c: the
# library of ref/archive. Included by CMakeLists.txt.
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
find_package(ZLIB REQUIRED)

# Of libepref_archive, which needs libcrypto, what audits and checks a whole archive.
set(interface ${PROJECT_SOURCE_DIR}/ref/archive/interface)
epref_fuzz_target(archive archive archive_audited.c archive_loaders.c archive_reading.c
                  archive_repacked.c oracles/zip_reader.c oracles/zip_rules.c
                  ${interface}/archive_audit.c ${interface}/check.c ${interface}/open.c)
target_link_libraries(fuzz_archive PRIVATE epref_archive PkgConfig::CJSON ZLIB::ZLIB)

epref_fuzz_target(state state given_spelled.c state_elements.c state_files.c state_open.c
                  state_same.c state_whole.c oracles/zip_reader.c)
target_link_libraries(fuzz_state PRIVATE epref_archive PkgConfig::CJSON ZLIB::ZLIB m)

# What strips and joins, with hashes of pack_digest.c instead of libcrypto's: that is not
# there wherever targets are built, and takes most of the time.
set(make ${PROJECT_SOURCE_DIR}/ref/archive/make)
epref_fuzz_target(pack state pack_assembled.c pack_digest.c state_elements.c state_open.c
                  oracles/zip_reader.c
                  ${make}/joining.c ${make}/lines.c ${make}/stripping.c
                  ${make}/../state/member_hash.c)
target_link_libraries(fuzz_pack PRIVATE epref_archive ZLIB::ZLIB)

epref_fuzz_target(given tensorfile given_spelled.c)
target_link_libraries(fuzz_given PRIVATE epref_archive PkgConfig::CJSON m)

# What is written in Python answers from a process of its own; zip_oracle.c starts it.
set(zip_oracles oracle_process.c zip_libzip.c zip_listing.c zip_oracle.c zip_reader.c)
list(TRANSFORM zip_oracles PREPEND oracles/)
epref_fuzz_target(zip archive ${zip_oracles})
target_link_libraries(fuzz_zip PRIVATE epref_archive PkgConfig::LIBZIP ZLIB::ZLIB)
target_compile_definitions(fuzz_zip PRIVATE
                           FUZZ_ZIP_ORACLE="${CMAKE_CURRENT_SOURCE_DIR}/oracles/zip_oracle")

# The mutator, over golden programs and the vectors' archives.
if(EPREF_TESTS AND EPREF_FUZZ_ENGINE STREQUAL "")
    add_executable(test_mutate mutator/test_mutate.c)
    target_link_libraries(test_mutate PRIVATE fuzz_mutate epref_fuzz)
    add_dependencies(test_mutate epref_corpora)
    function(epref_mutate_test layout least most files)
        add_test(NAME fuzz.mutate.${layout}
                 COMMAND sh -c "exec \"$0\" ${layout} ${least} ${most} ${EPREF_CORPORA}/${files}"
                         $<TARGET_FILE:test_mutate>)
        set_tests_properties(fuzz.mutate.${layout} PROPERTIES LABELS fuzz)
    endfunction()
    epref_mutate_test(program+tail 10 30 golden/*/l*/program.json)
    epref_mutate_test(archive 50 95 suite/archives/*.pt2)
    epref_mutate_test(state 50 95 suite/archives/*.pt2)
endif()
