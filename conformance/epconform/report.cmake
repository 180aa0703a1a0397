# What `epconform report` needs: sources, a library, and the test of the page in
# a browser. The page itself, page/, is among the embedded files. Included by
# CMakeLists.txt of this folder, which has the target `epconform`.

find_package(ZLIB REQUIRED)
target_sources(epconform PRIVATE report.c report/documents.c report/results.c report/spec.c
                                 report/text.c)
target_link_libraries(epconform PRIVATE ZLIB::ZLIB)

find_package(Python3 3.9 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_test(NAME report.page
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_page/test_page
                     --epconform=$<TARGET_FILE:epconform> --corpora=${EPREF_CORPORA})
    set_tests_properties(report.page PROPERTIES LABELS "once;slow" SKIP_RETURN_CODE 77)
endif()
