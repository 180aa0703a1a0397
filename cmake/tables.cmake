# rules/operators.inc, in EPREF_TABLES: a row OPERATOR(target, since, until, tags, arguments,
# returns) for each line of annex/operators.tsv, with the symbols of ref/src/rules/release.def.

set(EPREF_TABLES ${PROJECT_BINARY_DIR}/tables)
set(from ${PROJECT_SOURCE_DIR}/annex/operators.tsv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
file(READ ${from} text)
string(REPLACE "target\tsince\tuntil\ttags\targuments\treturns\n" "" text "${text}")
string(REGEX REPLACE "\t([0-9]+)\\.([0-9]+)\\.[0-9]+" "\t\\1_\\2" text "${text}")
string(REGEX REPLACE "([^\t\n]+)\t([^\t\n]+)\t([^\t\n]+)\t([^\t\n]+)\t([^\t\n]+)\t([^\t\n]+)\n"
       "OPERATOR(\"\\1\", \\2, \\3, \\4, \"\\5\", \"\\6\")\n" text "${text}")
string(REGEX REPLACE ", -, ([A-Z-]+, \")" ", END, \\1" text "${text}")
string(REPLACE ", -, \"" ", NOTHING, \"" text "${text}")
string(REPLACE "\"-\"" "\"\"" text "${text}")
file(CONFIGURE OUTPUT ${EPREF_TABLES}/rules/operators.inc CONTENT "${text}#undef OPERATOR\n" @ONLY)
