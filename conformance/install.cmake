# The runner and the suite, as a component of their own: the manifests, the files that they
# name, and the pages that authors of readers need. The runner finds them from where it is.

set(share ${CMAKE_INSTALL_DATADIR}/epref)
install(TARGETS epconform RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT conformance)
install(FILES suite.jsonl golden.jsonl invalid_verdicts.jsonl results.schema.json
              PLUG_IN.md PROTOCOL.md
        DESTINATION ${share}/conformance COMPONENT conformance)
install(FILES vectors/schema.json vectors/README.md vectors/tombstones.jsonl.xz
        DESTINATION ${share}/conformance/vectors COMPONENT conformance)
install(DIRECTORY ${EPREF_CORPORA}/suite DESTINATION ${share}/corpora COMPONENT conformance)
install(FILES ${PROJECT_SOURCE_DIR}/SPEC.md DESTINATION ${share} COMPONENT conformance)
install(DIRECTORY ${EPREF_CORPORA}/golden DESTINATION ${share}/corpora COMPONENT conformance
        FILES_MATCHING PATTERN program.json PATTERN canonical.json PATTERN model.pt2)
install(DIRECTORY ${EPREF_CORPORA}/invalid DESTINATION ${share}/corpora COMPONENT conformance
        FILES_MATCHING PATTERN *.json)
