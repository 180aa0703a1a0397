# The target of fuzz_pytorch.c, which starts pytorch_oracle with the Python of
# EPREF_FUZZ_PYTHON. Included by CMakeLists.txt.
epref_fuzz_target(pytorch program+tail oracles/oracle_process.c)
target_compile_definitions(fuzz_pytorch PRIVATE
                           FUZZ_PYTORCH_ORACLE="${CMAKE_CURRENT_SOURCE_DIR}/oracles/pytorch_oracle")

# The target of fuzz_oracle.c, which starts spec_oracle with any Python.
epref_fuzz_target(oracle program oracle_texts.c oracles/oracle_process.c)
target_link_libraries(fuzz_oracle PRIVATE fuzz_mutate) # which changes the texts of a program
target_compile_definitions(fuzz_oracle PRIVATE
                           FUZZ_SPEC_ORACLE="${CMAKE_CURRENT_SOURCE_DIR}/oracles/spec_oracle")
