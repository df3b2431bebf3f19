# Turns text files into one C table, so that the program carries its own SQL (and its ready-made
# scenarios).
#   cmake -DOUTPUT=catalogue.c -DROOT=sql -DFILES="a.sql;b.sql" \
#         [-DHEADER=… -DTYPE=… -DTABLE=…] -P embed.cmake
if(NOT DEFINED TABLE)
  set(HEADER base/postgres/sql_catalogue.h)
  set(TYPE sql_text)
  set(TABLE sql_catalogue)
endif()
set(entries "")
set(bodies "")
set(number 0)
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND bodies "static const char text_${number}[] = {${bytes}0x00};\n")
  string(APPEND entries "    {\"${file}\", text_${number}, sizeof text_${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Made by sql/embed.cmake from the files in ${ROOT}. */
#include \"${HEADER}\"
${bodies}
const struct ${TYPE} ${TABLE}[] = {
${entries}    {NULL, NULL, 0},
};
")
