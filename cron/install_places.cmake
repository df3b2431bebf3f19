# Runs while kstar is installed: puts the places of this prefix into the files that name them.
# Given: `source`, and `bin`, `libexec`, `doc` below the prefix. /usr has its configuration in /etc,
# any other prefix in its own etc.
cmake_policy(VERSION 3.25)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(KSTAR_ETC /etc)
else()
  set(KSTAR_ETC ${CMAKE_INSTALL_PREFIX}/etc)
endif()
set(KSTAR_BIN ${CMAKE_INSTALL_PREFIX}/${bin})
set(KSTAR_LIBEXEC ${CMAKE_INSTALL_PREFIX}/${libexec})
set(KSTAR_DOC ${CMAKE_INSTALL_PREFIX}/${doc})

# place(TEMPLATE FOLDER NAME): cron/TEMPLATE with its @PLACES@ filled in, as FOLDER/NAME. The file
# that is there already is the site's where KEEP is given: the new one is put beside it as NAME.new.
function(place template folder name)
  if("KEEP" IN_LIST ARGN AND EXISTS "$ENV{DESTDIR}${folder}/${name}")
    set(name ${name}.new)
  endif()
  configure_file(${source}/${template} $ENV{DESTDIR}${folder}/${name} @ONLY NO_SOURCE_PERMISSIONS)
  message(STATUS "Installing: $ENV{DESTDIR}${folder}/${name}")
endfunction()

place(kstar.conf ${KSTAR_ETC}/kstar kstar.conf KEEP)
place(kstar.crontab ${KSTAR_ETC}/cron.d kstar KEEP)
place(kstar.logrotate ${KSTAR_ETC}/logrotate.d kstar KEEP)
foreach(unit kstar-nightly.service kstar-nightly.timer kstar-deliver.service kstar-deliver.timer)
  place(${unit} ${CMAKE_INSTALL_PREFIX}/lib/systemd/system ${unit})
endforeach()
