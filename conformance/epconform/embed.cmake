# Writes a C file that holds other files byte for byte:
#
#   cmake -DOUT=carried.c -DROOT=FOLDER "-DFILES=a.txt b.txt" -P embed.cmake
#
# The names are those from ROOT on. carried.h says how they are found.

separate_arguments(names UNIX_COMMAND "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(name IN LISTS names)
    file(READ ${ROOT}/${name} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    # A zero behind the last byte, which is not counted.
    string(APPEND arrays "static const unsigned char file_${number}[] = {\n    ${bytes}0};\n\n")
    string(APPEND rows "    {\"${name}\", file_${number}, ${size}},\n")
    math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUT}.new "/* Made by embed.cmake. */\n#include \"carried.h\"\n\n#include <stddef.h>\n\n"
     "${arrays}const embedded_file EMBEDDED[] = {\n${rows}    {NULL, NULL, 0},\n};\n")
file(RENAME ${OUT}.new ${OUT})
