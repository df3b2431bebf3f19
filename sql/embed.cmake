# Turns .sql files into one C table, so that the program carries its own SQL.
#   cmake -DOUTPUT=catalogue.c -DROOT=sql -DFILES="a.sql;b.sql" -P embed.cmake
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
file(WRITE ${OUTPUT} "/* Made by sql/embed.cmake from the files in sql/. */
#include \"base/sql_catalogue.h\"
${bodies}
const struct sql_text sql_catalogue[] = {
${entries}    {NULL, NULL, 0},
};
")
