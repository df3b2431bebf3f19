# Hashes the content of sources into a C file, so that what they decide is known by what they say:
#   cmake -DOUTPUT=identity.c -DROOT=… "-DRULES=a.c;b.sql" "-DLOADER=c.c;d.sql" -P identity.cmake
function(hash_of files result)
  set(sums "")
  foreach(file IN LISTS files)
    file(SHA256 ${ROOT}/${file} sum)
    string(APPEND sums "${file} ${sum}\n")
  endforeach()
  string(SHA256 all "${sums}")
  string(SUBSTRING ${all} 0 16 short)
  set(${result} ${short} PARENT_SCOPE)
endfunction()
hash_of("${RULES}" rules)
hash_of("${LOADER}" loader)
file(WRITE ${OUTPUT} "/* Made by sql/identity.cmake. */
#include \"base/postgres/identity.h\"
const char rules_identity[] = \"${rules}\";
const char loader_identity[] = \"${loader}\";
")
